"""course.toml: the sets that a course uses, due dates, late rule, points, time limits, and the challenge's rungs.

    [course]
    sets = ["ps2_uct", "ps3_connect_four"]
    timezone = "Europe/Zurich"

    [due]
    ps2_uct = 2026-10-05T23:59:00

    [released]
    ps2_uct = 2026-09-21T08:00:00

    [late]
    grace_minutes = 15
    percent_per_day = 10
    most_percent = 50

    [tokens]
    each = 3
    hours = 24

    [points]
    ps2_uct = 40
    challenge = 20

    [cpu_s]
    ps3_connect_four = 12
    "2.9" = 20

    [challenge]
    highest = "Pebble"
    move_cpu_s = 2.0

`make course` writes the file, and a person edits it. nbgrader's commands and the autograder read it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from arena.challenge.report import ASSIGNMENT as CHALLENGE
from arena.errors import UserError
from arena.near_miss import did_you_mean
from autograder.grading.config import course_tables
from autograder.problem_sets.source import ProblemSet, names, released

COURSE_FILE = "course.toml"
MOST_TOKENS, MOST_TOKEN_HOURS = 100, 24 * 31
_TABLES = ("course", "due", "released", "late", "tokens", "points", *course_tables(), "challenge")
OF_THE_LADDER = ("highest", "attempts", "student_simulations", "move_cpu_s", "game_cpu_s")  # the ladder checks the values


@dataclass(frozen=True)
class LateRule:
    """The points that late work loses: for each day that has begun, a percentage of those that the work earned.

    grace_minutes: work that is at most this late counts as on time; later work counts from the due date.
    percent_per_day: of the earned points, 0 to 100.
    most_percent: the most that is taken away, 0 to 100.
    last_day: work that is later than this many days earns nothing; 0 means no such limit.
    """

    grace_minutes: float = 0.0
    percent_per_day: float = 0.0
    most_percent: float = 100.0
    last_day: float = 0.0

    def penalty(self, points: float, late_by: timedelta) -> float:
        """Return the points that work with `points` loses, 0 to `points`; `late_by` after the student's own due date."""
        if late_by <= timedelta(minutes=self.grace_minutes):
            return 0.0
        days = -(-late_by // timedelta(days=1))  # a day that has begun counts
        if self.last_day and late_by > timedelta(days=self.last_day):
            return points
        return points * min(days * self.percent_per_day, self.most_percent) / 100


@dataclass(frozen=True)
class Tokens:
    """Late-day tokens: each student has `each` of them in the whole course, and each moves a due date by `hours`."""

    each: int
    hours: float = 24.0


@dataclass(frozen=True)
class CourseFile:
    """The content of course.toml; without such a file, all released sets, no due dates and no late rule.

    due: by set, the last moment that is on time, with a time zone.    released: by set, when students got it, with a time zone.
    late: None if the file has no table [late].
    tokens: None if the file has no table [tokens].
    points: the points that a whole set, or the challenge, counts for in the total of the final marks; by default its own.
    grading: the tables with settings of a grading, by the names of the fields of `Settings`; by default our own values.
    challenge: values that replace those of the ladder, by their keys in rungs.toml.
    """

    sets: tuple[str, ...] = field(default_factory=lambda: tuple(released()))
    timezone: str = "UTC"
    due: Mapping[str, datetime] = field(default_factory=dict)
    late: LateRule | None = None
    tokens: Tokens | None = None
    points: Mapping[str, float] = field(default_factory=dict)
    grading: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    challenge: Mapping[str, Any] = field(default_factory=dict)
    released: Mapping[str, datetime] = field(default_factory=dict)

    def due_in_utc(self, ps: str) -> datetime | None:
        """The due date of a set as nbgrader's gradebook stores it: in UTC, without a time zone."""
        due = self.due.get(ps)
        return None if due is None else due.astimezone(UTC).replace(tzinfo=None)

    def released_in_utc(self, ps: str) -> datetime | None:
        """When students got a set, in UTC, without a time zone."""
        given = self.released.get(ps)
        return None if given is None else given.astimezone(UTC).replace(tzinfo=None)

    def settings_of(self, problem_set: ProblemSet) -> dict[str, Any]:
        """Return the fields of `Settings` that the file sets, as they are for one set."""
        return {name: table.of_set(self.grading.get(name, {}), problem_set) for name, table in course_tables().items()}


def read_course_file(course: Path) -> CourseFile:
    """Return the settings in course.toml.

    Raises:
        UserError: the file cannot be read, or contains a table, a key or a value that is not valid.
    """
    path = course / COURSE_FILE
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return CourseFile()
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read ({error}): correct it") from error
    try:
        _check_keys("the file", content, _TABLES)
        if wrong := [name for name in content if not isinstance(content[name], dict)]:
            raise ValueError(f"{wrong[0]} must be a table, [{wrong[0]}]")
        about = content.get("course", {})
        _check_keys("[course]", about, ("sets", "timezone"))
        timezone = about.get("timezone", "UTC")
        sets = _sets(about.get("sets", released()))
        due, points = _moments("due", content.get("due", {}), _zone(timezone)), _points(content.get("points", {}))
        given = _moments("released", content.get("released", {}), _zone(timezone))
        if wrong := [ps for ps in given if ps in due and given[ps] >= due[ps]]:
            raise ValueError(f"[released] {wrong[0]} must be before its due date, {due[wrong[0]]:%Y-%m-%d %H:%M}: correct one of "
                             "them")
        challenge = content.get("challenge", {})
        _check_keys("[challenge]", challenge, OF_THE_LADDER)
        grading = {name: table.checked(name, content.get(name, {})) for name, table in course_tables().items()}
        return CourseFile(sets, timezone, due, _late(content.get("late")), _tokens(content.get("tokens")), points,
                          grading, challenge, given)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error


def _check_keys(where: str, keys: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    if unknown := [key for key in keys if key not in known]:
        raise ValueError(f"{where} has {unknown[0]!r}; valid names are {', '.join(known)}{did_you_mean(unknown[0], known)}")


def _zone(name: object) -> ZoneInfo:
    try:
        return ZoneInfo(str(name))
    except (KeyError, OSError, ValueError):  # no such zone; a folder of zones; a path that leaves their folder
        raise ValueError(f"timezone = {name!r} is not a time zone: write one such as 'Europe/Zurich' or 'UTC'") from None


def _sets(given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not given:
        raise ValueError(f"sets = {given!r} is not a list of problem sets: write sets = [{', '.join(map(repr, names()))}]")
    _check_keys("sets", map(str, given), names())
    return tuple(dict.fromkeys(given))


def _moments(table: str, given: Mapping[str, Any], zone: ZoneInfo) -> dict[str, datetime]:
    _check_keys(f"[{table}]", given, names())
    for ps, moment in given.items():
        if not isinstance(moment, datetime):
            raise ValueError(f"[{table}] {ps} = {moment} needs a day and a time, without quotes: {ps} = 2026-10-05T23:59:00")
    return {ps: moment if moment.tzinfo else _last(moment, zone) for ps, moment in given.items()}


def _last(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment of a local time. In an hour that the clocks repeat or skip it is the later one, so that nobody is late by it."""
    return max((local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)), key=lambda moment: moment.astimezone(UTC))


def _late(given: Mapping[str, Any] | None) -> LateRule | None:
    if given is None:
        return None
    _check_keys("[late]", given, (key.name for key in fields(LateRule)))
    for key, value in given.items():
        _check_number("late", key, value, 100 if "percent" in key else 10**6)
    return LateRule(**given)


def _tokens(given: Mapping[str, Any] | None) -> Tokens | None:
    if given is None:
        return None
    _check_keys("[tokens]", given, (key.name for key in fields(Tokens)))
    each, hours = given.get("each"), given.get("hours", 24.0)
    if isinstance(each, bool) or not isinstance(each, int) or not 0 <= each <= MOST_TOKENS:
        raise ValueError(f"[tokens] each = {each!r} must be a whole number from 0 to {MOST_TOKENS}: the tokens of each student")
    _check_number("tokens", "hours", hours, MOST_TOKEN_HOURS)
    if not hours:
        raise ValueError("[tokens] hours = 0 would move no due date: write the hours of one token, such as 24")
    return Tokens(each, float(hours))


def _points(given: Mapping[str, Any]) -> dict[str, float]:
    _check_keys("[points]", given, (*names(), CHALLENGE))
    for key, value in given.items():
        _check_number("points", key, value, 10**6)
    return {key: float(value) for key, value in given.items()}


def _check_number(table: str, key: str, value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError(f"[{table}] {key} = {value!r} must be a number from 0 to {most}")
