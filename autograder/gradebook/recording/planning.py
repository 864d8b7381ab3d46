"""The plan of a recording: the reports compared with the gradebook and with the notebooks in autograded/.

A submission is skipped if its report, side files, release, edition and late policy are the same as at its last recording, and
its scores are the same as in the gradebook.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.baseapp import NbGrader

from autograder.gradebook.course import CourseError, open_course, stop_for_everybodys
from autograder.gradebook.hand_ins import side_files
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.nbgrader_patches import one_session
from autograder.gradebook.policy.teams_file import read_teams
from autograder.gradebook.stamp import Job, Stamp, cause_of, make_setting, make_stamp, read_stamp, stands
from autograder.gradebook.tables import Change
from autograder.grading.edition import course_secret
from autograder.grading.report import UNDECIDED, Report
from autograder.limited_child import failure_text
from autograder.problem_sets.source import ProblemSet, load


@dataclass
class Plan:
    """The jobs of a recording, the changes that they make, and the stamps of the recording before."""

    jobs: dict[str, Job] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    before: dict[str, Stamp] = field(default_factory=dict)


def plan(course: Path, ps: str, reports: Mapping[str, Report]) -> tuple[list[Change], dict[str, str]]:
    """Return the changes that a recording would make, and student -> reason for failures; nothing is written."""
    app = open_course(course, ps)
    with one_session(app) as gradebook:
        whole, failed = planned(course, app, gradebook, reports)
    return whole.changes, failed


def planned(
    course: Path, app: NbGrader, gradebook: Gradebook, reports: Mapping[str, Report]
) -> tuple[Plan, dict[str, str]]:
    """Plan for all students at once; if that fails, one by one. Return the plan, and student -> reason for failures."""
    try:
        return _planned(course, app, gradebook, reports), {}
    except Exception as error:
        stop_for_everybodys(error)
        if len(reports) == 1:
            return Plan(), dict.fromkeys(reports, failure_text(error))
    whole, failed = Plan(), dict[str, str]()
    for student, report in reports.items():
        part, why = planned(course, app, gradebook, {student: report})
        whole.jobs |= part.jobs
        whole.changes += part.changes
        whole.before |= part.before
        failed |= why
    return whole, failed


def unfit(student: str) -> str | None:
    """A sentence if a folder's name cannot go into the gradebook, None if it can.

    Formgrader puts names into its pages unchanged, so HTML in a name would run there.
    """
    if set(student) & set('<>"') or not student.isprintable():
        return f"{student!r} is not in the gradebook: formgrader cannot show this name safely; rename the folder"
    return None


def _planned(course: Path, app: NbGrader, gradebook: Gradebook, reports: Mapping[str, Report]) -> Plan:
    """Compare the reports with the gradebook and with the notebooks in autograded/."""
    ps = app.coursedir.assignment_id
    problem_set, setting = load(ps), make_setting(course, ps, app.config, course_secret(course))
    ledger, whole, teams = read_ledger(gradebook, ps), Plan(), read_teams(course)
    for student, report in sorted(reports.items()):
        if unfit(student):
            continue
        stamp = make_stamp(report, side_files(course, student, ps, teams), setting)
        before, standing = read_stamp(course, student, ps), ledger.get(student)
        if standing is not None and _stands(problem_set, report, stamp, before, standing):
            continue
        whole.jobs[student] = Job(report, stamp, before.get("answers"))
        whole.before[student] = before
        whole.changes += _changes(problem_set, student, report, standing, (before, stamp))
    return whole


def _stands(problem_set: ProblemSet, report: Report, stamp: Stamp, before: Stamp, standing: GradebookEntry) -> bool:
    """Whether the gradebook and the notebook already contain this report."""
    if not stands(before, stamp) or before.get("lateness") != standing.lateness():
        return False
    return all(standing.auto.get(problem_set.grade_id(exercise.id)) == exercise.points for exercise in report.exercises)


def _changes(
    problem_set: ProblemSet, student: str, report: Report, standing: GradebookEntry | None, stamps: tuple[Stamp, Stamp]
) -> list[Change]:
    """The exercises whose recorded points differ from the report's; stamps: of the last recording, and of this one."""
    changes = []
    for exercise in report.exercises:
        grade_id = problem_set.grade_id(exercise.id)
        if standing is not None and grade_id not in standing.auto:
            raise CourseError(f"the gradebook has no cell {grade_id} for {student!r}: it was made for another version of the set")
        old = _decided(standing.auto[grade_id]) if standing else None
        manual = standing.manual[grade_id] if standing else None
        new = _decided(exercise.points)
        if old != new:
            cause = cause_of(old, new, *stamps, exercise.id)
            changes.append(Change(student, exercise.id, old, new, cause, manual if manual != new else None))
    return changes


def _decided(points: float | None) -> float | str:
    """Points in a change; None, in the gradebook or in a report, means that the grader could not decide."""
    return UNDECIDED if points is None else float(points)
