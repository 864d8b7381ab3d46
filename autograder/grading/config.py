"""The inputs and the result of one grading run; this module imports nothing heavy."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import metadata
from typing import Any

from autograder.grading.report import Report
from autograder.problem_sets.source import ProblemSet, load, names

# The Python that grades. Its patch release does not count: it mends mistakes, and brings no syntax.
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = ("numpy", "torch")  # in the sandbox: what is installed may be another version than that of the lock
ANSWERS = "answers"  # the key of the staff notes for answers that can be guessed: exercise -> [edition, answer]
CPU_S_TEMPLATE = """\
# The processor time, in seconds, that the checks of an exercise may take. A line is for each exercise of a set, or for one
# exercise, in quotes. Without a line, most exercises have 6 s. After a change the set is graded again.
# [cpu_s]
# ps3_connect_four = 12
# "2.9" = 20"""
_TABLE = "table"
# The cache of a class has a key of its own for excused checks (course/grade_class.py); no grading depends on what is dropped.
_NOT_IN_THE_KEY = ("excused", "dropped")
_STAYS_HERE = ("secret", "sandbox")  # not among the data for another machine, which has a file with the secret


@cache
def installed(package: str) -> str:
    """Return the version of an installed package, such as "2.13.0", which 2.13.0+cpu is too; "none" if it is not there."""
    try:
        return metadata.version(package).partition("+")[0]
    except metadata.PackageNotFoundError:
        return "none"


def versions() -> str:
    """Return Python and the packages of the sandbox with their versions: with others the same work may get other points."""
    return ", ".join([f"Python {PYTHON}", *(f"{package} {installed(package)}" for package in PACKAGES)])


@dataclass(frozen=True)
class ByExercise:
    """A table of course.toml: a number for a problem set or for one exercise; an exercise's number overrides its set's.

    unit: of the numbers, for messages. most: the highest number. template: the lines about the table in a new course.toml.
    """

    unit: str
    most: float
    template: str

    def checked(self, name: str, table: Mapping[str, Any]) -> dict[str, float]:
        """Return the table; ValueError for a wrong key or value. For TOML, 2.9 without quotes is the key 9 in a table 2."""
        # most courses have no such table, and the sources of all sets take half a second
        known = {*names(), *(exercise.id for ps in names() for exercise in load(ps).exercises)} if table else set[str]()
        for key, value in table.items():
            if isinstance(value, dict):
                raise ValueError(f'[{name}] {key}.{next(iter(value), "")} needs quotes: "{key}.{next(iter(value), "")}" = 20')
            if key not in known:
                raise ValueError(f"[{name}] has {key!r}, which is neither a problem set nor an exercise, such as \"2.9\"")
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= self.most:
                raise ValueError(
                    f"[{name}] {key} = {value!r} must be a number of {self.unit}, more than 0 and at most {self.most:g}")
        return {key: float(value) for key, value in table.items()}

    def of_set(self, table: Mapping[str, float], problem_set: ProblemSet) -> tuple[tuple[str, float], ...]:
        """Return (exercise, number) of a set where the table has a number; the joint check counts as an exercise."""
        return tuple((id, number) for id in problem_set.ids if (number := table.get(id, table.get(problem_set.name))) is not None)


@dataclass(frozen=True)
class Settings:
    """The settings of a grading: a new one is a field here, and is then part of the grade's key and of Gradescope's archive.

    A field with a table in its metadata is read from the table of this name in a course's course.toml.

    secret: the edition's. sandbox: False is for the course's own solutions only.
    excused: names of checks that staff have excused; here they matter only to the joint check, which waits for exercises.
    dropped: exercises that do not count in this course; the joint check may still need them.
    cpu_s: (exercise, seconds of CPU time) where a course has another limit than ours; the joint check counts as an exercise.
    """

    secret: bytes
    sandbox: bool = True
    excused: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    cpu_s: tuple[tuple[str, float], ...] = field(default=(), metadata={_TABLE: ByExercise("seconds", 600, CPU_S_TEMPLATE)})

    def key(self) -> str:
        """Return what these settings add to the key of a grade; it does not reveal the secret."""
        parts = {setting.name: getattr(self, setting.name) for setting in fields(self) if setting.name not in _NOT_IN_THE_KEY}
        parts["secret"] = hashlib.sha256(b"edition:" + self.secret).hexdigest()
        return repr({name: sorted(value) if isinstance(value, tuple) else value for name, value in parts.items()})

    def as_data(self) -> dict[str, Any]:
        """Return the settings as JSON for a grading on another machine; `from_data` is the inverse."""
        data = {setting.name: getattr(self, setting.name) for setting in fields(self) if setting.name not in _STAYS_HERE}
        return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in data.items()}

    @classmethod
    def from_data(cls, secret: bytes, data: Mapping[str, Any]) -> Settings:
        """Return the settings in the data of `as_data`, with this secret."""
        kinds: dict[str, Any] = {setting.name: type(setting.default) for setting in fields(cls)}
        return cls(secret, **{
            name: kinds[name](tuple(item) if isinstance(item, list) else item for item in value) if isinstance(value, list)
            else value
            for name, value in data.items()
        })


def course_tables() -> dict[str, ByExercise]:
    """Return the tables of course.toml that hold settings of a grading, by the names of their fields."""
    return {setting.name: setting.metadata[_TABLE] for setting in fields(Settings) if _TABLE in setting.metadata}


@dataclass(frozen=True)
class Graded:
    """A report, the notes for staff, and the CPU time.

    `cacheable` is False if a fault of ours was part of it; `cpu_s` is the submission's own CPU time, in no report. `parts` are
    its findings by exercise, as data of stored_findings.Parts; None if they hold only together.
    `known` is the number of exercises whose findings are those of an earlier grading.
    """

    report: Report
    staff: dict[str, Any]
    cacheable: bool = True
    cpu_s: float = 0.0
    parts: dict[str, Any] | None = None
    known: int = 0
