"""The rules of the three games for a compiled search: numba functions over bits.

A position is two int64: the stones of the player to move and the stones of the other player, in the bits of the game's
own states. A set of actions is one int64 with a bit for each action, bit 0 for action 0. Every value is for the player
to move, so that a position need not say whose turn it is.

A new game needs three functions such as `_connect_four_legal`, a line in each of `legal`, `play` and `outcome`, and an
entry in `compiled`. `tests/unit/test_players_rules.py` compares it with the original rules.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.games import ConnectFour, Game, Othello, State, TicTacToe
from arena.games.connect_four import BITS as CONNECT_FOUR_BITS
from arena.games.othello import geometry
from arena.players.bitboard import COLUMNS, FULL, WIDTH, count, has_four, not_losing, playable, winning_squares
from arena.players.threats import winning_threat

TIC_TAC_TOE, CONNECT_FOUR, OTHELLO = 0, 1, 2
OPEN = 2  # the outcome of a position where the game goes on
SHORT_END = 10  # free squares of Othello: to try every line takes about as long as one answer of a network

_LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)
_OTHELLO_BITS = np.array(geometry(6).bits)
_OTHELLO_FULL = int((1 << _OTHELLO_BITS.ravel()).sum())
_PASS, _PASS_BIT = 36, 1 << 62


@dataclass(frozen=True)
class CompiledRules:
    """A game for compiled code.

    Attributes:
        number: the game's number for the functions below.
        bits: (H, W), the bit of each square as the board is drawn.
        turned_squares: (K, H * W), for each symmetry: the square whose content comes to each square; identity first.
        turned_actions: (K, A), the same for actions.
    """

    game: Game
    name: str
    number: int
    bits: NDArray[np.int64]
    turned_squares: NDArray[np.int64]
    turned_actions: NDArray[np.int64]

    @property
    def num_actions(self) -> int:
        """How many actions the game has."""
        return self.game.num_actions

    def bits_of(self, state: State) -> tuple[int, int]:
        """Return the stones of the player to move and of the other."""
        return state[0], state[1]


def compiled(name: str) -> CompiledRules:
    """Return the rules called tic_tac_toe, connect_four or othello; another name is a ValueError that lists the three."""
    if name == "tic_tac_toe":
        turns = _square_turns(3)
        return CompiledRules(TicTacToe(), name, TIC_TAC_TOE, np.arange(9).reshape(3, 3), turns, turns)
    if name == "connect_four":
        squares = np.arange(42).reshape(6, 7)
        turned = np.stack([squares.ravel(), squares[:, ::-1].ravel()])
        columns = np.stack([np.arange(7), np.arange(7)[::-1]])
        return CompiledRules(ConnectFour(), name, CONNECT_FOUR, np.array(CONNECT_FOUR_BITS), turned, columns)
    if name == "othello":
        turns = _square_turns(6)
        passes = np.full((len(turns), 1), _PASS)
        return CompiledRules(Othello(), name, OTHELLO, _OTHELLO_BITS, turns, np.hstack([turns, passes]))
    raise ValueError(f"no compiled rules for {name!r}: there are tic_tac_toe, connect_four and othello")


def _square_turns(size: int) -> NDArray[np.int64]:
    """Return the 8 symmetries of a square board, the identity first."""
    squares = np.arange(size * size).reshape(size, size)
    return np.stack([np.rot90(board, k).ravel() for board in (squares, squares[:, ::-1]) for k in range(4)])


@njit(cache=True)
def legal(number: int, own: int, theirs: int) -> int:
    """Return the set of legal actions; do not ask about a finished game."""
    if number == CONNECT_FOUR:
        return _connect_four_legal(own | theirs)
    if number == TIC_TAC_TOE:
        return 0o777 & ~(own | theirs)
    return _othello_legal(own, theirs)


@njit(cache=True)
def mark_legal(number: int, own: NDArray[np.int64], theirs: NDArray[np.int64], allowed: NDArray[np.bool_]) -> None:
    """Write the legal actions of B positions, given as stones (B,), into `allowed` (B, A)."""
    for row in range(len(own)):
        actions = legal(number, own[row], theirs[row])
        for action in range(allowed.shape[1]):
            allowed[row, action] = actions >> action & 1


@njit(cache=True)
def play(number: int, own: int, theirs: int, action: int) -> tuple[int, int]:
    """Return the position after a legal action, seen by the next player."""
    if number == CONNECT_FOUR:
        return theirs, own | (own | theirs) + (1 << 7 * action) & COLUMNS[action]
    if number == TIC_TAC_TOE:
        return theirs, own | 1 << action
    return _othello_play(own, theirs, action)


@njit(cache=True)
def outcome(number: int, own: int, theirs: int) -> int:
    """Return 1, 0 or -1 for the player to move where the game is over, else OPEN."""
    if number == CONNECT_FOUR:
        if has_four(theirs):
            return -1
        return 0 if own | theirs == FULL else OPEN
    if number == TIC_TAC_TOE:
        for line in _LINES:
            if theirs & line == line:
                return -1
        return 0 if own | theirs == 0o777 else OPEN
    return OPEN if _othello_replies(own, theirs) else _more_stones(own, theirs)


@njit(cache=True)
def wins_at_once(number: int, own: int, theirs: int) -> int:
    """Return the set of actions that win at once."""
    if number == CONNECT_FOUR:
        return _columns(playable(own | theirs) & winning_squares(own, own | theirs))
    if number == TIC_TAC_TOE:
        return _completed(own, theirs)
    return 0  # the end of a game of Othello: see `played_out`


@njit(cache=True)
def sound(number: int, own: int, theirs: int) -> int:
    """Return the set of legal actions after which the other player does not win at once, where the mover cannot win at once.

    An empty set says that the other player wins after every action. In Othello all legal actions count.
    """
    if number == CONNECT_FOUR:
        return _columns(not_losing(winning_squares(theirs, own | theirs), own | theirs))
    if number == TIC_TAC_TOE:
        forced = _completed(theirs, own)
        if forced & forced - 1:
            return 0
        return forced or 0o777 & ~(own | theirs)
    return _othello_legal(own, theirs)


@njit(cache=True)
def forced_win(number: int, own: int, theirs: int) -> int:
    """Return an action that begins a forced win of Connect Four, as a set of one action, where the mover cannot win at once.

    The set is empty if no move does, and for the other games.
    """
    return _columns(winning_threat(own, theirs)) if number == CONNECT_FOUR else 0


@njit(cache=True)
def played_out(number: int, own: int, theirs: int) -> int:
    """Return the result of best play for the player to move, 1, 0 or -1, near the end of Othello; else OPEN.

    Every line is tried where at most SHORT_END squares are free. In the other games `wins_at_once` and `sound` see most ends.
    """
    if number != OTHELLO or count(_OTHELLO_FULL & ~(own | theirs)) > SHORT_END:
        return OPEN
    return _othello_result(own, theirs)


@njit(cache=True)
def _columns(squares: int) -> int:
    """Return the set of columns of these squares of Connect Four."""
    found = 0
    for column in range(WIDTH):
        if squares & COLUMNS[column]:
            found |= 1 << column
    return found


@njit(cache=True)
def _completed(own: int, theirs: int) -> int:
    """Return the free squares of Tic-Tac-Toe that complete a line of `own`."""
    found = 0
    for line in _LINES:
        missing = line & ~own
        if missing & missing - 1 == 0:
            found |= missing
    return found & ~theirs


@njit(cache=True)
def _connect_four_legal(occupied: int) -> int:
    found = 0
    for column in range(WIDTH):
        if occupied & COLUMNS[column] != COLUMNS[column]:
            found |= 1 << column
    return found


@njit(cache=True)
def _othello_moves(own: int, theirs: int) -> int:
    """Return the bits of all squares where a stone encloses a line of the other player's stones."""
    found = 0
    for shift in (1, 6, 7, 8):
        up, down = own << shift & theirs, own >> shift & theirs
        for _ in range(3):  # an enclosed line on this board holds at most four stones
            up |= up << shift & theirs
            down |= down >> shift & theirs
        found |= up << shift | down >> shift
    return found & _OTHELLO_FULL & ~(own | theirs)


