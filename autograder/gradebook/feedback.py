"""Feedback: nbgrader's generate_feedback, run for those whose page would not say the same.

feedback(course, ps) writes feedback/<student>/<ps>/<ps>.html. Scores and comments come from the
gradebook, manual ones included; timestamp.txt and submission_secret.txt travel along, so that
nbgrader's `release_feedback` and `fetch_feedback` find it by the submission's own secret.
"""
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nbconvert.exporters import html
from nbgrader.converters import GenerateFeedback

from autograder.build.source import load
from autograder.files import read_regular, write_atomic, write_if_changed
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES, LOG, WORK, Troubles, open_course
from autograder.gradebook.ledger import Standing, read_ledger
from autograder.gradebook.recorder import OneByOne
from autograder.gradebook.session import one_session
from autograder.gradebook.stamp import HANDED_OVER, LARGEST_SIDE_FILE_BYTES, code_version, digest, read_side_files
from autograder.grading.shelf import Shelf
from autograder.pages.small_page import small_page


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


class Feedback(OneByOne, GenerateFeedback):
    """nbgrader's generate_feedback over a list of students instead of whatever a glob finds."""


def feedback(
    course: Path, ps: str, done: Callable[[str], None] = lambda student: None, troubles: Troubles | None = None
) -> list[str]:
    """Bring feedback/ up to date with autograded/ and the gradebook; return the students whose page is new.

    Args:
        troubles: whom the recording could not show; whose page cannot be made either is added. They get a small page of
            ours with their points, and the next run tries again.

    Raises:
        CourseError: nobody's page can be made.
    """
    course, troubles = course.resolve(), defaultdict(list) if troubles is None else troubles
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
        maker = Feedback(app, stale, done)
        with _without_parsing():
            maker.run(course)
    fresh = {student: [wanted[student], _page(course, student, ps)] for student in stale}
    there = {student: entry for student, entry in fresh.items() if entry[1] is not None and student not in maker.errors}
    if stale:
        write_atomic(state_path, json.dumps({**state, **there}, sort_keys=True))
    missing = sorted(fresh.keys() - there.keys())
    for student in missing:
        troubles[student].append(f"its page of feedback could not be made ({maker.why(student)}): see {WORK}/{LOG}")
    if missing:
        app.records.keep(course)
    for student in sorted({*missing, *(student for student in troubles if wanted.get(student) is None)}):
        _small_page(course, student, ps)
    return stale


def _small_page(course: Path, student: str, ps: str) -> None:
    """Write a page that holds nothing of the student's work, and beside it what lets nbgrader find it for the student."""
    folder = course / "feedback" / student / ps
    write_if_changed(folder / f"{ps}.html", small_page(student, load(ps), Shelf(course, ps).get(student)))
    for name, data in read_side_files(course / "submitted" / student / ps).items():
        write_if_changed(folder / name, data)


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
