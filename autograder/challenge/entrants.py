"""Who may enter the challenge: a player whose problem set's joint check passed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.challenge.report import NOT_READY, ChallengeReport
from autograder.grading.parcel import BESIDE, pack
from autograder.grading.report import GRADER_FAULT, JOINT_TITLE, NOT_WRITTEN, PASSED, Report
from autograder.grading.roll import Entry, call_roll
from autograder.grading.shelf import Shelf
from autograder.grading.submission import raw_sha256
from autograder.trouble import Trouble

PS3, PS5 = "ps3_connect_four", "ps5_alphazero"
SETS = (PS3, PS5)  # in the order that decides among equals
JOINT = "joint"


@dataclass(frozen=True)
class Entrant:
    """A submission that may hold a player; `sha256` is that of all its bytes, weights included."""

    ps: str
    entry: Entry
    report: Report
    sha256: str

    @property
    def student(self) -> str:
        return self.entry.student

    @property
    def joint(self) -> str:
        """The outcome of the joint check."""
        return next((exercise.outcome for exercise in self.report.exercises if exercise.id == JOINT), NOT_WRITTEN)

    def answer_without_playing(self) -> ChallengeReport | None:
        """Return what is to be said of a player that does not play; None when it plays."""
        if self.joint == GRADER_FAULT:
            return ChallengeReport.fault(self.ps, self.sha256)
        return None if self.joint == PASSED else ChallengeReport(self.ps, self.sha256, NOT_READY, self._what_to_do())

    def _what_to_do(self) -> str:
        return (
            f"Not entered yet: a player enters when the joint check of {self.ps} ('{JOINT_TITLE}') has passed, because strength "
            f"does not prove that a search is right. Yours says '{self.joint}'. Your feedback of {self.ps} names the exercises "
            "to mend; then hand in again. `make challenge` lets you play the ladder at home in the meantime."
        )


def entrants(course: Path, graded: str, reports: Mapping[str, Report]) -> Iterator[Entrant]:
    """Yield the submissions of both sets whose present bytes have been graded; of ps5 those with weights.

    Args:
        graded: the set that was graded just now, and `reports` what came of it, by student; the other's stand on the shelf.
    """
    for ps in SETS:
        find = reports.get if ps == graded else Shelf(course, ps).get
        for entry in _handed_in(course, ps):
            report = find(entry.student)
            if report is None or report.sha256 != raw_sha256(entry.folder, ps):
                continue  # not graded yet: its turn comes with its set
            if all((entry.folder / name).exists() for name in BESIDE.get(ps, ())):
                yield Entrant(ps, entry, report, player_sha256(entry.folder, ps))


def player_sha256(folder: Path, ps: str) -> str:
    """Return the hash of all bytes that make a player: the submission's own, and of what lies beside it."""
    digest = hashlib.sha256(raw_sha256(folder, ps).encode())
    beside = [item for item in pack(folder, ps).items if item.name in BESIDE.get(ps, ())]
    for item in beside:
        digest.update(f"{item.name}\0{item.kind}\0{item.size}\0".encode() + item.content)
    return digest.hexdigest() if beside else raw_sha256(folder, ps)


def _handed_in(course: Path, ps: str) -> tuple[Entry, ...]:
    try:
        return call_roll(course, ps).entries
    except Trouble:  # nobody has handed in this set
        return ()
