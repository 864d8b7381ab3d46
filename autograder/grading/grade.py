"""Grade one submission: a folder in, a report out."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from autograder.build.source import load
from autograder.grading import submission as submissions
from autograder.grading import verdict
from autograder.grading.advice import advice
from autograder.grading.attempt import Workshop
from autograder.grading.report import (
    FAULT_NOTE,
    GRADER_FAULT,
    JOINT,
    JOINT_TITLE,
    NOT_WRITTEN,
    Check,
    ExerciseReport,
    Report,
)
from autograder.grading.settings import Graded, Settings
from autograder.grading.submission import NONE, READING, Submission
from autograder.grading.suite import SuiteRun
from autograder.grading.walls import wall_of
from autograder.sandbox.inside.loader import GIVEN

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
MOST_PLACES = 5  # failed statements that the note names


def grade_submission(folder: Path, ps: str, settings: Settings) -> Graded:
    """Grade what lies in `folder` and return the same report for the same bytes, always.

    Never raises for what a student did; a fault of the grader's is an outcome in the report, and loud.
    """
    return grade_read(submissions.read(folder, ps), settings)


def grade_read(submission: Submission, settings: Settings) -> Graded:
    """Grade a submission that was read already."""
    if submission.form == NONE:
        return not_graded(submission)
    workshop, run = _run(submission, settings)
    report = _report(workshop, run)
    return Graded(report, _staff(workshop, run), not run.errors and not run.doubtful and not report.has_fault, workshop.cpu_s)


def grade_exercise(submission: Submission, id: str, settings: Settings) -> ExerciseReport:
    """Grade one exercise by its own checks, as a whole grading would: over our functions, and then over the submission's own.

    Raises:
        RuntimeError: the suite has no check of this exercise, or cannot be read.
    """
    exercise = load(submission.problem_set).exercise(id)
    _, run = _run(submission, settings, id)
    if run.errors or not run.findings.get(id):
        raise RuntimeError(f"no checks of {submission.problem_set} {id}: {run.errors}")
    return _exercise(id, exercise.title, exercise.points, run.findings[id])


def _run(submission: Submission, settings: Settings, exercise: str | None = None) -> tuple[Workshop, SuiteRun]:
    """Run the suite, or the checks of one exercise, over a submission; what it needed is closed."""
    workshop = Workshop(load(submission.problem_set), submission, walled=settings.sandbox)
    run = SuiteRun(workshop, settings.secret, exercise=exercise, excused=settings.excused)
    try:
        run.run()
    finally:
        workshop.close()
    return workshop, run


def not_graded(submission: Submission) -> Graded:
    """Return the report of a submission in which there is nothing to grade.

    Where reading it went wrong in a way that nobody thought of, staff are told, and it is read again in the next run.
    """
    report = Report.unjudged(load(submission.problem_set), submission.sha256, form=NONE, note=submission.note,
                             outcome=NOT_WRITTEN)
    return Graded(report, {READING: submission.trouble} if submission.trouble else {}, not submission.trouble, 0.0)


def _report(workshop: Workshop, run: SuiteRun) -> Report:
    problem_set, submission = workshop.problem_set, workshop.submission
    titled = [(exercise.id, exercise.title, exercise.points) for exercise in problem_set.exercises]
    exercises = [_exercise(id, title, points, run.findings.get(id, [])) for id, title, points in titled]
    joint = _exercise(JOINT, JOINT_TITLE, problem_set.joint_points, run.findings.get(JOINT, []))
    exercises.append(replace(joint, waits_for=run.waits_for))
    faulty = any(exercise.undecided for exercise in exercises)
    told = advice(submission, {exercise.id: exercise.outcome for exercise in exercises})
    note = " ".join(filter(None, (submission.note, _loading_note(workshop), *told, FAULT_NOTE if faulty else "")))
    report = Report(problem_set.name, submission.form, submission.sha256, 0.0, float(problem_set.max_points), note, ())
    return report.with_exercises(exercises)


def _exercise(id: str, title: str, points: int, findings: list[verdict.Finding]) -> ExerciseReport:
    speaks = verdict.speaking(findings)
    checks = tuple(Check(one.name, one.line, one.outcome, one.hint if one is speaks else None) for one in findings)
    outcome = verdict.outcome(findings) if findings else GRADER_FAULT  # no finding: the suite did not get there
    earned = None if outcome == GRADER_FAULT else float(points) if verdict.earned(findings) else 0.0
    return ExerciseReport(id, title, outcome, earned, float(points), checks)


def _loading_note(workshop: Workshop) -> str:
    """Say what was skipped while loading: where, and Python's own name of the error."""
    notes = []
    if workshop.definitions_only:
        notes.append(
            "Running all your cells ended the program or took too long, so only imports, definitions and constants were loaded."
        )
    found = workshop.problems or []
    problems = [problem for problem in found if problem[0] != GIVEN]
    if len(problems) < len(found):
        notes.append(f"Imports or code that you were given are missing in your {workshop.submission.form}; they were added.")
    places = [verdict.raised_place(name, label, line, workshop.submission) for label, line, name, _ in problems[:MOST_PLACES]]
    if places:
        more = f" and {len(problems) - MOST_PLACES} more" if len(problems) > MOST_PLACES else ""
        notes.append(f"Skipped while loading: {'; '.join(places)}{more}. The rest of your code was loaded.")
    kinds = {name for _, _, name, _ in problems}
    if "SyntaxError" in kinds:
        notes.append(f"Code is graded with Python {PYTHON}: what only a newer one understands is an error here.")
    if "ModuleNotFoundError" in kinds:
        packages = [*wall_of(workshop.problem_set.name).packages, "arena"]
        notes.append(f"Graded code may import {', '.join(packages)} and Python's own modules, and nothing else.")
    return " ".join(notes)


def _staff(workshop: Workshop, run: SuiteRun) -> dict:
    """Return what staff may read: tracebacks by check, what failed to load, and errors of the suite."""
    found = [(id, finding) for id, findings in run.findings.items() for finding in findings]
    checks = {f"{id} {finding.name}": finding.staff for id, finding in found if finding.staff}
    return {"checks": checks, "loading": [list(problem) for problem in workshop.problems or []], "suite_errors": run.errors}
