"""What kept a submission from its points: each cause once, with all that it cost.

A lost exercise has one first property: the one that its advice is about. Where an exception, a limit, a value of another type or
a note kept the checks from comparing values, that property is not the mistake: every property of the exercise is lost, and often
other exercises too.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from autograder.grading.report import ExerciseReport, Outcome, Report, first_lost

# How the advice begins where the code was stopped: see `raised_place` and `_SENTENCES` in grading/outcomes.py.
_RAISED = re.compile(r"(\w+|An exception of your own)(?: in .+?, line \d+)?(?::|\.|$)")
_OF_ARENA = {"IllegalMove"}  # the keys of MEANING there; this module is imported where that one would take too long
_ENDED = re.compile(r"Your code (?:ended its own|crashed)")
_OF_ANOTHER_TYPE = re.compile(r"The docstring promises .*, and your code gives ")
_LIMITED = re.compile(r"Your code needed more memory|The answer is too large|The grader stopped:")
_OUT_OF_TIME = re.compile(r"Your code (?:waited instead|used up its time)")


class Kind(StrEnum):
    """What a cause is; the order is that of a sentence about a class."""

    MISTAKE = "a value is not right"
    TYPE = "a value of another type than the docstring promises"
    CRASH = "an exception or an early end"
    LIMIT = "too much memory or too large an answer"
    TIME = "too slow"
    NOTE = "see the note"
    UNWRITTEN = "not written"
    WAITING = "waits for other exercises"


STOPPED = (Kind.TYPE, Kind.CRASH, Kind.LIMIT, Kind.TIME)


@dataclass(frozen=True)
class Cause:
    """One cause, and the exercises that it cost.

    line: the first property of the first of these exercises; "" if nothing was checked.
    hint: the advice on it.
    """

    kind: Kind
    exercises: tuple[ExerciseReport, ...]
    line: str = ""
    hint: str | None = None

    @property
    def gain(self) -> float:
        """The points that the submission would gain without this cause; extra points only if there are no others."""
        counted = [exercise for exercise in self.exercises if self.extra or not exercise.extra]
        return float(sum(exercise.max_points - (exercise.points or 0.0) for exercise in counted))

    @property
    def extra(self) -> bool:
        """Whether it cost optional exercises only."""
        return all(exercise.extra for exercise in self.exercises)


def kind_of(exercise: ExerciseReport, note: str = "") -> Kind:
    """Return the kind of the cause for which an exercise is not passed.

    Args:
        note: the note of its report.
    """
    first = first_lost(exercise.checks)
    hint = first.hint or "" if first else ""
    if exercise.waits_for:
        return Kind.WAITING
    if exercise.outcome == Outcome.NOT_WRITTEN:
        return Kind.NOTE if note else Kind.UNWRITTEN
    return Kind.TIME if exercise.outcome == Outcome.TOO_SLOW else _kind_of_advice(hint)


@lru_cache(maxsize=2048)  # in a class most advice is the same
def _kind_of_advice(hint: str) -> Kind:
    if _OUT_OF_TIME.match(hint):
        return Kind.TIME
    if _LIMITED.match(hint):
        return Kind.LIMIT
    if _OF_ANOTHER_TYPE.match(hint):
        return Kind.TYPE
    return Kind.CRASH if _ENDED.match(hint) or _is_exception(hint) else Kind.MISTAKE


def _is_exception(hint: str) -> bool:
    """Whether advice begins with an exception of the student's code."""
    begin = _RAISED.match(hint)
    name = begin[1] if begin else ""
    known = getattr(builtins, name, None)
    return name in _OF_ARENA or " " in name or isinstance(known, type) and issubclass(known, BaseException)


def causes(report: Report) -> list[Cause]:
    """Return the causes of a submission, those that cost most first; optional and waiting exercises come last.

    Exercises with the same exception at one line, or with the same wrong type, have one cause. All that is not written is one
    cause, and all that a note explains. A mistake is a cause of its own, and so is a limit: its advice names no line, so two
    exercises that ran into it may have nothing in common.
    """
    by_key: dict[tuple[Kind, str | None, bool], list[ExerciseReport]] = {}
    for exercise in report.exercises:
        if exercise.outcome == Outcome.PASSED or exercise.undecided or exercise.dropped:
            continue
        kind, first = kind_of(exercise, report.note), first_lost(exercise.checks)
        alone = kind in (Kind.MISTAKE, Kind.LIMIT, Kind.TIME)
        key = exercise.id if alone else first.hint if first and kind in STOPPED else ""
        by_key.setdefault((kind, key, exercise.extra and kind not in STOPPED), []).append(exercise)
    made = [_cause(kind, exercises) for (kind, _, _), exercises in by_key.items()]
    return sorted(made, key=lambda cause: (cause.extra, cause.kind == Kind.WAITING, -cause.gain))


def _cause(kind: Kind, exercises: Sequence[ExerciseReport]) -> Cause:
    first = first_lost(exercises[0].checks)
    named = first if first and kind in (Kind.MISTAKE, *STOPPED) else None
    return Cause(kind, tuple(exercises), named.line if named else "", named.hint if named else None)
