"""Compiled UCT with one mistake: the players that must not pass the exam (see `exams.py`).

The search is a copy of `arena.players.uct` in which one step can be wrong. With Flaw.RIGHT it gives the same visits from the
same seed; a test checks this. For mistakes about player 0 and player 1, as in problem set 3, the number of stones gives the
player to move: player 0 if it is even, otherwise player 1.
"""

import math
import random

import numpy as np
from numba import njit

from arena.players.bitboard import COLUMNS, WIDTH, count, has_four, playable
from arena.players.uct import OPEN, _below, _outcome, _rollout, _untried
from autograder.selftest.exam_validation.flaws import Flaw

CUT = 10  # plies of a shortened rollout


class FlawedPlayer:
    """A player for `arena.match`: UCT with one flaw.

    Args:
        exploration: c in -W/n + c sqrt(ln N / n).
    """

    def __init__(self, flaw: Flaw, exploration: float = 1.0) -> None:
        self.flaw, self.exploration, self.name = int(flaw), exploration, flaw.name

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Return a column; `rng` gives the seeds of the search and the final move."""
        visits, totals = flawed_search(state, simulations, self.exploration, rng.getrandbits(63), self.flaw)
        return int(_final(*state, visits, totals, self.exploration, self.flaw, rng.getrandbits(63)))


def flawed_search(
    state: tuple[int, int], simulations: int, exploration: float, seed: int, flaw: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the visits, (7,) int64, and the sums, (7,) float64, of the root's children by column."""
    numbers = np.maximum(np.arange(simulations + 2), 1)
    widths = exploration * np.sqrt(np.log(numbers))
    return _grow(*state, simulations, 1 / np.sqrt(numbers), widths, seed, flaw)


@njit(cache=True)
def _grow(mover: int, other: int, simulations: int, roots: np.ndarray, widths: np.ndarray, seed: int,
          flaw: int) -> tuple[np.ndarray, np.ndarray]:
    """Grow a tree; `roots` is 1 / sqrt(n), `widths` is c sqrt(ln N)."""
    children = np.zeros((simulations + 1, WIDTH), np.int32)
    visits = np.zeros(simulations + 1, np.int64)
    totals = np.zeros(simulations + 1, np.float64)
    outcomes = np.full(simulations + 1, OPEN, np.int8)
    path = np.zeros(44, np.int32)
    generator = np.array([seed | 1], np.uint64)
    nodes = 1
    for _ in range(simulations):
        own, theirs, node, depth, stone = mover, other, 0, 0, 0
        while outcomes[node] == OPEN and visits[node] > 0:
            column = _new_child(children[node], own | theirs, generator, flaw)
            is_new = column >= 0
            if not is_new and flaw == Flaw.ONE_STEP and depth == 1:
                break
            if not is_new:
                column = _followed(children[node], visits, totals, roots, widths, visits[node], flaw, depth, generator)
            stone = (own | theirs) + (np.int64(1) << 7 * column) & COLUMNS[column]
            own, theirs = theirs, own | stone
            if is_new:
                children[node, column] = nodes
                outcomes[nodes] = _outcome(own, theirs)
                nodes += 1
            node = children[node, column]
            depth += 1
            path[depth] = node
        value = _value(own, theirs, stone, mover, other, outcomes[node], generator, flaw)
        _back_up(path, depth, value, visits, totals, count(mover | other), flaw)
    return _of_the_root(children[0], visits), _of_the_root(children[0], totals)


