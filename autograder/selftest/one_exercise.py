"""One exercise of one submission, graded only by its own checks, in several editions: for banks and mutants.

Only this exercise differs from our solution, so a second attempt with the submission's own functions is made only where a
check asked for the mode, as `make verify` does; elsewhere it would give the same result.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.grading.config import Settings
from autograder.grading.edition import named_secret
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SubmissionRunner
from autograder.submission.read import Submission

CaughtBy = tuple[str | None, ...]  # for each edition, the check that caught the mistake, or None
NO_LOSS = (Outcome.PASSED, Outcome.GRADER_FAULT)


def edition_names(number: int) -> list[str]:
    """Return the names of `number` editions for `autograder verify --edition`; the first is "", the public edition."""
    return ["", *(f"edition {place}" for place in range(2, number + 1))]


def caught_by(submission: Submission, exercise: str, editions: Sequence[str]) -> CaughtBy:
    """Return for each edition the first failed check of an exercise; None if all checks pass.

    If a submission is too slow in one edition, the remaining editions are skipped. A check that ends in a grader fault catches
    nothing, because a student would lose no points by it.

    Raises:
        RuntimeError: the suite has no check of this exercise.
    """
    runner = SubmissionRunner(submission)
    caught: list[str | None] = []
    try:
        for edition in editions:
            run = SuiteRun(runner, Settings(named_secret(edition)), exercise=exercise, ours_only=True, fail_fast=True)
            run.run()
            if run.errors or not run.findings.get(exercise):
                raise RuntimeError(f"no checks of {submission.problem_set.name} {exercise}: {run.errors}")
            failed = next((finding for finding in run.findings[exercise] if finding.outcome not in NO_LOSS), None)
            if failed is not None and failed.outcome == Outcome.TOO_SLOW:
                caught += [failed.name] * (len(editions) - len(caught))
                break
            caught.append(failed.name if failed else None)
    finally:
        runner.close()
    return tuple(caught)
