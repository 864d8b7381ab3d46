"""The conditions and the result of an exam; cheap to import, for the grader's process and for its workers."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.challenge.ladder import Ladder
from arena.challenge.report import ChallengeReport


@dataclass(frozen=True)
class Conditions:
    """The conditions of an exam: the edition's secret and the class's ladder. Only our own player runs without a sandbox.

    fingerprint: a hash over everything that influences an exam, except the submission. notes: the folder for the finished
    matches of a running exam; None: they are not kept. positions: of move quality, which the edition has drawn for itself, as
    `arena.strength.positions.rows_of` gives them; without any, the exam draws from the public ones, as the public edition does.
    """

    secret: bytes
    ladder: Ladder
    sandbox: bool = True
    fingerprint: str = ""
    notes: str | None = None
    positions: tuple[Any, ...] = ()

    def notes_of(self, name: str) -> Path | None:
        """Return the file for the notes of the exam whose seeds are derived from `name`."""
        if self.notes is None:
            return None
        return Path(self.notes) / f"{hashlib.sha256(f'{self.fingerprint} {name}'.encode()).hexdigest()}.json"


@dataclass
class Measured:
    """The CPU time of each part of an exam. It is different in every run, so no report contains it.

    cpu_s: the time of the student's code. own_cpu_s: the time of the grader's process (referee, bots, solver).
    """

    cpu_s: dict[str, float] = field(default_factory=dict)
    own_cpu_s: dict[str, float] = field(default_factory=dict)
    simulations: int = 0

    def and_also(self, other: Measured, name: str) -> Measured:
        """Return this together with another player's measurement, whose parts get the player's name in front."""
        cpu_s, own_cpu_s = ({**mine, **{f"{name} {part}": seconds for part, seconds in theirs.items()}}
                            for mine, theirs in ((self.cpu_s, other.cpu_s), (self.own_cpu_s, other.own_cpu_s)))
        return Measured(cpu_s, own_cpu_s, self.simulations + other.simulations)

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of the student's CPU time; 0 if nothing was played."""
        total = sum(self.cpu_s.values())
        return self.simulations / total if total else 0.0


@dataclass(frozen=True)
class ExamResult:
    """A finished exam. It is stored only if the exam did not end with a failure of the host.

    sha256: the hash of all bytes that played, weights included; the folder may have changed after it was listed.
    """

    report: ChallengeReport
    measured: Measured
    failure: str = ""
    sha256: str = ""

    @property
    def cacheable(self) -> bool:
        """Whether the result may be stored."""
        return not self.report.has_fault

    def to_dict(self) -> dict[str, Any]:
        """Return the result as data for JSON."""
        return {"report": self.report.to_json(), "measured": asdict(self.measured)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ExamResult:
        """Read the data of to_dict; ValueError, KeyError, TypeError or AttributeError for any other data."""
        return cls(ChallengeReport.from_json(data["report"]), Measured(**data["measured"]))
