"""The search whose tree a report shows: on this position a single move wins, and it wins only two plies later."""

from typing import Any

from arena.games import TicTacToe
from autograder.grading.hidden_checks.shown_search import ShownSearch

EXPLORATION = 1.0


def search(functions: Any, shown: ShownSearch, rng: Any) -> Any:
    """Return the root after a search."""
    _, root = functions.search(shown.game, shown.state, shown.simulations, EXPLORATION, rng)
    return root


SHOWN = ShownSearch("2.9", TicTacToe(), (1, 0, 2, 5), 100, search, "total_value", -1.0, "squares are numbered 0 to 8, row by row")
