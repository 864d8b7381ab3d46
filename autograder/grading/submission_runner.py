"""One exercise in one fresh process: the submission is loaded, and the exercises that it calls are ours or the student's."""

from __future__ import annotations

import marshal
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from types import CodeType
from typing import Any

import numpy as np

from autograder.problem_sets.source import Exercise, ProblemSet
from autograder.sandbox.errors import HostKill, StudentError, TooSlow, Unsendable, label, readable
from autograder.sandbox.profiles import SandboxProfile, profile_of
from autograder.sandbox.sandbox import Sandbox, SandboxDied
from autograder.sandbox.session import WALL_FACTOR, WALL_TIMEOUT_S, Session
from autograder.submission.given import given_statements
from autograder.submission.read import Submission

LOAD_CPU_S = 5.0
EXERCISE_CPU_S = 6.0  # the reference needs much less than a tenth of this for every exercise
SUBMISSION_CPU_S = 150.0
# In wall-clock time, all exercises together: else a submission that waits a little in each exercise would hold a worker for as
# long as it likes. A busy host lets a submission wait in proportion to its CPU time: WALL_FACTOR times this time is excused.
SUBMISSION_WALL_S = 2 * SUBMISSION_CPU_S
MOST_EXCUSED_S = 2 * SUBMISSION_WALL_S  # so that no submission holds a worker for more than a quarter of an hour
MOST_SLEEPS = 3
OTHERS_WAIT_TIMEOUT_S = 10.0  # while no other exercise runs on this host
SLEEPER_TIMEOUT_S = 5.0  # for a submission that slept before, also while it runs alone
MOST_COMPILED_BYTES = 2**20  # beside the source, in one message
OURS, OWN = "ours", "own"


@dataclass(frozen=True)
class Budget:
    """What all processes of a submission may use together.

    cpu_s: CPU time. wall_s: time by the clock from their start to their end, beyond what a busy host excuses.
    """

    cpu_s: float = SUBMISSION_CPU_S
    wall_s: float = SUBMISSION_WALL_S


NO_BUDGET = Budget(math.inf, math.inf)  # for players: an exam lasts as long as its games, and has limits of its own


def budget_under(limits_s: Iterable[tuple[str, float]]) -> Budget:
    """Return the budget of a submission under these limits: more for each longer exercise.

    Twice: the checks of an exercise run over ours, and over the student's own functions.
    """
    more_s = 2 * sum(max(0.0, seconds - EXERCISE_CPU_S) for _, seconds in limits_s)
    return Budget(SUBMISSION_CPU_S + more_s, SUBMISSION_WALL_S + 2 * more_s)


_idle: dict[SandboxProfile, Sandbox] = {}  # one for each profile: its zygote has run no student code, and its namespace is empty


def close_idle() -> None:
    """End the sandbox that waits for this process's next submission."""
    while _idle:
        _idle.popitem()[1].close()


Finalize(None, close_idle, exitpriority=1)  # in workers too, where atexit does not run


class SpentError(TooSlow):
    """The submission has used up its limit for all exercises."""


