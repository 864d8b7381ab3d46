"""The opening book of Connect Four: the exact score of every unfinished position of at most 8 plies.

Of each mirror pair the book keeps one. Its key is stones of the player to move + all stones, the smaller sum of the pair.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.players.bitboard import mirrored
from arena.shipped import shipped

DEPTH = 8  # plies
BOOK = shipped("connect_four_book.npz")


def key_of(state: tuple[int, int]) -> int:
    """Return the key of a position, the same for its mirror image."""
    own, both = state[0], state[0] | state[1]
    return min(own + both, int(mirrored(own) + mirrored(both)))


@cache
def load(path: Path = BOOK) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Return the book as (keys, ascending int64; scores int8, for the player to move)."""
    with np.load(path, allow_pickle=False) as file:
        return file["key"], file["score"]


def look_up(state: tuple[int, int]) -> int | None:
    """Return the score of `state` for the player to move, or None if the book does not hold it."""
    keys, scores = load()
    key = key_of(state)
    at = int(np.searchsorted(keys, key))
    return int(scores[at]) if at < len(keys) and keys[at] == key else None
