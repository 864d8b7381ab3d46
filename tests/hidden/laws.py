"""Laws that hold for every function of the course. Each suite tests its own functions with them.

    agrees            the value is ours, on many random inputs
    same_again        the same call gives the same answer, after any other calls and in any order
    leaves_arguments  lists, dicts and arrays that were passed do not change
    follows_its_rng   the same seed gives the same, another seed another, and no other generator is used

A law knows only values. In a check a question above the law says what the law means for the function there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

TOLERANCE = 1e-6  # statistics that are kept in float32 are right


def near(value: Any) -> Any:
    """An object that equals a number, or a list, dict or array of numbers, up to the precision that the course asks for."""
    return _exact_first(type(pytest.approx(value)))(value, rel=TOLERANCE, abs=TOLERANCE, nan_ok=False)


@cache
def _exact_first(kind: type) -> type:
    """The same comparison, but what is exactly equal is not compared number by number, which takes a hundred times as long."""

    def equal(self: Any, other: Any) -> bool:
        exact = type(other) is type(self.expected) and type(other) in (dict, list, float) and other == self.expected
        return exact or kind.__eq__(self, other)

    return type(kind.__name__, (kind,), {"__eq__": equal})


def agrees(student: Any, name: str, calls: Sequence[tuple], right: Callable[..., Any]) -> None:
    """Every call gives the result of `right`, up to the precision of the course; all calls travel in one message."""
    answers = student.many(name, list(calls))
    for call, answer in zip(calls, answers, strict=True):
        expected = right(*call)
        assert answer == (near(expected) if _has_floats(expected) else expected)


def same_again(student: Any, name: str, calls: Sequence[tuple]) -> None:
    """The same calls in the opposite order give the same answers: the function keeps nothing between two calls."""
    forwards = student.many(name, list(calls))
    backwards = student.many(name, list(reversed(calls)))
    for forward, backward in zip(forwards, reversed(backwards), strict=True):
        assert _equal(forward, backward), f"the same call gave {forward} first and {backward} later"


def leaves_arguments(student: Any, name: str, calls: Sequence[tuple]) -> None:
    """Every argument that can be changed is the same afterwards as before."""
    for call in calls:
        kept = [student.keep(value) if _can_change(value) else value for value in call]
        before = [student.read(argument) for argument, value in zip(kept, call) if _can_change(value)]
        getattr(student, name)(*kept)
        assert [student.read(argument) for argument, value in zip(kept, call) if _can_change(value)] == before


def follows_its_rng(student: Any, name: str, call: Callable[[Any], tuple], edition: Random, number: int = 12) -> None:
    """`call(rng)` makes the arguments: with one seed the same answers twice, with three seeds not all the same."""

    def answers(seed: int) -> list[Any]:
        rng = student.rng(seed)
        return student.many(name, [call(rng) for _ in range(number)])

    seed = edition.getrandbits(30)
    before = student.disturb(edition.getrandbits(30))
    first = answers(seed)
    assert student.global_state() == before  # no other generator was used
    student.disturb(edition.getrandbits(30))
    assert answers(seed) == first
    assert not first == answers(seed + 1) == answers(seed + 2), "three seeds must not all give the same answers"


def _can_change(value: Any) -> bool:
    return isinstance(value, (list, dict, np.ndarray))


def _has_floats(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_floats, value))
    if isinstance(value, dict):
        return any(map(_has_floats, value.values()))
    return isinstance(value, (float, np.floating, np.ndarray))


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.array_equal(first, second)
    return bool(first == second)
