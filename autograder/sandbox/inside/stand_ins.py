"""Stand-ins in the worker for objects of the grader: arguments of many calls, a table of answers, a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.sandbox.table_game import TableGame
else:
    from table_game import TableGame


def column(how: str, values: Any, number: int) -> Any:
    """Return the values of one argument for `number` calls, as an iterable; a copy is made when its call comes."""
    if how == "each":
        return values
    return repeat(values, number) if how == "shared" else map(_copy, repeat(values, number))


def _copy(value: Any) -> Any:
    """Return a copy of a value with new lists and dicts."""
    if type(value) in (tuple, list):
        return type(value)(map(_copy, value))
    return {key: _copy(item) for key, item in value.items()} if type(value) is dict else value


def in_order(names: tuple[str, ...], args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return all arguments by place; `names` are the names in the docstring.

    Raises:
        TypeError: as from a function with these parameters.
    """
    rest = names[len(args) : len(args) + len(named)]
    if set(named) != set(rest):
        raise TypeError(f"({', '.join(names)}) cannot be called with {len(args)} arguments and {', '.join(named)}")
    return (*args, *(named[name] for name in rest))


def answers(table: tuple[dict[Any, Any], Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function that looks up its first argument in a table; a wrong call gets an answer too."""
    values, other = table

    def answer(*args: Any, **named: Any) -> Any:
        given = in_order(names, args, named)
        try:
            return values.get(given[0], other) if given else other
        except TypeError:  # an unhashable argument, a list for example
            return other

    return answer


def in_turn(values: list[Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function that returns these values one after another, then the last one again and again."""
    rest = list(values[::-1])

    def answer(*args: Any, **named: Any) -> Any:
        in_order(names, args, named)
        return (rest.pop() if len(rest) > 1 else rest[0]) if rest else 0

    return answer


def not_there(name: str) -> Callable[..., Any]:
    """Return the stand-in for a function that the submission does not have; it raises the same error as a stub."""

    def missing(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"exercise {name} is not written yet")

    return missing


def game(name: str, data: Any, module: Any) -> Any:
    """Return a game of arena, or a game that is a table; `module` is the submission."""
    if name == "TableGame":
        table, start, num_actions, texts = data
        return TableGame(table, start, num_actions, texts, illegal_move(module))
    from arena import games

    return games.ToyGame.from_data(data) if name == "ToyGame" else getattr(games, name)()


def illegal_move(module: Any) -> type[Exception]:
    """Return arena's IllegalMove; if the student writes the games, the IllegalMove of their module."""
    try:
        from arena.games import IllegalMove
    except ImportError:
        own: type[Exception] = module.IllegalMove
        return own
    return IllegalMove


class ObservedGame:
    """A game whose rules live in the grader: every question goes there, and the states here are only names."""

    def __init__(self, ask: Callable[..., Any], num_actions: int) -> None:
        self._ask = ask
        self.num_actions = num_actions

    def start(self) -> Any:
        return self._ask("start")

    def player(self, state: Any) -> Any:
        return self._ask("player", state)

    def legal_actions(self, state: Any) -> Any:
        return self._ask("legal_actions", state)

    def play(self, state: Any, action: int) -> Any:
        return self._ask("play", state, action)

    def outcome(self, state: Any) -> Any:
        return self._ask("outcome", state)

    def planes(self, state: Any) -> Any:
        return self._ask("planes", state)

    def text(self, state: Any) -> Any:
        return self._ask("text", state)
