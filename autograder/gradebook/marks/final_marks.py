"""The final marks of a course, in every problem set and the challenge: what nbgrader's gradebook says, and why.

`final.csv` is written from them at the end of each run, and so are the course's front page and all exports. A final mark is
nbgrader's own: automatic points, or the score by hand that replaces them, plus extra points, minus the late penalty, and never
below 0. A student who handed nothing in has 0 after the due date. Until then the assignment is open: it has no mark, or one that
may still change, and it counts neither in the total nor in the largest total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from arena.files import read_regular, write_atomic, write_if_changed
from autograder.csv_text import neutral, read_table, table_text
from autograder.gradebook.policy.course_file import Tokens
from autograder.gradebook.policy.more_time import MoreTime
from autograder.gradebook.policy.roster_file import EMAIL, FIRST, LAST, Person
from autograder.gradebook.policy.teams_file import Teams
from autograder.gradebook.tables import points_text
from autograder.json_files import read_state, write_state

FINAL = "final.csv"
_BEFORE = Path(".work", "final-before.csv")  # final.csv as it was before a run that did not reach its end
_OPEN = Path(".work", "open.json")  # until when each assignment was open when final.csv was written
LARGEST_BYTES = 64 * 2**20
_PARTS = ("automatic", "by_hand", "late")  # columns of each assignment, beside the mark itself
_EXEMPT = "exempt, not in the total"  # a note
_TOKENS = ("tokens_used", "tokens_left")  # columns of a course with late-day tokens


@dataclass(frozen=True)
class Mark:
    """One student's mark in one assignment, in points.

    automatic: the sum of the automatic scores.    by_hand: what scores by hand and extra points add to it; may be negative.
    late: the late penalty.    to_mark: cells that are to be marked by hand, as formgrader has them.
    above: scores by hand that are more than their cell is worth, such as "ex2_13 has 9 of 5". They count, as in nbgrader.
    unread: why nothing of the submission could be read; "" if it was read.
    """

    automatic: float
    by_hand: float
    late: float
    to_mark: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    unread: str = ""

    @property
    def final(self) -> float:
        """The mark that counts, as in nbgrader's export: 0 or more."""
        return max(0.0, self.automatic + self.by_hand - self.late)


