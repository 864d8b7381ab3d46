"""What each student got last by one way, so that a page which is the same again need not go out twice.

The file is beside what was handed back, returned/<ps>/<way>.json: {"students": {id: [digest of the page, points, when]}}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder.gradebook.stamp import digest
from autograder.json_files import read_state, write_state


@dataclass(frozen=True)
class Returned:
    """What one student got last: a digest of the page, the points as tables show them, and when: 2026-11-28 14:15:43 UTC."""

    page: str
    points: str
    when: str


@dataclass(frozen=True)
class LastReturn:
    """What each student got last by one way.    unknown: why nothing is known of any; "" if something is."""

    students: Mapping[str, Returned] = field(default_factory=dict)
    unknown: str = ""

    @property
    def when(self) -> str:
        """When the last return was."""
        return max((last.when for last in self.students.values()), default="")

    @property
    def pages(self) -> int:
        """How many pages were in the last return."""
        return sum(last.when == self.when for last in self.students.values())

    def has(self, student: str, page: bytes, points: str) -> bool:
        """Whether the student has got this page and these points."""
        last = self.students.get(student)
        return last is not None and (last.page, last.points) == (digest(page), points)

    def sentence(self, changed: int, of: int) -> str:
        """Say how many pages and points have changed, and since when."""
        if self.unknown:
            return f"changed: everybody, because {self.unknown}"
        before = "1 page" if self.pages == 1 else f"{self.pages} pages"
        return f"changed: {changed} of {of} since the return of {self.when} ({before})"


def read_last(path: Path) -> LastReturn:
    """Return what was handed back last. If the file is missing or damaged, nothing is known, and so everything counts as new."""
    if not path.exists():
        return LastReturn(unknown="no earlier return of this kind is known")
    try:
        known = {student: Returned(*map(str, entry)) for student, entry in read_state(path)["students"].items()}
        return LastReturn(known, "" if known else "no earlier return of this kind is known")
    except (KeyError, TypeError, AttributeError):
        return LastReturn(unknown=f"{path.name} beside the earlier return is damaged; it is written anew")


def note_return(path: Path, last: LastReturn, pages: Mapping[str, bytes], points: Mapping[str, str]) -> None:
    """Note the pages and points of a return, beside those that other students got earlier."""
    if not pages:
        return
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    known = {student: [entry.page, entry.points, entry.when] for student, entry in last.students.items()}
    known |= {student: [digest(page), points[student], now] for student, page in pages.items()}
    write_state(path, {"students": known})
