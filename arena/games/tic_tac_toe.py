"""Tic-Tac-Toe: three in a row on a board of nine squares.

A state is a pair of ints (mover, other): the stones of the player to move and of the other player,
one bit a square. Square, action and bit share a number:

    0 1 2
    3 4 5
    6 7 8
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from arena.games.game import BoardShape, Symmetry, distinct, illegal, mover_and_other, read_board, turns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Stones: TypeAlias = tuple[int, int]

FULL = 0b111_111_111
LINES = (0b000_000_111, 0b000_111_000, 0b111_000_000,  # rows
         0b001_001_001, 0b010_010_010, 0b100_100_100,  # columns
         0b100_010_001, 0b001_010_100)                 # diagonals

# There are only 512 sets of squares, so that the answers for each set are computed once.
HAS_LINE = [any(stones & line == line for line in LINES) for stones in range(FULL + 1)]
EMPTY_SQUARES = [[square for square in range(9) if not stones >> square & 1] for stones in range(FULL + 1)]
BIT = {square: 1 << square for square in range(9)}


# The 8 symmetries of the square: for each square, the square that moves there. A policy, an array, takes one as its index.
TURNS = turns(3)


class TicTacToe:
    """The rules of Tic-Tac-Toe; `arena.games.game.Game` describes the methods."""

    __slots__ = ()
    num_actions = 9
    board = BoardShape(3, 3)

    def start(self) -> Stones:
        return (0, 0)

    def player(self, state: Stones) -> int:
        mover, other = state
        return (mover | other).bit_count() & 1

    def legal_actions(self, state: Stones) -> list[int]:
        mover, other = state
        return [] if HAS_LINE[other] else EMPTY_SQUARES[mover | other].copy()

    def play(self, state: Stones, action: int) -> Stones:
        mover, other = state
        stone = BIT.get(action, FULL)  # an action that is not a square counts as taken, see below
        if stone & (mover | other) or stone == FULL or HAS_LINE[other]:
            raise illegal(self, state, action)
        return (other, mover | stone)

    def outcome(self, state: Stones) -> float | None:
        mover, other = state
        if HAS_LINE[other]:  # the other player moved last: only that player can have three in a row
            return -1.0
        return 0.0 if mover | other == FULL else None

    def planes(self, state: Stones) -> NDArray[np.float32]:
        import numpy as np

        squares = np.arange(9).reshape(3, 3)
        return np.stack([stones >> squares & 1 for stones in state]).astype(np.float32)

    def symmetries(self, state: Stones, policy: ArrayLike) -> list[Symmetry]:
        import numpy as np

        policy = np.asarray(policy)
        return distinct((tuple(_turned(stones, turn) for stones in state), policy[turn]) for turn in TURNS)

    def rows(self, state: Stones) -> list[str]:
        """Return three rows of X, O and "."."""
        first, second = state if self.player(state) == 0 else state[::-1]
        signs = "".join("X" if first & BIT[i] else "O" if second & BIT[i] else "." for i in range(9))
        return [signs[row:row + 3] for row in (0, 3, 6)]

    def text(self, state: Stones) -> str:
        """Return the rows as lines; `parse` reads this text."""
        return "\n".join(self.rows(state))

    def parse(self, text: str) -> Stones:
        """Return the state that `text` shows, rows from the top, as lines or as "XO./.X./..O".

        Raises:
            ValueError: not three rows of three, a sign other than X, O and ".", numbers of stones that
                no game reaches, or a line of the player to move, whose game would be over.
        """
        signs = "".join(read_board(text, 3, 3))
        first, second = (sum(BIT[i] for i in range(9) if signs[i] == sign) for sign in "XO")
        state = mover_and_other(first, second)
        if HAS_LINE[state[0]]:
            raise ValueError(f"the player to move has three in a row already: {text!r}")
        return state

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return "TicTacToe()"


def _turned(stones: int, turn: list[int]) -> int:
    return sum(1 << to for to, source in enumerate(turn) if stones >> source & 1)
