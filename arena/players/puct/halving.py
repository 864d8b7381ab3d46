"""Another rule for the root: Gumbel's noise and sequential halving, and a policy that is better than the prior.

PUCT needs many visits before its shares of visits are better than the prior. Here each of a few actions gets its share of
the simulations, the worse half is left out, and so on; the policy to learn from is the prior corrected by the values that
the search found. In expectation this policy is better than the prior, even after as many simulations as there are actions.

Source: Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022), sections 2 to 4,
with values in [-1, 1].
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arena.players.puct.forest import Forest, Settings
from arena.players.rules import OPEN

VISITS = 50  # c_visit of the source


@njit(cache=True)
def halving_action(forest: Forest, tree: int, budget: int, settings: Settings) -> int:
    """Return the root's action for the next simulation; actions that are proved to lose are left out while there are others."""
    values = completed_values(forest, tree)
    wanted = _visits_so_far(forest.plan[tree], budget, max(0, forest.simulations[tree]))
    scale = (VISITS + forest.visits[tree, 0].max()) * settings.value_scale
    chosen, best_fit, highest = -1, -1, -np.inf
    for action in range(len(values)):
        if not forest.actions[tree, 0] >> action & 1:
            continue
        child = forest.child[tree, 0, action]
        lost = child != 0 and forest.proved[tree, child] == 1
        fit = 0 if lost else 2 if forest.visits[tree, 0, action] == wanted else 1
        score = forest.noise[tree, action] + np.log(forest.priors[tree, 0, action] + 1e-12) + scale * values[action]
        if fit > best_fit or fit == best_fit and score > highest:
            chosen, best_fit, highest = action, fit, score
    return chosen


@njit(cache=True)
def improved_policy(forest: Forest, tree: int, settings: Settings) -> NDArray[np.float64]:
    """Return the prior of an unproved root, corrected by the values that the search found, (A,) float64.

    Actions that are proved to lose get 0 while there are others.
    """
    values, scale = completed_values(forest, tree), (VISITS + forest.visits[tree, 0].max()) * settings.value_scale
    logits = np.full(len(values), -np.inf)
    for lost_too in (False, True):
        for action in range(len(values)):
            child = forest.child[tree, 0, action]
            if forest.actions[tree, 0] >> action & 1 and (lost_too or not child or forest.proved[tree, child] != 1):
                logits[action] = np.log(forest.priors[tree, 0, action] + 1e-12) + scale * values[action]
        if logits.max() > -np.inf:
            break
    shares = np.exp(logits - logits.max())
    policy: NDArray[np.float64] = shares / shares.sum()
    return policy


@njit(cache=True)
def completed_values(forest: Forest, tree: int) -> NDArray[np.float64]:
    """Return the value of each of the root's actions, (A,) float64, for the player to move at the root.

    It is the proved result or the mean of the visits; for an action without a visit a mixture of the network's value of the
    root and the values that were found, weighted by the priors (the source's equation 33).
    """
    visits, priors = forest.visits[tree, 0], forest.priors[tree, 0]
    values = np.zeros(len(visits))
    mass = weighted = 0.0
    for action in range(len(visits)):
        if visits[action]:
            child = forest.child[tree, 0, action]
            known = forest.proved[tree, child]
            values[action] = -float(known) if known != OPEN else forest.totals[tree, 0, action] / visits[action]
            mass += priors[action]
            weighted += priors[action] * values[action]
    all_visits = visits.sum()
    mixed = float(forest.value[tree, 0])
    if mass > 0:
        mixed = (mixed + all_visits * weighted / mass) / (1 + all_visits)
    for action in range(len(visits)):
        if not visits[action]:
            values[action] = mixed
    return values


@njit(cache=True)
def _visits_so_far(actions: int, budget: int, simulation: int) -> int:
    """Return how many visits an action has before it gets this simulation (from 0); halving begins with `actions` actions."""
    rounds = max(1, int(np.ceil(np.log2(actions))))
    visits, after, left = 0, 0, actions
    while True:
        for _ in range(max(1, budget // (rounds * left))):
            after += left
            if simulation < after:
                return visits
            visits += 1
        left = min(actions, max(2, left // 2))
