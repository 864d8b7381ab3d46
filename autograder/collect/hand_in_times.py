"""The times of many hand-ins from a table of staff, where a platform only says that work is late, and not when it came."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from arena.errors import UserError
from arena.files import write_if_changed
from autograder.collect.times import EARLIEST, course_timezone, in_utc
from autograder.gradebook.policy.bulk_table import read_values
from autograder.plain_text import one_line
from autograder.submission.gate import TIMESTAMP


def read_times(course: Path, ps: str, table: Path) -> dict[str, datetime]:
    """Return the time of each hand-in of a table with the columns `id` and `time`, in UTC without a zone.

    A time without a zone, such as 2026-10-06 01:30, is in the time zone of course.toml, as the platform shows it.

    Raises:
        UserError: the table cannot be used; the sentence names every wrong line. Wrong is a student without a hand-in, and a time
            that is not a date with a clock time, or is in the future.
    """
    zone, now = course_timezone(course), datetime.now(UTC).replace(tzinfo=None)

    def time_of(student: str, text: str) -> datetime:
        folder = course / "submitted" / student / ps
        if folder.is_symlink() or folder.parent.is_symlink() or not folder.is_dir():
            raise UserError(f"{one_line(student)!r} has not handed in {ps}")
        try:
            local = datetime.fromisoformat(text.replace(" UTC", "+00:00"))
        except ValueError:
            local = None
        if local is None or ":" not in text:
            raise UserError(f"{one_line(text)!r} is not a time, such as 2026-10-06 01:30")
        time = in_utc(local, zone).earlier if local.tzinfo is None else local.astimezone(UTC).replace(tzinfo=None)
        if not EARLIEST < time <= now:
            raise UserError(f"{one_line(text)!r} is {'in the future' if time > now else 'too long ago'}")
        return time

    return read_values(table, "time", time_of)


def write_times(course: Path, ps: str, times: Mapping[str, datetime]) -> int:
    """Write the timestamp.txt of each hand-in, and return how many have changed."""
    return sum(write_if_changed(course / "submitted" / student / ps / TIMESTAMP, time.isoformat(" "))
               for student, time in times.items())
