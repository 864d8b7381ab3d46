"""What a class has lost, counted: by exercise, by property, by submission; and three sentences about it for the next lesson."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.grading.report import ExerciseReport, Outcome, Report, first_lost
from autograder.pages.course.set_record import SetRecord
from autograder.pages.short_report import ShortReport
from autograder.problem_sets.rules import JOINT
from autograder.submission.discover import NONE

FAILED = (Outcome.NOT_YET, Outcome.TOO_SLOW)
MOST_FAILING, MOST_OPEN = 2, 3  # exercises in a sentence


@dataclass
class ExerciseCount:
    """One exercise: its submissions by outcome, and the properties that it lost."""

    exercise: ExerciseReport
    counts: Counter[Outcome] = field(default_factory=Counter)

    @property
    def failed(self) -> int:
        """The number of submissions that have written it, and fail."""
        return sum(self.counts[outcome] for outcome in FAILED)

    @property
    def share(self) -> int:
        """Percent of the submissions that pass."""
        return round(100 * self.counts[Outcome.PASSED] / self.counts.total())


@dataclass
class LostProperty:
    """A property, the first line of a hidden check, with the students who have written its exercise and lose it.

    check: its name, for `explain` and `staff excuse`.
    first: the number of students whose report gives advice on it, and on no other property of the exercise.
    """

    exercise: ExerciseReport
    line: str
    check: str
    students: list[str] = field(default_factory=list)
    first: int = 0


@dataclass(frozen=True)
class Resubmissions:
    """The n-th submissions of a class: how many students, their mean points, all their exercises by outcome."""

    number: int
    students: int
    mean: float
    counts: Counter[Outcome]


def count_exercises(reports: Sequence[Report]) -> list[ExerciseCount]:
    """Count the outcomes of every exercise, in the order of the set."""
    return [ExerciseCount(exercise, Counter(report.exercises[place].outcome for report in reports))
            for place, exercise in enumerate(reports[0].exercises)]


def lost_properties(reports: Mapping[str, Report]) -> list[LostProperty]:
    """Return the lost properties; what most students lose comes first."""
    properties: dict[tuple[str, str], LostProperty] = {}
    for student, report in reports.items():
        for exercise in report.exercises:
            if exercise.outcome not in FAILED or exercise.waits_for:
                continue
            lost = [check for check in exercise.checks if check.outcome in FAILED]
            first = first_lost(exercise.checks)
            for check in lost:
                entry = properties.setdefault((exercise.id, check.name), LostProperty(exercise, check.line, check.name))
                entry.students.append(student)
                entry.first += check is first
    return sorted(properties.values(), key=lambda entry: (-len(entry.students), -entry.first))


def resubmissions(histories: Iterable[Sequence[ShortReport]]) -> list[Resubmissions]:
    """Return the class at its first submission, its second and so on; one entry if nobody has handed in again."""
    kept, rows = list(histories), []
    for number in range(max(map(len, kept), default=0)):
        there = [history[number] for history in kept if len(history) > number]
        counts = sum((report.counts for report in there), Counter[Outcome]())
        rows.append(Resubmissions(number + 1, len(there), statistics.mean(report.points for report in there), counts))
    return rows


def gained(histories: Iterable[Sequence[ShortReport]]) -> str:
    """Return a sentence about those who have handed in more than once; "" if nobody has."""
    gains = [history[-1].points - history[0].points for history in histories if len(history) > 1]
    if not gains:
        return ""
    more, fewer = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    return (f"{_students(len(gains))} handed in more than once: {more} with more points than for the first submission, "
            f"{fewer} with fewer; {statistics.mean(gains):+.1f} points on average.")


def lesson(reports: Mapping[str, Report], record: SetRecord | None, before: SetRecord | None) -> list[str]:
    """Return three sentences: what most of the class fail, what is not written, and what has changed since the run before.

    Optional and dropped exercises are not in them: who leaves one out has missed nothing.
    """
    counted = count_exercises(list(reports.values()))
    failing = _failing(counted, lost_properties(reports), len(reports))
    return [failing, _unwritten(reports, record), _since(record, before)]


def _failing(counted: Sequence[ExerciseCount], properties: Sequence[LostProperty], total: int) -> str:
    failing = [count for count in counted if count.failed and _is_taught(count.exercise)]
    if not failing:
        return "No exercise that was written fails."
    worst = sorted(failing, key=lambda count: -count.failed)[:MOST_FAILING]
    half = [count for count in worst if 2 * count.failed >= total]
    parts = []
    for count in half or worst:
        lost = next((lost for lost in properties if lost.exercise.id == count.exercise.id), None)
        who = "all" if lost and len(lost.students) == count.failed else len(lost.students) if lost else 0
        on = f", {who} of them on “{lost.line}”" if lost else ""
        parts.append(f"{count.exercise.id} {count.exercise.title} ({count.failed} of {total}{on})")
    few = "No exercise that was written fails for half of the class; those that fail most are"
    lead = "At least half of the class fail" if half else few
    return f"{lead} {', '.join(parts)}."


def _is_taught(exercise: ExerciseReport) -> bool:
    """Whether the sentences for the next lesson may be about an exercise: one of the set's own, which counts in this course."""
    return exercise.id != JOINT and not exercise.extra and not exercise.dropped


