"""Pairs of works with common fingerprints that few other works of the class have.

A fingerprint that the set explains (it is in the stub, in our solution or in one of tests/right/) counts nothing. Of the other
fingerprints, a rare one counts more than a common one. Let p be the probability that another student has it too, estimated
from the class without the pair. The worth is log2(1 / 3p), at least 0, divided by its value for a fingerprint that only the
pair has. So the worth is 1 if only the pair has the fingerprint, and 0 if a third of the class has it.

`shared` is the sum of the worths of the common fingerprints. `share` is that sum divided by the worth of all fingerprints of
the smaller work. The score is their product. It is high for a short work copied completely and for a large part of a long
work; it is low for a small part of any work.
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
from autograder.similarity.identical import Identical

# The answers of different authors reach it in 3 of 360 classes, and a copy of three exercises in all (see docs/instructors.md).
LEAST_SCORE = 12.0
COMMON = 1 / 3  # a fingerprint that this part of the class has is not evidence
# The prior estimate, before the class is counted: half a student of five has the fingerprint.
PRIOR_HAVE, PRIOR_ALL = 0.5, 5.0
AT_ONCE = 200  # this many works are compared with all others in one step


@dataclass(frozen=True, eq=False)
class Work:
    """One student's submission as pieces."""

    student: str
    pieces: tuple[Piece, ...]

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        """The fingerprints of all pieces."""
        return frozenset(fingerprint for piece in self.pieces for fingerprint in piece.fingerprints)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two works that a person should compare; `common` are the fingerprints of both that few other works have."""

    first: Work
    second: Work
    shared: float
    share: float
    common: frozenset[str]

    @property
    def score(self) -> float:
        """The score of the pair: `shared` times `share`."""
        return self.shared * self.share


def worth(having: NDArray[np.float64], students: int) -> NDArray[np.float64]:
    """Return the worth of a fingerprint in a pair, in [0, 1].

    Args:
        having: the number of students who have it, the pair included.
        students: the number of students in the class.
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
    """Return the pairs with a score of at least `least_score`, the highest first.

    Args:
        explained: the fingerprints that the problem set itself explains.
        step: called with the number of works that have been compared with all others.
    """
    ids: dict[str, int] = {}
    rows = [[ids.setdefault(fingerprint, len(ids)) for fingerprint in sorted(work.fingerprints - explained)] for work in works]
    ends = np.cumsum([0, *map(len, rows)])
    has = scipy.sparse.csr_matrix(
        (np.ones(ends[-1]), np.fromiter((id for row in rows for id in row), np.int64, ends[-1]), ends), (len(works), len(ids))
    )
    worths = worth(np.asarray(has.sum(axis=0)).ravel(), sum(map(bool, rows)))
    own = has @ worths
    weighed = (has @ scipy.sparse.diags_array(worths)).tocsr()
    names = list(ids)
    pairs = []
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
                pairs.append(Pair(works[first], works[second], amount, amount / float(least[row, second]), common))
        step(min(start + AT_ONCE, len(works)))
    return sorted(pairs, key=lambda pair: (-pair.score, pair.first.student, pair.second.student))


@dataclass(frozen=True)
class SimilarPairs:
    """The result of a comparison.

    pairs: the highest score first.    unread: (student, reason) for each submission that could not be compared.
    untouched: the number of submissions that contain only handed-out code and code that every right answer has.
    identical: the submissions that are identical to the published solution.
    """

    ps: str
    title: str
    pairs: tuple[Pair, ...]
    works: int
    untouched: int
    unread: tuple[tuple[str, str], ...]
    identical: Identical
    page: Path
    table: Path

    def line(self) -> str:
        """Return the result as one line of text."""
        pairs = f"{len(self.pairs)} pair{'' if len(self.pairs) == 1 else 's'} to look at"
        return f"compared {self.works} submissions: {pairs}, {self.identical.line()}, {len(self.unread)} could not be read"
