"""The files of a submission as data: read once, hashed once, and sent to a worker on this or another machine."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.limited_child import failure_text
from autograder.problem_sets.source import facts_of
from autograder.submission.discover import MODULE, UNREAD_KINDS, Other, file_names, others
from autograder.submission.gate import read_below, status_below

MAX_FILE_BYTES = 16 * 2**20
_FILE_TYPES = {"unread": stat.S_IFREG, "link": stat.S_IFLNK, "folder": stat.S_IFDIR, "pipe": stat.S_IFIFO}


@dataclass(frozen=True)
class Item:
    """One directory entry: a regular file with its bytes, or another entry of this name; `name` is its path in the folder.

    kind: "file", "unread" (too large, not readable or not to be read: only `size` is known), "link", "folder" or "pipe".
    """

    name: str
    kind: str
    content: bytes = b""
    size: int = 0

    @property
    def hashed(self) -> bytes:
        """The entry's part of the submission's hash: the bytes; for an entry that was not read, its kind and its size."""
        return self.content if self.kind == "file" else f"not read: {_FILE_TYPES[self.kind]} {self.size}".encode()


@dataclass(frozen=True)
class Payload:
    """The data for a worker to grade one submission. It has no student's name, so the name cannot influence a grade.

    others: files of other names that may be the submission. failure: for staff, why the files could not be read, or "".
    """

    ps: str
    items: tuple[Item, ...]
    others: tuple[Other, ...] = ()
    failure: str = ""

    def item(self, name: str) -> Item | None:
        """Return the entry of this name, or None."""
        return next((item for item in self.items if item.name == name), None)

    @cached_property
    def sha256(self) -> str:
        """The hash of all files that may be graded, with their names; reports are stored under this hash."""
        names = [*file_names(self.ps).values(), *(other.name for other in self.others)]
        digest = hashlib.sha256()
        for item in self._present(names):
            digest.update(f"{item.name}\0{len(item.hashed)}\0".encode() + item.hashed)
        return digest.hexdigest()

    @cached_property
    def player_sha256(self) -> str:
        """The hash of all bytes that make a player: the graded files, and the weights beside them."""
        beside, digest = self._present(facts_of(self.ps).beside), hashlib.sha256(self.sha256.encode())
        for item in beside:
            digest.update(f"{item.name}\0{item.kind}\0{item.size}\0".encode() + item.content)
        return digest.hexdigest() if beside else self.sha256

    def _present(self, names: Iterable[str]) -> list[Item]:
        return [item for name in names if (item := self.item(name)) is not None]


def module_payload(ps: str, text: str) -> Payload:
    """Return a module of ours as a submission's files."""
    return Payload(ps, (Item(file_names(ps)[MODULE], "file", text.encode()),))


def read_payload(folder: Path, ps: str) -> Payload:
    """Read the two forms, the files beside them, and work under other names; follow no links (see gate.py).

    Never raises: a submission that cannot be read does not stop a class.
    """
    try:
        candidates = others(folder, ps)
        names = dict.fromkeys((*file_names(ps).values(), *facts_of(ps).beside), False)
        names |= {other.name: other.kind in UNREAD_KINDS for other in candidates}
        items = (read_item(folder, name, unread) for name, unread in names.items())
        return Payload(ps, tuple(item for item in items if item is not None), candidates)
    except Exception as error:
        return Payload(ps, (), failure=failure_text(error))


def read_item(folder: Path, name: str, unread: bool = False) -> Item | None:
    """Return one directory entry, or None; an entry that must not be read is not opened."""
    content = None if unread else read_below(folder, name, MAX_FILE_BYTES)
    if content is not None:
        return Item(name, "file", content)
    status = status_below(folder, name)
    if status is None:
        return None
    if stat.S_ISREG(status.st_mode):
        return Item(name, "unread", size=status.st_size)
    kinds = {stat.S_IFLNK: "link", stat.S_IFDIR: "folder"}
    return Item(name, kinds.get(stat.S_IFMT(status.st_mode), "pipe"))