def _unwritten(reports: Mapping[str, Report], record: SetRecord | None) -> str:
    unread = [student for student, report in reports.items() if report.form == NONE and not report.has_fault]
    others = {student: report for student, report in reports.items() if _has_written_something(report)}
    counted = count_exercises(list(others.values())) if others else []
    open_ = sorted((count for count in counted if count.counts[Outcome.NOT_WRITTEN] and _is_taught(count.exercise)),
                   key=lambda count: -count.counts[Outcome.NOT_WRITTEN])
    named = ", ".join(f"{count.exercise.id} {count.exercise.title} ({count.counts[Outcome.NOT_WRITTEN]})"
                      for count in open_[:MOST_OPEN])
    nothing, missing = len(reports) - len(others) - len(unread), len(record.missing or ()) if record else 0
    parts = [f"{len(unread)} of {len(reports)} submissions could not be read"] if unread else []
    parts += [f"{nothing} of {len(reports)} {_have(nothing)} written nothing"] if nothing else []
    parts += [f"{_students(missing)} of the roster {_have(missing)} not handed in"] if missing else []
    more = f" and {len(open_) - MOST_OPEN} more" if len(open_) > MOST_OPEN else ""
    parts += [f"the exercises that {'the others have' if nothing else 'some have'} not written: {named}{more}"] if open_ else []
    sentence = "; ".join(parts) or "everybody has written every exercise"
    return f"{sentence[0].upper()}{sentence[1:]}."


def _has_written_something(report: Report) -> bool:
    return any(exercise.outcome != Outcome.NOT_WRITTEN for exercise in report.exercises if exercise.id != JOINT)


def _since(record: SetRecord | None, before: SetRecord | None) -> str:
    if record is None or before is None:
        return "This is the first run, so there is no earlier one to compare with."
    new = len(record.students.keys() - before.students.keys())
    both = [(before.students[student], report) for student, report in record.students.items() if student in before.students]
    again = sum(old.sha256 != now.sha256 for old, now in both)
    more, fewer = (sum(sign * (now.points - old.points) > 0 for old, now in both) for sign in (1, -1))
    gone = len(before.students.keys() - record.students.keys())
    changes = [f"{_students(number)} {what}" for number, what in (
        (new, "handed in for the first time"), (again, "handed in again"), (more, "gained points"), (fewer, "lost points"),
        (gone, "no longer in the class")) if number]
    when = f" ({before.runs[-1].at} UTC)" if before.runs else ""
    return f"Since the run before{when}: {', '.join(changes)}." if changes else f"Nothing has changed since the run before{when}."


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _students(number: int) -> str:
    return f"{number} student{'' if number == 1 else 's'}"