@dataclass
class SubmissionRunner:
    """The state of one submission's grading: the sandbox, and the results of loading.

    `cpu_s` and `wall_s` are the submission's total CPU time and wall-clock time; its `budget` limits both. `sleeps` counts the
    exercises that let the grader wait, even while they ran alone. `definitions_only` is set after whole cells failed to load,
    and `spent` after the budget was used up.
    """

    submission: Submission
    sandboxed: bool = True
    budget: Budget = Budget()
    trace: Any = None  # for `explain`: gets the begin and the end of each check, and each session
    cpu_s: float = 0.0
    wall_s: float = 0.0
    sleeps: int = 0
    definitions_only: bool = False
    spent: bool = False
    problems: list[tuple[str, int, str, str]] | None = None
    _alone: bool = False
    _sandbox: Sandbox | None = None
    _compiled: bool = False
    _code: np.ndarray | None = None  # the code of the cells: the first process compiles it before it runs any cell

    @property
    def problem_set(self) -> ProblemSet:
        """The submission's problem set."""
        return self.submission.problem_set

    @property
    def wall_timeout_s(self) -> float:
        """How long the grader waits for an exercise."""
        return SLEEPER_TIMEOUT_S if self.sleeps else OTHERS_WAIT_TIMEOUT_S if self._alone else WALL_TIMEOUT_S

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Shorten the wall-clock timeout until the end of the block: other exercises wait for this one."""
        self._alone = True
        try:
            yield
        finally:
            self._alone = False

    def sandbox(self) -> Sandbox:
        """Return a sandbox for one exercise: the same one again if each worker has its own user id."""
        if self._sandbox is not None and not self._sandbox.reusable:
            self.close()
        if self._sandbox is None:
            profile = profile_of(self.problem_set.facts)
            idle = _idle.pop(profile, None) if self.sandboxed else None
            if idle is not None and not idle.alive:  # it was killed while it waited
                idle.close()
                idle = None
            self._sandbox = idle or Sandbox(profile, sandboxed=self.sandboxed)
        return self._sandbox

    def close(self) -> None:
        """Leave the sandbox to this process's next submission, or end it if exercises must not share one."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is None:
            return
        if sandbox.sandboxed and sandbox.reusable and sandbox.profile not in _idle:  # one without isolation waits for nobody
            _idle[sandbox.profile] = sandbox
        else:
            sandbox.close()

    def begin(self, exercise: Exercise | None, mode: str, cpu_s: float, process_cpu_s: float | None = None) -> Session:
        """Load the submission in a new process and return the conversation with it.

        Args:
            exercise: in mode "ours", our functions replace the exercises that it calls; None for the joint check.
            cpu_s: CPU time for the checks of the exercise, after loading.
            process_cpu_s: CPU time of the whole process after loading, if `allow` gives it more than once; else `cpu_s`.

        Raises:
            StudentError: the submission cannot be loaded, or its budget is used up.
        """
        waited_s = self.wall_s - min(WALL_FACTOR * self.cpu_s, MOST_EXCUSED_S)
        if self.cpu_s > self.budget.cpu_s or waited_s > self.budget.wall_s or self.sleeps >= MOST_SLEEPS:
            self.spent = True
            raise SpentError("the time for the whole submission is used up")
        session = self._loaded(cpu_s if process_cpu_s is None else process_cpu_s)
        if self.trace is not None:
            self.trace.watch(session)
        try:
            ours = self.problem_set.ours_for(exercise) if mode == OURS and exercise is not None else ()
            if ours:
                session.request("rebind", _ours(self.problem_set, ours))
            session.allow(cpu_s, self.wall_timeout_s)
        except StudentError:
            self.end(session)
            raise
        return session

    def _loaded(self, process_cpu_s: float) -> Session:
        cells = [list(cell) for cell in self.submission.code()]
        given = given_statements(self.problem_set)
        while True:
            limits = {"cpu_s": LOAD_CPU_S, "hard_cpu_s": LOAD_CPU_S + process_cpu_s, "wall_timeout_s": self.wall_timeout_s}
            session = Session(self.sandbox(), **limits)
            try:
                if not self._compiled and not self.definitions_only:
                    self._code, self._compiled = _code_of(session, cells), True
                problems = session.request("load", cells, self.definitions_only, given, self.problem_set.name, self._code)
                self._remember(problems)
                return session
            except StudentError as error:  # Raised too: code that damages the loader itself
                self.end(session)
                if self.definitions_only or isinstance(error, HostKill):
                    raise
                self.definitions_only = True

    def _remember(self, problems: Any) -> None:
        """Keep the problems of loading, if they have the form of our loader's problems."""
        if self.problems is not None or type(problems) is not list:
            return
        self.problems = [
            (label(problem[0]), problem[1], label(problem[2]), readable(problem[3]))
            for problem in problems[:50]
            if type(problem) is list and [type(part) for part in problem] == [str, int, str, str]
        ]

    def end(self, session: Session) -> None:
        """End the process and add its time to the submission's account."""
        try:
            session.close()
        except SandboxDied:
            pass  # the next session notices it, or has noticed it already
        self.charge(session.cpu_used_s, session.wall_s)

    def charge(self, cpu_s: float, wall_s: float) -> None:
        """Add the time of a process that has ended to the submission's account."""
        self.cpu_s += cpu_s
        self.wall_s += wall_s


@cache
def _ours(problem_set: ProblemSet, ids: tuple[str, ...]) -> np.ndarray:
    """Return our functions of these exercises in the format of `marshal`: the code of their imports, then (name, code) of each.

    They are compiled once for all submissions; the sandbox has the same interpreter as the grader.
    """
    reference = problem_set.reference(ids)
    functions = [(name, _compiled(source)) for name, source in reference.functions]
    return np.frombuffer(marshal.dumps((_compiled(reference.imports), functions)), "u1")


def _compiled(source: str) -> CodeType:
    return compile(source, "<reference>", "exec")  # inherits `annotations` from this file: annotations stay text


def _code_of(session: Session, cells: list[list[str]]) -> np.ndarray | None:
    """Let a process that has run nothing yet compile the cells, so that the other processes need not.

    The answer goes only to processes of this submission, and the grader does not look into it. None if it is too large
    for a message: then each process compiles for itself.
    """
    try:
        code = session.request("compile", cells)
    except Unsendable:
        return None
    fits = isinstance(code, np.ndarray) and code.dtype == np.uint8 and code.ndim == 1 and code.nbytes <= MOST_COMPILED_BYTES
    return code if fits else None