@njit(cache=True)
def _of_the_root(children: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    by_column = np.zeros(WIDTH, numbers.dtype)
    for column in range(WIDTH):
        if children[column]:
            by_column[column] = numbers[children[column]]
    return by_column


@njit(cache=True)
def _new_child(children: np.ndarray, occupied: int, generator: np.ndarray, flaw: int) -> int:
    """Return the column of a new child; -1 if the node counts as fully expanded."""
    if flaw == Flaw.ONE_CHILD and children.any():
        return -1
    column = _untried(children, occupied, generator)
    if flaw == Flaw.DRAWN_AGAIN and column >= 0:
        column = _untried(np.zeros_like(children), occupied, generator)
    return column


@njit(cache=True)
def _followed(children: np.ndarray, visits: np.ndarray, totals: np.ndarray, roots: np.ndarray, widths: np.ndarray,
              parent_visits: int, flaw: int, depth: int, generator: np.ndarray) -> int:
    """Return the column of the child that the search follows."""
    chosen, highest = -1, -np.inf
    for column in range(WIDTH):
        child = children[column]
        if child:
            if flaw == Flaw.MOST_VISITED:
                merit = float(visits[child])
            elif flaw == Flaw.ANY_CHILD:
                merit = float(_below(1 << 30, generator))
            else:
                greedy = flaw == Flaw.GREEDY_BELOW and depth > 0
                merit = _bound(visits[child], totals[child], roots, widths, 1 if greedy else parent_visits, flaw)
            if flaw == Flaw.LOWEST or flaw == Flaw.OTHERS_WORST and depth % 2 == 1:
                merit = -merit
            if merit > highest:
                chosen, highest = column, merit
    return chosen


@njit(cache=True)
def _bound(visits: int, total: float, roots: np.ndarray, widths: np.ndarray, parent_visits: int, flaw: int) -> float:
    """Return the bound of a child; `total` is for the player to move there."""
    if visits == 0:
        return np.inf
    inverse: float = roots[visits]
    width: float = widths[visits if flaw == Flaw.LOG_OF_CHILD else parent_visits]
    if flaw == Flaw.LOG_10:
        width /= math.sqrt(math.log(10))
    elif flaw == Flaw.NO_ROOT:
        width *= width * inverse  # for c = 1
    if flaw == Flaw.SUM:
        return width * inverse - total
    if flaw == Flaw.MEAN_NEGATED:
        return width * inverse + total * inverse * inverse
    return width * inverse - total * inverse * inverse


@njit(cache=True)
def _value(own: int, theirs: int, stone: int, mover: int, other: int, outcome: int, generator: np.ndarray, flaw: int) -> float:
    """Return the value of one simulation at a leaf, for the player to move there; `stone` was the last move."""
    turn = 1.0 if count(own | theirs) % 2 == 0 else -1.0  # factor between player 0's value and the mover's value
    if flaw == Flaw.FROM_PARENT and stone:
        return -_rollout(theirs ^ stone, own, generator)
    if flaw == Flaw.FROM_ROOT:
        return _rollout(mover, other, generator) * turn * (1.0 if count(mover | other) % 2 == 0 else -1.0)
    if flaw == Flaw.FROM_START:
        return _rollout(0, 0, generator) * turn
    if outcome != OPEN:
        value = 0.0 if flaw == Flaw.END_WORTHLESS else float(outcome)
    elif flaw == Flaw.LEFTMOST or flaw == Flaw.SECOND_LEFTMOST or flaw == Flaw.SHORT or flaw == Flaw.WIN_UNSEEN:
        value = _odd_rollout(own, theirs, generator, flaw)
    else:
        value = _rollout(own, theirs, generator)
        value = -value if flaw == Flaw.INVERTED else value
    return _misread(value, turn, flaw)


@njit(cache=True)
def _misread(value: float, turn: float, flaw: int) -> float:
    """Return a leaf's value after the flaw has changed it."""
    if value != 0 and flaw == Flaw.FOR_MOVER_AT_END:
        return -turn  # the player to move at the end has lost; the flaw gives this loss to player 0
    if value != 0 and flaw == Flaw.FOR_LAST_MOVER:
        return turn
    if flaw == Flaw.FOR_MOVER_AT_LEAF:
        return value * turn
    if flaw == Flaw.DRAW_LOSES and value == 0:
        return -turn
    if flaw == Flaw.END_WINS:
        return 1.0
    return value


@njit(cache=True)
def _odd_rollout(own: int, theirs: int, generator: np.ndarray, flaw: int) -> float:
    """Play a wrong rollout: always the leftmost column, or only for player 1; at most CUT plies; or without seeing wins."""
    value, plies = 1.0, 0
    while True:
        squares = playable(own | theirs)
        if squares == 0 or flaw == Flaw.SHORT and plies == CUT:
            return 0.0
        leftmost = flaw == Flaw.LEFTMOST or flaw == Flaw.SECOND_LEFTMOST and count(own | theirs) % 2 == 1
        if not leftmost:
            for _ in range(_below(count(squares), generator)):
                squares &= squares - 1
        own |= squares & -squares
        if flaw != Flaw.WIN_UNSEEN and has_four(own):
            return value
        own, theirs, value, plies = theirs, own, -value, plies + 1


@njit(cache=True)
def _back_up(path: np.ndarray, depth: int, value: float, visits: np.ndarray, totals: np.ndarray, root_stones: int,
             flaw: int) -> None:
    """Add one simulation's value, for the player to move at the leaf, to the nodes of the path."""
    if flaw == Flaw.FLIP_FIRST or flaw == Flaw.FIRST_PLAYERS and (root_stones + depth) % 2 == 1:
        value = -value  # for FIRST_PLAYERS this is player 0's value, for every node
    for step in range(depth, -1, -1):
        node = path[step]
        visits[node] += 1
        if flaw == Flaw.OVERWRITTEN:
            totals[node] = value
        elif flaw == Flaw.RUNNING_MEAN:
            totals[node] += (value - totals[node]) / visits[node]
        elif flaw != Flaw.NO_TOTALS and (flaw != Flaw.TWO_LEARN or step >= depth - 1):
            totals[node] += value
        if flaw == Flaw.ONE_MINUS:
            value = 1 - value
        elif flaw != Flaw.NO_FLIP and flaw != Flaw.FIRST_PLAYERS:
            value = -value


@njit(cache=True)
def _final(mover: int, other: int, visits: np.ndarray, totals: np.ndarray, exploration: float, flaw: int, seed: int) -> int:
    """Return the column of the final move."""
    generator = np.array([seed | 1], np.uint64)
    chosen, highest, index = -1, -np.inf, 0
    width = exploration * math.sqrt(math.log(max(visits.sum() + 1, 1)))
    for column in range(WIDTH):
        if (mover | other) & COLUMNS[column] == COLUMNS[column]:
            continue
        merit = -np.inf
        if flaw == Flaw.FINAL_RANDOM:
            merit = float(_below(1 << 30, generator))
        elif visits[column]:
            merit = _merit(visits[column], totals[column], width, flaw, count(mover | other) % 2)
        if merit > highest or chosen < 0:
            chosen, highest = index if flaw == Flaw.FINAL_INDEX else column, merit
        index += 1
    return chosen


@njit(cache=True)
def _merit(visits: int, total: float, width: float, flaw: int, player: int) -> float:
    """Return the merit of a child of the root for the final move of `player`."""
    if flaw == Flaw.FINAL_LEAST or flaw == Flaw.FINAL_SECOND and player == 1:
        return -float(visits)
    if flaw == Flaw.FINAL_BOUND:
        return -total / visits + width / math.sqrt(visits)
    if flaw == Flaw.FINAL_MEAN:
        return -total / visits
    if flaw == Flaw.FINAL_SUM:
        return -total
    return float(visits)
