"""Othello on six by six squares: a stone turns over every line of the other colour that it encloses.

A state is (mover, other, player): the stones of the player to move, the stones of the other player, and the player to
move, 0 or 1. Passes are possible, so that the numbers of stones do not show whose turn it is. An action is a square, row
by row from the upper left, or the pass, the last action (36). In the bitboards a row has one bit more than squares. This
bit never holds a stone: it separates the rows, so that a shift cannot move a stone from one row into the next.

     0  1  2  3  4  5   6     the bit of a square is 7 * row + column; 6, 13, ... are always empty
     7  8  9 10 11 12  13
    ...

The pass is legal only if the mover has no square to play and the other player has one; it is a ply like any other.
The game is over as soon as neither player has a square to play; the player with more stones has won.

Source: rules of the World Othello Federation, on the smaller board; black (X) moves first. To fill lines by shifts is
known from chess programs; the code is our own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from arena.games.game import BoardShape, Symmetry, distinct, illegal, read_board, turns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Position: TypeAlias = tuple[int, int, int]
Ray: TypeAlias = tuple[int, int]  # the next square of a line from a square, and all squares of that line


class Geometry(NamedTuple):
    """The facts about a board of one size that the rules need; `geometry` makes them once."""

    shifts: tuple[int, ...]                       # to the right, down left, down, down right; backwards the other four
    full: int                                     # all squares
    bits: list[list[int]]                         # the number of the bit of each square, row by row
    action_of: dict[int, int]                     # stone (one bit) -> action
    lines: dict[int, tuple[int, tuple[Ray, ...], tuple[Ray, ...]]]  # action -> stone, rays to higher and to lower bits
    turns: list[list[int]]                        # the 8 symmetries: for each action, the action that moves there


@lru_cache
def geometry(size: int) -> Geometry:
    """Return the bits and lines of a board of this size, computed once."""
    width = size + 1
    rows = [[width * row + column for column in range(size)] for row in range(size)]
    bits = [bit for row in rows for bit in row]
    shifts = (1, width - 1, width, width + 1)
    lines = {}
    for action, bit in enumerate(bits):
        rays = {shift: _ray(bit, shift, set(bits)) for shift in shifts + tuple(-shift for shift in shifts)}
        rays = {shift: ray for shift, ray in rays.items() if ray[1].bit_count() > 1}  # a line of one square encloses nothing
        lines[action] = (1 << bit, tuple(ray for shift, ray in rays.items() if shift > 0),
                         tuple(ray for shift, ray in rays.items() if shift < 0))
    return Geometry(shifts, sum(1 << bit for bit in bits), rows, {1 << bit: action for action, bit in enumerate(bits)}, lines,
                    [[*turn, size * size] for turn in turns(size)])  # the pass stays the pass


@lru_cache
def _bits(size: int) -> NDArray[np.int64]:
    """Return the bits of a board of this size as an array (size, size), made once."""
    import numpy as np

    return np.array(geometry(size).bits)


def _ray(bit: int, shift: int, squares: set[int]) -> Ray:
    """Return the line from `bit` in steps of `shift`, up to the edge; the empty bits between the rows end it."""
    ray, near = 0, bit + shift
    while (bit := bit + shift) in squares:
        ray |= 1 << bit
    return (1 << near if ray else 0, ray)


@lru_cache(maxsize=4096)
def placing_moves(mover: int, other: int, size: int) -> tuple[int, ...]:
    """Return the squares, ascending, where a stone of `mover` encloses a line of `other`; the pass is not included.

    For each direction, start beside the mover's stones, go on while the squares hold the other player's stones, and note
    each square on the way; the empty squares among them are moves. One ply needs the answer for the same stones several
    times (`outcome`, `legal_actions`, `play`), so that the last answers are kept.
    """
    board = geometry(size)
    reached = 0
    for shift in board.shifts:
        walk = mover << shift & other
        while walk:
            walk <<= shift
            reached |= walk
            walk &= other
        walk = mover >> shift & other
        while walk:
            walk >>= shift
            reached |= walk
            walk &= other
    reached &= board.full & ~(mover | other)
    action_of, moves = board.action_of, []
    while reached:
        moves.append(action_of[reached & -reached])
        reached &= reached - 1
    return tuple(moves)


class Othello:
    """The rules of Othello; `arena.games.game.Game` describes the methods.

    Args:
        size: squares along a side, an even number; the course plays on 6, a tournament on 8.
    """

    __slots__ = ("_board", "num_actions", "size")

    def __init__(self, size: int = 6):
        if size not in (4, 6, 8, 10):
            raise ValueError(f"a board has 4, 6, 8 or 10 squares along a side, not {size!r}")
        self.size, self.num_actions, self._board = size, size * size + 1, geometry(size)

    @property
    def board(self) -> BoardShape:
        return BoardShape(self.size, self.size, pass_action=self.num_actions - 1)

    def start(self) -> Position:
        half = self.size // 2
        bits = self._board.bits
        return (1 << bits[half - 1][half] | 1 << bits[half][half - 1], 1 << bits[half - 1][half - 1] | 1 << bits[half][half], 0)

    def player(self, state: Position) -> int:
        return state[2]

    def legal_actions(self, state: Position) -> list[int]:
        mover, other, _ = state
        if moves := placing_moves(mover, other, self.size):
            return list(moves)
        return [self.num_actions - 1] if placing_moves(other, mover, self.size) else []

    def play(self, state: Position, action: int) -> Position:
        mover, other, player = state
        stone, higher, lower = self._board.lines.get(action, (0, (), ()))
        turned = 0
        if not stone & (mover | other):
            for near, ray in higher:
                if near & other:
                    gaps = ray & ~other
                    end = gaps & -gaps  # the first square of the line without a stone of the other player
                    if end & mover:
                        turned |= ray & end - 1
            for near, ray in lower:
                if near & other:
                    gaps = ray & ~other
                    if gaps:
                        end = 1 << gaps.bit_length() - 1
                        if end & mover:
                            turned |= ray & -end ^ end
        if turned:
            return (other ^ turned, mover | stone | turned, 1 - player)
        if action == self.num_actions - 1 and self.legal_actions(state) == [action]:
            return (other, mover, 1 - player)
        raise illegal(self, state, action)

    def outcome(self, state: Position) -> float | None:
        mover, other, _ = state
        if placing_moves(mover, other, self.size) or placing_moves(other, mover, self.size):
            return None
        lead = mover.bit_count() - other.bit_count()
        return 1.0 if lead > 0 else -1.0 if lead else 0.0

    def planes(self, state: Position) -> NDArray[np.float32]:
        """Return float32 (2, size, size), the rows as in the drawing."""
        import numpy as np

        bits = self._board.bits
        if self.size <= 7:  # all bits of a set of stones fit into an int64
            as_drawn = _bits(self.size)
            return np.stack([stones >> as_drawn & 1 for stones in state[:2]]).astype(np.float32)
        return np.array([[[stones >> bit & 1 for bit in row] for row in bits] for stones in state[:2]], dtype=np.float32)

    def symmetries(self, state: Position, policy: ArrayLike) -> list[Symmetry]:
        """Return the position turned and mirrored, up to 8 pairs; the policy's entry for the pass keeps its place."""
        import numpy as np

        policy = np.asarray(policy)
        mover, other, player = state
        return distinct(((self._turned(mover, turn), self._turned(other, turn), player), policy[turn])
                        for turn in self._board.turns)

    def _turned(self, stones: int, turn: list[int]) -> int:
        lines = self._board.lines
        return sum(lines[to][0] for to, source in enumerate(turn[:-1]) if stones & lines[source][0])

    def rows(self, state: Position) -> list[str]:
        """Return one row of X, O and "." for each row of the board."""
        first, second = state[:2] if state[2] == 0 else state[1::-1]
        return ["".join("X" if first >> bit & 1 else "O" if second >> bit & 1 else "." for bit in row)
                for row in self._board.bits]

    def text(self, state: Position) -> str:
        """Return the rows as lines, and a line "X to move" or "O to move"; `parse` reads this text."""
        return "\n".join([*self.rows(state), f"{'XO'[state[2]]} to move"])

    def parse(self, text: str) -> Position:
        """Return the state that `text` shows, rows from the top, as lines or with "/" between the rows.

        A last row "X to move" or "O to move" names the player to move. Without it, X moves if the number of stones is even,
        as in a game without a pass so far. `parse` does not check that a game can reach the position.

        Raises:
            ValueError: not six rows of six, or a sign other than X, O and ".".
        """
        *rows, last = [row.strip() for row in text.strip().replace("/", "\n").split("\n")]
        named = last.endswith("to move")
        signs = "".join(read_board("\n".join(rows if named else [*rows, last]), self.size, self.size))
        first, second = (sum(self._board.lines[i][0] for i, seen in enumerate(signs) if seen == sign) for sign in "XO")
        player = (first | second).bit_count() % 2
        if named:
            sign = last.removesuffix("to move").strip()
            if sign not in ("X", "O"):
                raise ValueError(f"X or O is to move, not {last!r}")
            player = "XO".index(sign)
        return (second, first, 1) if player else (first, second, 0)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.size == self.size

    def __hash__(self) -> int:
        return hash((type(self), self.size))

    def __repr__(self) -> str:
        return "Othello()" if self.size == 6 else f"Othello({self.size})"
