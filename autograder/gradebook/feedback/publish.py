"""Feedback: nbgrader's generate_feedback, run only for students whose page would change.

publish(course, ps) writes feedback/<student>/<ps>/<ps>.html. Scores and comments come from the
gradebook, manual ones included. timestamp.txt and submission_secret.txt are copied too, so that
nbgrader's `release_feedback` and `fetch_feedback` find the page by the submission's own secret.
"""
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.converters import GenerateFeedback
from traitlets import List, default

from arena.files import read_regular, write_if_changed
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES, LOG, WORK, Failures, open_course
from autograder.gradebook.feedback.exporter import FeedbackExporter, GetAllGrades
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.nbgrader_patches import one_session, without_parsing
from autograder.gradebook.recording.recorder import OneByOne
from autograder.gradebook.stamp import HANDED_OVER, LARGEST_SIDE_FILE_BYTES, code_version, digest
from autograder.json_files import read_state, write_state
from autograder.progress import Watcher
from autograder.submission.discover import MOST_FOUND


class Feedback(OneByOne, GenerateFeedback):
    """nbgrader's generate_feedback for a list of students instead of all folders that match a pattern."""

    preprocessors = List([GetAllGrades, CSSHTMLHeaderPreprocessor]).tag(config=True)

    @default("exporter_class")
    def _our_exporter(self) -> type[FeedbackExporter]:
        return FeedbackExporter


@dataclass(frozen=True)
class Published:
    """The students with a new page; the students without a page, for whom the next run tries again; the gradebook's entries."""

    new: list[str]
    without: list[str]
    ledger: Mapping[str, GradebookEntry]


def publish(course: Path, ps: str, watcher: Watcher | None = None, failures: Failures | None = None) -> Published:
    """Bring feedback/ up to date with autograded/ and the gradebook.

    Args:
        watcher: gets the number of pages that are made, and a step for each page.
        failures: students whose work the recording could not show; students whose page cannot be made are added.

    Raises:
        CourseError: no student's page can be made.
    """
    course, watcher = course.resolve(), watcher or Watcher()
    failures = defaultdict(list) if failures is None else failures
    app = open_course(course, ps)
    state_path = course / WORK / f"feedback-{ps}.json"
    state = read_state(state_path)
    with one_session(app) as gradebook:
        ledger = read_ledger(gradebook, ps)
        wanted = {student: _key(course, student, ps, standing) for student, standing in ledger.items()}
        stale = sorted(
            student for student, key in wanted.items()
            if key is not None and state.get(student) != [key, _page(course, student, ps)]
        )
        watcher.start("feedback", len(stale))
        maker = Feedback(app, stale, watcher.step)
        with without_parsing():
            maker.run(course)
    for student in stale:
        _under_other_names(course, student, ps)
    fresh = {student: [wanted[student], _page(course, student, ps)] for student in stale}
    there = {student: entry for student, entry in fresh.items() if entry[1] is not None and student not in maker.errors}
    if stale:
        write_state(state_path, {**state, **there})
    missing = sorted(fresh.keys() - there.keys())
    for student in missing:
        failures[student].append(f"its feedback page could not be made ({maker.why(student)}): see {WORK}/{LOG}")
    if missing:
        app.records.keep(course)
    without = sorted({*missing, *(student for student in failures if wanted.get(student) is None)})
    return Published(stale, without, ledger)


def _under_other_names(course: Path, student: str, ps: str) -> None:
    """Copy a page to the names of notebooks that were handed in under other names, where `fetch_feedback` looks for them."""
    folder = course / "feedback" / student / ps
    page = read_regular(folder / f"{ps}.html", LARGEST_NOTEBOOK_BYTES)
    handed_in = sorted((course / "submitted" / student / ps).glob("*.ipynb"))[:MOST_FOUND]
    for name in (path.stem for path in handed_in if path.is_file() and path.stem not in (ps, "index")):
        if page is not None:
            write_if_changed(folder / f"{name}.html", page)


def _key(course: Path, student: str, ps: str, standing: GradebookEntry) -> str | None:
    """A digest of everything that the page shows; None if there is no autograded notebook."""
    folder = course / "autograded" / student / ps
    notebook = read_regular(folder / f"{ps}.ipynb", LARGEST_NOTEBOOK_BYTES)
    if notebook is None:
        return None
    side_files = [read_regular(folder / name, LARGEST_SIDE_FILE_BYTES) for name in HANDED_OVER]
    rows = [sorted(row.items()) for row in (standing.auto, standing.manual, standing.extra, standing.comments)]
    return digest(repr([digest(notebook), side_files, rows, standing.penalty, code_version()]))


def _page(course: Path, student: str, ps: str) -> str | None:
    """A digest of the existing page; None if there is no page."""
    page = read_regular(course / "feedback" / student / ps / f"{ps}.html", LARGEST_NOTEBOOK_BYTES)
    return None if page is None else digest(page)
