"""When work was handed in, as far as a zip tells."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.gradebook.policy.course_file import read_course_file

EARLIEST = datetime(2000, 1, 1)  # 1980-01-01 is what a program writes that knows no date
LONGEST_PACKING = timedelta(hours=1)


def course_timezone(course: Path) -> tzinfo:
    """Return the time zone of course.toml, in which platforms and zips write their times; UTC without such a file."""
    return ZoneInfo(read_course_file(course).timezone)


class Clock:
    """Turns times of a platform and dates of a zip into UTC.

    known: whether the dates of the zip are those of the files. Canvas and Moodle pack a zip when somebody asks for it, and date
        all members with that moment: dates that lie within an hour say nothing about the submissions.
    """

    def __init__(self, zone: tzinfo, now: datetime) -> None:
        self.zone, self.latest = zone, now.astimezone(zone).replace(tzinfo=None) + timedelta(days=1)
        self.known = False

    def look_at(self, dates: Iterable[datetime | None]) -> None:
        """Decide whether the dates of a zip are those of the files."""
        plausible = [date for date in dates if date and self._plausible(date)]
        self.known = bool(plausible) and max(plausible) - min(plausible) > LONGEST_PACKING

    def time(self, attempt: str, date: datetime | None) -> datetime | None:
        """Return the time in UTC, without a zone: of Blackboard's attempt, or by the member's date; None if neither is known."""
        if attempt:
            try:
                return self._utc(datetime.strptime(attempt, "%Y-%m-%d-%H-%M-%S"))
            except ValueError:
                return None
        return self._utc(date) if date and self.known and self._plausible(date) else None

    def _plausible(self, date: datetime) -> bool:
        return EARLIEST < date < self.latest

    def _utc(self, local: datetime) -> datetime:
        return local.replace(tzinfo=self.zone).astimezone(UTC).replace(tzinfo=None)
