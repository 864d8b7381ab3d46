"""The parts of a plan: the outcome of each member of a zip, and each student's submission."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from autograder.collect.archive import Member
from autograder.collect.platforms import Handed, Platform

PLACED, UNCHANGED, IGNORED, LEFT_OVER = "placed", "unchanged", "ignored", "left over"
WORK = (".ipynb", ".py")


@dataclass(eq=False)
class Row:
    """One member of a zip, and its outcome.

    path: its name without a folder around all members.
    readings: all ways in which the name can be read; `handed` is the one that counts.
    perhaps: the students whose it may be, if this is not clear.
    sha256: of the bytes that came out of the zip.
    """

    member: Member
    path: str
    readings: list[Handed] = field(default_factory=list)
    handed: Handed = field(default_factory=Handed)
    student: str = ""
    perhaps: frozenset[str] = frozenset()
    outcome: str = ""
    why: str = ""
    sha256: bytes = b""

    def end(self, outcome: str, why: str) -> None:
        """Decide on this member, if nothing is decided yet."""
        if not self.outcome:
            self.outcome, self.why = outcome, why


@dataclass
class Submission:
    """One student's files that count, by their paths in `submitted/<student>/<ps>/`.

    time: of the submission, in UTC without a zone, as nbgrader keeps it; None if it is not known.
    later: what `time` would be if the clocks had already been changed; None if the hour of the submission came only once.
    """

    student: str
    files: dict[str, Row]
    time: datetime | None
    late: bool
    later: datetime | None = None

    def leave(self, why: str) -> None:
        """Leave over all files about which nothing is decided yet."""
        for row in self.files.values():
            row.end(LEFT_OVER, why)

    @property
    def waiting(self) -> dict[str, Row]:
        """The files about which nothing is decided yet: they are on their way to `submitted/`."""
        return {path: row for path, row in self.files.items() if not row.outcome}


@dataclass
class Plan:
    """What is to be done with one zip."""

    platform: Platform
    ps: str
    rows: list[Row]
    submissions: list[Submission]
    times_known: bool
