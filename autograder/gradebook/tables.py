"""The two tables that a run writes into the course folder: changes.csv and grades.csv."""
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.files import write_atomic, write_if_changed
from autograder.challenge.report import ChallengeReport
from autograder.csv_text import csv_text
from autograder.grading.report import UNDECIDED, Outcome, Report


@dataclass(frozen=True, order=True)
class Change:
    """One exercise of one student with different automatic points than at the last recording.

    old: None at the first recording.    cause: "submission", "suite" or "edition"; "fault" for a change to or from UNDECIDED.
    hidden_by: the manual score that counts instead of `new`; a person should look at it again.
    """

    student: str
    exercise: str
    old: float | str | None
    new: float | str
    cause: str
    hidden_by: float | None = None


def cause_of(
    old: float | str | None, new: float | str, before: Mapping[str, object], submission_sha256: str, edition: str
) -> str:
    """Return the cause of a change of points since the last recording.

    Args:
        before: the stamp of the last recording; empty if there was none.
        submission_sha256, edition: the values of this recording.
    """
    if UNDECIDED in (old, new):
        return "fault"
    if before.get("submission", "") != submission_sha256:
        return "submission"
    return "suite" if before.get("edition") == edition else "edition"


def points_text(points: float | str | None) -> str:
    """Points as text: "7", "2.5"; "" for None; UNDECIDED unchanged."""
    return "" if points is None else points if isinstance(points, str) else f"{points:.10g}"


def decided_text(points: float | None) -> str:
    """The points of an exercise as text; None means undecided."""
    return UNDECIDED if points is None else points_text(points)


def total_text(report: Report) -> str:
    """A report's total: "72", or "72 + 10 undecided", which no spreadsheet reads as a number."""
    undecided = f" + {points_text(report.undecided_points)} {UNDECIDED}" if report.has_fault else ""
    return points_text(report.points) + undecided


def write_changes(course: Path, changes: Iterable[Change]) -> None:
    """Write changes.csv with the changes of this run; only the header if there are none."""
    rows = (
        [change.student, change.exercise, points_text(change.old), points_text(change.new), change.cause,
         points_text(change.hidden_by)]
        for change in sorted(changes, key=_change_order)
    )
    header = ["student", "exercise", "old", "new", "cause", "hidden_by_manual_score"]
    write_atomic(course / "changes.csv", csv_text(header, rows))


def _change_order(change: Change) -> tuple[str, tuple[int, ...], str]:
    """The sort key of a change: by student, then by exercise (2.9 before 2.10, the joint check last)."""
    parts = change.exercise.split(".")
    numbers = tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else (10**6,)
    return change.student, numbers, change.exercise


def write_grades(course: Path, reports: Mapping[str, Report], challenge: Mapping[str, ChallengeReport] | None = None) -> None:
    """Write grades.csv: the automatic points of one problem set, one row per student in alphabetical order.

    If the class has a challenge, its points have their own column and are not in the total. Manual scores and late penalties
    are in `nbgrader export` only.
    """
    exercises = [exercise.id for _, report in sorted(reports.items())[:1] for exercise in report.exercises]
    header = ["student", "problem_set", *exercises, "total", "max", "outcomes", "note", *(["challenge"] if challenge else [])]
    rows = (
        _grade_row(student, report, exercises) + ([_challenge_points(challenge.get(student))] if challenge else [])
        for student, report in sorted(reports.items())
    )
    write_if_changed(course / "grades.csv", csv_text(header, rows))


def _challenge_points(report: ChallengeReport | None) -> str:
    return "" if report is None else UNDECIDED if report.has_fault else points_text(report.points)


def _grade_row(student: str, report: Report, exercises: list[str]) -> list[str]:
    points = {exercise.id: decided_text(exercise.points) for exercise in report.exercises}
    counted = Counter(exercise.outcome for exercise in report.exercises)
    outcomes = ", ".join(f"{counted[outcome]} {outcome}" for outcome in Outcome if counted[outcome])
    return [
        student, report.problem_set, *(points.get(id, "") for id in exercises),
        total_text(report), points_text(report.max_points), outcomes, report.note,
    ]
