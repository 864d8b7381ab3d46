"""The search whose tree a report shows: on this position a single move wins, and it wins only two plies later."""

from typing import Any

from arena.games import ConnectFour
from autograder.grading.hidden_checks.shown_search import ShownSearch


def search(functions: Any, shown: ShownSearch, rng: Any) -> Any:
    """Return the root after a search."""
    _, root = functions.uct(shown.game, shown.state, rng, simulations=shown.simulations)
    return root


SHOWN = ShownSearch("3.6", ConnectFour(), tuple(map(int, "6461314006604060120144265143")), 300, search, "q", 1.0)
