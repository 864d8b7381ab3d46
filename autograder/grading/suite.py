"""Run a hidden suite over one submission: a pytest plugin that gives each exercise its fresh process.

For each exercise the checks run over ours (the exercises it calls are the reference's). If one fails they run
again over the student's own functions, in a second process; the better of the two counts.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.config import default_plugins
from _pytest.runner import runtestprotocol

from autograder.build.source import Exercise
from autograder.grading import recognise, verdict
from autograder.grading.attempt import EXERCISE_CPU_S, OURS, OWN, Workshop
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

REPOSITORY = Path(__file__).resolve().parents[2]
HIDDEN = REPOSITORY / "tests" / "hidden"
JOINT = "joint"
# What a hidden suite needs of pytest; each of its other parts would take its turn at every phase of every check.
PYTEST_PARTS = ("mark", "main", "runner", "fixtures", "helpconfig", "python", "assertion")
OWN_CPU_S = 30.0  # of the grader, a check; they need hundredths


@dataclass(eq=False)  # pytest keeps its plugins in sets
class SuiteRun:
    """The plugin. After `run`, `findings` holds for each exercise id what came of each of its checks."""

    workshop: Workshop
    secret: bytes
    only: str | None = None  # the name of a single check, for `explain`
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    broken_wall: WallError | None = None

    def run(self) -> None:
        """Collect the suite and run it. What goes wrong in the suite itself is in `errors`.

        Raises:
            WallError: this host cannot build the sandbox; the text says what to do.
        """
        code = _pytest_main(self.workshop.problem_set.name, [], [self])
        if self.broken_wall is not None:
            raise self.broken_wall
        if code != pytest.ExitCode.OK and not self.errors:
            self.errors.append(f"the hidden suite ended with exit code {int(code)}")

    # -- pytest's side ----------------------------------------------------------------------------

    @pytest.fixture
    def student(self) -> Student:
        """The submission, in the process of the present exercise."""
        return self._student()

    @pytest.fixture
    def edition(self, request: pytest.FixtureRequest) -> random.Random:
        """The dice of this edition for this check."""
        return dice(self.secret, f"{self.workshop.problem_set.name}/{request.node.name}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(str(report.longrepr))

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> None:
        if call.excinfo is not None and self._raised is None:
            self._raised = call.excinfo

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True
        self._types = import_module(f"tests.hidden.{self.workshop.problem_set.name}.conftest").TYPES
        groups = self._groups(session.items)
        for exercise in self.workshop.problem_set.exercises:
            if self.broken_wall is not None:
                return True
            if exercise.id in groups:
                self.findings[exercise.id] = self._exercise(exercise, groups[exercise.id])
            elif self.only is None:
                self.errors.append(f"exercise {exercise.id} has no hidden check")
        if JOINT in groups:
            self.findings[JOINT] = self._joint(groups[JOINT])
        return True

    def _groups(self, items: list[pytest.Item]) -> dict[str, list[pytest.Item]]:
        groups: dict[str, list[pytest.Item]] = {}
        for item in items:
            marker = item.get_closest_marker("exercise")
            if marker is None:
                self.errors.append(f"{item.nodeid} belongs to no exercise")
            elif self.only in (None, item.name):
                groups.setdefault(marker.args[0], []).append(item)
        return groups

    # -- one exercise -----------------------------------------------------------------------------

    def _exercise(self, exercise: Exercise, items: list[pytest.Item]) -> list[Finding]:
        over_ours = self._attempt(exercise, items, OURS)
        if verdict.outcome(over_ours) in (PASSED, NOT_WRITTEN):
            return over_ours
        return min(over_ours, self._attempt(exercise, items, OWN), key=verdict.rank)

    def _joint(self, items: list[pytest.Item]) -> list[Finding]:
        needed = self._needed(items)
        failed = [id for id in needed if id in self.findings and verdict.outcome(self.findings[id]) != PASSED]
        if not failed:
            return self._attempt(None, items, OWN)
        untouched = all(verdict.outcome(findings) == NOT_WRITTEN for findings in self.findings.values())
        waits = f"this check waits for {_listed(failed)}"
        return [Finding(item.name, _line(item), NOT_WRITTEN if untouched else NOT_YET, waits) for item in items]

    def _needed(self, items: list[pytest.Item]) -> list[str]:
        named = {id for item in items for id in item.get_closest_marker("exercise").kwargs.get("needs", ())}
        problem_set = self.workshop.problem_set
        if not named:
            return [exercise.id for exercise in problem_set.exercises]
        closed = named | {id for name in named for id in problem_set.exercise(name).calls}
        return [exercise.id for exercise in problem_set.exercises if exercise.id in closed]

    def _attempt(self, exercise: Exercise | None, items: list[pytest.Item], mode: str) -> list[Finding]:
        cpu_s = max(item.get_closest_marker("exercise").kwargs.get("cpu_s", EXERCISE_CPU_S) for item in items)
        self._present = (exercise, mode, cpu_s)
        self._session: Session | None = None
        self._company = Company()
        try:
            return self._findings(exercise, items)
        finally:
            self._end_session()
            self._company.leave()

    def _findings(self, exercise: Exercise | None, items: list[pytest.Item]) -> list[Finding]:
        findings: list[Finding] = []
        for item in items:
            if self.broken_wall is not None:
                break
            if findings and findings[-1].outcome == TOO_SLOW:
                findings.append(Finding(item.name, _line(item), TOO_SLOW, "not run: the time was used up before"))
                continue
            findings.append(self._check(item))
            if len(findings) == 1 and findings[0].outcome == NOT_WRITTEN and len(exercise.functions if exercise else ()) == 1:
                findings += [Finding(other.name, _line(other), NOT_WRITTEN, None) for other in items[1:]]
                break
        return findings

    def _check(self, item: pytest.Item, again: bool = False) -> Finding:
        self._raised: pytest.ExceptionInfo | None = None
        recognise.forget()
        with _own_time_limited():
            runtestprotocol(item, log=False, nextitem=None)
        error = self._raised.value if self._raised else None
        if isinstance(error, WallError):
            self.broken_wall = error
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
                    finding = self._check(item, again=True)
                    self._end_session()  # its process must not outlive the time alone
                return finding
        staff = "".join(traceback.format_exception(self._raised.value, limit=-4)) if self._raised else ""
        return verdict.finding(item.name, _line(item), _question(item), error, staff, self.workshop.submission)

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


def import_checks(name: str) -> None:
    """Import the checks of a problem set, so that processes forked from this one need not."""
    _pytest_main(name, ["--collect-only"], [])


def _pytest_main(name: str, options: list[str], plugins: list[object]) -> int:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    if str(REPOSITORY) not in sys.path:
        sys.path.insert(0, str(REPOSITORY))
    parts = [option for plugin in default_plugins if plugin not in PYTEST_PARTS for option in ("-p", f"no:{plugin}")]
    where = [str(HIDDEN / name), "-c", str(HIDDEN / "pytest.ini"), f"--rootdir={REPOSITORY}"]
    return pytest.main([*where, *parts, *options], plugins=plugins)


class StuckError(RuntimeError):
    """A check of ours does not come to its end: a fault of the suite, which must not hold up a class."""


@contextmanager
def _own_time_limited() -> Iterator[None]:
    """End a check that uses too much of the grader's own CPU time; the student's runs elsewhere and is not counted."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only; a pool's workers grade in theirs
        return

    def give_up(*_: object) -> None:
        raise StuckError(f"the check itself used more than {OWN_CPU_S:g} s of CPU time")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, OWN_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _line(item: pytest.Item) -> str:
    """Return the first line of a check's docstring: the sentence that the student reads."""
    return (item.function.__doc__ or item.name.replace("_", " ")).strip().splitlines()[0]


def _question(item: pytest.Item) -> str | None:
    marker = item.get_closest_marker("hint")
    return marker.args[0] if marker else None


def _listed(ids: list[str]) -> str:
    return "exercise " + ids[0] if len(ids) == 1 else "exercises " + ", ".join(ids[:-1]) + " and " + ids[-1]

