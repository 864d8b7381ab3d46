"""The cast of a demo class and its required grades, set by set: tests/demo/<ps>.py contains both."""

import runpy
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY
from autograder.problem_sets.source import names

TESTS = REPOSITORY / "tests"


@dataclass(frozen=True)
class Cast:
    """The part of a demo class that differs from set to set.

    right: names of four answers in the set's bank of right answers.
    wrong: (exercise, name) of eight answers in the set's bank of wrong answers.
    half: the last exercise of the unfinished work.
    syntax, endless, hog: exercises whose code does not parse, never ends, and asks for all memory.
    talkative: a right function that prints and warns at every call.
    """

    right: tuple[str, str, str, str]
    wrong: tuple[tuple[str, str], ...]
    half: str
    syntax: str
    endless: str
    hog: str
    talkative: str


@dataclass(frozen=True)
class Expected:
    """One invented student and the required result.

    `lost`: the exercises without points, with their outcome; None: all exercises, with any outcome. `says`: a text that the
    report's note, or a check's line or hint, must contain. `challenge`: the highest rung that the player passes, if the set has
    a player.
    """

    what: str
    form: str
    points: float
    lost: dict[str, str] | None = None
    says: str = ""
    challenge: str = "not ready"


def demo_sets() -> list[str]:
    """Return the problem sets that have a demo class, sorted."""
    return [name for name in names() if _file(name).is_file()]


def cast_of(ps: str) -> Cast:
    """Return the cast of a set's demo class; UserError if the set has none."""
    if ps not in demo_sets():
        raise UserError(f"no demo class of {ps}; choose from {', '.join(demo_sets())}, or give a course folder")
    cast: Cast = runpy.run_path(str(_file(ps)))["CAST"]
    return cast


def expected_of(ps: str) -> dict[str, Expected]:
    """Return the grades, by student, that a set's demo class must get."""
    expected: dict[str, Expected] = runpy.run_path(str(_file(ps)))["EXPECTED"]
    return expected


def _file(ps: str) -> Path:
    return TESTS / "demo" / f"{ps}.py"
