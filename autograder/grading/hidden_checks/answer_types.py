"""One rule for each expected type: how to read an answer from the sandbox.

A suite's TYPES table has the type of each function's answer. A value that fits becomes a plain Python value; a value
that does not fit is the student's wrong answer (`WrongType`), never an exception in a check.

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


def wrong_type(expected: str, value: Any) -> WrongType:
    """Return the error for an answer of another kind than the docstring promises."""
    return WrongType(expected, describe(value), kind_of(value))


class Handle:
    """Base class of handles on objects in the sandbox; the student fixture adds the access to them."""

    _id: int  # the object's number in the sandbox


def describe(value: Any) -> str:
    """Return a short text about an answer, for staff."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 120 else text[:117] + '...'}"


_NAMED_TYPES = (bool, int, float, complex, str, bytes, list, tuple, dict, set, np.generic)


def kind_of(value: Any) -> str:
    """Return the kind of an answer, in words: "a list", "None"; "an object" for a class that is not Python's or numpy's."""
    if value is None:
        return "None (from a branch that ends without a value?)"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and shape {value.shape}"
    name = type(value).__name__ if isinstance(value, _NAMED_TYPES) else "object"
    return f"a{'n' if name[0] in 'aeio' else ''} {name}"


def integer(value: Any) -> int:
    """Read a whole number: int or a numpy integer."""
    if isinstance(value, np.integer):
        return int(value)
    if type(value) is not int:
        raise wrong_type("an int", value)
    return value


def real(value: Any) -> float:
    """Read a number: float, int or a numpy number, as a float."""
    if isinstance(value, (np.floating, np.integer)) or type(value) in (float, int):
        return float(value)
    raise wrong_type("a float", value)


def boolean(value: Any) -> bool:
    """Read True or False, also numpy's, or 1 or 0."""
    if isinstance(value, (np.bool_, np.integer)):
        value = value.item()
    if type(value) is int and value in (0, 1):
        return bool(value)
    if type(value) is not bool:
        raise wrong_type("True or False", value)
    return value


def text(value: Any) -> str:
    """Read a string; its length is limited, because pytest explains line by line how two strings differ."""
    if type(value) is not str or len(value) > MOST_LETTERS:
        raise wrong_type("a str", value)
    return value


def node(value: Any) -> Any:
    """Read an object that stays in the sandbox."""
    if not isinstance(value, Handle):
        raise wrong_type("a node", value)
    return value


def anything(value: Any) -> Any:
    """Read any value; a check may only compare it with ==, with a value of the grader on the other side.

    An array would answer == with an array, and the check would end in an error of ours: arrays become lists. Arguments that
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
    """Return a reader for None or the type `inner`."""
    return lambda value: None if value is None else inner(value)


def pair(first: Type, second: Type) -> Type:
    """Return a reader for two items in a tuple, a list or an array."""
    return tupleof(first, second)


def tupleof(*inner: Type) -> Type:
    """Return a reader for a tuple, a list or an array with one item for each type."""

    def read(value: Any) -> tuple[Any, ...]:
        value = list(value) if isinstance(value, np.ndarray) and value.ndim == 1 else value
        if type(value) not in (tuple, list) or len(value) != len(inner):
            raise wrong_type(f"a tuple of {len(inner)}", value)
        return tuple(reader(item) for reader, item in zip(inner, value, strict=True))

    return read


def listof(inner: Type) -> Type:
    """Return a reader for a list, a tuple, or a one-dimensional array."""

    def read(value: Any) -> list[Any]:
        if isinstance(value, np.ndarray) and value.ndim == 1:
            value = list(value)
        if type(value) not in (list, tuple):
            raise wrong_type("a list", value)
        return [inner(item) for item in value]

    return read


def array(kind: str = "f", shape: tuple[int | None, ...] | None = None) -> Type:
    """Return a reader for an array, nested lists of numbers, or a former tensor, as an array of numpy.

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
            array = np.asarray(value)
        except ValueError:  # lists of different lengths
            raise wrong_type(promised, value) from None
        sides = array.shape if shape is None else shape
        fits = len(sides) == array.ndim and all(side in (None, size) for side, size in zip(sides, array.shape, strict=False))
        if not fits or (array.dtype.kind not in accepted and array.size):
            raise wrong_type(promised, array)
        return array.astype(wanted)

    return read


def _sides(shape: tuple[int | None, ...]) -> str:
    """Return a shape in words: (n,) if its only side may have any length."""
    sides = ["n" if side is None else str(side) for side in shape]
    return f"({', '.join(sides)}{',' if len(sides) == 1 else ''})"


def mapping(key: Type, inner: Type) -> Type:
    """Return a reader for a dict."""

    def read(value: Any) -> dict[Any, Any]:
        if type(value) is not dict:
            raise wrong_type("a dict", value)
        return {key(name): inner(item) for name, item in value.items()}

    return read
