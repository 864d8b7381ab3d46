"""Folders that last as long as somebody works in them. Those of a process that was killed go when the next one begins."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PREFIX = "submission-"
YOUNG_S = 60.0  # between making a folder and locking it lies a moment; one that is younger is left alone


@contextmanager
def temporary_room() -> Iterator[Path]:
    """Yield an empty folder that only this user can enter; it is gone at the end."""
    _clear_up(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        lock = _open(Path(folder))
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield Path(folder)
        finally:
            os.close(lock)


@cache  # once in a process: who works for hours must not look around before every submission
def _clear_up(where: str) -> None:
    """Remove the folders of this user's that nobody holds any more."""
    for folder in Path(where).glob(f"{PREFIX}*"):
        try:
            lock = _open(folder)
        except OSError:  # no folder, a link, or somebody else's
            continue
        try:
            status = os.fstat(lock)
            if status.st_uid == os.geteuid() and time.time() - status.st_ctime > YOUNG_S:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            pass  # its owner is at work
        finally:
            os.close(lock)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
