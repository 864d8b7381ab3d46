"""Pictures that a student pasted into an answer: shown if they are PNG, JPEG or GIF and not too large for a page.

A file's declared type is not trusted: the first bytes must match the type. The frame sizes are read from the file, because
a few hundred bytes can become gigabytes of pixels in the reader's browser.
"""

import base64
import binascii
from collections.abc import Iterator
from itertools import chain

KINDS = ("image/png", "image/jpeg", "image/gif")
LARGEST_BYTES = 3 * 2**20
LARGEST_TEXT = 4 * LARGEST_BYTES // 3 + 200_000  # the same as base64, with room for its line ends
MOST_BYTES = 8 * 2**20  # all pictures of one submission together, as base64
MOST_PIXELS = 40_000_000  # a telephone's camera has 12 to 50 million; a screen 8
_FRAME_MARKERS = frozenset(chain(range(0xC0, 0xC4), range(0xC5, 0xC8), range(0xC9, 0xCC), range(0xCD, 0xD0)))


def data_address(kind: str, text: str) -> str | None:
    """The address of a picture for a page, `data:image/png;base64,...`; None if it is not a picture, or too large.

    Args:
        kind: the declared type, one of KINDS.
        text: the content in base64.
    """
    if kind not in KINDS or len(text) > LARGEST_TEXT or not text.isascii():
        return None
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) > LARGEST_BYTES or not _bearable(kind, data):
        return None
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _bearable(kind: str, data: bytes) -> bool:
    """Whether the bytes are a picture of this type, with frames that are not too large to show."""
    try:
        sizes = list({"image/png": _png, "image/jpeg": _jpeg, "image/gif": _gif}[kind](data))
    except IndexError:
        return False  # the file is cut off
    return bool(sizes) and all(0 < width * height <= MOST_PIXELS for width, height in sizes)


def _png(data: bytes) -> Iterator[tuple[int, int]]:
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) > 32:
        yield int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def _jpeg(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the size of the frame; it comes before the first scan."""
    at = 2 if data.startswith(b"\xff\xd8\xff") else len(data)
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAME_MARKERS:
            yield int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        if marker == 0xDA:
            return
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4])


def _gif(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the size of the screen and of every frame."""
    if not data.startswith((b"GIF87a", b"GIF89a")):
        return
    yield _two(data, 6), _two(data, 8)
    at = 13 + _colours(data[10])
    while data[at] != 0x3B:
        if data[at] == 0x2C:
            yield _two(data, at + 1) + _two(data, at + 5), _two(data, at + 3) + _two(data, at + 7)
            at += 11 + _colours(data[at + 9])
        elif data[at] == 0x21:
            at += 2
        else:
            raise IndexError("neither a frame nor an extension")
        while data[at]:
            at += 1 + data[at]
        at += 1


def _two(data: bytes, at: int) -> int:
    return data[at] | data[at + 1] << 8


def _colours(flags: int) -> int:
    """The length in bytes of the colour table that a byte of flags declares."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
