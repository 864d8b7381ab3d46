"""UCT for Connect Four, compiled: the same search as in problem set 2, more than a hundred times as fast.

Select, expand one random untried child, play at random to the end, back up with alternating signs; the final move is
the most visited one. All random numbers come from one seed: a seed and a position give the same move everywhere.

Source: Kocsis and Szepesvari (2006); the formula in the mover's view is -W/n + c sqrt(ln N / n).
"""

import math
import random
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.games import ConnectFour
from arena.players.bitboard import COLUMNS, FLOORS, FULL, SQUARES, WIDTH, count, has_four, playable

GAME = ConnectFour()
OPEN = 2  # a node where the game goes on; at other nodes, the outcome for the player to move there
TOPS = FLOORS << 5  # the highest square of each column


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
            ValueError: the game is over, or `simulations` is below 1.
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
        ValueError: the game is over, `simulations` is below 1, or `exploration` is not a finite number.
    """
    mover, other = state
    if not math.isfinite(exploration):  # with infinity or nan no bound would be the highest
        raise ValueError(f"the weight of exploration must be a finite number, not {exploration}")
    if simulations < 1 or has_four(other) or mover | other == FULL:
        raise ValueError(f"a search needs a game that goes on and at least 1 simulation, not {simulations}")
    return _search(mover, other, simulations, exploration, seed, *_factors(simulations.bit_length()))


class Tree(NamedTuple):
    """A tree of at most M nodes that were visited twice or more; node 0 is the root.

    A child has its figures in the row of its parent, so that a choice reads neighbouring memory. They are for the player
    to move at the child. `inverses` and `means` follow from `visits` and `totals`, but are kept, as a choice needs 7 of each.
    """

    children: NDArray[np.int32]  # (M, 7), node numbers; 0 for a child visited once, a number below 0 where the game is over
    visits: NDArray[np.int32]  # (M, 7), 0 for no child
    totals: NDArray[np.int32]  # (M, 7), sums of the values of all visits: whole numbers
    inverses: NDArray[np.float64]  # (M, 7), 1 / sqrt(visits); -1 for no child
    means: NDArray[np.float64]  # (M, 7), totals / visits; infinite for no child, so that its bound is the lowest
    untried: NDArray[np.int8]  # (M,), number of legal columns without a child


@lru_cache(maxsize=8)
def _factors(bits: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 1 / sqrt(n) and sqrt(ln n) for n below 2**bits. They take a tenth of a search's time, so they are kept."""
    return _roots(1 << bits)


