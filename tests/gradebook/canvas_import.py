"""What Canvas's gradebook import reads in a table, in our own words: who gets how many points for what.

Source: `lib/gradebook_importer.rb` of Canvas: the separator is the one with more cells in the first three lines; the first cells
of the header hold "Student" and "ID" (or LastName, FirstName, ID); what identifies a student ends with a column "Section";
columns of totals are not assignments; a row with "Points Possible" is not a student, nor is a row of posting policies; a student
is found by the number, then by the SIS id, the login, and the name.
"""

import csv
import re
from dataclasses import dataclass, field

_TOTALS = re.compile("(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
_NUMBER = re.compile(r"-?[0-9.,]+%?")


@dataclass
class Imported:
    """assignments: title -> points possible. marks: by the student's number, or by the name if Canvas does not know it."""

    assignments: dict[str, str] = field(default_factory=dict)
    marks: dict[str, dict[str, str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)


def canvas_import(text: str, enrolled: dict[str, tuple[str, str, str]]) -> Imported:
    """Read a table as Canvas would.

    Args:
        enrolled: number -> SIS id, login, sortable name.

    Raises:
        ValueError: "Invalid header row", as Canvas calls it.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    cells = {delimiter: {len(next(csv.reader([line], delimiter=delimiter))) for line in lines[:3]} for delimiter in ";,"}
    number = {delimiter: counts.pop() if len(counts) == 1 else 0 for delimiter, counts in cells.items()}
    header, *rows = csv.reader(lines, delimiter=";" if number[";"] > number[","] else ",")
    names = 2 if header[:2] == ["LastName", "FirstName"] else 1
    if not ((names == 2 or "Student" in header[0]) and "ID" in header[names]):
        raise ValueError("Invalid header row")
    section = names + 1
    sis = login = None
    if re.search(r"SIS\s+Login\s+ID", header[section]):
        login, section = section, section + 1
    elif re.search(r"SIS\s+User\s+ID", header[section]) and re.search(r"SIS\s+Login\s+ID", header[section + 1]):
        sis, login, section = section, section + 1, section + 2
    section += "Integration ID" in header[section]
    if "Section" not in header[section]:
        raise ValueError("Invalid header row")
    columns = {place: title for place, title in enumerate(header) if place > section and not _TOTALS.search(title)}
    result = Imported()
    for row in rows:
        if "Points Possible" in row[0]:
            result.assignments = {title: _normal(row[place]) for place, title in columns.items() if "read only" not in row[place]}
        elif all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", cell, re.IGNORECASE) for cell in row):
            continue
        else:
            who = _student(row, names, sis, login, enrolled)
            result.strangers += [] if who in enrolled else [who]
            result.marks[who] = {title: _normal(row[place]) for place, title in columns.items()}
    return result


def _student(row: list[str], names: int, sis: int | None, login: int | None, enrolled: dict[str, tuple[str, str, str]]) -> str:
    if row[names] in enrolled:
        return row[names]
    for place, which in ((sis, 0), (login, 1)):
        for number, known in enrolled.items():
            if place is not None and row[place] and row[place] == known[which]:
                return number
    name = f"{row[0]}, {row[1]}" if names == 2 else row[0]
    return next((number for number, known in enrolled.items() if known[2] == name), name)


def _normal(cell: str) -> str:
    """Canvas reads the last comma or point of a number as its decimal point."""
    if not _NUMBER.fullmatch(cell):
        return cell
    *front, last = re.split("[,.]", cell)
    return f"{''.join(front)}.{last}" if front else last
