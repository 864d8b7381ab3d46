"""What moves the due date of one student in one set, beside the class's own due date, and the file that says what has counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.gradebook.policy.course_file import COURSE_FILE, read_course_file
from autograder.gradebook.policy.roster_file import ROSTER, read_roster
from autograder.json_files import read_decisions, write_decisions

FILE = "more_time.json"  # by set and student: the parts of the extension that the gradebook has
_DAY = 24


@dataclass(frozen=True)
class MoreTime:
    """The parts of a student's extension in one set, in hours; they add up.

    staff: by `staff extend`.    standing: by the roster, in every set.    share: by the roster, in proportion to the set's time.
    team: to the latest due date of the team's members.
    tokens: the number of late-day tokens that the hand-in has taken, of `token_hours` each.
    """

    staff: float = 0.0
    standing: float = 0.0
    team: float = 0.0
    tokens: int = 0
    token_hours: float = 0.0
    share: float = 0.0

    @property
    def hours(self) -> float:
        """All of it: the extension in the gradebook."""
        return self.staff + self.standing + self.share + self.team + self.tokens * self.token_hours

    @property
    def is_by_staff_alone(self) -> bool:
        """Whether nothing but `staff extend` has a part in it, or nothing at all: then the gradebook is enough."""
        return not (self.standing or self.share or self.team or self.tokens)

    def words(self) -> str:
        """The parts as text: "2 days more in every set, 1 late-day token of 1 day"; "" if there are none."""
        parts = [f"{hours_text(self.standing)} more in every set"] if self.standing else []
        parts += [f"{hours_text(self.share)} more for the time of this set"] if self.share else []
        parts += [f"{hours_text(self.staff)} more by an extension"] if self.staff else []
        parts += [f"{hours_text(self.team)} more because the team has the latest date of its members"] if self.team else []
        parts += [f"{self.tokens} late-day token{'' if self.tokens == 1 else 's'} of {hours_text(self.token_hours)}"] if (
            self.tokens) else []
        return ", ".join(parts)


def hours_text(hours: float) -> str:
    """Return hours as text: "36 hours", "2 days"."""
    number, unit = (hours / _DAY, "day") if hours >= 2 * _DAY and hours % _DAY == 0 or hours == _DAY else (hours, "hour")
    return f"{number:g} {unit}{'' if number == 1 else 's'}"


def check_shares(course: Path) -> None:
    """Check that the course says when each set was handed out, if the roster gives anybody more time in percent.

    Raises:
        UserError: it does not; or the roster or course.toml cannot be used.
    """
    person = next((person for person in read_roster(course) or () if person.more_percent), None)
    if person is None:
        return
    file = read_course_file(course)
    if missing := [ps for ps in file.sets if ps in file.due and ps not in file.released]:
        raise UserError(no_release(course, missing[0], person.id))


def no_release(course: Path, ps: str, student: str) -> str:
    """Return a sentence: more time in percent cannot be counted for a set."""
    return (f"{ROSTER} gives {student!r} more time in percent, and {course / COURSE_FILE} does not say when {ps} was handed out: "
            f"write {ps} = 2026-09-21T08:00:00, with the right moment, into its table [released]")


def read_more_time(course: Path, ps: str) -> dict[str, tuple[MoreTime, frozenset[float]]]:
    """Return what has counted in a set, by student, with the hours that our own last change of the gradebook left or leaves.

    The gradebook has other hours only if somebody else has written them: then they are an extension by staff.

    Raises:
        UserError: the file cannot be read.
    """
    known, names = {}, {part.name for part in fields(MoreTime)}
    for student, entry in read_decisions(course / FILE).get(ps, {}).items():
        if isinstance(entry, dict):
            parts = MoreTime(**{name: value for name, value in entry.items() if name in names})
            known[student] = parts, frozenset({parts.hours, float(entry.get("before", parts.hours))})
    return known


def write_more_time(course: Path, ps: str, changed: Mapping[str, tuple[MoreTime, float]]) -> None:
    """Write what counts from now on, before the gradebook is changed.

    Args:
        changed: by student, the parts, and the hours that the gradebook has until then.
    """
    content = read_decisions(course / FILE)
    of_set: dict[str, Any] = {**content.get(ps, {})}
    for student, (parts, before) in changed.items():
        of_set[student] = {name: value for part in fields(MoreTime) if (value := getattr(parts, name := part.name))}
        of_set[student]["before"] = before
    write_decisions(course / FILE, {**content, ps: of_set})
