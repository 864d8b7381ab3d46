"""The grader's own knowledge: random games, its own tables of a search, and answers for `evaluate`.

No value of a submission is used here (law 1 in DESIGN.md), except the states that it asks about.
"""

import math
import zlib
from collections.abc import Callable
from random import Random
from typing import Any

from arena.games import ConnectFour, IllegalMove, Othello, TicTacToe, ToyGame
from autograder.sandbox.table_game import Table, TableGame
from tests.hidden.generators import draw_game

OTHELLO, BOARD, FOUR = Othello(), TicTacToe(), ConnectFour()
PASS = 36
Row = dict[int, float]
Evaluator = Callable[[Any], tuple[Row, float]]


def random_game(edition: Random, game: Any) -> tuple[list[Any], list[int]]:
    """The states (one more than actions) and the actions of one game of random moves."""
    states, actions = [game.start()], []
    while game.outcome(states[-1]) is None:
        actions.append(edition.choice(game.legal_actions(states[-1])))
        states.append(game.play(states[-1], actions[-1]))
    return states, actions


def before_a_win(edition: Random, game: Any) -> tuple[Any, int]:
    """A state of a real game where a move wins at once, and another move, after which the game goes on."""
    while True:
        state = random_game(edition, game)[0][-2]
        ends = {action: game.outcome(game.play(state, action)) for action in game.legal_actions(state)}
        if -1.0 in ends.values() and None in ends.values():
            return state, edition.choice([action for action, end in ends.items() if end is None])


def othello(edition: Random, plies: int) -> Any:
    """An unfinished position of Othello after `plies` random moves."""
    while True:
        states, _ = random_game(edition, OTHELLO)
        if len(states) > plies + 1:
            return states[plies]


def othello_pass(edition: Random) -> tuple[list[Any], list[int], int]:
    """A game of Othello with a pass, and the ply of this pass."""
    while True:
        states, actions = random_game(edition, OTHELLO)
        if PASS in actions:
            return states, actions, actions.index(PASS)


def scores(Q: Row, N: dict[int, int], P: Row, c: float) -> Row:
    """Q + c P sqrt(max(1, sum of N)) / (1 + N), for every action."""
    total = max(1, sum(N.values()))
    return {a: Q[a] + c * P[a] * total**0.5 / (1 + N[a]) for a in P}


def best(row: Row, margin: float = 1e-4) -> int | None:
    """The action with the highest score; None if the second score is so near that rounding could decide, also in float32."""
    ordered = sorted(row, key=row.__getitem__, reverse=True)
    if len(ordered) > 1 and row[ordered[0]] - row[ordered[1]] < margin:
        return None
    return ordered[0]


class TieError(Exception):
    """Two scores are equal: rng decides what the search does now, so this case shows nothing."""


class Tables:
    """The grader's own search: the right values of Q, N, P and `outcomes` after some simulations.

    Args:
        evaluation_of: evaluation_of(state) -> (priors, value), the answer of `evaluate`.
        flip: the factor of the value from below; +1 is the mistake that everybody knows.
        longest: a mean counts at most this many results; a number that is too small is a mistake as well.
    """

    def __init__(self, game: Any, evaluation_of: Evaluator, c: float, flip: float = -1.0, longest: float = math.inf) -> None:
        self.game, self.evaluation_of, self.c, self.flip, self.longest = game, evaluation_of, c, flip, longest
        self.outcomes, self.Q, self.N, self.P = {}, {}, {}, {}
        self.asked: list[Any] = []

    def simulate(self, root: Any) -> float:
        """One simulation from `root`, over a path instead of a recursion; TieError if rng would decide."""
        path, state = [], root
        while self._known(state) is None and state in self.P:
            action = best(scores(self.Q[state], self.N[state], self.P[state], self.c), 1e-4 * max(1.0, self.c))
            if action is None:
                raise TieError
            path.append((state, action))
            state = self.game.play(state, action)
        value = self.outcomes[state]
        if value is None:
            self.asked.append(state)
            self.P[state], value = self.evaluation_of(state)
            self.Q[state], self.N[state] = dict.fromkeys(self.P[state], 0.0), dict.fromkeys(self.P[state], 0)
        for state, action in reversed(path):
            value *= self.flip
            visits = self.N[state][action]
            self.Q[state][action] += (value - self.Q[state][action]) / min(visits + 1, self.longest)
            self.N[state][action] = visits + 1
        return value

    def _known(self, state: Any) -> float | None:
        if state not in self.outcomes:
            self.outcomes[state] = self.game.outcome(state)
        return self.outcomes[state]


