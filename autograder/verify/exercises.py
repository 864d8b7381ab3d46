"""Answers of a bank, each graded by the checks of its own exercise alone, in worker processes."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograder.build.source import ProblemSet, load
from autograder.grading.control import module_submission
from autograder.grading.crew import Crew, GivenUp
from autograder.grading.grade import grade_exercise, grade_submission
from autograder.grading.report import JOINT, ExerciseReport
from autograder.grading.settings import Settings
from autograder.preflight import workers_that_fit
from autograder.progress import ProgressBar
from autograder.verify.bank import Answer, submission_text


def grade_exercises(
    answers: Sequence[Answer], ps: ProblemSet, settings: Settings, console: Console
) -> dict[str, tuple[ExerciseReport, ...]]:
    """Return by title what came of each answer's exercise; nothing where the grader failed."""
    if not answers:
        return {}
    bar, found = ProgressBar(console), {}
    workers = workers_that_fit()
    bar.start(f"{ps.name}: exercises graded by {workers} workers", len(answers))
    try:
        done = Crew(ps.name, workers).work_off(answers, lambda to, answer: to.submit(_graded, ps.name, answer, settings))
        for answer, report in done:
            found[answer.title] = () if isinstance(report, GivenUp) else (report,)
            bar.step(answer.title)
    finally:
        bar.end()
    return found


def _graded(ps: str, answer: Answer, settings: Settings) -> ExerciseReport:
    text = submission_text(load(ps), answer)
    if answer.exercise != JOINT:
        return grade_exercise(module_submission(ps, text), answer.exercise, settings)
    with tempfile.TemporaryDirectory(prefix="verify-") as room:
        (Path(room) / f"{ps}.py").write_text(text, encoding="utf-8")
        return grade_submission(Path(room), ps, settings).report.exercises[-1]