@dataclass(frozen=True)
class FinalMarks:
    """The marks of a course.

    assignments: those that somebody has handed in, with their largest number of points; sets in their order, then the challenge.
    people: everybody in the roster or in the gradebook, in alphabetical order of their ids.
    marks: by student and assignment; nothing was handed in where there is none.
    counts: the points that a whole assignment counts for in the total, where they are not its own number of points.
    open: by student and assignment, the student's own due date, where it is still to come; in UTC.
    moved: by student and set, what has moved the student's due date.    tokens: the course's late-day tokens, if it has any.
    teams: the members of the teams by set.
    exempt: by student, the assignments that the student need not do: no mark, and neither in the total nor in the largest total.
    """

    assignments: Mapping[str, float] = field(default_factory=dict)
    people: tuple[Person, ...] = ()
    marks: Mapping[str, Mapping[str, Mark]] = field(default_factory=dict)
    counts: Mapping[str, float] = field(default_factory=dict)
    open: Mapping[str, Mapping[str, datetime]] = field(default_factory=dict)
    moved: Mapping[str, Mapping[str, MoreTime]] = field(default_factory=dict)
    tokens: Tokens | None = None
    teams: Teams = field(default_factory=Teams)
    exempt: Mapping[str, Set[str]] = field(default_factory=dict)

    def is_exempt(self, student: str, assignment: str) -> bool:
        """Whether a student need not do an assignment."""
        return assignment in self.exempt.get(student, ())

    def most(self, student: str) -> float:
        """The largest total that a student can have: of the assignments that are closed for this student and count."""
        return sum(self.counts.get(name, most) for name, most in self._closed(student).items())

    def final(self, student: str, assignment: str) -> float | None:
        """A student's mark in an assignment. If nothing was handed in, it is 0, or None while the assignment is open.

        It is None too for a student who need not do the assignment.
        """
        if self.is_exempt(student, assignment):
            return None
        mark = self.marks.get(student, {}).get(assignment)
        return mark.final if mark else None if assignment in self.open.get(student, {}) else 0.0

    def total(self, student: str) -> float:
        """A student's marks in the assignments that are closed and count, each scaled to what its assignment counts."""
        return sum((self.final(student, name) or 0.0) * (self.counts[name] / most if name in self.counts and most else 1.0)
                   for name, most in self._closed(student).items())

    def to_mark(self, assignment: str) -> dict[str, tuple[str, ...]]:
        """The cells of an assignment that are to be marked by hand, by student."""
        marks = {person.id: self.marks.get(person.id, {}).get(assignment) for person in self.people
                 if not self.is_exempt(person.id, assignment)}
        return {id: mark.to_mark for id, mark in marks.items() if mark and mark.to_mark}

    @property
    def open_until(self) -> dict[str, str]:
        """Until when each assignment is open that is not due for everybody; without the students, if all have one date."""
        texts = {}
        for name in self.assignments:
            dates = Counter(own[name] for own in self.open.values() if name in own)
            everybody = list(dates.values()) == [sum(not self.is_exempt(person.id, name) for person in self.people)]
            texts[name] = ", ".join(due_text(due) + ("" if everybody else f" for {number} student{'' if number == 1 else 's'}")
                                    for due, number in sorted(dates.items()))
        return {name: text for name, text in texts.items() if text}

    @property
    def above(self) -> list[str]:
        """A sentence for each score by hand that is more than its cell is worth; a slip of the keyboard looks so."""
        return [f"{person.id!r} {name}: {what} points by hand, which all count: correct the score in formgrader, or give "
                "the points above the maximum as extra credit there"
                for person in self.people for name in self.assignments
                if (mark := self.marks.get(person.id, {}).get(name)) for what in mark.above]

    def _closed(self, student: str) -> dict[str, float]:
        return {name: most for name, most in self.assignments.items()
                if name not in self.open.get(student, {}) and not self.is_exempt(student, name)}


@dataclass(frozen=True)
class MarkChange:
    """A final mark that differs from the one in final.csv before. `why`: the parts that moved, such as "late 0 -> 8"."""

    student: str
    assignment: str
    old: str
    new: str
    why: str

    def __str__(self) -> str:
        return f"{self.student} {self.assignment} {self.old} -> {self.new} ({self.why})"


def final_rows(course: Path) -> dict[str, dict[str, str]]:
    """Return the rows of final.csv as it is on disk, by the student's name as it is written there; empty without the file."""
    return _by_student(course / FINAL)


def open_until(course: Path) -> dict[str, str]:
    """Return until when each assignment is open that final.csv leaves open, by the gradebook's due dates and extensions."""
    return {name: str(text) for name, text in read_state(course / _OPEN).items()}


def _by_student(table: Path) -> dict[str, dict[str, str]]:
    return {row["student"]: row for row in read_table(table) if "student" in row}


def write_final(course: Path, marks: FinalMarks) -> list[MarkChange]:
    """Write final.csv, one row for each student, and return the marks that changed since the end of the last run.

    The table of that time is kept until `forget_mark_changes`: a run that ends before loses no change.
    """
    text, present, rows = final_text(marks), read_regular(course / FINAL, LARGEST_BYTES), _rows(marks)
    if present not in (None, text.encode()) and not (course / _BEFORE).exists():
        write_atomic(course / _BEFORE, present or b"")
    before = _by_student(course / (_BEFORE if (course / _BEFORE).exists() else FINAL))
    write_if_changed(course / FINAL, text)
    write_state(course / _OPEN, marks.open_until)
    return [change for row in rows if row["student"] in before for change in _changes(marks, before[row["student"]], row)]


def forget_mark_changes(course: Path) -> None:
    """Remove the earlier table, at the end of a run that has reported the changes of marks."""
    (course / _BEFORE).unlink(missing_ok=True)


def final_text(marks: FinalMarks) -> str:
    """Return the table of all marks and their parts, one row for each student."""
    tokens = _TOKENS if marks.tokens else ()
    header = ["student", LAST, FIRST, EMAIL, *_columns(marks), "total", "max", *tokens, "note"]
    return table_text(header, ([row[column] for column in header] for row in _rows(marks)))


