"""One grader at a time in a course folder, which is closed to everybody else while it works and after it."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import Busy
from autograder.modes import close_to_others, in_course


@contextmanager
def course_lock(course: Path, say: Callable[[str], None] = print) -> Iterator[None]:
    """Hold the course's lock file; the kernel releases the lock when the process ends for any reason.

    Inside, new files and folders are for the owner of the course and its staff alone (`modes.py`).

    Args:
        say: gets a sentence if a course that was in use was open to others; it is closed then.

    Raises:
        Busy: another grader holds the lock.
    """
    in_use, warning = (course / ".lock").exists(), close_to_others(course)
    if warning and in_use:
        say(warning)
    with in_course(course), _locked(course):
        yield


@contextmanager
def _locked(course: Path) -> Iterator[None]:
    descriptor = os.open(course / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
            raise Busy(f"another grader (process {who or 'unknown'}) is at work in {course}: wait for it to end") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
