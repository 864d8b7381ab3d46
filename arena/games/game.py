"""The methods of every game: the rules, without a board object and without memory.

The state holds everything that changes in play. It is an immutable, hashable value: it can be a key of a dictionary,
and no other code can change it. Code outside a game never looks into a state; it asks the game.

Only `planes` and `symmetries` need numpy, and they import it when they are called: a search does without.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

State: TypeAlias = Any  # an immutable, hashable value: each game has its own type, and a search takes any of them
Symmetry: TypeAlias = "tuple[State, NDArray[Any]]"


class Game(Protocol):
    """The rules of a two-player game that is played in turns, without hidden information and without chance.

    **The mover's view**: a value belongs to the player to move at its state, in [-1, 1].
    """

    num_actions: int
    """Actions are the integers 0 .. num_actions - 1, at every state of the game."""

    def start(self) -> State:
        """Return the state before the first move."""

    def player(self, state: State) -> int:
        """Return the player to move, 0 or 1; player 0 moved first from `start()`."""

    def legal_actions(self, state: State) -> list[int]:
        """Return the legal actions in ascending order, a new list; empty when the game is over."""

    def play(self, state: State, action: int) -> State:
        """Return the state after `action`; `state` itself does not change.

        Raises:
            IllegalMove: `action` is not legal at `state`, or the game is over there.
        """

    def outcome(self, state: State) -> float | None:
        """Return +1.0, 0.0 or -1.0 for the player to move at a finished `state`; None while the game goes on.

        After the last stone, the player to move is the one who did not place it: a game that was won by its last move
        is -1.0 here. `result_for(game, state, player)` gives the result for a certain player.
        """

    def planes(self, state: State) -> NDArray[np.float32]:
        """Return float32 (2, H, W): plane 0 has 1 at the stones of the player to move, plane 1 at those of the other player."""

    def symmetries(self, state: State, policy: ArrayLike) -> list[Symmetry]:
        """Return the pairs (state, policy) for every way to turn or mirror the position.

        Args:
            policy: num_actions numbers, one for each action; they move with the board.

        The given pair comes first; a pair that two symmetries share is listed once.
        """

    def text(self, state: State) -> str:
        """Return the board as lines of text; X moved first."""


class BoardShape(NamedTuple):
    """The fixed facts about the board of a game.

    Attributes:
        height, width: of the board, in squares.
        stones_fall: each action is a column, 0 .. width - 1, and a stone falls to its lowest free square. If stones do
            not fall, the actions 0 .. height * width - 1 are the squares, row by row from the upper left.
        pass_action: the action that places no stone; None in a game without passes.
    """

    height: int
    width: int
    stones_fall: bool = False
    pass_action: int | None = None

    def action_at(self, row: int, column: int) -> int:
        """Return the action for a click on a square; row 0 is the top row."""
        return column if self.stones_fall else row * self.width + column


@runtime_checkable
class Drawable(Protocol):
    """A game that describes its board; a picture asks the game, and does not guess from the game's text."""

    @property
    def board(self) -> BoardShape | None:
        """The shape of the board; None for a game without a board, whose states are names."""

    def rows(self, state: State) -> list[str]:
        """Return the rows of the board, top row first: X, O or "." for each square; without a board the state's name alone.

        X belongs to player 0, who moved first.
        """


class IllegalMove(ValueError):
    """An action that the rules do not allow; the error keeps the `action` and the `state`."""

    def __init__(self, action: object, state: State, board: str = "", reason: str = "is not legal here"):
        self.action = action
        self.state = state
        super().__init__(f"action {action!r} {reason}" + (f":\n{board}" if board else ""))


def after(game: Game, actions: Iterable[int], state: State | None = None) -> State:
    """Return the state after `actions`, played one after another from `state` (default: the start).

    Raises:
        IllegalMove: one of the actions is not legal at its turn.
    """
    state = game.start() if state is None else state
    for action in actions:
        state = game.play(state, action)
    return state


def result_for(game: Game, state: State, player: int) -> float:
    """Return the result of a game that is over at `state` for `player`, 0 or 1: +1.0 won, 0.0 drawn, -1.0 lost.

    `game.outcome(state)` is in the mover's view; this is the same result in the view of `player`. The results of the two
    players add up to 0. A draw is 0.0 for both, never -0.0.

    Raises:
        ValueError: the game goes on at `state`.
    """
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError("the game goes on: nobody has a result yet")
    return outcome if game.player(state) == player else 0.0 - outcome


def illegal(game: Game, state: State, action: object) -> IllegalMove:
    """Return the error of `game` for `action` at `state`: the slow part of `play`, needed only for a mistake."""
    if game.outcome(state) is not None:
        reason = "comes after the end of the game"
    elif action in range(game.num_actions):
        reason = "is not legal here"
    else:
        reason = f"is not one of 0 to {game.num_actions - 1}"
    return IllegalMove(action, state, game.text(state), reason)


def distinct(pairs: Iterable[Symmetry]) -> list[Symmetry]:
    """Return each pair (state, policy) once, in the order of first appearance."""
    seen: set[tuple[State, bytes]] = set()
    kept = []
    for state, policy in pairs:
        key = (state, policy.tobytes())
        if key not in seen:
            seen.add(key)
            kept.append((state, policy))
    return kept


def turns(size: int) -> list[list[int]]:
    """Return the 8 symmetries of a square board, identity first: for each square, the square that moves there."""
    board = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    boards = []
    for side in (board, [row[::-1] for row in board]):
        for _ in range(4):
            boards.append([square for row in side for square in row])
            side = [list(column) for column in zip(*side, strict=True)][::-1]  # a quarter turn against the clock
    return boards


def read_board(text: str, height: int, width: int) -> list[str]:
    """Return the rows of a board, top row first; `text` is as `Game.text` writes it, or "X.O/.../...".

    Raises:
        ValueError: a wrong number of rows or columns, or a sign other than X, O and "." for an empty square.
    """
    rows = [row.replace(" ", "") for row in text.replace("/", "\n").splitlines()]
    rows = [row for row in rows if row and not row.isdigit()]  # a line of digits holds the column numbers
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"a board of {height} rows of {width} squares was expected, not {text!r}")
    if strange := set("".join(rows)) - set("XO."):
        raise ValueError(f"a square is X, O or '.', not {sorted(strange)[0]!r}")
    return rows


def mover_and_other(first: int, second: int) -> tuple[int, int]:
    """Return two sets of stones (X and O as bits) as (player to move, other); the numbers of stones decide.

    Raises:
        ValueError: X, who moves first, must have as many stones as O or one more.
    """
    lead = first.bit_count() - second.bit_count()
    if lead not in (0, 1):
        raise ValueError(f"X has {first.bit_count()} stones and O {second.bit_count()}: X moves first, then they take turns")
    return (second, first) if lead else (first, second)
