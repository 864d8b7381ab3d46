"""A tree as a list of lines, from the bottom up, and the laws that its numbers must obey."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

NAMES = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # no I and no O: in a picture they look like numbers
ROUNDED = 0.0011  # two numbers with three decimals, and what their rounding may add up to
CLEAR = 0.02      # a wrong number is wrong by at least this much: nobody should have to doubt the rounding


@dataclass
class Line:
    """One node as the student reads it: its name, its parent's name (None at the root), and the columns of its set."""

    name: str
    parent: str | None
    columns: dict[str, Any]
    below: list["Line"] = field(default_factory=list)

    def __getattr__(self, column: str) -> Any:
        try:
            return self.__dict__["columns"][column]
        except KeyError:
            raise AttributeError(column) from None


Row = tuple[Any, ...]  # (name, parent, one value for each column)
Law = Callable[[Line], bool]  # does this line follow from what it tells itself, and from the lines of its children?
Grow = Callable[[Random, str], list[Row]]


@dataclass(frozen=True)
class Family:
    """The trees of one problem set.

    Attributes:
        columns: what a line has after its name and its parent.
        right: the law of the search without a mistake.
        kinds: the law of the search with each of the mistakes.
        grow: grow(rng, kind) -> the lines of a tree that the search with this mistake has grown.
        blurred: the line is neither clearly right nor clearly wrong: a tree with such a line is not used.
    """

    columns: tuple[str, ...]
    right: Law
    kinds: Mapping[str, Law]
    grow: Grow
    blurred: Law = lambda line: False


def read(rows: Sequence[Row], columns: Sequence[str]) -> list[Line]:
    """Return the lines of `rows`, each with those of its children, in the order of the list."""
    lines = [Line(row[0], row[1], dict(zip(columns, row[2:], strict=True))) for row in rows]
    named = {line.name: line for line in lines}
    for line in lines:
        if line.parent is not None:
            named[line.parent].below.append(line)
    return lines


@dataclass(eq=False)
class Spot:
    """A node while its tree grows: its place in the game, and the numbers that the search writes."""

    place: Any
    parent: "Spot | None" = None
    below: list["Spot"] = field(default_factory=list)
    visits: int = 0
    total: float = 0.0
    results: list[Any] = field(default_factory=list)

    def depth(self) -> int:
        """Return the number of plies from the root."""
        return 0 if self.parent is None else self.parent.depth() + 1


def from_the_bottom(root: Spot) -> list[Spot]:
    """Return all nodes below `root` and itself: the deepest ply first, in each ply from left to right, the root last."""
    plies = [[root]]
    while plies[-1]:
        plies.append([child for spot in plies[-1] for child in spot.below])
    return [spot for ply in reversed(plies) for spot in ply]


def rows_of(root: Spot, values: Callable[[Spot], Sequence[Any]]) -> list[Row]:
    """Return the rows of a tree; `values(spot)` are the values of its columns. [] for a tree with more nodes than names."""
    spots = from_the_bottom(root)
    if len(spots) > len(NAMES):
        return []
    names = {id(spot): name for spot, name in zip(spots, NAMES, strict=False)}
    return [(names[id(spot)], names[id(spot.parent)] if spot.parent else None, *values(spot)) for spot in spots]
