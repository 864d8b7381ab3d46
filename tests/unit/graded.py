"""Gradings for tests: the solution with code appended, graded in its own folder."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from autograder.grading.edition import public_secret
from autograder.grading.grade import Graded, Settings, grade_submission
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import ProblemSet, load
from tests import students

ROOT = Path(__file__).resolve().parents[2]
PS: ProblemSet = load("ps2_uct")
SETTINGS = Settings(public_secret())


def solution_and(code: str = "") -> str:
    """The solved module with `code` in a cell of its own at the end."""
    return students.solved(PS.name, code)


def grade(module: str, settings: Settings = SETTINGS) -> Graded:
    """Grade a module form."""
    with tempfile.TemporaryDirectory() as room:
        (Path(room) / "ps2_uct.py").write_text(module, encoding="utf-8", newline="")
        return grade_submission(Path(room), "ps2_uct", settings)


@lru_cache(maxsize=1)
def solved() -> Graded:
    """The solution, graded once for all tests of a process."""
    return grade(solution_and())


def lost(graded: Graded) -> list[str]:
    """The exercises that lost their points."""
    return [exercise.id for exercise in graded.report.exercises if exercise.points != exercise.max_points]


def outcomes(graded: Graded) -> dict[str, str]:
    return {exercise.id: exercise.outcome for exercise in graded.report.exercises}


def answer(bank: str, name: str) -> str:
    """The module of one answer of tests/right or tests/wrong."""
    return solution_and(next(cell.code for cell in load_bank(ROOT / "tests" / bank / "ps2_uct.py") if name in cell.name))
