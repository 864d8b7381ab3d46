"""Which submissions of a student have played, where an instructor limits how many may: a file in the course folder.

A verdict belongs to the bytes of a submission, so that playing the same again changes nothing; but each change of a comment
is another submission with other games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError
from autograder.challenge.player.entrant import Entrant
from autograder.json_files import read_decisions, write_decisions

FILE = "attempts.json"
USED_UP = "The attempts of this class ({attempts}) are used up: this submission did not play, and the verdict before it stands."


@dataclass
class Attempts:
    """By problem set and student the hashes of the submissions that have played, in their order."""

    played: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def of(self, entrant: Entrant) -> list[str]:
        """Return the submissions of this student and set that have played."""
        return self.played.get(entrant.ps, {}).get(entrant.student, [])

    def used_up(self, entrant: Entrant, limit: int) -> bool:
        """Say whether this submission is one too many; what has played before may always play again."""
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
        UserError: the file is broken; to begin anew would give everybody new attempts.
    """
    played = read_decisions(course / FILE)
    if not all(isinstance(hashes, list) for students in played.values() for hashes in students.values()):
        raise UserError(f"{course / FILE} cannot be read (a student has something else than a list): mend it or remove it")
    return Attempts(played)
