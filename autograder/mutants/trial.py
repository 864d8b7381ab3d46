"""Grade mutants, each by the hidden checks of its exercise alone, in several editions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

from autograder.build.source import load
from autograder.grading.attempt import Workshop
from autograder.grading.control import our_submission
from autograder.grading.crew import Crew, GivenUp
from autograder.grading.edition import public_secret
from autograder.grading.report import GRADER_FAULT, PASSED, TOO_SLOW
from autograder.grading.submission import Submission
from autograder.grading.suite import SuiteRun
from autograder.mutants.mutant import Mutant
from autograder.trouble import Trouble

KILLED, LUCKY, SURVIVED = "killed", "by luck of the edition", "survived"


@dataclass(frozen=True)
class Trial:
    """What came of one mutant: for each edition the check that caught it, or None."""

    mutant: Mutant
    caught_by: tuple[str | None, ...]

    @property
    def result(self) -> str:
        """Killed counts only what is caught in every edition."""
        if None not in self.caught_by:
            return KILLED
        return LUCKY if any(self.caught_by) else SURVIVED


def edition_names(number: int) -> list[str]:
    """Return what `autograder verify --edition` calls these editions; the first is the public one, "" there."""
    return ["", *(f"mutants {place}" for place in range(1, number))]


def run_trials(
    mutants: Sequence[Mutant], editions: Sequence[str], workers: int, executor: Executor | None = None
) -> Iterator[Trial]:
    """Try mutants of one problem set in worker processes, or in `executor`; yield each when it is decided, in any order.

    Raises:
        Trouble: the grader could not grade one.
    """
    if not mutants:
        return
    crew = Crew(mutants[0].ps, workers, executor)
    for mutant, answer in crew.work_off(mutants, lambda to, mutant: to.submit(partial(try_out, mutant, tuple(editions)))):
        if isinstance(answer, GivenUp):
            raise Trouble(f"a mutant of {mutant.ps} {mutant.exercise} could not be graded: {answer.error!r}\n{mutant.context}")
        yield answer


def try_out(mutant: Mutant, editions: Sequence[str]) -> Trial:
    """Grade one mutant here and now; one that is too slow is not tried in the editions that are left.

    One attempt over our functions is enough: the mutant's own are ours, so a second one would not say anything else. A check
    that ends in a fault of the grader's has caught nothing, because a student would not lose anything by it.
    """
    workshop = Workshop(load(mutant.ps), _submission(mutant))
    caught: list[str | None] = []
    try:
        for edition in editions:
            run = SuiteRun(workshop, edition.encode() or public_secret(), exercise=mutant.exercise, hurried=True)
            run.run()
            if run.errors or not run.findings.get(mutant.exercise):
                raise RuntimeError(f"no checks of {mutant.ps} {mutant.exercise}: {run.errors}")
            last = run.findings[mutant.exercise][-1]
            if last.outcome == TOO_SLOW:
                caught += [last.name] * (len(editions) - len(caught))
                break
            caught.append(None if last.outcome in (PASSED, GRADER_FAULT) else last.name)
    finally:
        workshop.close()
    return Trial(mutant, tuple(caught))


def _submission(mutant: Mutant) -> Submission:
    ours = our_submission(mutant.ps)
    cells = tuple(replace(cell, source=mutant.cell) if cell.exercise == mutant.exercise and cell.role == "code" else cell
                  for cell in ours.cells)
    return replace(ours, cells=cells)
