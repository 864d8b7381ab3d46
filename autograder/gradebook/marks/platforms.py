"""Tables of final marks that Canvas and Moodle import.

Without a template, a table has the columns by which the platform finds a student. With the platform's own download as a
template, every cell of it stays as it is, and the marks are filled in. That is the surest way, because the download has the
platform's own numbers of students and assignments. Only one kind of cell is changed. People choose their names, so text that a
spreadsheet would read as a formula gets an apostrophe before it. Both platforms find a row by a number, an address or a user
name before they look at names, and an assignment by the number in its title. If such a cell itself is changed, a warning says so.

Source: Canvas, Instructor Guide, "How do I import grades in the Gradebook?", and `lib/gradebook_exporter.rb` and
`lib/gradebook_importer.rb` of Canvas: Student (or LastName and FirstName), ID, SIS User ID, SIS Login ID, Section, then the
assignments, "name (number)", and a row "Points Possible"; commas or semicolons between the cells. Moodle, "Grade import": any
column that names a student by e-mail, ID number or username; and the grading worksheet of an assignment, which has a column
"Grade".
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from arena.files import read_regular
from autograder.csv_text import csv_text, passed_on, table_text
from autograder.gradebook.marks.final_marks import FinalMarks, mark_text
from autograder.gradebook.policy.roster_file import Person
from autograder.gradebook.tables import points_text

LARGEST_TEMPLATE_BYTES = 64 * 2**20
_CANVAS_OWN = ("points possible", "manual posting", "student, test")  # first cells of rows that are not our students
_SEPARATORS = ",;\t:"  # Canvas writes one of the first two, as its user chooses, and Moodle any
NAMED, SIMILAR, EXACT = 0, 1, 2  # how surely a row of a template is a person's
_EXCUSED = "EX"  # Canvas: the student need not do the assignment
_NO_MARK = (_EXCUSED, "N/A")  # Canvas: excused, and not assigned to this student


@dataclass(frozen=True)
class Platform:
    """How a platform's tables name students and assignments.

    keys: column of the platform -> the person's values that it may contain, the surest first.
    name: the columns of the name, from which one text is made, and a person's name in the same form.
    """

    title: str
    keys: Mapping[str, Callable[[Person], tuple[str, ...]]]
    name: tuple[tuple[str, ...], Callable[[Person], str]]


CANVAS = Platform("Canvas", {
    "ID": lambda person: (person.cell("canvas_id"),),
    "SIS User ID": lambda person: (person.cell("sis_user_id"),),
    "SIS Login ID": lambda person: (person.cell("sis_login_id"), person.id, person.email),
}, (("Student", "LastName", "FirstName"), lambda person: f"{person.last_name} {person.first_name}"))

MOODLE = Platform("Moodle", {
    "Username": lambda person: (person.cell("username"), person.id),
    "ID number": lambda person: (person.cell("id_number"), person.id),
    "Email address": lambda person: (person.email,),
    "Identifier": lambda person: (person.cell("moodle_id"),),
}, (("First name", "Last name"), lambda person: f"{person.first_name} {person.last_name}"))

BLACKBOARD = Platform("Blackboard", {
    "Username": lambda person: (person.cell("username"), person.id),
    "Student ID": lambda person: (person.cell("id_number"),),
}, (("First Name", "Last Name"), lambda person: f"{person.first_name} {person.last_name}"))

PLATFORMS = {"canvas": CANVAS, "moodle": MOODLE, "blackboard": BLACKBOARD}


@dataclass(frozen=True)
class Table:
    """A table as text.

    left: the students that a template does not have. unknown: the rows of a template that no student fits.
    excused: the students and assignments for which the platform wants no mark.
    changed: the cells by which the platform finds a student or an assignment, and which would have been formulas.
    """

    text: str
    left: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    excused: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()


def canvas_table(marks: FinalMarks) -> Table:
    """Return a table that Canvas's gradebook imports; assignments that Canvas does not have are made by the import."""
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *marks.assignments]
    rows = [["    Points Possible", "", "", "", "", *map(points_text, marks.assignments.values())]]
    for person in marks.people:
        name = f"{person.last_name}, {person.first_name}" if person.last_name and person.first_name else person.full_name
        known = (person.cell("canvas_id"), person.cell("sis_user_id"), person.cell("sis_login_id") or person.id)
        rows.append([name, *known, person.cell("section"), *(_cell(marks, person, assignment, CANVAS)
                                                             for assignment in marks.assignments)])
    return Table(csv_text(header, rows))


