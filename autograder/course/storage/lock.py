"""One grader at a time in a course folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import Busy


@contextmanager
def course_lock(course: Path) -> Iterator[None]:
    """Hold the course's lock file; the kernel releases the lock when the process ends for any reason.

    Raises:
        Busy: another grader holds the lock.
    """
    descriptor = os.open(course / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
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
