"""The submissions that have played, by student, in a file of the course folder; an instructor may limit their number.

A verdict belongs to the bytes of a submission, so playing the same bytes again changes nothing. But every change, even of a
comment, makes a new submission with new games; the limit prevents repeated tries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError
from autograder.challenge.player.entrant import Entrant
from autograder.json_files import read_decisions, write_decisions

FILE = "attempts.json"
USED_UP = "The attempts of this class ({attempts}) are used up: this submission did not play, and the verdict before it counts."


@dataclass
class Attempts:
    """The hashes of the submissions that have played, by problem set and student, in order."""

    played: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def of(self, entrant: Entrant) -> list[str]:
        """Return the hashes of this student's submissions of this set that have played."""
        return self.played.get(entrant.ps, {}).get(entrant.student, [])

    def used_up(self, entrant: Entrant, limit: int) -> bool:
        """Say whether this submission exceeds the limit; a submission that has played before may always play again."""
        return bool(limit) and entrant.sha256 not in self.of(entrant) and len(self.of(entrant)) >= limit

    def add(self, entrant: Entrant) -> None:
        """Count a submission that has played."""
        if entrant.sha256 not in self.of(entrant):
            self.played.setdefault(entrant.ps, {}).setdefault(entrant.student, []).append(entrant.sha256)

    def write(self, course: Path) -> None:
        """Write the file in the course folder."""
        write_decisions(course / FILE, self.played)


def read_attempts(course: Path) -> Attempts:
    """Return the attempts of a course.

    Raises:
        UserError: the file is damaged; an empty file instead of it would give all students new attempts.
    """
    played = read_decisions(course / FILE)
    if not all(isinstance(hashes, list) for students in played.values() for hashes in students.values()):
        raise UserError(f"{course / FILE} cannot be read (a student's entry is not a list): correct it or remove it")
    return Attempts(played)
