"""The wire: a closed set of values, as bytes. The same file serves both sides of the wall.

A value is one tag byte and its payload; numbers are little-endian.

    N T F            None, True, False
    i  n  bytes      int, two's complement in n <= 17 bytes
    f  8 bytes       float
    s  n  bytes      str, UTF-8 (n is a u32, as every count below)
    l  n  items      list          t  n  items   tuple
    d  n  pairs      dict, keys int, str, or tuple of them
    a  dtype shape bytes   numpy array       g  dtype bytes   numpy scalar
    h  id            a handle: an object that stays where it is
    p  name value    a request of the grader's: "game", "function", "callback"; never accepted from a student

Decoding looks up nothing by a name that came over the wire, and its cost is bounded before it allocates:
every item takes at least one byte of a frame, frames are capped, and depth and items are counted.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from dataclasses import dataclass
from typing import Any, Callable

MAX_FRAME_BYTES = 8 * 2**20
MAX_DEPTH = 40
MAX_ITEMS = 400_000
MAX_INT_BYTES = 17  # 128 bits and a sign
MAX_COLLISIONS = 100  # of the keys of one dict

# The order is the wire's: append only.
DTYPES = ("?", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")

_U32 = struct.Struct("<I")
_F64 = struct.Struct("<d")


class WireError(Exception):
    """Bytes that are no value of the wire, or a value that the wire does not carry."""


@dataclass(frozen=True)
class HandleId:
    """An object of the other side, by number."""

    id: int


@dataclass(frozen=True)
class Special:
    """A thing that only the grader may ask for: `name` is "game", "function" or "callback"."""

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
    encoder = _Encoder(to_handle)
    encoder.put(value, 0)
    if len(encoder.out) > MAX_FRAME_BYTES:
        raise WireError(f"a value of {len(encoder.out)} bytes; at most {MAX_FRAME_BYTES} travel")
    return bytes(encoder.out)


class _Encoder:
    def __init__(self, to_handle: Callable[[Any], int] | None) -> None:
        self.out = bytearray()
        self.items = 0
        self.to_handle = to_handle

    def put(self, value: Any, depth: int) -> None:
        self.items += 1
        if depth > MAX_DEPTH or self.items > MAX_ITEMS or len(self.out) > MAX_FRAME_BYTES:
            raise WireError("the value is too deep or too large to travel")
        put = _PUT.get(type(value))
        if put is not None:
            put(self, value, depth)
        elif isinstance(value, Special):
            self.out += b"p"
            self.put(value.name, depth + 1)
            self.put(value.value, depth + 1)
        elif not self._put_numpy(_as_array(value)) and not self._put_as_base(value, depth):
            if self.to_handle is None:
                raise WireError(f"a {type(value).__name__} is no value of the wire")
            self.out += b"h" + _U32.pack(self.to_handle(value))

    def put_int(self, value: int, depth: int) -> None:
        size = int.bit_length(value) // 8 + 1
        if size > MAX_INT_BYTES:
            raise WireError("an int of more than 128 bits")
        self.out += b"i%c" % size + int.to_bytes(value, size, "little", signed=True)

    def put_float(self, value: float, depth: int) -> None:
        self.out += b"f" + _F64.pack(value)

    def put_str(self, value: str, depth: int) -> None:
        data = str.encode(value, "utf-8", "replace")
        self.out += b"s" + _U32.pack(len(data)) + data

    def put_list(self, value: list, depth: int) -> None:
        self.out += b"l" + _U32.pack(list.__len__(value))
        for item in list.__iter__(value):
            self.put(item, depth + 1)

    def put_tuple(self, value: tuple, depth: int) -> None:
        self.out += b"t" + _U32.pack(tuple.__len__(value))
        for item in tuple.__iter__(value):
            self.put(item, depth + 1)

    def put_dict(self, value: dict, depth: int) -> None:
        self.out += b"d" + _U32.pack(dict.__len__(value))
        for key, item in dict.items(value):
            self.put(key, depth + 1)
            self.put(item, depth + 1)

    def put_handle(self, value: HandleId, depth: int) -> None:
        self.out += b"h" + _U32.pack(value.id)

    def put_constant(self, value: bool | None, depth: int) -> None:
        self.out += b"N" if value is None else b"T" if value else b"F"

    def _put_as_base(self, value: Any, depth: int) -> bool:
        """Send an instance of a subclass (an IntEnum, a namedtuple, a defaultdict) as the plain value that it holds."""
        for kind in (int, float, str, tuple, list, dict):
            if isinstance(value, kind):
                _PUT[kind](self, value, depth)
                return True
        return False

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
            shape = b"".join(_U32.pack(n) for n in value.shape)
            self.out += b"a" + code + bytes((value.ndim,)) + shape + data
        return True


def _as_array(value: Any) -> Any:
    """Return a tensor of torch as the array that it holds, and anything else as it is."""
    torch = sys.modules.get("torch")
    return value.detach().cpu().numpy() if torch is not None and isinstance(value, torch.Tensor) else value


_PUT: dict[type, Callable[[_Encoder, Any, int], None]] = {
    type(None): _Encoder.put_constant,
    bool: _Encoder.put_constant,
    int: _Encoder.put_int,
    float: _Encoder.put_float,
    str: _Encoder.put_str,
    list: _Encoder.put_list,
    tuple: _Encoder.put_tuple,
    dict: _Encoder.put_dict,
    HandleId: _Encoder.put_handle,
}


def decode(data: bytes, from_handle: Callable[[int], Any] | None = None, special: Callable[[str, Any], Any] | None = None) -> Any:
    """Return the value that `data` holds, and nothing but it.

    Args:
        from_handle: turns a handle's number into what it stands for; without it handles are refused.
        special: answers the grader's requests; without it (the grader's own side) they are refused.

    Raises:
        WireError: for any bytes that are not exactly one value within the caps.
    """
    decoder = _Decoder(data, from_handle, special)
    value = decoder.take(0)
    if decoder.at != len(data):
        raise WireError("bytes after the value")
    return value


class _Decoder:
    def __init__(self, data: bytes, from_handle: Callable[[int], Any] | None, special: Callable[[str, Any], Any] | None) -> None:
        if len(data) > MAX_FRAME_BYTES:
            raise WireError("a frame that is too large")
        self.data, self.at, self.items = data, 0, 0
        self.from_handle, self.special = from_handle, special

    def read(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.data):
            raise WireError("the frame ends inside a value")
        piece, self.at = self.data[self.at : end], end
        return piece

    def count(self, bytes_each: int) -> int:
        number = _U32.unpack(self.read(4))[0]
        if number * bytes_each > len(self.data) - self.at:
            raise WireError("a count beyond the end of the frame")
        return number

    def take(self, depth: int) -> Any:
        self.items += 1
        if depth > MAX_DEPTH or self.items > MAX_ITEMS:
            raise WireError("too deep, or too many items")
        take = _TAKE.get(self.read(1))
        if take is None:
            raise WireError("an unknown tag")
        return take(self, depth)

    def take_int(self, depth: int) -> int:
        size = self.read(1)[0]
        if size > MAX_INT_BYTES:
            raise WireError("an int of more than 128 bits")
        return int.from_bytes(self.read(size), "little", signed=True)

    def take_str(self, depth: int) -> str:
        try:
            return self.read(self.count(1)).decode("utf-8")
        except UnicodeDecodeError as error:
            raise WireError("a str that is not UTF-8") from error

    def take_list(self, depth: int) -> list:
        return [self.take(depth + 1) for _ in range(self.count(1))]

    def take_dict(self, depth: int) -> dict:
        result: dict[Any, Any] = {}
        hashes: set[int] = set()
        tuples = 0
        for _ in range(self.count(2)):
            key = _key(self.take(depth + 1))
            if type(key) is tuple:
                # hashes of tuples can be made to collide, and n keys with one hash would cost us n * n comparisons
                tuples += 1
                hashes.add(hash(key))
                if tuples > len(hashes) + MAX_COLLISIONS:
                    raise WireError("dict keys that were made to collide")
            result[key] = self.take(depth + 1)
        return result

    def take_scalar(self, depth: int) -> Any:
        return self._numpy(())[()]

    def take_array(self, depth: int) -> Any:
        code_at = self.at
        self.read(1)
        ndim = self.read(1)[0]
        if ndim > 8:
            raise WireError("an array of more than 8 dimensions")
        shape = tuple(_U32.unpack(self.read(4))[0] for _ in range(ndim))
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

    def take_handle(self, depth: int) -> Any:
        if self.from_handle is None:
            raise WireError("a handle where none may be")
        return self.from_handle(_U32.unpack(self.read(4))[0])

    def take_special(self, depth: int) -> Any:
        if self.special is None:
            raise WireError("a request from the wrong side")
        return self.special(self.take(depth + 1), self.take(depth + 1))


_TAKE: dict[bytes, Callable[[_Decoder, int], Any]] = {
    b"N": lambda decoder, depth: None,
    b"T": lambda decoder, depth: True,
    b"F": lambda decoder, depth: False,
    b"f": lambda decoder, depth: _F64.unpack(decoder.read(8))[0],
    b"t": lambda decoder, depth: tuple(decoder.take_list(depth)),
    b"i": _Decoder.take_int,
    b"s": _Decoder.take_str,
    b"l": _Decoder.take_list,
    b"d": _Decoder.take_dict,
    b"a": _Decoder.take_array,
    b"g": _Decoder.take_scalar,
    b"h": _Decoder.take_handle,
    b"p": _Decoder.take_special,
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
    size = _U32.unpack(header)[0]
    if size > MAX_FRAME_BYTES:
        raise WireError(f"a frame of {size} bytes; at most {MAX_FRAME_BYTES} are read")
    return size
