"""Many searches side by side, compiled: PUCT with a network, and with results that the search proves.

A forest holds one tree for each game. `walk` goes down in every tree and stops at the leaves that need the network's
answer. The caller asks the network about all these leaves at once and gives the answers to `answer`. Exercises 5.12 and
5.13 of problem set 5 have the same algorithm; here it works on arrays.

The network is not asked about proved results. A position where the mover wins at once is proved when its node is made.
Proofs go up the tree: one lost reply proves a win; if all replies are proved, the best of them is the result. The value
of a proved node is its result, and moves that are proved to lose are not tried again.

Sources: Silver et al. (2017), Methods, "Search algorithm"; Winands, Bjornsson and Saito, "Monte-Carlo tree search solver"
(2008), for the proofs; Wu, "Accelerating self-play learning in Go" (2019), for the value of an untried move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.players.rules import OPEN, legal, outcome, play

MAX_PLIES = 64  # the longest walk: a game of Othello 6x6 has 32 squares to fill, and passes


class Settings(NamedTuple):
    """The parameters of a search.

    Attributes:
        c: weight of the exploration term.
        parent, reduction: the value of an untried move is `parent` times the value of its node, minus `reduction` times
            the root of the prior mass of the tried moves. 0 and 0 is AlphaZero, 1 and .2 KataGo.
    """

    c: float = 1.5
    parent: float = 1.0
    reduction: float = 0.2


class Forest(NamedTuple):
    """G trees of at most M nodes with A actions each; node 0 is the root. Values are for the player to move at the node."""

    own: NDArray[np.int64]  # (G, M), stones of the player to move
    theirs: NDArray[np.int64]  # (G, M)
    actions: NDArray[np.int64]  # (G, M), the set of legal actions
    proved: NDArray[np.int8]  # (G, M), 1, 0 or -1; OPEN while nothing is proved
    answered: NDArray[np.bool_]  # (G, M), whether the network has answered
    value: NDArray[np.float32]  # (G, M), the network's value
    child: NDArray[np.int32]  # (G, M, A), 0 for none
    visits: NDArray[np.int32]  # (G, M, A)
    totals: NDArray[np.float32]  # (G, M, A), sum of the values of all walks through the action
    priors: NDArray[np.float32]  # (G, M, A)
    noise: NDArray[np.float32]  # (G, A), noise for the root's priors
    epsilon: NDArray[np.float32]  # (G,), weight of this noise
    size: NDArray[np.int32]  # (G,), nodes in use
    simulations: NDArray[np.int32]  # (G,), finished ones; the network's answer for the root does not count
    path: NDArray[np.int32]  # (G, MAX_PLIES, 2), node and action of the latest walk
    depth: NDArray[np.int32]  # (G,), length of `path`


def new_forest(num_trees: int, num_nodes: int, num_actions: int) -> Forest:
    """Return memory for `num_trees` searches of `num_nodes` - 1 simulations each."""
    flat, wide = (num_trees, num_nodes), (num_trees, num_nodes, num_actions)
    return Forest(
        np.zeros(flat, np.int64), np.zeros(flat, np.int64), np.zeros(flat, np.int64), np.full(flat, OPEN, np.int8),
        np.zeros(flat, np.bool_), np.zeros(flat, np.float32), np.zeros(wide, np.int32), np.zeros(wide, np.int32),
        np.zeros(wide, np.float32), np.zeros(wide, np.float32), np.zeros((num_trees, num_actions), np.float32),
        np.zeros(num_trees, np.float32), np.zeros(num_trees, np.int32), np.zeros(num_trees, np.int32),
        np.zeros((num_trees, MAX_PLIES, 2), np.int32),
        np.zeros(num_trees, np.int32),
    )  # fmt: skip


@njit(cache=True)
def plant(rules: int, forest: Forest, tree: int, own: int, theirs: int) -> None:
    """Begin a new search of a position where the game goes on; its root has no noise."""
    forest.size[tree] = 0
    forest.simulations[tree] = -1
    forest.epsilon[tree] = 0
    _new_node(rules, forest, tree, own, theirs)
    forest.proved[tree, 0] = OPEN  # a root stays open even if its result is known: its moves must be tried
    _prove_win_at_once(rules, forest, tree, 0)


@njit(cache=True)
def walk(rules: int, forest: Forest, budgets: NDArray[np.int32], settings: Settings, leaves: NDArray[np.int64]) -> int:
    """Walk down in every tree whose search goes on, until a leaf needs the network's answer.

    Args:
        budgets: (G,) int32, simulations for each tree. A search ends early when its root is proved.
        leaves: (2, G) int64, filled with the trees and the nodes of these leaves.

    Returns the number of leaves. A walk that ends at a known result needs no answer; the next walk follows at once.
    """
    found = 0
    for tree in range(len(budgets)):
        while forest.simulations[tree] < budgets[tree] and forest.proved[tree, 0] == OPEN:
            node = _descend(rules, forest, tree, settings)
            if forest.proved[tree, node] == OPEN:
                leaves[0, found], leaves[1, found] = tree, node
                found += 1
                break
            _back_up(forest, tree, float(forest.proved[tree, node]))
    return found


@njit(cache=True)
def ask(forest: Forest, leaves: NDArray[np.int64], bits: NDArray[np.int64], planes: NDArray[np.float32],
        allowed: NDArray[np.bool_]) -> None:  # fmt: skip
    """Write the network's input for (2, B) leaves: planes (B, 2, H, W) float32 and legal actions (B, A) bool."""
    height, width = bits.shape
    for row in range(leaves.shape[1]):
        tree, node = leaves[0, row], leaves[1, row]
        own, theirs, actions = forest.own[tree, node], forest.theirs[tree, node], forest.actions[tree, node]
        for y in range(height):
            for x in range(width):
                planes[row, 0, y, x] = own >> bits[y, x] & 1
                planes[row, 1, y, x] = theirs >> bits[y, x] & 1
        for action in range(allowed.shape[1]):
            allowed[row, action] = actions >> action & 1


