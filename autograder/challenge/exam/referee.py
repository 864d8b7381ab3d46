"""A student's player at the grader's board: what goes wrong with it is its loss, in the reports' words, unless the host failed.

A failure that could be the host's is the player's own when our own player moves in its place (see `control`). Only where ours
fails as well is the pair played again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from arena.match import Entrant
from arena.result import Fault, MatchResult, PlayedGame
from autograder.challenge.exam.match import Line, play_pair
from autograder.challenge.model import Conditions
from autograder.challenge.player.control import Control
from autograder.challenge.player.place import HostFailure, Place
from autograder.challenge.player.query_budget import State
from autograder.challenge.player.sandboxed import SandboxedPlayer, contestant
from autograder.challenge.player.weights import Weights, WeightsError
from autograder.grading.outcomes import sentence
from autograder.sandbox.errors import Asleep, HostKill, Overdrawn, StudentError
from autograder.sandbox.sandbox import SandboxDied
from autograder.sandbox.session import WALL_FACTOR
from autograder.submission.read import Submission

EXAM_WAIT_S = 60.0  # all games of an exam may keep the grader waiting so long, and WALL_FACTOR times their CPU time beyond
KILLED = "your code's process was killed for want of memory, and our own player's was not"
BROKE_OUT = "your code's sandbox ended with it, and our own player's did not"
UNREADABLE = "your code gave an answer that cannot be read"
NO_MOVE = "your code gave no move"


class LostGame(Exception):
    """The player has lost this game off the board; the text is what a student may read of it."""


@dataclass
class RefereedPlayer:
    """Plays a student's player in matches.

    `gone` is set once the player has kept the grader waiting for too long in all: the games that are left are lost unasked.
    """

    player: SandboxedPlayer
    submission: Submission
    place: Place
    control: Control
    gone: LostGame | None = None
    _lost: LostGame | None = None  # the present game, before its first move

    def new_game(self) -> None:
        """Begin a game in a new process; what goes wrong with that loses the game at its first move."""
        self._lost = self.gone
        if self.gone is not None:
            return
        too_long = False
        try:
            self.place.take(self.player)
            self.player.end()  # now all its CPU time is on the account
            too_long = self.player.waited_s > EXAM_WAIT_S + WALL_FACTOR * self.player.runner.cpu_s
            if too_long:
                raise Asleep("all games together take too long")
            self.player.new_game()
        except Exception as error:
            self._lost = self._loss(error)
            self.gone = self._lost if too_long else None

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's move.

        Raises:
            LostGame: the player gave none. HostFailure: the host let nobody move.
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

    def pair(self, player: Entrant, other: Entrant, budgets: tuple[int, int], seed: int, line: Line) -> MatchResult:
        """Play a pair of games (see `match.play_pair`), again when the host failed; the faults in a student's words."""
        return self.place.hold(lambda: _match_in_words(play_pair(player, other, budgets, seed, line)))

    def _loss(self, error: Exception, state: State | None = None, simulations: int = 0) -> LostGame:
        """Return the loss that an error is, unless our own player shows that the host failed; then it is raised."""
        if may_be_the_hosts(error):
            self.control.ask(error, self.player, state, simulations)
        return LostGame(_words_of(error, self.submission))


def enter(
    submission: Submission, conditions: Conditions, weights: Weights | None = None, open_class: bool = False,
    place: Place | None = None,
) -> RefereedPlayer:
    """Return a submission's player, at a place of its own unless it shares one with whom it meets; `close()` ends it.

    Raises:
        WeightsError, LostGame: it cannot begin; the text is what a student may read.
        HostFailure: no player can.
    """
    place = place or Place()
    control = Control(submission.problem_set, conditions.ladder, place, conditions.sandbox)

    def made() -> SandboxedPlayer:
        place.enter()
        try:
            return contestant(submission, conditions.ladder, weights, secret=conditions.secret,
                              walled=conditions.sandbox, open_class=open_class)
        except WeightsError:
            raise
        except Exception as error:
            if may_be_the_hosts(error):
                control.ask(error)
            raise LostGame(_words_of(error, submission)) from error

    return RefereedPlayer(place.hold(made), submission, place, control)


def may_be_the_hosts(error: Exception) -> bool:
    """Say whether what went wrong while a student's player was asked may be the host's doing, or that of our own code."""
    return not isinstance(error, (StudentError, NotImplementedError)) or isinstance(error, (HostKill, Asleep))


def _words_of(error: Exception, submission: Submission) -> str:
    """Return what a student may read of what went wrong in their player."""
    if isinstance(error, NotImplementedError):
        return "your code says that something in it is not written yet"
    if isinstance(error, HostKill) and not isinstance(error, Overdrawn):
        return KILLED
    if isinstance(error, SandboxDied):
        return BROKE_OUT
    return (sentence(error, submission, quoting=False) or NO_MOVE) if isinstance(error, StudentError) else UNREADABLE


def _match_in_words(match: MatchResult) -> MatchResult:
    """Return a student's match against a bot with its faults in a student's words."""
    check_bots(match, {1})
    return MatchResult(match.names, tuple(map(game_in_words, match.games)))


def check_bots(match: MatchResult, bots: set[int]) -> None:
    """Raise HostFailure when one of ours, given as places in the match, gave no move: nobody wins by that."""
    for fault in match.faults:
        if fault.by in bots:
            raise HostFailure(f"the bot gave no move: {fault.reason}")


def game_in_words(game: PlayedGame) -> PlayedGame:
    """Return the game with its fault, if it has one, in a student's words."""
    if game.fault is None:
        return game
    fault = Fault(game.fault.by, in_words(game.fault.reason))
    return PlayedGame(game.actions, game.num_opening, game.colour, game.score, fault)


def in_words(reason: str) -> str:
    """Return a fault's reason without the name of our own error."""
    return reason.removeprefix(f"{LostGame.__name__}: ")
