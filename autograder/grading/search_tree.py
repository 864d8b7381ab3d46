"""The first two plies of a search tree, as plain numbers in a report: for the student's eyes, and no part of any points.

The numbers come from a sandbox, so that `SearchTree.of` refuses whatever does not fit the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from arena.games import ConnectFour, TicTacToe, after
from arena.games.game import Game

VERSION = 1  # of the form in a report; a tree in another form is not shown
MOST = 10_000  # visits of a node, and size of a sum of results: far above what a search of some hundred simulations gives
DIGITS = 2  # of a mean: more would differ by the last bit of a sum
Path = tuple[int, ...]


@dataclass(frozen=True)
class ShownSearch:
    """The search whose tree a problem set shows: the exercise, a public position and the number of simulations."""

    exercise: str
    game: Game
    moves: Path
    simulations: int

    @property
    def state(self) -> Any:
        """The position."""
        return after(self.game, self.moves)

    def paths(self) -> frozenset[Path]:
        """Return the paths of one and two moves from the position."""
        found = [(action,) for action in self.game.legal_actions(self.state)]
        below = [(*path, action) for path in found for action in self.game.legal_actions(after(self.game, (*self.moves, *path)))]
        return frozenset((*found, *below))


# In both positions a single move wins, and it wins only later: a search must look two plies ahead.
SHOWN: Mapping[str, ShownSearch] = {
    "ps2_uct": ShownSearch("2.9", TicTacToe(), (1, 0, 2, 5), 100),
    "ps3_connect_four": ShownSearch("3.6", ConnectFour(), tuple(map(int, "6461314006604060120144265143")), 300),
}


@dataclass(frozen=True)
class SeenNode:
    """A node: its moves from the position, its visits, and the mean result for the player who moved into it; None unvisited."""

    path: Path
    visits: int
    value: float | None


@dataclass(frozen=True)
class SearchTree:
    """The nodes one and two plies below a position, parents first, actions ascending."""

    simulations: int
    nodes: tuple[SeenNode, ...]
    version: int = VERSION

    @classmethod
    def of(cls, shown: ShownSearch, statistics: Mapping[Path, tuple[int, float]]) -> SearchTree | None:
        """Return the tree of these statistics; None if they are no tree of this position.

        Args:
            statistics: path -> (visits, sum of the results for the player who moved into the node).
        """
        known = shown.paths()
        for path, (visits, total) in statistics.items():
            if path not in known or not 0 <= visits <= MOST or not isfinite(total) or abs(total) > MOST:
                return None
        nodes = [SeenNode(path, visits, round(total / visits, DIGITS) + 0.0 if visits else None)  # + 0.0: no "-0.0"
                 for path, (visits, total) in sorted(statistics.items(), key=lambda one: (len(one[0]), one[0]))]
        return cls(shown.simulations, tuple(nodes)) if nodes else None

    @classmethod
    def from_json(cls, told: dict[str, Any] | None) -> SearchTree | None:
        """Return the tree in a report; None if there is none, or one in another form.

        Raises:
            ValueError, KeyError, TypeError: a tree in this form that cannot be read.
        """
        if told is None or told.get("version") != VERSION:
            return None
        return cls(**{**told, "nodes": tuple(SeenNode(**{**node, "path": tuple(node["path"])}) for node in told["nodes"])})
