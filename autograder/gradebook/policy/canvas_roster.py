"""A roster of the table that Canvas's gradebook exports, in which `ID` is a number of Canvas, and no name of a folder.

Source: `lib/gradebook_exporter.rb` of Canvas: Student ("Lovelace, Ada"; or LastName and FirstName), ID, SIS User ID, SIS Login
ID, Section, then the assignments. The columns of the SIS are there if whoever exports may see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.errors import UserError
from autograder.csv_text import neutral, table_text
from autograder.gradebook.policy.roster_file import EMAIL, FIRST, ID, LAST, Person, is_of_canvas, people_in, read_rows

_LOGIN, _SIS = "sis_login_id", "sis_user_id"
_TEST_STUDENT = "student, test"  # everybody who teaches has one
_OTHERS = ["canvas_id", _SIS, _LOGIN, "section"]  # the columns beside the four of every roster


def people_of_canvas(path: Path) -> tuple[Person, ...] | None:
    """Return the people of the table of Canvas's gradebook; None if the table is none of Canvas's.

    The id is the SIS Login ID where everybody has one, else the SIS User ID, else the number on Canvas.

    Raises:
        UserError: the file is missing or is not a table, an id cannot be the name of a folder, or nobody is in it.
    """
    rows = read_rows(path)
    if not is_of_canvas(rows):
        return None
    rows = [(line, row) for line, row in rows if _name(row).lower() != _TEST_STUDENT]
    if not rows:
        raise UserError(f"{path} is the table of Canvas's gradebook, and no student is in it: download it again")
    column = next(name for name in (_LOGIN, _SIS, ID) if all(row.get(name) for _, row in rows))
    return people_in([(line, _ours(row, row[column])) for line, row in rows], path)


def roster_text(people: Iterable[Person]) -> str:
    """Return people of Canvas as the text of a roster."""
    return table_text([ID, FIRST, LAST, EMAIL, *_OTHERS], (
        [person.id, person.first_name, person.last_name, person.email, *map(person.cell, _OTHERS)] for person in people))


def _ours(row: Mapping[str, str], id: str) -> dict[str, str]:
    """A row of Canvas under our titles; a name without a comma is a last name."""
    last, _, first = _name(row).partition(",")
    cells = {FIRST: first, LAST: last, "canvas_id": row[ID], **{name: row.get(name, "") for name in (_SIS, _LOGIN, "section")}}
    return {ID: id, **{name: neutral(cell.strip()) for name, cell in cells.items()}}


def _name(row: Mapping[str, str]) -> str:
    """The name as Canvas sorts it."""
    return row["student"] if "student" in row else f"{row['lastname']}, {row['firstname']}"
