"""Exercises that staff have taken out of a course: they give no points, and the set has fewer points at most.

    {"ps2_uct": {"2.5": {"why": "not taught this year"}}}

An entry may also have `undone`, until a run has given the exercise its points again; `by_hand`: by student, the score by hand and
the extra credit that the gradebook had for it; and `automatic`: the automatic scores of students whose work is no longer there.
These scores count no longer, and come back when the exercise counts again.
"""

from collections.abc import Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.grading.config import Settings
from autograder.grading.excused_checks import excuse
from autograder.grading.report import FAULT_NOTE, ExerciseReport, Outcome, Report
from autograder.json_files import read_decisions, write_decisions

FILE = "dropped.json"
WHY, UNDONE, BY_HAND, AUTOMATIC = "why", "undone", "by_hand", "automatic"  # keys of an entry
Entries = dict[str, dict[str, Any]]  # by exercise


def read_entries(course: Path, ps: str) -> Entries:
    """Return the entries of a set, those too that are undone and not yet brought back.

    Raises:
        UserError: the file is damaged.
    """
    entries = read_decisions(course / FILE).get(ps, {})
    return {id: entry if isinstance(entry, dict) else {WHY: str(entry)} for id, entry in entries.items()}


def write_entries(course: Path, ps: str, entries: Entries) -> None:
    """Replace the entries of a set."""
    write_decisions(course / FILE, {**read_decisions(course / FILE), ps: entries})


def read_dropped(course: Path, ps: str) -> frozenset[str]:
    """Return the exercises of `ps` that do not count in this course."""
    return frozenset(id for id, entry in read_entries(course, ps).items() if not entry.get(UNDONE))


def write_dropped(course: Path, ps: str, exercise: str, why: str, undo: bool = False) -> None:
    """Drop one more exercise, or let it count again; `why` is stored beside it."""
    entries = read_entries(course, ps)
    kept = {key: value for key, value in entries.get(exercise, {}).items() if key in (BY_HAND, AUTOMATIC)}
    write_entries(course, ps, {**entries, exercise: {WHY: why, **kept, **({UNDONE: True} if undo else {})}})


def decided(report: Report, settings: Settings) -> Report:
    """Return the report as staff have decided: with the excused checks passed, and the dropped exercises without points."""
    return drop(excuse(report, settings.excused), settings.dropped)


def drop(report: Report, dropped: Set[str]) -> Report:
    """Return the report with no points and no maximum for these exercises; their checks stay to be read.

    A fault of the grader in such an exercise leaves nothing undecided.
    """
    if not dropped:
        return report
    exercises = tuple(_dropped(exercise) if exercise.id in dropped else exercise for exercise in report.exercises)
    most = sum(exercise.max_points for exercise in exercises if not exercise.extra)
    without = replace(report.with_exercises(exercises), max_points=float(most))
    faulty = report.has_fault and not without.has_fault
    return replace(without, note=without.note.replace(FAULT_NOTE, "").strip()) if faulty else without


def _dropped(exercise: ExerciseReport) -> ExerciseReport:
    outcome = Outcome.NOT_YET if exercise.undecided else exercise.outcome
    return replace(exercise, outcome=outcome, points=0.0, max_points=0.0)
