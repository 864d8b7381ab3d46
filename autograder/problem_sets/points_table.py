"""The table at the top of a lesson: the points of each part, summed from the headers of its exercises.

    | the tree and its four phases | 2.3 to 2.8 | {points} | 110 min |
"""

import re
from collections.abc import Mapping

from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.syntax import Place, SourceError

JOINT_ROW = "joint check"  # as a table names the joint check
_ROW = re.compile(r"^\|[^|\n]*\| (?P<exercises>[^|\n]+) \|[^|\n]*(?P<points>\{points\})", re.MULTILINE)


def with_points(text: str, points: Mapping[str, int], place: Place) -> str:
    """Return a text with a number for every `{points}` in a row of a table.

    Args:
        points: of every exercise, free answer and the joint check, by id, in the order of the lesson.

    Raises:
        SourceError: a row names no cell with points, or a part that ends before it begins.
    """
    def number(row: re.Match[str]) -> str:
        ids = [id for piece in row["exercises"].split(", ") for id in _part(piece, list(points))]
        if not ids:
            known = f"write ids such as `2.3 to 2.8` or `2.1, 2.2`, or `{JOINT_ROW}`"
            raise SourceError(f"{place(text[: row.start()].count(chr(10)) + 1)}: {row['exercises']!r} has no points: {known}")
        return row[0].replace("{points}", str(sum(points[id] for id in ids)))

    return _ROW.sub(number, text)


def _part(piece: str, ids: list[str]) -> list[str]:
    """Return the ids that "2.3 to 2.8", "2.3" or "joint check" names."""
    first, _, last = piece.replace(JOINT_ROW, JOINT).partition(" to ")
    if first not in ids or (last or first) not in ids:
        return []
    return ids[ids.index(first): ids.index(last or first) + 1]
