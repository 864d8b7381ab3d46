"""Pairs of works that share what few others of the class have.

A fingerprint that the set explains (it is in the stub, in our solution or in one of tests/right/) counts nothing. Of the
others one counts the more the fewer have it: with p the chance that somebody else would have it too, estimated from
the class without the pair, it is worth log2(1 / 3p), no less than 0, and that divided by what it is worth where only the
two have it. So 1 is a fingerprint that only the two have, and 0 one that a third of the class shares.

`shared` is the sum over what both have, `share` that sum as a part of all that the smaller work has of its own, and their
product is the score: all of a short work that was copied, and much of a long one, stand high; little of either does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from autograder.similarity.fingerprints import Piece

# Of works that we know to be independent the highest pair had a score of 8 (see docs/instructors.md).
LEAST_SCORE = 12.0
COMMON = 1 / 3  # of a class: what so many have is no evidence
# What is thought before the class is seen: of five students half a one has it.
PRIOR_HAVE, PRIOR_ALL = 0.5, 5.0
AT_ONCE = 200  # works that are compared with all others in one go


@dataclass(frozen=True, eq=False)
class Work:
    """What one student handed in, as pieces."""

    student: str
    pieces: tuple[Piece, ...]

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        """The fingerprints of all pieces."""
        return frozenset(one for piece in self.pieces for one in piece.fingerprints)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two works that somebody should look at; `common` are the fingerprints that both have and few others."""

    first: Work
    second: Work
    shared: float
    share: float
    common: frozenset[str]

    @property
    def score(self) -> float:
        """How much a look at the pair is worth."""
        return self.shared * self.share


def worth(having: NDArray[np.float64], students: int) -> NDArray[np.float64]:
    """Return what a fingerprint counts in a pair, in [0, 1].

    Args:
        having: how many of the class have it, the pair among them.
        students: how many the class has.
    """

    def surprise(others: NDArray[np.float64]) -> NDArray[np.float64]:
        chance = (others + PRIOR_HAVE) / (max(students - 2, 0) + PRIOR_ALL)
        bits: NDArray[np.float64] = np.maximum(0.0, np.log2(COMMON / chance))
        return bits

    return surprise(np.maximum(having - 2, 0)) / surprise(np.zeros(1))


def similar_pairs(
    works: Sequence[Work],
    explained: frozenset[str],
    step: Callable[[int], None] = lambda done: None,
    least_score: float = LEAST_SCORE,
) -> list[Pair]:
    """Return the pairs with that score or more, the highest first.

    Args:
        explained: the fingerprints that the problem set itself explains.
        step: told how many works have been compared with all others.
    """
    ids: dict[str, int] = {}
    rows = [[ids.setdefault(one, len(ids)) for one in sorted(work.fingerprints - explained)] for work in works]
    ends = np.cumsum([0, *map(len, rows)])
    has = scipy.sparse.csr_matrix(
        (np.ones(ends[-1]), np.fromiter((id for row in rows for id in row), np.int64, ends[-1]), ends), (len(works), len(ids))
    )
    worths = worth(np.asarray(has.sum(axis=0)).ravel(), sum(map(bool, rows)))
    own = has @ worths
    weighed = (has @ scipy.sparse.diags_array(worths)).tocsr()
    names = list(ids)
    found = []
    for start in range(0, len(works), AT_ONCE):
        shared = (weighed[start : start + AT_ONCE] @ has.T).toarray()
        least = np.minimum(own[start : start + AT_ONCE, None], own[None, :])
        score = np.divide(shared**2, least, out=np.zeros_like(shared), where=least > 0)
        for row, second in np.argwhere(score >= least_score):
            first = start + row
            if first < second:
                both = set(rows[first]) & set(rows[second])
                common = frozenset(names[id] for id in both if worths[id] > 0)
                amount = float(shared[row, second])
                found.append(Pair(works[first], works[second], amount, amount / float(least[row, second]), common))
        step(min(start + AT_ONCE, len(works)))
    return sorted(found, key=lambda pair: (-pair.score, pair.first.student, pair.second.student))


@dataclass(frozen=True)
class Findings:
    """What came of a look.

    pairs: the highest score first.    unread: (student, why) of those who could not be compared.
    untouched: how many handed in nothing but what they were given, or what every right answer has.
    """

    ps: str
    title: str
    pairs: tuple[Pair, ...]
    works: int
    untouched: int
    unread: tuple[tuple[str, str], ...]
    page: Path
    table: Path

    def line(self) -> str:
        """Return what there is to say in one line."""
        pairs = f"{len(self.pairs)} pair{'' if len(self.pairs) == 1 else 's'} to look at"
        return f"compared {self.works} submissions: {pairs}, {len(self.unread)} could not be read"
