"""Who failed, the host or the player? Our own player answers, on the same host, right then.

When a student's player gives no move and that could be the host's doing (its process was killed for want of memory, its
sandbox died, no answer came for long, or our own code met an exception), the reference solution of the same set is asked for
the same move: in a fresh sandbox of the same kind, with the same limits, while no other exercise runs here. If it moves, the
host is sound, and the player has lost its game. So nobody earns another game by failing.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from autograder.challenge.ladder import Ladder
from autograder.challenge.player.place import HostBusy, HostFailure, Place
from autograder.challenge.player.query_budget import State
from autograder.challenge.player.sandboxed import GAME, SandboxedPlayer
from autograder.grading.control import our_submission
from autograder.grading.submission_runner import SubmissionRunner, close_idle
from autograder.problem_sets.source import load
from autograder.sandbox.errors import Asleep, TooSlow
from autograder.sandbox.session import WALL_FACTOR

MOST_CONTROLS = 3  # that found the host sound, in one exam or meeting: who fails once more is not worth another one
# Of our own player, that make the host too busy to hold a pause against anybody: half of what a player may keep us waiting.
SLACK_S, MOST_WAITING = 0.5, WALL_FACTOR / 2


@dataclass
class Control:
    """Asks our own player of a problem set where a student's failed. `sound` counts how often the host was found so."""

    problem_set: str
    ladder: Ladder
    place: Place
    walled: bool = True
    sound: int = 0

    def ask(
        self, error: Exception, player: SandboxedPlayer | None = None, state: State | None = None, simulations: int = 0
    ) -> None:
        """Let our own player do what a student's failed to do with `error`; return when it does it, or has done so before.

        Args:
            player: whose failure it is, where there is one already; its sandbox ends, so that nothing of it is in the way.
            state, simulations: what it was asked; without them, and without a budget, what a game begins with.

        Raises:
            HostFailure: our own player fails as well.
            HostBusy: a student's player did not answer in time, and our own waits for the host as well.
        """
        if self.sound >= MOST_CONTROLS:
            return
        with self.place.alone():
            if player is not None:
                player.end()
                player.runner.close()
            close_idle()
            failed, waited_s, cpu_s = _tried(
                self, GAME.start() if state is None else state, simulations or self.ladder.student_simulations)
        said = f"{type(error).__name__}: {error}; our own player"
        if failed:
            raise HostFailure(f"{said} failed as well ({failed})") from error
        if isinstance(error, Asleep) and waited_s > SLACK_S + MOST_WAITING * cpu_s:
            raise HostBusy(f"{said} waited {waited_s:.1f} s for {cpu_s:.1f} s of CPU time: the host is too busy") from error
        self.sound += 1


def _tried(control: Control, state: State, simulations: int) -> tuple[str, float, float]:
    """Let our own player begin a game and choose at `state`; return why it could not, and its seconds by clock and CPU."""
    runner = SubmissionRunner(load(control.problem_set), our_submission(control.problem_set), walled=control.walled)
    player, failed, begin_s = SandboxedPlayer(runner, control.ladder), "", time.monotonic()
    try:
        runner.sandbox()
        begin_s = time.monotonic()  # to start a sandbox takes its time everywhere
        player.new_game()
        GAME.play(state, player.choose(state, simulations, random.Random(0)))
    except TooSlow:  # it was at work all the time: a ladder that asks much
        pass
    except Exception as error:  # whatever it is, nothing of a student's had a part in it
        failed = f"{type(error).__name__}: {error}"
    finally:
        waited_s = time.monotonic() - begin_s
        player.end()
        runner.close()
    return failed, waited_s, runner.cpu_s
