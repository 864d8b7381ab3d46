"""User ids for workers, when the grader runs as root: no two live exercises on a host share one.

A shared id would share what the kernel counts or keeps by user: the process limit, signals, the user keyring.
The ids from 1,900,000,000 up lie above ordinary users and above the ranges that rootless containers are given.
"""

from __future__ import annotations

import fcntl
import os

from autograder.sandbox.host.locks import lock_folder, open_lock
from autograder.sandbox.wall import WallError

FIRST, PER_BLOCK, BLOCKS = 1_900_000_000, 64, 512


class UidBlock:
    """A block of user ids that this process alone uses until `close`.

    Raises:
        WallError: there is no block left, or no place for the locks.
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
        raise WallError(f"all {BLOCKS} blocks of user ids are in use ({folder}): are that many graders running on this host?")

    def next(self) -> int:
        """Return the next id; a block comes round only after the processes of its earlier use are gone."""
        uid = self._first + self._given % PER_BLOCK
        self._given += 1
        return uid

    def close(self) -> None:
        """Give the block back."""
        os.close(self._descriptor)
