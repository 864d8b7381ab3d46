"""Checks that staff have excused for everybody: nobody may lose points by a mistake in a hidden check."""

from collections.abc import Set
from dataclasses import replace
from pathlib import Path

from autograder.grading.report import ExerciseReport, Outcome, Report
from autograder.json_files import read_decisions, write_decision

FILE = "excused.json"


def read_excused(course: Path, ps: str) -> frozenset[str]:
    """Return the names of the checks of `ps` that are excused in this course."""
    return frozenset(read_decisions(course / FILE).get(ps, {}))


def write_excused(course: Path, ps: str, name: str, why: str, undo: bool = False) -> None:
    """Excuse one more check, or let it count again; `why` is stored beside the name of an excused one."""
    write_decision(course / FILE, ps, name, why, undo)


def excuse(report: Report, excused: Set[str]) -> Report:
    """Return the report as if the excused checks had passed.

    An exercise that failed only these checks gets all its points. An exercise that is not written stays not written, and a
    joint check that was not run stays not run.
    """
    return report.with_exercises(_excused(exercise, excused) for exercise in report.exercises) if excused else report


def joint_is_due(report: Report, excused: Set[str]) -> bool:
    """Say whether the joint check must run: it waited only for exercises that pass with these checks excused."""
    outcomes = {exercise.id: exercise.outcome for exercise in excuse(report, excused).exercises}
    return bool(report.joint.waits_for) and all(outcomes[id] == Outcome.PASSED for id in report.joint.waits_for)


def _excused(exercise: ExerciseReport, excused: Set[str]) -> ExerciseReport:
    if exercise.outcome not in (Outcome.NOT_YET, Outcome.TOO_SLOW) or exercise.waits_for:
        return exercise
    if not any(check.name in excused for check in exercise.checks):
        return exercise
    checks = tuple(
        replace(check, outcome=Outcome.PASSED, line=f"{check.line} (excused for everybody)", hint=None)
        if check.name in excused and check.outcome != Outcome.PASSED
        else check
        for check in exercise.checks
    )
    if any(check.outcome != Outcome.PASSED for check in checks):
        return replace(exercise, checks=checks)
    return replace(exercise, checks=checks, outcome=Outcome.PASSED, points=float(exercise.max_points))
