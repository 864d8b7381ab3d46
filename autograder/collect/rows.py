"""The words of a plan: what becomes of each member of a zip, and each student's submission."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from autograder.collect.archive import Member
from autograder.collect.platforms import Handed, Platform
from autograder.plain_text import plain_text

PLACED, UNCHANGED, IGNORED, LEFT_OVER = "placed", "unchanged", "ignored", "left over"
WORK = (".ipynb", ".py")


@dataclass(eq=False)
class Row:
    """One member, and what becomes of it.

    path: its name without a folder around all members.
    """

    member: Member
    path: str
    handed: Handed = field(default_factory=Handed)
    student: str = ""
    outcome: str = ""
    why: str = ""

    def end(self, outcome: str, why: str) -> None:
        """Decide on this member, if nothing is decided yet."""
        if not self.outcome:
            self.outcome, self.why = outcome, why


@dataclass
class Submission:
    """One student's files that count, by their paths in `submitted/<student>/<ps>/`.

    time: of the submission, in UTC without a zone, as nbgrader keeps it; None if it is not known.
    """

    student: str
    files: dict[str, Row]
    time: datetime | None
    late: bool


@dataclass
class Plan:
    """What is to be done with one zip."""

    platform: Platform
    ps: str
    rows: list[Row]
    submissions: list[Submission]
    times_known: bool


def one_line(text: str) -> str:
    """Return a stranger's text as one line that is safe on a terminal."""
    return " ".join(plain_text(text).split())
