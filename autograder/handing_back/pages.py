"""The feedback pages of one set: each as one file, if it is its student's, and if it is about what was handed in last."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import unescape
from pathlib import Path
from typing import Protocol

from arena.files import read_regular
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES
from autograder.gradebook.hand_ins import folder_of
from autograder.gradebook.policy.teams_file import Teams
from autograder.handing_back.addressees import Addressees, addressees
from autograder.handing_back.uploads import Upload
from autograder.plain_text import plain_text
from autograder.submission.payload import read_payload

_STUDENT = re.compile(r'<p class="lead"><bdi>(.*?)</bdi>([^<]*)', re.DOTALL)
_GRADED = re.compile(r"graded (\d{4}-\d\d-\d\d \d\d:\d\d) UTC")
# The last line of the page: its links to the student's other pages, which lie beside it in the course and nowhere else.
_BESIDE = re.compile(r'<p>(?:<a href="[^"#][^"]*">[^<]*</a>(?: · )?)+</p>\s*(?=</main>)')


class NoPage(Exception):
    """There is no page to hand back; the text is a sentence for staff."""


class Pages(Protocol):
    """The pages that one return hands back: those of a set, or those of the challenge (challenge.py).

    title: what they are, for the progress.
    has_assignment: whether a platform has an assignment for these hand-ins alone, so that its numbers and tables fit them.
    """

    title: str
    has_assignment: bool

    def students(self, found: Addressees) -> Collection[str]:
        """Return those who may get a page, if these hand-ins are known by name."""
        ...

    def set_of(self, student: str) -> str:
        """Return the set whose hand-in leads back to a student."""
        ...

    def addressees(self, upload: Upload, zips: Sequence[Path]) -> Addressees:
        """Find the name of each student's page; as `addressees`."""
        ...

    def page(self, student: str) -> bytes:
        """Return a student's page, which stands alone.

        Raises:
            NoPage: it is missing, names another student, or is older than what it is about.
        """
        ...


class SetPages:
    """The pages of a problem set; see `Pages`."""

    has_assignment = True

    def __init__(self, course: Path, ps: str, teams: Teams) -> None:
        self.course, self.ps, self.teams, self.title = course, ps, teams, f"pages of {ps}"
        self._store = ReportStore(course, ps)

    def students(self, found: Addressees) -> Collection[str]:
        """Return those with a hand-in or a page in the course, and those with a name on the platform."""
        there = {path.parent.name for place in ("submitted", "feedback") for path in (self.course / place).glob(f"*/{self.ps}/")}
        return there | found.names.keys() | found.refused.keys()

    def set_of(self, student: str) -> str:
        """Return this set."""
        return self.ps

    def addressees(self, upload: Upload, zips: Sequence[Path]) -> Addressees:
        """Find the names by what was collected, and by the zips."""
        return addressees(self.course, self.ps, upload, zips)

    def page(self, student: str) -> bytes:
        """Return the page that a student reads first, without its links to other files."""
        page = text_of(self.course / "feedback" / student / self.ps / "index.html", student)
        report, handed_in = self._store.get(student), folder_of(self.course, student, self.ps, self.teams)
        if report is None:
            raise NoPage("has no report: run grade")
        if handed_in.is_dir() and read_payload(handed_in, self.ps).sha256 != report.sha256:
            raise NoPage("has handed in again since the last run: run grade")
        lead = _STUDENT.search(page)
        graded = lead and _GRADED.search(lead[2])
        if graded and graded[1] != self._store.graded_at(student):
            raise NoPage("the page is older than the report: run grade")
        return _BESIDE.sub("", page).encode()


def text_of(path: Path, student: str) -> str:
    """Return a page of feedback.

    Raises:
        NoPage: it is missing, or names another student.
    """
    content = read_regular(path, LARGEST_NOTEBOOK_BYTES)
    if content is None:
        raise NoPage("has no feedback page: run grade")
    page = content.decode("utf-8", "replace")
    named = _STUDENT.search(page)
    if named is None or unescape(named[1]) != plain_text(student):
        raise NoPage("the page in this student's folder names another student: delete it, and run grade")
    return page
