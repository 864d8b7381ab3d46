"""The grader's own knowledge: scripted networks, a second version of the search, and arithmetic by hand.

No value of a submission is used here (law 1 in DESIGN.md), except the arguments of a scripted network's calls: the
network answers them, records them, and answers any arguments with numbers.
"""

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from arena.games import ConnectFour, IllegalMove, Othello, TicTacToe, ToyGame
from autograder.sandbox.table_game import TableGame
from tests.hidden.laws import near

BOARD, COLUMNS, REVERSI = TicTacToe(), ConnectFour(), Othello()
IMPOSSIBLE = np.float32(-1e9)


def random_game(edition: Random, game: Any = BOARD) -> list[Any]:
    """All states of one game of random moves, from the start to the finished one."""
    states = [game.start()]
    while game.outcome(states[-1]) is None:
        states.append(game.play(states[-1], edition.choice(game.legal_actions(states[-1]))))
    return states


def position(edition: Random, plies: int, game: Any = BOARD) -> Any:
    """An unfinished state after `plies` random moves."""
    while True:
        states = random_game(edition, game)
        if len(states) > plies + 1:
            return states[plies]


def finished(edition: Random, value: float, game: Any = BOARD) -> Any:
    """A finished game of random moves with this outcome for the player to move."""
    while True:
        state = random_game(edition, game)[-1]
        if game.outcome(state) == value:
            return state


def shares(edition: Random, number: int) -> list[float]:
    """So many positive numbers with the sum 1, none of them near 0."""
    parts = [edition.uniform(0.2, 1.0) for _ in range(number)]
    return [part / sum(parts) for part in parts]


class Scripted:
    """A network of the grader over one game: it answers each board from a table, or else by its own dice.

    Args:
        table: state -> (probability of each action of the game, value for the player to move).
        seed: for the dice of boards that are not in the table. The answers to one board are always the same.

    `asked` holds the boards of every call, in order, as bytes; `strange` counts calls with wrong arguments. Right ones are
    planes (B, 2, H, W) float32 and legal (B, A) bool.
    """

    def __init__(self, game: Any, table: Mapping[Any, tuple[list[float], float]] | None = None, seed: int = 0) -> None:
        self.game, self.seed = game, seed
        self.shape = game.planes(game.start()).shape
        self.table = {game.planes(state).tobytes(): answer for state, answer in (table or {}).items()}
        self.asked: list[list[bytes]] = []
        self.legal: list[np.ndarray] = []
        self.strange = 0

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        """Answer (log_p (B, A), value (B,)), float32."""
        if not self._is_question(inputs):
            self.strange += 1
            return np.zeros((1, self.game.num_actions), np.float32), np.zeros(1, np.float32)
        planes, legal = inputs
        boards = [board.tobytes() for board in planes]
        self.asked.append(boards)
        self.legal.append(legal)
        answers = [self._answer(board, row) for board, row in zip(boards, legal, strict=True)]
        log_p = np.array([row for row, _ in answers], np.float32).reshape(len(boards), self.game.num_actions)
        return log_p, np.array([value for _, value in answers], np.float32)

    def _is_question(self, inputs: tuple) -> bool:
        if len(inputs) != 2 or not all(isinstance(each, np.ndarray) for each in inputs):
            return False
        planes, legal = inputs
        sizes = planes.ndim == 4 and planes.shape[1:] == self.shape and legal.shape == (len(planes), self.game.num_actions)
        return sizes and planes.dtype == np.float32 and legal.dtype == np.bool_

    def _answer(self, board: bytes, legal: np.ndarray) -> tuple[np.ndarray, float]:
        if board in self.table:
            probabilities, value = self.table[board]
        else:
            dice = Random(zlib.crc32(board) ^ self.seed)
            weights = [dice.uniform(0.1, 1.0) for _ in range(self.game.num_actions)]
            total = sum(weight for weight, allowed in zip(weights, legal, strict=True) if allowed) or 1.0
            probabilities, value = [weight / total for weight in weights], dice.uniform(-0.9, 0.9)
        log_p = [math.log(p) if p > 0 and allowed else IMPOSSIBLE for p, allowed in zip(probabilities, legal, strict=True)]
        return np.array(log_p, np.float32), float(np.float32(value))

    def about(self, state: Any) -> tuple[list[float], float]:
        """The network's answer for a state: the probabilities of the legal actions, and the value."""
        actions = self.game.legal_actions(state)
        legal = np.zeros(self.game.num_actions, bool)
        legal[actions] = True
        log_p, value = self._answer(self.game.planes(state).tobytes(), legal)
        return [float(np.exp(log_p[action])) for action in actions], value

    def boards(self, states: list[Any]) -> list[bytes]:
        """The boards of these states, in the form that `asked` has."""
        return [self.game.planes(state).tobytes() for state in states]


