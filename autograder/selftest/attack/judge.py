"""The comparison of each attack's result with the bank, and of the honest students' results with a class without attacks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.challenge.report import ASSIGNMENT
from autograder.course.challenge.class_exams import read_report
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.ledger import GradebookEntry
from autograder.gradebook.recording.planning import unfit
from autograder.grading.report import Outcome, Report
from autograder.selftest.attack.bank import LOOT, Attack
from autograder.selftest.broken.judge import honest_hurt
from autograder.selftest.demo.staging import HONEST, first_words, read_standings, recorded_score

LONGEST_GOT = 90


@dataclass(frozen=True)
class Verdict:
    """One attack and its result; `wrong` lists its successes and is empty if it was defeated."""

    attack: Attack
    got: str
    wrong: tuple[str, ...]


def judge(course: Path, attack: Attack, standings: dict[str, GradebookEntry], page: str) -> Verdict:
    """Return the verdict on one attack in a graded course.

    Args:
        standings: the gradebook of the attack's set; page: the class page's text.
    """
    store = ReportStore(course, attack.ps)
    report = store.get(attack.handle)
    if not attack.listed:
        wrong = ["it was graded"] * (report is not None) + ["the class page has no remark"] * (attack.remark not in page)
        return Verdict(attack, f"not graded: {attack.remark}", tuple(wrong))
    if report is None:
        return Verdict(attack, "no report", ("the report is missing",))
    text = report.to_json()
    staff = store.path(attack.handle).with_name(f"{attack.ps}.staff.json").read_text(encoding="utf-8")
    wrong = [
        *_points(report.points, attack.points, "points"),
        *([] if attack.extra is None else _points(report.extra_points, attack.extra, "extra points")),
        *(f"grader fault in {exercise.id}" for exercise in report.exercises if exercise.outcome == Outcome.GRADER_FAULT),
        *([f"the report does not say {attack.says!r}"] if attack.says not in text else []),
        *(f"the report says {word!r}" for word in attack.silent if word in text),
        *([f"it found something: {staff[staff.index(LOOT):][:300]}"] if LOOT in staff else []),
        *([f"the class page does not say {attack.remark!r}"] if attack.remark not in page else []),
        *_in_gradebook(attack.handle, report, standings),
        *_in_challenge(course, attack),
    ]
    return Verdict(attack, _got(course, attack, report), tuple(wrong))


def _points(got: float, expected: float | tuple[float, float], what: str) -> list[str]:
    low, high = expected if isinstance(expected, tuple) else (expected, expected)
    wanted = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return [] if low <= got <= high else [f"{got:g} {what}, not {wanted}"]


def _in_gradebook(student: str, report: Report, standings: dict[str, GradebookEntry]) -> list[str]:
    """Check that the gradebook has the report's scores and no manual scores."""
    if unfit(student):
        return ["the gradebook contains a forbidden name"] if student in standings else []
    standing = standings.get(student)
    if standing is None:
        return ["the gradebook does not know the student"]
    score = recorded_score(standing)
    by_hand = [id for marks in (standing.manual, standing.extra) for id, mark in marks.items() if mark]
    reported = report.points + report.extra_points
    return [*([f"the gradebook says {score:g}, the report {reported:g}"] if score != reported else []),
            *(f"a manual score in {id}" for id in by_hand)]


def _in_challenge(course: Path, attack: Attack) -> list[str]:
    if attack.challenge is None and not attack.challenge_says:
        return []
    report = read_report(course, attack.handle)
    if report is None:
        return ["it did not enter the challenge"]
    return [
        *_points(report.points, attack.challenge or 0.0, "points in the challenge"),
        *(["a grader fault in the challenge"] if report.has_fault else []),
        *([f"the challenge does not say {attack.challenge_says!r}"] if attack.challenge_says not in report.to_json() else []),
    ]


def _got(course: Path, attack: Attack, report: Report) -> str:
    """Return one line about an attack's result: the points and the first sentence of the report."""
    first = first_words(report)
    played = read_report(course, attack.handle) if attack.challenge else None
    points = f"{report.points:g} points" + (f", challenge {played.points:g}" if played else "")
    line = f"{points}: {first}" if first else points
    return line if len(line) <= LONGEST_GOT else f"{line[: LONGEST_GOT - 3]}..."


def others(course: Path, alone: Path, ps: str, attacks: tuple[Attack, ...]) -> list[str]:
    """Return honest students' wrong results, their differences from a class without attacks, and unknown students.

    Args:
        attacks: all that may be in the gradebook beside the honest students, positive controls too.
    """
    wrong = honest_hurt(alone, ps)  # a grader that grades nothing would defeat every attack
    here, there = read_standings(course, ps), read_standings(alone, ps)
    for student in HONEST:
        for name in (f"{ps}.json", f"{ASSIGNMENT}.json"):
            paths = [folder / "reports" / student / name for folder in (course, alone)]
            with_attacks, without = (path.read_bytes() if path.exists() else None for path in paths)
            if with_attacks != without:
                wrong.append(f"{student} has another report ({name}) than in a class without attacks")
        rows = [(standing.auto, standing.manual, standing.extra, standing.comments) if standing else None
                for standing in (here.get(student), there.get(student))]
        if rows[0] != rows[1] or rows[0] is None:
            wrong.append(f"{student} has other rows in the gradebook of {ps} than in a class without attacks")
    known = {attack.handle for attack in attacks if attack.ps == ps} | set(HONEST)
    return wrong + [f"the gradebook of {ps} contains the unknown student {student!r}" for student in here if student not in known]
