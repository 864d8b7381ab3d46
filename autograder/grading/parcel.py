"""A submission as data, so that it can travel to a worker on this machine or on another."""

import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.files import read_regular
from autograder.grading.grade import Graded, Settings, grade_submission

# Anything larger is refused by the reader anyway; only its length travels.
LARGEST_FILE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Item:
    """One directory entry: a regular file with its bytes, or what stands in its place.

    kind: "file", "large" (only `size` travels), "link" or "other" (a folder, a pipe, unreadable).
    """

    name: str
    kind: str
    content: bytes = b""
    size: int = 0


@dataclass(frozen=True)
class Parcel:
    """What a worker needs to grade one submission. The student's name is not in it: nobody is graded by name."""

    ps: str
    items: tuple[Item, ...]


def pack(folder: Path, ps: str) -> Parcel:
    """Read the two files that count, `<ps>.ipynb` and `<ps>.py`, without following links."""
    names = (f"{ps}.ipynb", f"{ps}.py")
    return Parcel(ps, tuple(item for name in names if (item := _pack_one(folder / name)) is not None))


def _pack_one(path: Path) -> Item | None:
    content = read_regular(path, LARGEST_FILE_BYTES)
    if content is not None:
        return Item(path.name, "file", content)
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    if stat.S_ISREG(status.st_mode) and status.st_size > LARGEST_FILE_BYTES:
        return Item(path.name, "large", size=status.st_size)
    return Item(path.name, "link" if stat.S_ISLNK(status.st_mode) else "other")


def unpack(parcel: Parcel, folder: Path) -> None:
    """Lay the submission out in an empty folder, as the reader would have found it."""
    for item in parcel.items:
        path = folder / item.name
        if item.kind == "file":
            path.write_bytes(item.content)
        elif item.kind == "large":
            path.touch()
            os.truncate(path, item.size)  # sparse: the length is all that the reader looks at
        elif item.kind == "link":
            path.symlink_to("where-the-student-pointed")
        else:
            path.mkdir()


def grade_parcel(parcel: Parcel, settings: Settings) -> Graded:
    """Grade one submission; this is what every worker runs, again and again, in one warm interpreter."""
    with tempfile.TemporaryDirectory(prefix="submission-") as room:
        folder = Path(room)
        unpack(parcel, folder)
        return grade_submission(folder, parcel.ps, settings)
