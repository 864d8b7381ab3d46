"""`weights.npz`, the weights of a ps5 player, as home and exam read it: a strict reader that accepts arrays of numbers only.

The file has the format of `numpy.savez`: a zip archive with one `.npy` file for each array. The reader unpickles nothing,
evaluates nothing and looks up nothing by name. It knows all sizes before it unpacks anything. It refuses everything that is
not an array of numbers, with a sentence that says what it found and what to do. Only arrays made here reach the sandbox.

The limit is 4 MiB of numbers. The set's own network has 0.4 MiB; a network of more than ten times that size cannot be
evaluated 400 times in the 2 s of CPU time of a move. One message to the sandbox holds at most twice the limit.
"""

from __future__ import annotations

import io
import math
import re
import zipfile

import numpy as np

NAME = "weights.npz"
MOST_BYTES = 4 * 2**20  # all arrays together, unpacked
MOST_FILE_BYTES = MOST_BYTES + 2**17  # with the archive's headers
MOST_ARRAYS = 256
MOST_SIDES = 8
LONGEST_SHOWN = 60  # characters of a name in a sentence
DTYPES = ("<f2", "<f4", "<f8", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8")
_ENTRY = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,199}\.npy")
_LISTED = b"PK\x01\x02"  # the first bytes of an entry in an archive's table of contents
_MAGIC = b"\x93NUMPY"
MOST_HEADER_BYTES = 1_000  # numpy writes 118 bytes for eight dimensions
_HEADER = re.compile(
    r"\{'descr': '([^']{1,20})', 'fortran_order': (False|True), 'shape': \(((?:\d{1,9}, ?)*+\d{0,9})\), \} *+\n"
)
_HOW = "write it with the notebook's save_weights"


class WeightsError(ValueError):
    """Weights that cannot be used; the text is a sentence for the student."""


def check_size(size: int) -> None:
    """Raise WeightsError if a file of this size is too large to be read."""
    if size > MOST_FILE_BYTES:
        raise WeightsError(f"{NAME} has {size:,} bytes; at most {MOST_FILE_BYTES:,} are read: save a smaller network")


def parse(data: bytes) -> dict[str, np.ndarray]:
    """Return the arrays of an archive by name.

    Raises:
        WeightsError: an entry of the archive is not an array of numbers, or a limit is exceeded.
    """
    if not data.startswith(b"PK\x03\x04"):
        raise WeightsError(f"{NAME} is {_kind(data)} and not an archive of arrays; {_HOW}")
    if data.count(_LISTED) > 2 * MOST_ARRAYS:  # zipfile makes an object for each entry before it can be asked for their number
        raise WeightsError(f"{NAME} holds far more than the {MOST_ARRAYS} arrays that a network may have; {_HOW}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check_entries(entries)
            return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in entries}
    except WeightsError:
        raise
    except Exception as error:  # zipfile raises many kinds of exceptions for a damaged archive
        raise WeightsError(f"{NAME} is damaged ({type(error).__name__}); {_HOW} again") from error


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    """Check an archive's table of contents before anything is unpacked; raise WeightsError if it is not acceptable."""
    if not 1 <= len(entries) <= MOST_ARRAYS:
        raise WeightsError(f"{NAME} holds {len(entries)} arrays; a network has 1 to {MOST_ARRAYS}")
    if any(entry.filename.endswith(("/data.pkl", "/version")) for entry in entries):
        raise WeightsError(f"{NAME} was written by torch.save and holds a pickle, which is never opened here; {_HOW}")
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        if not _ENTRY.fullmatch(name):
            raise WeightsError(f"{NAME} holds an entry called {_shown(name)}, not one such as conv1.weight.npy; {_HOW}")
        if name in seen:
            raise WeightsError(f"{NAME} holds {name} twice; {_HOW}")
        seen.add(name)
        if entry.flag_bits & 0x1:
            raise WeightsError(f"{NAME}: {name} is encrypted; {_HOW}")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise WeightsError(f"{NAME}: {name} is packed in a way that numpy does not use; {_HOW}")
    size = sum(entry.file_size for entry in entries)
    if size > MOST_BYTES + 2**17:
        raise WeightsError(f"{NAME} unpacks to {size:,} bytes; at most {MOST_BYTES:,} are read: save a smaller network")


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    return _numbers(content, entry.filename.removesuffix(".npy"))


def _numbers(content: bytes, name: str) -> np.ndarray:
    """Return the array of one `.npy` file as a new array; the header is matched by a pattern, never evaluated."""
    if content[:6] != _MAGIC or len(content) < 12 or content[6:8] not in (b"\1\0", b"\2\0", b"\3\0"):
        raise WeightsError(f"{NAME}: {name} is not a NumPy array; {_HOW}")
    start = 10 if content[6] == 1 else 12
    body = start + int.from_bytes(content[8:start], "little")
    header = _HEADER.fullmatch(content[start:body].decode("latin-1")) if body - start <= MOST_HEADER_BYTES else None
    if header is None:
        raise WeightsError(f"{NAME}: the header of {name} is not as numpy writes it for an array of numbers; {_HOW}")
    descr, by_columns, sides = header[1], header[2] == "True", [int(side) for side in re.findall(r"\d+", header[3])]
    if "O" in descr:
        raise WeightsError(f"{NAME}: {name} holds Python objects, that is a pickle, which is never opened here; {_HOW}")
    if descr not in DTYPES:
        raise WeightsError(f"{NAME}: {name} is of type {_shown(descr)}; numbers are needed, such as float32; {_HOW}")
    dtype = np.dtype(descr)
    shape = f"{tuple(sides)}" if len(sides) <= MOST_SIDES else f"of {len(sides)} sides"
    if len(sides) > MOST_SIDES or math.prod(sides) * dtype.itemsize != len(content) - body:
        raise WeightsError(f"{NAME}: {name} does not hold as many numbers as its shape {shape} says; {_HOW} again")
    array = np.frombuffer(content, dtype, offset=body).reshape(sides, order="F" if by_columns else "C").copy(order="C")
    if dtype.kind == "f" and not np.isfinite(array).all():
        raise WeightsError(f"{NAME}: {name} holds nan or infinity: that network cannot play; train it again, more slowly")
    return array


def _kind(data: bytes) -> str:
    """Describe a file that is not an archive."""
    known = ((_MAGIC, "a single array"), (b"\x80", "a pickle, which is never opened here,"), (b"PK", "an empty or split archive"))
    if not data:
        return "empty"
    return next((words for start, words in known if data.startswith(start)), "something else")


def _shown(text: str) -> str:
    """Quote a name from a student's file, shortened and with printable characters only."""
    shown = ascii(text[:LONGEST_SHOWN])
    return shown if len(text) <= LONGEST_SHOWN >= len(shown) - 2 else f"{shown[: LONGEST_SHOWN - 2]}...'"
