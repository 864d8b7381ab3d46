"""The grading of a bank's answers in worker processes, also by the checks of a few exercises alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from autograder.grading.config import Settings
from autograder.grading.grade import grade_exercise
from autograder.grading.reference import module_submission
from autograder.grading.report import ExerciseReport
from autograder.problem_sets.bank.answers import Answer, submission_text
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


@dataclass(frozen=True)
class InPart:
    """An answer, and the exercises by whose checks alone it is graded; the others are our own solution."""

    answer: Answer
    exercises: tuple[str, ...]

    @property
    def title(self) -> str:
        """The answer's title."""
        return self.answer.title


def grade_exercises(
    answers: Sequence[InPart], ps: ProblemSet, settings: Settings, console: Console
) -> dict[str, tuple[ExerciseReport, ...]]:
    """Return the reports on each answer's exercises, by title; an empty tuple if the grader failed."""
    if not answers:
        return {}
    pool = WorkerPool(ps.name, workers_that_fit())
    done = in_workers(pool, answers, _graded, (ps.name, settings), "answers graded in part", console)
    return {answer.title: () if isinstance(reports, RetriesExhausted) else reports for answer, reports in done}


def _graded(part: InPart, ps: str, settings: Settings) -> tuple[ExerciseReport, ...]:
    problem_set = load(ps)
    submission = module_submission(problem_set, submission_text(problem_set, part.answer))
    # a wrong answer that is graded in part changes its own exercise alone: a second attempt meets the same functions
    ours_only = part.answer.exercise is not None
    return tuple(grade_exercise(submission, id, settings, ours_only) for id in part.exercises)
