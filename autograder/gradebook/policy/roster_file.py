"""The people of a course: roster.csv, a table with the columns of nbgrader's own import and any others."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from arena.errors import UserError
from autograder.plain_text import one_line, plain_text

ROSTER = "roster.csv"
ID, FIRST, LAST, EMAIL = "id", "first_name", "last_name", "email"
MORE_DAYS = "more_days"  # a column: the student has so many days more in every set
MORE_PERCENT = "more_percent"  # a column: the student has so much more of the time of every set, 25 for a quarter
MOST_DAYS, MOST_PERCENT = 366, 400


@dataclass(frozen=True)
class Person:
    """One row of the roster; a column that the table lacks is "".

    id: the name of the student's folder in submitted/, and the student's name in the gradebook.
    others: the cells of all further columns, such as `sis_login_id` for Canvas.
    """

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    others: Mapping[str, str] | None = None

    @property
    def full_name(self) -> str:
        """First and last name; the id if the roster has neither."""
        return f"{self.first_name} {self.last_name}".strip() or self.id

    @property
    def more_hours(self) -> float:
        """The hours that every set is due later for this person, 0 as a rule."""
        return 24 * _number(self.cell(MORE_DAYS), MOST_DAYS)

    @property
    def more_percent(self) -> float:
        """How much more of the time of every set this person has, in percent, 0 as a rule."""
        return _number(self.cell(MORE_PERCENT), MOST_PERCENT)

    def cell(self, column: str) -> str:
        """The cell of a further column, "" if there is none."""
        return (self.others or {}).get(column, "")


def read_roster(course: Path) -> tuple[Person, ...] | None:
    """Return the people of a course's roster.csv, in its order; None without such a file.

    Raises:
        UserError: the file is not such a table.
    """
    path = course / ROSTER
    return read_people(path) if path.exists() else None


def read_people(path: Path) -> tuple[Person, ...]:
    """Return the people of a table: a column `id`, and as a rule `first_name`, `last_name` and `email`.

    Raises:
        UserError: the file is missing or is not such a table, two rows have one id, or an id cannot be the name of a folder.
    """
    rows = read_rows(path)
    if is_of_canvas(rows):
        raise UserError(f"{path} is the table of Canvas's gradebook: make course ROSTER={path} makes a roster of it")
    return people_in(rows, path)


def people_in(rows: Sequence[tuple[int, Mapping[str, str]]], path: Path) -> tuple[Person, ...]:
    """Return the people of the rows of a table; see `read_people`. `path`: for the sentences about wrong lines."""
    seen: dict[str, int] = {}
    for line, row in rows:
        student = row[ID]
        if student in seen:
            raise UserError(f"{path}: lines {seen[student]} and {line} have the same id {student!r}: give each student one line")
        if student in (".", "..") or set(student) & set("/\\") or not student.isprintable() or student.startswith("."):
            raise UserError(f"{path}, line {line}: the id {student!r} is not a valid folder name: use letters, digits, - and _")
        for column, most, what in ((MORE_DAYS, MOST_DAYS, f"how many days later every set is due for {student!r}"),
                                   (MORE_PERCENT, MOST_PERCENT, f"how many percent more time {student!r} has in every set")):
            try:
                _number(row.get(column, ""), most)
            except ValueError:
                raise UserError(f"{path}, line {line}: {column} is {one_line(row[column])!r}: write {what}, 0 to {most}, or "
                                "leave the cell empty") from None
        seen[student] = line
    return tuple(_person(row) for _, row in rows)


def read_rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a table of people that have an id, each with its line in the file.

    Raises:
        UserError: the file is missing, or is not a table with a column `id`.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return _rows(file, path)
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} is not a table of comma-separated values in UTF-8 ({error}): save it as one") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}): give the path of a table with a column 'id'") from error


def is_of_canvas(rows: Sequence[tuple[int, Mapping[str, str]]]) -> bool:
    """Whether the rows are those of Canvas's gradebook, in which `id` is a number of Canvas; see canvas_roster.py."""
    titles = {*rows[0][1]} if rows else set()
    named = "student" in titles or {"lastname", "firstname"} <= titles
    return named and "section" in titles and all(row[ID].isdecimal() for _, row in rows)


def _number(text: str, most: float) -> float:
    """Return a number, with a point or a comma and perhaps a sign of percent; an empty cell is 0.

    Raises:
        ValueError: it is no number, or not one from 0 to `most`.
    """
    number = float(text.removesuffix("%").replace(",", ".")) if text else 0.0
    if not 0 <= number <= most:
        raise ValueError(text)
    return number


def _delimiter(first_line: str) -> str:
    """The character between the cells; spreadsheets in some countries write semicolons, and some write tabs."""
    return max(",;\t", key=first_line.count)


def _rows(file: TextIO, path: Path) -> list[tuple[int, dict[str, str]]]:
    """The rows with an id, each with its line in the file; cells without blanks at their ends."""
    delimiter = _delimiter(file.readline())
    file.seek(0)
    table = csv.reader(file, delimiter=delimiter)
    header = [plain_text(cell).strip().lower().replace(" ", "_") for cell in next(table, [])]
    if ID not in header:
        columns = ", ".join(filter(None, header)) or "nothing"
        raise UserError(f"{path}: the first line must name the columns, one of them 'id'; it names {columns}")
    rows = []
    for cells in table:
        row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        if row.get(ID):
            rows.append((table.line_num, row))
    return rows


def _person(row: Mapping[str, str]) -> Person:
    known = {name: plain_text(row.get(name, "")) for name in (FIRST, LAST, EMAIL)}
    others = {name: plain_text(cell) for name, cell in row.items() if name not in (ID, FIRST, LAST, EMAIL)}
    return Person(row[ID], **known, others=others)
