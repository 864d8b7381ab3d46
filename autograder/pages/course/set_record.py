"""The last run of a problem set in a course, and the runs before it in short: the data of its page and of the course's page."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.grading.report import Outcome
from autograder.pages.short_report import LETTERS, OUTCOMES, ShortReport, finite

MOST_RUNS = 40  # the latest ones of a set


@dataclass(frozen=True)
class GradingRun:
    """One run that changed something: its time (UTC, to the minute), submissions, mean points, exercises by outcome."""

    at: str
    submissions: int
    mean: float
    counts: Mapping[Outcome, int]


@dataclass(frozen=True)
class SetRecord:
    """What a run leaves of a set.

    students: by name, in alphabetical order.
    missing: the students of the roster without a submission; None if the course has no roster.
    faults: submissions, and players of the challenge, that the grader could not judge.
    challenge: the points of the challenge as text, by student.
    cpu_s: the processor seconds of the student's code when the submission was graded; of some students only.
    runs: the first one first.
    """

    ps: str
    title: str
    max_points: float
    students: Mapping[str, ShortReport]
    missing: tuple[str, ...] | None = None
    faults: int = 0
    challenge: Mapping[str, str] = field(default_factory=dict)
    cpu_s: Mapping[str, float] = field(default_factory=dict)
    runs: tuple[GradingRun, ...] = ()

    @property
    def points(self) -> list[float]:
        """The points of all submissions."""
        return [report.points for report in self.students.values()]

    def run_at(self, at: str) -> GradingRun:
        """Return this state as a run at this time."""
        counts: Counter[Outcome] = Counter()
        for report in self.students.values():
            counts.update(report.counts)
        return GradingRun(at, len(self.students), round(statistics.mean(self.points or [0.0]), 2), counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as values of JSON."""
        return {
            "ps": self.ps, "title": self.title, "max_points": self.max_points,
            "students": {student: report.to_list() for student, report in self.students.items()},
            "missing": None if self.missing is None else list(self.missing),
            "faults": self.faults, "challenge": dict(self.challenge), "cpu_s": dict(self.cpu_s),
            "runs": [[run.at, run.submissions, run.mean, {LETTERS[outcome]: number for outcome, number in run.counts.items()}]
                     for run in self.runs[-MOST_RUNS:]],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> SetRecord:
        """Return the record in a table of `to_dict`.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: the content is not such a table.
        """
        students = {student: ShortReport.from_list(values) for student, values in sorted(content["students"].items())}
        missing = content["missing"]
        runs = (GradingRun(_text(at), int(number), finite(mean),
                           {OUTCOMES[letter]: int(count) for letter, count in counts.items()})
                for at, number, mean, counts in content["runs"])
        return cls(
            _text(content["ps"]), _text(content["title"]), finite(content["max_points"]), students,
            None if missing is None else tuple(map(_text, missing)), int(content["faults"]),
            {student: _text(points) for student, points in content["challenge"].items()},
            {student: finite(seconds) for student, seconds in content["cpu_s"].items()}, tuple(runs),
        )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not a text: {value!r}")
    return value
