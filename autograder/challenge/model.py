"""What an exam is held under and what it gives: light to import, for the grader's process and its workers alike."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder.challenge.ladder import Ladder
from autograder.challenge.report import ChallengeReport


@dataclass(frozen=True)
class Conditions:
    """Under what an exam is held: the edition's secret and the class's ladder; without sandbox only for our own player.

    fingerprint: a hash over all that has a say in an exam beside the submission. notes: the folder for what is finished of
    an exam under way; None: nothing is kept.
    """

    secret: bytes
    ladder: Ladder
    sandbox: bool = True
    fingerprint: str = ""
    notes: str | None = None

    def notes_of(self, name: str) -> Path | None:
        """Return the file for the notes of the exam whose seeds hang on `name`."""
        if self.notes is None:
            return None
        return Path(self.notes) / f"{hashlib.sha256(f'{self.fingerprint} {name}'.encode()).hexdigest()}.json"


@dataclass
class Measured:
    """What an exam took, by its parts; in no report, because it is another every time.

    cpu_s: of the student's code. own_cpu_s: of the grader's process: referee, bots, solver.
    """

    cpu_s: dict[str, float] = field(default_factory=dict)
    own_cpu_s: dict[str, float] = field(default_factory=dict)
    simulations: int = 0

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of the student's CPU time; 0 where nothing was played."""
        total = sum(self.cpu_s.values())
        return self.simulations / total if total else 0.0


@dataclass(frozen=True)
class ExamResult:
    """A finished exam. It is remembered only if the host had no part in its end.

    sha256: of all the bytes that played, weights included: a folder may have changed since it was listed.
    """

    report: ChallengeReport
    measured: Measured
    failure: str = ""
    sha256: str = ""

    @property
    def cacheable(self) -> bool:
        """Whether the result may be remembered."""
        return not self.report.has_fault

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        return {"report": self.report.to_json(), "measured": asdict(self.measured)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ExamResult:
        """Read what to_dict gave; ValueError, KeyError, TypeError or AttributeError when it is something else."""
        return cls(ChallengeReport.from_json(data["report"]), Measured(**data["measured"]))
