"""Trees written by hand, for the submission's own nodes.

In mode "ours" a tree is made of Node(...) and links. In mode "own" the submission's own `expand` grows the tree:
its nodes may keep more data, such as a list of untried actions.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Spot:
    """A node to be made: its statistics, and the nodes below it by action."""

    visits: int = 0
    q: float = 0.0
    below: dict[int, "Spot"] = field(default_factory=dict)


def plant(student: Any, game: Any, state: Any, spot: Spot) -> Any:
    """Make this tree at `state` and return its root. `at` finds the nodes again."""
    for attempt in range(400):
        root = student.Node(game, state)
        if _grow(student, game, root, state, spot, attempt):
            _fill(student, root, spot)
            return root
    raise AssertionError("expand never drew the actions that this tree needs")


def at(student: Any, root: Any, *path: int) -> Any:
    """The node below `root` along these actions."""
    for action in path:
        children = student.children(root)
        assert action in children  # a missing child is the submission's mistake, not a KeyError of the grader
        root = children[action]
    return root


def chain(student: Any, game: Any, plies: int) -> list[Any]:
    """The nodes from the start of `game` down its only line: the root first, `plies` below it."""
    nodes, state = [student.Node(game, game.start())], game.start()
    for _ in range(plies):
        nodes.append(_child(student, game, nodes[-1], state, 0, 0))
        state = game.play(state, 0)
    return nodes


def _child(student: Any, game: Any, parent: Any, state: Any, action: int, seed: int) -> Any:
    if student.mode == "own":
        return student.expand(game, parent, student.rng(seed))
    child = student.Node(game, game.play(state, action), parent, action)
    student.link(parent, child, action)
    return child


def _grow(student: Any, game: Any, node: Any, state: Any, spot: Spot, seed: int) -> bool:
    """Add all nodes below; False if an own `expand` drew another set of actions than wanted."""
    children = {}
    for number, action in enumerate(spot.below):
        child = _child(student, game, node, state, action, seed * 31 + number)
        children[child.action if student.mode == "own" else action] = child
    if set(children) != set(spot.below):
        return False
    return all(
        _grow(student, game, children[action], game.play(state, action), below, seed) for action, below in spot.below.items()
    )


def _fill(student: Any, node: Any, spot: Spot) -> None:
    if spot.visits or spot.q:  # a new node has 0 and 0.0
        node.num_visits, node.q = spot.visits, spot.q
    for action, below in spot.below.items():
        _fill(student, at(student, node, action), below)
