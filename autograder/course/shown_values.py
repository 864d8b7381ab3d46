"""Values of the protocol as a person would write them: positions drawn, games by their tables, arrays with shape and dtype."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any

import numpy as np

from arena.games import ConnectFour, IllegalMove, Othello, TicTacToe, ToyGame
from arena.games.boards import to_move
from autograder.grading.hidden_checks.answer_types import Handle
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.sandbox.codec import HandleId, Plain, Special
from autograder.sandbox.table_game import TableGame

MOST_ITEMS = 60  # of a container, and of an array
MOST_LETTERS = 2_000  # of one value
MOST_STATES = 40  # of a game's table
MOST_OF_A_ROW = 160  # letters of one state's row
_BOARDS: dict[str, Any] = {"TicTacToe": TicTacToe, "ConnectFour": ConnectFour, "Othello": Othello}
BOARD_GAMES = (TicTacToe, ConnectFour, Othello)


class ShownValues:
    """Writes the values that travel in one session; it knows the games and functions that a number stands for.

    Args:
        callbacks: the session's own list of the functions that student code may call.
    """

    def __init__(self, callbacks: list[Callable[..., Any]]) -> None:
        self._callbacks = callbacks
        self._games: dict[int, Any] = {}
        self._watched_games: dict[int, Any] = {}  # by the number of the function that answers questions about them
        self._methods: dict[int, str] = {}  # objects that are methods of objects: "object 0.mask"
        self._now: Any = None  # the board game or watched game of the present call: it draws the states

    def descriptions(self) -> list[str]:
        """Return the tables of the toy games met so far, under the names that the calls give them."""
        named = {f"game {number + 1}": game for number, game in self._games.items()}
        named |= {f"watched game {number + 1}": game for number, game in self._watched_games.items()}
        return [line for name, game in named.items() for line in _table_of(name, game)]

    def during(self, arguments: Any) -> None:
        """Let the first game among these arguments draw the states of this call and of its answer."""
        self._now = self.game_in(arguments)

    def method(self, number: int, words: str) -> None:
        """Let the object with this number be called by these words, where it is called."""
        self._methods[number] = words

    def called(self, target: Any) -> str:
        """Return the name of what is called."""
        return self._methods.get(target.id, self.text(target)) if isinstance(target, HandleId) else self.text(target)

    def unpacked(self, value: Any) -> Any:
        """Return what a request's argument holds: bytes of plain values become these values."""
        if type(value) is Plain:
            return marshal.loads(value.data)
        if type(value) in (list, tuple):
            return type(value)(map(self.unpacked, value))
        if type(value) is dict:
            return {key: self.unpacked(item) for key, item in value.items()}
        return value

    def text(self, value: Any) -> str:
        """Return a value in words; a long one is cut."""
        words = self._text(self.unpacked(value))
        return words if len(words) <= MOST_LETTERS else f"{words[:MOST_LETTERS]}... ({len(words)} characters)"

    def _text(self, value: Any) -> str:
        if isinstance(value, (HandleId, Handle)):
            return f"object {value.id if isinstance(value, HandleId) else value._id}"
        if isinstance(value, Special):
            return self._special(value)
        if drawn := self._drawn(value) or _board(value):
            return drawn
        return _items(value, self._text) or plainly(value)

    def _special(self, value: Special) -> str:
        name, inner = value.name, self.unpacked(value.value)
        if name == "function":
            return str(inner)
        if name == "game":
            number = inner[0] if isinstance(inner, tuple) else inner
            game = self._game(inner)
            return repr(game) if type(game).__name__ in _BOARDS else f"game {number + 1}"
        if name == "rng":
            return f"random.Random({inner[1]})"
        if name == "watched":
            return self._watched(inner[0])
        if name == "tensor":
            return f"torch.tensor {plainly(inner[0])}{', requires_grad' if inner[1] else ''}"
        if name == "answers":
            table, other = inner[0]
            return f"a function that returns {self._text(table)}[its first argument], else {self._text(other)}"
        if name == "in_turn":
            return f"a function that returns one after another of {self._text(inner[0])}"
        what = {"network": "a network", "implementation": "an implementation"}.get(name, "a function")
        return f"{what} of the check ({self.name_of(inner[0])})"

    def name_of(self, number: int) -> str:
        """Return the name of a function that student code may call."""
        function = self._callbacks[number]
        return getattr(function, "__name__", type(function).__name__).replace("<lambda>", "lambda")

    def watched_by(self, number: int) -> ObservedGame | None:
        """Return the watched game whose questions this function answers; None for any other function."""
        owner = getattr(self._callbacks[number], "__self__", None)
        return owner if isinstance(owner, ObservedGame) else None

    def _watched(self, number: int) -> str:
        observed = self.watched_by(number)
        self._watched_games[number] = game = observed.game if observed else None
        return f"watched {game!r}" if isinstance(game, BOARD_GAMES) else f"watched game {number + 1}"

    def _game(self, inner: Any) -> Any:
        if isinstance(inner, tuple):
            number, kind, data = inner
            if number not in self._games:
                self._games[number] = _made(kind, data)
            return self._games[number]
        return self._games.get(inner)

    def game_in(self, value: Any) -> Any:
        """Return the first game in these arguments: a game of ours, or a watched one."""
        value = self.unpacked(value)
        if isinstance(value, Special):
            if value.name == "game":
                return self._game(self.unpacked(value.value))
            return self.watched_by(value.value[0]) if value.name == "watched" else None
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
        return next((game for item in inner if (game := self.game_in(item)) is not None), None)

    def _drawn(self, value: Any) -> str | None:
        """Return a state of the present call's game as a drawing; None if the value is not such a state."""
        game = self._now
        if isinstance(game, ObservedGame):
            if type(value) is not str or value not in game._states:
                return None
            return f"{value} = {position(game.game, game._states[value])}"
        return position(game, value) if is_position(game, value) else None


