"""The tournament of a class: everybody's player and the ladder, rated together.

A schedule (`pairing`) says who meets whom, an archive keeps every meeting as soon as it is played, so that a run that was
stopped goes on where it was and ends as it would have; `rating` makes one table of all results.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.challenge import field as fields
from autograder.challenge.bout import Bout, Played
from autograder.challenge.classroom import course_ladder
from autograder.challenge.contestant import OPEN
from autograder.challenge.field import Contender
from autograder.challenge.hall import Archive, play_all
from autograder.challenge.openings import line_to, practice
from autograder.challenge.pairing import Meeting, all_meet, rounds_for, swiss
from autograder.challenge.rating import Met, Rating, rate
from autograder.challenge.rungs import PERFECT
from autograder.challenge.sitting import Conditions
from autograder.grading.edition import course_secret, dice
from autograder.grading.lock import course_lock
from autograder.grading.marking import Means, Watcher, mark
from autograder.grading.roll import call_roll
from autograder.grading.settings import MEETING, Settings, fingerprint
from autograder.grading.shelf import Shelf
from autograder.grading.walls import check_wall
from autograder.trouble import Interrupted, Trouble

FOLDER = "tournament"


@dataclass
class Standing:
    """One player's place: the rating, and what it comes from. `open_class`: it has no budget, or was seen beyond it."""

    contender: Contender
    rating: Rating
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    overruns: list[str] = field(default_factory=list)
    uncounted: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The share of points in [0, 1], a draw half; 0 without games."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    @property
    def open_class(self) -> bool:
        return self.contender.kind == OPEN or bool(self.overruns)


@dataclass(frozen=True)
class Table:
    """How a tournament stands: the best first, and every meeting with what came of it, in the order of the schedule."""

    standings: tuple[Standing, ...]
    results: tuple[tuple[Bout, Played], ...]
    rounds: int
    anchor: str
    not_played: int  # meetings that the host would not let us play


class Tournament:
    """One tournament in a course folder; `run` plays what has not been played yet and returns the table."""

    def __init__(self, course: Path, workers: int, minutes: float | None = None, watcher: Watcher | None = None) -> None:
        self.workers, self.minutes, self.watcher = workers, minutes, watcher or Watcher()
        ladder, self.secret = course_ladder(course), course_secret(course)
        self.conditions = Conditions(self.secret, ladder)
        students = fields.players(course, ladder, self.secret)
        if not students:
            raise Trouble(
                f"nobody in {course} may enter yet: a player enters when its joint check has passed. "
                f"First: make grade COURSE={course} PS=ps3_connect_four (and PS=ps5_alphazero for networks)"
            )
        self.contenders = {one.id: one for one in [*fields.bots(ladder), *students]}
        self.anchor = fields.anchor(ladder)
        self.order = sorted(self.contenders)
        dice(self.secret, "tournament/order").shuffle(self.order)
        self.openings = practice(self.secret)  # no exam of this edition begins with one of them
        grader = fingerprint(Settings(self.secret), MEETING)
        self.archive = Archive(course / FOLDER / "bouts", hashlib.sha256(f"{grader} {ladder!r}".encode()).hexdigest())
        self.results: list[tuple[Bout, Played]] = []
        self.met: Counter[frozenset[str]] = Counter()

    def run(self) -> Table:
        """Play all rounds and return the table.

        Raises:
            Interrupted: Ctrl-C; what was played is kept.
        """
        try:
            self._play(self._round(0), "first round")
            rounds = rounds_for(len(self.order), self._rounds_that_fit())
            everybody = len(self.order) - 1 + len(self.order) % 2
            if rounds >= everybody:  # who meets whom is known: no worker waits for the end of a round
                self._play([bout for number in range(1, rounds) for bout in self._round(number)], f"rounds 2 to {rounds}")
            else:
                for number in range(1, rounds):
                    self._play(self._round(number, by_points=True), f"round {number + 1} of {rounds}")
        except KeyboardInterrupt:
            raise Interrupted(
                f"stopped: meetings played and kept so far: {len(self.results)}; the same command goes on from here"
            ) from None
        finally:
            self.watcher.end()
        return self._table(rounds)

    def _rounds_that_fit(self) -> int | None:
        """Return how many rounds fit into the minutes, going by the first, as its bouts remember it."""
        if self.minutes is None:
            return None
        a_round = sum(played.seconds for _, played in self.results) / self.workers
        return int(60 * self.minutes / max(a_round, 0.001))

    def _round(self, number: int, by_points: bool = False) -> list[Bout]:
        if by_points:
            pairs = swiss(self.order, self._points(), [tuple(pair) for pair in self.met])
        else:
            pairs = all_meet(self.order, number)
        return [self._bout(*pair) for pair in pairs]

    def _bout(self, one: str, other: str) -> Bout:
        """Return the next meeting of two players: its opening and seed hang on the edition, the two and their meetings."""
        pair = frozenset((one, other))
        meeting = Meeting.of(one, other, self.met[pair])
        self.met[pair] += 1
        rng = dice(self.secret, f"tournament/{meeting.first}/{meeting.second}/{meeting.before}")
        line = line_to(rng.choice(self.openings))
        return Bout(self.contenders[meeting.first], self.contenders[meeting.second], line, rng.getrandbits(63))

    def _points(self) -> Counter[str]:
        points: Counter[str] = Counter()
        for bout, played in self.results:
            if not played.trouble:
                points[bout.first.id] += played.points
                points[bout.second.id] += 2 - played.points
        return points

    def _play(self, bouts: Sequence[Bout], what: str) -> None:
        """Play those of `bouts` that the archive does not have, and put all of them among the results, in this order."""
        known = {bout: self.archive.get(bout) for bout in bouts}
        waiting = [bout for bout in bouts if known[bout] is None]
        self.results += [(bout, played) for bout, played in known.items() if played is not None]
        if waiting:
            check_wall()
            self.watcher.start(f"{what}, {self.workers} worker{'s' if self.workers > 1 else ''}", len(waiting))
            waiting.sort(key=lambda bout: not _is_long(bout))  # so that nobody waits for one of them at the end
            for bout, played in play_all(waiting, self.conditions, self.workers):
                if not played.trouble:
                    self.archive.put(bout, played)
                known[bout] = played
                self.results.append((bout, played))
                self.watcher.step(f"{bout.first.handle}, {bout.second.handle}")
        self.results[-len(bouts):] = [(bout, known[bout]) for bout in bouts]

    def _table(self, rounds: int) -> Table:
        sound = [(bout, played) for bout, played in self.results if not played.trouble]
        numbers = {id: number for number, id in enumerate(sorted(self.contenders))}
        met = [Met(numbers[bout.first.id], numbers[bout.second.id], played.points) for bout, played in sound]
        if not met:
            trouble = self.results[0][1].trouble if self.results else "there was no game"
            raise Trouble(f"not one game of the tournament could be played: {trouble}")
        ratings = rate(len(numbers), met, numbers[self.anchor])
        standings = {id: Standing(self.contenders[id], ratings[number]) for id, number in numbers.items()}
        for bout, played in sound:
            _count(standings, bout, played)
        best_first = sorted(standings.values(), key=lambda one: (-one.rating.value, one.contender.handle))
        return Table(tuple(best_first), tuple(sound), rounds, self.contenders[self.anchor].handle, len(self.results) - len(sound))


