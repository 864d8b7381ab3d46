"""Grade mutants, each only by the hidden checks of its exercise, in several editions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

from arena.errors import UserError
from autograder.grading.reference import our_submission
from autograder.problem_sets.source import load
from autograder.selftest.mutants.mutant import Mutant
from autograder.selftest.one_exercise import CaughtBy, caught_by
from autograder.submission.read import Submission
from autograder.workers.pool import RetriesExhausted, WorkerPool

KILLED, LUCKY, SURVIVED = "killed", "by luck of the edition", "survived"


@dataclass(frozen=True)
class Trial:
    """The result of one mutant: for each edition the check that caught it, or None."""

    mutant: Mutant
    caught_by: CaughtBy

    @property
    def result(self) -> str:
        """KILLED if caught in every edition, LUCKY if caught in some editions, otherwise SURVIVED."""
        if self.caught_by and None not in self.caught_by:
            return KILLED
        return LUCKY if any(self.caught_by) else SURVIVED


def run_trials(
    mutants: Sequence[Mutant], editions: Sequence[str], workers: int, executor: Executor | None = None
) -> Iterator[Trial]:
    """Try mutants of one problem set in worker processes or in `executor`; yield each as it is decided, in any order.

    Raises:
        UserError: the grader could not grade a mutant.
    """
    if not mutants:
        return
    pool = WorkerPool(mutants[0].ps, workers, executor)
    for mutant, answer in pool.run_all(mutants, lambda to, mutant: to.submit(partial(try_out, mutant, tuple(editions)))):
        if isinstance(answer, RetriesExhausted):
            raise UserError(f"a mutant of {mutant.ps} {mutant.exercise} could not be graded: {answer.error!r}\n{mutant.context}")
        yield answer


def try_out(mutant: Mutant, editions: Sequence[str]) -> Trial:
    """Grade one mutant in this process."""
    return Trial(mutant, caught_by(_submission(mutant), mutant.exercise, editions))


def _submission(mutant: Mutant) -> Submission:
    ours = our_submission(load(mutant.ps))
    cells = tuple(replace(cell, source=mutant.cell) if cell.exercise == mutant.exercise and cell.role == "code" else cell
                  for cell in ours.cells)
    return replace(ours, cells=cells)
