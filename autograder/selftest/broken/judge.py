"""The comparison of each broken hand-in's result with the bank."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.ledger import GradebookEntry
from autograder.grading.report import Outcome, Report
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import load
from autograder.selftest.broken.bank import Mess
from autograder.selftest.demo.members import cast_of
from autograder.selftest.demo.staging import HONEST, first_words, recorded_score


@dataclass(frozen=True)
class Verdict:
    """One hand-in: its result, the differences from the bank, and whether it stopped the grading."""

    mess: Mess
    got: str
    wrong: tuple[str, ...]
    stopped: bool = False


def judge(course: Path, mess: Mess, standings: dict[str, GradebookEntry], page: str) -> Verdict:
    """Return the verdict on one hand-in in a graded course.

    Args:
        standings: the gradebook of the hand-in's set; page: the class page's text.
    """
    report = ReportStore(course, mess.ps).get(mess.handle)
    remark = [] if html.escape(mess.remark) in page or mess.remark in page else [f"no remark says {mess.remark!r}"]
    if not mess.listed:
        return Verdict(mess, f"not graded: {mess.remark}", (*remark, *(["it was graded"] if report else [])))
    if report is None:
        return Verdict(mess, "no report", ("the report is missing",), stopped=True)
    lost = lost_in(report)
    wrong = [
        *([f"{report.points:g} points"] if report.points != mess.points else []),
        *([f"graded from {report.form}"] if report.form != mess.form else []),
        *([f"lost {lost}"] if mess.lost is not None and lost != mess.lost else []),
        *_sentences(mess, report),
        *remark,
        *_in_gradebook(report, standings.get(mess.handle)),
        *_on_its_page(course, mess),
    ]
    return Verdict(mess, summary(report), tuple(wrong), stopped=report.has_fault)


def lost_in(report: Report) -> dict[str, str]:
    """Return the exercises that did not pass, with their outcome."""
    return {exercise.id: exercise.outcome for exercise in report.exercises if exercise.outcome != Outcome.PASSED}


def summary(report: Report) -> str:
    """Return one line about a student's result: the points and the first sentence of the report."""
    first = first_words(report)
    return f"{report.points:g}: {first}" if first else f"{report.points:g}"


def _sentences(mess: Mess, report: Report) -> list[str]:
    if not mess.says:
        return [f"the note says {report.note!r}"] if report.note else []
    texts = [report.note, *(f"{check.line} {check.hint}" for exercise in report.exercises for check in exercise.checks)]
    return [f"nothing says {sentence!r}" for sentence in mess.says if not any(sentence in text for text in texts)]


def _in_gradebook(report: Report, standing: GradebookEntry | None) -> list[str]:
    if standing is None:
        return ["the gradebook does not know the student"]
    score = recorded_score(standing)
    return [f"the gradebook says {score:g}"] if score != report.points + report.extra_points else []


def _on_its_page(course: Path, mess: Mess) -> list[str]:
    """Check that the feedback contains the required sentences."""
    path = course / "feedback" / mess.handle / mess.ps / f"{mess.ps}.html"
    if not path.is_file():
        return ["the feedback is missing"]
    text = _flat(re.sub(r"<[^>]*>", "", path.read_text(encoding="utf-8")))
    return [f"the feedback does not say {sentence!r}" for sentence in mess.says if _flat(html.escape(sentence)) not in text]


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(text))


def honest_hurt(course: Path, ps: str) -> list[str]:
    """Return the wrong results of the honest students in the same class."""
    store, cast = ReportStore(course, ps), cast_of(ps)
    ids = [exercise.id for exercise in load(ps).exercises]
    later = ids[ids.index(cast.half) + 1 :]
    wrong = []
    for student, most in zip(HONEST, (later, [], [cast.wrong[0][0]]), strict=True):
        report = store.get(student)
        lost = {id: outcome for id, outcome in lost_in(report).items() if id != JOINT} if report else None
        if lost is None or lost.keys() != set(most) or Outcome.GRADER_FAULT in lost.values():
            wrong.append(f"{student} in {ps}: lost {lost}")
    return wrong
