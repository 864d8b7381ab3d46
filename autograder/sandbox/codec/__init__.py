"""The format of the messages: a closed set of values, as bytes. The same files serve both sides of the sandbox.

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
    p  name value    a request of the grader; its name is one byte, a place in SPECIALS; never accepted from a student
    m  n  bytes      a container of plain values, as Python's `marshal` writes it; from the grader alone, as p is: this side
                     never reads such bytes, it hands them to `special`, and the grader's has none

Decoding never looks up a name that came over the connection, and limits its cost before it allocates: every item takes at least
one byte of a frame, frames have a maximum size, and depth and items are counted. A decoded frame takes at most 64 bytes of
memory for each of its bytes (the worst are arrays of bool), and never more than 128 MiB.

A grading sends thousands of small messages: numbers, texts and handles in a list are therefore handled in the list's loop.

In the sandbox this package is called `codec` alone: its modules import one another by relative names.
"""

from .decoding import decode, frame_size
from .encoding import encode, frame, framed
from .values import (
    DTYPES,
    MAX_COLLISIONS,
    MAX_DEPTH,
    MAX_FRAME_BYTES,
    MAX_ITEMS,
    HandleId,
    Plain,
    ProtocolError,
    Special,
    packed,
    state_digest,
)

__all__ = [
    "DTYPES", "MAX_COLLISIONS", "MAX_DEPTH", "MAX_FRAME_BYTES", "MAX_ITEMS", "HandleId", "Plain", "Special", "ProtocolError",
    "decode", "encode", "frame", "frame_size", "framed", "packed", "state_digest",
]
