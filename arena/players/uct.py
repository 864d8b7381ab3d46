"""UCT for Connect Four, compiled: the same search as in problem set 2, about fifty times as fast.

Select, expand one random untried child, play at random to the end, back up with alternating signs; the final move is
the most visited one. All random numbers come from one seed: a seed and a position give the same move everywhere.

Source: Kocsis and Szepesvari (2006); the formula in the mover's view is -W/n + c sqrt(ln N / n).
"""

import math
import random

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.games import ConnectFour
from arena.players.bitboard import COLUMNS, FULL, WIDTH, count, has_four, playable

GAME = ConnectFour()
OPEN = np.int8(2)  # a node where the game goes on; at other nodes, the outcome for the player to move there


class UCTPlayer:
    """A player for `arena.match`: plain UCT with random rollouts and no memory between moves.

    Args:
        exploration: c in -W/n + c sqrt(ln N / n).
    """

    def __init__(self, exploration: float = 1.0) -> None:
        self.exploration = exploration

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Return the most visited column after `simulations` simulations; after 1, which visits only the root, any legal one.

        Args:
            state: (mover, other) of `arena.games.ConnectFour`, not finished.
            rng: gives the seed of this search and nothing else.

        Raises:
            ValueError: the game is over, or there are no simulations.
        """
        seed = rng.getrandbits(63)
        visits = visit_counts(state, simulations, self.exploration, seed)
        if visits.any():
            return int(visits.argmax())
        open_columns = GAME.legal_actions(state)
        return open_columns[seed % len(open_columns)]


def visit_counts(state: tuple[int, int], simulations: int, exploration: float, seed: int) -> NDArray[np.int64]:
    """Return how often each column was visited from `state`: (7,) int64, in all `simulations` - 1.

    Raises:
        ValueError: the game is over, there are no simulations, or `exploration` is no finite number.
    """
    mover, other = state
    if not math.isfinite(exploration):  # with infinity or nan no bound would be the highest
        raise ValueError(f"the weight of exploration must be a finite number, not {exploration}")
    if simulations < 1 or has_four(other) or mover | other == FULL:
        raise ValueError(f"a search needs a game that goes on and at least 1 simulation, not {simulations}")
    return _search(mover, other, simulations, exploration, seed)


@njit(cache=True)
def _search(mover: int, other: int, simulations: int, exploration: float, seed: int) -> NDArray[np.int64]:
    """Grow a tree of `simulations` nodes and return the visits of the root's children by column."""
    children = np.zeros((simulations + 1, WIDTH), np.int32)  # node numbers; 0, the number of the root, means "no child"
    visits = np.zeros(simulations + 1, np.int64)
    totals = np.zeros(simulations + 1, np.float64)  # for the player to move at the node
    outcomes = np.full(simulations + 1, OPEN, np.int8)
    path = np.zeros(44, np.int32)
    roots = 1 / np.sqrt(np.maximum(np.arange(simulations + 2), 1))
    logs = exploration * np.sqrt(np.log(np.maximum(np.arange(simulations + 2), 1)))
    generator = np.array([seed | 1], np.uint64)
    nodes = 1
    for _ in range(simulations):
        own, theirs, node, depth = mover, other, 0, 0
        path[0] = 0
        while outcomes[node] == OPEN and visits[node] > 0:
            column = _untried(children[node], own | theirs, generator)
            if column < 0:
                column = _best(children[node], visits, totals, roots, logs[visits[node]])
            stone = (own | theirs) + (np.int64(1) << 7 * column) & COLUMNS[column]
            own, theirs = theirs, own | stone
            if children[node, column] == 0:
                children[node, column] = nodes
                outcomes[nodes] = _outcome(own, theirs)
                nodes += 1
            node = children[node, column]
            depth += 1
            path[depth] = node
        value = float(outcomes[node]) if outcomes[node] != OPEN else _rollout(own, theirs, generator)
        for step in range(depth, -1, -1):
            visits[path[step]] += 1
            totals[path[step]] += value
            value = -value
    result = np.zeros(WIDTH, np.int64)
    for column in range(WIDTH):
        if children[0, column]:
            result[column] = visits[children[0, column]]
    return result


@njit(cache=True)
def _outcome(own: int, theirs: int) -> int:
    """Return the outcome for the player to move, or OPEN: only the player who moved last can have four in a row."""
    if has_four(theirs):
        return -1
    return 0 if own | theirs == FULL else 2


@njit(cache=True)
def _untried(children: NDArray[np.int32], occupied: int, generator: NDArray[np.uint64]) -> int:
    """Return a random legal column without a child, -1 when there is none."""
    chosen, tried = -1, 0
    for column in range(WIDTH):
        if children[column] == 0 and occupied & COLUMNS[column] != COLUMNS[column]:
            tried += 1
            if tried == 1 or _below(tried, generator) == 0:
                chosen = column
    return chosen


@njit(cache=True)
def _best(children: NDArray[np.int32], visits: NDArray[np.int64], totals: NDArray[np.float64], roots: NDArray[np.float64],
          log: float) -> int:
    """Return the column whose child has the highest bound; `log` is c sqrt(ln N), `roots` is 1 / sqrt(n)."""
    chosen, highest = -1, -np.inf
    for column in range(WIDTH):
        child = children[column]
        if child:
            inverse = roots[visits[child]]
            bound = log * inverse - totals[child] * inverse * inverse
            if bound > highest:
                chosen, highest = column, bound
    return chosen


@njit(cache=True)
def _rollout(own: int, theirs: int, generator: NDArray[np.uint64]) -> float:
    """Play at random to the end and return the outcome for the player to move at the start."""
    value = 1.0
    while True:
        squares = playable(own | theirs)
        if squares == 0:
            return 0.0
        for _ in range(_below(count(squares), generator)):
            squares &= squares - 1
        own |= squares & -squares
        if has_four(own):
            return value
        own, theirs, value = theirs, own, -value


@njit(cache=True)
def _below(limit: int, generator: NDArray[np.uint64]) -> np.int64:
    """Return a random number in 0 .. limit - 1 (Marsaglia's xorshift64*; the bias of 7 in 2**32 does not matter here)."""
    state = generator[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    generator[0] = state
    high = state * np.uint64(0x2545F4914F6CDD1D) >> np.uint64(32)
    return np.int64(high * np.uint64(limit) >> np.uint64(32))
