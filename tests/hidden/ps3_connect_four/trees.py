"""Trees of ps3: a Node takes the game first, and has the sum of its results in `q`."""

from tests.hidden.trees import Spot, Trees, at, visits_of

__all__ = ["Spot", "at", "chain", "plant", "visits_of"]

_TREES = Trees("Node", ("num_visits", "q"), of_game=True)
plant, chain = _TREES.plant, _TREES.chain
