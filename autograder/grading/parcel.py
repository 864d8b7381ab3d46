"""A submission as data, so that it can travel to a worker on this machine or on another."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from autograder.files import read_regular
from autograder.grading.find import file_names, others
from autograder.grading.room import temporary_room
from autograder.grading.settings import Graded, Settings
from autograder.grading.submission import MAX_FILE_BYTES, UNREAD_KINDS, unreadable
from autograder.limits import trouble_of

# What may lie beside the two files, read by the challenge and by no hidden check.
BESIDE = {"ps5_alphazero": ("weights.npz",)}


@dataclass(frozen=True)
class Item:
    """One directory entry: a regular file with its bytes, or what stands in its place; `name` is its path in the folder.

    kind: "file", "unread" (too large, not readable or not to be read: only `size` travels), "link", "folder" or "pipe".
    """

    name: str
    kind: str
    content: bytes = b""
    size: int = 0


@dataclass(frozen=True)
class Parcel:
    """What a worker needs to grade one submission. The student's name is not in it: nobody is graded by name.

    trouble: for staff, why its files could not be packed, or "".
    """

    ps: str
    items: tuple[Item, ...]
    trouble: str = ""


def pack(folder: Path, ps: str) -> Parcel:
    """Read the two files that count, what may lie beside them, and work under other names, without following links.

    Never raises: a class goes on without a submission that cannot be packed.
    """
    try:
        return _pack(folder, ps)
    except Exception as error:
        return Parcel(ps, (), trouble_of(error))


def _pack(folder: Path, ps: str) -> Parcel:
    names = {name: False for name in (*file_names(ps).values(), *BESIDE.get(ps, ()))}
    names |= {other.name: other.kind in UNREAD_KINDS for other in others(folder, ps)}
    return Parcel(ps, tuple(item for name, unread in names.items() if (item := _pack_one(folder, name, unread)) is not None))


def _pack_one(folder: Path, name: str, unread: bool) -> Item | None:
    path = folder / name
    content = None if unread else read_regular(path, MAX_FILE_BYTES)
    if content is not None:
        return Item(name, "file", content)
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    if stat.S_ISREG(status.st_mode):
        return Item(name, "unread", size=status.st_size)
    kinds = {stat.S_IFLNK: "link", stat.S_IFDIR: "folder"}
    return Item(name, kinds.get(stat.S_IFMT(status.st_mode), "pipe"))


def unpack(parcel: Parcel, folder: Path) -> None:
    """Lay the submission out in an empty folder, as the reader would have found it."""
    for item in parcel.items:
        path = folder / item.name
        path.parent.mkdir(parents=True, exist_ok=True)
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
    from autograder.grading.grade import grade_submission, not_graded  # only here: who hands out the parcels needs neither

    if parcel.trouble:
        return not_graded(unreadable(parcel.ps, hashlib.sha256(b"").hexdigest(), parcel.trouble))
    with temporary_room() as folder:
        unpack(parcel, folder)
        return grade_submission(folder, parcel.ps, settings)
