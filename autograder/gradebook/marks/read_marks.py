"""The final marks of a course, read from nbgrader's gradebook and the roster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbgrader.api import Gradebook

from arena.challenge.report import ASSIGNMENT
from autograder.gradebook.due_dates import DueDates
from autograder.gradebook.extension import waiting_extensions
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.marks.final_marks import FinalMarks, Mark
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.exemptions import exempt_from
from autograder.gradebook.policy.roster_file import Person, read_roster
from autograder.grading.report import Report
from autograder.plain_text import one_line
from autograder.problem_sets.source import facts_of, load, names
from autograder.submission.discover import NONE


def read_marks(course: Path, gradebook: Gradebook, now: datetime | None = None) -> FinalMarks:
    """Return the final marks of a course from its open gradebook, its roster and its course.toml.

    Args:
        now: the moment that decides which assignments are still open, with a time zone; by default this one.

    Raises:
        UserError: the roster is not a table, or course.toml cannot be used.
    """
    people = {student.id: _known(student.id, student.first_name, student.last_name, student.email)
              for student in gradebook.students}
    people.update((person.id, person) for person in read_roster(course) or ())
    ledgers = {name: read_ledger(gradebook, name) for name in _assignments(gradebook)}
    most = {name: float(gradebook.find_assignment(name).max_score) for name in ledgers if ledgers[name]}
    marks: dict[str, dict[str, Mark]] = {}
    for name in most:
        worth = {cell.name: cell.max_score for notebook in gradebook.find_assignment(name).notebooks
                 for cell in (*notebook.grade_cells, *notebook.task_cells)}
        for student, entry in ledgers[name].items():
            above = _above(name, entry, worth)
            marks.setdefault(student, {})[name] = replace(_mark(entry), above=above, unread=_unread(course, student, name, entry))
    file, now = read_course_file(course), now or datetime.now(UTC)
    due = {assignment.name: assignment.duedate or file.due_in_utc(assignment.name) for assignment in gradebook.assignments}
    dates = DueDates(course, gradebook)
    closes = {name: _closes(course, name, moment, ledgers[name], _before_hand_in(dates, name, people))
              for name, moment in due.items() if moment}
    if ASSIGNMENT in most:
        closes[ASSIGNMENT] = _last([closes[ps] for ps in file.sets if ps in closes and facts_of(ps).player])
    own = {id: {name: closes[name].get(id, closes[name].get("", now)) for name in most if name in closes} for id in people}
    with_player = {ps for ps in file.sets if facts_of(ps).player}
    exempt = exempt_from(course, people, [name for name in most if name != ASSIGNMENT], with_player, ASSIGNMENT)
    open = {id: {name: moment for name, moment in dates.items() if moment > now and name not in exempt.get(id, ())}
            for id, dates in own.items()}
    moved = {id: {ps: parts for ps in dates.due if ps in most and (parts := dates.counted(id, ps)).hours} for id in people}
    return FinalMarks(most, tuple(people[id] for id in sorted(people)), marks, file.points, open, moved, file.tokens,
                      dates.teams, exempt)


def _before_hand_in(dates: DueDates, name: str, people: Iterable[str]) -> dict[str, float]:
    """Return the hours by which an assignment is due later for those whom the gradebook has no submission of."""
    if name not in dates.due:
        return {}
    return {id: hours for id in people if dates.in_gradebook(id, name) is None
            if (hours := dates.of_without_tokens(id, name).hours)}


def _closes(
    course: Path, name: str, due: datetime, ledger: Mapping[str, GradebookEntry], before_hand_in: Mapping[str, float]
) -> dict[str, datetime]:
    """Return the due dates of an assignment, in UTC: under "" that of the class, and by student where it is another one.

    Args:
        due: in UTC, without a time zone, as nbgrader's gradebook stores it.
    """
    waiting = {**waiting_extensions(course, name), **before_hand_in}
    more = {id: timedelta(hours=hours) for id, hours in waiting.items()}
    more |= {id: entry.extension for id, entry in ledger.items() if entry.extension}
    return {id: due.replace(tzinfo=UTC) + by for id, by in {"": timedelta(), **more}.items()}


def _last(sets: Sequence[Mapping[str, datetime]]) -> dict[str, datetime]:
    """Return the due dates of the challenge: a player of any of these sets may enter, so it closes with the last of them."""
    return {id: max(dates.get(id, dates[""]) for dates in sets) for id in {id for dates in sets for id in dates}}


def _known(id: str, first_name: str | None, last_name: str | None, email: str | None) -> Person:
    return Person(id, first_name or "", last_name or "", email or "")


def _assignments(gradebook: Gradebook) -> list[str]:
    """The names of the gradebook's assignments: our sets in their order, the challenge, then any others."""
    order = {name: place for place, name in enumerate([*names(), ASSIGNMENT])}
    return sorted((assignment.name for assignment in gradebook.assignments), key=lambda name: (order.get(name, len(order)), name))


def _above(name: str, entry: GradebookEntry, worth: Mapping[str, float]) -> tuple[str, ...]:
    """Return the scores by hand that are more than their cell is worth; an optional exercise is worth 0 in the gradebook."""
    above = {id: score for id, score in entry.manual.items() if score is not None and score > worth[id]}
    if above and name in names():
        extra = [exercise for exercise in load(name).exercises if exercise.extra]
        worth = {**worth, **{load(name).grade_id(exercise.id): float(exercise.points) for exercise in extra}}
    return tuple(f"{id} has {score:g} of {worth[id]:g}" for id, score in above.items() if score > worth[id])


def _unread(course: Path, student: str, name: str, entry: GradebookEntry) -> str:
    """Return why a submission could not be read, as its report says; "" if it was read. Only work without points is looked at."""
    if any(entry.auto.values()) or name not in names():
        return ""
    try:
        report = Report.from_json((course / "reports" / student / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return one_line(report.note) if report.form == NONE and not report.has_fault else ""


def _mark(entry: GradebookEntry) -> Mark:
    automatic = sum(score or 0.0 for score in entry.auto.values())
    return Mark(automatic, entry.score - automatic, entry.penalty or 0.0, entry.to_mark)
