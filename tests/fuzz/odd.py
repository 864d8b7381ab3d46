"""Odd values: every type that the protocol carries, near misses of a given value, and values with a part replaced.

Used on both sides of the sandbox: `lies` puts this text into submissions, where `codec` is beside the worker.
"""

from random import Random
from typing import Any

import numpy as np

try:
    import codec
except ImportError:
    from autograder.sandbox import codec

INTS = (0, 1, -1, 2, 3, 7, 8, 9, 41, 42, -7, 255, 10**6, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**64, 2**90, -(2**127))
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-9, 0.7313, 2.0, 1e308, -1e308, 1.7e308, 5e-324, float("nan"), float("inf"), float("-inf"))
TEXTS = (
    "", "x", "state 0", "state 1", "s0", "a", "start", "play", "nan", "0", "None", "\0", "\u202e\x1b[2J\x9b", "é" * 100,
    "ValueError", "<b>", "{}", "%s" * 9, "\ud800", "a\n" * 500, "y" * 9_999, "z" * 10_001, "w" * 200_000, "-" * 1_400, "(" * 300,
)  # fmt: skip
SHAPES = ((), (0,), (1,), (2,), (3,), (7,), (9,), (2, 2), (1, 7), (3, 3), (0, 7), (7, 0), (6, 7), (2, 6, 7), (1,) * 8)
CONTAINERS = (tuple, list)


def odd_value(rng: Random, depth: int = 0) -> Any:
    """Return any value of the protocol, plain or deep, small or large."""
    kind = rng.choice("0bifssaaaggh" + ("" if depth > 3 else "ltdlt") + ("" if depth else "DLLZ"))
    if kind in "0b":
        return rng.choice((None, True, False))
    if kind == "i":
        return rng.choice(INTS)
    if kind == "f":
        return rng.choice(FLOATS)
    if kind == "s":
        return rng.choice(TEXTS)
    if kind in "ag":
        return odd_array(rng, () if kind == "g" else rng.choice(SHAPES), scalar=kind == "g")
    if kind == "h":
        return codec.HandleId(rng.choice((0, 1, 2, 3, 9, 10**6, 2**31, 2**32 - 1)))
    if kind in "lt":
        items = [odd_value(rng, depth + 1) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 5)))]
        return tuple(items) if kind == "t" else items
    if kind == "d":
        return {odd_key(rng): odd_value(rng, depth + 1) for _ in range(rng.choice((0, 1, 2, 7)))}
    if kind == "D":
        return nested(rng.choice((20, 37, 39, 60)), rng.choice((None, 1.0, "x")))
    if kind == "L":
        return [rng.choice((0, 1.0, None, "", (), [], {}, True))] * rng.choice((50, 1_000, 20_000))
    return {number: odd_value(rng, 3) for number in range(rng.choice((100, 3_000)))}


def odd_key(rng: Random) -> Any:
    """Return a key that a dict of the protocol may have, or nearly."""
    return rng.choice((rng.choice(INTS[:17]), rng.choice(TEXTS[:12]), (1, "a"), (), ((0,), 1), True, (2**61 - 1,)))


def odd_array(rng: Random, shape: tuple, scalar: bool = False) -> Any:
    """Return an array, or with `scalar` a number of numpy, of any type that travels."""
    dtype = np.dtype(rng.choice(codec.DTYPES))
    numbers = FLOATS if dtype.kind == "f" else (0, 1, 2, 7, 100)
    with np.errstate(all="ignore"):
        array = np.full(shape, rng.choice(numbers)).astype(dtype)
    return array[()] if scalar else array


def nested(depth: int, value: Any) -> Any:
    """Return a list in a list in a list, this many times."""
    for _ in range(depth):
        value = [value]
    return value


def as_array(rng: Random, value: Any) -> Any:
    """Return an array with the contents of a plain value: equal to the value in a comparison, but not usable in an `if`."""
    if isinstance(value, (bool, int, float)) and not (isinstance(value, int) and abs(value) >= 2**63):
        array = np.array(value)
    elif isinstance(value, (list, tuple)) and value and all(isinstance(item, (bool, int, float)) for item in value):
        array = np.array([float(item) for item in value])
    else:
        array = odd_array(rng, rng.choice(SHAPES))
    array = array if array.dtype.str in codec.DTYPES or array.dtype == bool else array.astype("<f8")
    with np.errstate(all="ignore"):
        return rng.choice((array, array.reshape((1, *array.shape)), np.array([array, array]), array.astype("<f4")))


def near(rng: Random, value: Any) -> Any:
    """Return another value of the same type, if there is one."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value or 5, 2 * value or 3, value + 2**40))
    if isinstance(value, float):
        return rng.choice((value + 0.25, -value or 1.0, 0.5 * value or -1.0, value + 1e-3, float("nan"), float("inf"), 1e308))
    if isinstance(value, str):
        return rng.choice((value + "x", value[:-1] if value else "x", "state 1" if value != "state 1" else "state 0"))
    if isinstance(value, codec.HandleId):
        return codec.HandleId((value.id + rng.choice((-1, 1, 1))) % 2**32)
    if isinstance(value, np.ndarray):
        return near_array(rng, value)
    if isinstance(value, dict):
        return near_dict(rng, value)
    return near_list(rng, value) if isinstance(value, CONTAINERS) else 0.5


def near_array(rng: Random, value: Any) -> Any:
    """Return an array of the same type: other numbers, reversed, longer, shorter."""
    if not value.size or value.dtype == bool:
        return ~value if value.size else np.zeros((*value.shape[:-1], 1), value.dtype)
    moved = value + value.dtype.type(1)
    return rng.choice((moved, np.concatenate([moved.ravel(), moved.ravel()]), moved.ravel()[:-1], moved.T, moved[None]))


def near_dict(rng: Random, value: dict) -> dict:
    """Return a dict with a value changed, one item less or one item more."""
    other, keys = dict(value), list(value)
    how = rng.randrange(3) if keys else 2
    if how == 0:
        key = rng.choice(keys)
        other[key] = near(rng, other[key])
    elif how == 1:
        del other[rng.choice(keys)]
    else:
        other[rng.choice((99, "state 99"))] = rng.choice(list(value.values())) if value else 0.5
    return other


def near_list(rng: Random, value: Any) -> Any:
    """Return a list or tuple with an item changed, the items reversed, one item less, one twice, or none at all."""
    items = list(value)
    if not items:
        return type(value)([rng.choice((0, 0.5, (0, 0.5)))])
    place = rng.randrange(len(items))
    choices = [
        [*items[:place], near(rng, items[place]), *items[place + 1 :]],
        [near(rng, item) for item in items],
        [*items[:place], *items[place + 1 :]],
        [*items, items[place]],
        [],
    ]
    return type(value)(rng.choice(choices))


def spoilt(rng: Random, value: Any, change: Any) -> Any:
    """Return `value` with one part of it, or all of it, replaced by `change(rng, part)`."""
    if rng.random() < 0.25 or not isinstance(value, (*CONTAINERS, dict)) or not value:
        return change(rng, value)
    if isinstance(value, dict):
        chosen = rng.choice(list(value))
        return {key: spoilt(rng, item, change) if key == chosen else item for key, item in value.items()}
    place = rng.randrange(len(value))
    return type(value)([*value[:place], spoilt(rng, value[place], change), *value[place + 1 :]])
