"""One meeting of two players: two games from one opening, one with each colour. A worker of the pool runs `play`."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from arena.challenge.kinds import NETWORK
from arena.challenge.ladder import PERFECT
from arena.challenge.match import bot
from arena.match import LostGame, MatchPlayer, play_match
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.result import Fault, MatchResult, PlayedGame
from arena.weights_file import NAME, WeightsError
from autograder.challenge.exam.referee import RefereedPlayer, check_bots, enter
from autograder.challenge.model import Conditions
from autograder.challenge.player.place import HostFailure, Place
from autograder.challenge.player.sandboxed import GAME
from autograder.challenge.player.weights import Weights, weights_of
from autograder.submission.payload import read_payload
from autograder.submission.read import Submission, read
from autograder.tournament.participants import BOT, Participant, sha256_as

Line = tuple[int, ...]


@dataclass(frozen=True)
class Meeting:
    """The description of a meeting; its key changes with everything that influences its games."""

    first: Participant
    second: Participant
    line: Line
    seed: int

    def key(self, fingerprint: str) -> str:
        """Return the name under which the result is stored; `fingerprint` is the hash of grader, edition and ladder."""
        both = ((player.id, player.kind, player.sha256, player.simulations) for player in (self.first, self.second))
        return hashlib.sha256(json.dumps([fingerprint, *both, self.line, self.seed]).encode()).hexdigest()


@dataclass(frozen=True)
class MeetingResult:
    """The result of a meeting: two games from the first player's view, overruns of the players, and the time that it took.

    overruns, uncounted: by the player's id; see `sandboxed.SandboxedPlayer`. `failure`: why the host could not play it.
    """

    games: tuple[PlayedGame, ...] = ()
    overruns: dict[str, list[str]] = field(default_factory=dict)
    uncounted: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    failure: str = ""

    @property
    def points(self) -> float:
        """The points of the first player, 0 to 2."""
        return sum(game.score for game in self.games)

    def to_json(self) -> str:
        """Return the result as text."""
        return json.dumps(asdict(self), sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> MeetingResult:
        """Read the text of to_json.

        Raises:
            ValueError, KeyError, TypeError: the text is not a meeting.
        """
        stored = json.loads(text)
        return cls(**{**stored, "games": tuple(map(_game, stored["games"]))})


def _game(stored: dict[str, Any]) -> PlayedGame:
    fault = stored["fault"] and Fault(**stored["fault"])
    return PlayedGame(**{**stored, "actions": tuple(stored["actions"]), "fault": fault})


class Unable:
    """The substitute for a player that cannot be made; it loses its games and gives the reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Lose the game.

        Raises:
            LostGame: always.
        """
        raise LostGame(self.reason)


def play(meeting: Meeting, conditions: Conditions) -> MeetingResult:
    """Play a meeting; if the host fails twice, the result contains the failure and no player loses."""
    started, place = time.monotonic(), Place()
    with ExitStack() as stack:
        try:
            pair = [stack.enter_context(_at_the_board(player, conditions, place)) for player in (meeting.first, meeting.second)]
            match = place.hold(lambda: _match(meeting, *pair))
        except HostFailure as failure:
            return MeetingResult(failure=str(failure))
        both = zip((meeting.first, meeting.second), pair, strict=True)
        students = {participant.id: refereed.player for participant, refereed in both if isinstance(refereed, RefereedPlayer)}
        overruns = {id: [overrun.sentence() for overrun in player.overruns] for id, player in students.items() if player.overruns}
        uncounted = {id: player.uncounted for id, player in students.items() if player.uncounted}
    return MeetingResult(match.games, overruns, uncounted, round(time.monotonic() - started, 3))


def _match(meeting: Meeting, first: MatchPlayer, second: MatchPlayer) -> MatchResult:
    budgets = (meeting.first.simulations, meeting.second.simulations)
    match = play_match(GAME, first, second, 2, budgets, meeting.seed, openings=[meeting.line], progress=False)
    check_bots(match, {number for number, player in enumerate((meeting.first, meeting.second)) if player.kind == BOT})
    return match


@contextmanager
def _at_the_board(participant: Participant, conditions: Conditions, place: Place) -> Iterator[MatchPlayer]:
    """Make a player, and end it afterwards."""
    if participant.kind == BOT:
        yield _perfect() if participant.handle == PERFECT else bot(conditions.ladder.rung(participant.handle))
        return
    try:
        submission, weights = _read(participant)
        refereed = enter(submission, conditions, weights, participant.kind, place)
    except (WeightsError, LostGame) as error:
        yield Unable(str(error))
        return
    try:
        yield refereed
    finally:
        refereed.close()


def _read(participant: Participant) -> tuple[Submission, Weights | None]:
    """Read a player's submission and, for a network, its weights.

    Raises:
        WeightsError: the weights cannot be read.
        HostFailure: the bytes have changed since the players were listed, so that the result would be stored under a wrong name;
            or reading failed in an unexpected way.
    """
    assert participant.folder is not None, "a bot has nothing to read"
    payload = read_payload(participant.folder, participant.ps)
    if participant.sha256 != sha256_as(payload.player_sha256, participant.kind):
        raise HostFailure(f"the submission of {participant.handle} has changed since the players were listed")
    submission = read(payload)
    if submission.failure:
        raise HostFailure(f"the submission of {participant.handle} could not be read: {submission.failure}")
    return submission, weights_of(payload.item(NAME)) if participant.kind == NETWORK else None


@cache
def _perfect() -> PerfectPlayer:
    return PerfectPlayer(Solver())  # one for all meetings of this process, because its answers do not depend on earlier games
