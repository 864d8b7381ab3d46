"""Who runs beside whom on this host: exercises run in company, and one that the host may have wronged runs again alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.sandbox.host.locks import open_lock


class HostLock:
    """Holds a place among the exercises that this user's graders run on this host, until `leave`.

    Two file locks: the room is shared by those at work, and whoever wants it alone shuts the door before waiting
    for it to empty, so that newcomers do not keep him waiting for ever.

    Raises:
        WallError: there is no safe place for the locks; the text says what to do.
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
        """Wait until the others have finished their exercises; until the end of the block none begins."""
        fcntl.flock(self._room, fcntl.LOCK_UN)  # first: two who wait must not wait for each other
        fcntl.flock(self._door, fcntl.LOCK_EX)
        fcntl.flock(self._room, fcntl.LOCK_EX)
        fcntl.flock(self._door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self._room, fcntl.LOCK_UN)
            self._enter()

    def leave(self) -> None:
        """Give the place up."""
        os.close(self._room)
        os.close(self._door)