def _rows(marks: FinalMarks) -> list[dict[str, str]]:
    return [_row(marks, person) for person in marks.people]


def _columns(marks: FinalMarks) -> Iterator[str]:
    for name in marks.assignments:
        yield from (name, *(f"{name}_{part}" for part in _PARTS))


def _row(marks: FinalMarks, person: Person) -> dict[str, str]:
    row = {"student": person.id, LAST: person.last_name, FIRST: person.first_name, EMAIL: person.email}
    notes = []
    for name in marks.assignments:
        exempt = marks.is_exempt(person.id, name)
        mark = None if exempt else marks.marks.get(person.id, {}).get(name)
        row[name] = mark_text(marks, person.id, name)
        parts = (mark.automatic, mark.by_hand, -mark.late) if mark else (None, None, None)
        row.update({f"{name}_{part}": points_text(None if value is None else _rounded(value))
                    for part, value in zip(_PARTS, parts, strict=True)})
        if exempt:
            notes.append(f"{name}: {_EXEMPT}")
            continue
        closes = marks.open.get(person.id, {}).get(name)
        notes += [f"{name}: open until {due_text(closes)}, not in the total"] if closes else []
        notes += [f"{name}: nothing handed in"] if mark is None and not closes else []
        notes += [f"{name}: {len(mark.to_mark)} to be marked by hand"] if mark and mark.to_mark else []
        notes += [f"{name}: {', '.join(mark.above)} points by hand"] if mark and mark.above else []
        parts_of_time = marks.moved.get(person.id, {}).get(name)
        notes += [f"{name}: due later ({parts_of_time.words()})"] if parts_of_time and not parts_of_time.is_by_staff_alone else []
        mates = [member for member in marks.teams.members(person.id, name) if member != person.id] if mark else []
        notes += [f"{name}: in a team with {' and '.join(mates)}"] if mates else []
        notes += [f"{name}: nothing could be read ({mark.unread})"] if mark and mark.unread else []
    spent = sum(parts.tokens for parts in marks.moved.get(person.id, {}).values())
    row |= dict(zip(_TOKENS, (str(spent), str(marks.tokens.each - spent)), strict=True)) if marks.tokens else {}
    row |= {"total": points_text(_rounded(marks.total(person.id))), "max": points_text(marks.most(person.id)),
            "note": "; ".join(notes)}
    return {column: cell if _is_number(cell) else neutral(cell) for column, cell in row.items()}


def due_text(due: datetime) -> str:
    """Return a due date in UTC as tables and pages show it."""
    return f"{due:%Y-%m-%d %H:%M} UTC"


def mark_text(marks: FinalMarks, student: str, assignment: str) -> str:
    """Return a mark as all tables show it: at most 6 digits after the point; "" if there is none yet."""
    final = marks.final(student, assignment)
    return "" if final is None else points_text(_rounded(final))


def _rounded(points: float) -> float:
    return round(points, 6) + 0.0  # no "-0"


def _is_number(cell: str) -> bool:
    """Whether a cell is one of our numbers; the apostrophe against formulas would turn -8 into text."""
    return cell.removeprefix("-").replace(".", "", 1).isdecimal() and cell.isascii()


def _changes(marks: FinalMarks, before: Mapping[str, str], row: Mapping[str, str]) -> Iterator[MarkChange]:
    for name in marks.assignments:
        old, new = before.get(name), row[name]
        was_exempt, is_exempt = (f"{name}: {_EXEMPT}" in table.get("note", "") for table in (before, row))
        if was_exempt != is_exempt:
            yield MarkChange(row["student"], name, old or "no mark", new or "no mark", "exempt" if is_exempt else "counts again")
        elif old is not None and old != new and before.get(f"{name}_{_PARTS[0]}"):  # a first hand-in changes no mark
            parts = [(part.replace("_", " "), before.get(f"{name}_{part}", ""), row[f"{name}_{part}"]) for part in _PARTS]
            moved = [f"{part} {was or 0} -> {now or 0}" for part, was, now in parts if was != now]
            yield MarkChange(row["student"], name, old, new, ", ".join(moved))
