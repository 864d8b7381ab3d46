"""Disputes: what a student objects to in an exercise, and what staff answered. Each is open or answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.json_files import read_decisions, write_decisions

FILE = "disputes.json"
OPEN, ANSWERED = "open", "answered"


@dataclass(frozen=True)
class Dispute:
    """One student's dispute about one exercise.

    words: (state that they made, when in UTC, text), the first one first; an answered dispute may be opened again.
    """

    student: str
    exercise: str
    words: tuple[tuple[str, str, str], ...]

    @property
    def state(self) -> str:
        """Whether it is open or answered."""
        return self.words[-1][0]


def read_disputes(course: Path, ps: str) -> list[Dispute]:
    """Return the disputes of a problem set: open ones first, then by student and exercise.

    Raises:
        UserError: the file is damaged; only a person knows its contents.
    """
    disputes = [
        Dispute(student, exercise, _words(course, words))
        for student, by_exercise in read_decisions(course / FILE).get(ps, {}).items()
        for exercise, words in _table(course, by_exercise).items()
    ]
    return sorted(disputes, key=lambda dispute: (dispute.state != OPEN, dispute.student, dispute.exercise))


def write_dispute(course: Path, ps: str, student: str, exercise: str, state: str, text: str) -> None:
    """Add what a student or staff said; `state` is OPEN for the student's words and ANSWERED for the answer.

    Raises:
        UserError: see `check_dispute`, or the file is damaged.
    """
    check_dispute(course, ps, student, exercise, state)
    content = read_decisions(course / FILE)
    words = content.setdefault(ps, {}).setdefault(student, {}).setdefault(exercise, [])
    words.append([state, datetime.now(UTC).isoformat(timespec="minutes"), text])
    write_decisions(course / FILE, content)


def check_dispute(course: Path, ps: str, student: str, exercise: str, state: str) -> None:
    """Raise UserError if a dispute would be opened while it is open, or answered while it is not."""
    known = [dispute.state for dispute in read_disputes(course, ps) if (dispute.student, dispute.exercise) == (student, exercise)]
    if state == OPEN and known == [OPEN]:
        raise UserError(f"the dispute of {student} about {exercise} is open already: answer it with --answer")
    if state == ANSWERED and known != [OPEN]:
        what = "is answered already" if known else "was never opened"
        raise UserError(f"the dispute of {student} about {exercise} {what}: open it with --open")


def _table(course: Path, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{course / FILE} cannot be read (a student's entry is not a table): correct it or remove it")
    return value


def _words(course: Path, value: Any) -> tuple[tuple[str, str, str], ...]:
    fits = isinstance(value, list) and value and all(
        isinstance(each, list) and len(each) == 3 and each[0] in (OPEN, ANSWERED) and all(isinstance(part, str) for part in each)
        for each in value
    )
    if not fits:
        why = "a dispute is not a list of [state, time, text]"
        raise UserError(f"{course / FILE} cannot be read ({why}): correct it or remove it")
    return tuple((state, when, text) for state, when, text in value)
