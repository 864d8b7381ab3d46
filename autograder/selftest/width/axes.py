"""The inputs of an exercise's functions, along axes that follow from the calls of its checks: games, sizes, ranges, ties.

An axis is a parameter of a function, or its result. Nothing is listed by hand for an exercise: the names come from the
signatures, and the values from what travels to the sandbox.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from arena.games import ConnectFour, Othello, TicTacToe
from autograder.course.shown_values import ShownValues, is_position
from autograder.grading.hidden_checks.answer_types import Handle
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.grading.watched_run import Watch
from autograder.problem_sets.source import Exercise, ProblemSet
from autograder.sandbox.codec import HandleId, Special
from autograder.sandbox.errors import Raised, StudentError
from autograder.sandbox.session import Session

RESULT, KEPT = "result", "a kept value"
MOST_NAMED = 8  # different numbers, shapes or texts of an axis that are named one by one
TIED = "a tie of the largest"
_REAL = (TicTacToe, ConnectFour, Othello)
MOST_DEEP = 3  # objects made from objects
_PLAIN = frozenset({"rng", "a function"})  # without a choice
OBJECT = (Handle, HandleId)  # in the sandbox
OTHER = "another object"  # the call of an object, such as a subclass that a check has made
_CALLS = ("call", "call_and_keep", "method", "many")


class Axis:
    """The different values of one parameter, or of the result."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()  # in words, such as the name of a game
        self.texts: set[str] = set()  # names of states of toys and tables, and other texts: only counted
        self.games: set[str] = set()  # the classes of games of ours
        self.shapes: set[tuple[int, ...]] = set()
        self.numbers: dict[str, set[float]] = defaultdict(set)  # by what they count: "", "length", "plies"

    def add(self, value: Any, shown: ShownValues, game: Any = None) -> None:
        """Take one value; with `game`, it may be a state of this game."""
        if isinstance(value, Special):
            self._special(value, shown)
        elif game is not None and self._state(value, game):
            return
        elif value is None or isinstance(value, (bool, np.bool_)):
            self.kinds.add(str(value))
        elif isinstance(value, (int, float, np.integer, np.floating)):
            self._number(float(value))
        elif isinstance(value, np.ndarray):
            self.shapes.add(value.shape)
            self._tie(value.tolist() if value.ndim == 1 else [])
        elif isinstance(value, dict):
            self.numbers["entries"].add(len(value))
            self._tie(value.values())
        elif isinstance(value, (list, tuple)):
            self._sequence(value)
        elif isinstance(value, str):
            self.texts.add(value)

    def _special(self, value: Special, shown: ShownValues) -> None:
        if value.name not in ("game", "watched"):
            self.kinds.add("rng" if value.name == "rng" else "a function")
            return
        game = shown.game_in([value])
        inner = game.game if isinstance(game, ObservedGame) else game
        self.kinds.add(_named(inner))
        self.games.add(type(inner).__name__)

    def _state(self, value: Any, game: Any) -> bool:
        """Note a state of this game, and say whether it is one."""
        if isinstance(game, ObservedGame):
            game, value = game.game, game._states.get(value, value) if isinstance(value, str) else value
        try:
            player, over = game.player(value), game.outcome(value) is not None
            hash(value)
        except Exception:  # of whatever kind: no state of this game
            return False
        self.kinds |= {f"player {player} to move", *(["over"] if over else [])}
        if is_position(game, value):
            self.numbers["stones"].add((value[0] | value[1]).bit_count())
        else:
            self.texts.add(str(value))
        return True

    def _number(self, value: float) -> None:
        if not np.isfinite(value):
            self.kinds.add(str(value))
        self.numbers[""].add(value)

    def _sequence(self, value: Sequence[Any]) -> None:
        self.kinds.add(type(value).__name__)
        inner = (row for row in value if isinstance(row, (list, tuple)))
        rows = [len(row) for row in inner if all(isinstance(item, (int, float)) for item in row)]
        if rows and len(rows) == len(value) and len(set(rows)) == 1:
            self.shapes.add((len(value), rows[0]))
        else:
            self.numbers["length"].add(len(value))
        self._tie(value)

    def _tie(self, values: Iterable[Any]) -> None:
        """Note whether the largest of several numbers is there twice, though not all are equal."""
        numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
        if len(numbers) > 2 and len(set(numbers)) > 1 and numbers.count(max(numbers)) > 1:
            self.kinds.add(TIED)

    @property
    def ways(self) -> int:
        """How many different values it has."""
        return len(self.kinds - _PLAIN) + len(self.texts) + len(self.shapes) + sum(map(len, self.numbers.values()))

    def words(self) -> str:
        """Return the values in words."""
        parts = sorted(self.kinds)
        if len(parts) > MOST_NAMED:
            parts = [*parts[:MOST_NAMED], f"{len(parts) - MOST_NAMED} more"]
        parts += [_shapes(self.shapes)] if self.shapes else []
        parts += [f"{len(self.texts)} names"] if self.texts else []
        parts += [f"{what} {_range(numbers)}".strip() for what, numbers in sorted(self.numbers.items())]
        known = self.games | self.kinds  # in ps1 the games are the student's own
        never = [kind.__name__ for kind in _REAL if kind.__name__ not in known] if self.games else []
        return ", ".join(parts) + (f"; never {', '.join(never)}" if never else "")


