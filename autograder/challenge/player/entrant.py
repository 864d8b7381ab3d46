"""The rule for entering the challenge: the joint check of the player's problem set has passed."""

from __future__ import annotations

from dataclasses import dataclass

from arena.challenge.report import NOT_READY, ChallengeReport
from autograder.grading.report import JOINT_TITLE, Outcome, Report
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import facts_of, names
from autograder.submission.discover import Entry


def sets_with_players() -> list[str]:
    """Return the problem sets with a player for the ladder; their order decides between equal candidates."""
    return [name for name in names() if facts_of(name).player]


@dataclass(frozen=True)
class Entrant:
    """A submission that may contain a player; `sha256` is the hash of all its bytes, weights included."""

    ps: str
    entry: Entry
    report: Report
    sha256: str

    @property
    def student(self) -> str:
        """The name of the student's folder."""
        return self.entry.student

    @property
    def joint(self) -> str:
        """The outcome of the joint check."""
        return next((exercise.outcome for exercise in self.report.exercises if exercise.id == JOINT), Outcome.NOT_WRITTEN)

    def answer_without_playing(self) -> ChallengeReport | None:
        """Return the report of a player that does not play; None if the player plays."""
        if self.joint == Outcome.GRADER_FAULT:
            return ChallengeReport.fault(self.ps, self.sha256)
        return None if self.joint == Outcome.PASSED else ChallengeReport(self.ps, self.sha256, NOT_READY, self._what_to_do())

    def _what_to_do(self) -> str:
        return (
            f"Not entered yet: a player enters when the joint check of {self.ps} ('{JOINT_TITLE}') has passed, because strength "
            f"does not prove that a search is right. Yours says '{self.joint}'. Your feedback of {self.ps} names the exercises "
            "to correct; then hand in again. `make challenge` lets you play the ladder at home in the meantime."
        )
