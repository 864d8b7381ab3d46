"""Exercises on this host run side by side; an exercise that the host may have disturbed runs again alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.sandbox.host.locks import open_lock


class HostLock:
    """One place among the exercises that this user's graders run on this host, until `leave`.

    Two file locks, the room and the door: each running exercise holds a shared lock on the room. An exercise that must run
    alone locks the door, then waits for the room. A new exercise waits at the door, so that the wait for the room ends.

    Raises:
        SandboxUnavailable: the host has no safe place for the locks; the text says what to do.
    """

    def __init__(self) -> None:
        self._room, self._door = open_lock("room"), open_lock("door")
        self._enter()

    def _enter(self) -> None:
        fcntl.flock(self._door, fcntl.LOCK_SH)
        fcntl.flock(self._room, fcntl.LOCK_SH)
        fcntl.flock(self._door, fcntl.LOCK_UN)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until the other exercises have ended; none of them begins before the end of the block."""
        fcntl.flock(self._room, fcntl.LOCK_UN)  # first: else two graders would wait for each other
        fcntl.flock(self._door, fcntl.LOCK_EX)
        fcntl.flock(self._room, fcntl.LOCK_EX)
        fcntl.flock(self._door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self._room, fcntl.LOCK_UN)
            self._enter()

    def leave(self) -> None:
        """Release both locks."""
        os.close(self._room)
        os.close(self._door)
