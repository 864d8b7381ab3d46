"""Walks from the root to a leaf and back: PUCT, and results that the search proves.

The network is not asked about proved results. A position where the mover wins at once, or where every move lets the other
player win at once, is proved when its node is made. So are a short end of Othello and a win of Connect Four by threats alone.
Actions that lose to the next reply are not searched, and a move that is forced needs no network. Proofs go up the tree: one move
to a lost position proves a win; if all moves are proved, the best of them is the result. The value of a proved node is its
result, and moves that are proved to lose are not tried again.

Sources: Silver et al. (2017), Methods, "Search algorithm"; Winands, Bjornsson and Saito, "Monte-Carlo tree search solver"
(2008), for the proofs; Baier and Winands, "Monte-Carlo tree search and minimax hybrids" (2013), for the short ends; Wu,
"Accelerating self-play learning in Go" (2019), for the value of an untried move.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.players.puct.forest import FORCED_NODES, Forest, Settings
from arena.players.puct.halving import halving_action
from arena.players.puct.memory import Memory, recall, remember
from arena.players.rules import OPEN, forced_win, legal, outcome, play, played_out, sound, wins_at_once


@njit(cache=True)
def plant(rules: int, forest: Forest, tree: int, own: int, theirs: int, threats: bool = True) -> None:
    """Begin a new search of a position where the game goes on; its root has no noise. `threats` is the one of Settings."""
    forest.size[tree] = 0
    forest.simulations[tree] = -1
    forest.epsilon[tree] = 0
    forest.plan[tree] = 0
    _new_node(rules, forest, tree, own, theirs)  # no `_look_ahead`: only a win proves a root, for its moves must be tried
    wins = wins_at_once(rules, own, theirs)
    if threats:
        wins = wins or forced_win(rules, own, theirs)
    forest.actions[tree, 0] = legal(rules, own, theirs)
    if wins:
        _show_win(rules, forest, tree, wins)
    else:
        forest.actions[tree, 0] = sound(rules, own, theirs) or forest.actions[tree, 0]


@njit(cache=True)
def walk(rules: int, forest: Forest, budgets: NDArray[np.int32], settings: Settings, leaves: NDArray[np.int64],
         memory: Memory) -> int:  # fmt: skip
    """Walk down in every tree whose search goes on, until a leaf needs the network's answer.

    Args:
        budgets: (G,) int32, simulations for each tree. A search ends early when its root is proved.
        leaves: (2, G) int64, filled with the trees and the nodes of these leaves.
        memory: answers that the same network gave before; a leaf with such an answer needs no other.

    Returns the number of leaves. A walk that ends at a known result needs no answer; the next walk follows at once.
    """
    found = 0
    for tree in range(len(budgets)):
        while forest.simulations[tree] < budgets[tree] and forest.proved[tree, 0] == OPEN:
            node = _descend(rules, forest, tree, budgets[tree], settings)
            if forest.proved[tree, node] != OPEN:
                _back_up(forest, tree, float(forest.proved[tree, node]))
                continue
            if not recall(memory, forest, tree, node):
                leaves[0, found], leaves[1, found] = tree, node
                found += 1
                break
            _back_up(forest, tree, forest.value[tree, node])
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
def answer(forest: Forest, leaves: NDArray[np.int64], priors: NDArray[np.float32], values: NDArray[np.float32],
           memory: Memory) -> None:  # fmt: skip
    """Store the network's answers in the leaves, priors (B, A) and values (B,) float32, and back up the values."""
    for row in range(leaves.shape[1]):
        tree, node = leaves[0, row], leaves[1, row]
        forest.priors[tree, node] = priors[row]
        forest.value[tree, node] = values[row]
        forest.answered[tree, node] = True
        remember(memory, forest, tree, node)
        _back_up(forest, tree, values[row])


@njit(cache=True)
def _new_node(rules: int, forest: Forest, tree: int, own: int, theirs: int) -> int:
    node: int = forest.size[tree]
    forest.size[tree] += 1
    forest.own[tree, node], forest.theirs[tree, node] = own, theirs
    forest.proved[tree, node] = outcome(rules, own, theirs)
    forest.answered[tree, node] = False
    forest.child[tree, node] = 0
    forest.visits[tree, node] = 0
    forest.totals[tree, node] = 0
    return node


@njit(cache=True)
def _show_win(rules: int, forest: Forest, tree: int, wins: int) -> None:
    """Prove a root where the actions in `wins` win, and make the child of each with a visit: the root must show it.

    All of them count the same, so that the policy of a mirrored position is the mirrored policy.
    """
    forest.proved[tree, 0] = 1
    for action in range(forest.child.shape[2]):
        if wins >> action & 1:
            own, theirs = play(rules, forest.own[tree, 0], forest.theirs[tree, 0], action)
            child = _new_node(rules, forest, tree, own, theirs)
            forest.proved[tree, child] = -1
            forest.child[tree, 0, action] = child
            forest.visits[tree, 0, action] = 1
            forest.totals[tree, 0, action] = 1


@njit(cache=True)
def _look_ahead(rules: int, forest: Forest, tree: int, node: int, threats: bool) -> None:
    """Prove a new node near the end; otherwise leave only actions after which the other player does not win at once.

    A node with one such action needs no network: the walk goes on to its child.
    """
    own, theirs = forest.own[tree, node], forest.theirs[tree, node]
    if wins_at_once(rules, own, theirs):
        forest.proved[tree, node] = 1
        return
    forest.proved[tree, node] = played_out(rules, own, theirs)
    if forest.proved[tree, node] != OPEN:
        return
    actions = sound(rules, own, theirs)
    forest.actions[tree, node] = actions
    if actions == 0:
        forest.proved[tree, node] = -1
    elif threats and forced_win(rules, own, theirs):
        forest.proved[tree, node] = 1
    elif actions & actions - 1 == 0 and node < 2 * forest.simulations[tree] + FORCED_NODES:
        forest.answered[tree, node] = True
        forest.value[tree, node] = 0
        forest.priors[tree, node] = 1


@njit(cache=True)
def _descend(rules: int, forest: Forest, tree: int, budget: int, settings: Settings) -> int:
    """Follow the best actions to a node without an answer or with a proved result; return this node."""
    node, depth = 0, 0
    while forest.answered[tree, node] and forest.proved[tree, node] == OPEN:
        if node == 0 and forest.plan[tree]:
            action = halving_action(forest, tree, budget, settings)
        else:
            action = _best(forest, tree, node, settings)
        forest.path[tree, depth, 0], forest.path[tree, depth, 1] = node, action
        depth += 1
        child = forest.child[tree, node, action]
        if child == 0:
            own, theirs = play(rules, forest.own[tree, node], forest.theirs[tree, node], action)
            child = _new_node(rules, forest, tree, own, theirs)
            forest.child[tree, node, action] = child
            if forest.proved[tree, child] == OPEN:
                _look_ahead(rules, forest, tree, child, settings.threats)
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
