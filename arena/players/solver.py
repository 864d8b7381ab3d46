"""A solver for Connect Four: the exact score of any position, by alpha-beta over bitboards, compiled.

The score follows Pons' convention, for the player to move: 0 is a draw; +k is a win with the k-th last stone that the
winner could still place (a higher k is a sooner win); -k is a loss in the same way. `plies_to_end` turns it into moves.

The search is a negamax that asks one question: "is the score above this bound?". Several such questions close in on the
exact score. The search looks one move further than it goes: it skips moves that lose at once, sees the move after which every
reply loses, tries first the moves that make most threats, and remembers bounds in a table of positions, where mirror images
share an entry.

Source: Allis, "A Knowledge-based Approach of Connect-Four" (1988); Pascal Pons, "Solving Connect 4: how to build a
perfect AI" (the plan of the search). The code is our own.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.players.bitboard import COLUMNS, FLOORS, SQUARES, WIDTH, count, mirrored, not_losing, playable, winning_squares
from arena.players.table import read, write

TABLE_BITS = 22
HIGHEST = 21  # no score is higher
LOWEST = -HIGHEST - 1  # lower than every score
BY_CENTRE = COLUMNS[[3, 2, 4, 1, 5, 0, 6]]
MIRROR_UNTIL = 14  # stones; with more stones, mirror images hardly ever meet
UNKNOWN = -128  # the score of a column that cannot be played
# An entry of the table is key << 8 | bound + ZERO; for a lower bound, LOWER is added. A position has two places for its entry,
# an even one and the next.
ZERO, LOWER = 64, 100
MULTIPLIER = 0x9E3779B97F4A7C1
# Late positions are most of a search, but each saves little work: a part of the table that fits the processor's cache serves
# them fastest, and leaves the rest to the early ones. Measured: from 27 stones, 2**15 places.
LATE, LATE_MASK = 27, (1 << 15) - 1
# Ordered moves are one integer, the best move lowest. A move has MOVE_BITS: the rank, then in PLACE_BITS the place.
MOVE_BITS, PLACE_BITS = 9, 3
STACK = SQUARES << PLACE_BITS  # memory before the table: for each number of stones, the replies to each ordered move


class Solver:
    """Solves positions, and keeps the table from one position to the next.

    Args:
        table_bits: the table has 2**table_bits entries of 8 bytes.
    """

    def __init__(self, table_bits: int = TABLE_BITS) -> None:
        # full, not zeros: memory is taken now, not in the first search
        self._memory = np.full(STACK + (1 << table_bits), 0, np.int64)

    def score(self, state: tuple[int, int]) -> int:
        """Return the score of `state` for the player to move; the game must go on there."""
        mover, other = state
        return int(_solve(mover, mover | other, self._memory))

    def scores(self, state: tuple[int, int]) -> list[int | None]:
        """Return the score of each column for the player to move; None for a full column."""
        mover, other = state
        by_column = _solve_moves(mover, mover | other, self._memory)
        return [None if score == UNKNOWN else int(score) for score in by_column]

    def is_above(self, state: tuple[int, int], bound: int) -> bool:
        """Say whether the score of `state`, where the game goes on, is above `bound`: faster than the score itself."""
        mover, other = state
        return bool(_is_above(mover, mover | other, bound, self._memory))


def plies_to_end(state: tuple[int, int], score: int) -> int:
    """Return how many plies the game lasts from `state` when both play perfectly and its score is `score`."""
    stones = (state[0] | state[1]).bit_count()
    if score == 0:
        return SQUARES - stones
    # the winner's last stone is number 22 - |score| of the winner's stones
    by_winner = 22 - abs(score)
    mover_won = score > 0
    first_won = mover_won == (stones % 2 == 0)
    return 2 * by_winner - (1 if first_won else 0) - stones


def end_score(state: tuple[int, int], outcome: float) -> int:
    """Return the score of a finished game for the player who moved last; `outcome` is for the other player."""
    return 22 - state[1].bit_count() if outcome else 0  # the winner's stones are state[1]; they include the last one


@njit(cache=True)
def _solve(own: int, occupied: int, memory: NDArray[np.int64]) -> int:
    """Return the exact score for the player to move, whose stones are `own`; the game is not over."""
    stones = count(occupied)
    if winning_squares(own, occupied) & playable(occupied):
        return (SQUARES + 1 - stones) // 2
    low, high = -((SQUARES - stones) // 2), (SQUARES - 1 - stones) // 2
    while low < high:
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = -(-low // 2)
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        score = _ask(own, occupied, middle, memory)
        if score <= middle:
            high = score
        else:
            low = score
    return low


@njit(cache=True)
def _is_above(own: int, occupied: int, bound: int, memory: NDArray[np.int64]) -> bool:
    """Say whether the score for the player to move is above `bound`."""
    if winning_squares(own, occupied) & playable(occupied):
        return (SQUARES + 1 - count(occupied)) // 2 > bound
    return _ask(own, occupied, bound, memory) > bound


@njit(cache=True)
def _ask(own: int, occupied: int, bound: int, memory: NDArray[np.int64]) -> int:
    """Return a bound of the score as `_search` does; the mover cannot win at once."""
    stones = count(occupied)
    squares = not_losing(winning_squares(own ^ occupied, occupied), occupied)
    if squares == 0:
        return -((SQUARES - stones) // 2)
    return _search(own, occupied, squares, bound, memory.ctypes.data + 8 * STACK, _mask(stones, len(memory) - STACK))


@njit(cache=True)
def _mask(stones: int, entries: int) -> int:
    """Return the mask for places in the table: late games have fewer positions, and a small part of memory is faster."""
    if stones < 12:
        return entries - 1
    return min(entries, 1 << max(12, 36 - max(stones, 15))) - 1  # measured: 2 million places for 12 stones, 4,000 for 24


@njit(cache=True)
def _solve_moves(own: int, occupied: int, memory: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the score of each column, (7,) int64; UNKNOWN where it is full."""
    by_column = np.full(WIDTH, UNKNOWN, np.int64)
    stones = count(occupied)
    wins = winning_squares(own, occupied)
    for column in range(WIDTH):
        square = playable(occupied) & COLUMNS[column]
        if square & wins:
            by_column[column] = (SQUARES + 1 - stones) // 2
        elif square and stones == SQUARES - 1:
            by_column[column] = 0
        elif square:
            by_column[column] = -_solve(own ^ occupied, occupied | square, memory)
    return by_column


