"""Inputs for fuzzing the protocol's decoder: an examination that it must pass, and frames changed value by value.

A frame with random byte changes is nearly always refused at its first count. So the values in it are found first, and then
values, counts, tags and depths are changed while the other bytes stay the same.
"""

from __future__ import annotations

import math
import random
import struct
import tracemalloc
from collections.abc import Sequence

import numpy  # the decoder imports it at the first array; this is not a cost of an input

from autograder.sandbox import codec

# The promise of the decoder, measured at its worst (a list of truth values, each an array without sides, takes 54 bytes
# for each byte): this much memory for each byte of a frame, plus the memory of an error with 40 levels of calls.
MEMORY_PER_BYTE, MEMORY_OF_AN_ERROR = 64, 128 * 2**10


def examine(data: bytes, *, weigh: bool = True) -> bool:
    """Decode bytes as the grader does; return whether they were a value.

    Args:
        weigh: measure its memory, which costs ten times the decoding.

    Raises:
        AssertionError: more memory than promised, or a value that does not travel back as it came.
        anything but ProtocolError: a fault of the decoder.
    """
    if weigh:
        _weigh(data)
    try:
        codec.frame_size(data[:4].ljust(4, b"\0"))
    except codec.ProtocolError:
        pass
    try:
        value = codec.decode(data, codec.HandleId)
    except codec.ProtocolError:
        return False
    again = codec.encode(value)
    assert codec.encode(codec.decode(again, codec.HandleId)) == again, "a value that changes when it travels back"
    return True


def _weigh(data: bytes) -> None:
    tracemalloc.start()
    try:
        codec.decode(data, codec.HandleId)
    except codec.ProtocolError:
        pass
    finally:
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert taken <= MEMORY_PER_BYTE * len(data) + MEMORY_OF_AN_ERROR, f"{taken} bytes of memory for {len(data)} bytes"


Span = tuple[int, int]  # where a value begins in a frame, and where it ends


def spans(data: bytes) -> list[Span]:
    """Return the place of every value in a frame, outer ones after inner ones, as far as the frame makes sense."""
    all_spans: list[Span] = []
    try:
        _walk(data, 0, all_spans)
    except (IndexError, struct.error, RecursionError):
        pass
    return all_spans


def _walk(data: bytes, start: int, all_spans: list[Span]) -> int:
    """Note the value that begins at `start` and the values in it; return where it ends."""
    tag, at = data[start], start + 1
    if tag in _FIXED:
        at += _FIXED[tag]
    elif tag in b"ltd":
        number = _U32(data, at)[0] * (2 if tag in b"d" else 1)
        at += 4
        for _ in range(number):
            at = _walk(data, at, all_spans)
    elif tag in b"s":
        at += 4 + _U32(data, at)[0]
    elif tag in b"a":
        sides = data[at + 1]
        at += 2 + 4 * sides + _SIZES[data[at]] * math.prod(struct.unpack_from(f"<{sides}I", data, at + 2))
    elif tag in b"g":
        at += 1 + _SIZES[data[at]]
    elif tag in b"i":
        at += 1 + data[at]
    else:
        at = _walk(data, at + 1, all_spans)  # a request, and a tag that is none
    if at > len(data):
        raise IndexError
    all_spans.append((start, at))
    return at


_U32 = struct.Struct("<I").unpack_from
_FIXED = {ord("N"): 0, ord("T"): 0, ord("F"): 0, ord("j"): 8, ord("f"): 8, ord("h"): 4}
_SIZES = [numpy.dtype(name).itemsize for name in codec.DTYPES]
ODD_COUNTS = (0, 1, 2, 100, 255, 2**16, codec.MAX_ITEMS, codec.MAX_ITEMS + 1, 2**23, 2**31 - 1, 2**31, 2**32 - 1)
_PLAIN = (
    None, True, False, 0, -1, 2**63, -(2**63), 2**64, -(2**64) - 1, 2**127, -(2**127), 0.0, -0.0, float("nan"), float("inf"),
    "", "\0", "é\U0001f600", [], (), {}, {0: None}, {"": 0}, {(): 0}, {(-1, -2): 0, (-2, -1): 0}, {True: 0, 2: 1}, [[[[]]]],
    codec.HandleId(0), codec.HandleId(2**32 - 1), codec.Special("callback", 0),
)
_SHAPES = ((), (0,), (2,), (1, 0, 3), (1,) * 8)
_BROKEN = (b"a\0\x09", b"a\x0c\0", b"g\xff", b"i\x12" + bytes(18), b"s\2\0\0\0\xc3\x28", b"f" + b"\xff" * 8, b"p\xffN", b"z")
ODD_VALUES = (
    *map(codec.encode, _PLAIN), *_BROKEN, *(codec.encode(numpy.dtype(name).type(1)) for name in codec.DTYPES),
    *(codec.encode(numpy.zeros(shape, name)) for name in codec.DTYPES for shape in _SHAPES),
)
TAGS = [bytes((tag,)) for tag in b"NTFjifsltdaghp"]


def mutated(data: bytes, rng: random.Random, others: Sequence[bytes] = ODD_VALUES) -> bytes:
    """Return a frame with one or two of its values or counts changed; the rest of its structure stays whole."""
    for _ in range(rng.choice((1, 1, 2))):
        known = spans(data)
        if not known:
            return data + rng.choice(others)
        start, end = rng.choice(known)
        before, value, after = data[:start], data[start:end], data[end:]
        change = rng.random()
        if change < 0.3:
            value = rng.choice(others)
        elif change < 0.45:  # one from another place in the frame
            first, last = rng.choice(known)
            value = data[first:last]
        elif change < 0.6 and len(value) >= 5:  # another count, in the four bytes behind the tag
            old = _U32(value, 1)[0]
            value = value[:1] + struct.pack("<I", rng.choice((*ODD_COUNTS, (old + 1) % 2**32, (old - 1) % 2**32))) + value[5:]
        elif change < 0.7:
            value = rng.choice(TAGS) + value[1:]
        elif change < 0.8:
            value = _deeper(value, rng)
        elif change < 0.9:
            value = _many(value, rng)
        else:
            value, after = b"", after if change < 0.95 else b""
        data = before + value + after
    return data


def _deeper(value: bytes, rng: random.Random) -> bytes:
    """Return a value in lists, in tuples, or as an item of a dict."""
    around = rng.choice((b"l\1\0\0\0", b"t\1\0\0\0", b"d\1\0\0\0T"))
    return around * rng.choice((1, 1, 2, codec.MAX_DEPTH - 1, codec.MAX_DEPTH, codec.MAX_DEPTH + 1)) + value


def _many(value: bytes, rng: random.Random) -> bytes:
    """Return a list or tuple with this many copies of a value, or a dict with keys of one hash."""
    times = rng.choice((2, 3, 7, codec.MAX_COLLISIONS + 5))
    number = struct.pack("<I", times)
    if rng.random() < 0.7:
        return rng.choice((b"l", b"t")) + number + value * times
    return b"d" + number + rng.choice((b"t\0\0\0\0N", b"t\1\0\0\0TN", value + b"N")) * times
