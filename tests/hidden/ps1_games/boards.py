"""Random positions from the grader's own rules: how the checks send them, read them back and compare them.

The rules here are `arena`'s, and the submission does not have these. No value of the submission is used.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import numpy as np

from arena.games import TicTacToe
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.answer_types import node
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.grading.hidden_checks.student_proxy import DidNotRaise
from autograder.sandbox.errors import Raised
from tests.hidden.full_games import FOUR, full_game

TTT = TicTacToe()
RULES = {"TicTacToe": TTT, "ConnectFour": FOUR}


class Facts(NamedTuple):
    """The contents of a state as plain values that can be compared: rows and mask are lists."""

    player: int
    board: list[list[int]]
    mask: list[bool]


def facts(game: Any, state: Any) -> Facts:
    """What a BoardState must hold when arena's game is in this state."""
    lines = [line for line in game.text(state).split("\n") if not line.isdigit()]
    legal = game.legal_actions(state)
    board = [[(sign == "X") - (sign == "O") for sign in line] for line in lines]
    return Facts(game.player(state), board, [action in legal for action in range(game.num_actions)])


def send(student: Any, positions: list[Facts]) -> list[Any]:
    """Make these BoardStates in the worker, with one message."""
    arrays = [(player, np.array(board, dtype=np.int8), np.array(mask)) for player, board, mask in positions]
    return student.many("BoardState", arrays)


def over_with_open_mask(student: Any, edition: Random, name: str) -> tuple[Any, Any]:
    """A game in the worker, and a state that the player to move has lost, whose mask still shows every action."""
    rules = RULES[name]
    shown = facts(rules, finished(edition, rules, -1.0)[-1][0])._replace(mask=[True] * rules.num_actions)
    return getattr(student, name)(), send(student, [shown])[0]


def read(student: Any, states: list[Any]) -> list[Facts]:
    """Read the contents of these states, with one message."""
    rows = student._fields(states, "player", "board", "action_mask")
    return [Facts(player, board.tolist(), mask.tolist()) for player, board, mask in rows]


def plies(game: Any, edition: Random) -> list[tuple[Any, int | None]]:
    """One game of random moves: (state, action taken there) from the start; the finished state has the action None."""
    line = [(game.start(), None)]
    while game.outcome(line[-1][0]) is None:
        state = line[-1][0]
        action = edition.choice(game.legal_actions(state))
        line[-1:] = [(state, action), (game.play(state, action), None)]
    return line


def replay(game: Any, moves: list[int]) -> list[tuple[Any, int | None]]:
    """The same as `plies`, for a list of moves."""
    line = [(game.start(), None)]
    for action in moves:
        state = line[-1][0]
        line[-1:] = [(state, action), (game.play(state, action), None)]
    return line


@drawn_once
def finished(edition: Random, game: Any, value: float, winner: int | None = None) -> list[tuple[Any, int | None]]:
    """A game that ends with this outcome and, if it is won, with this winner."""
    if value == 0.0 and game is FOUR:
        return replay(game, full_game(edition))
    while True:
        line = plies(game, edition)
        end = line[-1][0]
        if game.outcome(end) == value and winner in (None, 1 - game.player(end)):
            return line


def won_with_the_last_stone(game: Any, edition: Random) -> list[tuple[Any, int | None]]:
    """A game in which the last stone fills the board and completes a row."""
    if game is FOUR:
        return replay(game, full_game(edition, won=True))
    while True:
        line = finished(edition, game, -1.0)
        if len(line) == 10:
            return line


@drawn_once
def ongoing(edition: Random, game: Any, number: int, at_least: int = 0) -> list[Any]:
    """Random unfinished states with `at_least` stones or more; half of them for each player to move."""
    by_player: dict[int, list[Any]] = {0: [], 1: []}
    while min(map(len, by_player.values())) < (number + 1) // 2:
        states = [state for state, action in plies(game, edition)[at_least:] if action is not None]
        if states:
            state = edition.choice(states)
            by_player[game.player(state)].append(state)
    half = (number + 1) // 2
    return [state for both in zip(by_player[0][:half], by_player[1][:half], strict=True) for state in both][:number]


def with_empties(edition: Random, empties: int) -> Any:
    """An unfinished Tic-Tac-Toe state with `empties` empty squares."""
    while True:
        line = plies(TTT, edition)
        if len(line) > 10 - empties:
            return line[9 - empties][0]


def call_there(student: Any, owner: Any, name: str, *arguments: Any) -> Any:
    """Call a method in the worker and keep the result there, whatever its type."""
    method = node(student._ask("get", node(owner), name))
    return node(student._ask("call_and_keep", method, list(arguments), {}))


def locked(student: Any, state: Any) -> bool:
    """Whether nobody can write into the two arrays of a state."""
    arrays = [call_there(student, state, "__getattribute__", name) for name in ("board", "action_mask")]
    flags = [node(student._ask("get", array, "flags")) for array in arrays]
    return [student._ask("get", array_flags, "writeable") for array_flags in flags] == [False, False]


def write(array: Any, values: Any) -> None:
    """Write these numbers into a kept array, in place."""
    array.flat = np.array(values).ravel().tolist()


def ask_of_all(wrong: list[Any], questions: Mapping[str, Callable[[Any], Any]]) -> None:
    """Ask the question that fits every case with a wrong answer, if there is one."""
    shared = [question for question, fits in questions.items() if wrong and all(fits(case) for case in wrong)]
    if shared:
        ask(shared[0])


@contextmanager
def refused(student: Any, position: Facts, action: int) -> Iterator[None]:
    """Expect the submission's own IllegalMove, a ValueError, with this action and with a state equal to `position`."""
    try:
        yield
    except Raised as error:
        if error.names[0] not in ("", "IllegalMove") or "ValueError" not in error.names:
            raise
        [(kept, state)] = student.both([student.last_error()], "action", "state")
        keeps = kept == action and read(student, [state]) == [position]
        if not keeps:
            ask("IllegalMove keeps the action and the state: are they those of this move, and in this order?")
        assert keeps, f"IllegalMove must keep action {action} and {position}; its action is {kept}"
    else:
        raise DidNotRaise("no IllegalMove was raised")
