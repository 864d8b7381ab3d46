"""The challenge in nbgrader's gradebook: an assignment of one cell with 100 points, recorded through nbgrader's API.

Students hand in no notebook for the challenge, so nbgrader's autograde has no input. We write a notebook for each student into
autograded/, which formgrader shows, and one notebook into source/ and release/, which formgrader lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.api import Gradebook
from nbgrader.utils import compute_checksum

from arena.challenge.report import ASSIGNMENT, MAX_POINTS, ChallengeReport
from arena.challenge.report_text import report_text
from arena.files import write_atomic, write_if_changed
from autograder.gradebook.course import WORK, Failures, open_course, stop_for_everybodys
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.nbgrader_patches import one_session
from autograder.gradebook.recording.planning import unfit
from autograder.gradebook.stamp import BY, KEY, Stamp, cause_of, code_version, digest, read_stamp, stands
from autograder.gradebook.tables import Change
from autograder.gradebook.versions import this_version
from autograder.grading.edition import course_secret
from autograder.grading.report import UNDECIDED
from autograder.json_files import read_state, write_state
from autograder.limited_child import failure_text

CELL = ASSIGNMENT  # the grade_id of the one cell that carries the points
Earlier = dict[str, Any]  # a student before the changes of an unfinished run: the points `old`, and the stamp `before`
_INTRODUCTION = (
    "# The final challenge\n\nThe player is the search of problem set 3, or of problem set 5 with its weights. Students hand in "
    "nothing else. The grader plays it against the ladder of bots. The page beside this notebook shows every game."
)


def record_challenge(
    course: Path, reports: Mapping[str, ChallengeReport], failures: Failures | None = None
) -> list[Change]:
    """Bring the gradebook's assignment `challenge` up to date; return the changes of points.

    A manual score stays; if it hides a new automatic score, the submission is marked for a look. If the grader could not judge,
    there is no automatic score, not even an older one. The changes of a run that did not reach its end are returned by the next
    run; call `finished` at the end. A student who cannot be recorded is in `failures`, and the next run tries again.
    """
    course = course.resolve()
    earlier = _read_earlier(course)
    with one_session(open_course(course, ASSIGNMENT)) as gradebook:
        _prepare(course, gradebook)
        changes, jobs = _plan(course, gradebook, reports, earlier)
        if changes:
            notes = {change.student: _earlier_of(course, change, earlier) for change in changes}
            write_state(_unfinished(course), {**earlier, **notes})
        for student, stamp in jobs.items():
            path = course / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
            try:
                _write(gradebook, student, reports[student])
                write_atomic(path, _text(_notebook(reports[student], stamp)))
            except Exception as error:
                stop_for_everybodys(error)
                gradebook.db.rollback()
                if failures is None:
                    raise
                failures[student].append(f"its challenge could not be recorded ({failure_text(error)})")
    return changes


def plan_challenge(course: Path, reports: Mapping[str, ChallengeReport]) -> list[Change]:
    """Return the changes that recording these reports would make; nothing is written."""
    course = course.resolve()
    with one_session(open_course(course, ASSIGNMENT)) as gradebook:
        return _plan(course, gradebook, reports, _read_earlier(course))[0]


def _plan(
    course: Path, gradebook: Gradebook, reports: Mapping[str, ChallengeReport], earlier: Mapping[str, Earlier]
) -> tuple[list[Change], dict[str, Stamp]]:
    """Compare the reports with the gradebook and with autograded/; return the changes, and the new stamps by student."""
    edition, ledger = digest(b"edition " + course_secret(course)), read_ledger(gradebook, ASSIGNMENT)
    changes, jobs = [], {}
    for student, report in sorted(reports.items()):
        if unfit(student):
            continue
        standing, before = ledger.get(student), read_stamp(course, student, ASSIGNMENT)
        content = digest(report.to_json() + report_text(report))
        stamp = {"report": content, "submission": report.sha256, "edition": edition, "code": code_version(), BY: this_version()}
        change = _change(student, report, standing, (before, stamp), earlier)
        changes += [change] if change else []
        if not stands(before, stamp) or standing is None or standing.auto.get(CELL) != _score(report):
            jobs[student] = stamp
    return changes, jobs


def finished(course: Path) -> None:
    """Remove the notes that are kept until a run has reported its changes."""
    _unfinished(course.resolve()).unlink(missing_ok=True)


def _read_earlier(course: Path) -> dict[str, Earlier]:
    """Return the notes of a run that did not reach its end; empty if there are none or they are damaged."""
    notes = read_state(_unfinished(course))
    return notes if all(isinstance(note, dict) and "old" in note for note in notes.values()) else {}


def _earlier_of(course: Path, change: Change, earlier: Mapping[str, Earlier]) -> Earlier:
    return earlier.get(change.student) or {"old": change.old, "before": read_stamp(course, change.student, ASSIGNMENT)}


def _prepare(course: Path, gradebook: Gradebook) -> None:
    """Add the assignment to the gradebook and to the folders that formgrader lists."""
    empty = _text(_notebook(None, {}))
    for folder in ("source", "release"):
        write_if_changed(course / folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", empty)
    gradebook.update_or_create_assignment(ASSIGNMENT)
    gradebook.update_or_create_notebook(ASSIGNMENT, ASSIGNMENT)
    gradebook.update_or_create_grade_cell(CELL, ASSIGNMENT, ASSIGNMENT, max_score=MAX_POINTS, cell_type="code")


def _change(
    student: str, report: ChallengeReport, standing: GradebookEntry | None, stamps: tuple[Stamp, Stamp],
    earlier: Mapping[str, Earlier],
) -> Change | None:
    """Return the change of points by this recording and an unfinished one before it; None if there is no change."""
    before, stamp = stamps
    recorded = standing.auto.get(CELL) if standing else None
    old = UNDECIDED if recorded is None and before else recorded
    if student in earlier:
        old, before = earlier[student]["old"], earlier[student].get("before", {})
    new = UNDECIDED if report.has_fault else report.points
    if old == new:
        return None
    cause = cause_of(old, new, before, stamp, ASSIGNMENT)
    manual = standing.manual.get(CELL) if standing else None
    return Change(student, ASSIGNMENT, old, new, cause, manual if manual != new else None)


def _write(gradebook: Gradebook, student: str, report: ChallengeReport) -> None:
    """Write one student's automatic score, or none if the grader could not judge; a manual score stays."""
    gradebook.update_or_create_student(student)
    gradebook.update_or_create_submission(ASSIGNMENT, student)
    grade = gradebook.find_grade(CELL, ASSIGNMENT, ASSIGNMENT, student)
    score = _score(report)
    moved = grade.auto_score != score and grade.manual_score not in (None, score)
    grade.auto_score = score
    grade.needs_manual_grade = score is None or moved or bool(grade.manual_score is not None and grade.needs_manual_grade)
    gradebook.db.commit()


def _score(report: ChallengeReport) -> float | None:
    """Return the automatic score of a report; None without a verdict."""
    return None if report.has_fault else float(report.points)


def _notebook(report: ChallengeReport | None, stamp: Stamp) -> NotebookNode:
    """Return the notebook that formgrader shows: an introduction, and the cell with the points and our text as its output."""
    nbgrader = {
        "grade": True, "solution": False, "locked": True, "task": False, "grade_id": CELL, "points": int(MAX_POINTS),
        "schema_version": 3, "cell_type": "code",
    }
    cell = new_code_cell("# played by the grader", id=CELL, metadata={"nbgrader": nbgrader})
    cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    if report is not None:
        cell.outputs = [new_output("stream", name="stdout", text=report_text(report))]
    introduction = new_markdown_cell(_INTRODUCTION, id="introduction")
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, **({KEY: stamp} if stamp else {})}
    notebook: NotebookNode = new_notebook(cells=[introduction, cell], metadata=metadata)
    return notebook


def _text(notebook: NotebookNode) -> str:
    return f"{nbformat.writes(notebook, version=4)}\n"


def _unfinished(course: Path) -> Path:
    return course / WORK / f"recording-{ASSIGNMENT}.json"
