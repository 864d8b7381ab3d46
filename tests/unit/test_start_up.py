"""The imports of a command before it does anything: a person waits for them each time."""

import subprocess
import sys

import pytest

from autograder.paths import REPOSITORY

pytestmark = pytest.mark.usefixtures("processes")

HEAVY = {"numba", "numpy", "scipy", "torch", "pytest", "pygments", "nbgrader", "nbformat", "sqlalchemy", "rapidfuzz"}
BEFORE_GRADING = (
    "cli.class_commands", "cli.printing.summary", "course.pipeline", "course.challenge.class_exams", "progress",
    "workers.capacity")


def imported(*modules: str) -> set[str]:
    """All modules that a new process has after importing these modules of autograder."""
    code = "".join(f"import autograder.{module}\n" for module in modules) + "import sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_make_grade_begins_to_grade_before_it_imports_anything_heavy():
    """the workers' imports run beside those of nbgrader, and a class without a challenge never imports the games"""
    assert not imported(*BEFORE_GRADING) & HEAVY


def test_weights_are_looked_over_without_the_parts_that_compare_code():
    assert not imported("course.challenge.near_weights") & {"rapidfuzz", "pygments", "scipy"}
