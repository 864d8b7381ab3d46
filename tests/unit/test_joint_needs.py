"""The joint check waits for the exercises that it uses, and for no others."""

import dataclasses

import pytest

from autograder.build.source import Exercise, load, names
from autograder.grading.attempt import Workshop
from autograder.grading.checks import hidden_suite
from autograder.grading.control import our_submission
from autograder.grading.edition import public_secret
from autograder.grading.forms import Cell
from autograder.grading.report import JOINT, PASSED
from autograder.grading.suite import SuiteRun


def joint_passes_without(ps: str, exercise: Exercise) -> bool:
    """Run the joint checks over our solution with one exercise's functions broken."""
    lines = ["def broken(*args, **kwargs):", "    raise RuntimeError", *(f"{name} = broken" for name in exercise.functions)]
    broken = "\n".join(lines)
    submission = our_submission(ps)
    submission = dataclasses.replace(submission, cells=(*submission.cells, Cell("broken", broken, None, "code")))
    workshop = Workshop(load(ps), submission)
    try:
        for check in hidden_suite(ps).checks:
            if check.exercise == JOINT:
                run = SuiteRun(workshop, public_secret(), only=check.name)
                run.run()
                if run.findings[JOINT][0].outcome != PASSED:
                    return False
        return True
    finally:
        workshop.close()


@pytest.mark.parametrize("ps", names())
def test_the_joint_check_waits_for_what_it_uses(ps):
    needed = {id for check in hidden_suite(ps).checks if check.exercise == JOINT for id in check.needs}
    assert needed == {exercise.id for exercise in load(ps).exercises if not joint_passes_without(ps, exercise)}
