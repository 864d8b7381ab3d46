"""The openings of the exam: quiet drawn positions of 8 plies; the edition keeps half of them for the exam.

Drawn: neither colour begins with the better game. Quiet: neither player has a move that wins at once.
"""

import hashlib
import hmac
from functools import cache

from arena.games import ConnectFour
from arena.games.connect_four import FLOOR, WIDTH
from arena.players import book

GAME = ConnectFour()
State = tuple[int, int]


@cache
def quiet_draws() -> tuple[State, ...]:
    """Return every quiet drawn position of 8 plies, one of each mirror pair, in the order of the book."""
    keys, scores = book.load()
    drawn = (state_of(key) for key in keys[scores == 0].tolist())
    return tuple(state for state in drawn if (state[0] | state[1]).bit_count() == book.DEPTH and _is_quiet(state))


def state_of(key: int) -> State:
    """Return the position of a key of the book: the key adds 2**height - 1 in each column to the mover's stones."""
    own = both = 0
    for column in range(WIDTH):
        part = (key >> 7 * column & 0b1111111) + 1
        height = part.bit_length() - 1
        own |= (part - (1 << height)) * FLOOR[column]
        both |= ((1 << height) - 1) * FLOOR[column]
    return own, own ^ both


def held_out(secret: bytes) -> tuple[State, ...]:
    """Return the exam's half of the openings in the edition of `secret`; the other half is for practice."""
    return tuple(state for state in quiet_draws() if _is_held_out(state, secret))


def practice(secret: bytes) -> tuple[State, ...]:
    """Return the openings that no exam of this edition uses."""
    return tuple(state for state in quiet_draws() if not _is_held_out(state, secret))


@cache
def line_to(state: State) -> tuple[int, ...] | None:
    """Return moves that lead from the start to `state`, the first such line by columns; None if no line does."""
    if state == GAME.start():
        return ()
    mover, other = state
    for column in range(WIDTH):
        stones = (mover | other) >> 7 * column & 0b111111
        top = (stones + 1 >> 1) << 7 * column
        if top & other:  # the other player moved last
            before = line_to((other ^ top, mover))
            if before is not None and GAME.outcome((other ^ top, mover)) is None:
                return (*before, column)
    return None


def _is_held_out(state: State, secret: bytes) -> bool:
    digest = hmac.new(secret, b"opening %d" % book.key_of(state), hashlib.sha256).digest()
    return bool(digest[0] & 1)


def _is_quiet(state: State) -> bool:
    """Say whether neither player could win with one move, if it were their turn."""
    mover, other = state
    return not any(
        GAME.outcome(GAME.play(seen, column)) == -1.0
        for seen in ((mover, other), (other, mover))
        for column in GAME.legal_actions(seen)
    )
