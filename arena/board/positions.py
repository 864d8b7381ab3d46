"""Positions of the three games as the board shows them: opened by a text of moves, described as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.errors import UserError
from arena.games import ConnectFour, Game, IllegalMove, Othello, State, TicTacToe, result_for
from arena.games.boards import caption, changed, must_pass, rows, shape_of
from arena.near_miss import meant_or_listed

GAMES: dict[str, Game] = {"tic_tac_toe": TicTacToe(), "connect_four": ConnectFour(), "othello": Othello()}
TITLES = {"tic_tac_toe": "Tic-Tac-Toe", "connect_four": "Connect Four", "othello": "Othello 6x6"}
IN_A_ROW = {"tic_tac_toe": 3, "connect_four": 4}
LONGEST = 400  # characters in a text of moves; the longest game needs fewer


@dataclass(frozen=True)
class Position:
    """A game up to now: its name, the moves so far, and the states that they led to, the start included."""

    name: str
    actions: tuple[int, ...]
    states: tuple[State, ...]

    @property
    def game(self) -> Game:
        """The rules."""
        return GAMES[self.name]

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def mover(self) -> int:
        """The player to move, 0 (X) or 1 (O)."""
        return self.game.player(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.outcome(self.state) is not None

    @property
    def legal(self) -> list[int]:
        """The legal actions."""
        return self.game.legal_actions(self.state)

    @property
    def moves(self) -> str:
        """The moves as text: one digit for each, as in 4435; in a game with more than ten actions "13.9.10"."""
        return ("." if self.game.num_actions > 10 else "").join(map(str, self.actions))

    def play(self, action: int) -> Position:
        """Return the position after `action`.

        Raises:
            UserError: the action is not legal.
        """
        try:
            state = self.game.play(self.state, action)
        except IllegalMove:
            raise UserError(self._refusal(action)) from None
        return Position(self.name, (*self.actions, action), (*self.states, state))

    def back_to(self, ply: int) -> Position:
        """Return the position after the first `ply` moves."""
        return Position(self.name, self.actions[:ply], self.states[: ply + 1])

    def _refusal(self, action: int) -> str:
        if self.over:
            return "the game is over: take a move back, or begin a new game"
        return f"{action} is not legal here; legal moves: {', '.join(map(str, self.legal))}"


def start(name: str) -> Position:
    """Return the start of a game.

    Raises:
        UserError: no game has this name.
    """
    if name not in GAMES:
        raise UserError(f"no game is called {name[:40]!r}{meant_or_listed(name[:40], GAMES)}")
    return Position(name, (), (GAMES[name].start(),))


def open_position(name: str, moves: str) -> Position:
    """Return the position after `moves`, a text as `Position.moves` writes it.

    Raises:
        UserError: no game has this name, the text holds no moves, or a move is not legal.
    """
    position = start(name)
    for number, word in enumerate(_words(moves, position.game.num_actions > 10), 1):
        try:
            position = position.play(int(word))
        except UserError as error:
            raise UserError(f"move {number} of {moves}: {error}") from None
    return position


def _words(moves: str, separated: bool) -> list[str]:
    words = moves.split(".") if separated and moves else list(moves)
    if len(moves) > LONGEST or not all(word.isascii() and word.isdecimal() and len(word) <= 2 for word in words):
        form = "numbers with dots between them, such as 13.9.10" if separated else "digits, such as 4435"
        raise UserError(f"moves must be {form}, not {moves[:40]!r}")
    return words


def describe(position: Position) -> dict[str, Any]:
    """Return all that a page needs to draw a position: the board, the legal moves, the last move, and words for them."""
    game, state = position.game, position.state
    shape = shape_of(game)
    assert shape is not None, "each of GAMES has a board"
    before = position.states[-2] if position.actions else state
    return {
        "game": position.name, "title": TITLES[position.name], "moves": position.moves, "actions": list(position.actions),
        "rows": rows(game, state), "stones_fall": shape.stones_fall, "pass_action": shape.pass_action,
        "legal": position.legal, "must_pass": not position.over and must_pass(game, state),
        "last": sorted(changed(game, before, state)), "row": winning_row(position),
        "mover": "XO"[position.mover], "over": position.over, "caption": caption(game, state),
        "result": result_for(game, state, 0) if position.over else None,
    }  # fmt: skip


def winning_row(position: Position) -> list[tuple[int, int]]:
    """Return the squares (row, column) of a finished row of three or four, in games that are won so; else none."""
    length = IN_A_ROW.get(position.name)
    if length is None or not position.over:
        return []
    lines = rows(position.game, position.state)
    for squares in _straight(len(lines), len(lines[0]), length):
        if {lines[r][c] for r, c in squares} in ({"X"}, {"O"}):
            return squares
    return []


def _straight(height: int, width: int, length: int) -> Iterator[list[tuple[int, int]]]:
    """Yield every straight row of `length` squares of a board."""
    for r in range(height):
        for c in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                squares = [(r + i * down, c + i * right) for i in range(length)]
                if squares[-1][0] < height and 0 <= squares[-1][1] < width:
                    yield squares
