"""`make verify EDITIONS=20`: check that all editions are equally strict.

A wrong answer must be caught by the checks of its own exercise in each edition; a right answer must lose nothing in any
edition. Only the exercises that a right answer changes are graded again: the others are our own solution, which passed in the
first edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from rich.console import Console

from autograder.grading.config import Settings
from autograder.grading.edition import named_secret
from autograder.grading.grade import grade_exercise, grade_read
from autograder.grading.reference import module_submission
from autograder.grading.report import Outcome
from autograder.problem_sets.bank.answers import Answer, submission_text
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load
from autograder.selftest.one_exercise import CaughtBy, caught_by
from autograder.selftest.verify.exercises import in_workers
from autograder.selftest.verify.reach import reaches
from autograder.submission.read import Submission
from autograder.workers.pool import RetriesExhausted, WorkerPool


@dataclass(frozen=True)
class Work:
    """One answer of a bank, for a worker to grade.

    exercise: the exercise of a wrong answer. reached: the exercises that a right answer may change; None for all.
    only: the exercise of a right answer to look at, beside the joint check; None for all that it may change.
    """

    ps: str
    title: str
    exercise: str | None
    reached: frozenset[str] | None
    text: str
    only: str | None = None


def compare_editions(
    ps: ProblemSet, answers: Sequence[Answer], editions: Sequence[str], workers: int, console: Console,
    executor: Executor | None = None, only: str | None = None,
) -> list[str]:
    """Grade answers in several editions, print a line, and return a sentence for each answer that an edition misjudges.

    Args:
        editions: names from `edition_names`. executor: grades instead of our own processes.
        only: an exercise; of right answers only this one and the joint check are graded, whatever else they change.
    """
    if not answers:
        console.print(f"{ps.name}: no answer to grade in {len(editions)} editions")
        return [f"{ps.name}: no answer was graded in {len(editions)} editions"]
    work = [Work(ps.name, answer.title, answer.exercise, reaches(ps, answer), submission_text(ps, answer), only)
            for answer in answers]
    caught = _graded(work, editions, workers, console, executor)
    misses = [miss for answer in work for miss in _misses(answer, caught[answer], editions)]
    for miss in misses:
        console.print(f"  {miss}")
    console.print(_line(ps.name, caught, len(editions)))
    return misses


def grade_in_editions(work: Work, editions: Sequence[str]) -> CaughtBy:
    """Return for each edition the check that the answer failed, or None; for a wrong answer only checks of its exercise."""
    submission = module_submission(load(work.ps), work.text)
    if work.exercise is not None:
        return caught_by(submission, work.exercise, editions)
    if work.reached is None:
        return tuple(_lost(submission, Settings(named_secret(edition)), work.only) for edition in editions)
    exercises = sorted({work.only, JOINT} if work.only else work.reached | {JOINT})
    lost = zip(*(caught_by(submission, exercise, editions) for exercise in exercises), strict=True)
    return tuple(", ".join(f"{id} {by}" for id, by in zip(exercises, checks, strict=True) if by) or None for checks in lost)


def _lost(submission: Submission, settings: Settings, only: str | None) -> str | None:
    if only is None:
        exercises = grade_read(submission, settings).report.exercises
    else:
        exercises = tuple(grade_exercise(submission, id, settings) for id in (only, JOINT))
    lost = [f"{exercise.id} {check.name} ({check.outcome})"
            for exercise in exercises for check in exercise.checks if check.outcome != Outcome.PASSED]
    if any(exercise.points != exercise.max_points for exercise in exercises):  # also if no check was run at all
        lost.append(f"points: {sum(exercise.points or 0.0 for exercise in exercises):g}")
    return ", ".join(lost) or None


def _graded(
    work: list[Work], editions: Sequence[str], workers: int, console: Console, executor: Executor | None
) -> dict[Work, CaughtBy]:
    """Grade all answers in worker processes, the longest first."""
    caught, pool = {}, WorkerPool(work[0].ps, workers, executor)
    in_turn = sorted(work, key=lambda item: item.exercise is not None)
    what = f"answers graded in {len(editions)} editions"
    for item, answer in in_workers(pool, in_turn, grade_in_editions, (tuple(editions),), what, console):
        if isinstance(answer, RetriesExhausted):  # the worker gave no grade
            fault = f"the grader's own error {answer.error!r}"
            answer = (None if item.exercise else fault,) * len(editions)
        caught[item] = answer
    return caught


def _misses(work: Work, caught: CaughtBy, editions: Sequence[str]) -> list[str]:
    """Return a sentence about an answer that an edition misjudges, with an edition to reproduce it."""
    wrong = [edition for edition, by in zip(editions, caught, strict=True) if (by is None) == (work.exercise is not None)]
    if not wrong:
        return []
    where = f"in {len(wrong)} of {len(editions)} editions, such as {wrong[0] or 'the public one'!r}"
    if work.exercise is not None:
        by = ", ".join(f"{name} in {times}" for name, times in Counter(filter(None, caught)).most_common())
        return [f"wrong answer {work.title!r} is not caught {where}" + (f" (otherwise by {by})" if by else "")]
    return [f"right answer {work.title!r} loses {caught[editions.index(wrong[0])]} {where}"]


def _line(ps: str, caught: dict[Work, CaughtBy], editions: int) -> str:
    wrong = [answer for work, answer in caught.items() if work.exercise is not None]
    right = [answer for work, answer in caught.items() if work.exercise is None]
    everywhere, nowhere = sum(None not in by_edition for by_edition in wrong), sum(not any(by_edition) for by_edition in wrong)
    passed = sum(not any(by_edition) for by_edition in right)
    return (f"{ps}: in {editions} editions wrong answers {everywhere} caught in all {len(wrong) - everywhere - nowhere} in some "
            f"{nowhere} in none, right answers {passed} passed in all {len(right) - passed} failed")
