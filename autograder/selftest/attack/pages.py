"""The search for active content of attacks in a class's pages, tables and files."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from autograder.selftest.attack.bank import PWNED

QUIET_ATTRIBUTES = ("alt",)
# Characters that control a terminal or change the direction of the text after them.
OBEYED = {chr(number) for number in (*range(9), *range(14, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))}
ACTING = ("script", "style", "iframe", "object", "embed", "form", "meta", "base", "link", "svg")


class _Acting(HTMLParser):
    """A parser that collects every place at which an attack's word could act."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            quiet = name in QUIET_ATTRIBUTES or name == "href" and (value or "").startswith(("http://", "https://", "../"))
            if PWNED in (value or "") and not quiet or PWNED.casefold() in name.casefold():
                self.parts.append(f"<{tag} {name}={value!r}>")
        if tag in ACTING and tag not in ("meta", "base", "link", "embed"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[self._inside.index(tag):]

    def handle_data(self, data: str) -> None:
        if self._inside and PWNED in data:
            self.parts.append(f"<{self._inside[-1]}> {data[:60]!r}")


def acting(page: str) -> list[str]:
    """Return the parts of a page that come from an attack and that a browser would execute."""
    parser = _Acting()
    parser.feed(page)
    parser.close()
    return parser.parts + [f"the letter U+{ord(letter):04X}" for letter in sorted(set(page) & OBEYED)]


def acting_pages(course: Path) -> Iterator[str]:
    """Yield the places in a course's pages at which an attack acts."""
    for path in sorted([*course.glob("feedback/**/*.html"), *course.glob("report/**/*.html")]):
        for what in acting(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(course)}: {what}"


def formulas(course: Path) -> Iterator[str]:
    """Yield the cells of a course's tables that a spreadsheet, with the settings of any country, would calculate."""
    for path in sorted(course.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                yield from (f"{path.name}: {cell}" for cell in row if any(map(begins_formula, re.split("[;\t]", cell))))


def begins_formula(cell: str) -> bool:
    """Whether a cell is a formula for a spreadsheet that skips invisible characters and reads lookalikes of = as =."""
    seen = [letter for letter in unicodedata.normalize("NFKC", cell) if letter.isprintable() and not letter.isspace()]
    return "".join(seen).lstrip("\"").startswith(("=", "+", "-", "@", "|", "%", "\u2212"))


def holding(course: Path, words: dict[str, bytes]) -> Iterator[str]:
    """Yield the output files of the grading that contain one of these secret words."""
    outputs = ("reports", "feedback", "autograded", "report", "gradebook.db", *(path.name for path in course.glob("*.csv")))
    for name in outputs:
        top = course / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file():
                data = path.read_bytes()
                yield from (f"{path.relative_to(course)} holds {what}" for what, word in words.items() if word in data)
