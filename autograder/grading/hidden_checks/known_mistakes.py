"""Known mistakes: if a wrong answer equals the result of a known mistake, the student reads the hint for this mistake.

    recognise(got, {"Whose visits are under the logarithm?": value_with_the_child_s_visits})
    assert got == approx(right_value)

    ask("who is to move after a pass?")  # a check with several properties: each assertion has its own question
    assert after.player == 1

To recognise is not to judge: only the assertion fails a check. If a mistake gives the right value in a drawn case, a right
answer loses nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

TOLERANCE = 1e-9
_asked: list[str] = []  # the latest question of `ask` in this check, if there is one
_suspected: dict[int, str] = {}  # line of the call in the check -> hint; the newest is last


def recognise(got: Any, mistakes: Mapping[str, Any], *, tolerance: float = TOLERANCE) -> None:
    """Remember the hint for the mistake that gives the value `got`; the student reads it only if the check fails.

    Args:
        got: the answer, already read by the suite's TYPES: a number, a list of numbers, an array, or any value.
        mistakes: hint -> the grader's own value for this mistake; the first that fits counts.

    In a loop the last round counts: a mistake must explain every value.
    """
    place = sys._getframe(1).f_lineno
    _suspected.pop(place, None)
    for hint, value in mistakes.items():
        if _same(got, value, tolerance):
            _suspected[place] = hint
            return


def forget() -> None:
    """Clear all hints: a new check begins."""
    _suspected.clear()
    _asked.clear()


def suspected() -> str | None:
    """Return the hint for the latest recognised mistake, if there is one."""
    return list(_suspected.values())[-1] if _suspected else None


def ask(question: str) -> None:
    """Let the assertions from here on have this question, in place of the check's own hint."""
    _asked[:] = [question]


def question_after(error: BaseException | None, question: str | None) -> str | None:
    """Return the question of a check that `error` ended: for a recognised mistake, else from `ask`, else the check's own hint."""
    if not isinstance(error, AssertionError):
        return question
    return suspected() or next(iter(_asked), question)


def _same(got: Any, value: Any, tolerance: float) -> bool:
    actual, mistaken = _numbers(got), _numbers(value)
    if actual is None or mistaken is None:
        return type(got) is type(value) and bool(np.array_equal(got, value) if isinstance(got, np.ndarray) else got == value)
    return actual.shape == mistaken.shape and bool(np.isclose(actual, mistaken, rtol=0.0, atol=tolerance).all())


def _numbers(value: Any) -> np.ndarray | None:
    """Return numbers as an array of floats; None for everything else."""
    try:
        array = np.asarray(value)
    except ValueError:  # lists of different lengths
        return None
    return array.astype(np.float64) if array.dtype.kind in "iuf" else None
