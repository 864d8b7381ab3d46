"""A student's player at the grader's board: its mistakes in the reports' words, and the host's troubles kept from it.

A pair of games that the host may have spoilt is played again while no other exercise runs here. What goes wrong then as
well is the player's own doing if it can be (it sleeps, it starts processes), else a fault of the grader's.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.match import Entrant
from arena.result import Fault, MatchResult, PlayedGame
from autograder.challenge.contestant import HostTrouble, SandboxedPlayer
from autograder.challenge.exam import Line, play_pair
from autograder.grading.company import Company
from autograder.grading.submission import Submission
from autograder.grading.verdict import sentence
from autograder.sandbox.errors import Asleep, Overdrawn, StudentError
from autograder.sandbox.session import WALL_FACTOR

Played = TypeVar("Played")
MOST_BLAMED = 3
# Whoever waits for longer in all, and so many times as long as it works, sleeps: no guard over a single move sees that.
MOST_WAITED_S, MOST_WAITED = 1800.0, 20.0


class LostGame(Exception):
    """The player has lost this game off the board; the text is what a student may read of it."""


@dataclass
class Seat:
    """Plays a student's player in matches.

    `alone` is set while the host can be blamed for nothing. `blamed` counts what can be the player's own doing, alone or not;
    after MOST_BLAMED such cases it is not asked twice any more: a sleeper would hold up a class, and who sleeps whenever a
    game is lost would play every such game again.
    """

    player: SandboxedPlayer
    submission: Submission
    alone: bool = False
    blamed: int = 0
    _waited_s: float = 0.0  # for moves, by the clock
    _lost: LostGame | None = None

    def new_game(self) -> None:
        """Begin a game in a new process; what goes wrong with that loses the game at its first move."""
        self._lost = None
        try:
            if self._waited_s > MOST_WAITED_S + MOST_WAITED * self.player.workshop.cpu_s:
                raise LostGame(sentence(Asleep(""), self.submission))
            self._told(self.player.new_game)
        except LostGame as error:
            self._lost = error

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Return the student's move.

        Raises:
            LostGame: the player gave none. HostTrouble: it could not.
        """
        if self._lost is not None:
            raise self._lost
        begin = time.monotonic()
        try:
            return self._told(self.player.choose, state, simulations, rng)
        finally:  # one long pause of the whole host counts no more than the guard over a move lets pass
            self._waited_s += min(time.monotonic() - begin, WALL_FACTOR * self.player.ladder.move_cpu_s)

    def _told(self, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except (StudentError, NotImplementedError) as error:
            raise LostGame(words_of(error, self.submission)) from error
        except HostTrouble as trouble:
            own_doing = isinstance(trouble.__cause__, (Asleep, Overdrawn))
            self.blamed += own_doing
            if own_doing and (self.alone or self.blamed > MOST_BLAMED):
                raise LostGame(sentence(trouble.__cause__, self.submission)) from trouble
            raise
        except Exception as error:  # ours: a match would count it as the player's loss
            raise HostTrouble(f"{type(error).__name__}: {error}") from error

    def pair(self, player: Entrant, other: Entrant, budgets: tuple[int, int], seed: int, line: Line) -> MatchResult:
        """Play a pair of games (see `exam.play_pair`), again when the host got in the way; the faults in a student's words."""
        return self.in_company(lambda: _match_in_words(play_pair(player, other, budgets, seed, line)))

    def in_company(self, play: Callable[[], Played]) -> Played:
        """Play beside the other exercises of this host; once more, alone, when the host got in the way.

        Raises:
            HostTrouble: twice, so that it cannot be judged here.
        """
        company = Company()
        try:
            return play()
        except HostTrouble:
            self.player.end()
            with company.alone():
                return self._alone(play)
        finally:
            self.player.end()  # nobody's process waits in the company of others
            company.leave()

    def _alone(self, play: Callable[[], Played]) -> Played:
        self.alone = True
        try:
            return play()
        finally:
            self.alone = False
            self.player.end()


def words_of(error: Exception, submission: Submission) -> str:
    """Return what a student may read of what went wrong in their player."""
    if isinstance(error, NotImplementedError):
        return "your code says that something in it is not written yet"
    return sentence(error, submission) or "your code gave no move"


def _match_in_words(match: MatchResult) -> MatchResult:
    """Return a student's match against a bot with its faults in a student's words."""
    check_bots(match, {1})
    return MatchResult(match.names, tuple(map(game_in_words, match.games)))


def check_bots(match: MatchResult, bots: set[int]) -> None:
    """Raise HostTrouble when one of ours, given as places in the match, gave no move: nobody wins by that."""
    for fault in match.faults:
        if fault.by in bots:
            raise HostTrouble(f"the bot gave no move: {fault.reason}")


def game_in_words(game: PlayedGame) -> PlayedGame:
    """Return the game with its fault, if it has one, in a student's words."""
    if game.fault is None:
        return game
    fault = Fault(game.fault.by, in_words(game.fault.reason))
    return PlayedGame(game.actions, game.num_opening, game.colour, game.score, fault)


def in_words(reason: str) -> str:
    """Return a fault's reason without the name of our own error."""
    return reason.removeprefix(f"{LostGame.__name__}: ")

