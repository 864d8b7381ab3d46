"""What a student reads first: points, what to do next and what it would gain, each exercise with the first property that is lost.

The page is made of the report, the student's own lines and what is in the gradebook. Nothing of the student's is run, and
all of it is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.grading.report import ExerciseReport, Outcome, Report, first_lost
from autograder.pages.causes import STOPPED, Cause, Kind, causes
from autograder.pages.environment import environment
from autograder.pages.student.tree_svg import compared, value_text
from autograder.problem_sets.source import ProblemSet
from autograder.submission.discover import NONE

MOST_LINES = 80  # of an exercise's code that a page shows; our longest solution has half
QUOTED = re.compile(r", line (\d+): `(.*?)`(?:\.|$)", re.DOTALL)  # see `grading.outcomes.raised_sentence`
WAITS = "waits"  # in place of the outcome of an exercise that is run when those that it needs pass
TO_WRITE = "Not written yet."
TO_MEND = "Not written in what was graded: see the note above."
UNREAD = "Nothing could be read of what you handed in, so no exercise was graded. Mend this first, and hand in again."
SLOW = "It takes more time than an exercise may: is there a loop that need not be, or one that does not end?"


@dataclass(frozen=True)
class ByHand:
    """What people have entered in the gradebook for one submission.

    marks and comments go by exercise id, or by the title of a free answer; `score` is the whole with marks by hand and extra
    points, None without a gradebook; `penalty` is what is taken off for lateness.
    open: what a person has still to mark, or to mark again, as formgrader has it, with the most points that it can get;
    unanswered: the free answers in which nothing was written, which have 0.
    """

    marks: Mapping[str, float] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    score: float | None = None
    penalty: float = 0.0
    open: Mapping[str, float] = field(default_factory=dict)
    unanswered: Mapping[str, float] = field(default_factory=dict)


def report_page(
    student: str,
    problem_set: ProblemSet,
    report: Report,
    before: Report | None = None,
    sources: Mapping[str, str] | None = None,
    by_hand: ByHand | None = None,
    links: Mapping[str, str] | None = None,
    when: str = "",
    own: str = "",
) -> str:
    """Return the page as HTML.

    Args:
        before: the report of the submission before this one, if there was one.
        sources: the student's code by exercise id; without it no lines are quoted.
        by_hand: marks, comments and penalty from the gradebook.
        links: pages beside this one: text to address.
        when: the dates of the hand-in and of the grading.
        own: what holds for this student alone: the team, the due date if something has moved it, the late-day tokens.
    """
    sources, by_hand = sources or {}, by_hand or ByHand()
    unread = report.form == NONE and not report.has_fault
    exercises = [_shown(exercise, sources.get(exercise.id, ""), by_hand) for exercise in report.exercises]
    quiet = [entry for entry in exercises if _is_quiet(entry)]
    why = causes(report)
    first_of = {exercise.id: cause.exercises[0].id for cause in why if cause.kind in STOPPED for exercise in cause.exercises[1:]}
    return environment().get_template("report.html").render(
        student=student, when=when, own=own, quiet=quiet, first_of=first_of,
        unwritten=[entry for entry in exercises if _is_unwritten(entry)],
        shown=[entry for entry in exercises if entry not in quiet and not _is_unwritten(entry)],
        states=[state for state in (*Outcome, WAITS) if any(entry["state"] == state for entry in exercises)], waits=WAITS,
        title=problem_set.title, report=report, exercises=exercises, by_hand=by_hand, links=links or {},
        sum=_sum(report, by_hand),
        next_steps=[] if unread else _next_steps(why), unread=UNREAD if unread else "",
        changes=_changes(before, report), before=before, outcomes=Outcome,
        to_write=_to_write(report),
        required=[exercise for exercise in report.exercises if _is_required(exercise)],
        passed=[exercise for exercise in report.exercises if exercise.outcome == Outcome.PASSED and _is_required(exercise)],
        optional=[exercise for exercise in report.exercises if exercise.extra and not exercise.dropped],
        tree=compared(problem_set, report.tree) if report.tree else None, value_text=value_text,
        answers=sorted({*by_hand.marks, *by_hand.comments, *by_hand.open} - {exercise.id for exercise in report.exercises}),
    )


def _is_quiet(entry: Mapping[str, Any]) -> bool:
    """Whether an exercise passes and nobody has written about it: all of them share one line."""
    return entry["report"].outcome == Outcome.PASSED and entry["mark"] is None and not entry["comment"]


def _is_unwritten(entry: Mapping[str, Any]) -> bool:
    """Whether there is nothing to say of an exercise but that it is not written."""
    return entry["report"].outcome == Outcome.NOT_WRITTEN and entry["mark"] is None and not entry["comment"]


def _is_required(exercise: ExerciseReport) -> bool:
    return not exercise.extra and not exercise.dropped


def _sum(report: Report, by_hand: ByHand) -> dict[str, float] | None:
    """Return the points that count, and what people and the late rule have changed; None if the points of the checks count."""
    if by_hand.score is None:
        return None
    counts = round(max(0.0, by_hand.score - by_hand.penalty), 6)
    added = round(by_hand.score - report.points - report.extra_points, 6)
    return {"counts": counts, "by_hand": added} if (added, by_hand.penalty, counts) != (0, 0, report.points) else None


def _to_write(report: Report) -> str:
    return TO_MEND if report.note else TO_WRITE


def _shown(exercise: ExerciseReport, source: str, by_hand: ByHand) -> dict[str, Any]:
    """Return what the page shows of one exercise."""
    first = None if exercise.outcome == Outcome.NOT_WRITTEN else first_lost(exercise.checks)
    lines = source.strip("\n").split("\n") if source.strip() else []
    marked = marked_lines(lines, first.hint) if first and first.hint else set()
    return {
        "report": exercise,
        "state": WAITS if exercise.waits_for else exercise.outcome,
        "first": first,
        "lost": [check for check in exercise.checks if first and check.outcome != Outcome.PASSED and check is not first],
        "kept": [check for check in exercise.checks if check.outcome == Outcome.PASSED],
        "lines": [(number, line, number in marked) for number, line in enumerate(lines[:MOST_LINES], 1)],
        "cut": len(lines) > MOST_LINES,
        "mark": by_hand.marks.get(exercise.id),
        "open": exercise.id in by_hand.open and not exercise.undecided,
        "comment": by_hand.comments.get(exercise.id),
    }


def marked_lines(lines: list[str], hint: str) -> set[int]:
    """Return the number, from 1, of the line that a hint quotes; of all equal lines, if it counts the lines of another cell."""
    quoted = QUOTED.search(hint)
    if not quoted:
        return set()
    statement = quoted[2].removesuffix("...")
    equal = {number for number, line in enumerate(lines, 1) if statement and line.strip().startswith(statement)}
    return equal & {int(quoted[1])} or equal


def _next_steps(why: Sequence[Cause]) -> list[dict[str, Any]]:
    """Return what would gain points, by cause, the largest gain first; last what waits for others, and the optional ones."""
    sentences = {Kind.WAITING: "It is run as soon as the exercises that it needs pass.", Kind.NOTE: TO_MEND,
                 Kind.UNWRITTEN: TO_WRITE, Kind.TIME: SLOW}
    return [{"cause": cause, "hint": cause.hint,
             "sentence": f"Required: {cause.line}" if cause.kind == Kind.MISTAKE else sentences.get(cause.kind, "")}
            for cause in why]


def _changes(before: Report | None, now: Report) -> dict[str, Any] | None:
    """Return the points and exercises gained and lost since the submission before; None without one."""
    if before is None or before.sha256 == now.sha256:
        return None
    earlier = {exercise.id: exercise.outcome for exercise in before.exercises}
    gained = [exercise for exercise in now.exercises if exercise.outcome == Outcome.PASSED != earlier.get(exercise.id)]
    lost = [exercise for exercise in now.exercises if earlier.get(exercise.id) == Outcome.PASSED != exercise.outcome]
    return {"from": before.points, "to": now.points, "gained": gained, "lost": lost}