def moodle_table(marks: FinalMarks) -> Table:
    """Return a table for Moodle's grade import, which asks for the column that names the students and for each grade item."""
    header = ["Username", "ID number", "Email address", "First name", "Last name", *marks.assignments]
    rows = [[person.cell("username") or person.id, person.cell("id_number"), person.email, person.first_name, person.last_name,
             *_points(marks, person)] for person in marks.people]
    return Table(csv_text(header, rows))


def moodle_worksheet(marks: FinalMarks) -> Table:
    """Return a grading worksheet for Moodle's assignment, of the people whose number there is known.

    The import wants the column with the date of the last mark, which may be empty.
    """
    rows = [[f"Participant {number.rpartition(' ')[2]}", person.full_name, *_points(marks, person), ""]
            for person in marks.people if (number := person.cell("moodle_id"))]
    return Table(csv_text(["Identifier", "Full name", "Grade", "Last modified (grade)"], rows))


def blackboard_table(marks: FinalMarks) -> Table:
    """Return a table that Blackboard's Grade Center uploads; it finds the rows by the user names."""
    rows = [[person.last_name, person.first_name, person.cell("username") or person.id, *_points(marks, person)]
            for person in marks.people]
    return Table(csv_text(["Last Name", "First Name", "Username", *marks.assignments], rows))


def filled_template(marks: FinalMarks, template: Path, platform: Platform) -> Table:
    """Return the platform's own table with the marks in it; all other cells stay as they are, unless they could be formulas.

    A column belongs to an assignment if its title begins with the assignment's name, as in "ps2_uct (12345)", or, on Blackboard,
    "ps2_uct [Total Pts: 105 Score] |12345"; or if it holds it after
    a colon, as in "Assignment: ps2_uct (Real)". A column "Grade" is the only assignment's. An assignment without a column gets
    a new one. A student who is excused on the platform stays excused. The cell of an open assignment, in which the student has
    handed nothing in, is empty.

    Raises:
        UserError: the file is not a table of this platform.
    """
    separator, (header, *rows) = read_template(template, platform)
    titles = [title.strip() for title in header]
    names = [titles.index(column) for column in platform.name[0] if column in titles]
    find = _Finder(marks.people, platform, {column: titles.index(column) for column in platform.keys if column in titles}, names)
    columns = {}
    for name in marks.assignments:
        place = _column(titles, name, len(marks.assignments))
        columns[name] = len(header) if place is None else place
        header += [name] if place is None else []
    filled, unknown, excused = set[str](), list[str](), list[tuple[str, str]]()
    for row in rows:
        row += [""] * (len(header) - len(row))
    for row, person in zip(rows, find.owners(rows), strict=True):
        first = row[0].strip().lower()
        if person is not None:
            filled.add(person.id)
            for name, place in columns.items():
                if row[place].strip().upper() in _NO_MARK:
                    excused.append((person.id, name))
                else:
                    row[place] = _cell(marks, person, name, platform)
        elif first == _CANVAS_OWN[0]:
            for name, place in columns.items():
                row[place] = row[place] or points_text(marks.assignments[name])
        elif (name := " ".join(row[place] for place in names or [0])).strip() and not first.startswith(_CANVAS_OWN):
            unknown.append(name)
    left = tuple(person.id for person in marks.people if person.id not in filled)
    safe = [[passed_on(cell, separator) for cell in row] for row in (header, *rows)]
    finds = {place for place, title in enumerate(titles) if title in platform.keys}
    changed = [new for old, new in zip(header, safe[0], strict=True) if new != old]
    changed += [new[place] for old, new in zip(rows, safe[1:], strict=True) for place in finds if new[place] != old[place]]
    return Table(table_text(safe[0], safe[1:], separator), left, tuple(unknown), tuple(excused), tuple(changed))


