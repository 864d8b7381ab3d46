"""The student's player in the grader's hands: `uct` in its sandbox, a new process for every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arena.games import ConnectFour
from autograder.challenge.rungs import Ladder
from autograder.grading.attempt import OWN, Workshop
from autograder.grading.report import PASSED, Report
from autograder.grading.student import Student
from autograder.grading.types import integer, node, tupleof
from autograder.sandbox.errors import Asleep, HostKill, NotWritten, TooSlow
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import Session

GAME = ConnectFour()
TYPES = {"uct": tupleof(integer, node)}


class HostTrouble(BaseException):
    """The host, not the student's player, ended a game: no loss, and no ordinary exception that a match would count."""


@dataclass
class SandboxedPlayer:
    """Answers `choose` with the student's own `uct`; what it keeps between moves ends with the game.

    A move or a game that takes too much CPU time, an exception, a crash or an answer that is no column is raised here,
    and loses the game; NotImplementedError ends the match. `simulations` counts what was asked for in all games;
    `workshop.cpu_s` is what they took.
    """

    workshop: Workshop
    ladder: Ladder
    simulations: int = 0
    _session: Session | None = None

    def new_game(self) -> None:
        """End the process of the game before, if there was one, and begin a new one."""
        self.end()
        with _host_trouble():
            self._session = self.workshop.begin(None, OWN, self.ladder.move_cpu_s)
        self._student = Student(self._session, TYPES, frozenset(), OWN)

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Return the student's move; `rng` gives the seed of the generator over there."""
        session = self._session
        with _host_trouble():
            session.allow(self.ladder.move_cpu_s)
            if session.cpu_used_s > self.ladder.game_cpu_s:
                raise TooSlow(f"more than {self.ladder.game_cpu_s:g} s of CPU time in one game")
            action, _ = self._student.uct(GAME, state, self._student.rng(rng.getrandbits(63)), simulations=simulations)
            session.check_time()
        self.simulations += simulations
        return action

    def end(self) -> None:
        """End the process of the present game."""
        session, self._session = self._session, None
        if session is not None:
            self.workshop.end(session)

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of CPU time, loading and the end of every game included."""
        return self.simulations / self.workshop.cpu_s if self.workshop.cpu_s else 0.0


@contextmanager
def _host_trouble() -> Iterator[None]:
    """Keep what the host does to a game apart from what its player does."""
    try:
        yield
    except (HostKill, SandboxDied, Asleep) as error:
        raise HostTrouble(str(error)) from error
    except NotWritten as error:
        raise NotImplementedError("uct is not written yet, or something that it calls") from error


def is_ready(report: Report) -> bool:
    """Say whether a submission may enter: its joint check passed, because strength does not prove correctness."""
    return any(exercise.id == "joint" and exercise.outcome == PASSED for exercise in report.exercises)
