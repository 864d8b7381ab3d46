"""Answers that can be guessed ("find the bug in this tree"): a course judges the first three different ones of a student.

A report says whether an answer is right. Without a limit a student would hand in one guess after another. The answers that were
judged are in a file of the course folder, with the decisions of staff. This file decides whether an answer is judged, so the same
submission has the same grade in every later run, with or without the cache.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.grading.config import ANSWERS, Graded
from autograder.grading.report import ExerciseReport, Outcome
from autograder.json_files import read_decisions, write_decisions

FILE = "answers.json"
MOST = 3
_ORDINALS = ("first", "second", "third")
NOT_JUDGED = f"Not judged, right or wrong: {MOST} other answers of yours were judged before, and a course judges no more"


class JudgedAnswers:
    """The answers of a course that were judged: problem set -> student -> "2.14 of <edition>" -> the answers, in order.

    keep: whether an answer that is judged now is written down; False where the student does not read the result.

    Raises:
        UserError: the file is damaged; an empty file instead of it would give all students new answers.
    """

    def __init__(self, course: Path, ps: str, keep: bool = True) -> None:
        self.path, self.ps, self.keep = course / FILE, ps, keep
        self._all = read_decisions(self.path)
        tables = [table for students in self._all.values() for table in students.values()]
        if not all(isinstance(table, dict) and all(isinstance(answers, list) for answers in table.values()) for table in tables):
            raise UserError(f"{self.path} cannot be read (a student's entry is not a table of lists): correct it or remove it")

    def limited(self, student: str, graded: Graded) -> Graded:
        """Return the grading as this student gets it: an exercise earns nothing if its answer exceeds the limit.

        A new answer is written down before anybody can read the result.
        """
        given: dict[str, Any] = graded.staff.get(ANSWERS, {})
        if not given:
            return graded
        exercises = [self._limited(student, exercise, *given[exercise.id]) if exercise.id in given else exercise
                     for exercise in graded.report.exercises]
        return replace(graded, report=graded.report.with_exercises(exercises))

    def _limited(self, student: str, exercise: ExerciseReport, edition: str, answer: str) -> ExerciseReport:
        if exercise.outcome not in (Outcome.PASSED, Outcome.NOT_YET):
            return exercise
        judged = self._all.setdefault(self.ps, {}).setdefault(student, {}).setdefault(f"{exercise.id} of {edition}", [])
        if answer not in judged and len(judged) < MOST:
            judged.append(answer)
            if self.keep:
                write_decisions(self.path, self._all)
        if answer not in judged:
            lost = tuple(replace(check, outcome=Outcome.NOT_YET, hint=NOT_JUDGED) for check in exercise.checks)
            return replace(exercise, outcome=Outcome.NOT_YET, points=0.0, checks=lost)
        if exercise.outcome == Outcome.PASSED:
            return exercise
        note = f"This is your {_ORDINALS[judged.index(answer)]} answer; a course judges {MOST} different ones"
        checks = (replace(check, hint=f"{check.hint} {note}" if check.hint else note) for check in exercise.checks)
        return replace(exercise, checks=tuple(checks))
