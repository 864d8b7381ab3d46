"""Random inputs of ps2: games with gaps between action numbers, bounds close together, trees and tables of any shape."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from arena.games import IllegalMove, ToyGame
from autograder.sandbox.table_game import TableGame
from tests.hidden.choices import argmax, clear_best
from tests.hidden.generators import draw_count, draw_game, states_of
from tests.hidden.ps2_uct.trees import make

CONSTANTS = (0.0, 0.1, 0.5, 1.0, math.sqrt(2), 3.0, 20.0)
ENOUGH = 1e-5  # the best of the random bounds is ahead by at least this much


def line(plies: int, value: float = -1.0) -> ToyGame:
    """A game of `plies` forced moves; `value` is the outcome for the player to move at its end."""
    return ToyGame({f"s{ply}": [f"s{ply + 1}"] for ply in range(plies)}, {f"s{plies}": value})


def fork(edition: Random, width: int, *, merged: bool = False) -> TableGame:
    """A game of one move, with `width` actions of any numbers; if `merged`, all actions lead to one state."""
    actions = sorted(edition.sample(range(41), width))
    after = {action: 1 if merged else place + 1 for place, action in enumerate(actions)}
    table = {0: (0, after, None)} | {state: (1, {}, -1.0) for state in after.values()}
    return TableGame(table, 0, 41, {}, IllegalMove)


def playable(edition: Random, shape: str = "") -> TableGame:
    """A random game that is not over at its start."""
    while True:
        game = draw_game(edition, shape)
        if game.outcome(game.start()) is None:
            return game


def spread(drawn: list[int], options: list[int]) -> float:
    """Pearson's chi-squared of draws that should all be equally likely."""
    expected = len(drawn) / len(options)
    return sum((drawn.count(option) - expected) ** 2 for option in options) / expected


def close_arms(edition: Random, number: int, c: float, big: int | None = None) -> tuple[list[int], list[float]]:
    """Visits and means of some arms. All bounds are nearly equal, and one is ahead by at most a hundredth.

    A mistake in the formula moves the bounds by more than that, so that another arm is chosen. `big` is N when N is not
    the sum of the visits.
    """
    counts = [1 + draw_count(edition, 3000) for _ in range(number)]
    log, level, best = math.log(big or sum(counts)), edition.choice([0.0, edition.uniform(-1, 1)]), edition.randrange(number)
    behind = [0.0 if arm == best else edition.choice([2e-5, 1e-4, 0.01, 0.01, 0.02, 1.0]) for arm in range(number)]
    return counts, [level - less - c * math.sqrt(log / count) for less, count in zip(behind, counts)]


@dataclass
class Known:
    """A node of a tree about which the grader knows everything; `handle` is the submission's node."""

    state: Any
    below: dict[int, "Known"] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0
    handle: Any = None

    def everyone(self) -> list["Known"]:
        """This node and all nodes below it, each node before its children."""
        nodes, waiting = [], [self]
        while waiting:
            nodes.append(waiting.pop())
            waiting += reversed(nodes[-1].below.values())
        return nodes


def grow(
    student: Any, edition: Random, game: Any, state: Any, how_many: Callable[[int, int], int], fill: Callable[[Known], None]
) -> Known:
    """A tree of the submission's nodes.

    Args:
        how_many: how_many(depth, number of legal actions) is the number of children of a node; the actions are random.
        fill: writes visits and totals into the whole tree, given the root.

    In mode "own" the submission's `expand` draws the children, because its nodes may keep more data.
    """
    ours = student.mode == "ours"
    root = Known(state, handle=None if ours else student.TreeNode(state))
    _grow(student, edition, game, root, how_many, 0)
    fill(root)
    nodes = root.everyone()
    if not ours:
        for node in nodes:
            node.handle.num_visits, node.handle.total_value = node.visits, node.total
        return root
    places = {id(node): place for place, node in enumerate(nodes)}
    above = {id(child): (places[id(node)], action) for node in nodes for action, child in node.below.items()}
    spots = [(place, each.state, action, each.visits, each.total)
             for each in nodes for place, action in [above.get(id(each), (-1, None))]]  # fmt: skip
    for node, handle in zip(nodes, make(student, spots), strict=True):
        node.handle = handle
    return root


