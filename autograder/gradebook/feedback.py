"""Feedback: nbgrader's generate_feedback, run for those whose page would not say the same.

feedback(course, ps) writes feedback/<student>/<ps>/<ps>.html. Scores and comments come from the
gradebook, manual ones included; timestamp.txt and submission_secret.txt travel along, so that
nbgrader's `release_feedback` and `fetch_feedback` find it by the submission's own secret.
"""
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nbconvert.exporters import html
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import GenerateFeedback, NbGraderException

from autograder.files import read_regular, write_atomic
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES, WORK, CourseError, open_course
from autograder.gradebook.ledger import Standing, read_ledger
from autograder.gradebook.session import one_session
from autograder.gradebook.stamp import HANDED_OVER, LARGEST_SIDE_FILE_BYTES, code_version, digest


class _Unparsed(str):
    """A page in the place of its parse tree, for an nbconvert that wants to select in it."""

    def select(self, selector: str) -> list:
        return []


@contextmanager
def _without_parsing() -> Iterator[None]:
    """Keep nbconvert from parsing every finished page again.

    It does so to describe pictures without a description and to number JupyterLab's cells; ours are
    described and have no such cells, and it is two thirds of the time of a page.
    """
    parser = html.BeautifulSoup
    html.BeautifulSoup = lambda page, features: _Unparsed(page)
    try:
        yield
    finally:
        html.BeautifulSoup = parser


class Feedback(GenerateFeedback):
    """nbgrader's generate_feedback over a list of students instead of whatever a glob finds."""

    def __init__(self, app: NbGrader, students: list[str], done: Callable[[str], None]) -> None:
        super().__init__(coursedir=app.coursedir, parent=app)
        self.students, self.done, self.force = students, done, True

    def init_notebooks(self) -> None:
        ps = self.coursedir.assignment_id
        folders = [self._format_source(ps, student) for student in self.students]
        self.assignments = {folder: [f"{folder}/{ps}.ipynb"] for folder in folders}

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        super().set_permissions(assignment_id, student_id)
        self.done(student_id)


def feedback(course: Path, ps: str, done: Callable[[str], None] = lambda student: None) -> list[str]:
    """Bring feedback/ up to date with autograded/ and the gradebook; return the students whose page is new.

    Raises:
        CourseError: nbgrader failed for some; the others have their feedback.
    """
    course = course.resolve()
    app = open_course(course, ps)
    state_path = course / WORK / f"feedback-{ps}.json"
    state = _read(state_path)
    with one_session(app) as gradebook:
        ledger = read_ledger(gradebook, ps)
        wanted = {student: _key(course, student, ps, standing) for student, standing in ledger.items()}
        stale = sorted(
            student for student, key in wanted.items()
            if key is not None and state.get(student) != [key, _page(course, student, ps)]
        )
        if not stale:
            return []
        try:
            with _without_parsing():
                Feedback(app, stale, done).start()
        except NbGraderException:
            pass  # the pages that are missing are named below
    fresh = {student: [wanted[student], _page(course, student, ps)] for student in stale}
    there = {student: entry for student, entry in fresh.items() if entry[1] is not None}
    write_atomic(state_path, json.dumps({**state, **there}, sort_keys=True))
    missing = [student for student, (_, page) in fresh.items() if page is None]
    if missing:
        said = app.records.full_disk() or f"{' '.join(app.records.lines[-1:])}; "
        raise CourseError(f"{said}nbgrader made no feedback for {', '.join(missing[:5])}")
    return stale


def _key(course: Path, student: str, ps: str, standing: Standing) -> str | None:
    """A digest of all that the page shows; None when there is no autograded notebook to show."""
    folder = course / "autograded" / student / ps
    notebook = read_regular(folder / f"{ps}.ipynb", LARGEST_NOTEBOOK_BYTES)
    if notebook is None:
        return None
    side_files = [read_regular(folder / name, LARGEST_SIDE_FILE_BYTES) for name in HANDED_OVER]
    rows = [sorted(row.items()) for row in (standing.auto, standing.manual, standing.extra, standing.comments)]
    return digest(repr([digest(notebook), side_files, rows, standing.penalty, code_version()]))


def _page(course: Path, student: str, ps: str) -> str | None:
    """A digest of the page that stands there; None when there is none."""
    page = read_regular(course / "feedback" / student / ps / f"{ps}.html", LARGEST_NOTEBOOK_BYTES)
    return None if page is None else digest(page)


def _read(path: Path) -> dict:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
