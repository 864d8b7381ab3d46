"""A search tree as pictures read it: numbers at the nodes (ps2, ps3), at the actions of a node (ps5), or in tables (ps4).

Students write the nodes. Whatever a node lacks becomes a sentence, never a traceback of ours.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.games.game import Game, State

Node = Any  # an object of a student's class


class UnreadableNode(ValueError):
    """A node lacks what a picture needs; the text is one sentence for the student who wrote it."""


@dataclass(frozen=True)
class NodeReading:
    """One node of a search tree: what every kind of tree says of it.

    Attributes:
        state: the position at the node.
        action: the action that led here; None at the root.
        num_visits: n.
        total_value: W, the sum of all results, for the player to move at `state`.
        prior: the network's probability of `action`, in [0, 1]; None in a search without a network.
        parent_visits: N in the formula of the node's bound; None at the root.
        source: the student's node; None where no simulation has made one.
    """

    state: State
    action: Any
    num_visits: float
    total_value: float
    prior: float | None
    parent_visits: float | None
    source: Node


class SearchTree(Protocol):
    """A tree of any kind, read one node at a time, so that a tree of any size opens at once."""

    def root(self) -> NodeReading:
        """Return the root."""

    def children(self, node: NodeReading) -> list["NodeReading | UnreadableNode"]:
        """Return the children in the tree's own order; a child that cannot be read is the sentence that says why.

        Raises:
            UnreadableNode: the node does not say what its children are.
        """


def read_tree(game: Game, tree: Any, state: State | None = None) -> SearchTree:
    """Return the reader for `tree`.

    Args:
        tree: the root, a node with `state`, `children`, `num_visits` and `total_value` (or `q`, for the player who moved
            there; perhaps `prior`); or a root with the lists `actions`, `P`, `N`, `Q` and `children`; or an object with
            the tables `N` and `Q`, perhaps `P`: {state: {action: number}}.
        state: the position at the root of a tree in tables; None: the start of the game.

    Raises:
        UnreadableNode: `tree` is none of the three.
    """
    if all(_has(tree, name) and isinstance(part(tree, name), Mapping) for name in ("N", "Q")):
        return TableTree(game, tree, game.start() if state is None else state)
    if all(_has(tree, name) for name in ("actions", "N", "Q", "children")):
        return EdgeTree(game, tree)
    if not _has(tree, "children"):
        raise UnreadableNode(f"{type(tree).__name__} is not a search tree: a root has `children`, and tables have `N` and `Q`")
    return NodeTree(tree)


@dataclass(frozen=True)
class NodeTree:
    """A tree whose nodes have their own numbers, as in problem sets 2 and 3."""

    top: Node

    def root(self) -> NodeReading:
        """Return the root."""
        return self._read(self.top, None, None)

    def children(self, node: NodeReading) -> list[NodeReading | UnreadableNode]:
        """Return the children; a dictionary's key is the child's action."""
        below = part(node.source, "children")
        if isinstance(below, Mapping):
            pairs = list(below.items())
        elif isinstance(below, Sequence) and not isinstance(below, str):
            pairs = [(part(child, "action") if _has(child, "action") else place, child)
                     for place, child in enumerate(below) if child is not None]
        else:
            raise UnreadableNode(f"`children` of the node is {_kind(below)}: a dictionary or a list was expected")
        readings: list[NodeReading | UnreadableNode] = []
        for action, child in pairs:
            try:
                readings.append(self._read(child, action, node.num_visits))
            except UnreadableNode as failure:
                readings.append(failure)
        return readings

    def _read(self, node: Node, action: Any, parent_visits: float | None) -> NodeReading:
        if _has(node, "total_value") or not _has(node, "q"):
            total = real(part(node, "total_value"), "total_value")
        else:
            total = 0.0 - real(part(node, "q"), "q")  # q is for the player who moved into the node
        prior = part(node, "prior") if _has(node, "prior") else None
        return NodeReading(part(node, "state"), action, real(part(node, "num_visits"), "num_visits"), total,
                           None if prior is None else real(prior, "prior"), parent_visits, node)


@dataclass(frozen=True)
class EdgeTree:
    """A tree whose nodes hold lists of P, N and Q, one entry for each action, as in problem set 5."""

    game: Game
    top: Node

    def root(self) -> NodeReading:
        """Return the root; its n is the sum of N, as its own evaluation counts for no action."""
        visits, totals = self._sums(self.top)
        return NodeReading(part(self.top, "state"), None, visits, totals, None, None, self.top)

    def children(self, node: NodeReading) -> list[NodeReading | UnreadableNode]:
        """Return one child for each action that has a prior or a visit."""
        if node.source is None:
            return []
        lists = [_numbers(node.source, name) for name in ("P", "N", "Q")]
        actions, below = (list(part(node.source, name)) for name in ("actions", "children"))
        priors, visits, means = lists
        if not len(actions) == len(visits) == len(means) == len(below) or len(priors) not in (0, len(actions)):
            raise UnreadableNode("the lists `actions`, `P`, `N`, `Q` and `children` of the node are not of one length")
        everything = math.fsum(visits)
        readings: list[NodeReading | UnreadableNode] = []
        for place, action in enumerate(actions):
            if priors or visits[place]:
                readings.append(NodeReading(self.game.play(node.state, action), action, visits[place],
                                            0.0 - visits[place] * means[place], priors[place] if priors else None, everything,
                                            below[place]))
        return readings

    def _sums(self, node: Node) -> tuple[float, float]:
        visits, means = _numbers(node, "N"), _numbers(node, "Q")
        return math.fsum(visits), math.fsum(n * q for n, q in zip(visits, means, strict=False))


@dataclass(frozen=True)
class TableTree:
    """A search without nodes, as in exercise 2.10 and in problem set 4: {state: {action: number}} for N, Q and perhaps P."""

    game: Game
    tables: Any
    start: State

    def root(self) -> NodeReading:
        """Return the root; its n is the sum of N over its actions."""
        visits, means, _ = self._rows(self.start)
        total = math.fsum(visits[action] * means.get(action, 0.0) for action in visits)
        return NodeReading(self.start, None, math.fsum(visits.values()), total, None, None, self.start)

    def children(self, node: NodeReading) -> list[NodeReading | UnreadableNode]:
        """Return one child for each action in the tables."""
        visits, means, priors = self._rows(node.state)
        everything = math.fsum(visits.values())
        return [NodeReading(after := self.game.play(node.state, action), action, n, 0.0 - n * means.get(action, 0.0),
                            priors.get(action), everything, after)
                for action, n in visits.items()]

    def _rows(self, state: State) -> tuple[dict[Any, float], dict[Any, float], dict[Any, float]]:
        rows = []
        for name in ("N", "Q", "P"):
            row = getattr(self.tables, name, {}).get(state, {})
            if not isinstance(row, Mapping):
                raise UnreadableNode(f"`{name}` of a state is {_kind(row)}: a dictionary of actions was expected")
            rows.append({action: real(number, name) for action, number in row.items()})
        return rows[0], rows[1], rows[2]


def bound_parts(node: NodeReading, exploration: float) -> tuple[float, float] | None:
    """Return the two terms of the bound of a node, for the player who chooses at its parent.

    Without a prior: -W/n and c sqrt(ln N / n). With a prior P: -W/n, 0 at n = 0, and c P sqrt(max(1, N)) / (1 + n).

    Returns (exploitation, exploration); None where there is no bound (at the root) or where it is infinite.
    """
    visits, above = node.num_visits, node.parent_visits
    if above is None:
        return None
    mean = 0.0 - node.total_value / visits if visits > 0 else 0.0
    if node.prior is not None:
        return (mean, exploration * node.prior * math.sqrt(max(1.0, above)) / (1 + visits)) if visits >= 0 else None
    if visits <= 0 or above < 1:
        return None
    return mean, exploration * math.sqrt(math.log(above) / visits)


def part(node: Node, name: str) -> Any:
    """Return the attribute `name` of a student's node.

    Raises:
        UnreadableNode: the node lacks it, or reading it raises.
    """
    try:
        return getattr(node, name)
    except AttributeError:
        raise UnreadableNode(f"the node ({type(node).__name__}) has no `{name}`") from None
    except Exception as error:  # a property is a student's code
        raise UnreadableNode(f"`{name}` of the node raised {type(error).__name__}") from None


def real(value: Any, name: str) -> float:
    """Return a student's number as a float: an int, a float, or one number of numpy or torch.

    Raises:
        UnreadableNode: it is not a number, or not finite.
    """
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except Exception:  # numpy and torch have errors of their own for arrays of many numbers
        number = math.nan
    if not math.isfinite(number):
        raise UnreadableNode(f"`{name}` of the node is {_kind(value)}: a finite number was expected")
    return number


def child_nodes(node: Node) -> list[Node]:
    """Return the children of a student's `node`, which may be a dict or a list.

    Raises:
        UnreadableNode: the node has no `children`.
    """
    children = part(node, "children")
    return list(children.values() if isinstance(children, Mapping) else children)


def number(value: float, digits: int = 2) -> str:
    """Return a short text of a number, with a real minus sign."""
    text = f"{value:.{digits}f}"
    if digits and "." in text and float(value).is_integer():
        text = f"{value:.0f}"
    return text.replace("-", "−")


def ucb_text(node: Node, exploration: float) -> str:
    """Return the UCB of a node for its parent, rounded, from the node's fields alone; infinity for an unvisited node."""
    visits, above = part(node, "num_visits"), part(part(node, "parent"), "num_visits")
    parts = bound_parts(NodeReading(None, None, visits, part(node, "total_value"), None, above, node), exploration)
    return "∞" if parts is None else number(sum(parts), digits=2)


def _has(node: Node, name: str) -> bool:
    """Say whether a student's node has an attribute; one that raises is there, and `part` says what it raised."""
    try:
        return hasattr(node, name)
    except Exception:
        return True


def _numbers(node: Node, name: str) -> list[float]:
    try:
        values = list(part(node, name))
    except TypeError:
        raise UnreadableNode(f"`{name}` of the node is {_kind(part(node, name))}: a list of numbers was expected") from None
    return [real(value, name) for value in values]


def _kind(value: Any) -> str:
    """Name a value that was not expected, in a few words."""
    if value is None or isinstance(value, float):
        return repr(value)
    return f"of type {type(value).__name__}"
