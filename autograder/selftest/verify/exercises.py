"""The grading of a bank's answers in worker processes, also each only by the checks of its own exercise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console

from autograder.grading.config import Settings
from autograder.grading.grade import grade_exercise, grade_read
from autograder.grading.reference import module_submission
from autograder.grading.report import ExerciseReport
from autograder.problem_sets.bank.answers import Answer, submission_text
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load
from autograder.progress import ProgressBar
from autograder.workers.capacity import workers_that_fit
from autograder.workers.pool import RetriesExhausted, WorkerPool


def in_workers(
    pool: WorkerPool, items: Sequence[Any], function: Callable[..., Any], arguments: tuple[object, ...], what: str,
    console: Console,
) -> Iterator[tuple[Any, Any]]:
    """Yield each item with `function(item, *arguments)`, or with `RetriesExhausted`, as it is finished; a bar shows the progress.

    Args:
        items: each with a `title`. what: the words of the bar.
    """
    bar = ProgressBar(console)
    bar.start(f"{pool.ps}: {what} by {pool.workers} workers", len(items))
    try:
        for item, answer in pool.run_all(items, lambda to, item: to.submit(function, item, *arguments)):
            yield item, answer
            bar.step(item.title)
    finally:
        bar.end()


def grade_exercises(
    answers: Sequence[Answer], ps: ProblemSet, settings: Settings, console: Console
) -> dict[str, tuple[ExerciseReport, ...]]:
    """Return the report on each answer's exercise, by title; an empty tuple if the grader failed."""
    if not answers:
        return {}
    pool = WorkerPool(ps.name, workers_that_fit())
    done = in_workers(pool, answers, _graded, (ps.name, settings), "exercises graded", console)
    return {answer.title: () if isinstance(report, RetriesExhausted) else (report,) for answer, report in done}


def _graded(answer: Answer, ps: str, settings: Settings) -> ExerciseReport:
    assert answer.exercise is not None, "only wrong answers are graded alone"
    submission = module_submission(ps, submission_text(load(ps), answer))
    if answer.exercise == JOINT:
        return grade_read(submission, settings).report.exercises[-1]
    return grade_exercise(submission, answer.exercise, settings)
