"""The joint check waits for the exercises that it uses, and for no others."""

import dataclasses

import pytest

from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.hidden_checks.collect import hidden_suite
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.reference import our_submission
from autograder.grading.report import Outcome
from autograder.grading.submission_runner import SubmissionRunner
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import Exercise, load, names
from autograder.submission.parse import Cell


def joint_passes_without(ps: str, exercise: Exercise) -> bool:
    """Run the joint checks over our solution with one exercise's functions broken."""
    lines = ["def broken(*args, **kwargs):", "    raise RuntimeError", *(f"{name} = broken" for name in exercise.functions)]
    broken = "\n".join(lines)
    submission = our_submission(load(ps))
    submission = dataclasses.replace(submission, cells=(*submission.cells, Cell("broken", broken, None, "code")))
    runner = SubmissionRunner(submission)
    try:
        for check in hidden_suite(ps).checks:
            if check.exercise == JOINT:
                run = SuiteRun(runner, Settings(public_secret()), only=check.name)
                run.run()
                if run.findings[JOINT][0].outcome != Outcome.PASSED:
                    return False
        return True
    finally:
        runner.close()


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@pytest.mark.parametrize("ps", names())
def test_the_joint_check_waits_for_what_it_uses(ps):
    needed = {id for check in hidden_suite(ps).checks if check.exercise == JOINT for id in check.needs}
    assert needed == {exercise.id for exercise in load(ps).exercises if not joint_passes_without(ps, exercise)}
