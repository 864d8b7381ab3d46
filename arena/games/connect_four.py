"""Connect Four: seven columns, six rows, four in a row; a stone falls to the lowest free square.

A state is a pair of ints (mover, other): the stones of the player to move and of the other player.
The bit of a square is 7 * column + row, row 0 at the bottom; an action is a column. Row 6 never holds a stone: it
separates the columns, so that a shift of the whole board cannot move a stone from one column into the next.

    6 13 20 27 34 41 48     always empty
    5 12 19 26 33 40 47     top row
    ...
    0  7 14 21 28 35 42     bottom row

Source: Pascal Pons describes this bitboard in "Solving Connect 4: how to build a perfect AI", part 6; before him,
John Tromp used it in Fhourstones. The code is our own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from arena.games.game import BoardShape, Symmetry, distinct, illegal, mover_and_other, read_board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Stones: TypeAlias = tuple[int, int]

HEIGHT, WIDTH = 6, 7
FLOOR = {column: 1 << 7 * column for column in range(WIDTH)}              # the lowest square of each column
COLUMN = {column: 0b111111 << 7 * column for column in range(WIDTH)}      # its six squares
FULL = sum(COLUMN.values())
TOP_ROW = sum(floor << HEIGHT - 1 for floor in FLOOR.values())
BITS = [[7 * column + row for column in range(WIDTH)] for row in reversed(range(HEIGHT))]  # as the board is drawn

# The stones in the top row show the full columns: 128 sets, each with its list of open columns.
OPEN_COLUMNS = {
    sum(COLUMN[column] & TOP_ROW for column in range(WIDTH) if full >> column & 1):
        [column for column in range(WIDTH) if not full >> column & 1]
    for full in range(2 ** WIDTH)
}


@lru_cache(maxsize=4096)
def has_four(stones: int) -> int:
    """Return a number other than 0 when `stones` holds four in a row: up, across or along a diagonal.

    `pairs` marks each square with a stone on it and on the next square in the direction; two pairs that are two
    steps apart are four in a row. One ply needs the answer for the same stones up to three times (`outcome`,
    `legal_actions`, `play`), so that the last answers are kept.
    """
    pairs = stones & stones >> 7
    if four := pairs & pairs >> 14:
        return four
    pairs = stones & stones >> 6
    if four := pairs & pairs >> 12:
        return four
    pairs = stones & stones >> 8
    if four := pairs & pairs >> 16:
        return four
    pairs = stones & stones >> 1
    return pairs & pairs >> 2


class ConnectFour:
    """The rules of Connect Four; `arena.games.game.Game` describes the methods."""

    __slots__ = ()
    num_actions = WIDTH
    board = BoardShape(HEIGHT, WIDTH, stones_fall=True)

    def start(self) -> Stones:
        return (0, 0)

    def player(self, state: Stones) -> int:
        mover, other = state
        return (mover | other).bit_count() & 1

    def legal_actions(self, state: Stones) -> list[int]:
        mover, other = state
        return [] if has_four(other) else OPEN_COLUMNS[(mover | other) & TOP_ROW].copy()

    def play(self, state: Stones, action: int) -> Stones:
        mover, other = state
        try:
            # adding 1 at the floor carries through the column's stones to its first free square
            stone = (mover | other) + FLOOR[action] & COLUMN[action]
        except KeyError:
            raise illegal(self, state, action) from None
        if not stone or has_four(other):
            raise illegal(self, state, action)
        return (other, mover | stone)

    def outcome(self, state: Stones) -> float | None:
        mover, other = state
        if has_four(other):  # the other player moved last: only that player can have four in a row
            return -1.0
        return 0.0 if mover | other == FULL else None

    def planes(self, state: Stones) -> NDArray[np.float32]:
        """Return float32 (2, 6, 7), the top row first, as in the drawing."""
        import numpy as np

        bits = _bits()
        return np.stack([stones >> bits & 1 for stones in state]).astype(np.float32)

    def symmetries(self, state: Stones, policy: ArrayLike) -> list[Symmetry]:
        import numpy as np

        policy = np.asarray(policy)
        return distinct([(state, policy), (tuple(map(_mirrored, state)), policy[::-1].copy())])

    def rows(self, state: Stones) -> list[str]:
        """Return six rows of X, O and ".", top row first."""
        first, second = state if self.player(state) == 0 else state[::-1]
        return ["".join("X" if first >> bit & 1 else "O" if second >> bit & 1 else "." for bit in row)
                for row in BITS]

    def text(self, state: Stones) -> str:
        """Return the rows as lines, and the column numbers below; `parse` reads this text."""
        return "\n".join([*self.rows(state), "0123456"])

    def parse(self, text: str) -> Stones:
        """Return the state that `text` shows, rows from the top, as lines or with "/" between the rows.

        Raises:
            ValueError: not six rows of seven, a sign other than X, O and ".", a stone over an empty square, numbers of
                stones that no game reaches, or four in a row of the player to move, whose game would be over.
        """
        rows = read_board(text, HEIGHT, WIDTH)
        first, second = (sum(1 << bit for row, bits in zip(rows, BITS, strict=True)
                             for seen, bit in zip(row, bits, strict=True) if seen == sign) for sign in "XO")
        for column, floor in FLOOR.items():
            height = ((first | second) & COLUMN[column]) // floor
            if height & height + 1:  # a column without gaps is 2**n - 1
                raise ValueError(f"a stone hangs over an empty square in column {column}: {text!r}")
        state = mover_and_other(first, second)
        if has_four(state[0]):
            raise ValueError(f"the player to move has four in a row already: {text!r}")
        return state

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return "ConnectFour()"


@lru_cache
def _bits() -> NDArray[np.int64]:
    """Return BITS as an array, made once."""
    import numpy as np

    return np.array(BITS)


def _mirrored(stones: int) -> int:
    return sum((stones & COLUMN[column]) // FLOOR[column] * FLOOR[WIDTH - 1 - column] for column in range(WIDTH))
