"""Trees written by hand, for the submission's own nodes.

In mode "ours" a tree is made of TreeNode(...) and links. In mode "own" the submission's own `expand` grows the tree:
its nodes may keep more data, such as a list of untried actions.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Spot:
    """A node to be made: its statistics, and the nodes below it by action."""

    visits: int = 0
    total: float = 0.0
    below: dict[int, "Spot"] = field(default_factory=dict)


def plant(student: Any, game: Any, state: Any, spot: Spot) -> Any:
    """Make this tree at `state` and return its root. `at` finds the nodes again."""
    if student.mode == "ours":
        return make(student, _spots(game, state, spot))[0]
    for attempt in range(400):
        root = student.TreeNode(state)
        if _grow(student, game, root, state, spot, attempt):
            _fill(student, root, spot)
            return root
    raise AssertionError("expand never drew the actions that this tree needs")


def make(student: Any, spots: list[tuple[Any, ...]]) -> list[Any]:
    """Make the nodes of these spots in the worker: (place of the parent or -1, state, action, visits, total) each."""
    return student.plant("TreeNode", spots, ("num_visits", "total_value"))


def forest(student: Any, trees: list[tuple[Any, Any, Spot]]) -> list[dict[tuple[int, ...], Any]]:
    """Make many trees, (game, state, spot) each. Return for each tree its nodes by the actions that lead to them."""
    if student.mode != "ours":
        return [dict(_by_path(student, plant(student, *tree), tree[2])) for tree in trees]
    spots: list[tuple] = []
    for game, state, spot in trees:
        spots += _spots(game, state, spot, before=len(spots))
    nodes = iter(make(student, spots))
    return [{path: next(nodes) for path in _paths(spot, ())} for _, _, spot in trees]


def _paths(spot: Spot, path: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The ways to all nodes, in the order in which the nodes are made."""
    return [path, *(each for action, below in spot.below.items() for each in _paths(below, (*path, action)))]


def _by_path(student: Any, root: Any, spot: Spot) -> list[tuple]:
    return list(zip(_paths(spot, ()), nodes_at(student, root, _paths(spot, ())), strict=True))


def at(student: Any, root: Any, *path: int) -> Any:
    """The node below `root` along these actions."""
    for action in path:
        children = student.children(root)
        assert action in children  # a missing child is the submission's mistake, not a KeyError of the grader
        root = children[action]
    return root


def visits_of(student: Any, root: Any) -> dict[int, int]:
    """The number of visits of each child of a node, by action."""
    children = student.children(root)
    return dict(zip(children, student.each(list(children.values()), "num_visits"), strict=True))


def nodes_at(student: Any, root: Any, paths: list[tuple[int, ...]]) -> list[Any]:
    """The nodes below `root` along each of these paths; every node is asked for its children once."""
    children: dict[tuple[int, ...], dict] = {}

    def node(path: tuple[int, ...]) -> Any:
        if not path:
            return root
        *above, action = path
        if tuple(above) not in children:
            children[tuple(above)] = student.children(node(tuple(above)))
        assert action in children[tuple(above)]
        return children[tuple(above)][action]

    return [node(path) for path in paths]


def chain(student: Any, game: Any, plies: int) -> list[Any]:
    """The nodes from the start of `game` down its only line: the root first, `plies` below it."""
    if student.mode == "ours":
        line = Spot()
        for _ in range(plies):
            line = Spot(below={0: line})
        return make(student, _spots(game, game.start(), line))
    nodes = [student.TreeNode(game.start())]
    for _ in range(plies):
        nodes.append(student.expand(game, nodes[-1], student.rng(0)))
    return nodes


def _spots(game: Any, state: Any, spot: Spot, parent: int = -1, action: int | None = None, before: int = 0) -> list[tuple]:
    """The tree as a list of (place of the parent, state, action, visits, total), each parent before its children."""
    spots = [(parent, state, action, spot.visits, spot.total)]
    for below, child in spot.below.items():
        spots += _spots(game, game.play(state, below), child, before, below, before + len(spots))
    return spots


def _grow(student: Any, game: Any, node: Any, state: Any, spot: Spot, seed: int) -> bool:
    """Add all nodes below; False if an own `expand` drew another set of actions than wanted."""
    children = {}
    for number in range(len(spot.below)):
        child = student.expand(game, node, student.rng(seed * 31 + number))
        children[child.action] = child
    if set(children) != set(spot.below):
        return False
    return all(
        _grow(student, game, children[action], game.play(state, action), below, seed)
        for action, below in spot.below.items()
    )


def _fill(student: Any, node: Any, spot: Spot) -> None:
    if spot.visits or spot.total:  # a new node has 0 and 0.0
        node.num_visits, node.total_value = spot.visits, spot.total
    for action, below in spot.below.items():
        _fill(student, at(student, node, action), below)
