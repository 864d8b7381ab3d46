"""The grader's own knowledge: exact values, random positions, and toy games whose search has only one result.

No value of a submission is used here (law 1 in DESIGN.md).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from arena.games.tic_tac_toe import TicTacToe
from arena.games.toy import ToyGame
from autograder.grading.hidden_checks.known_mistakes import recognise
from tests.hidden.choices import argmax, clear_best

BOARD = TicTacToe()


@cache
def exact_value(state: Any) -> float:
    """The value of a Tic-Tac-Toe position for the player to move, by a search through every continuation."""
    outcome = BOARD.outcome(state)
    if outcome is not None:
        return outcome
    return max(-exact_value(BOARD.play(state, action)) for action in BOARD.legal_actions(state))


def optimal_actions(state: Any) -> list[int]:
    """All actions that keep the exact value of the position."""
    worth = {action: -exact_value(BOARD.play(state, action)) for action in BOARD.legal_actions(state)}
    return [action for action in worth if worth[action] == max(worth.values())]


def random_game(edition: Random, game: Any = BOARD) -> list[Any]:
    """All states of one game of random moves, from the start to the finished one."""
    states = [game.start()]
    while game.outcome(states[-1]) is None:
        states.append(game.play(states[-1], edition.choice(game.legal_actions(states[-1]))))
    return states


def unfinished(edition: Random, empties: int) -> Any:
    """An unfinished position with `empties` empty squares, reached by random moves."""
    while True:
        states = random_game(edition)
        if len(states) > 10 - empties and BOARD.outcome(states[9 - empties]) is None:
            return states[9 - empties]


def finished(edition: Random, value: float) -> Any:
    """A finished game of random moves with this outcome for the player to move: -1.0 or 0.0."""
    while True:
        state = random_game(edition)[-1]
        if BOARD.outcome(state) == value:
            return state


def recognise_choice(
    edition: Random, draw: Callable[[Random], tuple], mistakes: Mapping[str, Callable], choose: Callable[[list[tuple]], list[int]]
) -> None:
    """Find by many more cases the mistake that chooses as the submission does. Call this only after a wrong choice.

    If several options share a mistake's highest score, any of them counts. `choose(cases)` asks the submission.
    """
    cases = [draw(edition) for _ in range(500)]
    chosen = choose(cases)

    def row(mistake: Callable) -> list[int]:
        scored = [mistake(*case) for case in cases]
        return [
            got if 0 <= got < len(scores) and scores[got] >= max(scores) - 1e-3 else argmax(scores)
            for got, scores in zip(chosen, scored, strict=True)
        ]

    recognise(chosen, {hint: row(mistake) for hint, mistake in mistakes.items()})


def upper_bounds(counts: list[int], means: list[float], c: float) -> list[float]:
    """mean + c sqrt(ln N / n_i) for every option; N is the sum of the counts."""
    log = math.log(sum(counts))
    return [mean + c * math.sqrt(log / count) for count, mean in zip(counts, means, strict=True)]


@dataclass
class Fan:
    """A toy game: a root whose branches never branch again, so that search has exactly one result.

    `guesses` are the answers of `evaluate` (for the mover at each state), `ends` the outcome at each branch's end.
    State "b1.2" is two plies below the root on branch 1.
    """

    lengths: list[int]
    guesses: dict[str, float]
    ends: list[float]

    @property
    def game(self) -> ToyGame:
        """The same game in a form that the submission can play."""
        return self.behind(0)

    def behind(self, forced: int) -> ToyGame:
        """The game with `forced` forced moves (0 or 1) before the root."""
        moves = {"start": ["root"]} if forced else {}
        moves |= {"root": [f"b{branch}.1" for branch in range(len(self.lengths))]}
        values = {}
        for branch, length in enumerate(self.lengths):
            values[f"b{branch}.{length}"] = self.ends[branch]
            for depth in range(1, length):
                moves[f"b{branch}.{depth}"] = [f"b{branch}.{depth + 1}"]
        return ToyGame(moves, values, start="start" if forced else "root")

    def leaf_value(self, branch: int, depth: int, rollout: bool = False) -> float:
        """The value, for the mover there, of the node `depth` plies below the root on `branch`."""
        plies_left = self.lengths[branch] - depth
        if plies_left and not rollout:
            return self.guesses[f"b{branch}.{depth}"]
        return self.ends[branch] * (-1) ** plies_left

    def results(self, branch: int, visits: int, rollout: bool = False) -> list[float]:
        """The results of the first `visits` simulations through `branch`, for the player to move at the root."""
        return [self.result(branch, number, rollout) for number in range(1, visits + 1)]

    def result(self, branch: int, number: int, rollout: bool = False) -> float:
        """The result of the simulation with this number through `branch`, for the player to move at the root."""
        depth = min(number, self.lengths[branch])
        return self.leaf_value(branch, depth, rollout) * (-1) ** depth

    def uct(self, simulations: int, c: float, rollout: bool = False) -> tuple[list[int], list[float]] | None:
        """Visits of each branch and their summed results for the root's player; None if a tie decides."""
        visits = [1] * len(self.lengths)  # first every branch once, in any order
        totals = [self.result(branch, 1, rollout) for branch in range(len(visits))]
        for _ in range(simulations - len(visits)):
            bounds = upper_bounds(visits, [t / n for t, n in zip(totals, visits, strict=True)], c)
            if not clear_best(bounds, 1e-6):
                return None
            branch = argmax(bounds)
            visits[branch] += 1
            totals[branch] += self.result(branch, visits[branch], rollout)
        return visits, totals


def draw_fan(edition: Random, lengths: list[int]) -> Fan:
    """A fan with branches of these lengths in any order, and random values in [-1, 1]."""
    lengths = edition.sample(lengths, len(lengths))
    guesses = {
        f"b{branch}.{depth}": round(edition.uniform(-1, 1), 3)
        for branch, length in enumerate(lengths)
        for depth in range(1, length)
    }
    return Fan(lengths, guesses, [round(edition.uniform(-1, 1), 3) for _ in lengths])


class Asked:
    """An `evaluate` that answers from a table and remembers the states it was asked about, in order.

    It answers any argument with a number, so that a wrong call is the submission's mistake and not a fault of the grader.
    """

    def __init__(self, values: dict[str, float] | None = None, other: float = 0.0) -> None:
        self.values, self.other, self.states = values or {}, other, []

    def __call__(self, *arguments: Any) -> float:
        state = arguments[0] if arguments else None
        self.states.append(state)
        return self.values.get(state, self.other) if isinstance(state, str) else self.other