def read_template(template: Path, platform: Platform) -> tuple[str, list[list[str]]]:
    """Return what separates the cells of a platform's table, and its rows.

    Raises:
        UserError: the file is not a table of this platform.
    """
    wanted = [*platform.keys, *platform.name[0]]
    content = read_regular(template, LARGEST_TEMPLATE_BYTES)
    try:
        if content is None:
            raise ValueError("the file does not exist")
        text = content.decode("utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
        headers = {sign: next(csv.reader(io.StringIO(text), delimiter=sign), []) for sign in _SEPARATORS}
        known = {sign: len({cell.strip() for cell in header} & set(wanted)) for sign, header in headers.items()}
        separator = max(known, key=lambda sign: known[sign])  # of equals the first, a comma
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except (ValueError, csv.Error) as error:
        problem = f"{template} is not a table of comma-separated values ({error})"
        raise UserError(f"{problem}: download it from {platform.title} again") from error
    if not known[separator]:
        reason = f"its first line has none of the columns {', '.join(wanted)}"
        raise UserError(f"{template} is not a table from {platform.title}: {reason}")
    return separator, rows


def _points(marks: FinalMarks, person: Person) -> list[str]:
    return [mark_text(marks, person.id, name) for name in marks.assignments]


def _cell(marks: FinalMarks, person: Person, assignment: str, platform: Platform) -> str:
    """A student's mark in a platform's table; Canvas has a word for a student who need not do an assignment."""
    exempt = platform is CANVAS and marks.is_exempt(person.id, assignment)
    return _EXCUSED if exempt else mark_text(marks, person.id, assignment)


def _column(header: Sequence[str], assignment: str, assignments: int) -> int | None:
    """The place of an assignment's column; None if the table has none."""
    form = re.compile(rf"(.*:\s*)?{re.escape(assignment)}(\s*\(.*\)|\s*\[.*)?", re.IGNORECASE)
    places = [place for place, title in enumerate(header) if form.fullmatch(title) and "(read only)" not in title]
    if not places and assignments == 1 and "Grade" in header:
        return header.index("Grade")
    return places[0] if places else None


class _Finder:
    """Finds the people of a template's rows: by a key of the platform, else by a name that only one person has."""

    def __init__(self, people: Sequence[Person], platform: Platform, keys: Mapping[str, int], names: Sequence[int]) -> None:
        self.names = names
        self.values = {place: platform.keys[column] for column, place in keys.items()}
        self.by_key = {place: _only(people, values) for place, values in self.values.items()}
        self.by_name = _only(people, lambda person: (platform.name[1](person),))

    def owners(self, rows: Sequence[Sequence[str]]) -> list[Person | None]:
        """Return the person of each row, None for a stranger.

        If several rows fit one person, the surest ones count: an exact key, or else a key in another form, or else the name. If
        several rows fit without an exact key, they are all strangers: one belongs to another person of the same name, and nobody
        can tell which.
        """
        fits = [self._fit(row) for row in rows]
        by_person: dict[str, list[int]] = {}
        for person, sureness in fits:
            if person is not None:
                by_person.setdefault(person.id, []).append(sureness)
        surest = {id: max(surenesses) for id, surenesses in by_person.items()}
        return [person if person is not None and sureness == surest[person.id]
                and (sureness == EXACT or by_person[person.id].count(sureness) == 1) else None for person, sureness in fits]

    def _fit(self, row: Sequence[str]) -> tuple[Person | None, int]:
        for place, people in self.by_key.items():
            if person := people.get(_plain(row[place])):
                return person, EXACT if row[place].strip() in self.values[place](person) else SIMILAR
        return self.by_name.get(_plain(" ".join(row[place] for place in self.names))), NAMED


def _only(people: Sequence[Person], values: Callable[[Person], tuple[str, ...]]) -> dict[str, Person]:
    """The people by a value that only they have."""
    by_value: dict[str, dict[str, Person]] = {}
    for person in people:
        for value in values(person):
            by_value.setdefault(_plain(value), {})[person.id] = person
    return {value: next(iter(same.values())) for value, same in by_value.items() if value and len(same) == 1}


def _plain(text: str) -> str:
    """Letters and digits alone, without accents: "Núñez, Ana" and "Nunez Ana" are one name."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", "".join(letter for letter in plain if not unicodedata.combining(letter))))