def _grow(student: Any, edition: Random, game: Any, node: Known, how_many: Callable, depth: int) -> None:
    legal = game.legal_actions(node.state)
    number = how_many(depth, len(legal))
    if node.handle is None:
        node.below = {action: Known(game.play(node.state, action)) for action in edition.sample(legal, number)}
    elif number:
        rng = student.rng(edition.getrandbits(30))
        children = student.many("expand", [(game, node.handle, rng)] * number)
        for action, handle in zip(student.each(children, "action"), children, strict=True):
            assert action in legal
            node.below[action] = Known(game.play(node.state, action), handle=handle)
    for child in node.below.values():
        _grow(student, edition, game, child, how_many, depth + 1)


def fill_closely(edition: Random, c: float) -> Callable[[Known], None]:
    """Return a function that fills a tree so that one child of every node has the best bound by a small margin."""

    def fill(node: Known) -> None:
        node.visits = node.visits or 1 + draw_count(edition, 500)
        if not node.below:
            return
        children = list(node.below.values())
        counts, means = close_arms(edition, len(children), c, node.visits)
        for child, count, mean in zip(children, counts, means):
            child.visits, child.total = count, -mean * count
            fill(child)
        new = edition.choice(children)
        if not new.below and edition.random() < 0.2:
            new.visits, new.total = 0, 0.0  # without a visit this child is the best

    return fill


def best_below(node: Known, c: float) -> Known:
    """The child with the best bound in a tree that `fill_closely` filled."""

    def bound(child: Known) -> float:
        if not child.visits:
            return math.inf
        return -child.total / child.visits + c * math.sqrt(math.log(node.visits) / child.visits)

    return max(node.below.values(), key=bound)


def draw_tables(edition: Random, game: TableGame, c: float) -> tuple[dict, dict]:
    """Q and N as searches may have left them: entries for some of the states, each with at most one untried action."""
    q: dict[Any, dict[int, float]] = {}
    n: dict[Any, dict[int, int]] = {}
    for state in states_of(game):
        legal = game.legal_actions(state)
        if game.outcome(state) is None and edition.random() < 0.8:
            counts, means = close_arms(edition, len(legal), c)
            if edition.random() < 0.3:
                untried = edition.randrange(len(legal))
                counts[untried], means[untried] = 0, 0.0
            q[state], n[state] = dict(zip(legal, means)), dict(zip(legal, counts))
    return q, n


def one_simulation(game: TableGame, state: Any, q: dict, n: dict, c: float, values: dict[Any, float]) -> float | None:
    """The value of one simulation over tables, which it changes in place; None if a tie would decide."""
    if game.outcome(state) is not None:
        return game.outcome(state)
    if state not in n:
        q[state] = dict.fromkeys(game.legal_actions(state), 0.0)
        n[state] = dict.fromkeys(game.legal_actions(state), 0)
        return values[state]
    actions, counts = list(n[state]), list(n[state].values())
    if 0 in counts:
        place = counts.index(0)
    else:
        log = math.log(sum(counts))
        bounds = [q[state][action] + c * math.sqrt(log / n[state][action]) for action in actions]
        if len(bounds) > 1 and not clear_best(bounds, ENOUGH):
            return None
        place = argmax(bounds)
    if counts.count(0) > 1:
        return None
    below = one_simulation(game, game.play(state, actions[place]), q, n, c, values)
    if below is None:
        return None
    n[state][actions[place]] += 1
    q[state][actions[place]] += (-below - q[state][actions[place]]) / n[state][actions[place]]
    return -below
