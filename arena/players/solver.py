"""A solver for Connect Four: the exact score of any position, by alpha-beta over bitboards, compiled.

The score is Pons' convention, for the player to move: 0 is a draw; +k a win with the k-th last stone that the winner
could still place (more is sooner), -k a loss just so. `plies_to_end` turns it into moves.

The search is a negamax with null windows, narrowed from both sides; it skips moves that lose at once, tries those first
that make most threats, and remembers bounds in a table of positions, mirror images being one.

Source: Allis, "A Knowledge-based Approach of Connect-Four" (1988); Pascal Pons, "Solving Connect 4: how to build a
perfect AI" (the plan of the search). The code is our own.
"""

import numpy as np
from numba import njit

from arena.players.bitboard import COLUMNS, FLOORS, SQUARES, WIDTH, count, mirrored, playable, winning_squares

TABLE_BITS = 22
HIGHEST = 21  # of all scores
CENTRE_FIRST = np.array([3, 2, 4, 1, 5, 0, 6], np.int64)
MIRROR_UNTIL = 14  # stones; later on mirror images hardly ever meet
UNKNOWN = -128  # of a column that cannot be played
# An entry of the table is key << 8 | bound + ZERO, a lower bound another LOWER higher.
ZERO, LOWER = 64, 100
MULTIPLIER = 0x9E3779B97F4A7C1


class Solver:
    """Solves positions, and remembers what it learnt from one to the next.

    Args:
        table_bits: the table has 2**table_bits entries of 8 bytes.
    """

    def __init__(self, table_bits: int = TABLE_BITS) -> None:
        self._table = np.full(1 << table_bits, 0, np.int64)  # written once: else its first use pays for every page

    def score(self, state: tuple[int, int]) -> int:
        """Return the score of `state` for the player to move; the game must go on there."""
        mover, other = state
        return int(_solve(mover, mover | other, self._table))

    def scores(self, state: tuple[int, int]) -> list[int | None]:
        """Return the score of each column for the player to move; None for a full column."""
        mover, other = state
        found = _solve_moves(mover, mover | other, self._table)
        return [None if score == UNKNOWN else int(score) for score in found]


def plies_to_end(state: tuple[int, int], score: int) -> int:
    """Return how many plies the game lasts from `state` when both play perfectly and its score is `score`."""
    stones = (state[0] | state[1]).bit_count()
    if score == 0:
        return SQUARES - stones
    # the winner's last stone is number 22 - |score| of the winner's own
    by_winner = 22 - abs(score)
    mover_won = score > 0
    first_won = mover_won == (stones % 2 == 0)
    return 2 * by_winner - (1 if first_won else 0) - stones


@njit(cache=True)
def _solve(own: int, occupied: int, table: np.ndarray) -> int:
    """Return the exact score for the player to move, whose stones are `own`; the game is not over."""
    stones = count(occupied)
    if winning_squares(own, occupied) & playable(occupied):
        return (SQUARES + 1 - stones) // 2
    order = np.empty((SQUARES, 2, WIDTH), np.int64)
    low, high = -((SQUARES - stones) // 2), (SQUARES - 1 - stones) // 2
    while low < high:
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = -(-low // 2)
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        score = _negamax(own, occupied, middle, middle + 1, stones, table, order)
        if score <= middle:
            high = score
        else:
            low = score
    return low


@njit(cache=True)
def _solve_moves(own: int, occupied: int, table: np.ndarray) -> np.ndarray:
    """Return the score of each column, (7,) int64; UNKNOWN where it is full."""
    found = np.full(WIDTH, UNKNOWN, np.int64)
    stones = count(occupied)
    wins = winning_squares(own, occupied)
    for column in range(WIDTH):
        square = playable(occupied) & COLUMNS[column]
        if square & wins:
            found[column] = (SQUARES + 1 - stones) // 2
        elif square and stones == SQUARES - 1:
            found[column] = 0
        elif square:
            found[column] = -_solve(own ^ occupied, occupied | square, table)
    return found


@njit(cache=True)
def _negamax(own: int, occupied: int, alpha: int, beta: int, stones: int, table: np.ndarray, order: np.ndarray) -> int:
    """Return the score if it lies between alpha and beta, else a bound on its side. The mover has no win at once."""
    squares = _not_losing(own ^ occupied, occupied)
    if squares == 0:
        return -((SQUARES - stones) // 2)
    if stones >= SQUARES - 2:
        return 0
    window = alpha
    alpha = max(alpha, -((SQUARES - 2 - stones) // 2))  # they cannot win with their next stone any more
    beta = min(beta, (SQUARES - 1 - stones) // 2)  # nor we with this one
    index, key = _slot(own, occupied, stones, table)
    entry = table[index]
    if entry >> 8 == key:
        bound = (entry & 0xFF) - ZERO
        if bound > HIGHEST:
            alpha = max(alpha, bound - LOWER)
        else:
            beta = min(beta, bound)
    if alpha >= beta:
        return alpha if alpha > window else beta
    moves, ranks = order[stones, 0], order[stones, 1]
    size = _order(own, occupied, squares, moves, ranks)
    for place in range(size):
        score = -_negamax(own ^ occupied, occupied | moves[place], -beta, -alpha, stones + 1, table, order)
        if score >= beta:
            table[index] = key << 8 | score + ZERO + LOWER
            return score
        alpha = max(alpha, score)
    table[index] = key << 8 | alpha + ZERO
    return alpha


@njit(cache=True)
def _not_losing(theirs: int, occupied: int) -> int:
    """Return the squares to play on that do not let the other player win at once; 0 when there is none."""
    squares = playable(occupied)
    threats = winning_squares(theirs, occupied)
    forced = squares & threats
    if forced & forced - 1:
        return 0  # two threats, one stone
    if forced:
        squares = forced
    return squares & ~(threats >> 1)  # under a threat one does not play


@njit(cache=True)
def _slot(own: int, occupied: int, stones: int, table: np.ndarray) -> tuple[int, int]:
    """Return the table's index and the key of a position; early in the game a mirror image has the same."""
    key = own + occupied + FLOORS
    if stones < MIRROR_UNTIL:
        key = min(key, mirrored(own) + mirrored(occupied) + FLOORS)
    return (key * MULTIPLIER >> 20) & (len(table) - 1), key


@njit(cache=True)
def _order(own: int, occupied: int, squares: int, moves: np.ndarray, ranks: np.ndarray) -> int:
    """Put the moves into `moves`, those first that make most threats, then the centre; return how many they are."""
    size = 0
    for place in range(WIDTH):
        square = squares & COLUMNS[CENTRE_FIRST[place]]
        if square:
            rank = count(winning_squares(own | square, occupied | square))
            at = size
            while at > 0 and ranks[at - 1] < rank:
                ranks[at], moves[at] = ranks[at - 1], moves[at - 1]
                at -= 1
            ranks[at], moves[at] = rank, square
            size += 1
    return size
