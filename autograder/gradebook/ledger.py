"""The gradebook's records of a problem set, read with two queries instead of thirty per student."""
import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from nbgrader.api import Assignment, BaseCell, Comment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook

Lateness = list[str | float | None]  # due date, extension in seconds, score


@dataclass
class GradebookEntry:
    """One student's submission in the gradebook; the dictionaries have grade_ids as keys."""

    timestamp: datetime.datetime | None
    extension: datetime.timedelta | None
    duedate: datetime.datetime | None
    penalty: float | None
    auto: dict[str, float | None] = field(default_factory=dict)
    manual: dict[str, float | None] = field(default_factory=dict)
    extra: dict[str, float | None] = field(default_factory=dict)
    asks: dict[str, bool] = field(default_factory=dict)  # whether nbgrader's needs_manual_grade is set
    comments: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The score as nbgrader defines it: manual scores replace automatic ones; with extra credit, without a penalty."""
        return total_score((self.auto[id], self.manual[id], self.extra[id]) for id in self.auto)

    @property
    def to_mark(self) -> tuple[str, ...]:
        """The cells that are to be marked by hand: those for which formgrader asks, and no others.

        They are answers that nobody has marked, marks of an earlier answer, marks that hide other points than before, and
        exercises that the grader could not decide. An untouched answer has 0 from nbgrader, and is not among them.
        """
        return tuple(id for id, asked in self.asks.items() if asked)

    def lateness(self, score: float | None = None) -> Lateness | None:
        """All values on which a late penalty depends; None if the problem set has no due date."""
        return lateness(self.duedate, self.extension, self.score if score is None else score)


def total_score(rows: Iterable[tuple[float | None, float | None, float | None]]) -> float:
    """Sum (automatic, manual, extra) rows as nbgrader does."""
    scores = ((auto if manual is None else manual, extra or 0.0) for auto, manual, extra in rows)
    return sum((score + extra for score, extra in scores if score is not None), 0.0)


def lateness(duedate: datetime.datetime | None, extension: datetime.timedelta | None, score: float) -> Lateness | None:
    """See GradebookEntry.lateness."""
    if duedate is None:
        return None
    return [duedate.isoformat(), None if extension is None else extension.total_seconds(), round(score, 6)]


def read_ledger(gradebook: Gradebook, ps: str) -> dict[str, GradebookEntry]:
    """Return every recorded submission of `ps`, by student."""
    standings: dict[str, GradebookEntry] = {}
    submitted = (
        SubmittedAssignment.student_id, SubmittedAssignment.timestamp, SubmittedAssignment.extension,
        Assignment.duedate, SubmittedNotebook.late_submission_penalty, BaseCell.name,
    )

    def rows(table: Any, *columns: object) -> Any:
        return (
            gradebook.db.query(*submitted, *columns)
            .select_from(table)
            .join(BaseCell, BaseCell.id == table.cell_id)
            .join(SubmittedNotebook, SubmittedNotebook.id == table.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .filter(Assignment.name == ps)
            .all()
        )

    columns = (Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade)
    for student, *sheet, grade_id, auto, manual, extra, asks in rows(Grade, *columns):
        standing = standings.setdefault(student, GradebookEntry(*sheet))
        standing.auto[grade_id], standing.manual[grade_id], standing.extra[grade_id] = auto, manual, extra
        standing.asks[grade_id] = bool(asks)
    for student, *sheet, grade_id, auto, manual in rows(Comment, Comment.auto_comment, Comment.manual_comment):
        standings.setdefault(student, GradebookEntry(*sheet)).comments[grade_id] = (auto, manual)
    gradebook.db.rollback()  # end the read transaction
    return standings
