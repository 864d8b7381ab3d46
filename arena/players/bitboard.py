"""Connect Four for compiled code: the same bits as `arena.games.connect_four`, as int64 in numba functions.

`stones` are the stones of one player, `occupied` those of both. A square is bit 7 * column + row; row 0 is the bottom.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

HEIGHT, WIDTH, SQUARES = 6, 7, 42
FLOORS = sum(1 << 7 * column for column in range(WIDTH))  # the lowest square of each column
FULL = FLOORS * 0b111111
COLUMNS = np.array([0b111111 << 7 * column for column in range(WIDTH)], np.int64)


@intrinsic
def _count(typing_context: object, bits: types.Integer) -> tuple[object, Callable[..., Any]]:
    """Return how many bits are set: one machine instruction."""
    return bits(bits), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


count = cast("Callable[[int], int]", _count)  # the type for compiled code


@njit(cache=True)
def has_four(stones: int) -> bool:
    """Say whether there are four in a row: up, across or along a diagonal."""
    pairs = stones & stones >> 7
    if pairs & pairs >> 14:
        return True
    pairs = stones & stones >> 6
    if pairs & pairs >> 12:
        return True
    pairs = stones & stones >> 8
    if pairs & pairs >> 16:
        return True
    pairs = stones & stones >> 1
    return pairs & pairs >> 2 != 0


@njit(cache=True)
def playable(occupied: int) -> int:
    """Return the squares on which the next stone can land, at most one a column."""
    return occupied + FLOORS & FULL


@njit(cache=True)
def winning_squares(stones: int, occupied: int) -> int:
    """Return the free squares, reachable now or later, that would give these stones four in a row."""
    found = stones << 1 & stones << 2 & stones << 3
    for step in (6, 7, 8):
        pair = stones << step & stones << 2 * step
        found |= pair & (stones << 3 * step | stones >> step)
        pair = stones >> step & stones >> 2 * step
        found |= pair & (stones >> 3 * step | stones << step)
    return found & (FULL ^ occupied)


@njit(cache=True)
def not_losing(threats: int, occupied: int) -> int:
    """Return the squares to play on that do not let the other player, who has these threats, win at once; 0 for none."""
    squares = playable(occupied)
    forced = squares & threats
    if forced & forced - 1:
        return 0  # two threats, one stone
    if forced:
        squares = forced
    return squares & ~(threats >> 1)  # a stone below a threat lets the other player win


@njit(cache=True)
def mirrored(bits: int) -> int:
    """Return the mirror image of these stones: column 0 becomes column 6."""
    turned = 0
    for column in range(WIDTH):
        turned |= (bits >> 7 * column & 0b1111111) << 7 * (WIDTH - 1 - column)
    return turned