def searched(
    game: Any, evaluation_of: Evaluator, c: float, roots: list[Any], flip: float = -1.0, longest: float = math.inf
) -> tuple[Tables, list[float]] | None:
    """The tables and the values after one simulation from each of `roots` in turn; None if a tie decides."""
    tables = Tables(game, evaluation_of, c, flip, longest)
    try:
        return tables, [tables.simulate(root) for root in roots]
    except TieError:
        return None


class Evaluate:
    """An `evaluate` for a submission: it answers by `evaluations` and remembers the states in its calls, in order.

    It also answers for states that `evaluations` does not know, so that a wrong call is the submission's mistake.
    """

    def __init__(
        self, evaluations: Evaluator | dict[Any, tuple[Row, float]], other: tuple[Row, float] = ({0: 1.0}, 0.777)
    ) -> None:
        self.evaluations, self.other, self.states = evaluations, other, []

    def __call__(self, *arguments: Any) -> tuple[Row, float]:
        state = arguments[0] if arguments else None
        self.states.append(state)
        try:
            return self.evaluations[state] if isinstance(self.evaluations, dict) else self.evaluations(state)
        except Exception:  # not a state that code could ask about
            return self.other


def opinion(game: Any, salt: int) -> Evaluator:
    """Priors and a value for any state of a real game, fixed by the state and `salt`."""

    def evaluation_of(state: Any) -> tuple[Row, float]:
        dice = Random(zlib.crc32(repr((state, salt)).encode()))
        weights = {action: dice.uniform(0.05, 1.0) for action in game.legal_actions(state)}
        total = math.fsum(weights.values())
        return {action: weight / total for action, weight in weights.items()}, round(dice.uniform(-0.9, 0.9), 4)

    return evaluation_of


def draw_toy(edition: Random, depth: int = 4) -> tuple[ToyGame, dict[str, tuple[Row, float]]]:
    """A random toy game with wins, draws and losses, and the answers of `evaluate` at its unfinished states."""
    moves, values, evaluations, names = {}, {}, {}, iter(range(10_000))

    def grow(plies: int) -> str:
        state = f"t{next(names)}"
        if plies and (plies == depth or edition.random() < 0.8):
            moves[state] = [grow(plies - 1) for _ in range(edition.choice([1, 2, 3] if plies < depth else [2, 3]))]
            weights = [edition.uniform(0.1, 1.0) for _ in moves[state]]
            priors = {action: weight / sum(weights) for action, weight in enumerate(weights)}
            evaluations[state] = priors, round(edition.uniform(-0.9, 0.9), 3)
        else:
            values[state] = edition.choice([1.0, -1.0, 0.0])
        return state

    root = grow(depth)
    return ToyGame(moves, values, start=root), evaluations


def draw_shape(edition: Random, shape: str) -> TableGame:
    """A game of a shape that `draw_game` knows, or "large": as many action numbers as Othello 8x8."""
    return _large(edition) if shape == "large" else draw_game(edition, shape)


def _large(edition: Random) -> TableGame:
    """A game of two plies with 65 action numbers, as in Othello 8x8: nine are legal at each state, also the last number."""
    legal = [sorted([*edition.sample(range(64), 8), 64]) for _ in range(10)]
    table: Table = {"s": (0, {a: f"s{a}" for a in legal[0]}, None)}
    table |= {f"s{a}": (1, {b: f"s{a} {b}" for b in others}, None) for a, others in zip(legal[0], legal[1:])}
    ends = [state for _, after, _ in table.values() for state in after.values() if state not in table]
    return TableGame(table | {end: (0, {}, edition.choice([-1.0, 0.0, 1.0])) for end in ends}, "s", 65, {}, IllegalMove)


def line(plies: int, outcome: float = -1.0) -> ToyGame:
    """A game of `plies` forced moves, s0 to s<plies>, with this outcome for the player to move at its end."""
    return ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {f"s{plies}": outcome})


def fan(after: dict[str, float | None]) -> ToyGame:
    """A game with one action at s0 for each state named here. A number is the state's outcome; after None comes one more move."""
    moves = {"s0": list(after)} | {state: [f"end of {state}"] for state, outcome in after.items() if outcome is None}
    return ToyGame(moves, {state: outcome for state, outcome in after.items() if outcome is not None})
