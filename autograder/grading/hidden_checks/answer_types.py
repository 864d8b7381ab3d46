"""The one rule per expected type by which an answer from the sandbox is read.

A suite says in its TYPES table what each function answers. A value that fits comes out as a plain Python value;
one that does not is the student's wrong answer (`WrongType`), never an exception in a check.

    expected    accepted                                        refused
    integer     int, numpy integer                              bool, float (2.0 too), str, None
    real        float, int, numpy floating or integer           bool, str, None; nan stays nan and equals nothing
    boolean     bool, numpy bool, 0 and 1                       other numbers, None
    text        str                                             all else
    array       array, nested lists, tensor of that kind and    a number of another kind, another shape,
                shape, as an array of numpy                     ragged lists, str, None
    node        an object that stays in the sandbox             any value
    anything    any value or object; compare it with == only    -              (numpy's come as lists and plain numbers)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.sandbox.errors import WrongType

Type = Callable[[Any], Any]
MOST_LETTERS = 10_000
_PLAIN = frozenset({type(None), bool, int, float})
_KINDS: dict[str, tuple[type, str]] = {"f": (np.float64, "fiu"), "i": (np.int64, "iu"), "b": (np.bool_, "b")}


def wrong_type(expected: str, found: Any) -> WrongType:
    """Return the error of an answer that is of another kind than the docstring promises."""
    return WrongType(expected, describe(found), kind_of(found))


class Handle:
    """Base of what stands for an object in the sandbox; the student fixture gives it its manners."""

    _id: int  # the object's number over there


def describe(value: Any) -> str:
    """Return a short text about an answer, for staff."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 120 else text[:117] + '...'}"


_TOLD = (bool, int, float, complex, str, bytes, list, tuple, dict, set, np.generic)


def kind_of(value: Any) -> str:
    """Return what kind of thing an answer is, in words: "a list", "None"; "an object" for what is not Python's or numpy's."""
    if value is None:
        return "None, as when a branch does not return"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and shape {value.shape}"
    name = type(value).__name__ if isinstance(value, _TOLD) else "object"
    return f"a{'n' if name[0] in 'aeio' else ''} {name}"


def integer(value: Any) -> int:
    """A whole number: int or a numpy integer."""
    if isinstance(value, np.integer):
        return int(value)
    if type(value) is not int:
        raise wrong_type("an int", value)
    return value


def real(value: Any) -> float:
    """A number: float, int or a numpy number, as a float."""
    if isinstance(value, (np.floating, np.integer)) or type(value) in (float, int):
        return float(value)
    raise wrong_type("a float", value)


def boolean(value: Any) -> bool:
    """True or False, numpy's too, or 1 or 0."""
    if isinstance(value, (np.bool_, np.integer)):
        value = value.item()
    if type(value) is int and value in (0, 1):
        return bool(value)
    if type(value) is not bool:
        raise wrong_type("True or False", value)
    return value


def text(value: Any) -> str:
    """A string, no longer than any that a check asks for: pytest explains how two strings differ, line by line."""
    if type(value) is not str or len(value) > MOST_LETTERS:
        raise wrong_type("a str", value)
    return value


def node(value: Any) -> Any:
    """An object that stays in the sandbox."""
    if not isinstance(value, Handle):
        raise wrong_type("a node", value)
    return value


def anything(value: Any) -> Any:
    """Whatever came: it is only ever compared with ==, by the grader's own values.

    An array would answer == with an array, and a check would end in an error of ours: it comes as a list. Arguments that
    student code passes to a check's own functions are read by this rule too.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is str:
        return text(value)
    if kind is list or kind is tuple:
        return kind(map(anything, value))
    if kind is dict:
        return {key: anything(item) for key, item in value.items()}
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def optional(inner: Type) -> Type:
    """None, or what `inner` reads."""
    return lambda value: None if value is None else inner(value)


def pair(first: Type, second: Type) -> Type:
    """Two items in a tuple, a list or an array."""
    return tupleof(first, second)


def tupleof(*inner: Type) -> Type:
    """A tuple, a list or an array with one item for each type."""

    def read(value: Any) -> tuple[Any, ...]:
        value = list(value) if isinstance(value, np.ndarray) and value.ndim == 1 else value
        if type(value) not in (tuple, list) or len(value) != len(inner):
            raise wrong_type(f"a tuple of {len(inner)}", value)
        return tuple(one(item) for one, item in zip(inner, value, strict=True))

    return read


def listof(inner: Type) -> Type:
    """A list, a tuple, or a one-dimensional array."""

    def read(value: Any) -> list[Any]:
        if isinstance(value, np.ndarray) and value.ndim == 1:
            value = list(value)
        if type(value) not in (list, tuple):
            raise wrong_type("a list", value)
        return [inner(item) for item in value]

    return read


def array(kind: str = "f", shape: tuple[int | None, ...] | None = None) -> Type:
    """An array, nested lists of numbers, or what was a tensor, as an array of numpy.

    Args:
        kind: "f" for float64 (whole numbers too), "i" for int64, "b" for bool; a bool is never a number.
        shape: the length of every side, None for any; without it any shape.
    """
    wanted, accepted = _KINDS[kind]
    promised = f"an array of {wanted.__name__}" + (f" and shape {_sides(shape)}" if shape else "")

    def read(value: Any) -> np.ndarray:
        if type(value) not in (list, tuple, np.ndarray):
            raise wrong_type(promised, value)
        try:
            found = np.asarray(value)
        except ValueError:  # lists of different lengths
            raise wrong_type(promised, value) from None
        sides = found.shape if shape is None else shape
        fits = len(sides) == found.ndim and all(side in (None, size) for side, size in zip(sides, found.shape, strict=False))
        if not fits or (found.dtype.kind not in accepted and found.size):
            raise wrong_type(promised, found)
        return found.astype(wanted)

    return read


def _sides(shape: tuple[int | None, ...]) -> str:
    """Return a shape in words: (n,) where its only side may have any length."""
    sides = ["n" if side is None else str(side) for side in shape]
    return f"({', '.join(sides)}{',' if len(sides) == 1 else ''})"


def mapping(key: Type, inner: Type) -> Type:
    """A dict."""

    def read(value: Any) -> dict[Any, Any]:
        if type(value) is not dict:
            raise wrong_type("a dict", value)
        return {key(name): inner(item) for name, item in value.items()}

    return read
