"""Shared by encoding and decoding: the caps of the protocol, the two kinds of value that only the protocol has, and its error."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

MAX_FRAME_BYTES = 8 * 2**20
MAX_DEPTH = 40
MAX_ITEMS = 400_000
MAX_INT_BYTES = 17  # 128 bits and a sign
MAX_COLLISIONS = 100  # keys of one dict that share a hash

# The order is part of the protocol: append only.
DTYPES = ("?", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
SPECIALS = ("function", "game", "callback", "rng", "answers", "in_turn", "watched", "tensor", "network",
            "implementation")


class ProtocolError(Exception):
    """Bytes that are not a value of the protocol, or a value that the protocol does not carry."""


@dataclass(unsafe_hash=True, slots=True)  # not frozen: a frozen one takes three times as long to make
class HandleId:
    """An object of the other side, by its number."""

    id: int


@dataclass(unsafe_hash=True, slots=True)
class Special:
    """A value that only the grader may send: `name` is one of SPECIALS."""

    name: str
    value: Any


@dataclass(slots=True)
class Plain:
    """A value that only the grader may send: the bytes of a container of plain values, made by `packed`."""

    data: bytes


_PLAIN = frozenset({type(None), bool, int, float, str})


def packed(value: Any) -> Plain | None:
    """Return a list, tuple or dict as bytes that Python reads in one call; None if anything in it is not exactly a plain value.

    The other side gets new objects for all of it, as for every value of the protocol: version 2 of the format shares nothing.
    """
    return Plain(marshal.dumps(value, 2)) if type(value) in (list, tuple, dict) and _is_plain(value) else None


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind is list or kind is tuple:
        return _are_plain(value)
    if kind is dict:
        return _are_plain(value) and _are_plain(value.values())
    return kind in _PLAIN


def _are_plain(values: Collection[Any]) -> bool:
    return _PLAIN.issuperset(map(type, values)) or all(map(_is_plain, values))


def state_digest(state: Iterable[Any]) -> int:
    """Return a digest of a random generator's state, the same on both sides of the sandbox."""
    parts = [part.tolist() if hasattr(part, "tolist") else part for part in state]
    return zlib.crc32(repr(parts).encode())
