"""One submission's whole challenge: the climb, Perfect for whoever passed every rung, move quality, the worst moves.

`hold_parcel` is what a worker of the pool runs. An exam is sequential; a class is played submission by submission, side by
side.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.result import MatchResult
from autograder.challenge import quality
from autograder.challenge.contestant import entry_name
from autograder.challenge.counted import not_counted
from autograder.challenge.entrants import player_sha256
from autograder.challenge.exam import Seeds, meet
from autograder.challenge.interval import bootstrap_interval
from autograder.challenge.notes import Notes
from autograder.challenge.place import HostTrouble
from autograder.challenge.replay import lessons
from autograder.challenge.report import (
    NOT_READY,
    PLAYED,
    ChallengeReport,
    MistakeReport,
    QualityReport,
    RungReport,
    Verdict,
    counted,
)
from autograder.challenge.rungs import PERFECT, Rung
from autograder.challenge.seat import LostGame, Seat, enter, in_words
from autograder.challenge.sequential import PASSED
from autograder.challenge.sitting import Conditions, Measured, Sitting
from autograder.challenge.weights import Weights, WeightsError, read_weights
from autograder.grading import submission as submissions
from autograder.grading.parcel import Parcel, unpack
from autograder.grading.room import temporary_room
from autograder.grading.submission import Submission

EXAM_CPU_S = 7200.0  # of the student's code; the reference needs a few minutes for all rungs
MOST_OVERRUNS = 5  # that a report names


def hold_parcel(parcel: Parcel, conditions: Conditions) -> Sitting:
    """Hold the exam of one submission and what lies beside it; the sitting names the bytes that played."""
    with temporary_room() as folder:
        unpack(parcel, folder)
        submission = submissions.read(folder, parcel.ps)
        try:
            sitting = hold(submission, conditions, read_weights(folder))
        except (WeightsError, LostGame) as error:  # found out before the first game
            report = ChallengeReport(submission.problem_set, submission.sha256, NOT_READY, f"Not entered yet: {error}.")
            sitting = Sitting(report, Measured())
        except HostTrouble as trouble:
            sitting = Sitting(ChallengeReport.fault(submission.problem_set, submission.sha256), Measured(), str(trouble))
        return replace(sitting, sha256=player_sha256(folder, parcel.ps))


def hold(submission: Submission, conditions: Conditions, weights: Weights | None = None) -> Sitting:
    """Hold the exam of one submission.

    Where the host failed twice in one pair of games, it is undecided: a grader fault, no verdict and no loss.

    Raises:
        WeightsError, LostGame, HostTrouble: its player cannot begin; see `seat.enter`.
    """
    seat = enter(submission, conditions, weights)
    seat.player.workshop.budget_cpu_s = EXAM_CPU_S
    exam = _Exam(seat, submission, conditions, entry_name(submission, weights))
    try:
        sitting = Sitting(exam.report(), exam.measured)
        exam.notes.forget()
        return sitting
    except HostTrouble as trouble:
        return Sitting(ChallengeReport.fault(submission.problem_set, submission.sha256), exam.measured, str(trouble))
    finally:
        seat.close()


class _Exam:
    """The parts of an exam, and what each of them took. `name` is what its seeds hang on beside the edition."""

    def __init__(self, seat: Seat, submission: Submission, conditions: Conditions, name: str) -> None:
        self.seat, self.player, self.submission = seat, seat.player, submission
        self.ladder, self.seeds = conditions.ladder, Seeds(conditions.secret, name)
        self.perfect = PerfectPlayer(Solver())
        self.notes = Notes(conditions.notes_of(name))
        self.measured = self.notes.measured
        self.matches: list[tuple[str, MatchResult]] = []
        self.overruns: list[str] = []

    def report(self) -> ChallengeReport:
        """Play everything and return the report."""
        rungs = tuple(self._climb())
        reached = len(rungs) == len(self.ladder.rungs) and rungs[-1].verdict == PASSED
        perfect = self._against_perfect() if reached else None
        second_opinion = self._quality()
        points = sum(part.points for part in (*rungs, second_opinion, *filter(None, [perfect])))
        return ChallengeReport(
            self.submission.problem_set, self.submission.sha256, PLAYED, self.submission.note, round(points, 2),
            simulations=self.ladder.student_simulations, rungs=rungs, perfect=perfect, quality=second_opinion,
            mistakes=self._mistakes(), overruns=tuple(self.overruns[:MOST_OVERRUNS]),
        )

    def _climb(self) -> Iterator[RungReport]:
        for rung in self.ladder.climbed:
            report = self._match(rung.name, rung.simulations, lambda: self._meet(rung))
            yield report
            if report.verdict != PASSED:
                return

    def _meet(self, rung: Rung) -> tuple[MatchResult, dict[str, Any]]:
        result = meet(self.seat, rung, self.ladder, self.seeds, self.seat.pair)
        told = {"verdict": result.verdict, "points": result.points, "max_points": rung.points, "log_odds": result.ratio}
        return result.match, told

    def _against_perfect(self) -> RungReport:
        return self._match(PERFECT, 0, self._meet_perfect)

    def _meet_perfect(self) -> tuple[MatchResult, dict[str, Any]]:
        rule, rng, games = self.ladder.perfect, self.seeds.dice(PERFECT), []
        for line in self.seeds.lines(rng, rule.games // 2):
            budgets = (self.ladder.student_simulations, 1)
            games += self.seat.pair(self.seat, self.perfect, budgets, rng.getrandbits(63), line).games
        points = rule.points * sum(game.score > 0 for game in games) / len(games)
        told = {"verdict": PLAYED, "points": points, "max_points": rule.points, "log_odds": 0.0}
        return MatchResult(("you", PERFECT), tuple(games)), told

    def _match(self, name: str, simulations: int, play: Callable[[], tuple[MatchResult, dict[str, Any]]]) -> RungReport:
        """Play a match, or take it from the notes of an exam that was killed, and report it."""
        known = self.notes.match(name)
        if known is None:
            before = len(self.player.overruns), self.player.uncounted
            with self._measured(name):
                match, told = play()
            counted = [one.sentence() for one in self.player.overruns[before[0]:]]
            counted += not_counted(self.player.uncounted - before[1])
            told["overruns"] = list(dict.fromkeys(counted))  # a pair that was played twice says nothing twice
            self.notes.add(name, match, told)
        else:
            match, told = known
        self.matches.append((name, match))
        self.overruns += told["overruns"]
        interval = bootstrap_interval(match.pair_scores, self.seeds.dice(f"interval/{name}"))
        verdict = Verdict(*(told[key] for key in ("verdict", "points", "max_points", "log_odds")))
        return RungReport.of(name, simulations, match, interval, verdict)

    def _quality(self) -> QualityReport:
        rule, rng = self.ladder.quality, self.seeds.dice("quality")
        chosen, seed = quality.sample(rule.each, rng), rng.getrandbits(63)
        with self._measured("quality"):
            simulations = self.ladder.student_simulations
            told = self.seat.place.hold(lambda: quality.answers(self.seat, simulations, seed, chosen))
        rates = quality.rates(told)
        faults = counted(in_words(answer.fault) for answer in told if answer.fault)
        return QualityReport(rule.each, {stratum: round(rate, 4) for stratum, rate in rates.items()},
                             quality.quality_points(rates, self.ladder), rule.points, faults)

    def _mistakes(self) -> tuple[MistakeReport, ...]:
        with self._measured("replays"):
            return tuple(MistakeReport(one.rung, one.game, one.mistake.number, one.mistake.played, one.mistake.best,
                                       one.mistake.sentence()) for one in lessons(self.matches, self.perfect))

    @contextmanager
    def _measured(self, part: str) -> Iterator[None]:
        """Put what a part of the exam takes on its account."""
        cpu_s, own_cpu_s, simulations = self.player.workshop.cpu_s, time.process_time(), self.player.simulations
        try:
            yield
        finally:
            self.player.end()
            self.measured.simulations += self.player.simulations - simulations
            self.measured.cpu_s[part] = round(self.player.workshop.cpu_s - cpu_s, 3)
            self.measured.own_cpu_s[part] = round(time.process_time() - own_cpu_s, 3)
