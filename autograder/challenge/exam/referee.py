"""The referee of a student's player: a failure of the player loses the game, but a failure of the host does not.

If a failure could be the host's, our own player is asked for the same move (see `ReferenceRun`). If our player moves, the failure
was the student's. If our player fails as well, the pair of games is played again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from arena.challenge.match import Line, play_pair
from arena.match import LostGame, MatchPlayer
from arena.result import MatchResult
from arena.weights_file import WeightsError
from autograder.challenge.model import Conditions
from autograder.challenge.player.place import HostFailure, Place
from autograder.challenge.player.query_budget import State
from autograder.challenge.player.reference import ReferenceRun
from autograder.challenge.player.sandboxed import SandboxedPlayer, contestant
from autograder.challenge.player.weights import Weights
from autograder.grading.outcomes import sentence
from autograder.sandbox.errors import HostKill, Overdrawn, StudentError, WallClockTimeout
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import WALL_FACTOR
from autograder.submission.read import Submission

EXAM_WAIT_S = 60.0  # the grader waits at most so long, plus WALL_FACTOR times the CPU time, for all games of an exam
KILLED = "your code's process was killed because memory ran out; our own player ran without this failure"
BROKE_OUT = "your code's sandbox ended together with your code; our own player ran without this failure"
UNREADABLE = "your code gave an answer that cannot be read"
NO_MOVE = "your code gave no move"


@dataclass
class RefereedPlayer:
    """A student's player in matches.

    `gone` is set when the grader has waited too long for the player in all; then the remaining games are lost unplayed.
    """

    player: SandboxedPlayer
    submission: Submission
    place: Place
    reference: ReferenceRun
    gone: LostGame | None = None
    _lost: LostGame | None = None  # set if the present game was lost before its first move

    def new_game(self) -> None:
        """Begin a game in a new process; if that fails, the game is lost at its first move."""
        self._lost = self.gone
        if self.gone is not None:
            return
        too_long = False
        try:
            self.place.take(self.player)
            self.player.end()  # now its whole CPU time is counted
            too_long = self.player.waited_s > EXAM_WAIT_S + WALL_FACTOR * self.player.runner.cpu_s
            if too_long:
                raise WallClockTimeout("all games together take too long")
            self.player.new_game()
        except Exception as error:
            self._lost = self._loss(error)
            self.gone = self._lost if too_long else None

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's move.

        Raises:
            LostGame: the player gave no move. HostFailure: on this host, our own player gave no move either.
        """
        if self._lost is not None:
            raise self._lost
        try:
            return self.player.choose(state, simulations, rng)
        except Exception as error:
            raise self._loss(error, state, simulations) from error

    def close(self) -> None:
        """End the player and its sandbox."""
        self.place.leave()
        self.player.end()
        self.player.runner.close()

    def pair(self, player: MatchPlayer, other: MatchPlayer, budgets: tuple[int, int], seed: int, line: Line) -> MatchResult:
        """Play a pair of games (see `match.play_pair`), and again after a failure of the host."""

        def play() -> MatchResult:
            match = play_pair(player, other, budgets, seed, line)
            check_bots(match, {1})
            return match

        return self.place.hold(play)

    def _loss(self, error: Exception, state: State | None = None, simulations: int = 0) -> LostGame:
        """Return the loss that follows from an error; raise HostFailure if our own player fails as well."""
        if may_be_the_hosts(error):
            self.reference.ask(error, self.player, state, simulations)
        return LostGame(_words_of(error, self.submission))


def enter(
    submission: Submission, conditions: Conditions, weights: Weights | None = None, kind: str = "",
    place: Place | None = None,
) -> RefereedPlayer:
    """Return a submission's player; `close()` ends it. It gets its own place unless `place`, shared with its opponent, is given.

    Raises:
        WeightsError, LostGame: the player cannot begin; the text is written for the student.
        HostFailure: our own player cannot begin either.
    """
    place = place or Place()
    reference = ReferenceRun(submission.problem_set, conditions.ladder, place, conditions.sandbox)

    def made() -> SandboxedPlayer:
        place.enter()
        try:
            return contestant(submission, conditions.ladder, weights, secret=conditions.secret,
                              sandboxed=conditions.sandbox, kind=kind)
        except WeightsError:
            raise
        except Exception as error:
            if may_be_the_hosts(error):
                reference.ask(error)
            raise LostGame(_words_of(error, submission)) from error

    return RefereedPlayer(place.hold(made), submission, place, reference)


def may_be_the_hosts(error: Exception) -> bool:
    """Say whether an error during a student's move may come from the host or from our own code."""
    return not isinstance(error, (StudentError, NotImplementedError)) or isinstance(error, (HostKill, WallClockTimeout))


def _words_of(error: Exception, submission: Submission) -> str:
    """Describe an error in a student's player, for the student."""
    if isinstance(error, NotImplementedError):
        return "your code says that something in it is not written yet"
    if isinstance(error, HostKill) and not isinstance(error, Overdrawn):
        return KILLED
    if isinstance(error, SandboxDied):
        return BROKE_OUT
    return (sentence(error, submission, quoting=False) or NO_MOVE) if isinstance(error, StudentError) else UNREADABLE


def check_bots(match: MatchResult, bots: set[int]) -> None:
    """Raise HostFailure if one of our bots (given as places in the match) gave no move: a game without a move has no winner."""
    for fault in match.faults:
        if fault.by in bots:
            raise HostFailure(f"the bot gave no move: {fault.reason}")
