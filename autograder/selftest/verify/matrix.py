"""The table of `make verify`: which check catches which wrong answer."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.grading.report import Report
from autograder.problem_sets.bank.answers import Answer


def write_matrix(
    path: Path, caught_by: Mapping[tuple[str, str], Sequence[str]], solved: Report, wrong: Sequence[Answer]
) -> None:
    """Write a table with a row per check: the number of wrong answers that it catches, and an x under each of them.

    Args:
        caught_by: the titles of the wrong answers that a check caught, by (exercise, check).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    with draft.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["exercise", "check", "wrong answers", *(answer.title for answer in wrong)])
        for exercise in solved.exercises:
            for check in exercise.checks:
                caught = set(caught_by.get((exercise.id, check.name), ()))
                marks = ["x" if answer.title in caught else "" for answer in wrong]
                table.writerow([exercise.id, check.name, len(caught), *marks])
    os.replace(draft, path)
