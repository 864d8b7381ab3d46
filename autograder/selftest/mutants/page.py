"""docs/mutants.md: the number of mutants that the hidden checks kill, by exercise. A run rewrites the sections of its sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.files import write_atomic
from autograder.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "mutants.md"
_INTRODUCTION = """# Mutants: the mistakes that the hidden checks find, and those that they miss

A mutant is our solution with one small mistake: `<` instead of `<=`, a lost sign, a missing copy, a missing statement, two
swapped arguments, another variable of the same kind, answers kept from one call to the next, an argument changed after its use,
a loop that ends after seven turns, random numbers from another generator. `make mutants` makes all mutants of `solutions/`,
grades each with the hidden checks of its exercise only, in three editions, and writes this page.

- *killed*: caught in every edition.
- *equivalent*: recorded in `tests/mutants/<ps>.toml`, with the reason why no test that follows the docstring can distinguish
  the mutant from our solution.
- *survivors*: all other mutants. *by luck*: the survivors that some editions catch and others do not.

The share counts only mutants that are not equivalent. We make no mutants of texts for readers: error messages, warnings,
printed texts, type hints.
"""
_HEAD = "| {} | mutants | killed | equivalent | survivors | by luck | share killed |\n|---|---|---|---|---|---|---|\n"
_ROW = re.compile(r"^\| (\d+\.\d+) (.*?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)
_SECTION = re.compile(r"^## (ps\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MEASURED = re.compile(r"^Measured .*\.$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """The numbers of one exercise's mutants, by result; `lucky` mutants are among the survivors."""

    exercise: str
    title: str
    killed: int
    equivalent: int
    survivors: int
    lucky: int

    @property
    def mutants(self) -> int:
        """The number of all mutants."""
        return self.killed + self.equivalent + self.survivors


def update_page(rows_by_set: Mapping[str, list[Row]], measured: str, path: Path = PAGE) -> None:
    """Write the sections of these problem sets, with the sentence `measured` below; the other sections stay unchanged."""
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    commits = {ps: match[0] for ps, text in _SECTION.findall(page) if (match := _MEASURED.search(text))}
    write_atomic(path, page_text(_read(page) | dict(rows_by_set), commits | dict.fromkeys(rows_by_set, measured)))


def page_text(rows_by_set: Mapping[str, list[Row]], commits: Mapping[str, str]) -> str:
    """Return the page; `commits` has a sentence for each set: at which commit it was measured."""
    parts = [_INTRODUCTION, _HEAD.format("set") + "".join(_line(ps, rows_by_set[ps]) for ps in sorted(rows_by_set))]
    parts[1] += _line("**all**", [row for rows in rows_by_set.values() for row in rows])
    for ps in sorted(rows_by_set):
        parts.append("\n".join(filter(None, [f"## {ps}\n", table(rows_by_set[ps]), commits.get(ps, "") + "\n"])))
    return "\n".join(parts)


def table(rows: list[Row]) -> str:
    """Return the table of one problem set."""
    return _HEAD.format("exercise") + "".join(_line(f"{row.exercise} {row.title}", [row]) for row in rows)


def _line(name: str, rows: list[Row]) -> str:
    sums = [sum(getattr(row, field) for row in rows) for field in ("mutants", "killed", "equivalent", "survivors", "lucky")]
    share = f"{100 * sums[1] / (sums[0] - sums[2]):.1f} %" if sums[0] > sums[2] else ""
    return f"| {name} | {' | '.join(map(str, sums))} | {share} |\n"


def _read(page: str) -> dict[str, list[Row]]:
    """Return the rows of a page; the first number of a row is the sum of the next three."""
    return {ps: [Row(id, title, *map(int, numbers)) for id, title, _, *numbers in _ROW.findall(text)]
            for ps, text in _SECTION.findall(page)}
