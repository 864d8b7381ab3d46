"""A whole AlphaZero for Tic-Tac-Toe that learns in seconds while the reader watches; small enough to read at once.

It is small because the game is small: 4,520 positions in which the game goes on. The network is two layers of numpy.
After each training it evaluates all positions at once, so that the search only looks up the results.
"""

import functools
import io
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.check import in_notebook
from arena.games.game import result_for
from arena.games.tic_tac_toe import TURNS, Stones, TicTacToe

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Numbers: TypeAlias = NDArray[np.float64]
Example: TypeAlias = tuple[NDArray[np.float32], Numbers, float]  # planes (2, 9), pi (9,), z

GAME = TicTacToe()
HIDDEN, RATE, C = 64, 0.01, 1.5


@functools.cache
def positions() -> dict[Stones, int]:
    """Return every position where the game goes on, numbered."""
    numbers: dict[Stones, int] = {}
    waiting = [GAME.start()]
    while waiting:
        state = waiting.pop()
        if state not in numbers and GAME.outcome(state) is None:
            numbers[state] = len(numbers)
            waiting += [GAME.play(state, action) for action in GAME.legal_actions(state)]
    return numbers


@functools.cache
def boards() -> NDArray[np.float32]:
    """Return (positions, 18): both planes of every position."""
    return np.array([GAME.planes(state).ravel() for state in positions()])


class Network:
    """A network from 18 squares to 9 moves and a value; Adam updates the weights."""

    def __init__(self, rng: np.random.Generator):
        self.weights = [rng.normal(0, 0.3, (19, HIDDEN)), rng.normal(0, 0.1, (HIDDEN + 1, 10))]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def forward(self, planes: NDArray[np.float32]) -> tuple[Numbers, ...]:
        """Return (policy (B, 9), value (B,), and the two layers' inputs) for planes (B, 18)."""
        ones = np.ones((len(planes), 1))
        first = np.hstack([planes, ones])
        second = np.hstack([np.maximum(first @ self.weights[0], 0), ones])
        out = second @ self.weights[1]
        free = planes[:, :9] + planes[:, 9:] == 0
        odds = np.where(free, np.exp(out[:, :9] - out[:, :9].max(1, keepdims=True)), 0) + 1e-12
        return odds / odds.sum(1, keepdims=True), np.tanh(out[:, 9]), first, second

    def learn(self, planes: NDArray[np.float32], pi: Numbers, z: Numbers) -> None:
        """Take one step down the gradient of (z - v)^2 - pi . log p."""
        policy, value, first, second = self.forward(planes)
        slope = np.hstack([policy - pi, (2 * (value - z) * (1 - value ** 2))[:, None]]) / len(z)
        below = (slope @ self.weights[1][:-1].T) * (second[:, :-1] > 0)
        self.steps += 1
        for i, gradient in enumerate((first.T @ below, second.T @ slope)):
            gradient = gradient + 1e-4 * self.weights[i]
            mean, square = self.moments[i]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient ** 2 - square)
            step = mean / (1 - 0.9 ** self.steps) / (np.sqrt(square / (1 - 0.999 ** self.steps)) + 1e-8)
            self.weights[i] -= RATE * step


@dataclass
class Search:
    """PUCT over tables: for each state visited, per legal action, [visits, total result, prior]."""

    policy: Numbers
    value: Numbers
    edges: dict[Stones, dict[int, list[float]]] = field(default_factory=dict)

    def simulate(self, state: Stones) -> float:
        """Run one simulation and return its value for the player to move at `state`."""
        if (outcome := GAME.outcome(state)) is not None:
            return outcome
        if state not in self.edges:
            row = positions()[state]
            self.edges[state] = {a: [0, 0.0, self.policy[row][a]] for a in GAME.legal_actions(state)}
            return float(self.value[row])
        edges = self.edges[state]
        curiosity = C * max(1, sum(visits for visits, _, _ in edges.values())) ** 0.5
        action = max(edges, key=lambda a: edges[a][1] / max(1, edges[a][0]) + curiosity * edges[a][2] / (1 + edges[a][0]))
        result = -self.simulate(GAME.play(state, action))
        edges[action][0] += 1
        edges[action][1] += result
        return result

    def visits(self, state: Stones, simulations: int, noise: Numbers | None = None) -> Numbers:
        """Return (9,): the share of visits of each action, after a fresh search; `noise` (9,) is mixed into the root's priors."""
        self.edges = {}
        self.simulate(state)
        if noise is not None:
            for action, edge in self.edges[state].items():
                edge[2] = 0.75 * edge[2] + 0.25 * noise[action]
        for _ in range(simulations):
            self.simulate(state)
        counts = np.zeros(9)
        for action, (number, _, _) in self.edges[state].items():
            counts[action] = number
        shares: Numbers = counts / counts.sum()
        return shares


def episode(search: Search, simulations: int, rng: np.random.Generator) -> list[Example]:
    """Play one game of self-play, half of the games from 1 to 4 random moves; return (planes, pi, z) of each position."""
    state, record = GAME.start(), []
    for _ in range(rng.integers(1, 5) if rng.random() < 0.5 else 0):
        state = GAME.play(state, int(rng.choice(GAME.legal_actions(state))))
    while GAME.outcome(state) is None:
        legal = GAME.legal_actions(state)
        noise = np.zeros(9)
        noise[legal] = rng.dirichlet([10 / len(legal)] * len(legal))
        pi = search.visits(state, simulations, noise)
        record.append((state, pi))
        state = GAME.play(state, int(rng.choice(9, p=pi)))
    return [(GAME.planes(seen).reshape(2, 9), pi, result_for(GAME, state, GAME.player(seen))) for seen, pi in record]


