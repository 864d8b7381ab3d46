"""The reference run decides whether the host or the student's player failed: our own player is asked on the same host.

A student's player may give no move because of the host: its process was killed because memory ran out, its sandbox died, the
answer took too long, or our own code raised an exception. Then the reference solution of the same set is asked for the same
move: in a fresh sandbox of the same kind, with the same limits, while no other exercise runs here. If it moves, the host is
sound, and the student's player has lost its game. So no student gets another game by failing.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from arena.challenge.ladder import Ladder
from autograder.challenge.player.place import HostBusy, HostFailure, Place
from autograder.challenge.player.query_budget import State
from autograder.challenge.player.sandboxed import GAME, SandboxedPlayer
from autograder.grading.reference import our_submission
from autograder.grading.submission_runner import SubmissionRunner, close_idle
from autograder.problem_sets.source import ProblemSet
from autograder.sandbox.errors import TooSlow, WallClockTimeout
from autograder.sandbox.session import WALL_FACTOR

MOST_REFERENCE_RUNS = 3  # in one exam or meeting that found the host sound; after them, every failure is the player's
# The host is too busy to judge a slow answer if our own player waits longer than SLACK_S + MOST_WAITING * (its CPU time).
SLACK_S, MOST_WAITING = 0.5, WALL_FACTOR / 2  # half of the wait that a student's player is allowed


@dataclass
class ReferenceRun:
    """Asks our own player of a problem set after a student's player failed. `sound` counts how often the host was sound."""

    problem_set: ProblemSet
    ladder: Ladder
    place: Place
    sandboxed: bool = True
    sound: int = 0

    def ask(
        self, error: Exception, player: SandboxedPlayer | None = None, state: State | None = None, simulations: int = 0
    ) -> None:
        """Ask our own player for the move at which a student's player failed with `error`; return if our player moves.

        After MOST_REFERENCE_RUNS reference runs that passed, return at once.

        Args:
            player: the student's player, if it was made; its sandbox ends, so that it cannot disturb the reference run.
            state, simulations: the question to the student's player; without them, the first move of a game.

        Raises:
            HostFailure: our own player fails as well.
            HostBusy: the student's player did not answer in time, and our own player has to wait for the host as well.
        """
        if self.sound >= MOST_REFERENCE_RUNS:
            return
        with self.place.alone():
            if player is not None:
                player.end()
                player.runner.close()
            close_idle()
            failed, waited_s, cpu_s = _tried(
                self, GAME.start() if state is None else state, simulations or self.ladder.student_simulations)
        reason = f"{type(error).__name__}: {error}; our own player"
        if failed:
            raise HostFailure(f"{reason} failed as well ({failed})") from error
        if isinstance(error, WallClockTimeout) and waited_s > SLACK_S + MOST_WAITING * cpu_s:
            raise HostBusy(f"{reason} waited {waited_s:.1f} s for {cpu_s:.1f} s of CPU time: the host is too busy") from error
        self.sound += 1


def _tried(run: ReferenceRun, state: State, simulations: int) -> tuple[str, float, float]:
    """Let our own player begin a game and move at `state`; return its failure ("" if none), its wall time and its CPU time."""
    runner = SubmissionRunner(our_submission(run.problem_set), sandboxed=run.sandboxed)
    player, failed, begin_s = SandboxedPlayer(runner, run.ladder, kind=run.problem_set.facts.player), "", time.monotonic()
    try:
        runner.sandbox()
        begin_s = time.monotonic()  # the start of the sandbox does not count: it is slow on every host
        player.new_game()
        GAME.play(state, player.choose(state, simulations, random.Random(0)))
    except TooSlow:  # our player worked all the time: the ladder asks for much work, and the host is sound
        pass
    except Exception as error:  # no student's code takes part, so any exception is the host's or ours
        failed = f"{type(error).__name__}: {error}"
    finally:
        waited_s = time.monotonic() - begin_s
        player.end()
        runner.close()
    return failed, waited_s, runner.cpu_s
