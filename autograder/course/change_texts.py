"""A text for each student whose points changed by no doing of the student: what changed, why, and the mark now; ready to send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from arena.challenge.report import ASSIGNMENT
from arena.files import write_atomic
from autograder.course.decisions import SinceLastRun, corrections
from autograder.course.summary import Summary
from autograder.gradebook.marks.final_marks import FinalMarks, mark_text
from autograder.gradebook.policy.exemptions import for_students
from autograder.gradebook.tables import Change, points_text
from autograder.grading.config import PYTHON
from autograder.grading.report import UNDECIDED, ExerciseReport
from autograder.plain_text import one_line
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import load

FOLDER = "changes"  # of the course: changes/<ps>/<student>/<time of the run>.txt
_WHY = {
    "suite": "The checks of this exercise have changed.",
    "edition": "Your work was graded at new positions: the course has a new edition of its hidden checks.",
    "version": "Your work was graded with a newer version of the autograder.",
    "python": f"Your work is graded with Python {PYTHON} now.",
}


def change_texts(summary: Summary, marks: FinalMarks, since: SinceLastRun) -> dict[str, str]:
    """Return the texts of a run by student; who handed in for the first time, or something else, gets none for that."""
    first = {change.student for change in summary.changes if change.is_first}
    by_student: dict[str, list[Change]] = {}
    for change in corrections(summary.changes):
        by_student.setdefault(change.student, []).append(change)
    if since.dropped or since.brought_back:  # the set has another maximum, for everybody
        by_student |= {student: by_student.get(student, []) for student in summary.reports}
    return {student: _text(summary, student, changes, marks, since) for student, changes in sorted(by_student.items())
            if student not in first}


def write_change_texts(course: Path, ps: str, texts: Mapping[str, str]) -> str:
    """Write the texts of a run and return where they are, as a pattern; "" if there are none."""
    if not texts:
        return ""
    name = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}.txt"
    for student, text in texts.items():
        write_atomic(course / FOLDER / ps / student / name, text)
    return f"{course / FOLDER / ps}/*/{name}"


def _text(summary: Summary, student: str, changes: Sequence[Change], marks: FinalMarks, since: SinceLastRun) -> str:
    ps, by_id = summary.ps, {change.exercise: change for change in changes}
    title = load(ps).title
    report = summary.reports.get(student)
    exercises = {exercise.id: exercise for exercise in report.exercises} if report else {}
    concerned = [id for id in (*exercises, ASSIGNMENT) if id in by_id or id in since.dropped or id in since.brought_back]
    parts = [_part(id, by_id.get(id), exercises.get(id), since) for id in concerned]
    lines = [f"The points of {title} ({ps}) have changed. Your work is the same, and you need not do anything.", "", *parts]
    for name in [name for name in (ps, ASSIGNMENT) if name == ps or ASSIGNMENT in concerned]:
        what = "this problem set" if name == ps else "the final challenge"
        if marks.is_exempt(student, name):
            lines.append(for_students(what))
            continue
        change = next((entry for entry in summary.mark_changes if (entry.student, entry.assignment) == (student, name)), None)
        now, most = mark_text(marks, student, name), points_text(marks.assignments.get(name))
        lines.append(f"Your mark for {what}: {change.old} before, {now} now, of {most} points." if change
                     else f"Your mark for {what} is still {now}, of {most} points now.")
    return "\n".join(lines) + "\n"


def _part(id: str, change: Change | None, exercise: ExerciseReport | None, since: SinceLastRun) -> str:
    title = f"{id} {exercise.title}" if exercise else "the final challenge"
    points = f"{_points(change.old)} before, {_points(change.new)} now" if change else "your own points are the same"
    reasons = []
    if id in since.dropped:
        reasons.append(f"This exercise no longer counts in this course, for anybody. Reason: {since.dropped[id]}")
    elif id in since.brought_back:
        reasons.append(f"This exercise counts again. Reason: {since.brought_back[id]}")
    elif change:
        reasons.append(_reason(change))
        checks = {check.name: check.line for check in exercise.checks} if exercise else {}
        reasons += [f"A check of this exercise counts as passed for everybody. Reason: {why}"
                    for check, why in since.excused.items() if check in checks and change.cause == "suite"]
        reasons += [f"A check of this exercise no longer counts as passed for everybody. Reason: {why}"
                    for check, why in since.deciding.items() if check in checks and change.cause == "suite"]
    if change and change.hidden_by is not None:
        reasons.append(f"A mark by hand counts instead: {points_text(change.hidden_by)} points.")
    return "\n".join([f"{title}: {points}.", *(f"    {one_line(reason)}" for reason in reasons), ""])


def _points(points: float | str | None) -> str:
    return UNDECIDED if points == UNDECIDED else f"{points_text(points)} points"


def _reason(change: Change) -> str:
    if change.old == UNDECIDED:
        return "The grader had failed here, and has graded it now."
    if change.new == UNDECIDED:
        return "The grader failed here: no points are given or taken until it is graded again."
    if change.exercise == JOINT and change.cause == "suite":
        return "This check runs your exercises together, and was run again."
    return _WHY.get(change.cause, f"Cause: {change.cause}.")
