"""Minds: ways to think about a position that go on step by step and can be looked at after every step.

Four of them are shown side by side: the solver (`arena.board.truth`), plain UCT (here), a network's prior and the search of
AlphaZero (`arena.board.network_minds`). An opponent is a mind with a budget.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from arena.board.positions import Position
from arena.errors import UserError
from arena.games import Game, State, result_for
from arena.match import reason_of

MOST_SIMULATIONS = 100_000  # of one search: its tree then takes some 100 MB
LONGEST_LINE = 12


@dataclass(frozen=True)
class MoveThought:
    """What a mind knows about one legal move; None for what this kind of mind does not know.

    Attributes:
        visits: simulations through the move.
        value: in [-1, 1], for the player to move at the position.
        prior: the network's probability, in [0, 1].
        note: words, such as "wins in 7".
    """

    action: int
    visits: int | None = None
    value: float | None = None
    prior: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Thought:
    """What a mind thinks about a position after a number of simulations.

    Attributes:
        moves: one entry for each legal move, in ascending order.
        best: the move that the mind would play, None if it has none yet.
        value: of the position, in [-1, 1], for the player to move.
        line: the principal line, `best` first.
        done: whether further steps change nothing.
        note: a sentence for the reader.
    """

    simulations: int
    moves: tuple[MoveThought, ...]
    best: int | None = None
    value: float | None = None
    line: tuple[int, ...] = ()
    done: bool = False
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


class Mind(Protocol):
    """A way to think about one position, where the game goes on."""

    def step(self, count: int) -> None:
        """Think on: `count` simulations of a search, `count` moves of a solver."""
        ...

    def thought(self) -> Thought:
        """Return the present state of thinking."""
        ...


class UCT:
    """Plain UCT with random rollouts, for any game: each simulation adds one node to the tree, as in problem set 2.

    The compiled search of `arena.players.uct` plays whole games of Connect Four, a hundred times as fast. Here the tree stays,
    so that the search can be watched and goes on.

    Args:
        exploration: c in -W/n + c sqrt(ln N / n).
        root_first: the first simulation is a rollout from the root and adds no node, as in `arena.players.uct`.
    """

    def __init__(self, game: Game, state: State, rng: random.Random, *, exploration: float = 1.0,
                 root_first: bool = False) -> None:
        self._game, self._rng, self._exploration = game, rng, exploration
        self._root = _Node(game, state)
        if root_first:
            self._root.visits, self._root.total = 1, self._rollout(state)

    def step(self, count: int) -> None:
        """Run `count` simulations, up to MOST_SIMULATIONS in all."""
        for _ in range(min(count, MOST_SIMULATIONS - self._root.visits)):
            self._simulate()

    def thought(self) -> Thought:
        """Return the visits and mean values of the root's moves."""
        root, game = self._root, self._game
        moves = []
        for action in game.legal_actions(root.state):
            child = root.children.get(action)
            moves.append(MoveThought(action, child.visits, -child.total / child.visits) if child else MoveThought(action, 0))
        line = self._line()
        value = root.total / root.visits if root.visits else None
        return Thought(root.visits, tuple(moves), line[0] if line else None, value, line, root.visits >= MOST_SIMULATIONS)

    def _simulate(self) -> None:
        path = [self._root]
        while path[-1].outcome is None:
            untried = path[-1].untried
            if not untried:
                path.append(self._highest_bound(path[-1]))
                continue
            action = untried.pop(self._rng.randrange(len(untried)))
            path.append(_Node(self._game, self._game.play(path[-1].state, action)))
            path[-2].children[action] = path[-1]
            break
        outcome = path[-1].outcome
        value = self._rollout(path[-1].state) if outcome is None else outcome
        for node in reversed(path):
            node.visits += 1
            node.total += value
            value = -value

    def _highest_bound(self, node: _Node) -> _Node:
        log = self._exploration * math.sqrt(math.log(node.visits))
        return max(node.children.values(), key=lambda child: log / math.sqrt(child.visits) - child.total / child.visits)

    def _rollout(self, state: State) -> float:
        """Play at random to the end and return the result for the player to move at `state`."""
        game, player = self._game, self._game.player(state)
        while actions := game.legal_actions(state):
            state = game.play(state, self._rng.choice(actions))
        return result_for(game, state, player)

    def _line(self) -> tuple[int, ...]:
        """Follow the most visited moves down the tree."""
        line: list[int] = []
        node = self._root
        while node.children and len(line) < LONGEST_LINE:
            action, node = max(node.children.items(), key=lambda item: (item[1].visits, -item[0]))
            line.append(action)
        return tuple(line)


class _Node:
    """A state in the tree of UCT; `total` is the sum of results for the player to move here."""

    __slots__ = ("children", "outcome", "state", "total", "untried", "visits")

    def __init__(self, game: Game, state: State) -> None:
        self.state, self.outcome = state, game.outcome(state)
        self.untried = game.legal_actions(state)
        self.children: dict[int, _Node] = {}
        self.visits, self.total = 0, 0.0


class Asked:
    """A player of `arena.match` as a mind: it is asked once for its move, and says nothing while it thinks.

    Args:
        choose: returns the move, or raises any exception.
        whose: begins the sentence that reports an exception.
    """

    def __init__(self, position: Position, choose: Callable[[], int], whose: str) -> None:
        self._position, self._choose, self._whose = position, choose, whose
        self._best: int | None = None

    def step(self, count: int) -> None:
        """Ask for the move, once.

        Raises:
            UserError: the player raised an exception, or its answer is not a legal move.
        """
        if self._best is not None:
            return
        try:
            answer = self._choose()
        except NotImplementedError as error:
            raise UserError(f"{self._whose} cannot play yet: {error}") from None
        except Exception as error:
            raise UserError(f"{self._whose} gave no move: {reason_of(error)}") from None
        if isinstance(answer, bool) or answer not in self._position.legal:
            legal = ", ".join(map(str, self._position.legal))
            raise UserError(f"{self._whose} answered {str(answer)[:40]!r}, which is not a legal move; legal moves: {legal}")
        self._best = int(answer)

    def thought(self) -> Thought:
        """Return the move, once it is known."""
        moves = tuple(MoveThought(action) for action in self._position.legal)
        line = () if self._best is None else (self._best,)
        return Thought(0, moves, self._best, None, line, self._best is not None)
