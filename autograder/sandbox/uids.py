"""User ids for workers, when the grader runs as root: no two live exercises on a host share one.

A shared id would share what the kernel counts or keeps by user: the process limit, signals, the user keyring.
The ids from 1,900,000,000 up lie above ordinary users and above the ranges that rootless containers are given.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

FIRST, PER_BLOCK, BLOCKS = 1_900_000_000, 64, 512
LOCKS = Path("/run/lock/mcts-autograder")


class UidBlock:
    """A block of user ids that this process alone uses until `close`."""

    def __init__(self, folder: Path = LOCKS) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in range(BLOCKS):
            descriptor = os.open(folder / f"block-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            self._descriptor, self._first, self._given = descriptor, FIRST + number * PER_BLOCK, 0
            return
        raise OSError(f"all {BLOCKS} blocks of user ids are in use ({folder}): are that many graders running on this host?")

    def next(self) -> int:
        """Return the next id; a block comes round only after the processes of its earlier use are gone."""
        uid = self._first + self._given % PER_BLOCK
        self._given += 1
        return uid

    def close(self) -> None:
        os.close(self._descriptor)
