"""The challenge of a class: the exams, from the cache or from workers, and one report per student.

`reports/<student>/challenge.json` is the same in every run; `challenge.csv` has the measured times and speeds.
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.challenge.ladder import LADDER, Ladder, load_ladder
from arena.challenge.report import ASSIGNMENT, NOT_READY, PLAYED, ChallengeReport
from arena.challenge.report_text import OPEN
from arena.challenge.sprt import PASSED
from arena.errors import UserError
from arena.files import write_if_changed
from autograder.challenge.exam.under_way import ExamsUnderWay
from autograder.challenge.model import Conditions, ExamResult, Measured
from autograder.challenge.player.entrant import Entrant, sets_with_players
from autograder.course.challenge.course_positions import course_positions
from autograder.course.challenge.entrants import examined
from autograder.course.grade_class import Means
from autograder.course.storage.attempts import USED_UP, Attempts, read_attempts
from autograder.course.storage.cache import Cache
from autograder.csv_text import csv_text
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.people_names import read_names
from autograder.gradebook.tables import points_text
from autograder.grading.config import Settings
from autograder.grading.edition import course_secret
from autograder.grading.fingerprint import EXAM, fingerprint
from autograder.grading.report import Outcome, Report
from autograder.problem_sets.source import facts_of
from autograder.progress import Partly
from autograder.sandbox.sandbox import check_sandbox
from autograder.workers.pool import grade_all

TABLE = "challenge.csv"
CHANGED = "the submission was replaced while the class was graded; the next run grades and plays the new submission"
JOINT_FAULT = "the joint check could not be judged, and the player has to wait for it"
_HEADER = ["student", "player", "outcome", "points", "rungs_passed", "games", "simulations_per_second", "cpu_s", "grader_cpu_s"]


@dataclass
class Result:
    """One student's challenge: the report, the measured times if these bytes were played, and a fault's cause for staff."""

    entrant: Entrant
    report: ChallengeReport
    measured: Measured | None = None
    failure: str = ""


@dataclass
class Challenge:
    """The challenge of a class; `results` by student, in alphabetical order, empty if the set contains no player."""

    ladder: Ladder
    results: dict[str, Result] = field(default_factory=dict)
    attempts: Attempts = field(default_factory=Attempts)

    @property
    def reports(self) -> dict[str, ChallengeReport]:
        """The reports by student."""
        return {student: result.report for student, result in self.results.items()}

    @property
    def faults(self) -> int:
        """The number of students whose challenge the grader could not judge."""
        return sum(result.report.has_fault for result in self.results.values())


def hold_challenge(course: Path, ps: str, reports: Mapping[str, Report], means: Means) -> Challenge:
    """Hold the challenge of a class after its problem set `ps` was graded; only the cache is written.

    Args:
        reports: the reports of `ps`, by student.
        means: the workers and others; `means.afresh` names students whose exam is played again although it is in the cache.

    Raises:
        UserError: the course's ladder cannot be read, or this host cannot play.
    """
    challenge = Challenge(course_ladder(course), attempts=read_attempts(course))
    if not facts_of(ps).player:
        return challenge
    by_student: dict[str, list[Result]] = defaultdict(list)
    entered, waiting = examined(course, ps, reports)
    for student, entrant in waiting.items():
        if (earlier := read_report(course, student)) is not None:
            by_student[student].append(Result(entrant, earlier))
    for result in _results(course, entered, challenge, means):
        by_student[result.entrant.student].append(result)
        if result.measured is not None and result.report.outcome == PLAYED:
            challenge.attempts.add(result.entrant)
    challenge.results = {student: better_of(by_student[student]) for student in sorted(by_student)}
    return challenge


def write_reports(course: Path, challenge: Challenge) -> int:
    """Write all reports and the table of measured values; return the number of new or changed reports."""
    changed = 0
    for student, result in challenge.results.items():
        changed += write_if_changed(course / "reports" / student / f"{ASSIGNMENT}.json", result.report.to_json())
    if challenge.results:
        challenge.attempts.write(course)
        names = read_names(course)
        rows = [names.cells(_row(result)) for result in challenge.results.values()]
        write_if_changed(course / TABLE, csv_text(names.header(_HEADER), rows))
    return changed


def course_ladder(course: Path) -> Ladder:
    """Return the ladder of a course: from its own `rungs.toml` if it has one, otherwise ours, with [challenge] of course.toml.

    Raises:
        UserError: the ladder cannot be read; the text names the error and its place.
    """
    try:
        return load_ladder(_ladder_file(course), read_course_file(course).challenge)
    except ValueError as error:
        raise UserError(str(error)) from None


def better_of(results: list[Result]) -> Result:
    """Return the result that counts for a student with several players: the most points; among equals, the first.

    If the grader could not judge one of the players, that grader fault is the result.
    """
    faulty = [result for result in results if result.report.has_fault]
    return faulty[0] if faulty else max(results, key=lambda result: (result.report.points, result.report.outcome == PLAYED))


def _ladder_file(course: Path) -> Path:
    own = course / LADDER.name
    return own if own.exists() else LADDER


def _results(course: Path, entered: list[Entrant], challenge: Challenge, means: Means) -> Iterator[Result]:
    """Yield the result of every entrant: first those who do not play or are in the cache, then each as its exam ends."""
    conditions = _conditions(course, challenge.ladder, means)
    cache = Cache(course / ".cache", conditions.fingerprint)
    waiting: dict[tuple[str, str], list[Entrant]] = defaultdict(list)
    for entrant in entered:
        report = entrant.answer_without_playing() or _standing(course, cache, entrant, challenge)
        known = None if report or entrant.student in means.afresh else _remembered(cache, entrant)
        if report is not None:
            yield Result(entrant, report, failure=JOINT_FAULT if entrant.joint == Outcome.GRADER_FAULT else "")
        elif known is not None:
            yield Result(entrant, known.report, known.measured)
        else:
            waiting[entrant.ps, entrant.sha256].append(entrant)  # the same bytes play once
    if not waiting:
        return
    own = course_positions(course, conditions.secret, conditions.ladder.quality.each, means.watcher)
    conditions = replace(conditions, positions=own)
    for same, exam_result in _played(list(waiting.values()), conditions, means, _expected_s(course)):
        played = exam_result.sha256 or same[0].sha256
        if exam_result.cacheable:
            cache.write(f"{ASSIGNMENT}/{same[0].ps}", played, exam_result.to_dict())
        if played != same[0].sha256:  # the played bytes were not graded, so their exam says nothing about the listed bytes
            exam_result = ExamResult(ChallengeReport.fault(same[0].ps, same[0].sha256), exam_result.measured, CHANGED)
        for entrant in same:
            yield Result(entrant, exam_result.report, exam_result.measured, exam_result.failure)


def _standing(course: Path, cache: Cache, entrant: Entrant, challenge: Challenge) -> ChallengeReport | None:
    """Return the earlier verdict of a student whose attempts are used up; None for all other students."""
    if not challenge.attempts.used_up(entrant, challenge.ladder.attempts):
        return None
    last = _remembered(cache, replace(entrant, sha256=challenge.attempts.of(entrant)[-1]))
    report = last.report if last else read_report(course, entrant.student)
    if report is None or report.player != entrant.ps:
        report = ChallengeReport(entrant.ps, entrant.sha256, NOT_READY, "")
    return report.with_note(USED_UP.format(attempts=challenge.ladder.attempts))


def read_report(course: Path, student: str) -> ChallengeReport | None:
    """Return the stored report of a course; None if there is none or it cannot be read."""
    try:
        return ChallengeReport.from_json((course / "reports" / student / f"{ASSIGNMENT}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _remembered(cache: Cache, entrant: Entrant) -> ExamResult | None:
    """Return the exam of these bytes from the cache; None if the entry is missing or damaged."""
    entry = cache.read(f"{ASSIGNMENT}/{entrant.ps}", entrant.sha256)
    try:
        return ExamResult.from_dict(entry)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _played(
    waiting: list[list[Entrant]], conditions: Conditions, means: Means, expected_s: dict[str, float]
) -> Iterator[tuple[list[Entrant], ExamResult]]:
    """Play the exams in parallel, the longest first, so that none is left alone at the end; yield each as it ends."""
    from autograder.challenge.exam.whole_exam import run_exam_of  # the compiled players take a second to import

    if means.executor is None:
        check_sandbox()
    if conditions.notes:  # a worker, which has another umask, only puts files there
        Path(conditions.notes).mkdir(parents=True, exist_ok=True)
    means.watcher.start(f"challenge with {means.workers} worker{'s' if means.workers > 1 else ''}", len(waiting))
    with Partly(means.watcher, len(waiting), ExamsUnderWay(conditions)) as exams:
        for ps in reversed(sets_with_players()):  # networks take longer
            same_bytes = {same[0].entry: same for same in waiting if same[0].ps == ps}
            order = sorted(same_bytes, key=lambda entry: -expected_s.get(entry.student, float("inf")))
            for entry, answer in grade_all(order, ps, conditions, means.workers, run_exam_of, means.executor):
                if isinstance(answer, str):
                    answer = ExamResult(ChallengeReport.fault(ps, same_bytes[entry][0].sha256), Measured(), answer)
                yield same_bytes[entry], answer
                exams.step()


def _conditions(course: Path, ladder: Ladder, means: Means) -> Conditions:
    """Return the conditions of this class's exams; their fingerprint covers the grader, the edition, ladder and assets."""
    secret = course_secret(course)
    changes = repr(sorted(read_course_file(course).challenge.items())).encode()
    parts = f"{fingerprint(Settings(secret), EXAM)} ".encode() + _ladder_file(course).read_bytes() + changes
    notes = None if means.executor else str(course / ".cache" / ASSIGNMENT)  # a cluster's workers have no course folder
    return Conditions(secret, ladder, fingerprint=hashlib.sha256(parts).hexdigest(), notes=notes)


def _row(result: Result) -> list[str]:
    report, measured = result.report, result.measured
    counts = [str(sum(rung.verdict == PASSED for rung in report.rungs)), str(sum(len(match.games) for match in report.matches))]
    points = OPEN if report.has_fault else points_text(report.points)
    row = [result.entrant.student, report.player, report.outcome, points, *counts]
    if measured is None:
        return [*row, "", "", ""]
    cpu_s, own_cpu_s = sum(measured.cpu_s.values()), sum(measured.own_cpu_s.values())
    return [*row, f"{measured.simulations_per_second:.0f}", f"{cpu_s:.1f}", f"{own_cpu_s:.1f}"]


def _expected_s(course: Path) -> dict[str, float]:
    """Return the duration of each student's last exam, from the last table; students without one are missing."""
    try:
        with (course / TABLE).open(newline="", encoding="utf-8") as file:
            return {row["student"]: float(row["cpu_s"]) for row in csv.DictReader(file) if row["cpu_s"]}
    except (OSError, ValueError, KeyError, csv.Error):
        return {}
