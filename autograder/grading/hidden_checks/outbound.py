"""The arguments of a check's calls, made ready to be sent: handles, games and functions become numbers and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.games import ConnectFour, Othello, TicTacToe, ToyGame
from autograder.grading.hidden_checks.answer_types import Handle
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.sandbox.codec import HandleId, Special, packed
from autograder.sandbox.session import Session
from autograder.sandbox.table_game import TableGame

_PLAIN = frozenset({type(None), bool, int, float, str})
_GAMES = (TicTacToe, ConnectFour, Othello, ToyGame, TableGame)
_FUNCTIONS = frozenset({"answers", "in_turn", "network"})  # the specials that are functions in the sandbox


@dataclass(frozen=True)
class Signatures:
    """Names of parameters, so that student code may pass arguments by name.

    parameters: of each function of the problem set, each class and, with a dot in front, each method.
    callbacks: of functions that are passed for a parameter: {"policy": ("game", "state", "rng")}.
    """

    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    callbacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Outbound:
    """Prepares the arguments of one submission's calls; after its first transfer, a game is only a number."""

    def __init__(self, session: Session, signatures: Signatures) -> None:
        self._session, self._signatures = session, signatures
        self._games: dict[int, tuple[Any, int]] = {}

    def named(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return a call's arguments; functions among them get the names of their own parameters."""
        places = self._signatures.parameters.get(name, ())
        by_place = [self._passed(value, places[place] if place < len(places) else "") for place, value in enumerate(args)]
        return by_place, {key: self._passed(value, key) for key, value in kwargs.items()}

    def _passed(self, value: Any, parameter: str) -> Any:
        """Return the argument for this parameter; a function becomes a callback."""
        names = self._signatures.callbacks.get(parameter, ())
        if type(value) is Special:
            return Special(value.name, (packed(value.value[0]) or value.value[0], names)) if value.name in _FUNCTIONS else value
        if callable(value) and not isinstance(value, (Handle, ObservedGame, *_GAMES)):
            return self._session.callback(value, names)
        return value

    def travelling(self, value: Any) -> Any:
        """Return an argument for the protocol: handles by number, games by name and data, callables as callbacks."""
        kind = type(value)
        if kind in _PLAIN or kind is Special:
            return value
        if kind is list or kind is tuple or kind is dict:
            plain = packed(value) if value else None
            if plain is not None:
                return plain
        if isinstance(value, Handle):
            return HandleId(value._id)
        if isinstance(value, _GAMES):
            return self._game_over_there(value)
        if isinstance(value, ObservedGame):
            return Special("watched", (self._session.callback_number(value.answer), value.game.num_actions))
        if isinstance(value, (list, tuple)):
            return type(value)([self.travelling(item) for item in value])
        if isinstance(value, dict):
            return {self.travelling(key): self.travelling(item) for key, item in value.items()}
        if callable(value):
            return self._session.callback(value)
        return value

    def _game_over_there(self, game: Any) -> Special:
        """Return a game's stand-in for the sandbox; its name and data travel once."""
        if id(game) in self._games:
            return Special("game", self._games[id(game)][1])
        number = len(self._games)
        self._games[id(game)] = (game, number)  # the game is kept here too, so that no other object gets its id
        data = game.data() if hasattr(game, "data") else None
        return Special("game", (number, type(game).__name__, packed(data) or data))

    def columns(self, name: str, calls: list[tuple[Any, ...]]) -> list[tuple[str, Any]]:
        """Return the arguments of many calls by place: ("each", values), or one value for all calls.

        An object that all calls share travels once if that makes no difference: "shared" if nothing can change it, or if it stays
        on one side; "copied" if it is plain values in lists and dicts, so that each call gets its own copy.
        """
        columns = []
        for place, values in enumerate(zip(*calls, strict=True)):
            parameter = dict(enumerate(self._signatures.parameters.get(name, ()))).get(place, "")
            how, value = _column(list(values))
            passed = [self._passed(item, parameter) for item in value] if how == "each" else self._passed(value, parameter)
            columns.append((how, passed))
        return columns


def _column(values: list[Any]) -> tuple[str, Any]:
    first = values[0]
    if all(value is first for value in values):
        kinds = _kinds(first)
        if kinds <= _SHARED or callable(first):
            return "shared", first
        if kinds <= _COPIED:
            return "copied", first
    return "each", values


def _kinds(value: Any) -> set[type]:
    """Return the types of a value and of everything inside it."""
    if type(value) is Special and value.name != "rng":  # a generator is the same object afterwards, a tensor is not
        return {object}
    inner = value.values() if type(value) is dict else value if type(value) in (tuple, list) else ()
    return {Handle if isinstance(value, Handle) else type(value)}.union(*map(_kinds, inner))


_SHARED = _PLAIN | {tuple, Special, Handle, *_GAMES}
_COPIED = _PLAIN | {tuple, list, dict, Special}
