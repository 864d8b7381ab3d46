"""What a hidden check expected and what came: the assertion that failed, both sides of it, and the values in it."""

from __future__ import annotations

import ast
import operator
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numpy as np
import pytest
from _pytest.assertion import util

from autograder.course.shown_calls import Attempt, Trace
from autograder.course.shown_values import BOARD_GAMES, is_position, plainly, position
from autograder.grading.hidden_checks.collect import HIDDEN
from autograder.grading.hidden_checks.student_proxy import Student

MOST_LETTERS = 1_200  # of one value
MOST_BESIDE = 400  # of a value beside which its first difference is named
ASSERT = "\nassert "  # between a message and pytest's explanation
_HOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}  # fmt: skip
_WORDS = {"==": "", "in": "one of ", "not in": "none of ", "is": "", "is not": "not ", "!=": "not "}


@contextmanager
def sides_kept(trace: Trace) -> Iterator[None]:
    """Let pytest give the two sides of each comparison in a failed assertion to `trace`, whole and not as cut text."""
    before, util._reprcompare = util._reprcompare, trace.compare
    try:
        yield
    finally:
        util._reprcompare = before


@dataclass(frozen=True)
class _Place:
    """The assertion, the loops around it, the function's own frame, and the lines of source of the assertion."""

    statement: ast.Assert
    loops: tuple[ast.For, ...]
    source: str
    frame: FrameType


def assertion_lines(attempt: Attempt) -> list[str]:
    """Return the lines on the failed assertion of an attempt, and mark the failing call; none if an exception ended the check."""
    if not isinstance(attempt.error, AssertionError) or not (places := _places(attempt.error)):
        attempt.mark(None, 0)
        return []
    place = places[-1]
    broken = _broken(attempt)
    lines = ["The check asserts:", *(f"    {line}" for line in place.source.splitlines())]
    _mark(attempt, places, broken)
    if broken:
        lines += _sides(place.statement, broken)
    if place.statement.msg is not None and attempt.error.args:
        lines.append(f"  it says:  {str(attempt.error.args[0]).partition(ASSERT)[0]}")
    values = _in_words({name: value for each in places for name, value in _values(each).items()})
    known = [shown(side) for side in broken[1:]] if broken else []
    return lines + [f"  {name} = {value}" for name, value in values.items() if value not in known]


def _in_words(values: dict[str, Any]) -> dict[str, str]:
    """Return the values of names in words; a board game among them draws its states."""
    game = next((value for value in values.values() if isinstance(value, BOARD_GAMES)), None)
    return {name: position(game, value) if is_position(game, value) else shown(value) for name, value in values.items()}


def _mark(attempt: Attempt, places: list[_Place], broken: tuple[str, Any, Any] | None) -> None:
    """Mark the failing call: by the first difference of two lists, or by a loop over calls, whose arguments are a tuple."""
    at, of = _first_difference(broken)[1:] if broken else (None, 0)
    tuples = (value for place in places for value in _values(place).values() if type(value) is tuple)
    by_loop = next((number for value in tuples if (number := attempt.place_of(value)) is not None), None)
    attempt.mark(*(by_loop, len(attempt.many)) if at is None and by_loop is not None else (at, of))


def _sides(statement: ast.Assert, broken: tuple[str, Any, Any]) -> list[str]:
    symbol, left, right = broken
    if (comprehension := _refused_items(statement)) is not None and isinstance(left, list):
        item, rule = comprehension
        return [f"  expected: for every {item}: {rule}", f"  came:     not so for {len(left)}: {shown(left)}"]
    if _is_expected(statement, symbol):
        symbol, left, right = _TURNED.get(symbol, symbol), right, left
    words = _first_difference((symbol, left, right))[0]
    most = MOST_BESIDE if words else MOST_LETTERS
    wanted = f"{_WORDS.get(symbol, symbol + ' ')}{shown(right, most)}"
    return [f"  expected: {wanted}", f"  came:     {shown(left, most)}", *([f"  first difference: {words}"] if words else [])]


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _is_expected(statement: ast.Assert, symbol: str) -> bool:
    """Say whether the left side is what the check expects: a number, as in 3 <= count."""
    test = statement.test
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Constant) and symbol in {*_TURNED, "=="}


def _refused_items(statement: ast.Assert) -> tuple[str, str] | None:
    """Return (item, rule) of an assertion of the form `[item for item in items if not rule] == []`."""
    test = statement.test
    if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.ListComp) and ast.unparse(test.comparators[0]) == "[]"):
        return None
    if len(conditions := test.left.generators[-1].ifs) != 1:
        return None
    (only,) = conditions
    return ast.unparse(test.left.elt), ast.unparse(_opposite(only))


