"""The challenge on the way back. Students hand in nothing for it: a page goes where the player was handed in, under its name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from markupsafe import escape

from arena.challenge.report import ASSIGNMENT, PLAYED, ChallengeReport
from arena.errors import UserError
from autograder.challenge.player.entrant import Entrant, sets_with_players
from autograder.course.challenge.class_exams import course_ladder, read_report
from autograder.course.challenge.entrants import examined
from autograder.course.storage.attempts import Attempts, read_attempts
from autograder.gradebook.tables import points_text
from autograder.handing_back.addressees import Addressees, addressees
from autograder.handing_back.pages import NoPage, text_of
from autograder.handing_back.uploads import Upload
from autograder.plain_text import plain_text

_WHOLE = '<h2 id="ladder">'  # not in the short page


class ChallengePages:
    """The pages of the challenge as it was graded last; see `Pages`.

    reports: of all who took part; None for a report that is missing.    newer: those whose player is newer than the exam.
    """

    title = "pages of the challenge"
    has_assignment = False

    def __init__(self, course: Path) -> None:
        """Read what the course has.

        Raises:
            UserError: nobody took part, or the course's ladder or its attempts cannot be read.
        """
        there = [*course.glob(f"reports/*/{ASSIGNMENT}.json"), *course.glob(f"feedback/*/{ASSIGNMENT}/")]
        self.course = course
        self.reports = {student: read_report(course, student) for student in sorted({path.parent.name for path in there})}
        if not self.reports:
            with_players = " or ".join(sets_with_players())
            raise UserError(f"nobody has taken part in the challenge of {course} yet: grade {with_players} first")
        self.newer = _newer(course, self.reports)

    def students(self, found: Addressees) -> Collection[str]:
        """Return those who took part."""
        return self.reports.keys()

    def set_of(self, student: str) -> str:
        """Return the set with which a student took part; "" if no report says it."""
        report = self.reports.get(student)
        return report.player if report else ""

    def addressees(self, upload: Upload, zips: Sequence[Path]) -> Addressees:
        """Find the names by the hand-ins that played; zips are of one set, so they are not read."""
        found = Addressees()
        for ps in sorted({self.set_of(student) for student in self.reports} & set(sets_with_players())):
            of_set = addressees(self.course, ps, upload, file=f"{ASSIGNMENT}.html")
            for to, names in ((found.names, of_set.names), (found.accounts, of_set.accounts), (found.refused, of_set.refused)):
                to.update((student, text) for student, text in names.items() if self.set_of(student) == ps)
            found.twice += [f"{ps}: {sentence}" for sentence in of_set.twice]
        return found

    def page(self, student: str) -> bytes:
        """Return a student's page of the challenge, which stands alone as it is."""
        page = text_of(self.course / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html", student)
        report = self.reports[student]
        if report is None:
            raise NoPage("has no report of the challenge: run grade")
        if student in self.newer:
            raise NoPage("has handed in again since the last run: run grade")
        if _WHOLE not in page:
            raise NoPage("there is only a short page without the games: the remarks of the class page say why")
        games = (line.replace("\n", " ") for match in report.matches for line in match.games)
        shown = [str(escape(plain_text(text))) for text in (report.note, *games)]
        if not all(text in page for text in (*shown, *([] if report.has_fault else [f"<dd>{points_text(report.points)}</dd>"]))):
            raise NoPage("the page is older than the report: run grade")
        return page.encode()


def _newer(course: Path, reports: Mapping[str, ChallengeReport | None]) -> frozenset[str]:
    """Those whose player is not the one that the report is about."""
    entered, waiting = examined(course, "", {})
    attempts, most = read_attempts(course), course_ladder(course).attempts
    other = {entrant.student for entrant in entered if (report := reports.get(entrant.student)) and report.player == entrant.ps
             and not attempts.used_up(entrant, most) and not _is_about(report, entrant, attempts)}
    return frozenset(other | waiting.keys())


def _is_about(report: ChallengeReport, entrant: Entrant, attempts: Attempts) -> bool:
    """Whether a report is about the present player; that of an exam has the hash without the weights."""
    return report.sha256 in (entrant.sha256, entrant.report.sha256) and (
        report.outcome != PLAYED or entrant.sha256 in attempts.of(entrant))
