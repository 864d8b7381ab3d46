"""From bytes of the protocol to the one value in them, and to nothing else: the other side may have forged the bytes."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from .values import DTYPES, MAX_COLLISIONS, MAX_DEPTH, MAX_FRAME_BYTES, MAX_INT_BYTES, MAX_ITEMS, SPECIALS, ProtocolError

_UNPACK_U32, _UNPACK_I64, _UNPACK_F64 = (struct.Struct(of).unpack_from for of in ("<I", "<q", "<d"))


def decode(
    data: bytes, from_handle: Callable[[int], Any] | None = None, special: Callable[[str, Any], Any] | None = None, start: int = 0
) -> Any:
    """Return the one value that `data` holds from `start` on.

    Args:
        from_handle: returns the object for a handle's number; without it handles are refused.
        special: answers the grader's requests; without it (the grader's own side) they are refused.

    Raises:
        ProtocolError: the bytes are not exactly one value within the caps.
    """
    decoder = _Decoder(data, start, from_handle, special)
    value = decoder.take(1, 0)[0]
    if decoder.at != len(data):
        raise ProtocolError("bytes after the value")
    return value


class _Decoder:
    def __init__(
        self, data: bytes, start: int, from_handle: Callable[[int], Any] | None, special: Callable[[str, Any], Any] | None
    ) -> None:
        if len(data) - start > MAX_FRAME_BYTES:
            raise ProtocolError("a frame that is too large")
        self.data, self.at, self.items = data, start, 0
        self.from_handle, self.special = from_handle or _no_handle, special

    def take(self, number: int, depth: int) -> list[Any]:
        """Read `number` values, one after another."""
        self.items += number
        if (number and depth > MAX_DEPTH) or self.items > MAX_ITEMS:
            raise ProtocolError("too deep, or too many items")
        data, end, at = self.data, len(self.data), self.at
        values: list[Any] = []
        try:
            for _ in range(number):
                tag = data[at]
                at += 1
                if tag == _J:
                    values.append(_UNPACK_I64(data, at)[0])
                    at += 8
                elif tag == _H:
                    values.append(self.from_handle(_UNPACK_U32(data, at)[0]))
                    at += 4
                elif tag == _S:
                    start = at + 4
                    at = start + _UNPACK_U32(data, at)[0]
                    if at > end:
                        raise ProtocolError("a count beyond the end of the frame")
                    values.append(str(data[start:at], "utf-8"))
                elif tag == _F:
                    values.append(_UNPACK_F64(data, at)[0])
                    at += 8
                elif tag in _OF_TAG:
                    values.append(_OF_TAG[tag])
                else:
                    self.at = at
                    values.append(_TAKE.get(tag, _Decoder.take_unknown)(self, depth))
                    at = self.at
        except (struct.error, IndexError) as error:
            raise ProtocolError("the frame ends inside a value") from error
        except UnicodeDecodeError as error:
            raise ProtocolError("a str that is not UTF-8") from error
        self.at = at
        return values

    def take_unknown(self, depth: int) -> Any:
        raise ProtocolError("an unknown tag")

    def read(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.data):
            raise ProtocolError("the frame ends inside a value")
        piece, self.at = self.data[self.at : end], end
        return piece

    def u32(self) -> int:
        at, self.at = self.at, self.at + 4
        if self.at > len(self.data):
            raise ProtocolError("the frame ends inside a value")
        number: int = _UNPACK_U32(self.data, at)[0]
        return number

    def count(self, bytes_each: int) -> int:
        number = self.u32()
        if number * bytes_each > len(self.data) - self.at:
            raise ProtocolError("a count beyond the end of the frame")
        return number

    def take_large_int(self, depth: int) -> int:
        size = self.read(1)[0]
        if size > MAX_INT_BYTES:
            raise ProtocolError("an int of more than 128 bits")
        return int.from_bytes(self.read(size), "little", signed=True)

    def take_list(self, depth: int) -> list[Any]:
        return self.take(self.count(1), depth + 1)

    def take_tuple(self, depth: int) -> tuple[Any, ...]:
        return tuple(self.take(self.count(1), depth + 1))

    def take_dict(self, depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        hashes: set[int] = set()
        tuples = 0
        for _ in range(self.count(2)):
            key, item = self.take(2, depth + 1)
            if type(key) is not str:
                key = _key(key)
            if type(key) is tuple:
                # hashes of tuples can be made to collide: n keys with one hash would cost n * n comparisons
                tuples += 1
                hashes.add(hash(key))
                if tuples > len(hashes) + MAX_COLLISIONS:
                    raise ProtocolError("dict keys that were made to collide")
            result[key] = item
        return result

    def take_scalar(self, depth: int) -> Any:
        return self._numpy(())[()]

    def take_array(self, depth: int) -> Any:
        code_at = self.at
        self.read(1)
        ndim = self.read(1)[0]
        if ndim > 8:
            raise ProtocolError("an array of more than 8 dimensions")
        shape = tuple(self.u32() for _ in range(ndim))
        after_shape, self.at = self.at, code_at
        return self._numpy(shape, after_shape)

    def _numpy(self, shape: tuple[int, ...], data_at: int | None = None) -> Any:
        import numpy

        code = self.read(1)[0]
        if code >= len(DTYPES):
            raise ProtocolError("an unknown dtype")
        dtype = numpy.dtype(DTYPES[code])
        if math.prod(max(n, 1) for n in shape) > MAX_FRAME_BYTES:  # max: numpy limits the other sides of an empty array too
            raise ProtocolError("a shape beyond any frame")
        self.at = self.at if data_at is None else data_at
        data = self.read(dtype.itemsize * math.prod(shape))
        if dtype.kind == "b":
            return (numpy.frombuffer(data, "u1") != 0).reshape(shape)  # a bool with the byte 2 would behave oddly
        return numpy.frombuffer(data, dtype).reshape(shape).copy()

    def take_special(self, depth: int) -> Any:
        if self.special is None:
            raise ProtocolError("a request from the wrong side")
        return self.special(SPECIALS[self.read(1)[0]], self.take(1, depth + 1)[0])

    def take_plain(self, depth: int) -> Any:
        if self.special is None:
            raise ProtocolError("a request from the wrong side")
        return self.special("plain", self.read(self.count(1)))


def _no_handle(number: int) -> Any:
    raise ProtocolError("a handle, where handles are not allowed")


_J, _F, _H, _S = map(ord, "jfhs")
_OF_TAG = {ord("N"): None, ord("T"): True, ord("F"): False}
_TAKE: dict[int, Callable[[_Decoder, int], Any]] = {
    ord("i"): _Decoder.take_large_int,
    ord("l"): _Decoder.take_list,
    ord("t"): _Decoder.take_tuple,
    ord("d"): _Decoder.take_dict,
    ord("a"): _Decoder.take_array,
    ord("g"): _Decoder.take_scalar,
    ord("p"): _Decoder.take_special,
    ord("m"): _Decoder.take_plain,
}


def _key(key: Any) -> Any:
    """Return `key` if a dict may have it; a numpy integer becomes the int that it equals."""
    if type(key) is tuple:
        return tuple(map(_key, key))
    if type(key) is int and key.bit_length() <= 64:  # larger ones could collide: hash(int) is the remainder modulo 2**61 - 1
        return key
    if type(key) in (str, bool):
        return key
    if type(key).__module__ == "numpy" and hasattr(key, "__index__") and not hasattr(key, "__len__"):
        return int(key)
    raise ProtocolError("a dict key that is neither int, str nor a tuple of them")


def frame_size(header: bytes | bytearray) -> int:
    """Return the length in a frame's first four bytes; ProtocolError above the cap."""
    size: int = _UNPACK_U32(header)[0]
    if size > MAX_FRAME_BYTES:
        raise ProtocolError(f"a frame of {size} bytes; at most {MAX_FRAME_BYTES} are read")
    return size