def _opposite(condition: ast.expr) -> ast.expr:
    """Return the condition that holds just where this one does not."""
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return condition.operand
    if isinstance(condition, ast.Compare) and len(condition.ops) == 1 and type(condition.ops[0]) in _OPPOSITES:
        return ast.Compare(condition.left, [_OPPOSITES[type(condition.ops[0])]()], condition.comparators)
    if isinstance(condition, ast.BoolOp):
        other = ast.And() if isinstance(condition.op, ast.Or) else ast.Or()
        return ast.BoolOp(other, [_opposite(value) for value in condition.values])
    return ast.UnaryOp(ast.Not(), condition)


_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Lt: ast.GtE, ast.GtE: ast.Lt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def _broken(attempt: Attempt) -> tuple[str, Any, Any] | None:
    """Return the comparison that does not hold, of those in the failed assertion; None if it compared nothing."""
    return next((pair for pair in reversed(attempt.compared) if not _holds(*pair)), None)


def _holds(symbol: str, left: Any, right: Any) -> bool:
    try:
        return bool(np.all(_HOLDS[symbol](left, right)))
    except (TypeError, ValueError, KeyError):
        return False


def _first_difference(broken: tuple[str, Any, Any]) -> tuple[str, int | None, int]:
    """Return where two lists, dicts or arrays begin to differ: in words, its place in a list, and the length of the list."""
    symbol, left, right = broken
    wanted = right.expected if isinstance(right, pytest.Approx) else right
    if symbol != "==":
        return "", None, 0
    if isinstance(left, dict) and isinstance(wanted, dict):
        both = left.keys() & wanted.keys()
        keys = (key for key in {**wanted, **left} if key not in both or not _near(left[key], wanted[key], right))
        return next((_dict_words(key, left, wanted) for key in keys), ""), None, 0
    if not all(isinstance(side, (list, tuple)) for side in (left, wanted)):
        return _array_words(left, wanted, right), None, 0
    if len(left) != len(wanted):
        return f"{len(wanted)} items expected, {len(left)} came", None, 0
    places = [place for place, (item, other) in enumerate(zip(left, wanted, strict=True)) if not _near(item, other, right)]
    if not places:
        return "", None, 0
    at = places[0]
    return f"item {at} of {len(left)} (from 0): expected {shown(wanted[at])}, came {shown(left[at])}", at, len(left)


def _dict_words(key: Any, left: dict[Any, Any], wanted: dict[Any, Any]) -> str:
    expected, came = (shown(side[key]) if key in side else "nothing" for side in (wanted, left))
    return f"at {shown(key)}: expected {expected}, came {came}"


def _array_words(left: Any, wanted: Any, right: Any) -> str:
    if not isinstance(left, np.ndarray) or not isinstance(wanted, np.ndarray) or left.ndim == 0:
        return ""
    if left.shape != wanted.shape:
        return f"shape {wanted.shape} expected, {left.shape} came"
    for place in np.ndindex(left.shape):
        if not _near(left[place], wanted[place], right):
            return f"at {place}: expected {shown(wanted[place])}, came {shown(left[place])}"
    return ""


def _near(item: Any, other: Any, right: Any) -> bool:
    """Compare two items as the whole was compared: with the tolerance of an approx, or exactly."""
    if isinstance(right, pytest.Approx):
        return _holds("==", item, right._approx_scalar(other)) if not isinstance(other, (list, dict, tuple)) else False
    return _holds("==", item, other)


def _places(error: AssertionError) -> list[_Place]:
    """Return the failed assertion, and the calls of helpers that led to it, all within the hidden checks."""
    places = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(HIDDEN) and (place := _place(path, line, frame)) is not None:
            places.append(place)
    return places


def _place(path: Path, line: int, frame: FrameType) -> _Place | None:
    tree, source = _parsed(path)
    around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)]
    loops = tuple(node for node in around if isinstance(node, ast.For) and node.target.lineno != line)
    statement = next((node for node in around if isinstance(node, ast.Assert)), None)
    if statement is None:
        return None
    return _Place(statement, loops, ast.get_source_segment(source, statement) or ast.unparse(statement), frame)


@cache
def _parsed(path: Path) -> tuple[ast.Module, str]:
    source = path.read_text(encoding="utf-8")
    return ast.parse(source), source


def _values(place: _Place) -> dict[str, Any]:
    """Return the values of the names in an assertion, and of the loops around it."""
    names = [node.id for loop in place.loops for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
    names += [node.id for node in ast.walk(place.statement) if isinstance(node, ast.Name)]
    known = {name: place.frame.f_locals[name] for name in dict.fromkeys(names) if name in place.frame.f_locals}
    return {name: value for name, value in known.items() if not isinstance(value, (ModuleType, Student)) and not callable(value)}


def shown(value: Any, most: int = MOST_LETTERS) -> str:
    """Return a value of a check in words; of a long one the first `most` characters."""
    words = f"about {plainly(value.expected)}" if isinstance(value, pytest.Approx) else plainly(value)
    return words if len(words) <= most else f"{words[:most]}... ({len(words)} characters)"