@dataclass
class Tree:
    """The second version of the search: recursive, with one object for each node. `gap` is the smallest gap of two bounds."""

    net: Scripted
    c: float
    gap: float = math.inf
    nodes: list["Spot"] = field(default_factory=list)

    def plant(self, state: Any) -> "Spot":
        """A new node, evaluated by the network."""
        game = self.net.game
        spot = Spot(state, game.legal_actions(state), *self.net.about(state))
        spot.N, spot.Q = [0] * len(spot.actions), [0.0] * len(spot.actions)
        return spot

    def simulate(self, spot: "Spot") -> float:
        """One simulation from `spot`; the result is for the player to move there."""
        bounds = puct(spot.Q, spot.P, spot.N, self.c)
        index = max(range(len(bounds)), key=bounds.__getitem__)
        self.gap = min([self.gap, *(bounds[index] - other for i, other in enumerate(bounds) if i != index)])
        value = -self._below(spot, index)
        spot.N[index] += 1
        spot.Q[index] += (value - spot.Q[index]) / spot.N[index]
        return value

    def _below(self, spot: "Spot", index: int) -> float:
        game = self.net.game
        if index in spot.below:
            return self.simulate(spot.below[index])
        state = game.play(spot.state, spot.actions[index])
        if game.outcome(state) is not None:
            return game.outcome(state)
        spot.below[index] = self.plant(state)
        return spot.below[index].value


@dataclass
class Spot:
    """A node of the grader's own search."""

    state: Any
    actions: list[int]
    P: list[float]
    value: float
    N: list[int] = field(default_factory=list)
    Q: list[float] = field(default_factory=list)
    below: dict[int, "Spot"] = field(default_factory=dict)


def searched(net: Scripted, state: Any, simulations: int, c: float) -> tuple[Spot, float]:
    """The root after `simulations` simulations, and the smallest gap between two bounds on the way."""
    tree = Tree(net, c)
    root = tree.plant(state)
    for _ in range(simulations):
        tree.simulate(root)
    return root, tree.gap


def puct(means: list[float], priors: list[float], visits: list[int], c: float) -> list[float]:
    """Q + c P sqrt(max(1, sum of N)) / (1 + N) for every action."""
    root = math.sqrt(max(1, sum(visits)))
    return [q + c * p * root / (1 + n) for q, p, n in zip(means, priors, visits, strict=True)]


def line(plies: int, value: float) -> ToyGame:
    """A game of forced moves s0, s1, ... with this outcome for the player to move at its end."""
    return ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {f"s{plies}": value})


def table_game(moves: dict[Any, dict[int, Any]], ends: dict[Any, float], actions: int, texts: dict[Any, str]) -> TableGame:
    """A game of one table, in which the players take turns from the first state on; an end without a value is a draw."""
    players = {next(iter(moves)): 0}
    for state, after in moves.items():
        players |= dict.fromkeys(after.values(), 1 - players[state])
    table = {state: (player, moves.get(state, {}), None if state in moves else ends.get(state, 0.0))
             for state, player in players.items()}
    return TableGame(table, next(iter(moves)), actions, texts, IllegalMove)


def softmax(logits: np.ndarray) -> np.ndarray:
    """The softmax of each row."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


@dataclass
class Pencil:
    """PencilNet by hand: logits = W x + b, value = tanh(u x + d), and plain gradient descent on the loss."""

    weights: dict[str, np.ndarray]

    def answers(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities (B, A) and values (B,) for rows x (B, 2 H W)."""
        w = self.weights
        p = softmax(x @ w["policy_head.weight"].T + w["policy_head.bias"])
        return p, np.tanh(x @ w["value_head.weight"][0] + w["value_head.bias"][0])

    def losses(self, x: np.ndarray, pi: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The loss of every example."""
        p, v = self.answers(x)
        return (z - v) ** 2 - (pi * np.log(p)).sum(axis=1)

    def step(self, x: np.ndarray, pi: np.ndarray, z: np.ndarray, rate: float) -> "Pencil":
        """The network after one step against the gradient of the mean loss of this batch."""
        p, v = self.answers(x)
        logits = (p - pi) / len(x)  # pi sums to 1
        inner = (2 * (v - z) * (1 - v**2))[:, None] / len(x)
        gradient = {
            "policy_head.weight": logits.T @ x,
            "policy_head.bias": logits.sum(axis=0),
            "value_head.weight": inner.T @ x,
            "value_head.bias": inner.sum(axis=0),
        }
        return Pencil({name: value - rate * gradient[name] for name, value in self.weights.items()})


def draw_pencil(edition: Random, size: int, actions: int) -> Pencil:
    """A PencilNet for rows of `size` numbers, with random weights."""

    def draw(*shape: int) -> np.ndarray:
        return np.array([edition.uniform(-0.5, 0.5) for _ in range(math.prod(shape))], np.float32).reshape(shape).astype(float)

    return Pencil({"policy_head.weight": draw(actions, size), "policy_head.bias": draw(actions),
                   "value_head.weight": draw(1, size), "value_head.bias": draw(1)})


def is_limit_at_zero(policy: Mapping[int, float], visits: Mapping[int, int]) -> bool:
    """Whether a policy is right at temperature 0: one of the most visited actions has 1, or all of them have equal shares."""
    most = [action for action, count in visits.items() if count == max(visits.values())]
    limits = [dict.fromkeys(most, 1 / len(most)), *({action: 1.0} for action in most)]
    return any(policy == near(dict.fromkeys(visits, 0.0) | limit) for limit in limits)
