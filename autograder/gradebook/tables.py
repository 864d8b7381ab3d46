"""The two tables a run leaves in the course folder: changes.csv and grades.csv."""
import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.challenge.report import ChallengeReport
from autograder.files import write_atomic, write_if_changed
from autograder.grading.report import GRADER_FAULT, OUTCOMES, Report

# A spreadsheet takes a cell that begins with one of these for a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, order=True)
class Change:
    """One exercise of one student whose automatic points are not those recorded before.

    old: None at the first recording.    cause: "submission", "suite" or "edition".
    hidden_by: the manual score that counts instead of `new`; somebody should look at it again.
    """

    student: str
    exercise: str
    old: float | None
    new: float
    cause: str
    hidden_by: float | None = None


def points_text(points: float | None) -> str:
    """Points as people write them: 7, 2.5; nothing for None."""
    return "" if points is None else f"{points:.10g}"


def neutral(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe goes before a cell that looks like one."""
    return "'" + text if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def csv_text(header: list[str], rows: Iterable[list[str]]) -> str:
    """A table as CSV text, every cell made harmless."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([neutral(" ".join(cell.splitlines())) for cell in row] for row in rows)
    return out.getvalue()


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
    return "" if report is None or report.has_fault else points_text(report.points)


def _grade_row(student: str, report: Report, exercises: list[str]) -> list[str]:
    # where the grader failed the points are not known, which is not the same as none
    points = {exercise.id: exercise.points for exercise in report.exercises if exercise.outcome != GRADER_FAULT}
    counted = Counter(exercise.outcome for exercise in report.exercises)
    outcomes = ", ".join(f"{counted[outcome]} {outcome}" for outcome in OUTCOMES if counted[outcome])
    return [
        student, report.problem_set, *(points_text(points.get(id)) for id in exercises),
        points_text(report.points), points_text(report.max_points), outcomes, report.note,
    ]
