"""The two tables a run leaves in the course folder: changes.csv and grades.csv."""
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
    """One exercise of one student whose automatic points are not those recorded before.

    old: None at the first recording.    cause: "submission", "suite", "edition", or "fault" to or from UNDECIDED.
    hidden_by: the manual score that counts instead of `new`; somebody should look at it again.
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
    """Return why points differ from those recorded before.

    Args:
        before: the stamp of the last recording, empty when there was none.
        submission_sha256, edition: of this one.
    """
    if UNDECIDED in (old, new):
        return "fault"
    if before.get("submission", "") != submission_sha256:
        return "submission"
    return "suite" if before.get("edition") == edition else "edition"


def points_text(points: float | str | None) -> str:
    """Points as people write them: 7, 2.5; nothing for None, and UNDECIDED as it is."""
    return "" if points is None else points if isinstance(points, str) else f"{points:.10g}"


def decided_text(points: float | None) -> str:
    """The points of an exercise, which None leaves undecided."""
    return UNDECIDED if points is None else points_text(points)


def total_text(report: Report) -> str:
    """A report's sum: 72, or "72 + 10 undecided", which no spreadsheet takes for a number."""
    undecided = f" + {points_text(report.undecided_points)} {UNDECIDED}" if report.has_fault else ""
    return points_text(report.points) + undecided


def write_changes(course: Path, changes: Iterable[Change]) -> None:
    """Write changes.csv: what this run changed; only its header when nothing did."""
    rows = (
        [change.student, change.exercise, points_text(change.old), points_text(change.new), change.cause,
         points_text(change.hidden_by)]
        for change in sorted(changes, key=_change_order)
    )
    header = ["student", "exercise", "old", "new", "cause", "hidden_by_manual_score"]
    write_atomic(course / "changes.csv", csv_text(header, rows))


def _change_order(change: Change) -> tuple[str, tuple[int, ...], str]:
    """By student, then 2.9 before 2.10, and the joint check last."""
    parts = change.exercise.split(".")
    numbers = tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else (10**6,)
    return change.student, numbers, change.exercise


def write_grades(course: Path, reports: Mapping[str, Report], challenge: Mapping[str, ChallengeReport] | None = None) -> None:
    """Write grades.csv, one row a student in alphabetical order: the automatic points of one problem set.

    Where the class has a challenge, its points stand in a column of their own and are not in the total. Manual marks and
    late penalties are nbgrader's: `nbgrader export` has them.
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
