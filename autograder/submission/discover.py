"""Find work under another name: files in a submission's folder beside the two files that the assignment asks for.

Browsers, mail programs and learning platforms rename files, and archives add folders. This module looks only at names;
the contents decide which file is graded (see read.py).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.plain_text import KEPT, plain_text
from autograder.problem_sets.source import names
from autograder.submission.gate import LONGEST_NAME, MOST_ENTRIES, opened, status_below

NOTEBOOK, MODULE, NONE = "notebook", "module", "none"
EITHER, ARCHIVE, FOREIGN, PAPER = "either", "archive", "foreign", "paper"
UNREAD_KINDS = (ARCHIVE, FOREIGN, PAPER)
MOST_FOUND = 6
MOST_BYTES = 32 * 2**20  # of all files together: they go to a worker, which parses them
DEEPEST = 3
_SUFFIXES = {".ipynb": NOTEBOOK, ".py": MODULE, ".zip": ARCHIVE, ".7z": ARCHIVE, ".rar": ARCHIVE, ".gz": ARCHIVE, ".tar": ARCHIVE}
_SUFFIXES |= dict.fromkeys((".pdf", ".docx", ".html", ".rtf"), PAPER)
_ADDED = (".txt", ".json")  # endings that programs without knowledge of notebooks add
_LEFTOVERS = ("__MACOSX", "__pycache__")


@dataclass(frozen=True)
class Entry:
    """One submission: the student's folder name (data, never code) and the folder."""

    student: str
    folder: Path


@dataclass(frozen=True)
class Other:
    """A file that may be the submission: its path within the folder, and its kind, which its name shows.

    kind: NOTEBOOK or MODULE; EITHER without an ending; ARCHIVE, FOREIGN with another set's name, or PAPER: these are never read.
    """

    name: str
    kind: str


def file_names(ps: str) -> dict[str, str]:
    """Return the file name that the assignment asks for, for each form."""
    return {NOTEBOOK: f"{ps}.ipynb", MODULE: f"{ps}.py"}


def others(folder: Path, ps: str) -> tuple[Other, ...]:
    """Return files that may be the submission under another name, sorted; no links, hidden files or leftovers.

    If names contain the set's name, only those files count. Other names count only if no file has a right name. Paper, such as
    a PDF, is mentioned only if there is nothing else.
    """
    asked = set(file_names(ps).values())
    files = [Other(name, kind) for name in _files(folder) if name not in asked and (kind := _kind(Path(name).name, ps))]
    files = [file for file in files if file.kind != PAPER] or files
    named = [file for file in files if _plain(ps) in _plain(Path(file.name).name)]
    if not named and any(_is_file(folder, name) for name in asked):
        return ()
    return _affordable(folder, named or files)


def _affordable(folder: Path, files: list[Other]) -> tuple[Other, ...]:
    """Keep at most as many files as one submission may have."""
    kept, room = list[Other](), MOST_BYTES
    for file in sorted(files, key=lambda file: (file.kind in UNREAD_KINDS, file.name)):
        size = 0 if file.kind in UNREAD_KINDS else _size(folder, file.name)
        if len(kept) < MOST_FOUND and size <= room:
            kept.append(file)
            room -= size
    return tuple(kept)


def _is_file(folder: Path, name: str) -> bool:
    status = status_below(folder, name)
    return status is not None and stat.S_ISREG(status.st_mode)


def _size(folder: Path, name: str) -> int:
    status = status_below(folder, name)
    return 0 if status is None else status.st_size  # its reader reports that it cannot be read


def _files(folder: Path) -> Iterator[str]:
    """Yield the paths of regular files in a folder and the folders below it, each folder's own files first."""
    waiting, seen = [""], 0
    while waiting:
        here = waiting.pop(0)
        for entry, mode in _entries(folder, here):
            seen += 1
            if seen > MOST_ENTRIES:
                return
            if entry.startswith(".") or entry in _LEFTOVERS or not _can_be_shown(entry):
                continue
            name = f"{here}/{entry}" if here else entry
            if stat.S_ISDIR(mode) and name.count("/") + 1 < DEEPEST:
                waiting.append(name)
            elif stat.S_ISREG(mode) and len(name) <= LONGEST_NAME:
                yield name


def _entries(folder: Path, here: str) -> list[tuple[str, int]]:
    """Return the names in a folder with their modes, sorted, as far as they count; mode 0 for what cannot be looked at."""
    try:
        with opened(folder, *filter(None, here.split("/"))) as descriptor:
            names = sorted(os.listdir(descriptor), key=os.fsencode)[:MOST_ENTRIES + 1]
            return [(name, _mode(name, descriptor)) for name in names]
    except OSError:
        return []


def _mode(name: str, folder: int) -> int:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:  # a folder that may be listed but not entered
        return 0


def _can_be_shown(name: str) -> bool:
    return plain_text(name) == name and KEPT.isdisjoint(name)


def _kind(name: str, ps: str) -> str | None:
    """Return a file's kind from its name; None if it is not a submission."""
    stem, suffix = os.path.splitext(name.casefold())
    if suffix in _ADDED:
        stem, suffix = os.path.splitext(stem)
    kind = _SUFFIXES.get(suffix)
    if kind is None and suffix == "" and _plain(name) == _plain(ps):
        kind = EITHER
    if kind in (NOTEBOOK, MODULE) and _plain(ps) not in _plain(name) and any(_plain(other) in _plain(name) for other in names()):
        return FOREIGN
    return kind


def _plain(name: str) -> str:
    """Return letters and digits alone: "PS2 - UCT (1)" and "ps2_uct" then begin alike."""
    return re.sub(r"[\W_]", "", name.casefold())
