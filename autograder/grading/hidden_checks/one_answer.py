"""An answer that can be guessed: it is remembered, so that a course can limit the number of guesses.

    guess = name, kind = student.first_wrong_node()
    remember(EDITION, f"{name}: {kind}")
    assert guess == right

The engine judges every answer; it knows no student and no earlier submission. The course knows both, and counts different
answers (gradebook/policy/judged_answers.py).
"""

from __future__ import annotations

Given = tuple[str, str]  # the edition of the question, and the answer in words of ours
_given: list[Given] = []


def remember(edition: str, answer: str) -> None:
    """Remember the answer of this check. Only possible answers are worth it: another one tells its author nothing."""
    _given[:] = [(edition, answer)]


def taken() -> Given | None:
    """Return the answer of the check that has just ended, if there is one, and forget it."""
    return _given.pop() if _given else None