@njit(cache=True)
def _othello_replies(own: int, theirs: int) -> int:
    """Return the bits of the squares to choose from, _PASS_BIT if the player must pass, 0 if the game is over."""
    squares = _othello_moves(own, theirs)
    if squares == 0 and _othello_moves(theirs, own):
        return _PASS_BIT
    return squares


@njit(cache=True)
def _othello_legal(own: int, theirs: int) -> int:
    squares = _othello_replies(own, theirs)
    if squares == _PASS_BIT:
        return 1 << _PASS
    found = 0
    for row in range(6):  # a row has seven bits; the last bit is always empty
        found |= (squares >> 7 * row & 0b111111) << 6 * row
    return found


@njit(cache=True)
def _othello_play(own: int, theirs: int, action: int) -> tuple[int, int]:
    if action == _PASS:
        return theirs, own
    return _othello_place(own, theirs, 1 << action // 6 * 7 + action % 6)


@njit(cache=True)
def _othello_place(own: int, theirs: int, stone: int) -> tuple[int, int]:
    """Return the position after a stone was placed, seen by the next player."""
    turned = 0
    for shift in (1, 6, 7, 8):
        line, reached = 0, stone << shift
        while reached & theirs:
            line |= reached
            reached <<= shift
        turned |= line if reached & own else 0
        line, reached = 0, stone >> shift
        while reached & theirs:
            line |= reached
            reached >>= shift
        turned |= line if reached & own else 0
    return theirs ^ turned, own | stone | turned


@njit(cache=True)
def _more_stones(own: int, theirs: int) -> int:
    lead = count(own) - count(theirs)
    return 1 if lead > 0 else -1 if lead < 0 else 0


@njit(cache=True)
def _othello_result(own: int, theirs: int) -> int:
    """Return the result of best play near the end, by alpha-beta.

    The stack is our own: numba cannot keep compiled recursive functions for the next process.
    """
    stack = np.empty((2 * SHORT_END + 2, 5), np.int64)  # stones, replies that are left, and the bounds alpha and beta
    depth = 0
    stack[0] = (own, theirs, _othello_replies(own, theirs), -1, 1)
    while True:
        own, theirs, replies, alpha, beta = stack[depth]
        if replies and alpha < beta:
            reply = replies & -replies
            stack[depth, 2] = replies ^ reply
            own, theirs = (theirs, own) if reply == _PASS_BIT else _othello_place(own, theirs, reply)
            depth += 1
            stack[depth] = (own, theirs, _othello_replies(own, theirs), -beta, -alpha)
            if stack[depth, 2] == 0:  # the game is over
                stack[depth, 3] = _more_stones(own, theirs)
        elif depth == 0:
            return int(alpha)
        else:
            depth -= 1
            stack[depth, 3] = max(stack[depth, 3], -alpha)
