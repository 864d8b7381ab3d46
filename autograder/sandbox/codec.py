"""The wire: a closed set of values, as bytes. The same file serves both sides of the wall.

A value is one tag byte and its payload; numbers are little-endian.

    N T F            None, True, False
    j  8 bytes       int, two's complement
    i  n  bytes      int that needs more, n <= 17 bytes
    f  8 bytes       float
    s  n  bytes      str, UTF-8 (n is a u32, as every count below)
    l  n  items      list          t  n  items   tuple
    d  n  pairs      dict, keys int, str, or tuple of them
    a  dtype shape bytes   numpy array       g  dtype bytes   numpy scalar
    h  id            a handle: an object that stays where it is
    p  name value    a request of the grader's, its name one byte for a place in SPECIALS; never accepted from a student

Decoding looks up nothing by a name that came over the wire, and its cost is bounded before it allocates:
every item takes at least one byte of a frame, frames are capped, and depth and items are counted. What a frame becomes takes
at most 64 bytes of memory for each of its own (the worst are truth values that come as arrays), and never more than 128 MiB.

A grading sends thousands of small messages, so numbers, texts and handles in a list are written and read in its own loop.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

MAX_FRAME_BYTES = 8 * 2**20
MAX_DEPTH = 40
MAX_ITEMS = 400_000
MAX_INT_BYTES = 17  # 128 bits and a sign
MAX_COLLISIONS = 100  # of the keys of one dict

# The order is the wire's: append only.
DTYPES = ("?", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
SPECIALS = ("function", "game", "callback", "rng", "answers", "in_turn", "watched", "tensor", "network")

_U32 = struct.Struct("<I")
_UNPACK_U32, _UNPACK_I64, _UNPACK_F64 = _U32.unpack_from, struct.Struct("<q").unpack_from, struct.Struct("<d").unpack_from
_TAGGED_U32 = struct.Struct("<cI").pack
_TAGGED_I64 = struct.Struct("<cq").pack
_TAGGED_F64 = struct.Struct("<cd").pack
_CONSTANTS = {None: b"N", True: b"T", False: b"F"}
_TAGGED_SPECIAL = {name: bytes((ord("p"), place)) for place, name in enumerate(SPECIALS)}


class WireError(Exception):
    """Bytes that are no value of the wire, or a value that the wire does not carry."""


@dataclass(unsafe_hash=True, slots=True)  # not frozen: that takes three times as long to make
class HandleId:
    """An object of the other side, by number."""

    id: int


@dataclass(unsafe_hash=True, slots=True)
class Special:
    """A thing that only the grader may ask for: `name` is one of SPECIALS."""

    name: str
    value: Any


def encode(value: Any, to_handle: Callable[[Any], int] | None = None) -> bytes:
    """Return the bytes of `value`.

    Args:
        value: subclasses of int, float, str, tuple, list and dict travel as the plain value they hold.
        to_handle: gives the number under which an object that is no value stays here;
            without it such an object is an error.

    Raises:
        WireError: too deep (a list that contains itself), too many items, too large, or no value at all.
    """
    return bytes(_encoded(value, to_handle, 0))


def framed(value: Any, to_handle: Callable[[Any], int] | None = None) -> bytearray:
    """Return the bytes of `value` with their length in front, as they go over a socket; for the rest see `encode`."""
    out = _encoded(value, to_handle, _U32.size)
    _U32.pack_into(out, 0, len(out) - _U32.size)
    return out


def _encoded(value: Any, to_handle: Callable[[Any], int] | None, room: int) -> bytearray:
    encoder = _Encoder(to_handle, room)
    encoder.put_all((value,), 1, 0)
    size = len(encoder.out) - room
    if size > MAX_FRAME_BYTES:
        raise WireError(f"a value of {size} bytes; at most {MAX_FRAME_BYTES} travel")
    return encoder.out


class _Encoder:
    def __init__(self, to_handle: Callable[[Any], int] | None, room: int) -> None:
        self.out = bytearray(room)
        self.items = 0
        self.to_handle = to_handle

    def put_all(self, values: Iterable[Any], number: int, depth: int) -> None:
        """Write so many values, one after another."""
        out = self.out
        self.items += number
        if (number and depth > MAX_DEPTH) or self.items > MAX_ITEMS:
            raise WireError("the value is too deep or too large to travel")
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
            elif kind is dict:
                self.put_dict(value, depth)
            else:
                self.put_other(value, depth)

    def check_size(self) -> None:
        if len(self.out) > MAX_FRAME_BYTES:
            raise WireError("the value is too large to travel")

    def put_large_int(self, value: int) -> None:
        size = int.bit_length(value) // 8 + 1
        if size > MAX_INT_BYTES:
            raise WireError("an int of more than 128 bits")
        self.out += b"i%c" % size + int.to_bytes(value, size, "little", signed=True)

    def put_dict(self, value: dict, depth: int) -> None:
        size = dict.__len__(value)
        self.out += _TAGGED_U32(b"d", size)
        self.put_all((part for pair in dict.items(value) for part in pair), 2 * size, depth + 1)

    def put_other(self, value: Any, depth: int) -> None:
        """Write what is none of the plain types themselves."""
        if not self._put_numpy(_as_array(value)) and not self._put_as_base(value, depth):
            if self.to_handle is None:
                raise WireError(f"a {type(value).__name__} is no value of the wire")
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
            kind, tag = (tuple, b"t") if isinstance(value, tuple) else (list, b"l")
            size = kind.__len__(value)
            self.out += _TAGGED_U32(tag, size)
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
            raise WireError("an array that is too large to travel")
        if isinstance(value, numpy.generic):
            self.out += b"g" + code + data
        else:
            shape = b"".join(map(_U32.pack, value.shape))
            self.out += b"a" + code + bytes((value.ndim,)) + shape + data
        self.check_size()
        return True


def _as_array(value: Any) -> Any:
    """Return a tensor of torch as the array that it holds, and anything else as it is."""
    torch = sys.modules.get("torch")
    return value.detach().cpu().numpy() if torch is not None and isinstance(value, torch.Tensor) else value


def decode(
    data: bytes, from_handle: Callable[[int], Any] | None = None, special: Callable[[str, Any], Any] | None = None, start: int = 0
) -> Any:
    """Return the value that `data` holds from `start` on, and nothing but it.

    Args:
        from_handle: turns a handle's number into what it stands for; without it handles are refused.
        special: answers the grader's requests; without it (the grader's own side) they are refused.

    Raises:
        WireError: for any bytes that are not exactly one value within the caps.
    """
    decoder = _Decoder(data, start, from_handle, special)
    value = decoder.take(1, 0)[0]
    if decoder.at != len(data):
        raise WireError("bytes after the value")
    return value


class _Decoder:
    def __init__(
        self, data: bytes, start: int, from_handle: Callable[[int], Any] | None, special: Callable[[str, Any], Any] | None
    ) -> None:
        if len(data) - start > MAX_FRAME_BYTES:
            raise WireError("a frame that is too large")
        self.data, self.at, self.items = data, start, 0
        self.from_handle, self.special = from_handle or _no_handle, special

    def take(self, number: int, depth: int) -> list:
        """Read so many values, one after another."""
        self.items += number
        if (number and depth > MAX_DEPTH) or self.items > MAX_ITEMS:
            raise WireError("too deep, or too many items")
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
                        raise WireError("a count beyond the end of the frame")
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
            raise WireError("the frame ends inside a value") from error
        except UnicodeDecodeError as error:
            raise WireError("a str that is not UTF-8") from error
        self.at = at
        return values

    def take_unknown(self, depth: int) -> Any:
        raise WireError("an unknown tag")

    def read(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.data):
            raise WireError("the frame ends inside a value")
        piece, self.at = self.data[self.at : end], end
        return piece

    def u32(self) -> int:
        at, self.at = self.at, self.at + 4
        if self.at > len(self.data):
            raise WireError("the frame ends inside a value")
        return _UNPACK_U32(self.data, at)[0]

    def count(self, bytes_each: int) -> int:
        number = self.u32()
        if number * bytes_each > len(self.data) - self.at:
            raise WireError("a count beyond the end of the frame")
        return number

    def take_large_int(self, depth: int) -> int:
        size = self.read(1)[0]
        if size > MAX_INT_BYTES:
            raise WireError("an int of more than 128 bits")
        return int.from_bytes(self.read(size), "little", signed=True)

    def take_list(self, depth: int) -> list:
        return self.take(self.count(1), depth + 1)

    def take_tuple(self, depth: int) -> tuple:
        return tuple(self.take(self.count(1), depth + 1))

    def take_dict(self, depth: int) -> dict:
        result: dict[Any, Any] = {}
        hashes: set[int] = set()
        tuples = 0
        for _ in range(self.count(2)):
            key, item = self.take(2, depth + 1)
            if type(key) is not str:
                key = _key(key)
            if type(key) is tuple:
                # hashes of tuples can be made to collide, and n keys with one hash would cost us n * n comparisons
                tuples += 1
                hashes.add(hash(key))
                if tuples > len(hashes) + MAX_COLLISIONS:
                    raise WireError("dict keys that were made to collide")
            result[key] = item
        return result

    def take_scalar(self, depth: int) -> Any:
        return self._numpy(())[()]

    def take_array(self, depth: int) -> Any:
        code_at = self.at
        self.read(1)
        ndim = self.read(1)[0]
        if ndim > 8:
            raise WireError("an array of more than 8 dimensions")
        shape = tuple(self.u32() for _ in range(ndim))
        after_shape, self.at = self.at, code_at
        return self._numpy(shape, after_shape)

    def _numpy(self, shape: tuple[int, ...], data_at: int | None = None) -> Any:
        import numpy

        code = self.read(1)[0]
        if code >= len(DTYPES):
            raise WireError("an unknown dtype")
        dtype = numpy.dtype(DTYPES[code])
        if math.prod(max(n, 1) for n in shape) > MAX_FRAME_BYTES:  # an empty array too: numpy counts its other sides
            raise WireError("a shape beyond any frame")
        self.at = self.at if data_at is None else data_at
        data = self.read(dtype.itemsize * math.prod(shape))
        if dtype.kind == "b":
            return (numpy.frombuffer(data, "u1") != 0).reshape(shape)  # a bool of the value 2 would be a riddle
        return numpy.frombuffer(data, dtype).reshape(shape).copy()

    def take_special(self, depth: int) -> Any:
        if self.special is None:
            raise WireError("a request from the wrong side")
        return self.special(SPECIALS[self.read(1)[0]], self.take(1, depth + 1)[0])


def _no_handle(number: int) -> Any:
    raise WireError("a handle where none may be")


_J, _F, _H, _S = map(ord, "jfhs")
_OF_TAG = {tag[0]: value for value, tag in _CONSTANTS.items()}
_TAKE: dict[int, Callable[[_Decoder, int], Any]] = {
    ord("i"): _Decoder.take_large_int,
    ord("l"): _Decoder.take_list,
    ord("t"): _Decoder.take_tuple,
    ord("d"): _Decoder.take_dict,
    ord("a"): _Decoder.take_array,
    ord("g"): _Decoder.take_scalar,
    ord("p"): _Decoder.take_special,
}


def _key(key: Any) -> Any:
    """Return `key` if a dict may have it; a numpy integer as the int that it equals."""
    if type(key) is tuple:
        return tuple(map(_key, key))
    if type(key) is int and key.bit_length() <= 64:  # more could be made to collide: hash(int) is its rest modulo 2**61 - 1
        return key
    if type(key) in (str, bool):
        return key
    if type(key).__module__ == "numpy" and hasattr(key, "__index__") and not hasattr(key, "__len__"):
        return int(key)
    raise WireError("a dict key that is neither int, str nor a tuple of them")


def state_digest(state: Any) -> int:
    """Return a digest of a random generator's state, the same on both sides of the wall."""
    parts = [part.tolist() if hasattr(part, "tolist") else part for part in state]
    return zlib.crc32(repr(parts).encode())


def frame(payload: bytes) -> bytes:
    """Return `payload` with its length in front, as it goes over a socket."""
    return _U32.pack(len(payload)) + payload


def frame_size(header: bytes) -> int:
    """Return the length that a frame's first four bytes announce; WireError beyond the cap."""
    size = _UNPACK_U32(header)[0]
    if size > MAX_FRAME_BYTES:
        raise WireError(f"a frame of {size} bytes; at most {MAX_FRAME_BYTES} are read")
    return size