@njit(cache=True)
def _search(own: int, occupied: int, squares: int, bound: int, table: int, mask: int) -> int:
    """Return a lower bound of the score that is above `bound`, or an upper bound that is not.

    Args:
        own, occupied: a position where the mover cannot win at once.
        squares: the moves that do not lose at once, at least one.
        table: the address of the entries; the stack is before it.
        mask: the bits of a place in the table.
    """
    stones = count(occupied)
    if stones >= SQUARES - 2:
        return 0
    worst = -((SQUARES - 2 - stones) // 2)  # the other player cannot win with the next stone
    best = (SQUARES - 1 - stones) // 2  # the mover cannot win with this stone
    if worst > bound or best <= bound:
        return worst if worst > bound else best
    if squares & squares - 1 == 0:  # a single move needs no table
        replies = not_losing(winning_squares(own | squares, occupied | squares), occupied | squares)
        if replies == 0:
            return best
        return -_search(own ^ occupied, occupied | squares, replies, -bound - 1, table, mask)
    key = _key(own, occupied, stones)
    place = key * MULTIPLIER >> 20 & (mask if stones < LATE else mask & LATE_MASK)
    known = _known(read(table, place), key, bound)
    if known == UNKNOWN:
        known = _known(read(table, place ^ 1), key, bound)
    if known != UNKNOWN:
        return known
    moves = _ordered(own, occupied, squares, table)
    if moves == 0:
        return best
    if best - 1 <= bound:  # the other player has a reply to every move, so the next stone does not win either
        return best - 1
    highest = LOWEST
    while moves:
        number = moves & (1 << PLACE_BITS) - 1
        square = squares & BY_CENTRE[number]
        replies = read(table, _slot(stones, number))
        score = -_search(own ^ occupied, occupied | square, replies, -bound - 1, table, mask)
        if score > bound:
            _remember(table, place, key, score + ZERO + LOWER)
            return score
        highest = max(highest, score)
        moves >>= MOVE_BITS
    _remember(table, place, key, highest + ZERO)
    return highest


@njit(cache=True)
def _known(entry: int, key: int, bound: int) -> int:
    """Return a table entry's answer to "above `bound`?"; UNKNOWN if the entry has another position or cannot answer."""
    known = (entry & 0xFF) - ZERO
    if known > HIGHEST:
        known -= LOWER
        answers = known > bound
    else:
        answers = known <= bound
    return known if answers and entry >> 8 == key else UNKNOWN


@njit(cache=True)
def _remember(table: int, place: int, key: int, bound: int) -> None:
    """Write an entry; another position's entry moves to the neighbour, where it lives until the next one moves there."""
    if read(table, place) >> 8 != key:
        write(table, place ^ 1, read(table, place))
    write(table, place, key << 8 | bound)


@njit(cache=True)
def _key(own: int, occupied: int, stones: int) -> int:
    """Return a number that only this position has; early in the game its mirror image has the same number."""
    key = own + occupied + FLOORS
    if stones < MIRROR_UNTIL:
        key = min(key, mirrored(own) + mirrored(occupied) + FLOORS)
    return key


@njit(cache=True)
def _slot(stones: int, number: int) -> int:
    """Return the place in the stack, before the table, for the replies to ordered move `number` at `stones` stones."""
    return -1 - (stones << PLACE_BITS | number)


@njit(cache=True)
def _ordered(own: int, occupied: int, squares: int, table: int) -> int:
    """Return the moves in one integer, see MOVE_BITS; lowest are moves that make most threats, then central moves.

    The replies that do not lose at once go to the stack. Returns 0 if there are none to one of the moves: it wins.
    """
    moves, end, stones = 0, 0, count(occupied)
    for number in range(WIDTH):
        square = squares & BY_CENTRE[number]
        if square:
            threats = winning_squares(own | square, occupied | square)
            replies = not_losing(threats, occupied | square)
            if replies == 0:
                return 0
            write(table, _slot(stones, number), replies)
            rank = count(threats) + 1  # + 1, because 0 means no move
            at = 0
            while at < end and moves >> at + PLACE_BITS & 0b111111 >= rank:
                at += MOVE_BITS
            below = moves & (1 << at) - 1
            moves = (moves ^ below) << MOVE_BITS | (rank << PLACE_BITS | number) << at | below
            end += MOVE_BITS
    return moves
