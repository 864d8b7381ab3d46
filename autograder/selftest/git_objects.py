"""Everything that a git repository hands on with a clone or a push: the files of all commits, removed ones too, and messages."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from arena.errors import UserError
from autograder.paths import REPOSITORY

READ = ("blob", "commit", "tag")  # a tree holds names alone


def repositories(place: Path) -> list[Path]:
    """Return the repositories in a folder, the folder itself too: with a work tree, or bare."""
    bare = (path.parent for path in place.rglob("HEAD") if (path.parent / "objects").is_dir() and path.parent.name != ".git")
    return sorted({*(path.parent for path in place.rglob(".git")), *bare})


def objects_of(repository: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of each file in each commit, and of each message; also of what no branch holds any more.

    Raises:
        UserError: git cannot read this repository.
    """
    listed = _git(repository, "rev-list", "--objects", "--all", "--reflog").decode(errors="replace")
    paths = dict(line.partition(" ")[::2] for line in listed.splitlines())
    packed, at = _git(repository, "cat-file", "--batch-all-objects", "--batch"), 0
    while at < len(packed):
        end = packed.index(b"\n", at)
        name, kind, size = packed[at:end].decode().split()
        at = end + 1 + int(size) + 1  # git writes a line feed behind each object
        if kind in READ:
            yield f"{paths.get(name) or kind} ({name[:10]} in git)", packed[end + 1 : at - 1]


def measured_at(repository: Path = REPOSITORY) -> str:
    """Return "Measured at commit 1a2b3c4." for a page of figures; `python -m scripts.stale` looks for these words."""
    try:
        name = _git(repository, "rev-parse", "--short", "HEAD").decode().strip()
    except UserError:
        return "Measured in a copy without git."
    return f"Measured at commit {name}."


def _git(repository: Path, *words: str) -> bytes:
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, stdin=subprocess.DEVNULL,
                              env=environment, check=False)
    except OSError as error:
        raise UserError(f"git is needed to read {repository}: {error.strerror}") from None
    if done.returncode != 0:
        raise UserError(f"git cannot read {repository}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
