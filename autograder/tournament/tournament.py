"""The tournament of a class: all students' players and the bots of the ladder, rated together.

`schedule` decides which players meet. An archive stores every meeting as soon as it is played, so a stopped run continues
where it stopped and gives the same result as an uninterrupted run. `rating` makes one table of all results.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.challenge.kinds import OPEN
from arena.challenge.ladder import PERFECT
from arena.edition import dice
from arena.errors import Interrupted, UserError
from arena.strength.openings import line_to, practice
from autograder.challenge.model import Conditions
from autograder.grading.config import Settings
from autograder.grading.fingerprint import MEETING, fingerprint
from autograder.progress import Watcher
from autograder.sandbox.sandbox import check_sandbox
from autograder.tournament import participants
from autograder.tournament.meeting import Meeting, MeetingResult
from autograder.tournament.participants import Participant
from autograder.tournament.rating import RatedMeeting, Rating, rate
from autograder.tournament.schedule import Pairing, all_meet, rounds_for, swiss
from autograder.tournament.store import Archive, play_all


@dataclass
class Standing:
    """One player's place: its rating and its results. `open_class`: it has no budget, or it was observed to exceed it."""

    participant: Participant
    rating: Rating
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    overruns: list[str] = field(default_factory=list)
    uncounted: int = 0

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The mean score in [0, 1]; a draw counts half. 0 without games."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    @property
    def open_class(self) -> bool:
        """Whether the player belongs to the class without budgets."""
        return self.participant.kind == OPEN or bool(self.overruns)


@dataclass(frozen=True)
class Table:
    """The table of a tournament: the players, the best first, and all meetings with their results, in the schedule's order."""

    standings: tuple[Standing, ...]
    results: tuple[tuple[Meeting, MeetingResult], ...]
    rounds: int
    anchor: str
    not_played: int  # meetings that failed because of the host