def train(net: Network, examples: list[Example], rng: np.random.Generator) -> None:
    """Train once on every example, in batches of 64, each turned or mirrored at random."""
    order = rng.permutation(len(examples))
    for batch in np.array_split(order, max(1, len(order) // 64)):
        turns = [TURNS[rng.integers(8)] for _ in batch]
        planes = np.array([examples[i][0][:, turn].ravel() for i, turn in zip(batch, turns, strict=True)])
        pi = np.array([examples[i][1][turn] for i, turn in zip(batch, turns, strict=True)])
        net.learn(planes, pi, np.array([examples[i][2] for i in batch]))


def lost_games(choose: Callable[[Stones], int]) -> tuple[int, int]:
    """Play every possible game against `choose`, with one call for each position; return (games lost, games)."""

    @functools.cache
    def count(state: Stones, mine: bool) -> tuple[int, int]:
        outcome = GAME.outcome(state)
        if outcome is not None:
            return int(outcome < 0 if mine else outcome > 0), 1
        actions = [choose(state)] if mine else GAME.legal_actions(state)
        below = [count(GAME.play(state, action), not mine) for action in actions]
        return sum(lost for lost, _ in below), sum(games for _, games in below)

    (lost_first, first), (lost_second, second) = count(GAME.start(), True), count(GAME.start(), False)
    return lost_first + lost_second, first + second


@dataclass
class Progress:
    """The results after each iteration; a notebook shows them as a picture that grows, `print` gives the last line."""

    games: list[int] = field(default_factory=list)
    lost: dict[str, list[float]] = field(default_factory=lambda: {"the network alone": [], "with its search": []})
    first_move: Numbers = field(default_factory=lambda: np.full(9, 1 / 9))
    seconds: float = 0.0

    def note(self, games: int, search: Search, simulations: int, seconds: float) -> None:
        """Let the network, and the network with its search, play every possible game, and record the share of games lost."""
        players: tuple[Callable[[Stones], int], ...] = (
            lambda state: int(search.policy[positions()[state]].argmax()),
            lambda state: int(Search(search.policy, search.value).visits(state, simulations).argmax()))
        for shares, choose in zip(self.lost.values(), players, strict=True):
            lost, played = lost_games(choose)
            shares.append(lost / played)
        self.games.append(games)
        self.first_move, self.seconds = search.policy[positions()[GAME.start()]], seconds

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {shares[-1]:.1%}" for name, shares in self.lost.items())
        return f"{self.games[-1]:5} games, {self.seconds:4.1f} s; share of all possible games lost: {shares}"

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        self.draw().savefig(picture, format="png", dpi=80)
        return picture.getvalue()

    def draw(self) -> "Figure":
        """Return the picture: the share of games lost over the games learned from, and the present policy for the first move."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10, 3.6), layout="tight")
        left, right = figure.subplots(1, 2, width_ratios=(2, 1))
        for name, shares in self.lost.items():
            left.plot(self.games, [100 * share for share in shares], marker="o", markersize=3, label=name)
        left.set(xlabel="games against itself", ylabel="% lost of all games there are", ylim=(-2, 70),
                 title="it has seen no game but its own")
        left.legend()
        right.imshow(self.first_move.reshape(3, 3), cmap="Blues", vmin=0, vmax=1)
        for square, share in enumerate(self.first_move):
            right.text(square % 3, square // 3, f"{share:.0%}", ha="center", va="center",
                       color="white" if share > 0.5 else "black")
        right.set(xticks=[], yticks=[], title="the first move it would make")
        return figure


def watch_learning(iterations: int = 16, games: int = 50, simulations: int = 25, *, seed: int = 0) -> Progress:
    """Learn Tic-Tac-Toe from random weights, and show the progress.

    Args:
        iterations: in each, it plays, then trains on the examples of the last 8 iterations, on every example 4 times.
        games: games in each iteration.
        simulations: for each move of a game, and for the measuring player.
    """
    rng, net = np.random.default_rng(seed), Network(np.random.default_rng(seed))
    progress, show, started = Progress(), _display(), time.perf_counter()
    window: list[list[Example]] = []
    for iteration in range(iterations + 1):
        policy, value, _, _ = net.forward(boards())
        progress.note(iteration * games, Search(policy, value), simulations, time.perf_counter() - started)
        show(progress, iteration % 4 == 0)
        if iteration < iterations:
            new = [example for _ in range(games) for example in episode(Search(policy, value), simulations, rng)]
            window = [*window, new][-8:]
            for _ in range(4):
                train(net, sum(window, []), rng)
    return progress


def _display() -> Callable[[Progress, bool], None]:
    """Return the function that shows progress: in a notebook it draws a picture again and again, elsewhere it prints lines."""
    if not in_notebook():
        return lambda progress, due: print(progress) if due else None
    from IPython.display import display

    handle = display(display_id=True)

    def show(progress: Progress, due: bool) -> None:
        handle.update(progress)
        if due:
            print(progress)

    return show
