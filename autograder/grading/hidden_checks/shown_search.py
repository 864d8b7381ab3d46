"""The searches whose trees are shown to students: the positions, and the tree in a report from a search's numbers.

The numbers come from a sandbox, so that `tree_of` refuses whatever does not fit the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from arena.games import ConnectFour, TicTacToe, after
from arena.games.game import Game
from autograder.grading.report import SearchTree, SeenNode

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


def tree_of(shown: ShownSearch, statistics: Mapping[Path, tuple[int, float]]) -> SearchTree | None:
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
    return SearchTree(shown.simulations, tuple(nodes)) if nodes else None