@njit(cache=True)
def _roots(length: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 1 / sqrt(n) and sqrt(ln n) for n in 0 .. `length` - 1, both (length,) float64; those for 0 are those for 1."""
    numbers = np.maximum(np.arange(length), 1)
    return 1 / np.sqrt(numbers), np.sqrt(np.log(numbers))


@njit(cache=True)
def _search(mover: int, other: int, simulations: int, exploration: float, seed: int, inverses: NDArray[np.float64],
            logs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Run `simulations` simulations and return the visits of the root's children by column.

    Args:
        inverses, logs: 1 / sqrt(n) and sqrt(ln n) for every n up to `simulations`.
    """
    flat, wide = simulations, (simulations, WIDTH)  # memory that is never written is never taken
    tree = Tree(np.empty(wide, np.int32), np.empty(wide, np.int32), np.empty(wide, np.int32), np.empty(wide, np.float64),
                np.empty(wide, np.float64), np.empty(flat, np.int8))  # fmt: skip
    path = np.empty((SQUARES, 2), np.int64)  # node and column
    generator = np.array([seed | 1], np.uint64)
    _rollout(mover, other, generator)  # the first simulation; no other node has the result
    _add(tree, 0, mover | other)
    nodes = 1
    for simulation in range(1, simulations):
        own, theirs, node, depth, parent_visits, value = mover, other, 0, 0, simulation, OPEN
        while value == OPEN:
            is_new = tree.untried[node] > 0
            if is_new:
                column = _untried(tree.visits[node], own | theirs, generator)
            else:
                column = _best(tree.inverses[node], tree.means[node], exploration * logs[parent_visits])
            own, theirs = theirs, own | (own | theirs) + FLOORS & COLUMNS[column]
            path[depth, 0], path[depth, 1] = node, column
            depth += 1
            if is_new:
                tree.untried[node] -= 1
                value = _outcome(own, theirs)
                tree.children[node, column] = 0 if value == OPEN else value - OPEN
                if value == OPEN:
                    value = _rollout(own, theirs, generator)
            else:
                child = tree.children[node, column]
                if child < 0:
                    value = child + OPEN
                elif child == 0:
                    tree.children[node, column] = child = nodes
                    _add(tree, nodes, own | theirs)
                    nodes += 1
                parent_visits = tree.visits[node, column]
                node = child
        for step in range(depth - 1, -1, -1):
            _back_up(tree, path[step, 0], path[step, 1], value, inverses)
            value = -value
    visits: NDArray[np.int64] = tree.visits[0].astype(np.int64)
    return visits


@njit(cache=True)
def _add(tree: Tree, node: int, occupied: int) -> None:
    """Make a node without children for a position where the game goes on."""
    tree.untried[node] = count(playable(occupied))
    for column in range(WIDTH):
        tree.visits[node, column] = 0
        tree.totals[node, column] = 0
        tree.inverses[node, column] = -1.0
        tree.means[node, column] = np.inf


@njit(cache=True)
def _back_up(tree: Tree, node: int, column: int, value: int, inverses: NDArray[np.float64]) -> None:
    """Add one visit to a child; `value` is for the player to move there."""
    visits = tree.visits[node, column] + 1
    total = tree.totals[node, column] + value
    inverse = inverses[visits]
    tree.visits[node, column], tree.totals[node, column] = visits, total
    tree.inverses[node, column], tree.means[node, column] = inverse, total * inverse * inverse


@njit(cache=True)
def _outcome(own: int, theirs: int) -> int:
    """Return the outcome for the player to move, or OPEN: only the player who moved last can have four in a row."""
    if has_four(theirs):
        return -1
    return 0 if own | theirs == FULL else OPEN


@njit(cache=True)
def _untried(children: NDArray[np.int32], occupied: int, generator: NDArray[np.uint64]) -> int:
    """Return a random legal column without a child, -1 if all have one; for a column without a child, `children` has 0."""
    chosen, tried = -1, 0
    for column in range(WIDTH):
        if children[column] == 0 and occupied & COLUMNS[column] != COLUMNS[column]:
            tried += 1
            if tried == 1 or _below(tried, generator) == 0:
                chosen = column
    return chosen


@njit(cache=True)
def _best(inverses: NDArray[np.float64], means: NDArray[np.float64], log: float) -> int:
    """Return the column whose child has the highest bound, the first of equals.

    Args:
        inverses, means: (7,) float64, the node's rows in the tree.
        log: c sqrt(ln N) of the node.
    """
    chosen, highest = -1, -np.inf
    for column in range(WIDTH):
        bound = log * inverses[column] - means[column]
        if bound > highest:
            chosen, highest = column, bound
    return chosen


@njit(cache=True)
def _rollout(own: int, theirs: int, generator: NDArray[np.uint64]) -> int:
    """Play at random to the end and return the outcome for the player to move at the start.

    Each ply draws one number. One integer holds the open columns, a byte each, so that no loop looks for the drawn one.
    """
    occupied = own | theirs
    open_columns, number = 0, 0  # the byte of a column is 7 * column, the place of its lowest bit
    for column in range(WIDTH - 1, -1, -1):
        if occupied & COLUMNS[column] != COLUMNS[column]:
            open_columns = open_columns << 8 | 7 * column
            number += 1
    state, value = generator[0], 1
    while number:
        state = _next(state)
        place = 8 * int(_scaled(state, number))
        square = occupied + FLOORS & 0b111111 << (open_columns >> place & 63)
        occupied |= square
        own |= square
        if has_four(own):
            break
        if square & TOPS:
            below = (1 << place) - 1
            open_columns = open_columns & below | open_columns >> 8 & ~below
            number -= 1
        own, theirs, value = theirs, own, -value
    generator[0] = state
    return value if number else 0


@njit(cache=True)
def _below(limit: int, generator: NDArray[np.uint64]) -> np.int64:
    """Return a random number in 0 .. limit - 1 (the bias of 7 in 2**32 does not matter here)."""
    generator[0] = _next(generator[0])
    return _scaled(generator[0], limit)


@njit(cache=True)
def _next(state: np.uint64) -> np.uint64:
    """Return the generator's next state: Marsaglia's xorshift64*."""
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    return state ^ state >> np.uint64(27)


@njit(cache=True)
def _scaled(state: np.uint64, limit: int) -> np.int64:
    """Return the number in 0 .. limit - 1 that belongs to a state of the generator."""
    high = state * np.uint64(0x2545F4914F6CDD1D) >> np.uint64(32)
    return np.int64(high * np.uint64(limit) >> np.uint64(32))
