"""Which students' weights lie next to a shipped network's or to each other's: a list for the instructor, no verdict.

How near two networks are is told by the directions of their weights. Two arrays of one shape are compared unit by unit
(row by row: what one unit multiplies its inputs by): the cosines of the rows, each counted by the product of the two
rows' lengths, so that rows which training has left at nearly nothing do not speak. An array's partner is the array of
that shape in the other network which is most alike, whatever the two are called. The distance is 1 minus the share of a
network's weights that is found in the other one, each array counted by its size: 0 for a copy, about 1 for networks
that have nothing in common.

So a copy is found under other names, with any layer or any unit scaled, inside a larger network, and with noise: of a
fifth of the weights' standard deviation the distance becomes .02, of half of it .1, and that is what is called near. Of
networks of the lesson's kind that we trained, those from different seeds lay .77 to .98 apart; those of one seed .07 or
less when the one run was stopped some seconds after the other, .2 to .3 half a minute later, more after minutes. What is
listed is therefore a copy, or one and the same run: ask before you think of anything else. Not found are a copy whose
units were put in another order, or one that was trained on for a minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autograder.paths import REPOSITORY

NEAR = 0.1
FEWEST_NUMBERS = 100  # of an array that says anything: a handful of numbers is like any other
SHIPPED = REPOSITORY / "assets" / "nets"
NOTHING = 1e-100  # of the largest number of an array
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Nearest:
    """A student's weights and the network nearest to them, a student's or one that we ship."""

    student: str
    other: str
    distance: float

    @property
    def near(self) -> bool:
        """Whether a person should look at it."""
        return self.distance <= NEAR


def distance(one: Arrays, other: Arrays) -> float | None:
    """Return how far two networks are apart, from 0 (a copy) to 1, as said above; None where that cannot be told."""
    return _apart(_rows(one), _rows(other))


@dataclass(frozen=True, eq=False)
class _Rows:
    """One array of weights, a row for each unit, with the rows' lengths."""

    rows: np.ndarray
    lengths: np.ndarray

    def likeness(self, other: _Rows) -> float:
        """Return the mean cosine of the rows, in [-1, 1]."""
        weight = float(self.lengths @ other.lengths)
        return float(np.vdot(self.rows, other.rows)) / weight if weight else 0.0


def _rows(arrays: Arrays) -> list[_Rows] | None:
    """Return the tables of a network; None where a number in it is none (nan, infinity): it cannot be compared.

    Each is divided by its largest number, which changes no cosine, and what is then nearly nothing becomes nothing: no
    product of two of them overflows, and none is so small that only some of its digits are left.
    """
    tables = []
    for array in arrays.values():
        if array.ndim < 2 or array.size < FEWEST_NUMBERS or array.dtype.kind != "f":
            continue
        if not np.isfinite(array).all():
            return None
        table = array.reshape(len(array), -1).astype(np.float64)
        largest = np.abs(table).max()
        if largest:
            table /= largest
            table[np.abs(table) < NOTHING] = 0.0
        tables.append(_Rows(table, np.linalg.norm(table, axis=1)))
    return tables


def _apart(one: list[_Rows] | None, other: list[_Rows] | None) -> float | None:
    """Return the distance; None where one of them cannot be compared."""
    if one is None or other is None:
        return None
    found = max(_share(one, other), _share(other, one))
    return min(1.0, max(0.0, 1.0 - found))


def _share(part: list[_Rows], whole: list[_Rows]) -> float:
    """Return the share of the weights of `part` that is found in `whole`."""
    total = sum(array.rows.size for array in part)
    if not total:
        return 0.0
    return sum(array.rows.size * max((array.likeness(one) for one in whole if one.rows.shape == array.rows.shape), default=0.0)
               for array in part) / total


def nearest(brought: Mapping[str, Arrays], shipped: Mapping[str, Arrays]) -> list[Nearest]:
    """Return for each student the network nearest to theirs, the nearest pairs first.

    Left out are those who are alone, and those whose weights cannot be compared: they are near nobody.

    Args:
        brought: weights by student.
        shipped: networks that everybody has, by name.
    """
    theirs = {student: _rows(arrays) for student, arrays in brought.items()}
    ours = {f"shipped: {name}": _rows(arrays) for name, arrays in shipped.items()}
    found: dict[str, Nearest] = {}
    students = list(theirs)
    for number, student in enumerate(students):
        pairs = [(other, theirs[other]) for other in students[number + 1:]] + list(ours.items())
        for other, rows in pairs:
            apart = _apart(theirs[student], rows)
            if apart is None:
                continue
            for first, second in ((student, other), (other, student)):
                if first in theirs and (first not in found or apart < found[first].distance):
                    found[first] = Nearest(first, second, apart)
    return sorted(found.values(), key=lambda one: (one.distance, one.student))


def shipped_nets() -> dict[str, dict[str, np.ndarray]]:
    """Return the arrays of every network in assets/nets/ by its file's name."""
    nets = {}
    for path in sorted(SHIPPED.glob("*.npz")):
        with np.load(path, allow_pickle=False) as archive:
            nets[path.stem] = {name: archive[name] for name in archive.files}
    return nets
