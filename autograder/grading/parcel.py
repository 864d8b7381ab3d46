"""A submission as data, so that it can travel to a worker on this machine or on another."""

import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.files import read_regular
from autograder.grading.grade import Graded, Settings, grade_submission
from autograder.grading.submission import MAX_FILE_BYTES, file_names

# What may lie beside the two files, read by the challenge and by no hidden check.
BESIDE = {"ps5_alphazero": ("weights.npz",)}


@dataclass(frozen=True)
class Item:
    """One directory entry: a regular file with its bytes, or what stands in its place.

    kind: "file", "unread" (too large or not readable: only `size` travels), "link", "folder" or "pipe".
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
    """Read the two files that count and what may lie beside them, without following links."""
    names = (*file_names(ps).values(), *BESIDE.get(ps, ()))
    return Parcel(ps, tuple(item for name in names if (item := _pack_one(folder / name)) is not None))


def _pack_one(path: Path) -> Item | None:
    content = read_regular(path, MAX_FILE_BYTES)
    if content is not None:
        return Item(path.name, "file", content)
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    if stat.S_ISREG(status.st_mode):
        return Item(path.name, "unread", size=status.st_size)
    kinds = {stat.S_IFLNK: "link", stat.S_IFDIR: "folder"}
    return Item(path.name, kinds.get(stat.S_IFMT(status.st_mode), "pipe"))


def unpack(parcel: Parcel, folder: Path) -> None:
    """Lay the submission out in an empty folder, as the reader would have found it."""
    for item in parcel.items:
        path = folder / item.name
        if item.kind == "file":
            path.write_bytes(item.content)
        elif item.kind == "unread":
            with path.open("wb") as file:
                file.truncate(item.size)  # sparse: its length is all that is looked at
            path.chmod(0)
        elif item.kind == "link":
            path.symlink_to("where-the-student-pointed")
        elif item.kind == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)


def grade_parcel(parcel: Parcel, settings: Settings) -> Graded:
    """Grade one submission; this is what every worker runs, again and again, in one warm interpreter."""
    with tempfile.TemporaryDirectory(prefix="submission-") as room:
        folder = Path(room)
        unpack(parcel, folder)
        return grade_submission(folder, parcel.ps, settings)
