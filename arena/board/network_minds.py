"""The minds of a network: its prior alone, and the search of AlphaZero (PUCT), step by step on the compiled forest.

Importing this module needs numba and torch; `arena.board.engines` does it beside the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

from arena.board.minds import LONGEST_LINE, MOST_SIMULATIONS, MoveThought, Thought
from arena.games import State
from arena.players.network import Asking, Network
from arena.players.puct import Forest, Settings, new_forest, nodes_for, plant, root_policy, root_value
from arena.players.rules import OPEN, CompiledRules

FIRST_SIMULATIONS = 512
PROVED = {1: "proved: wins", 0: "proved: draws", -1: "proved: loses"}  # by the result for the player who moves


class Prior:
    """The network alone: a probability for each move and a value, from one look at the position."""

    def __init__(self, rules: CompiledRules, network: Network, state: State) -> None:
        forest = new_forest(1, 0, rules.num_actions)
        plant(rules.number, forest, 0, *rules.bits_of(state))
        with _one_thread():
            priors, values = Asking(rules, 1).roots(forest, network)
        self._moves = tuple(MoveThought(action, prior=float(priors[0, action])) for action in rules.game.legal_actions(state))
        self._value = float(values[0])

    def step(self, count: int) -> None:
        """Do nothing: one look is all."""

    def thought(self) -> Thought:
        """Return the priors, the value, and the most likely move."""
        best = max(self._moves, key=lambda move: move.prior or 0.0).action
        return Thought(0, self._moves, best, self._value, (best,), done=True)


class PUCT:
    """The search of AlphaZero: one tree of `arena.players.puct`, without noise; its memory grows with the tree.

    The search also proves results; it is done when the result of the position is proved.
    """

    def __init__(self, rules: CompiledRules, network: Network, state: State, settings: Settings = Settings()) -> None:
        self._rules, self._network, self._state, self._settings = rules, network, state, settings
        self._asking = Asking(rules, 1)
        self._forest = new_forest(1, FIRST_SIMULATIONS, rules.num_actions)
        plant(rules.number, self._forest, 0, *rules.bits_of(state), settings.threats)
        self._search_to(0)  # the network's answer for the root is not a simulation

    @property
    def _simulations(self) -> int:
        return max(0, int(self._forest.simulations[0]))

    def step(self, count: int) -> None:
        """Run `count` simulations, up to MOST_SIMULATIONS in all; fewer if the result is proved on the way."""
        wanted = min(self._simulations + count, MOST_SIMULATIONS)
        while len(self._forest.own[0]) < nodes_for(wanted):
            self._forest = _doubled(self._forest)
        self._search_to(wanted)

    def _search_to(self, simulations: int) -> None:
        budgets = np.array([simulations], np.int32)
        with _one_thread():
            while self._asking.step(self._forest, budgets, self._settings, self._network):
                pass

    def thought(self) -> Thought:
        """Return visits, mean values and priors of the root's moves; proved results in words."""
        forest, moves = self._forest, []
        for action in self._rules.game.legal_actions(self._state):
            visits, child = int(forest.visits[0, 0, action]), int(forest.child[0, 0, action])
            result = -int(forest.proved[0, child]) if child and forest.proved[0, child] != OPEN else None
            if not forest.actions[0, 0] >> action & 1:
                result = -1  # the other player wins at once: the search leaves such a move out
            mean = float(forest.totals[0, 0, action]) / visits if visits else None
            prior = float(forest.priors[0, 0, action]) if forest.answered[0, 0] else None
            moves.append(MoveThought(action, visits, mean if result is None else float(result), prior,
                                     "" if result is None else PROVED[result]))
        simulations, proved = self._simulations, forest.proved[0, 0] != OPEN
        if not simulations and not proved:
            return Thought(0, tuple(moves), value=float(forest.value[0, 0]))
        line = self._line(int(root_policy(forest, 0).argmax()))
        note = "the search has proved the result" if proved else ""
        return Thought(simulations, tuple(moves), line[0], root_value(forest, 0), line,
                       bool(proved) or simulations >= MOST_SIMULATIONS, note)

    def _line(self, action: int) -> tuple[int, ...]:
        """Follow the most visited moves down the tree, after `action`."""
        forest, line = self._forest, [action]
        node = int(forest.child[0, 0, action])
        while node and forest.visits[0, node].any() and len(line) < LONGEST_LINE:
            line.append(int(forest.visits[0, node].argmax()))
            node = int(forest.child[0, node, line[-1]])
        return tuple(line)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch compute in one thread: for one position at a time, threads that wait for each other cost more than they give."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _doubled(forest: Forest) -> Forest:
    """Return the same forest with room for twice as many nodes."""
    trees, nodes, actions = forest.child.shape
    larger = new_forest(trees, nodes, actions)
    for name in Forest._fields:
        old = getattr(forest, name)
        getattr(larger, name)[tuple(slice(size) for size in old.shape)] = old
    return larger