def position(game: Any, state: Any) -> str:
    """Return a position of a board game as "XO./.X./..O (X to move)"; any other state as Python writes it."""
    return f"{'/'.join(game.rows(state))} ({to_move(game, state)})" if is_position(game, state) else repr(state)


def is_position(game: Any, value: Any) -> bool:
    """Say whether `value` looks like a state of this board game: two sets of stones, and in Othello the player."""
    sides = 3 if isinstance(game, Othello) else 2
    if not isinstance(game, BOARD_GAMES) or type(value) is not tuple or len(value) != sides:
        return False
    if any(type(part) is not int or part < 0 for part in value) or value[0] & value[1]:
        return False
    try:
        rows = game.rows(value)
    except (ValueError, IndexError):
        return False
    return bool(sum(row.count("X") + row.count("O") for row in rows) == (value[0] | value[1]).bit_count())


def plainly(value: Any) -> str:
    """Return a value outside any call: arrays with dtype and shape, boards of ps1 drawn, numbers as Python writes them."""
    if isinstance(value, np.ndarray):
        if value.ndim == 2 and (drawn := _board(value.tolist())):
            return f"{drawn} {value.dtype} {value.shape}"
        words = np.array2string(value, threshold=MOST_ITEMS, separator=", ", max_line_width=10**6, precision=6)
        return f"array {value.dtype} {value.shape} {' '.join(words.split()).replace('[ ', '[')}"
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.item()!r}"
    if drawn := _board(value):
        return drawn
    if isinstance(value, tuple) and (fields := getattr(value, "_fields", ())):
        return f"{type(value).__name__}({', '.join(f'{name}={plainly(item)}' for name, item in zip(fields, value, strict=True))})"
    if items := _items(value, plainly):
        return items
    if isinstance(value, (HandleId, Handle)):
        return f"object {value.id if isinstance(value, HandleId) else value._id}"
    if isinstance(value, bytes):
        return _planes(value)
    if isinstance(value, TableGame):
        return f"table game of {len(value.data()[0])} states"
    if isinstance(value, Special):
        return f"random.Random({value.value[1]})" if value.name == "rng" else f"a {value.name} of the check"
    words = repr(value)
    return f"a {type(value).__name__} of the check" if " at 0x" in words else words


