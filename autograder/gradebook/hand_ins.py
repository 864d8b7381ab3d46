"""Where the hand-in of a student is: in the student's own folder, or in that of another member of the team; and when it came."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from autograder.gradebook.policy.teams_file import Teams
from autograder.gradebook.stamp import read_side_files
from autograder.submission.gate import SECRET, SUBMITTED, TIMESTAMP


def folder_of(course: Path, student: str, ps: str, teams: Teams) -> Path:
    """Return the folder with the work that counts for a student; it need not exist.

    If several members of a team have handed in, the last hand-in counts for all of them; of several without a time, or with the
    same one, the first in alphabetical order.
    """
    there = handed_in(course, student, ps, teams)
    if len(there) > 1:
        there.sort(key=lambda member: (-_seconds(course / SUBMITTED / member / ps), member))
    return course / SUBMITTED / (there[0] if there else student) / ps


def handed_in(course: Path, student: str, ps: str, teams: Teams) -> list[str]:
    """Return the members of a student's team, or the student alone, who have handed in, in alphabetical order."""
    return [member for member in teams.members(student, ps) if _is_work(course / SUBMITTED / member / ps)]


def side_files(course: Path, student: str, ps: str, teams: Teams) -> dict[str, bytes]:
    """Return nbgrader's own files beside the work that counts for a student.

    Another member's secret is left out: with it, the exchange would give that member this student's page.
    """
    folder = folder_of(course, student, ps, teams)
    files = read_side_files(folder)
    if folder.parent.name != student:
        files.pop(SECRET, None)
    return files


def team_sentence(course: Path, student: str, ps: str, teams: Teams, whom: str = "you") -> str:
    """Say whose hand-in counts for the team of a student, to the student or to staff; "" without a team or a hand-in."""
    others = [member for member in teams.members(student, ps) if member != student]
    if not others or not handed_in(course, student, ps, teams):
        return ""
    by = folder_of(course, student, ps, teams).parent.name
    return f"In a team with {' and '.join(others)}: handed in by {whom if by == student else by}."


def time_of(folder: Path) -> datetime | None:
    """Return when a hand-in came, as nbgrader reads it: in UTC, without a zone; None if it is not known."""
    text = read_side_files(folder).get(TIMESTAMP, b"").decode().strip()
    time = parse_utc(text) if text else None
    return time if isinstance(time, datetime) else None


def _is_work(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and not folder.parent.is_symlink()


def _seconds(folder: Path) -> float:
    time = time_of(folder)
    return (time - datetime(1970, 1, 1)).total_seconds() if time else 0.0
