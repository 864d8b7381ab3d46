"""Trees written by hand, for the submission's own nodes.

In mode "ours" a tree is made of the nodes' class and links, in one message. In mode "own" the submission's own `expand` grows
the tree: its nodes may keep more data, such as a list of untried actions.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Spot:
    """A node to be made: its visits, the sum of its results, and the nodes below it by action."""

    visits: int = 0
    total: float = 0.0
    below: dict[int, "Spot"] = field(default_factory=dict)


@dataclass(frozen=True)
class Trees:
    """How the nodes of a problem set are made.

    kind: the name of their class. fields: where a node has its visits and its sum. of_game: whether the class takes the game
    before the state.
    """

    kind: str
    fields: tuple[str, str]
    of_game: bool = False

    def plant(self, student: Any, game: Any, state: Any, spot: Spot) -> Any:
        """Make this tree at `state` and return its root. `at` finds the nodes again."""
        if student.mode == "ours":
            return self.make(student, game, spots_of(game, state, spot))[0]
        for attempt in range(400):
            root = self._root(student, game, state)
            if _grow(student, game, root, state, spot, attempt):
                self._fill(student, root, spot)
                return root
        raise AssertionError("expand never drew the actions that this tree needs")

    def chain(self, student: Any, game: Any, plies: int) -> list[Any]:
        """The nodes from the start of `game` down its only line: the root first, `plies` below it."""
        if student.mode == "ours":
            line = Spot()
            for _ in range(plies):
                line = Spot(below={0: line})
            return self.make(student, game, spots_of(game, game.start(), line))
        nodes = [self._root(student, game, game.start())]
        for _ in range(plies):
            nodes.append(student.expand(game, nodes[-1], student.rng(0)))
        return nodes

    def make(self, student: Any, game: Any, spots: list[tuple[Any, ...]]) -> list[Any]:
        """Make the nodes of these spots in the worker: (place of the parent or -1, state, action, visits, sum) each."""
        return student.plant(self.kind, spots, self.fields, (game,) if self.of_game else ())

    def _root(self, student: Any, game: Any, state: Any) -> Any:
        return getattr(student, self.kind)(*((game, state) if self.of_game else (state,)))

    def _fill(self, student: Any, node: Any, spot: Spot) -> None:
        if spot.visits or spot.total:  # a new node has 0 and 0.0
            for name, value in zip(self.fields, (spot.visits, spot.total), strict=True):
                setattr(node, name, value)
        for action, below in spot.below.items():
            self._fill(student, at(student, node, action), below)


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


def spots_of(game: Any, state: Any, spot: Spot, parent: int = -1, action: int | None = None, before: int = 0) -> list[tuple]:
    """The tree as a list of spots for `make`, each parent before its children; `before` spots come earlier in the list."""
    spots = [(parent, state, action, spot.visits, spot.total)]
    for below, child in spot.below.items():
        spots += spots_of(game, game.play(state, below), child, before, below, before + len(spots))
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
        _grow(student, game, children[action], game.play(state, action), below, seed) for action, below in spot.below.items()
    )
