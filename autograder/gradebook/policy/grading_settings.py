"""The settings with which a course grades: its edition, what its staff have decided, its own time limits."""

from pathlib import Path

from autograder.gradebook.policy.course_file import read_course_file
from autograder.grading.config import Settings
from autograder.grading.dropped_exercises import read_dropped
from autograder.grading.edition import course_secret
from autograder.grading.excused_checks import read_excused
from autograder.problem_sets.source import load


def settings_of(course: Path, ps: str) -> Settings:
    """Return how this course grades a set.

    Raises:
        UserError: course.toml or the secret's file cannot be used.
    """
    return Settings(course_secret(course), excused=read_excused(course, ps), dropped=read_dropped(course, ps),
                    **read_course_file(course).settings_of(load(ps)))