def _items(value: Any, text: Callable[[Any], str]) -> str:
    """Return a dict, list or tuple with its items as `text` writes them; "" for anything else."""
    if isinstance(value, dict):
        pairs = [f"{text(key)}: {text(item)}" for key, item in list(value.items())[:MOST_ITEMS]]
        return "{" + ", ".join([*pairs, *_more(len(value))]) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join([*map(text, value[:MOST_ITEMS]), *_more(len(value))])
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    return ""


def _board(value: Any) -> str:
    """Return rows of 1, -1 and 0 as a board of ps1: 1 is X, who moves first, and -1 is O; "" for anything else."""
    if not isinstance(value, list) or len(value) < 3 or not all(isinstance(row, list) for row in value):
        return ""
    width = len(value[0])
    if width < 3 or not all(len(row) == width and all(type(sign) is int and sign in (-1, 0, 1) for sign in row) for row in value):
        return ""
    return f"board {'/'.join(''.join('.XO'[sign] for sign in row) for row in value)}"


def _planes(value: bytes) -> str:
    """Return the bytes of a board's planes, which some checks use as a key, as its zeros and ones."""
    numbers = np.frombuffer(value, np.float32) if len(value) % 4 == 0 else np.zeros(0)
    ones = numbers.size and np.isin(numbers, (0, 1)).all()
    return f"planes {''.join('01'[int(number)] for number in numbers)}" if ones else f"{len(value)} bytes {value[:20].hex()}..."


def _more(length: int) -> list[str]:
    return [f"... {length - MOST_ITEMS} more"] if length > MOST_ITEMS else []


def _made(kind: str, data: Any) -> Any:
    """Return the grader's own game for what travelled as its name and data."""
    if kind in _BOARDS:
        return _BOARDS[kind]()
    if kind == "ToyGame":
        return ToyGame.from_data(data)
    table, start, num_actions, texts = data
    return TableGame(table, start, num_actions, texts, IllegalMove)


def _table_of(name: str, game: Any) -> list[str]:
    """Return the lines that say what a toy game is; none for a board game."""
    if isinstance(game, ToyGame):
        data = game.data()
        lines = [f"{state} -> {', '.join(after)}" for state, after in data["transitions"].items()]
        values = ", ".join(f"{state} {value:g}" for state, value in data["values"].items()) or "all 0"
        return [f"{name} is a toy game, start {data['start']}:", *_cut(lines), f"    values for the player to move: {values}"]
    if isinstance(game, TableGame):
        table, start, num_actions, texts = game.data()
        lines = [_row(state, *row) for state, row in table.items()]
        alike = "; all states have the same text" if texts else ""
        return [f"{name} is a table, start {start!r}, num_actions {num_actions}{alike}:", *_cut(lines)]
    return []


def _row(state: Any, player: int, after: dict[int, Any], outcome: float | None) -> str:
    moves = ", ".join(f"{action} -> {following!r}" for action, following in after.items())
    return f"{state!r}: player {player}, " + (moves if outcome is None else f"over, outcome {outcome:g}")


def _cut(lines: list[str]) -> list[str]:
    more = [f"... {len(lines) - MOST_STATES} more states"] if len(lines) > MOST_STATES else []
    rows = (line if len(line) <= MOST_OF_A_ROW else f"{line[:MOST_OF_A_ROW]}..." for line in lines[:MOST_STATES])
    return [f"    {line}" for line in [*rows, *more]]
