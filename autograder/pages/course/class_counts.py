"""What a class has lost, counted: by exercise, by cause, by submission; and sentences about it for the next lesson."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.grading.report import ExerciseReport, Outcome, Report, first_lost
from autograder.pages.causes import STOPPED, Cause, Kind, causes, kind_of
from autograder.pages.course.set_record import SetRecord
from autograder.pages.environment import shorten
from autograder.pages.short_report import ShortReport
from autograder.problem_sets.rules import JOINT
from autograder.submission.discover import NONE

FAILED = (Outcome.NOT_YET, Outcome.TOO_SLOW)
MOST_MISTAKES, MOST_OPEN = 3, 3  # mistakes, and exercises, in a sentence
MOST_NAMED = 3  # exercises of a cause
MOST_OF_A_NOTE = 100  # characters


@dataclass
class ExerciseCount:
    """One exercise: its submissions by outcome, and the properties that it lost."""

    exercise: ExerciseReport
    counts: Counter[Outcome] = field(default_factory=Counter)

    @property
    def share(self) -> int:
        """Percent of the submissions that pass."""
        return round(100 * self.counts[Outcome.PASSED] / self.counts.total())


@dataclass
class LostProperty:
    """A property, the first line of a hidden check, with the students whose code ran to its end and lost it.

    check: its name, for `explain` and `staff excuse`.
    mistaken: the students whose report gives advice on it, and on no other property of the exercise: it is their mistake.
    """

    exercise: ExerciseReport
    line: str
    check: str
    students: list[str] = field(default_factory=list)
    mistaken: list[str] = field(default_factory=list)


@dataclass
class Stopped:
    """What stopped the code of some students before a value could be compared: the students, and in which exercises how many."""

    kind: Kind
    students: list[str] = field(default_factory=list)
    exercises: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Help:
    """A student with few points, and in a sentence the cause that took most of them."""

    student: str
    points: float
    sentence: str


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
    """Return the lost properties; the mistake of most students comes first.

    Where an exception or a limit stopped the code, every property is lost and none of them is the mistake: see `stopped`.
    """
    properties: dict[tuple[str, str], LostProperty] = {}
    for student, report in reports.items():
        for exercise in report.exercises:
            if exercise.outcome not in FAILED or kind_of(exercise) != Kind.MISTAKE:
                continue
            lost = [check for check in exercise.checks if check.outcome in FAILED]
            first = first_lost(exercise.checks)
            for check in lost:
                entry = properties.setdefault((exercise.id, check.name), LostProperty(exercise, check.line, check.name))
                entry.students.append(student)
                entry.mistaken += [student] if check is first else []
    return sorted(properties.values(), key=lambda entry: (-len(entry.mistaken), -len(entry.students)))


def stopped(reports: Mapping[str, Report]) -> list[Stopped]:
    """Return what stopped code of the class, by kind; exercises of the set that count in this course, and the joint check not."""
    by_kind = {kind: Stopped(kind) for kind in STOPPED}
    for student, report in reports.items():
        for exercise in report.exercises:
            if exercise.outcome in FAILED and is_taught(exercise) and (kind := kind_of(exercise)) in by_kind:
                entry = by_kind[kind]
                entry.exercises[exercise.id] += 1
                if student not in entry.students[-1:]:
                    entry.students.append(student)
    return [entry for entry in by_kind.values() if entry.students]


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


def mistakes(lost: Sequence[LostProperty]) -> list[LostProperty]:
    """Return the mistakes that most students share, at most MOST_MISTAKES, of exercises that a lesson may be about.

    Args:
        lost: see `lost_properties`; so for `lesson`.
    """
    return [entry for entry in lost if len(entry.mistaken) > 1 and is_taught(entry.exercise)][:MOST_MISTAKES]


def lesson(
    reports: Mapping[str, Report], lost: Sequence[LostProperty], record: SetRecord | None, before: SetRecord | None
) -> list[str]:
    """Return sentences: the mistakes of most students, what stopped code, what is not written, and changes since the run before.

    Optional and dropped exercises are not in them: who leaves one out has missed nothing.
    """
    sentences = (*_mistakes(reports, lost), _stopped(stopped(reports)), _unwritten(reports, record), _since(record, before))
    return [sentence for sentence in sentences if sentence]


def help_first(reports: Mapping[str, Report]) -> list[Help]:
    """Return those with less than three quarters of the points, the fewest first, with the cause that costs most."""
    low = [(report.points, student, why) for student, report in reports.items()
           if 4 * report.points < 3 * report.max_points and not report.has_fault and (why := causes(report))]
    return [Help(student, points, in_a_sentence(why, reports[student].note)) for points, student, why in sorted(low)]


def in_a_sentence(why: Sequence[Cause], note: str) -> str:
    """Say what the first cause is and what it cost, and how much the others cost together.

    Args:
        note: of the report; it tells more than the name of its kind.
    """
    cause, others = why[0], [other for other in why[1:] if not other.extra]
    words = {Kind.MISTAKE: f"required is “{cause.line}”", Kind.NOTE: shorten(note, MOST_OF_A_NOTE)}
    ids = _ids([exercise.id for exercise in cause.exercises])
    more = sum(other.gain for other in others)
    rest = f"; {more:g} more by {len(others)} other {'cause' if len(others) == 1 else 'causes'}" if more else ""
    return f"{ids}: {words.get(cause.kind, cause.kind)} (costs {cause.gain:g}{rest})"


def _mistakes(reports: Mapping[str, Report], lost: Sequence[LostProperty]) -> list[str]:
    if shared := mistakes(lost):
        return [f"{len(entry.mistaken)} of {len(reports)} fail {entry.exercise.id} {entry.exercise.title} "
                f"(worth {entry.exercise.max_points:g}). Required: “{entry.line}”." for entry in shared]
    exercises = (exercise for report in reports.values() for exercise in report.exercises)
    failed = any(exercise.outcome in FAILED and is_taught(exercise) for exercise in exercises)
    return ["No two students make the same mistake." if failed else "No exercise that was written fails."]


def _stopped(kinds: Sequence[Stopped]) -> str:
    """Say what stopped code; it takes all properties of an exercise, so it is apart from mistakes."""
    parts = []
    for entry in kinds:
        ids = _ids([f"{number} in {id}" if len(entry.students) > 1 else id for id, number in entry.exercises.most_common()])
        parts.append(f"{entry.kind} ({_students(len(entry.students))}: {ids})")
    return f"Apart from mistakes: {'; '.join(parts)}." if parts else ""


def _ids(ids: Sequence[str]) -> str:
    more = len(ids) - MOST_NAMED
    return f"{', '.join(ids[:MOST_NAMED])}{f' and {more} more exercise' + 's' * (more > 1) if more > 0 else ''}"


def is_taught(exercise: ExerciseReport) -> bool:
    """Whether the sentences for the next lesson may be about an exercise: one of the set's own, which counts in this course."""
    return exercise.id != JOINT and not exercise.extra and not exercise.dropped


def _unwritten(reports: Mapping[str, Report], record: SetRecord | None) -> str:
    unread = [student for student, report in reports.items() if report.form == NONE and not report.has_fault]
    others = {student: report for student, report in reports.items() if _has_written_something(report)}
    counted = count_exercises(list(others.values())) if others else []
    open_ = sorted((count for count in counted if count.counts[Outcome.NOT_WRITTEN] and is_taught(count.exercise)),
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
