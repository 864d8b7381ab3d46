"""The time at which work was handed in, as far as a zip shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.gradebook.policy.course_file import read_course_file

EARLIEST = datetime(2000, 1, 1)  # a program without a date writes 1980-01-01
LONGEST_PACKING = timedelta(hours=1)


def course_timezone(course: Path) -> tzinfo:
    """Return the time zone of course.toml, in which platforms and zips write their times; UTC without such a file."""
    return ZoneInfo(read_course_file(course).timezone)


@dataclass(frozen=True)
class Moment:
    """A local time in UTC, without a zone: one moment, or two if the clocks repeated or skipped the hour.

    The earlier one counts, so that work that is on time in one of two readings is not called late. Nobody can choose when clocks
    are changed, and nobody can win more than one hour a year.
    """

    earlier: datetime
    later: datetime


def in_utc(local: datetime, zone: tzinfo) -> Moment:
    """Return a clock time of a time zone as one moment, or as two."""
    both = [local.replace(tzinfo=zone, fold=fold).astimezone(UTC).replace(tzinfo=None) for fold in (0, 1)]
    return Moment(min(both), max(both))


class Clock:
    """Turns times of a platform and dates of a zip into UTC.

    known: whether the dates of the zip are those of the files. Canvas and Moodle pack a zip when somebody asks for it, and give
        all members the date of that moment. So dates within one hour say nothing about the submissions.
    """

    def __init__(self, zone: tzinfo, now: datetime) -> None:
        self.zone, self.latest = zone, now.astimezone(zone).replace(tzinfo=None) + timedelta(days=1)
        self.known = False

    def look_at(self, dates: Iterable[datetime | None]) -> None:
        """Decide whether the dates of a zip are those of the files."""
        plausible = [date for date in dates if date and self._plausible(date)]
        self.known = bool(plausible) and max(plausible) - min(plausible) > LONGEST_PACKING

    def time(self, attempt: str, date: datetime | None) -> Moment | None:
        """Return the time of Blackboard's attempt, or by the member's date; None if neither is known."""
        if attempt:
            try:
                return in_utc(datetime.strptime(attempt, "%Y-%m-%d-%H-%M-%S"), self.zone)
            except (ValueError, OverflowError):  # OverflowError: in UTC it would be before the year 1
                return None
        return in_utc(date, self.zone) if date and self.known and self._plausible(date) else None

    def _plausible(self, date: datetime) -> bool:
        return EARLIEST < date < self.latest
