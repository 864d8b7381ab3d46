"""The arrays of a forest, and what the root of a tree says about its position."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.players.rules import OPEN

# A forced move makes a node without a simulation. One such node for each simulation is allowed, and FORCED_NODES more. The number
# does not depend on the size of the arrays: a tree whose arrays grow must stay the same tree.
FORCED_NODES = 16
MAX_PLIES = 64  # the longest walk: a game of Othello 6x6 has 32 squares to fill, and passes


class Settings(NamedTuple):
    """The parameters of a search.

    Attributes:
        c: weight of the exploration term.
        parent, reduction: the value of an untried move is `parent` times the value of its node, minus `reduction` times
            the root of the prior mass of the tried moves. 0 and 0 is AlphaZero, 1 and .2 KataGo.
        value_scale: weight of a value in the improved policy (see `halving`).
        threats: whether new nodes of Connect Four are searched for wins by threats alone.
    """

    c: float = 1.5
    parent: float = 1.0
    reduction: float = 0.2
    value_scale: float = 0.3
    threats: bool = True


class Forest(NamedTuple):
    """G trees of at most M nodes with A actions each; node 0 is the root. Values are for the player to move at the node."""

    own: NDArray[np.int64]  # (G, M), stones of the player to move
    theirs: NDArray[np.int64]  # (G, M)
    actions: NDArray[np.int64]  # (G, M), the set of actions to search: see `search._look_ahead`
    proved: NDArray[np.int8]  # (G, M), 1, 0 or -1; OPEN while nothing is proved
    answered: NDArray[np.bool_]  # (G, M), whether the network has answered, or is not needed
    value: NDArray[np.float32]  # (G, M), the network's value
    child: NDArray[np.int32]  # (G, M, A), 0 for none
    visits: NDArray[np.int32]  # (G, M, A)
    totals: NDArray[np.float32]  # (G, M, A), sum of the values of all walks through the action
    priors: NDArray[np.float32]  # (G, M, A)
    noise: NDArray[np.float32]  # (G, A), noise for the root: of its priors, or Gumbel's with a plan
    epsilon: NDArray[np.float32]  # (G,), weight of the noise in the priors
    plan: NDArray[np.int32]  # (G,), number of actions that sequential halving begins with at the root; 0 for PUCT
    size: NDArray[np.int32]  # (G,), nodes in use
    simulations: NDArray[np.int32]  # (G,), finished ones; the network's answer for the root does not count
    path: NDArray[np.int32]  # (G, MAX_PLIES, 2), node and action of the latest walk
    depth: NDArray[np.int32]  # (G,), length of `path`


def nodes_for(simulations: int) -> int:
    """Return the largest number of nodes: two for each simulation, FORCED_NODES, and two more with the root.

    A root that shows its wins has a child for each and no other node: fewer than FORCED_NODES.
    """
    return 2 * simulations + FORCED_NODES + 2


def new_forest(num_trees: int, simulations: int, num_actions: int) -> Forest:
    """Return memory for `num_trees` searches of at most `simulations` simulations each.

    A simulation makes one node, or several where moves are forced.
    """
    nodes = nodes_for(simulations)
    flat, wide = (num_trees, nodes), (num_trees, nodes, num_actions)
    return Forest(
        np.zeros(flat, np.int64), np.zeros(flat, np.int64), np.zeros(flat, np.int64), np.full(flat, OPEN, np.int8),
        np.zeros(flat, np.bool_), np.zeros(flat, np.float32), np.zeros(wide, np.int32), np.zeros(wide, np.int32),
        np.zeros(wide, np.float32), np.zeros(wide, np.float32), np.zeros((num_trees, num_actions), np.float32),
        np.zeros(num_trees, np.float32), np.zeros(num_trees, np.int32), np.zeros(num_trees, np.int32),
        np.zeros(num_trees, np.int32), np.zeros((num_trees, MAX_PLIES, 2), np.int32), np.zeros(num_trees, np.int32),
    )  # fmt: skip


@njit(cache=True)
def root_policy(forest: Forest, tree: int) -> NDArray[np.float64]:
    """Return the visits of the root's actions as shares, (A,) float64; proved results come before visits.

    If the root is proved, only moves with the root's result count. If not, moves that are proved to lose do not count.
    """
    shares = np.zeros(forest.visits.shape[2])
    proved = forest.proved[tree, 0]
    for action in range(len(shares)):
        child = forest.child[tree, 0, action]
        known = -forest.proved[tree, child] if child and forest.proved[tree, child] != OPEN else OPEN
        if known == proved if proved != OPEN else known != -1:
            shares[action] = forest.visits[tree, 0, action]
    if shares.sum() == 0:  # all visited moves are proved losses, or no move was visited
        shares[:] = forest.visits[tree, 0] + 1e-9 * forest.priors[tree, 0]
    if shares.sum() == 0:
        for action in range(len(shares)):
            shares[action] = forest.actions[tree, 0] >> action & 1
    policy: NDArray[np.float64] = shares / shares.sum()
    return policy


@njit(cache=True)
def root_value(forest: Forest, tree: int) -> float:
    """Return the value of the root: the proved result, else the mean over all simulations."""
    if forest.proved[tree, 0] != OPEN:
        return float(forest.proved[tree, 0])
    visits = forest.visits[tree, 0].sum()
    mean: float = (forest.totals[tree, 0].sum() + forest.value[tree, 0]) / (visits + 1)
    return mean