class Tournament:
    """One tournament, with its meetings stored in a folder; `run` plays the missing meetings and returns the table."""

    def __init__(
        self, folder: Path, students: Sequence[Participant], conditions: Conditions, workers: int,
        minutes: float | None = None, watcher: Watcher | None = None,
    ) -> None:
        self.workers, self.minutes, self.watcher = workers, minutes, watcher or Watcher()
        self.conditions, ladder, self.secret = conditions, conditions.ladder, conditions.secret
        self.participants = {player.id: player for player in [*participants.bots(ladder), *students]}
        self.anchor = participants.anchor(ladder)
        self.order = sorted(self.participants)
        dice(self.secret, "tournament/order").shuffle(self.order)
        self.openings = practice(self.secret)  # no exam of this edition uses these openings
        grader = fingerprint(Settings(self.secret), MEETING)
        self.archive = Archive(folder / "meetings", hashlib.sha256(f"{grader} {ladder!r}".encode()).hexdigest())
        self.results: list[tuple[Meeting, MeetingResult]] = []
        self.met: Counter[frozenset[str]] = Counter()

    def run(self) -> Table:
        """Play all rounds and return the table.

        Raises:
            Interrupted: Ctrl-C; the meetings played so far are stored.
        """
        try:
            self._play(self._round(0), "first round")
            rounds = rounds_for(len(self.order), self._rounds_that_fit())
            everybody = len(self.order) - 1 + len(self.order) % 2
            if rounds >= everybody:  # all pairs are known: no worker waits for the end of a round
                self._play([meeting for number in range(1, rounds) for meeting in self._round(number)], f"rounds 2 to {rounds}")
            else:
                for number in range(1, rounds):
                    self._play(self._round(number, by_points=True), f"round {number + 1} of {rounds}")
        except KeyboardInterrupt:
            raise Interrupted(
                f"stopped: meetings played and kept so far: {len(self.results)}; the same command continues from here"
            ) from None
        finally:
            self.watcher.end()
        return self._table(rounds)

    def _rounds_that_fit(self) -> int | None:
        """Return how many rounds fit into the minutes, estimated from the stored times of the first round."""
        if self.minutes is None:
            return None
        a_round = sum(played.seconds for _, played in self.results) / self.workers
        return int(60 * self.minutes / max(a_round, 0.001))

    def _round(self, number: int, by_points: bool = False) -> list[Meeting]:
        if by_points:
            pairs = swiss(self.order, self._points(), self.met)
        else:
            pairs = all_meet(self.order, number)
        return [self._meeting(*pair) for pair in pairs]

    def _meeting(self, player: str, opponent: str) -> Meeting:
        """Return the next meeting of two players; edition, players and earlier meetings determine its opening and seed."""
        pair = frozenset((player, opponent))
        pairing = Pairing.of(player, opponent, self.met[pair])
        self.met[pair] += 1
        rng = dice(self.secret, f"tournament/{pairing.first}/{pairing.second}/{pairing.before}")
        line = line_to(rng.choice(self.openings))
        assert line is not None, "moves lead to every opening"
        return Meeting(self.participants[pairing.first], self.participants[pairing.second], line, rng.getrandbits(63))

    def _points(self) -> dict[str, float]:
        points: dict[str, float] = defaultdict(float)
        for meeting, played in self.results:
            if not played.failure:
                points[meeting.first.id] += played.points
                points[meeting.second.id] += 2 - played.points
        return points

    def _play(self, meetings: Sequence[Meeting], what: str) -> None:
        """Play the meetings that are missing in the archive, and append all of `meetings` to the results, in this order."""
        known = {meeting: played for meeting in meetings if (played := self.archive.get(meeting)) is not None}
        waiting = [meeting for meeting in meetings if meeting not in known]
        self.results += known.items()
        if waiting:
            check_sandbox()
            self.watcher.start(f"{what}, {self.workers} worker{'s' if self.workers > 1 else ''}", len(waiting))
            waiting.sort(key=lambda meeting: not _is_long(meeting))  # so that no worker has to wait for a long meeting at the end
            for meeting, played in play_all(waiting, self.conditions, self.workers):
                if not played.failure:
                    self.archive.put(meeting, played)
                known[meeting] = played
                self.results.append((meeting, played))
                self.watcher.step(f"{meeting.first.handle}, {meeting.second.handle}")
        self.results[-len(meetings):] = [(meeting, known[meeting]) for meeting in meetings]

    def _table(self, rounds: int) -> Table:
        sound = [(meeting, played) for meeting, played in self.results if not played.failure]
        numbers = {id: number for number, id in enumerate(sorted(self.participants))}
        met = [RatedMeeting(numbers[meeting.first.id], numbers[meeting.second.id], played.points) for meeting, played in sound]
        if not met:
            failure = self.results[0][1].failure if self.results else "there was no game"
            raise UserError(f"not one game of the tournament could be played: {failure}")
        ratings = rate(len(numbers), met, numbers[self.anchor])
        standings = {id: Standing(self.participants[id], ratings[number]) for id, number in numbers.items()}
        for meeting, played in sound:
            _count(standings, meeting, played)
        best_first = sorted(standings.values(), key=lambda standing: (-standing.rating.value, standing.participant.handle))
        anchor = self.participants[self.anchor].handle
        return Table(tuple(best_first), tuple(sound), rounds, anchor, len(self.results) - len(sound))


def _is_long(meeting: Meeting) -> bool:
    """Say whether a meeting may take many times as long as others: games of the solver or of players without a budget."""
    return any(player.handle == PERFECT or player.kind == OPEN for player in (meeting.first, meeting.second))


def _count(standings: dict[str, Standing], meeting: Meeting, played: MeetingResult) -> None:
    """Count one meeting for both players."""
    for side, participant in enumerate((meeting.first, meeting.second)):
        standing = standings[participant.id]
        for game in played.games:
            score = 1 - game.score if side else game.score
            standing.won += score == 1
            standing.drawn += score == 0.5
            standing.lost += score == 0
            if game.fault and game.fault.by == side:
                standing.faults[game.fault.reason] += 1
        standing.overruns += played.overruns.get(participant.id, [])
        standing.uncounted += played.uncounted.get(participant.id, 0)
