"""A run of hidden checks that tells, for each check, which statements and conditions of a submission it ran.

The submission's own process tells this, so it is for staff and for the authors of checks: no mark depends on it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cache

import numpy as np

from autograder.grading.config import Settings
from autograder.grading.hidden_checks.suite_run import SuiteRun
from autograder.grading.probes import RAN, Branch, Probes, with_front
from autograder.grading.submission_runner import SubmissionRunner, budget_under
from autograder.problem_sets.source import ProblemSet
from autograder.problem_sets.syntax import functions_of
from autograder.sandbox.codec import Special
from autograder.sandbox.errors import StudentError
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import Session
from autograder.submission.read import Submission


class Watch:
    """Collects the probes of a submission's process after each check; `SuiteRun` and `SubmissionRunner` call it.

    ran: the numbers of the branches that each check has run. loaded: those of the definitions that were loaded with probes.
    lost: checks whose process ended before it told anything.
    """

    def __init__(self) -> None:
        self.ran: dict[str, set[int]] = {}
        self.loaded: set[int] = set()
        self.lost: set[str] = set()
        self._check = ""
        self._session: Session | None = None

    def begin(self, check: str, mode: str) -> None:
        """Begin a check; it may go on in the process of the one before."""
        self._check = check
        self.ran.setdefault(check, set())

    def watch(self, session: Session) -> None:
        """Take a process that has just loaded the submission."""
        self._session = session
        self.loaded |= self._noted()

    def ended(self, error: BaseException | None) -> None:
        """Ask the process what the check has run."""
        self.ran[self._check] |= self._noted()

    def _noted(self) -> set[int]:
        """Return what the process has noted since it was asked last."""
        if self._session is None or not self._session.open:
            self.lost.add(self._check)
            return set()
        probes_there = Special("function", RAN)
        try:
            noted = self._session.request("read", probes_there)
            self._session.request("method", probes_there, "clear", [], {})
        except (StudentError, SandboxDied):
            noted = None
        if type(noted) is not dict:
            self.lost.add(self._check)
            return set()
        return {number for number in noted if type(number) is int}

    def by_checks(self, checks: Collection[str]) -> frozenset[int]:
        """Return the numbers that at least one of these checks has run."""
        return frozenset().union(*(self.ran.get(check, ()) for check in checks))

    def watched(self, branches: Collection[Branch], problem_set: ProblemSet) -> list[Branch]:
        """Return the branches of the last definition of each function, of those definitions that were loaded with probes.

        Functions that the set hands out complete are left out.
        """
        given = _handed_out(problem_set)
        inside = [branch for branch in branches
                  if branch.loaded in self.loaded and branch.number != branch.loaded and branch.function not in given]
        last = {branch.function: branch.loaded for branch in inside}
        return [branch for branch in inside if last[branch.function] == branch.loaded]


@cache
def _handed_out(problem_set: ProblemSet) -> frozenset[str]:
    """Return the functions of a set, inside and outside the cells of exercises, that do not belong to an exercise."""
    cells = (cell.stub for cell in problem_set.cells if cell.role in ("given", "exercise"))
    named = {name for stub in cells for name, _ in functions_of(ast.parse(stub))}
    return frozenset(named.difference(*(exercise.functions for exercise in problem_set.exercises)))


def run_watched(
    submission: Submission, probes: Probes, settings: Settings, watch: Watch, exercise: str | None = None
) -> SuiteRun:
    """Run the suite, or the checks of one exercise, over a submission with the probes of `probes`, and return the run."""
    runner = SubmissionRunner(
        with_front(submission), settings.sandbox, budget_under(settings.cpu_s), trace=watch,
        _compiled=True, _code=np.frombuffer(probes.code, "u1"))
    run = SuiteRun(runner, settings, exercise=exercise)
    try:
        run.run()
    finally:
        runner.close()
    return run
