"""A table of staff with one value for each of many students, such as hours or times: it counts as a whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from arena.errors import UserError
from autograder.gradebook.policy.roster_file import ID, read_rows
from autograder.plain_text import one_line

Value = TypeVar("Value")


def read_values(path: Path, column: str, value_of: Callable[[str, str], Value]) -> dict[str, Value]:
    """Return the values of a table by student, in its order; it has the columns `id` and `column`, and may have others.

    Args:
        value_of: makes a value from a student's id and the text of the cell. Raises UserError if one of them is wrong.

    Raises:
        UserError: the file is not such a table, or lines are wrong; the sentence names every wrong line.
    """
    values: dict[str, Value] = {}
    wrong, lines = [], dict[str, int]()
    for line, row in read_rows(path):
        student = row[ID]
        if student in lines:
            wrong.append(f"line {line}: {one_line(student)!r} is also in line {lines[student]}")
            continue
        lines[student] = line
        try:
            values[student] = value_of(student, row.get(column, ""))
        except UserError as error:
            wrong.append(f"line {line}: {error}")
    if wrong:
        raise UserError(f"{path}: nothing was changed, because of {len(wrong)} wrong "
                        f"line{'' if len(wrong) == 1 else 's'}: {'; '.join(wrong)}")
    if not values:
        raise UserError(f"{path} has no students: give a table with the columns {ID} and {column}")
    return values
