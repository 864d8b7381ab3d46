"""The grader's own knowledge: random games, toy games whose search has one result, boards with one right move.

No value of a submission is used here (law 1 in DESIGN.md).
"""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from arena.games import ConnectFour, TicTacToe, ToyGame, after
from tests.hidden.choices import argmax, clear_best
from tests.hidden.full_games import full_game

GAME = ConnectFour()
SMALL = TicTacToe()
C = 1 / math.sqrt(2)
NEAR_ENDS = Path(__file__).with_name("near_ends.txt")


def line(plies: int, value: float) -> ToyGame:
    """A game of `plies` forced moves; `value` is the outcome for the player to move at its end."""
    return ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {f"s{plies}": value})


def rewards_of(value: float, player: int) -> tuple[float, float]:
    """(r0, r1) of an ending that is worth `value` to `player`."""
    return (value, -value) if player == 0 else (-value, value)


def random_game(edition: Random, game: Any = GAME) -> list[Any]:
    """All states of one game of random moves, from the start to the finished one."""
    states = [game.start()]
    while game.outcome(states[-1]) is None:
        states.append(game.play(states[-1], edition.choice(game.legal_actions(states[-1]))))
    return states


def mirrored(columns: list[int], edition: Random) -> list[int]:
    """The same moves, or the moves of the mirror image."""
    return [6 - column for column in columns] if edition.random() < 0.5 else columns


def finished(edition: Random, winner: int | None) -> Any:
    """A finished Connect Four position: won by player 0 or 1, or drawn."""
    if winner is None:
        return after(GAME, full_game(edition))
    while True:
        state = random_game(edition)[-1]
        if GAME.outcome(state) != 0.0 and 1 - GAME.player(state) == winner:
            return state


@cache
def boards_near_the_end() -> dict[tuple[int, int], list[tuple[str, int]]]:
    """(depth, player to move) -> the moves that lead to a board, as columns, and its one right move.

    assets/make/near_ends.py made the file; its first lines say what the depths are.
    """
    boards: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for row in NEAR_ENDS.read_text().splitlines():
        depth, moves, right = row.split()
        boards.setdefault((int(depth), len(moves) % 2), []).append((moves, int(right)))
    return boards


def near_ends(edition: Random, each: int) -> list[tuple[Any, int, int]]:
    """So many boards for each depth 1, 2, 3 and each colour: the state, its one right move, simulations that find this move.

    Half of them are mirrored.
    """
    boards = []
    for (depth, _), cases in boards_near_the_end().items():
        for moves, right in edition.sample(cases, each):
            *columns, move = mirrored([int(column) for column in moves] + [right], edition)
            boards.append((after(GAME, columns), move, {1: 100, 2: 150, 3: 300}[depth]))
    return boards


def exact_value(game: Any, state: Any) -> float:
    """The value of a position for the player to move, by a search through every continuation."""
    outcome = game.outcome(state)
    if outcome is not None:
        return outcome
    return max(-exact_value(game, game.play(state, action)) for action in game.legal_actions(state))


def bounds(visits: list[int], sums: list[float], total: int, c: float) -> list[float]:
    """q/n + c sqrt(2 ln N / n) for every child."""
    return [q / n + c * math.sqrt(2 * math.log(total) / n) for n, q in zip(visits, sums, strict=True)]


@dataclass
class Fan:
    """A toy game: a root whose branches never branch again, so that search has exactly one result.

    `ends` are the outcomes for the player to move at each branch's end. `rollout_rewards` are the rewards of player 0 in
    rollouts from unfinished states. State "b1.2" is two plies below the root on branch 1. With `forced` = 1 there is a move
    before the root, so that player 1 is to move at the root.
    """

    lengths: list[int]
    ends: list[float]
    forced: int = 0
    rollout_rewards: dict[str, float] | None = None

    @property
    def game(self) -> ToyGame:
        moves = {"start": ["root"]} if self.forced else {}
        moves |= {"root": [f"b{branch}.1" for branch in range(len(self.lengths))]}
        for branch, length in enumerate(self.lengths):
            for depth in range(1, length):
                moves[f"b{branch}.{depth}"] = [f"b{branch}.{depth + 1}"]
        values = {f"b{branch}.{length}": self.ends[branch] for branch, length in enumerate(self.lengths)}
        return ToyGame(moves, values, start="start" if self.forced else "root")

    def reward(self, branch: int, depth: int) -> float:
        """The reward of player 0 in a simulation that ends at this node."""
        state = f"b{branch}.{depth}"
        if self.rollout_rewards is not None and state in self.rollout_rewards:
            return self.rollout_rewards[state]
        return self.ends[branch] * (-1) ** (self.lengths[branch] + self.forced)

    def results(self, branch: int, visits: int) -> list[float]:
        """The results of the first `visits` simulations through `branch`, for the player to move at the root."""
        return [self.reward(branch, min(n, self.lengths[branch])) * (-1) ** self.forced for n in range(1, visits + 1)]

    def uct(self, simulations: int, c: float = C) -> list[int] | None:
        """How often each branch is visited; None if a tie decides."""
        visits = [1] * len(self.lengths)  # first every branch once, in any order
        while sum(visits) < simulations:
            sums = [sum(self.results(branch, n)) for branch, n in enumerate(visits)]
            scores = bounds(visits, sums, sum(visits), c)
            if not clear_best(scores):
                return None
            visits[argmax(scores)] += 1
        return visits

    def scores(self, visits: list[int], c: float = C) -> list[float]:
        """The bounds of the branches after these visits."""
        return bounds(visits, [sum(self.results(b, n)) for b, n in enumerate(visits)], sum(visits), c)


def draw_fan(edition: Random, lengths: list[int], forced: int, fractions: bool = False) -> Fan:
    """A fan with branches of these lengths in any order: a win, a draw and a loss for the root's player, then repeated.

    With `fractions` a rollout from an unfinished state gives player 0 a random number in [-1, 1].
    """
    lengths = edition.sample(lengths, len(lengths))
    results = edition.sample([1.0, 0.0, -1.0], 3)
    ends = [results[b % 3] * (-1) ** length for b, length in enumerate(lengths)]
    fan = Fan(lengths, ends, forced)
    if fractions:
        states = [f"b{b}.{d}" for b, length in enumerate(lengths) for d in range(1, length)]
        fan.rollout_rewards = {state: round(edition.uniform(-1, 1), 3) for state in states}
    return fan


class FanRollout:
    """A rollout that answers from a fan and remembers the states it was asked about.

    It answers any arguments, so that a wrong call is the submission's mistake and not a fault of the grader.
    """

    def __init__(self, fan: Fan) -> None:
        self.fan, self.states, self.rngs = fan, [], []

    def __call__(self, *arguments: Any) -> tuple[float, float]:
        state, rng = arguments[1:3] if len(arguments) == 3 else (None, None)
        self.states.append(state)
        self.rngs.append(rng)
        spots = {f"b{b}.{d}": (b, d) for b, length in enumerate(self.fan.lengths) for d in range(1, length + 1)}
        r0 = self.fan.reward(*spots[state]) if isinstance(state, str) and state in spots else 0.0
        return (r0, -r0)
