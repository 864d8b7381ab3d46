"""The challenge on the way back. Students hand in nothing for it: a page goes where the player was handed in, under its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True)
class Exams:
    """The challenge of a class, as it was graded last.

    reports: of all who took part; None for a report that is missing.    newer: those whose player is newer than the exam.
    """

    reports: Mapping[str, ChallengeReport | None]
    newer: frozenset[str]

    @cached_property
    def sets(self) -> dict[str, str]:
        """The set with which each student took part; "" if no report says it."""
        return {student: report.player if report else "" for student, report in self.reports.items()}


def exams_of(course: Path) -> Exams:
    """Return the challenge of a course.

    Raises:
        UserError: nobody took part, or the course's ladder or its attempts cannot be read.
    """
    there = [*course.glob(f"reports/*/{ASSIGNMENT}.json"), *course.glob(f"feedback/*/{ASSIGNMENT}/")]
    reports = {student: read_report(course, student) for student in sorted({path.parent.name for path in there})}
    if not reports:
        raise UserError(f"nobody has taken part in the challenge of {course} yet: grade {' or '.join(sets_with_players())} first")
    entered, waiting = examined(course, "", {})
    attempts, most = read_attempts(course), course_ladder(course).attempts
    other = {entrant.student for entrant in entered if (report := reports.get(entrant.student)) and report.player == entrant.ps
             and not attempts.used_up(entrant, most) and not _is_about(report, entrant, attempts)}
    return Exams(reports, frozenset(other | waiting.keys()))


def _is_about(report: ChallengeReport, entrant: Entrant, attempts: Attempts) -> bool:
    """Whether a report is about the present player; that of an exam has the hash without the weights."""
    return report.sha256 in (entrant.sha256, entrant.report.sha256) and (
        report.outcome != PLAYED or entrant.sha256 in attempts.of(entrant))


def challenge_page_of(course: Path, student: str, exams: Exams) -> bytes:
    """Return a student's page of the challenge, which stands alone as it is.

    Raises:
        NoPage: it is missing, names another student, or is older than the player or the report.
    """
    page = text_of(course / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html", student)
    report = exams.reports[student]
    if report is None:
        raise NoPage("has no report of the challenge: run grade")
    if student in exams.newer:
        raise NoPage("has handed in again since the last run: run grade")
    if _WHOLE not in page:
        raise NoPage("there is only a short page without the games: the remarks of the class page say why")
    games = (line.replace("\n", " ") for match in report.matches for line in match.games)
    shown = [str(escape(plain_text(text))) for text in (report.note, *games)]
    if not all(text in page for text in (*shown, *([] if report.has_fault else [f"<dd>{points_text(report.points)}</dd>"]))):
        raise NoPage("the page is older than the report: run grade")
    return page.encode()


def addressees_of(course: Path, exams: Exams, upload: Upload) -> Addressees:
    """Find the name of each student's page: that of the hand-in which played."""
    found = Addressees()
    for ps in sorted(set(exams.sets.values()) & set(sets_with_players())):
        of_set = addressees(course, ps, upload, file=f"{ASSIGNMENT}.html")
        for to, names in ((found.names, of_set.names), (found.accounts, of_set.accounts), (found.refused, of_set.refused)):
            to.update((student, text) for student, text in names.items() if exams.sets.get(student) == ps)
        found.twice += [f"{ps}: {sentence}" for sentence in of_set.twice]
    return found
