"""The final marks of a course, read from nbgrader's gradebook and the roster."""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import Gradebook

from arena.challenge.report import ASSIGNMENT
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.marks.final_marks import FinalMarks, Mark
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.roster_file import Person, read_roster
from autograder.problem_sets.source import names


def read_marks(course: Path, gradebook: Gradebook) -> FinalMarks:
    """Return the final marks of a course from its open gradebook, its roster and the points in its course.toml.

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
        for student, entry in ledgers[name].items():
            marks.setdefault(student, {})[name] = _mark(entry)
    return FinalMarks(most, tuple(people[id] for id in sorted(people)), marks, read_course_file(course).points)


def _known(id: str, first_name: str | None, last_name: str | None, email: str | None) -> Person:
    return Person(id, first_name or "", last_name or "", email or "")


def _assignments(gradebook: Gradebook) -> list[str]:
    """The names of the gradebook's assignments: our sets in their order, the challenge, then any others."""
    order = {name: place for place, name in enumerate([*names(), ASSIGNMENT])}
    return sorted((assignment.name for assignment in gradebook.assignments), key=lambda name: (order.get(name, len(order)), name))


def _mark(entry: GradebookEntry) -> Mark:
    automatic = sum(score or 0.0 for score in entry.auto.values())
    waiting = tuple(id for id, score in entry.auto.items() if score is None and entry.manual[id] is None)
    return Mark(automatic, entry.score - automatic, entry.penalty or 0.0, waiting)
