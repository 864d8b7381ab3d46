"""The results of one grading run over a class."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.gradebook.tables import Change
from autograder.grading.report import Report
from autograder.similarity.identical import Identical

if TYPE_CHECKING:
    from autograder.course.challenge.class_exams import Challenge
    from autograder.gradebook.course import Failures
    from autograder.gradebook.dealing import Marking
    from autograder.gradebook.marks.final_marks import MarkChange
    from autograder.pages.course.hand_in_days import HandInDays

REPORT, FRONT = "report", "index.html"


@dataclass
class Summary:
    """The results of one grading run over a class, and the places of its pages.

    due: by student, the due date of those for whom it is another one than the class's, and why.
    exempt: the students who need not do the set.    times: of the hand-ins.
    teams: of those that have handed in, the members, and whose hand-in counts.
    missing: the students of the roster without a submission who must do the set; None without a roster.
    to_mark: by student, the cells of the set that are to be marked by hand, as the gradebook has them; None before it was read.
    cpu_s: the processor seconds of the code of those students who were graded in this run, and not known from before.
    known: the number of exercises, in submissions that were graded in this run, whose findings were known from before.
    """

    course: Path
    ps: str
    reports: dict[str, Report] = field(default_factory=dict)  # by student, in alphabetical order
    remarks: list[str] = field(default_factory=list)
    missing: tuple[str, ...] | None = None
    to_mark: dict[str, tuple[str, ...]] | None = None
    cpu_s: dict[str, float] = field(default_factory=dict)
    known: int = 0
    reports_changed: int = 0
    changes: list[Change] = field(default_factory=list)  # with the first points of those who are recorded for the first time
    mark_changes: list[MarkChange] = field(default_factory=list)  # final marks that differ from those of the run before
    change_texts: dict[str, str] = field(default_factory=dict)  # by student, for those whose points changed by no doing of theirs
    due: dict[str, str] = field(default_factory=dict)
    exempt: tuple[str, ...] = ()
    times: HandInDays | None = None
    teams: tuple[tuple[tuple[str, ...], str], ...] = ()
    marking: Marking | None = None  # of the answers that were dealt among markers
    texts_at: str = ""  # where these texts are
    failures: Failures = field(default_factory=lambda: defaultdict(list))  # notebooks or pages that could not be made
    identical: Identical | None = None  # for staff alone
    challenge: Challenge | None = None  # only if the set contains a player and at least one student handed it in

    @property
    def page(self) -> Path:
        """The path of the course's front page, which links to the pages of all sets."""
        return self.course / REPORT / FRONT

    @property
    def set_page(self) -> Path:
        """The path of the page of this set."""
        return self.course / REPORT / f"{self.ps}.html"

    @property
    def faults(self) -> int:
        """The number of submissions with a grader fault, plus the number of players that the grader could not judge."""
        failed = sum(report.has_fault or student in self.failures for student, report in self.reports.items())
        return failed + (self.challenge.faults if self.challenge else 0)

    @property
    def changes_of_points(self) -> int:
        """The number of changes in changes.csv: of points that were recorded before."""
        return sum(not change.is_first for change in self.changes)

    @property
    def nothing_changed(self) -> bool:
        """Whether this run gave the same reports, points and final marks as the run before."""
        return self.reports_changed == 0 and not self.changes and not self.mark_changes
