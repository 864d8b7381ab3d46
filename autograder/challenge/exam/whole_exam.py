"""The whole challenge of one submission: the climb, Perfect after all rungs are passed, move quality, the worst mistakes.

A worker of the pool runs `run_exam_of`. One exam is sequential; the exams of a class run in parallel.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from arena.challenge.bootstrap import bootstrap_interval
from arena.challenge.kinds import IMPROVED, UCT
from arena.challenge.ladder import PERFECT, Rung
from arena.challenge.match import Seeds, meet
from arena.challenge.mistakes import lessons, mistake_report
from arena.challenge.move_quality import quality_points
from arena.challenge.report import (
    NOT_READY,
    PLAYED,
    ChallengeReport,
    MistakeReport,
    QualityReport,
    RungReport,
    Verdict,
    counted,
)
from arena.challenge.sprt import PASSED
from arena.match import LostGame
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.result import MatchResult, PlayedGame
from arena.strength.positions import answers, from_rows, sample
from arena.strength.positions import rates as rates_of
from arena.weights_file import NAME, WeightsError
from autograder.challenge.exam.checkpoint import Checkpoint
from autograder.challenge.exam.exact_values import exact_values
from autograder.challenge.exam.referee import RefereedPlayer, enter
from autograder.challenge.model import Conditions, ExamResult, Measured
from autograder.challenge.player.defined import defines
from autograder.challenge.player.place import HostFailure
from autograder.challenge.player.query_budget import not_counted
from autograder.challenge.player.sandboxed import entry_name
from autograder.challenge.player.weights import Weights, weights_of
from autograder.grading.submission_runner import Budget
from autograder.submission.payload import Payload
from autograder.submission.read import Submission, read

MOST_OVERRUNS = 5  # in one report


def run_exam_of(payload: Payload, conditions: Conditions) -> ExamResult:
    """Hold the exam of one submission with its weights; the result contains the hash of the bytes that played.

    A submission may hold two players, `uct` and `challenge_player`. Then both are examined, and the better one counts.
    """
    submission = read(payload)
    if submission.failure:  # perhaps the host's; the next run reads it again
        report = ChallengeReport.fault(submission.problem_set.name, submission.sha256)
        return ExamResult(report, Measured(), submission.failure, payload.player_sha256)
    kind = submission.problem_set.facts.player
    result = _exam_of(payload, submission, conditions, kind)
    if kind == UCT and not result.report.has_fault and defines(submission, IMPROVED):
        result = better_of(result, _exam_of(payload, submission, conditions, IMPROVED))
    return replace(result, sha256=payload.player_sha256)


def better_of(plain: ExamResult, improved: ExamResult) -> ExamResult:
    """Return the result that counts, that of `uct` or that of `challenge_player`, with the other's points in its note.

    If the grader could not judge one of them, that fault is the result. What was measured is that of both together.
    """
    if improved.report.has_fault:
        return improved
    named = {UCT: plain, IMPROVED: improved}
    best = max(named, key=lambda kind: (named[kind].report.points, kind == UCT))
    (other,) = set(named) - {best}
    note = f"`{best}` played the games below; `{other}` alone has {named[other].report.points:g} points."
    if named[other].report.outcome == NOT_READY:
        note = f"`{best}` played the games below. `{other}` did not play: {named[other].report.note}"
    return ExamResult(named[best].report.with_note(note), plain.measured.and_also(improved.measured, IMPROVED))


def _exam_of(payload: Payload, submission: Submission, conditions: Conditions, kind: str) -> ExamResult:
    try:
        return hold(submission, conditions, weights_of(payload.item(NAME)), kind)
    except (WeightsError, LostGame) as error:  # found before the first game
        report = ChallengeReport(submission.problem_set.name, submission.sha256, NOT_READY, f"Not entered yet: {error}.")
        return ExamResult(report, Measured())
    except HostFailure as failure:
        return ExamResult(ChallengeReport.fault(submission.problem_set.name, submission.sha256), Measured(), str(failure))


def hold(submission: Submission, conditions: Conditions, weights: Weights | None = None, kind: str = "") -> ExamResult:
    """Hold the exam of one player of a submission; see `contestant` for its kind.

    If the host fails twice in one pair of games, the exam is undecided: a grader fault, with no verdict and no loss.

    Raises:
        WeightsError, LostGame, HostFailure: the player cannot begin; see `referee.enter`.
    """
    refereed = enter(submission, conditions, weights, kind)
    refereed.player.runner.budget = Budget(conditions.ladder.exam_cpu_s, math.inf)  # `referee.EXAM_WAIT_S` is for the clock
    name = entry_name(submission, weights) + (f" {IMPROVED}" if kind == IMPROVED else "")
    exam = _Exam(refereed, submission, conditions, name)
    try:
        exam_result = ExamResult(exam.report(), exam.measured)
        exam.notes.forget()
        return exam_result
    except HostFailure as failure:
        return ExamResult(ChallengeReport.fault(submission.problem_set.name, submission.sha256), exam.measured, str(failure))
    finally:
        refereed.close()


class _Exam:
    """The parts of an exam and their CPU times. The seeds are derived from the edition and `name`."""

    def __init__(self, refereed: RefereedPlayer, submission: Submission, conditions: Conditions, name: str) -> None:
        self.refereed, self.player, self.submission = refereed, refereed.player, submission
        self.ladder, self.seeds = conditions.ladder, Seeds(conditions.secret, name)
        self.positions = from_rows(conditions.positions)
        self.perfect = PerfectPlayer(Solver())
        self.notes = Checkpoint(conditions.notes_of(name))
        self.measured = self.notes.measured
        self.matches: list[tuple[str, MatchResult]] = []
        self.overruns: list[str] = []

    def report(self) -> ChallengeReport:
        """Play everything and return the report."""
        rungs = tuple(self._climb())
        reached = len(rungs) == len(self.ladder.rungs) and rungs[-1].verdict == PASSED
        perfect = self._against_perfect() if reached else None
        second_opinion = self._quality()
        parts: list[RungReport | QualityReport] = [*rungs, second_opinion, *([perfect] if perfect else [])]
        points = sum(part.points for part in parts)
        mistakes, values = self._mistakes(), self._values()
        rungs = tuple(replace(rung, values=values[rung.name]) for rung in rungs)
        perfect = perfect and replace(perfect, values=values[perfect.name])
        return ChallengeReport(
            self.submission.problem_set.name, self.submission.sha256, PLAYED, self.submission.note, round(points, 2),
            simulations=self.ladder.student_simulations, rungs=rungs, perfect=perfect, quality=second_opinion,
            mistakes=mistakes, overruns=tuple(self.overruns[:MOST_OVERRUNS]),
        )

    def _climb(self) -> Iterator[RungReport]:
        for rung in self.ladder.climbed:
            report = self._match(rung.name, rung.simulations, partial(self._meet, rung))
            yield report
            if report.verdict != PASSED:
                return

    def _meet(self, rung: Rung) -> tuple[MatchResult, dict[str, Any]]:
        result = meet(self.refereed, rung, self.ladder, self.seeds, self.refereed.pair)
        record = {"verdict": result.verdict, "points": result.points, "max_points": rung.points, "log_odds": result.ratio}
        return result.match, record

    def _against_perfect(self) -> RungReport:
        return self._match(PERFECT, 0, self._meet_perfect)

    def _meet_perfect(self) -> tuple[MatchResult, dict[str, Any]]:
        rule, rng = self.ladder.perfect, self.seeds.dice(PERFECT)
        games: list[PlayedGame] = []
        for line in self.seeds.draw_openings(rng, rule.games // 2):
            budgets = (self.ladder.student_simulations, 1)
            games += self.refereed.pair(self.refereed, self.perfect, budgets, rng.getrandbits(63), line).games
        points = rule.points * sum(game.score > 0 for game in games) / len(games)
        record = {"verdict": PLAYED, "points": points, "max_points": rule.points, "log_odds": 0.0}
        return MatchResult(("you", PERFECT), tuple(games)), record

    def _match(self, name: str, simulations: int, play: Callable[[], tuple[MatchResult, dict[str, Any]]]) -> RungReport:
        """Play a match, or take it from the notes of a killed exam, and return its report."""
        known = self.notes.match(name)
        if known is None:
            before = len(self.player.overruns), self.player.uncounted
            with self._measured(name):
                match, record = play()
            counted = [overrun.sentence() for overrun in self.player.overruns[before[0]:]]
            counted += not_counted(self.player.uncounted - before[1])
            record["overruns"] = list(dict.fromkeys(counted))  # a pair that was played twice gives each sentence once
            self.notes.add(name, match, record)
        else:
            match, record = known
        self.matches.append((name, match))
        self.overruns += record["overruns"]
        interval = bootstrap_interval(match.pair_scores, self.seeds.dice(f"interval/{name}"))
        verdict = Verdict(*(record[key] for key in ("verdict", "points", "max_points", "log_odds")))
        return RungReport.of(name, simulations, match, interval, verdict)

    def _quality(self) -> QualityReport:
        rule, rng = self.ladder.quality, self.seeds.dice("quality")
        # the edition's own positions are the same for everybody; their order tells a player nothing
        chosen = rng.sample(self.positions, len(self.positions)) if self.positions else sample(rule.each, rng)
        seed = rng.getrandbits(63)
        with self._measured("quality"):
            simulations = self.ladder.student_simulations
            replies = self.refereed.place.hold(lambda: answers(self.refereed, simulations, seed, chosen))
        rates = rates_of(replies)
        faults = counted(answer.fault for answer in replies if answer.fault)
        return QualityReport(rule.each, {stratum: round(rate, 4) for stratum, rate in rates.items()},
                             quality_points(rates, self.ladder), rule.points, faults)

    def _mistakes(self) -> tuple[MistakeReport, ...]:
        with self._measured("replays"):
            return tuple(map(mistake_report, lessons(self.matches, self.perfect)))

    def _values(self) -> dict[str, tuple[str, ...]]:
        with self._measured("values"):
            return exact_values(self.matches, self.perfect.solver)

    @contextmanager
    def _measured(self, part: str) -> Iterator[None]:
        """Measure the CPU times and the simulations of a part of the exam."""
        cpu_s, own_cpu_s, simulations = self.player.runner.cpu_s, time.process_time(), self.player.simulations
        try:
            yield
        finally:
            self.player.end()
            self.measured.simulations += self.player.simulations - simulations
            self.measured.cpu_s[part] = round(self.player.runner.cpu_s - cpu_s, 3)
            self.measured.own_cpu_s[part] = round(time.process_time() - own_cpu_s, 3)
