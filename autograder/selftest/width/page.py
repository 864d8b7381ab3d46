"""docs/width.md: the branches of our solution and the inputs that the hidden checks run, by exercise. A run writes its sets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.files import write_atomic
from autograder.paths import REPOSITORY
from autograder.selftest.width.axes import Axis

PAGE = REPOSITORY / "docs" / "width.md"
_INTRODUCTION = """# Width: what the hidden checks run, and with which inputs

`make width` runs the hidden checks of each exercise over our solution and notes which of its branches they run, and with which
inputs they call its functions. A branch is a statement, or one side of a condition.

- *by one*: branches that a single check runs. Without this check they would be holes.
- *accepted*: branches that no check needs to run. `tests/width/<ps>.toml` has the reasons.
- *holes*: branches that no check runs, without a reason. The command fails if there is one.
- *right answers*: the answers of `tests/right/<ps>.py` to this exercise, and how many branches of theirs no check runs. A branch
  that only a right answer has often stands for an input that nobody gives. `tests/width/<ps>.toml` has the reason for each;
  without one the command fails.

Below each table are the inputs by function and parameter. They follow from the calls of the checks: games, sizes, players to
move, ranges of numbers. `a toy` and `a table` are games of the checks' own making. A parameter that is an object has the
arguments of the call that made it, such as `node.state`. The figures are those of the public edition.
"""
_COLUMNS = ("exercise", "checks", "calls", "branches", "by one", "accepted", "holes", "right answers")
_HEAD = f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|\n"
_SECTION = re.compile(r"^## (ps\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Row:
    """The figures of one exercise. inputs: its axes, by function and parameter. right: right answers; missed: their holes."""

    exercise: str
    title: str
    checks: int
    calls: int
    branches: int
    by_one: int
    accepted: int
    holes: int
    inputs: dict[str, dict[str, Axis]]
    right: int = 0
    missed: int = 0

    def line(self) -> str:
        """Return the row of the table."""
        numbers = (self.checks, self.calls, self.branches, self.by_one, self.accepted, self.holes)
        right = f"{self.right}: {self.missed} not run" if self.right else ""
        return f"| {self.exercise} {self.title} | {' | '.join(map(str, numbers))} | {right} |\n"

    def input_lines(self) -> list[str]:
        """Return the inputs as lines of a list."""
        lines = []
        for function, axes in self.inputs.items():
            words = "; ".join(f"*{parameter}* {axis.words()}" for parameter, axis in axes.items() if axis.ways)
            lines.append(f"- {self.exercise} `{function}`: {words}")
        return lines


def section(rows: Sequence[Row]) -> str:
    """Return the table and the inputs of one problem set."""
    inputs = [line for row in rows for line in row.input_lines()]
    return _HEAD + "".join(row.line() for row in rows) + "\n" + "\n".join(inputs) + "\n"


def update_page(ps: str, rows: Sequence[Row], measured: str, path: Path = PAGE) -> None:
    """Write the section of this problem set, with the sentence `measured` at its end; the other sections stay unchanged."""
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    sections = dict(_SECTION.findall(page)) | {ps: f"\n{section(rows)}\n{measured}\n"}
    parts = (f"## {name}\n{sections[name].rstrip()}\n" for name in sorted(sections))
    write_atomic(path, "\n".join([_INTRODUCTION, *parts]))
