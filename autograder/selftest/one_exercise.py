"""One exercise of one submission, graded by its own checks alone, in several editions: for banks and mutants.

One attempt over our functions is enough there: what differs from our solution is in the one exercise, so a second attempt over
the submission's own functions would not say anything else.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.grading.edition import named_secret
from autograder.grading.hidden_checks.run import SuiteRun
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SubmissionRunner
from autograder.problem_sets.source import load
from autograder.submission.read import Submission

CaughtBy = tuple[str | None, ...]  # for each edition the check that caught it, or None


def edition_names(number: int) -> list[str]:
    """Return what `autograder verify --edition` calls so many editions; the first is the public one, "" there."""
    return ["", *(f"edition {place}" for place in range(2, number + 1))]


def caught_by(submission: Submission, exercise: str, editions: Sequence[str]) -> CaughtBy:
    """Return for each edition the first check of an exercise that is not passed, None where all are.

    What is too slow in one edition is not tried in those that are left. A check that ends in a fault of the grader's has caught
    nothing, because a student would not lose anything by it.

    Raises:
        RuntimeError: the suite has no check of this exercise.
    """
    runner = SubmissionRunner(load(submission.problem_set), submission)
    caught: list[str | None] = []
    try:
        for edition in editions:
            run = SuiteRun(runner, named_secret(edition), exercise=exercise, hurried=True)
            run.run()
            if run.errors or not run.findings.get(exercise):
                raise RuntimeError(f"no checks of {submission.problem_set} {exercise}: {run.errors}")
            last = run.findings[exercise][-1]
            if last.outcome == Outcome.TOO_SLOW:
                caught += [last.name] * (len(editions) - len(caught))
                break
            caught.append(None if last.outcome in (Outcome.PASSED, Outcome.GRADER_FAULT) else last.name)
    finally:
        runner.close()
    return tuple(caught)
