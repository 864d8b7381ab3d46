"""Tables that the commands write, as the tests read them."""

import csv
from pathlib import Path


def rows_of(path: Path, encoding: str = "utf-8") -> list[dict[str, str]]:
    """The rows of a CSV file, each by its columns."""
    with path.open(newline="", encoding=encoding) as file:
        return list(csv.DictReader(file))


def by_student(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a table with a column `student`."""
    return {row["student"]: row for row in rows_of(path)}