def _is_long(bout: Bout) -> bool:
    """Say whether a bout may take many times as long as others: the solver's games, and those without a budget."""
    return any(one.handle == PERFECT or one.kind == OPEN for one in (bout.first, bout.second))


def _count(standings: dict[str, Standing], bout: Bout, played: Played) -> None:
    """Put one bout on the accounts of both players."""
    for side, contender in enumerate((bout.first, bout.second)):
        standing = standings[contender.id]
        for game in played.games:
            score = 1 - game.score if side else game.score
            standing.won += score == 1
            standing.drawn += score == 0.5
            standing.lost += score == 0
            if game.fault and game.fault.by == side:
                standing.faults[game.fault.reason] += 1
        standing.overruns += played.overruns.get(contender.id, [])
        standing.uncounted += played.uncounted.get(contender.id, 0)


def hold_tournament(course: Path, workers: int, minutes: float | None = None, watcher: Watcher | None = None) -> Table:
    """Hold the tournament of a class, write its leaderboard, and return the table.

    Args:
        course: a course folder in which ps3 (or ps5) has been graded.
        minutes: how long it may take, about; without it everybody meets everybody, or, where there are more than 24
            players, 12 rounds are played.

    Raises:
        Trouble: something that a person must put right first. Interrupted: Ctrl-C. Busy: a grader is at work there.
    """
    from autograder.pages.leaderboard import write_leaderboard

    if not course.is_dir():
        raise Trouble(f"no such course folder: {course}")
    with course_lock(course):
        table = Tournament(course, workers, minutes, watcher).run()
        write_leaderboard(course / FOLDER, table)
    return table


def grade_first(course: Path, ps: str, workers: int, watcher: Watcher) -> None:
    """Make the reports of a class that are not made yet, without gradebook and pages: they say who may enter."""
    shelf = Shelf(course, ps)
    with course_lock(course):
        for entry, kept in mark(course, ps, call_roll(course, ps), Means(workers, watcher=watcher)):
            shelf.put(entry.student, kept.report, kept.staff)
        watcher.end()
