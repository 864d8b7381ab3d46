"""The searches whose trees are shown to students: the positions, and the tree in a report from a search's numbers.

The numbers come from a sandbox, so that `tree_of` refuses whatever does not fit the position.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from typing import Any

from arena.games import after
from arena.games.game import Game
from autograder.grading.report import SearchTree, SeenNode
from autograder.paths import REPOSITORY

MOST = 10_000  # visits of a node, and size of a sum of results: far above what a search of some hundred simulations gives
DIGITS = 2  # of a mean: more would differ by the last bit of a sum
Path = tuple[int, ...]


@dataclass(frozen=True)
class ShownSearch:
    """The search whose tree a problem set shows: the exercise, a public position and the number of simulations.

    search: returns the root of a search; its arguments are the set's functions (a student's, or our module), this object and a
        generator of random numbers.
    total, sign: the field of a node with the sum of its results, and 1.0 if they are for the player who moved into the node, or
        else -1.0.
    caption: words below the picture of the position.
    """

    exercise: str
    game: Game
    moves: Path
    simulations: int
    search: Callable[[Any, ShownSearch, Any], Any]
    total: str
    sign: float
    caption: str = ""

    @property
    def state(self) -> Any:
        """The position."""
        return after(self.game, self.moves)

    def paths(self) -> frozenset[Path]:
        """Return the paths of one and two moves from the position."""
        one_move = [(action,) for action in self.game.legal_actions(self.state)]
        replies = ((path, self.game.legal_actions(after(self.game, (*self.moves, *path)))) for path in one_move)
        two_moves = [(*path, action) for path, actions in replies for action in actions]
        return frozenset((*one_move, *two_moves))


def shown_search(ps: str) -> ShownSearch | None:
    """Return the search that a set's tests/hidden/<ps>/shown.py names; None if the set shows none."""
    if not (REPOSITORY / "tests" / "hidden" / ps / "shown.py").is_file():
        return None
    if str(REPOSITORY) not in sys.path:
        sys.path.insert(0, str(REPOSITORY))
    shown: ShownSearch = import_module(f"tests.hidden.{ps}.shown").SHOWN
    return shown


def tree_of(shown: ShownSearch, statistics: Mapping[Path, tuple[int, float]]) -> SearchTree | None:
    """Return the tree of these statistics; None if they are not a tree of this position.

    Args:
        statistics: path -> (visits, sum of the results for the player who moved into the node).
    """
    known = shown.paths()
    for path, (visits, total) in statistics.items():
        if path not in known or not 0 <= visits <= MOST or not isfinite(total) or abs(total) > MOST:
            return None
    nodes = [SeenNode(path, visits, round(total / visits, DIGITS) + 0.0 if visits else None)  # + 0.0: no "-0.0"
             for path, (visits, total) in sorted(statistics.items(), key=lambda item: (len(item[0]), item[0]))]
    return SearchTree(shown.simulations, tuple(nodes)) if nodes else None
