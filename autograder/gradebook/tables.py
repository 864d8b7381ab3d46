"""The two tables that a run writes into the course folder: changes.csv and grades.csv.

Each has the rows of all problem sets. A run replaces the rows of its own set; those of the others stay as they are.
"""
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.challenge.report import ChallengeReport
from arena.files import write_atomic, write_if_changed
from arena.shipped import set_order
from autograder.csv_text import neutral, read_table, table_text
from autograder.gradebook.policy.people_names import NAME, Names, read_names
from autograder.grading.report import UNDECIDED, Outcome, Report
from autograder.problem_sets.rules import JOINT

GRADES, CHANGES = "grades.csv", "changes.csv"
_SET, _CHALLENGE = "problem_set", "challenge"  # columns
_EXERCISE = re.compile(r"\d+\.\d+")
Row = dict[str, str]  # the cells of a row by column, harmless for a spreadsheet


@dataclass(frozen=True, order=True)
class Change:
    """One exercise of one student with different automatic points than at the last recording.

    old: None at the first recording, which changes no points and is in no table.
    cause: "submission", "edition", "suite", "version", "python", "dropped" (see `cause_of`); "fault" for a change to or from
        UNDECIDED.
    hidden_by: the manual score that counts instead of `new`; a person should look at it again.
    """

    student: str
    exercise: str
    old: float | str | None
    new: float | str
    cause: str
    hidden_by: float | None = None

    def __str__(self) -> str:
        old = "new" if self.old is None else points_text(self.old)
        return f"{self.student}  {self.exercise}  {old} -> {points_text(self.new)}  ({self.cause})"

    @property
    def is_first(self) -> bool:
        """Whether these are a student's first points of an exercise."""
        return self.old is None


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


def write_changes(course: Path, ps: str, changes: Iterable[Change]) -> None:
    """Write changes.csv: the changes of this run of `ps`, without first points, and the last ones of the other sets."""
    header = ["student", _SET, "exercise", "old", "new", "cause", "hidden_by_manual_score"]
    cells = (
        [change.student, ps, change.exercise, points_text(change.old), points_text(change.new), change.cause,
         points_text(change.hidden_by)]
        for change in sorted(changes, key=_change_order) if not change.is_first
    )
    rows, others = [_row(header, row) for row in cells], _rows_of_others(course / CHANGES, ps)
    write_atomic(course / CHANGES, _table(header, rows, others, read_names(course)))


def _rows_of_others(path: Path, ps: str) -> list[Row]:
    """Return the rows of the other sets in a table; none if it is missing, damaged, or from before it had a column of the set."""
    return [row for row in read_table(path) if row.get(_SET, ps) != ps]


def _row(header: list[str], cells: Iterable[str]) -> Row:
    return {column: neutral(cell) for column, cell in zip(header, cells, strict=True)}


def _table(header: list[str], rows: list[Row], others: list[Row], names: Names) -> str:
    """Return all rows as text, set by set; within a set they keep their order. The names are those of the roster of today."""
    shown = {neutral(student): neutral(name) for student, name in names.by_id.items()}
    ordered = sorted(({**row, NAME: shown.get(row["student"], "")} for row in (*others, *rows)),
                     key=lambda row: set_order(row[_SET]))
    header = names.header(header)
    return table_text(header, ([row.get(column, "") for column in header] for row in ordered))


def _change_order(change: Change) -> tuple[str, tuple[int, ...], str]:
    """The sort key of a change: by student, then by exercise."""
    return change.student, _exercise_order(change.exercise), change.exercise


def _exercise_order(id: str) -> tuple[int, ...]:
    """The sort key of an exercise: 2.9 before 2.10, the joint check last."""
    parts = id.split(".")
    return tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else (10**6,)


def sets_in_grades(course: Path) -> set[str]:
    """Return the problem sets that have rows in grades.csv."""
    return {row.get(_SET, "") for row in read_table(course / GRADES)}


def write_grades(
    course: Path, reports: Mapping[str, Report], challenge: Mapping[str, ChallengeReport] | None = None,
    lost: Mapping[str, Mapping[str, Report]] | None = None,
) -> None:
    """Write grades.csv: the automatic points, one row per student and set, the students of a set in alphabetical order.

    Extra points have their own column; they are not in the total, but they are in the final marks. If the class has a challenge,
    its points have their own column and are not in the total. Manual scores and late penalties are in `nbgrader export` only.

    Args:
        reports: the reports of one set, by student; the rows of the other sets stay, and their challenge is brought up to date.
        lost: reports by set and student, of graded sets without a row in the table, because the table was deleted or damaged.
    """
    ps = next(iter(reports.values())).problem_set
    points = {neutral(student): _challenge_points(report) for student, report in (challenge or {}).items()}
    others = _rows_of_others(course / GRADES, ps)
    others += [row for stored in (lost or {}).values() for row in _grade_rows(stored)]
    for row in others:
        if row.get(_CHALLENGE):
            row[_CHALLENGE] = points.get(row["student"], row[_CHALLENGE])
    rows = _grade_rows(reports)
    if points:
        rows = [{**row, _CHALLENGE: points.get(row["student"], "")} for row in rows]
    columns = {column for row in (*others, *rows) for column in row}
    exercises = sorted((column for column in columns if column == JOINT or _EXERCISE.fullmatch(column)), key=_exercise_order)
    last = [_CHALLENGE] if _CHALLENGE in columns else []
    header = ["student", _SET, *exercises, "total", "max", "extra", "outcomes", "note", *last]
    write_if_changed(course / GRADES, _table(header, rows, others, read_names(course)))


def _challenge_points(report: ChallengeReport) -> str:
    return UNDECIDED if report.has_fault else points_text(report.points)


def _grade_rows(reports: Mapping[str, Report]) -> list[Row]:
    rows = []
    for student, report in sorted(reports.items()):
        exercises = {exercise.id: decided_text(exercise.points) for exercise in report.exercises}
        counted = Counter(exercise.outcome for exercise in report.exercises)
        outcomes = ", ".join(f"{counted[outcome]} {outcome}" for outcome in Outcome if counted[outcome])
        cells = {"student": student, _SET: report.problem_set, **exercises, "total": total_text(report),
                 "max": points_text(report.max_points), "extra": points_text(report.extra_points), "outcomes": outcomes,
                 "note": report.note}
        rows.append({column: neutral(cell) for column, cell in cells.items()})
    return rows
