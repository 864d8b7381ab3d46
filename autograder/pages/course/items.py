"""How well each exercise of a set does its work: how hard it is, whether it tells students apart, and whether its hints help."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.grading.report import ExerciseReport, Outcome, Report
from autograder.pages.short_report import LETTERS, ShortReport

LEAST = 10  # submissions; below, a correlation is chance
WIDTH, HEIGHT, EDGE = 620, 250, 34  # of the picture, in its own units
_TOLD = LETTERS[Outcome.NOT_YET] + LETTERS[Outcome.TOO_SLOW]  # after these a report gives a hint


@dataclass(frozen=True)
class Item:
    """One exercise.

    passed: the share of the submissions that pass, 0 to 1.
    apart: the correlation of passing it with the points of all other exercises, -1 to 1; None with fewer than LEAST
        submissions, or if all pass or none.
    told, mended: how often a student read a hint and handed in again, and how often the next hand-in then passed.
    """

    exercise: ExerciseReport
    passed: float
    apart: float | None
    told: int = 0
    mended: int = 0


def items(reports: Iterable[Report], histories: Iterable[Sequence[ShortReport]] = ()) -> list[Item]:
    """Return the exercises of a set in order; submissions in which the grader failed do not count.

    Args:
        reports: of one set, all with the same exercises.
        histories: every student's graded submissions, the first one first.
    """
    judged = [report for report in reports if not report.has_fault]
    if not judged:
        return []
    told, mended = _mends(histories, len(judged[0].exercises))
    made = []
    for place, exercise in enumerate(judged[0].exercises):
        passed = [float(report.exercises[place].outcome == Outcome.PASSED) for report in judged]
        others = [report.points - (0.0 if exercise.extra else report.exercises[place].points or 0.0) for report in judged]
        made.append(Item(exercise, statistics.fmean(passed), _correlation(passed, others), told[place], mended[place]))
    return made


def _correlation(passed: Sequence[float], others: Sequence[float]) -> float | None:
    if len(passed) < LEAST or len(set(passed)) < 2 or len(set(others)) < 2:
        return None
    return statistics.correlation(passed, others)


def _mends(histories: Iterable[Sequence[ShortReport]], exercises: int) -> tuple[list[int], list[int]]:
    """How often a hint was read before another hand-in, by exercise, and how often this hand-in passed."""
    told, mended = [0] * exercises, [0] * exercises
    for history in histories:
        for before, after in zip(history, history[1:], strict=False):
            if before.sha256 == after.sha256 or not len(before.letters) == len(after.letters) == exercises:
                continue
            for place, (was, now) in enumerate(zip(before.letters, after.letters, strict=True)):
                told[place] += was in _TOLD
                mended[place] += was in _TOLD and now == LETTERS[Outcome.PASSED]
    return told, mended


def picture(shown: Sequence[Item]) -> Markup | None:
    """Return the exercises as points: to the right those that more students pass, above those that tell students apart.

    None if no exercise can be placed. Its numbers stand in the table too.
    """
    placed = [item for item in shown if item.apart is not None and not item.exercise.dropped]
    if not placed:
        return None
    right, bottom = WIDTH - EDGE, HEIGHT - EDGE
    lowest = min(0.0, *(item.apart or 0.0 for item in placed))

    def at(item: Item) -> tuple[float, float]:
        return EDGE + item.passed * (right - EDGE), bottom - ((item.apart or 0.0) - lowest) / (1 - lowest) * (bottom - EDGE / 2)

    taken: list[tuple[float, float]] = []
    points = []
    for item in sorted(placed, key=lambda item: -(item.apart or 0.0)):
        x, y = at(item)
        label = y + 4
        while any(abs(label - other) < 12 and abs(x - beside) < 34 for beside, other in taken):
            label += 12
        taken.append((x, label))
        points.append(Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="4"/><text x="{:.1f}" y="{:.1f}">{}</text>').format(
            x, y, x + 7, label, item.exercise.id))
    zero = bottom + lowest / (1 - lowest) * (bottom - EDGE / 2)
    axes = Markup('<line x1="{0}" y1="{1:.1f}" x2="{2}" y2="{1:.1f}"/><line x1="{0}" y1="{3}" x2="{0}" y2="{4}"/>').format(
        EDGE, zero, right, EDGE / 2, bottom)
    words = Markup('<text x="{0}" y="{1}">nobody passes</text><text class="end" x="{2}" y="{1}">everybody passes</text>'
                   '<text x="{3}" y="12">tells students apart</text>').format(EDGE, HEIGHT - 10, right, EDGE + 6)
    told = "; ".join(f"{item.exercise.id}: {round(100 * item.passed)} % pass, {item.apart:+.2f}" for item in placed)
    return Markup('<svg class="items" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>').format(
        WIDTH, HEIGHT, told, axes, words, Markup("").join(points))


def by_id(shown: Sequence[Item]) -> Mapping[str, Item]:
    """Return the exercises by their ids."""
    return {item.exercise.id: item for item in shown}