def _named(game: Any) -> str:
    if isinstance(game, _REAL):
        return repr(game).removesuffix("()")
    return {"TableGame": "a table", "ToyGame": "a toy"}.get(type(game).__name__, "another game")


def _shapes(shapes: set[tuple[int, ...]]) -> str:
    words = [" x ".join(map(str, shape)) or "()" for shape in sorted(shapes)]
    return f"shape {', '.join(words)}" if len(words) <= MOST_NAMED else f"{len(words)} shapes from {words[0]} to {words[-1]}"


def _range(numbers: set[float]) -> str:
    known = sorted(number for number in numbers if np.isfinite(number))
    if len(known) <= MOST_NAMED:
        return " ".join(f"{number:.4g}" for number in known)
    return f"{known[0]:.4g} to {known[-1]:.4g} ({len(known)} different)"


Axes = dict[tuple[str, str], Axis]  # by function and parameter


class Inputs(Watch):
    """Notes the branches that checks run, and the inputs of the functions that they call."""

    def __init__(self, ps: ProblemSet) -> None:
        super().__init__()
        self.parameters = {**_fields(ps), **ps.program.parameters()}  # of functions and classes; with a dot in front of methods
        self.states = _states(ps)
        self.axes: dict[str, Axes] = defaultdict(dict)  # by check
        self.calls: dict[tuple[str, str], int] = defaultdict(int)  # by check and function
        self._shown = ShownValues([])  # the values of the present process
        self._made: dict[int, tuple[str, dict[str, Any]]] = {}  # objects: the function whose result they are, and its arguments
        self._methods: dict[int, tuple[str, Any]] = {}  # objects that are methods: the name, and the object that has it

    def watch(self, session: Session) -> None:
        """Note every request of a process that has just loaded the submission."""
        super().watch(session)
        self._made, self._methods, self._shown = {}, {}, ShownValues(session._callbacks)
        request = session.request

        def noted(operation: str, *arguments: Any) -> Any:
            try:
                answer = request(operation, *arguments)
            except StudentError as error:
                self._note(operation, arguments, error)
                raise
            self._note(operation, arguments, answer)
            return answer

        session.request = noted  # type: ignore[method-assign]  # of this one session

    def of(self, exercise: Exercise, checks: Iterable[str]) -> dict[str, dict[str, Axis]]:
        """Return the axes of an exercise's functions over these checks, by function and parameter."""
        own = {name.rpartition(".")[2] for name in exercise.functions}
        together: dict[str, dict[str, Axis]] = {}
        for check in checks:
            for (function, parameter), axis in self.axes[check].items():
                if function in own:
                    _join(together.setdefault(function, {}).setdefault(parameter, Axis()), axis)
        return together

    def _note(self, operation: str, arguments: Any, answer: Any) -> None:
        if operation not in _CALLS:
            self._learn(operation, arguments, answer)
            return
        unpacked = [self._shown.unpacked(argument) for argument in arguments]
        if operation == "method":
            owner, name, args, named = unpacked
            self._call(f".{name}", args, named, answer, owner)
        elif operation == "many":
            target, number, columns = unpacked
            one_each = type(answer) is list and len(answer) == number
            name, owner = self._methods.get(_number(target), ("", None)) if isinstance(target, HandleId) else (target.value, None)
            for place in range(number):
                row = [value[place] if how == "each" else value for how, value in columns]
                self._call(name, row, {}, answer[place] if one_each else answer, owner)
        else:
            target, args, named = unpacked
            self._call(target.value if isinstance(target, Special) else OTHER, args, named, answer)

    def _learn(self, operation: str, arguments: Any, answer: Any) -> None:
        """Remember what an object is: a kept value, a method of another object, or a node of a planted tree."""
        if operation == "keep" and isinstance(answer, OBJECT) and not isinstance(arguments[0], HandleId):
            self._made[_number(answer)] = (KEPT, {KEPT: self._shown.unpacked(arguments[0])})
        elif operation == "get" and isinstance(answer, OBJECT):
            self._methods[_number(answer)] = (f".{arguments[1]}", arguments[0])
        elif operation == "plant" and type(answer) is list:
            _, spots, first, names = map(self._shown.unpacked, arguments)
            game = {"game": first[0]} if self._shown.game_in(first) is not None else {}
            for (_, state, _, *values), node in zip(spots, answer, strict=False):
                if isinstance(node, OBJECT):
                    self._made[_number(node)] = ("plant", {**game, "state": state, **dict(zip(names, values, strict=False))})

    def _call(
        self, name: str, args: Sequence[Any], named: Mapping[str, Any], answer: Any, owner: Any = None
    ) -> None:
        places = self.parameters.get(name, ())
        given = {places[place] if place < len(places) else f"argument {place + 1}": value for place, value in enumerate(args)}
        given |= named
        if owner is not None:
            given = {"self": owner, **given}
        function, game = name.removeprefix("."), self._game(given.values())
        self.calls[self._check, function] += 1
        for parameter, value in given.items():
            self._value(function, parameter, value, game)
        result = self._axis(function, RESULT)
        if isinstance(answer, Raised):
            result.kinds.add(next((kind for kind in answer.names if kind), "an error"))
        elif isinstance(answer, OBJECT):
            self._made.setdefault(_number(answer), (function, given))
        elif not isinstance(answer, StudentError):
            result.add(answer, self._shown)

    def _value(self, function: str, parameter: str, value: Any, game: Any, depth: int = 0) -> None:
        """Note an argument; an object is noted as the call that made it, with the arguments of that call."""
        if not isinstance(value, OBJECT):
            is_state = (function, parameter) in self.states or parameter.endswith("state")
            self._axis(function, parameter).add(value, self._shown, game if is_state else None)
            return
        maker, given = self._made.get(_number(value), ("an object", {}))
        if maker == KEPT:
            self._value(function, parameter, given[KEPT], game, depth)
            return
        self._axis(function, parameter).kinds.add(maker)
        game = self._game(given.values()) or game
        for inner, its_value in given.items() if depth < 1 else ():
            self._value(function, f"{parameter}.{inner}", its_value, game, depth + 1)

    def _game(self, values: Iterable[Any], depth: int = 0) -> Any:
        """Return the game among some arguments, or among those from which an object among them was made."""
        objects = []
        for value in values:
            if (game := self._shown.game_in([value])) is not None:
                return game
            if isinstance(value, OBJECT) and depth < MOST_DEEP:
                objects.append(self._made.get(_number(value), ("", {}))[1].values())
        return next((game for inner in objects if (game := self._game(inner, depth + 1)) is not None), None)

    def _axis(self, function: str, parameter: str) -> Axis:
        return self.axes[self._check].setdefault((function, parameter), Axis())


def _fields(ps: ProblemSet) -> dict[str, tuple[str, ...]]:
    """Return the fields of the dataclasses that a set hands out: the parameters of these classes."""
    given = (statement for cell in ps.cells if cell.role == "given" for statement in ast.parse(cell.stub).body)
    return {statement.name: tuple(ast.unparse(line.target) for line in statement.body if isinstance(line, ast.AnnAssign))
            for statement in given if isinstance(statement, ast.ClassDef) and statement.decorator_list}


def _states(ps: ProblemSet) -> set[tuple[str, str]]:
    """Return the parameters that hold a state by their type, each with the name of its function without the class."""
    return {(name.rpartition(".")[2], argument.arg) for name, function in ps.program.functions.items()
            for argument in (*function.args.args, *function.args.kwonlyargs)
            if argument.annotation is not None and ast.unparse(argument.annotation) == "State"}


def _number(value: Any) -> int:
    number: int = value.id if isinstance(value, HandleId) else value._id
    return number


def _join(into: Axis, axis: Axis) -> None:
    into.kinds |= axis.kinds
    into.texts |= axis.texts
    into.shapes |= axis.shapes
    into.games |= axis.games
    for what, numbers in axis.numbers.items():
        into.numbers[what] |= numbers
