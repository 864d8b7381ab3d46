"""Later due dates of single students, in nbgrader's own gradebook.

The gradebook stores an extension with a submission. An extension that is given before the student hands in waits in
extensions.json, and the first recording of the submission puts it into the gradebook.
"""
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps.baseapp import NbGrader

from autograder.gradebook.course import open_course
from autograder.gradebook.policy.more_time import read_more_time, write_more_time
from autograder.gradebook.versions import keep_gradebook
from autograder.json_files import read_decisions, write_decisions

FILE = "extensions.json"  # by set and student: hours


def extend(course: Path, ps: str, hours: Mapping[str, float]) -> list[str]:
    """Move the due dates of students by these hours for the late rule; zero removes an extension.

    Returns: the students of whom the gradebook has a submission; the extensions of the others wait for one.
    """
    granted: list[str] = []
    if (course / "nbgrader_config.py").exists():
        app = open_course(course, ps)
        keep_gradebook(course, app.coursedir.db_url, print)
        known = read_more_time(course, ps)
        changed = {student: (replace(known[student][0], staff=more), known[student][0].hours)
                   for student, more in hours.items() if student in known}
        if changed:  # the roster, the team or tokens move the date as well; first, so that a kill leaves no doubt
            write_more_time(course, ps, changed)
        granted = _grant(app, ps, {**hours, **{student: parts.hours for student, (parts, _) in changed.items()}})
        forget(course, ps, granted)
    waiting = {student: more for student, more in hours.items() if student not in granted}
    if waiting:
        content = read_decisions(course / FILE)
        write_decisions(course / FILE, {**content, ps: content.get(ps, {}) | waiting})
    return granted


def waiting_extensions(course: Path, ps: str) -> dict[str, float]:
    """Return the hours of the extensions that were given before a submission of `ps`, by student."""
    return {student: float(hours) for student, hours in read_decisions(course / FILE).get(ps, {}).items()}


def grant(app: NbGrader, ps: str, hours: Mapping[str, float]) -> None:
    """Put waiting extensions into the gradebook, which has a submission of each of these students now."""
    forget(Path(app.coursedir.root), ps, _grant(app, ps, hours))


def forget(course: Path, ps: str, students: Iterable[str]) -> None:
    """Remove extensions from extensions.json, because the gradebook has them."""
    content = read_decisions(course / FILE)
    kept = {student: hours for student, hours in content.get(ps, {}).items() if student not in set(students)}
    if kept != content.get(ps, {}):
        write_decisions(course / FILE, {**content, ps: kept})


def _grant(app: NbGrader, ps: str, hours: Mapping[str, float]) -> list[str]:
    """Write extensions into the gradebook; return the students who have a submission there."""
    granted = []
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        for student, more in hours.items():
            try:
                gradebook.grant_extension(ps, student, hours=more)
            except MissingEntry:
                continue
            granted.append(student)
    return granted
