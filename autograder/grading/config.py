"""What a grading is given, and what it gives; nothing heavy is imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograder.grading.report import Report


@dataclass(frozen=True)
class Settings:
    """How to grade. `secret` is the edition's; `sandbox=False` is for the course's own solutions only.

    excused: names of checks that staff have excused; only the joint check, which waits for other exercises, asks for them here.
    """

    secret: bytes
    sandbox: bool = True
    excused: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Graded:
    """A report, what staff may read beside it, and what it cost.

    `cacheable` is False when a fault of ours was in it; `cpu_s` is the submission's own CPU time, in no report.
    """

    report: Report
    staff: dict[str, Any]
    cacheable: bool = True
    cpu_s: float = 0.0
