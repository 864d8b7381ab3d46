"""User ids for workers of a grader that runs as root: no two running exercises on a host share an id.

Processes with the same id would share what the kernel counts or keeps for a user: the process limit, signals, the user
keyring. The ids from 1,900,000,000 up are above ordinary users and above the ranges of rootless containers.
"""

from __future__ import annotations

import fcntl
import os

from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.sandbox.host.locks import lock_folder, open_lock

FIRST, PER_BLOCK, BLOCKS = 1_900_000_000, 64, 512


class UidBlock:
    """A block of user ids that this process alone uses until `close`.

    Raises:
        SandboxUnavailable: no block is left, or the host has no place for the locks.
    """

    def __init__(self) -> None:
        for number in range(BLOCKS):
            descriptor = open_lock(f"block-{number}")
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            self._descriptor, self._first, self._given = descriptor, FIRST + number * PER_BLOCK, 0
            return
        folder = lock_folder()
        raise SandboxUnavailable(
            f"all {BLOCKS} blocks of user ids are in use ({folder}): are that many graders running on this host?")

    def next(self) -> int:
        """Return the next id; an id of the block comes again only after the processes of its earlier use have ended."""
        uid = self._first + self._given % PER_BLOCK
        self._given += 1
        return uid

    def close(self) -> None:
        """Release the block."""
        os.close(self._descriptor)
