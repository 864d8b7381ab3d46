"""The names of a course's people, which pages and commands for staff show beside the ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from autograder.gradebook.policy.roster_file import read_roster
from autograder.plain_text import one_line

NAME = "name"  # the column of the tables for staff


@dataclass(frozen=True)
class Names:
    """First and last name by id, of those who have one in roster.csv; without a roster nobody has one."""

    by_id: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.by_id)

    def of(self, student: str) -> str:
        """The name of a student, as one line of visible characters; "" if it is not known."""
        return self.by_id.get(student, "")

    def beside(self, student: str) -> str:
        """The id, and the name after it if it is known: "ada (Ada Lovelace)"."""
        name = self.of(student)
        return f"{student} ({name})" if name else student

    def in_sentence(self, sentence: str) -> str:
        """A sentence for staff with the name after each quoted id: "'ada' (Ada Lovelace) has handed in twice"."""
        return self._quoted.sub(lambda quoted: f"{quoted[0]} ({self._known[quoted[0]]})", sentence) if self else sentence

    @cached_property
    def _known(self) -> dict[str, str]:
        """The names by id as our sentences have it, by repr."""
        return {repr(student): name for student, name in self.by_id.items()}

    @cached_property
    def _quoted(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self._known)))

    def at_start(self, line: str, student: str) -> str:
        """A line that begins with an id, with the name after it."""
        return self.beside(student) + line.removeprefix(student) if line.startswith(student) else line

    def header(self, columns: list[str]) -> list[str]:
        """The columns of a table for staff whose first one is the id, with one for the name; unchanged if nobody has a name."""
        return [columns[0], NAME, *columns[1:]] if self else columns

    def cells(self, row: list[str]) -> list[str]:
        """A row of such a table, with the name after the id."""
        return [row[0], self.of(row[0]), *row[1:]] if self else row


def read_names(course: Path) -> Names:
    """Return the names of a course's roster.

    Raises:
        UserError: roster.csv is not a table of people.
    """
    people = read_roster(course) or ()
    return Names({person.id: one_line(person.full_name) for person in people if person.full_name != person.id})
