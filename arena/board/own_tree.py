"""What a search thought about a position, read from the tree that it returns or that its player keeps.

Students write the nodes, and name what holds them. So any attribute of a player may be its tree; it counts if it can be read, and
if its root is the position that was asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.board.minds import LONGEST_LINE, Asked, MoveThought, Thought
from arena.board.positions import Position
from arena.show.nodes import NodeReading, SearchTree, read_tree


class Watched:
    """A player or a search as a mind: all simulations in one step; then its tree tells what it thought.

    Args:
        choose: returns the move, or raises any exception.
        trees: returns what may be a tree, after the move is chosen.
        whose: begins the sentence that reports an exception.
    """

    def __init__(self, position: Position, choose: Callable[[], int], trees: Callable[[], list[Any]], whose: str) -> None:
        self._position, self._trees = position, trees
        self._asked = Asked(position, choose, whose)
        self._thought: Thought | None = None

    def step(self, count: int) -> None:
        """Ask for the move, once; UserError if there is none."""
        self._asked.step(count)
        plain = self._asked.thought()
        self._thought = next((thought for tree in self._trees() if (thought := thought_of(self._position, tree, plain))), plain)

    def thought(self) -> Thought:
        """Return the move, and visits, values and the principal line where a tree can be read."""
        return self._thought or self._asked.thought()


def kept_by(player: Any) -> list[Any]:
    """Return what a player keeps that may be a tree: the values of its attributes, `root` first."""
    kept = dict(getattr(player, "__dict__", {}))
    return [value for _, value in sorted(kept.items(), key=lambda item: item[0] != "root") if value is not None]


def thought_of(position: Position, tree: Any, plain: Thought) -> Thought | None:
    """Return the thought of a search over its tree; None if `tree` cannot be read as a tree of this position.

    Args:
        plain: the move that was chosen, without numbers.
    """
    try:
        reader = read_tree(position.game, tree, position.state)
        root = reader.root()
        if root.state != position.state or not root.num_visits:
            return None
        children = _children(reader, root)
        moves = tuple(_move(action, children.get(action)) for action in position.legal)
        line = _line(reader, children, plain.best)
        value = float(root.total_value) / float(root.num_visits)
        return Thought(int(root.num_visits), moves, plain.best, value, line, done=True)
    except Exception:  # the nodes are a student's, and may do anything: the move is enough
        return None


def _children(reader: SearchTree, node: NodeReading) -> dict[Any, NodeReading]:
    return {child.action: child for child in reader.children(node) if isinstance(child, NodeReading)}


def _move(action: int, child: NodeReading | None) -> MoveThought:
    """Return the numbers of a move; a child's `total_value` is for the player to move there."""
    if child is None or not child.num_visits:
        return MoveThought(action, 0, None, None if child is None else child.prior)
    return MoveThought(action, int(child.num_visits), -float(child.total_value) / float(child.num_visits), child.prior)


def _line(reader: SearchTree, children: dict[Any, NodeReading], best: int | None) -> tuple[int, ...]:
    """Return the principal line: the move that was chosen, then the most visited move each time."""
    line: list[int] = []
    chosen = children.get(best)
    while chosen is not None and chosen.num_visits and len(line) < LONGEST_LINE:
        line.append(int(chosen.action))
        below = _children(reader, chosen).values() if chosen.source is not None else ()
        chosen = max(below, key=lambda child: child.num_visits, default=None)
    return tuple(line) if line or best is None else (best,)
