"""The answers that a network gave before: searches of one game, and of many games, ask about the same positions again.

A table with one row for each answer. A position has a few neighbouring rows; when all of them are taken, the new answer
replaces one. The table must be emptied when the network changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.players.puct.forest import Forest

NEIGHBOURS = 4


class Memory(NamedTuple):
    """N answers (a power of two; 0 to keep none) for games with A actions."""

    taken: NDArray[np.bool_]  # (N,)
    own: NDArray[np.int64]  # (N,), stones of the player to move
    theirs: NDArray[np.int64]  # (N,)
    priors: NDArray[np.float32]  # (N, A)
    value: NDArray[np.float32]  # (N,), for the player to move


def new_memory(rows: int, num_actions: int) -> Memory:
    """Return an empty table; `rows` is 0 or a power of two."""
    return Memory(np.zeros(rows, np.bool_), np.zeros(rows, np.int64), np.zeros(rows, np.int64),
                  np.zeros((rows, num_actions), np.float32), np.zeros(rows, np.float32))  # fmt: skip


@njit(cache=True)
def recall(memory: Memory, forest: Forest, tree: int, node: int) -> bool:
    """Answer a node from the table; return whether the answer was there."""
    rows = len(memory.taken)
    if rows == 0:
        return False
    own, theirs = forest.own[tree, node], forest.theirs[tree, node]
    first = _row(own, theirs)
    for step in range(NEIGHBOURS):
        row = first + step & rows - 1
        if not memory.taken[row]:
            return False
        if memory.own[row] == own and memory.theirs[row] == theirs:
            forest.priors[tree, node] = memory.priors[row]
            forest.value[tree, node] = memory.value[row]
            forest.answered[tree, node] = True
            return True
    return False


@njit(cache=True)
def remember(memory: Memory, forest: Forest, tree: int, node: int) -> None:
    """Keep the answer of a node."""
    rows = len(memory.taken)
    if rows == 0:
        return
    own, theirs = forest.own[tree, node], forest.theirs[tree, node]
    row = _row(own, theirs) & rows - 1
    for _ in range(NEIGHBOURS - 1):
        if not memory.taken[row] or memory.own[row] == own and memory.theirs[row] == theirs:
            break
        row = row + 1 & rows - 1
    memory.taken[row] = True
    memory.own[row], memory.theirs[row] = own, theirs
    memory.priors[row] = forest.priors[tree, node]
    memory.value[row] = forest.value[tree, node]


@njit(cache=True)
def _row(own: int, theirs: int) -> int:
    """Return a number that spreads positions over the rows (multiplication by odd constants, as in Fibonacci hashing)."""
    mixed = own * -7046029254386353131 ^ theirs * -4417276706812531889
    return (mixed ^ mixed >> 29) * -4658895280553007687 >> 20
