"""Trees of ps2: a TreeNode has the sum of its results in `total_value`. Many trees go in one message, too."""

from typing import Any

from tests.hidden.trees import Spot, Trees, at, spots_of, visits_of

__all__ = ["Spot", "at", "chain", "forest", "make", "nodes_at", "plant", "visits_of"]

_TREES = Trees("TreeNode", ("num_visits", "total_value"))
plant, chain = _TREES.plant, _TREES.chain


def make(student: Any, spots: list[tuple[Any, ...]]) -> list[Any]:
    """Make the nodes of these spots in the worker; they may be of several games."""
    return _TREES.make(student, None, spots)


def forest(student: Any, trees: list[tuple[Any, Any, Spot]]) -> list[dict[tuple[int, ...], Any]]:
    """Make many trees, (game, state, spot) each. Return for each tree its nodes by the actions that lead to them."""
    if student.mode != "ours":
        return [dict(_by_path(student, plant(student, *tree), tree[2])) for tree in trees]
    spots: list[tuple] = []
    for game, state, spot in trees:
        spots += spots_of(game, state, spot, before=len(spots))
    nodes = iter(make(student, spots))
    return [{path: next(nodes) for path in _paths(spot, ())} for _, _, spot in trees]


def _paths(spot: Spot, path: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The ways to all nodes, in the order in which the nodes are made."""
    return [path, *(each for action, below in spot.below.items() for each in _paths(below, (*path, action)))]


def _by_path(student: Any, root: Any, spot: Spot) -> list[tuple]:
    return list(zip(_paths(spot, ()), nodes_at(student, root, _paths(spot, ())), strict=True))


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
