"""Known mistakes: where a wrong answer equals what a known mistake gives, the student reads the hint to that mistake.

    recognise(got, {"Whose visits stand under the logarithm?": value_with_the_child_s_visits})
    assert got == approx(right_value)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

TOLERANCE = 1e-9


class Recognised(AssertionError):
    """A wrong answer that a known mistake explains. `hint` is ours and may be shown to the student."""

    def __init__(self, hint: str, got: Any) -> None:
        super().__init__(f"recognised by its value {got!r}: {hint}")
        self.hint = hint


def recognise(got: Any, mistakes: Mapping[str, Any], *, tolerance: float = TOLERANCE) -> None:
    """Do nothing unless `got` is the value of a known mistake.

    Args:
        got: what came back, already read by the suite's TYPES: a number, a list of numbers, an array, or any value.
        mistakes: the hint to each mistake -> the grader's own value for it; none of them equals the right one.

    Raises:
        Recognised: with the hint to the first mistake whose value `got` is.
    """
    for hint, value in mistakes.items():
        if _same(got, value, tolerance):
            raise Recognised(hint, got)


def _same(got: Any, value: Any, tolerance: float) -> bool:
    one, other = _numbers(got), _numbers(value)
    if one is None or other is None:
        return type(got) is type(value) and bool(got == value)
    return one.shape == other.shape and bool(np.isclose(one, other, rtol=0.0, atol=tolerance).all())


def _numbers(value: Any) -> np.ndarray | None:
    """Return numbers as an array of floats; None for everything else."""
    try:
        found = np.asarray(value)
    except ValueError:  # lists of different lengths
        return None
    return found.astype(np.float64) if found.dtype.kind in "iuf" else None
