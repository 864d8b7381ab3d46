"""One meeting of two players: two games from one opening, one with each colour. `play` is what a worker of the pool runs."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache

from arena.match import Entrant, play_match
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.result import Fault, MatchResult, PlayedGame
from autograder.challenge.contestant import GAME, NETWORK, OPEN
from autograder.challenge.entrants import player_sha256
from autograder.challenge.exam import bot
from autograder.challenge.field import BOT, Contender, sha256_as
from autograder.challenge.place import HostTrouble, Place
from autograder.challenge.rungs import PERFECT
from autograder.challenge.seat import LostGame, Seat, check_bots, enter, game_in_words
from autograder.challenge.sitting import Conditions
from autograder.challenge.weights import Weights, WeightsError, read_weights
from autograder.grading import submission as submissions
from autograder.grading.parcel import pack, unpack
from autograder.grading.room import temporary_room
from autograder.grading.submission import Submission

Line = tuple[int, ...]


@dataclass(frozen=True)
class Bout:
    """What is to be played; the key of a bout changes with whatever has a say in its games."""

    first: Contender
    second: Contender
    line: Line
    seed: int

    def key(self, fingerprint: str) -> str:
        """Return the name under which the result is kept; `fingerprint` is that of the grader, the edition and the ladder."""
        told = [fingerprint, *((one.id, one.kind, one.sha256, one.simulations) for one in (self.first, self.second)),
                self.line, self.seed]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


@dataclass(frozen=True)
class Played:
    """What came of a bout: two games as the first player's, what was seen of the players, and how long it took.

    overruns, uncounted: by the player's id; see `contestant.SandboxedPlayer`. `trouble`: why the host could not play it.
    """

    games: tuple[PlayedGame, ...] = ()
    overruns: dict[str, list[str]] = field(default_factory=dict)
    uncounted: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    trouble: str = ""

    @property
    def points(self) -> float:
        """The points of the first player, 0 to 2."""
        return sum(game.score for game in self.games)

    def to_json(self) -> str:
        """Return it as text."""
        return json.dumps(asdict(self), sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Played:
        """Read what to_json wrote.

        Raises:
            ValueError, KeyError, TypeError: the text is not a bout.
        """
        told = json.loads(text)
        return cls(**{**told, "games": tuple(map(_game, told["games"]))})


def _game(told: dict) -> PlayedGame:
    fault = told["fault"] and Fault(**told["fault"])
    return PlayedGame(**{**told, "actions": tuple(told["actions"]), "fault": fault})


class Unable:
    """Stands in for a player that cannot be made, and loses its games with the reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Lose the game.

        Raises:
            LostGame: always.
        """
        raise LostGame(self.reason)


def play(bout: Bout, conditions: Conditions) -> Played:
    """Play a bout; where the host failed twice, that is told as trouble, and nobody's loss."""
    started, place = time.monotonic(), Place()
    with ExitStack() as stack:
        try:
            pair = [stack.enter_context(_at_the_board(one, conditions, place)) for one in (bout.first, bout.second)]
            match = place.hold(lambda: _match(bout, *pair))
        except HostTrouble as trouble:
            return Played(trouble=str(trouble))
        seats = {one.id: seat.player for one, seat in zip((bout.first, bout.second), pair) if isinstance(seat, Seat)}
        overruns = {id: [one.sentence() for one in player.overruns] for id, player in seats.items() if player.overruns}
        uncounted = {id: player.uncounted for id, player in seats.items() if player.uncounted}
    return Played(tuple(map(game_in_words, match.games)), overruns, uncounted, round(time.monotonic() - started, 3))


def _match(bout: Bout, first: Entrant, second: Entrant) -> MatchResult:
    budgets = (bout.first.simulations, bout.second.simulations)
    match = play_match(GAME, first, second, 2, budgets, bout.seed, openings=[bout.line], progress=False)
    check_bots(match, {number for number, one in enumerate((bout.first, bout.second)) if one.kind == BOT})
    return match


@contextmanager
def _at_the_board(one: Contender, conditions: Conditions, place: Place) -> Iterator[Entrant]:
    """Make a player, and end it afterwards."""
    if one.kind == BOT:
        yield _perfect() if one.handle == PERFECT else bot(conditions.ladder.rung(one.handle))
        return
    try:
        submission, weights = _read(one)
        seat = enter(submission, conditions, weights, one.kind == OPEN, place)
    except (WeightsError, LostGame) as error:
        yield Unable(str(error))
        return
    try:
        yield seat
    finally:
        seat.close()


def _read(one: Contender) -> tuple[Submission, Weights | None]:
    """Read a player's submission, and its weights where it is a network.

    Raises:
        WeightsError: the weights cannot be read.
        HostTrouble: these are not the bytes that were listed, and the result would be kept under a wrong name.
    """
    with temporary_room() as room:
        unpack(pack(one.folder, one.ps), room)  # read once: what is hashed is what plays
        if one.sha256 != sha256_as(player_sha256(room, one.ps), one.kind):
            raise HostTrouble(f"the submission of {one.handle} is another one than when the players were listed")
        return submissions.read(room, one.ps), read_weights(room) if one.kind == NETWORK else None


@cache
def _perfect() -> PerfectPlayer:
    return PerfectPlayer(Solver())  # one for all bouts of this process: its answers do not depend on what it has seen
