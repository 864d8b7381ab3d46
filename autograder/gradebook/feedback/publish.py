"""Feedback: nbgrader's generate_feedback, run for those whose page would not say the same.

publish(course, ps) writes feedback/<student>/<ps>/<ps>.html. Scores and comments come from the
gradebook, manual ones included; timestamp.txt and submission_secret.txt travel along, so that
nbgrader's `release_feedback` and `fetch_feedback` find it by the submission's own secret.
"""
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from nbgrader.converters import GenerateFeedback

from arena.files import read_regular
from autograder.gradebook.course import LARGEST_NOTEBOOK_BYTES, LOG, WORK, Failures, open_course
from autograder.gradebook.ledger import Standing, read_ledger
from autograder.gradebook.nbgrader_patches import one_session, without_parsing
from autograder.gradebook.recording.recorder import OneByOne
from autograder.gradebook.stamp import HANDED_OVER, LARGEST_SIDE_FILE_BYTES, code_version, digest
from autograder.json_files import read_state, write_state


class Feedback(OneByOne, GenerateFeedback):
    """nbgrader's generate_feedback over a list of students instead of whatever a glob finds."""


def publish(
    course: Path, ps: str, done: Callable[[str], None] = lambda student: None, failures: Failures | None = None
) -> tuple[list[str], list[str]]:
    """Bring feedback/ up to date with autograded/ and the gradebook.

    Args:
        failures: students whose work the recording could not show; students whose page cannot be made are added.

    Returns:
        The students whose page is new, and the students who have no page; the next run tries the latter again.

    Raises:
        CourseError: nobody's page can be made.
    """
    course, failures = course.resolve(), defaultdict(list) if failures is None else failures
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
        maker = Feedback(app, stale, done)
        with without_parsing():
            maker.run(course)
    fresh = {student: [wanted[student], _page(course, student, ps)] for student in stale}
    there = {student: entry for student, entry in fresh.items() if entry[1] is not None and student not in maker.errors}
    if stale:
        write_state(state_path, {**state, **there})
    missing = sorted(fresh.keys() - there.keys())
    for student in missing:
        failures[student].append(f"its page of feedback could not be made ({maker.why(student)}): see {WORK}/{LOG}")
    if missing:
        app.records.keep(course)
    return stale, sorted({*missing, *(student for student in failures if wanted.get(student) is None)})


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
