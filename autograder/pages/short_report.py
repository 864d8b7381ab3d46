"""A report in one line: what is kept of every graded submission, and of every set of a course."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isfinite
from typing import Any

from autograder.grading.report import Outcome, Report

LETTERS = dict(zip(Outcome, "pnwsf", strict=True))
OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}


@dataclass(frozen=True)
class ShortReport:
    """The points of a submission, and one letter for the outcome of each exercise in order (the joint check is the last).

    points: the sum over the decided exercises.    undecided: the points of the undecided ones.
    letters: by `LETTERS`.    sha256: of the raw submission.    extra: the points of the optional exercises, beside `points`.
    """

    points: float
    undecided: float
    letters: str
    sha256: str
    extra: float = 0.0

    @property
    def has_fault(self) -> bool:
        """Whether a fault of the grader left an exercise without a verdict."""
        return LETTERS[Outcome.GRADER_FAULT] in self.letters

    @property
    def counts(self) -> Counter[Outcome]:
        """The number of exercises with each outcome."""
        return Counter(OUTCOMES[letter] for letter in self.letters)

    def to_list(self) -> list[float | str]:
        """Return the report as values of JSON."""
        return [self.points, self.undecided, self.letters, self.sha256, self.extra]

    @classmethod
    def of(cls, report: Report) -> ShortReport:
        """Return a whole report in short."""
        letters = "".join(LETTERS[exercise.outcome] for exercise in report.exercises)
        return cls(report.points, report.undecided_points, letters, report.sha256, report.extra_points)

    @classmethod
    def from_list(cls, values: Any) -> ShortReport:
        """Return the report in a list of `to_list`.

        Raises:
            ValueError, TypeError: the value is not such a list.
        """
        points, undecided, letters, sha256, *extra = values  # there were none in older files
        if not isinstance(letters, str) or not isinstance(sha256, str) or not set(letters) <= set(OUTCOMES):
            raise ValueError(f"not a report in short: {values!r}")
        return cls(finite(points), finite(undecided), letters, sha256, *map(finite, extra[:1]))


def finite(value: Any) -> float:
    """Return a number of JSON as a float.

    Raises:
        ValueError: the value is not a number, or no page can show it.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"not a number: {value!r}")
    return float(value)
