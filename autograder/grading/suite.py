"""Run a hidden suite over one submission, each exercise in a fresh process.

For each exercise the checks run over ours (the exercises it calls are the reference's). If one fails they run
again over the student's own functions, in a second process; the better of the two counts.
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from autograder.build.source import Exercise
from autograder.grading import recognise, verdict
from autograder.grading.attempt import EXERCISE_CPU_S, OURS, OWN, Workshop
from autograder.grading.checks import HiddenCheck, hidden_suite
from autograder.grading.company import Company
from autograder.grading.edition import dice
from autograder.grading.report import NOT_WRITTEN, NOT_YET, PASSED, TOO_SLOW
from autograder.grading.student import Student
from autograder.grading.verdict import Finding
from autograder.grading.walls import wall_of
from autograder.sandbox.errors import Asleep, HostKill, StudentError
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import Session
from autograder.sandbox.wall import WallError

JOINT = "joint"
OWN_CPU_S = 30.0  # of the grader, a check; they need hundredths
# Of one that did not come to its end before in this process: the edition that holds it up is everybody's, and 30 s of each
# of 600 submissions would be five hours.
AGAIN_CPU_S = 3.0


@dataclass
class SuiteRun:
    """One submission under the suite. After `run`, `findings` holds for each exercise id what came of each of its checks."""

    workshop: Workshop
    secret: bytes
    only: str | None = None  # the name of a single check, for `explain`
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Run the suite. What goes wrong in the suite itself is in `errors`.

        Raises:
            WallError: this host cannot build the sandbox; the text says what to do.
        """
        suite = hidden_suite(self.workshop.problem_set.name)
        self.errors += suite.errors
        if suite.errors:
            return
        self._types = suite.types
        groups: dict[str, list[HiddenCheck]] = {}
        for check in suite.checks:
            if self.only in (None, check.name):
                groups.setdefault(check.exercise, []).append(check)
        for exercise in self.workshop.problem_set.exercises:
            if exercise.id in groups:
                self.findings[exercise.id] = self._exercise(exercise, groups[exercise.id])
            elif self.only is None:
                self.errors.append(f"exercise {exercise.id} has no hidden check")
        if JOINT in groups:
            self.findings[JOINT] = self._joint(groups[JOINT])

    # -- one exercise -----------------------------------------------------------------------------

    def _exercise(self, exercise: Exercise, checks: list[HiddenCheck]) -> list[Finding]:
        over_ours = self._attempt(exercise, checks, OURS)
        if verdict.outcome(over_ours) in (PASSED, NOT_WRITTEN):
            return over_ours
        return min(over_ours, self._attempt(exercise, checks, OWN), key=verdict.rank)

    def _joint(self, checks: list[HiddenCheck]) -> list[Finding]:
        needed = self._needed(checks)
        failed = [id for id in needed if id in self.findings and verdict.outcome(self.findings[id]) != PASSED]
        if not failed:
            return self._attempt(None, checks, OWN)
        untouched = all(verdict.outcome(findings) == NOT_WRITTEN for findings in self.findings.values())
        waits = f"this check waits for {_listed(failed)}"
        return [Finding(check.name, check.line, NOT_WRITTEN if untouched else NOT_YET, waits) for check in checks]

    def _needed(self, checks: list[HiddenCheck]) -> list[str]:
        named = {id for check in checks for id in check.needs}
        problem_set = self.workshop.problem_set
        if not named:
            return [exercise.id for exercise in problem_set.exercises]
        closed = named | {id for name in named for id in problem_set.exercise(name).calls}
        return [exercise.id for exercise in problem_set.exercises if exercise.id in closed]

    def _attempt(self, exercise: Exercise | None, checks: list[HiddenCheck], mode: str) -> list[Finding]:
        cpu_s = max(check.cpu_s or EXERCISE_CPU_S for check in checks)
        self._present = (exercise, mode, cpu_s)
        self._session: Session | None = None
        self._company = Company()
        try:
            return self._findings(exercise, checks)
        finally:
            self._end_session()
            self._company.leave()

    def _findings(self, exercise: Exercise | None, checks: list[HiddenCheck]) -> list[Finding]:
        findings: list[Finding] = []
        for check in checks:
            if findings and findings[-1].outcome == TOO_SLOW:
                findings.append(Finding(check.name, check.line, TOO_SLOW, "not run: the time was used up before"))
                continue
            findings.append(self._check(check))
            if len(findings) == 1 and findings[0].outcome == NOT_WRITTEN and len(exercise.functions if exercise else ()) == 1:
                findings += [Finding(other.name, other.line, NOT_WRITTEN, None) for other in checks[1:]]
                break
        return findings

    def _check(self, check: HiddenCheck, again: bool = False) -> Finding:
        recognise.forget()
        error = raised = self._raised_by(check)
        if isinstance(error, WallError):
            raise error  # no other check can do better on this host
        if error is None and self._session is not None:
            try:
                self._session.settle()
            except (StudentError, SandboxDied) as late:
                error = late
        if isinstance(error, Asleep):
            self.workshop.sleeps += 1
        if isinstance(error, (Asleep, HostKill, SandboxDied)):
            self._end_session()
            if not again:
                with self._company.alone():
                    finding = self._check(check, again=True)
                    self._end_session()  # its process must not outlive the time alone
                return finding
        staff = "".join(traceback.format_exception(raised, limit=-4)) if raised else ""
        question = recognise.question_after(error, check.question)
        return verdict.finding(check.name, check.line, question, error, staff, self.workshop.submission)

    def _raised_by(self, check: HiddenCheck) -> BaseException | None:
        """Run a check; return what ended it, None when it came to its end."""
        given = dict(check.parameters)
        try:
            with _own_time_limited(AGAIN_CPU_S if check.name in _stuck else OWN_CPU_S):
                if "student" in check.asks_for:
                    given["student"] = self._student()
                if "edition" in check.asks_for:
                    given["edition"] = dice(self.secret, f"{self.workshop.problem_set.name}/{check.name}")
                check.function(**given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # pytest's own outcomes are none of Exception's children
            if isinstance(error, StuckError):
                _stuck.add(check.name)
            return error
        return None

    def _student(self) -> Student:
        if self._session is None or not self._session.open:
            self._end_session()
            exercise, mode, cpu_s = self._present
            self._session = self.workshop.begin(exercise, mode, cpu_s)
            with_torch = "torch" in wall_of(self.workshop.problem_set.name).packages
            self._fixture = Student(self._session, self._types, self._methods(), mode, with_torch)
        return self._fixture

    def _methods(self) -> frozenset[str]:
        functions = (name for exercise in self.workshop.problem_set.exercises for name in exercise.functions)
        return frozenset(name.partition(".")[2] for name in functions if "." in name)

    def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            self.workshop.end(session)


class StuckError(RuntimeError):
    """A check of ours does not come to its end: a fault of the suite, which must not hold up a class."""


_stuck: set[str] = set()  # the names of the checks that were, in this process


@contextmanager
def _own_time_limited(cpu_s: float) -> Iterator[None]:
    """End a check that uses too much of the grader's own CPU time; the student's runs elsewhere and is not counted."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only; a pool's workers grade in theirs
        return

    def give_up(*_: object) -> None:
        raise StuckError(f"the check itself used more than {cpu_s:g} s of CPU time")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _listed(ids: list[str]) -> str:
    return "exercise " + ids[0] if len(ids) == 1 else "exercises " + ", ".join(ids[:-1]) + " and " + ids[-1]

