"""Students' weights that are close to a shipped network or to each other: a list for the instructor, with no verdict.

The distance of two networks compares the directions of their weights. Two arrays of one shape are compared row by row; a row
holds the weights by which one unit multiplies its inputs. The likeness is the mean cosine of the rows, weighted by the product
of the two rows' lengths, so rows that are nearly 0 after training hardly count. An array's partner is the most similar array
of the same shape in the other network, under any name. The distance is 1 minus the share of a network's weights that is found
in the other network, with each array weighted by its size: 0 for a copy, about 1 for networks with nothing in common.

So a copy is found under other names, with a scaled layer or unit, inside a larger network, and with noise. Noise of a fifth
of the weights' standard deviation gives the distance .02, and noise of half of it gives .1, which is the limit for "near". We
trained networks like the lesson's. Networks from different seeds had distances of .77 to .98. Networks from one seed had .07
or less if one run was stopped some seconds after the other, .2 to .3 after half a minute, and more after minutes. A listed
pair is therefore a copy, or comes from the same run: ask the students before you conclude anything. A copy that was trained for
another minute is not found.

If no network is near in this way, `coded_weights` looks for the same numbers in another order or coding. The distance is then 1
minus the share of orders in common. Independent networks have no orders in common, and copies have most of them: a copy in
eight-bit integers two fifths, a copy with noise of a tenth of the standard deviation a twentieth. NEAR_CODED is the limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from autograder.paths import REPOSITORY
from autograder.similarity.coded_weights import Orders, shares

NEAR = 0.1
NEAR_CODED = 0.97
FEWEST_NUMBERS = 100  # smaller arrays are skipped: a few numbers may be similar by chance
SHIPPED = REPOSITORY / "assets" / "nets"
NOTHING = 1e-100  # numbers below this part of an array's largest number count as 0
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Nearest:
    """A student's weights and the network nearest to them: another student's network or a shipped network.

    coded: the other network's numbers were found in another order or coding.
    """

    student: str
    other: str
    distance: float
    coded: bool = False

    @property
    def near(self) -> bool:
        """Whether a person should look at this pair."""
        return self.coded or self.distance <= NEAR


def distance(first: Arrays, second: Arrays) -> float | None:
    """Return the distance of two networks, from 0 (a copy) to 1, as defined above; None if they cannot be compared."""
    return _apart(_rows(first), _rows(second))


@dataclass(frozen=True, eq=False)
class _Rows:
    """One array of weights with one row per unit, and the rows' lengths."""

    rows: np.ndarray
    lengths: np.ndarray

    def likeness(self, other: _Rows) -> float:
        """Return the weighted mean of the rows' cosines, in [-1, 1]."""
        weight = float(self.lengths @ other.lengths)
        return float(np.vdot(self.rows, other.rows)) / weight if weight else 0.0


def _rows(arrays: Arrays) -> list[_Rows] | None:
    """Return the arrays of a network as rows; None if it contains nan or infinity, because then it cannot be compared.

    Each array is divided by its largest number, which changes no cosine, and numbers that are then nearly 0 become 0. So a
    product of two numbers neither overflows nor loses digits by underflow.
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


def _apart(first: list[_Rows] | None, second: list[_Rows] | None) -> float | None:
    """Return the distance of two networks; None if one of them cannot be compared."""
    if first is None or second is None:
        return None
    share = max(_share(first, second), _share(second, first))
    return min(1.0, max(0.0, 1.0 - share))


def _share(part: list[_Rows], whole: list[_Rows]) -> float:
    """Return the share of `part`'s weights that is found in `whole`."""
    total = sum(array.rows.size for array in part)
    if not total:
        return 0.0
    likest = (max((array.likeness(other) for other in whole if other.rows.shape == array.rows.shape), default=0.0)
              for array in part)
    return sum(array.rows.size * likeness for array, likeness in zip(part, likest, strict=True)) / total


def nearest(networks: Mapping[str, Arrays], shipped: Mapping[str, Arrays]) -> list[Nearest]:
    """Return the nearest network for each student, the nearest pairs first.

    A student is left out if there is no other network, or if the student's weights cannot be compared.

    Args:
        networks: weights by student.
        shipped: the networks that all students have, by name.
    """
    theirs = {student: _rows(arrays) for student, arrays in networks.items()}
    ours = {f"shipped: {name}": _rows(arrays) for name, arrays in shipped.items()}
    by_student: dict[str, Nearest] = {}
    students = list(theirs)
    for number, student in enumerate(students):
        pairs = [(other, theirs[other]) for other in students[number + 1:]] + list(ours.items())
        for other, rows in pairs:
            apart = _apart(theirs[student], rows)
            if apart is None:
                continue
            for first, second in ((student, other), (other, student)):
                if first in theirs and (first not in by_student or apart < by_student[first].distance):
                    by_student[first] = Nearest(first, second, apart)
    for pair in _coded(networks, shipped):
        if pair.student in by_student and not by_student[pair.student].near:
            by_student[pair.student] = pair
    return sorted(by_student.values(), key=lambda pair: (pair.distance, pair.student))


def _coded(networks: Mapping[str, Arrays], shipped: Mapping[str, Arrays]) -> list[Nearest]:
    """Return the pairs with the same numbers in another order or coding, from each student's side, the nearest first."""
    names = [*networks, *(f"shipped: {name}" for name in shipped)]
    orders = [Orders(arrays) for arrays in (*networks.values(), *shipped.values())]
    near = [(1.0 - share, first, second) for first, second, share in shares(orders) if 1.0 - share <= NEAR_CODED]
    return [Nearest(names[number], names[other], apart, coded=True) for apart, first, second in sorted(near)
            for number, other in ((first, second), (second, first)) if number < len(networks)]


def shipped_nets() -> dict[str, dict[str, np.ndarray]]:
    """Return the arrays of all networks in assets/nets/, by file name."""
    nets = {}
    for path in sorted(SHIPPED.glob("*.npz")):
        with np.load(path, allow_pickle=False) as archive:
            nets[path.stem] = {name: archive[name] for name in archive.files}
    if not nets:
        raise FileNotFoundError(f"{SHIPPED} has no network, so weights copied from ours would look like a student's own")
    return nets
