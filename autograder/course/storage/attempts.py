"""Which submissions of a student have played, where an instructor limits how many may: a file in the course folder.

A verdict belongs to the bytes of a submission, so that playing the same again changes nothing; but each change of a comment
is another submission with other games.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError
from arena.files import write_if_changed
from autograder.challenge.player.entrant import Entrant

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
        write_if_changed(course / FILE, json.dumps(self.played, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def read_attempts(course: Path) -> Attempts:
    """Return the attempts of a course.

    Raises:
        UserError: the file is broken; to begin anew would give everybody new attempts.
    """
    path = course / FILE
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Attempts({ps: {student: [str(one) for one in hashes] for student, hashes in students.items()}
                         for ps, students in told.items()})
    except FileNotFoundError:
        return Attempts()
    except (ValueError, AttributeError, TypeError) as error:
        raise UserError(f"{path} cannot be read ({error}): mend it or remove it") from error