@njit(cache=True)
def answer(forest: Forest, leaves: NDArray[np.int64], priors: NDArray[np.float32], values: NDArray[np.float32]) -> None:
    """Store the network's answers in the leaves, priors (B, A) and values (B,) float32, and back up the values."""
    for row in range(leaves.shape[1]):
        tree, node = leaves[0, row], leaves[1, row]
        forest.priors[tree, node] = priors[row]
        forest.value[tree, node] = values[row]
        forest.answered[tree, node] = True
        _back_up(forest, tree, values[row])


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


@njit(cache=True)
def _new_node(rules: int, forest: Forest, tree: int, own: int, theirs: int) -> int:
    node: int = forest.size[tree]
    forest.size[tree] += 1
    forest.own[tree, node], forest.theirs[tree, node] = own, theirs
    forest.actions[tree, node] = legal(rules, own, theirs)
    forest.proved[tree, node] = outcome(rules, own, theirs)
    forest.answered[tree, node] = False
    forest.child[tree, node] = 0
    forest.visits[tree, node] = 0
    forest.totals[tree, node] = 0
    return node


@njit(cache=True)
def _prove_win_at_once(rules: int, forest: Forest, tree: int, node: int) -> None:
    """Prove a node where some move wins at once; at the root, make the child of this move."""
    own, theirs = forest.own[tree, node], forest.theirs[tree, node]
    for action in range(forest.child.shape[2]):
        if forest.actions[tree, node] >> action & 1:
            after = play(rules, own, theirs, action)
            if outcome(rules, after[0], after[1]) == -1:
                forest.proved[tree, node] = 1
                if node == 0:  # the root must show the winning move
                    forest.child[tree, 0, action] = _new_node(rules, forest, tree, after[0], after[1])
                    forest.visits[tree, 0, action] = 1
                    forest.totals[tree, 0, action] = 1
                return


@njit(cache=True)
def _descend(rules: int, forest: Forest, tree: int, settings: Settings) -> int:
    """Follow the best actions to a node without an answer or with a proved result; return this node."""
    node, depth = 0, 0
    while forest.answered[tree, node] and forest.proved[tree, node] == OPEN:
        action = _best(forest, tree, node, settings)
        forest.path[tree, depth, 0], forest.path[tree, depth, 1] = node, action
        depth += 1
        child = forest.child[tree, node, action]
        if child == 0:
            own, theirs = play(rules, forest.own[tree, node], forest.theirs[tree, node], action)
            child = _new_node(rules, forest, tree, own, theirs)
            forest.child[tree, node, action] = child
            if forest.proved[tree, child] == OPEN:
                _prove_win_at_once(rules, forest, tree, child)
        node = child
    forest.depth[tree] = depth
    return node


@njit(cache=True)
def _best(forest: Forest, tree: int, node: int, settings: Settings) -> int:
    """Return the legal action with the highest bound; an action that is proved to lose only if all others lose too."""
    visits, totals, priors = forest.visits[tree, node], forest.totals[tree, node], forest.priors[tree, node]
    all_visits, total, tried = 0, 0.0, 0.0
    for action in range(len(visits)):
        if visits[action]:
            all_visits += visits[action]
            total += totals[action]
            tried += priors[action]
    worth = (total + forest.value[tree, node]) / (all_visits + 1)
    untried = settings.parent * worth - settings.reduction * np.sqrt(tried)
    scale = settings.c * np.sqrt(max(1, all_visits))
    mixed = forest.epsilon[tree] if node == 0 else np.float32(0)
    chosen, highest, actions = -1, -np.inf, forest.actions[tree, node]
    for action in range(len(visits)):
        if not actions >> action & 1:
            continue
        mean, child = untried, forest.child[tree, node, action]
        if child and forest.proved[tree, child] != OPEN:
            mean = -float(forest.proved[tree, child])
        elif visits[action]:
            mean = totals[action] / visits[action]
        prior = priors[action]
        if mixed:
            prior = (1 - mixed) * prior + mixed * forest.noise[tree, action]
        bound = mean + scale * prior / (1 + visits[action])
        if child and forest.proved[tree, child] == 1:
            bound -= 1e6
        if chosen < 0 or bound > highest:  # even with a network that answers nan, a legal move is chosen
            chosen, highest = action, bound
    return chosen


@njit(cache=True)
def _back_up(forest: Forest, tree: int, value: float) -> None:
    """Carry the value of the latest leaf, in its mover's view, up to the root, and prove nodes on the way."""
    for step in range(forest.depth[tree] - 1, -1, -1):
        node, action = forest.path[tree, step]
        value = -value
        if forest.proved[tree, node] == OPEN and _prove(forest, tree, node):
            value = float(forest.proved[tree, node])
        forest.visits[tree, node, action] += 1
        forest.totals[tree, node, action] += value
    forest.simulations[tree] += 1


@njit(cache=True)
def _prove(forest: Forest, tree: int, node: int) -> bool:
    """Prove a node if its children prove it; return whether they do."""
    best, all_known = -1, True
    for action in range(forest.child.shape[2]):
        if forest.actions[tree, node] >> action & 1:
            child = forest.child[tree, node, action]
            if child == 0 or forest.proved[tree, child] == OPEN:
                all_known = False
            else:
                best = max(best, -forest.proved[tree, child])
    if best == 1 or all_known:
        forest.proved[tree, node] = best
        return True
    return False
