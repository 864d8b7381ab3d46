"""Many searches side by side, compiled: PUCT with a network, and with results that the search proves.

A forest holds one tree for each game. `walk` goes down in every tree and stops at the leaves that need the network's
answer. The caller asks the network about all these leaves at once and gives the answers to `answer`. Exercises 5.12 and
5.13 of problem set 5 have the same algorithm; here it works on arrays. `forest` has the arrays and what a root says,
`search` the walks and the proofs, `halving` another rule for the root, for few simulations, and `memory` the answers that
the network gave before.
"""

from arena.players.puct.forest import MAX_PLIES, Forest, Settings, new_forest, nodes_for, root_policy, root_value
from arena.players.puct.halving import completed_values, improved_policy
from arena.players.puct.memory import Memory, new_memory
from arena.players.puct.search import answer, ask, plant, walk

__all__ = ["MAX_PLIES", "Forest", "Memory", "Settings", "answer", "ask", "completed_values", "improved_policy", "new_forest",
           "new_memory", "nodes_for", "plant", "root_policy", "root_value", "walk"]  # fmt: skip
