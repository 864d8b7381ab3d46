"""The feedback page of one student as one file, if it is this student's, and if it is about what was handed in last."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from arena.files import read_regular
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES
from autograder.gradebook.hand_ins import folder_of
from autograder.gradebook.policy.teams_file import Teams
from autograder.plain_text import plain_text
from autograder.submission.payload import read_payload

_STUDENT = re.compile(r'<p class="lead"><bdi>(.*?)</bdi>([^<]*)', re.DOTALL)
_GRADED = re.compile(r"graded (\d{4}-\d\d-\d\d \d\d:\d\d) UTC")
# The last line of the page: its links to the student's other pages, which lie beside it in the course and nowhere else.
_BESIDE = re.compile(r'<p>(?:<a href="[^"#][^"]*">[^<]*</a>(?: · )?)+</p>\s*(?=</main>)')


class NoPage(Exception):
    """There is no page to hand back; the text is a sentence for staff."""


def page_of(course: Path, student: str, ps: str, store: ReportStore, teams: Teams) -> bytes:
    """Return the page that a student reads first, without its links to other files.

    Raises:
        NoPage: it is missing, names another student, or is older than the hand-in or the report.
    """
    page = text_of(course / "feedback" / student / ps / "index.html", student)
    report, handed_in = store.get(student), folder_of(course, student, ps, teams)
    if report is None:
        raise NoPage("has no report: run grade")
    if handed_in.is_dir() and read_payload(handed_in, ps).sha256 != report.sha256:
        raise NoPage("has handed in again since the last run: run grade")
    lead = _STUDENT.search(page)
    graded = lead and _GRADED.search(lead[2])
    if graded and graded[1] != store.graded_at(student):
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
