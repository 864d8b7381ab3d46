"""The inputs and the result of one grading run; this module imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograder.grading.report import Report

ANSWERS = "answers"  # the key of the staff notes for answers that can be guessed: exercise -> [edition, answer]

@dataclass(frozen=True)
class Settings:
    """The settings of a grading. `secret` is the edition's; `sandbox=False` is for the course's own solutions only.

    excused: names of checks that staff have excused; here they matter only to the joint check, which waits for exercises.
    cpu_s: (exercise, seconds of CPU time) where a course has another limit than ours; the joint check counts as an exercise.
    """

    secret: bytes
    sandbox: bool = True
    excused: frozenset[str] = frozenset()
    cpu_s: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Graded:
    """A report, the notes for staff, and the CPU time.

    `cacheable` is False if a fault of ours was part of it; `cpu_s` is the submission's own CPU time, in no report.
    """

    report: Report
    staff: dict[str, Any]
    cacheable: bool = True
    cpu_s: float = 0.0
