"""From a value to its bytes."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable
from typing import Any

from .values import (
    DTYPES,
    MAX_DEPTH,
    MAX_FRAME_BYTES,
    MAX_INT_BYTES,
    MAX_ITEMS,
    SPECIALS,
    HandleId,
    Plain,
    ProtocolError,
    Special,
)

_U32 = struct.Struct("<I")
_TAGGED_U32 = struct.Struct("<cI").pack
_TAGGED_I64 = struct.Struct("<cq").pack
_TAGGED_F64 = struct.Struct("<cd").pack
_CONSTANTS = {None: b"N", True: b"T", False: b"F"}
_TAGGED_SPECIAL = {name: bytes((ord("p"), place)) for place, name in enumerate(SPECIALS)}


def encode(value: Any, to_handle: Callable[[Any], int] | None = None) -> bytes:
    """Return the bytes of `value`.

    Args:
        value: subclasses of int, float, str, tuple, list and dict travel as the plain value that they hold.
        to_handle: returns the number for an object that is not a value and stays on this side; without it, such an
            object is an error.

    Raises:
        ProtocolError: too deep (a list that contains itself), too many items, too large, or no value at all.
    """
    return bytes(_encoded(value, to_handle, 0))


def framed(value: Any, to_handle: Callable[[Any], int] | None = None) -> bytearray:
    """Return the bytes of `value` after their length, for a socket; see `encode`."""
    out = _encoded(value, to_handle, _U32.size)
    _U32.pack_into(out, 0, len(out) - _U32.size)
    return out


def _encoded(value: Any, to_handle: Callable[[Any], int] | None, room: int) -> bytearray:
    encoder = _Encoder(to_handle, room)
    encoder.put_all((value,), 1, 0)
    size = len(encoder.out) - room
    if size > MAX_FRAME_BYTES:
        raise ProtocolError(f"a value of {size} bytes; at most {MAX_FRAME_BYTES} travel")
    return encoder.out


class _Encoder:
    def __init__(self, to_handle: Callable[[Any], int] | None, room: int) -> None:
        self.out = bytearray(room)
        self.items = 0
        self.to_handle = to_handle

    def put_all(self, values: Iterable[Any], number: int, depth: int) -> None:
        """Write `number` values, one after another."""
        out = self.out
        self.items += number
        if (number and depth > MAX_DEPTH) or self.items > MAX_ITEMS:
            raise ProtocolError("the value is too deep or too large to travel")
        self.check_size()
        for value in values:
            kind = type(value)
            if kind is int:
                try:
                    out += _TAGGED_I64(b"j", value)
                except struct.error:
                    self.put_large_int(value)
            elif kind is float:
                out += _TAGGED_F64(b"f", value)
            elif kind is str:
                data = value.encode("utf-8", "replace")
                out += _TAGGED_U32(b"s", len(data))
                out += data
                if len(out) > MAX_FRAME_BYTES:
                    self.check_size()
            elif kind is bool or value is None:
                out += _CONSTANTS[value]
            elif kind is HandleId:
                out += _TAGGED_U32(b"h", value.id)
            elif kind is tuple or kind is list:
                out += _TAGGED_U32(b"t" if kind is tuple else b"l", len(value))
                self.put_all(value, len(value), depth + 1)
            elif kind is Special:
                out += _TAGGED_SPECIAL[value.name]
                self.put_all((value.value,), 1, depth + 1)
            elif kind is Plain:
                out += _TAGGED_U32(b"m", len(value.data))
                out += value.data
                self.check_size()
            elif kind is dict:
                self.put_dict(value, depth)
            else:
                self.put_other(value, depth)

    def check_size(self) -> None:
        if len(self.out) > MAX_FRAME_BYTES:
            raise ProtocolError("the value is too large to travel")

    def put_large_int(self, value: int) -> None:
        size = int.bit_length(value) // 8 + 1
        if size > MAX_INT_BYTES:
            raise ProtocolError("an int of more than 128 bits")
        self.out += b"i%c" % size + int.to_bytes(value, size, "little", signed=True)

    def put_dict(self, value: dict[Any, Any], depth: int) -> None:
        size = dict.__len__(value)
        self.out += _TAGGED_U32(b"d", size)
        self.put_all((part for pair in dict.items(value) for part in pair), 2 * size, depth + 1)

    def put_other(self, value: Any, depth: int) -> None:
        """Write a value whose type is not itself a plain type."""
        if not self._put_numpy(_as_array(value)) and not self._put_as_base(value, depth):
            if self.to_handle is None:
                raise ProtocolError(f"a {type(value).__name__} is not a value of the protocol")
            self.out += _TAGGED_U32(b"h", self.to_handle(value))

    def _put_as_base(self, value: Any, depth: int) -> bool:
        """Send an instance of a subclass (an IntEnum, a namedtuple, a defaultdict) as the plain value that it holds."""
        if isinstance(value, int):
            self.put_all((int.__int__(value),), 1, depth)
        elif isinstance(value, float):
            self.put_all((float.__float__(value),), 1, depth)
        elif isinstance(value, str):
            self.put_all((str.__str__(value),), 1, depth)
        elif isinstance(value, (tuple, list)):
            kind: Any = tuple if isinstance(value, tuple) else list
            size = kind.__len__(value)
            self.out += _TAGGED_U32(b"t" if kind is tuple else b"l", size)
            self.put_all(kind.__iter__(value), size, depth + 1)
        elif isinstance(value, dict):
            self.put_dict(value, depth)
        else:
            return False
        return True

    def _put_numpy(self, value: Any) -> bool:
        if not hasattr(value, "dtype") or "numpy" not in sys.modules:
            return False
        import numpy

        if not isinstance(value, (numpy.ndarray, numpy.generic)):
            return False
        name = value.dtype.str if value.dtype.str != "|b1" else "?"
        if name not in DTYPES:
            return False
        code, data = bytes((DTYPES.index(name),)), value.tobytes()
        if len(data) > MAX_FRAME_BYTES:
            raise ProtocolError("an array that is too large to travel")
        if isinstance(value, numpy.generic):
            self.out += b"g" + code + data
        else:
            shape = b"".join(map(_U32.pack, value.shape))
            self.out += b"a" + code + bytes((value.ndim,)) + shape + data
        self.check_size()
        return True


def _as_array(value: Any) -> Any:
    """Return a tensor of torch as its array, and any other value unchanged."""
    torch = sys.modules.get("torch")
    return value.detach().cpu().numpy() if torch is not None and isinstance(value, torch.Tensor) else value


def frame(payload: bytes) -> bytes:
    """Return `payload` after its length, for a socket."""
    return _U32.pack(len(payload)) + payload
