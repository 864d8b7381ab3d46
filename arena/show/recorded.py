"""Twelve simulations of a real search, recorded: the step widget can show them before anybody has written a search.

A recording has no rule in it, only what happened: where each simulation went, what its random game said, and what then stood
in the nodes. Who wants to know why it went there writes problem set 2.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from arena.errors import UserError
from arena.games import TicTacToe
from arena.games.game import Game, State
from arena.show.step import Phases

BOARD, EXPLORATION = "X.O/.X./..O", 1.0
# Each simulation: its actions from the root down, the value of its random game for the player to move at the new node, and
# the totals from the root down afterwards. tests/statements/test_ps2_statements.py records them again from our own search.
SIMULATIONS: tuple[tuple[tuple[int, ...], float, tuple[float, ...]], ...] = (
    ((1,), -1, (1, -1)),
    ((5,), -1, (2, -1)),
    ((7,), 1, (1, 1)),
    ((3,), 1, (0, 1)),
    ((6,), 1, (-1, 1)),
    ((5, 1), 1, (0, -2, 1)),
    ((1, 3), 1, (1, -2, 1)),
    ((5, 7), 0, (1, -2, 0)),
    ((1, 5), -1, (0, -1, -1)),
    ((5, 6), 1, (1, -3, 1)),
    ((5, 3), 1, (2, -4, 1)),
    ((5, 7, 3), -1, (3, -5, 1, -1)),
)


@dataclass(eq=False)
class RecordedNode:
    """A node with the fields of problem set 2's `TreeNode`."""

    state: State
    parent: RecordedNode | None = None
    action: int | None = None
    children: dict[int, RecordedNode] = field(default_factory=dict)
    num_visits: int = 0
    total_value: float = 0.0


def recorded_search() -> tuple[Game, RecordedNode, Phases]:
    """Return (game, root, phases) for `step_widget`: an empty tree, and the four phases of the recording, one after another.

    After the last simulation a further one raises UserError.
    """
    game = TicTacToe()
    tape = _Tape(game)
    return game, RecordedNode(game.parse(BOARD)), Phases(tape.select, tape.expand, tape.evaluate, tape.backpropagate)


class _Tape:
    """The recording, wound on by one simulation at each `select`."""

    def __init__(self, game: TicTacToe) -> None:
        self.game, self._rest = game, list(reversed(SIMULATIONS))
        self._way: tuple[int, ...] = ()
        self._value = 0.0
        self._totals: tuple[float, ...] = ()

    def select(self, game: Game, node: RecordedNode, exploration: float, rng: random.Random) -> RecordedNode:
        """Follow the recorded actions as far as there are nodes."""
        if not self._rest:
            raise UserError(f"the recording ends after {len(SIMULATIONS)} simulations: run the cell again to see it once more")
        self._way, self._value, self._totals = self._rest.pop()
        for action in self._way[:-1]:
            node = node.children[action]
        return node

    def expand(self, game: Game, node: RecordedNode, rng: random.Random) -> RecordedNode:
        """Add the recorded child."""
        new = self._way[-1]
        node.children[new] = RecordedNode(game.play(node.state, new), node, new)
        return node.children[new]

    def evaluate(self, state: State) -> float:
        """Return the recorded result of the random game."""
        return self._value

    def backpropagate(self, node: RecordedNode, value: float) -> None:
        """Write the recorded totals."""
        for total in reversed(self._totals):
            node.num_visits, node.total_value = node.num_visits + 1, total
            node = node.parent or node
