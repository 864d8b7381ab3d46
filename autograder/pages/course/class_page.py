"""The page of one problem set of a class: what to teach next, where the class fails, and every student's outcomes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup

from arena.challenge.report import ASSIGNMENT, ChallengeReport
from arena.challenge.report_text import in_short
from autograder.csv_text import BEGINS
from autograder.gradebook.policy.disputes import Dispute
from autograder.gradebook.policy.people_names import Names
from autograder.grading.report import Outcome, Report
from autograder.pages.charts import bars, middle
from autograder.pages.course import hand_in_days
from autograder.pages.course.class_counts import (
    LostProperty,
    count_exercises,
    gained,
    help_first,
    lesson,
    lost_properties,
    resubmissions,
)
from autograder.pages.course.hand_in_days import HandInDays
from autograder.pages.course.items import by_id, items, picture
from autograder.pages.course.set_record import SetRecord
from autograder.pages.environment import PAGES, environment, shorten
from autograder.pages.inline_script import inline_script
from autograder.pages.short_report import ShortReport
from autograder.similarity.identical import LEAST, SHORT, Identical

if TYPE_CHECKING:
    from autograder.gradebook.dealing import Marking

SCRIPT = PAGES / "scripts" / "class_tables.js"
MOST_OF_A_NOTE = 400  # characters on this page; the report and grades.csv have the whole note
SLOWEST, MOST_HELPED = 5, 6


@dataclass(frozen=True)
class Decision:
    """A decision of staff about a set, or a correction of its points: when (UTC, to the minute), by whom, and what."""

    at: str
    who: str
    what: str


@dataclass(frozen=True)
class Example:
    """A mistake of many students, and how some of them wrote the exercise: code without comments and names.

    exercise, line: the number and title, and the property that is lost.    page: the page for teachers that helps, or "".
    """

    exercise: str
    line: str
    answers: Sequence[str]
    page: str = ""


@dataclass(frozen=True)
class Background:
    """What the page tells beside the reports of the run; all of it may be missing.

    record, before: the set after this run, and after the run before it.
    histories: every student's graded submissions, the first one first.
    links: address -> text, relative to the page.
    identical: who has handed in the published solution.
    decisions: about the set, the first one first.
    to_mark: by student, the cells that are to be marked by hand; None without a gradebook.
    disputes: open ones first.
    lost: what the class has lost, if it has been counted for the examples.
    examples: of the mistakes in the sentences for the next lesson.
    due: by student, the due date of those for whom it is another one than the class's.
    teams: of those that have handed in, the members, and whose hand-in counts.
    marking: how far the markers are, among whom answers were dealt.
    exempt: the students who need not do the set.
    times: when the set was handed in; None if nobody knows.
    names: of the students, shown beside their ids until the reader hides names.
    """

    record: SetRecord | None = None
    before: SetRecord | None = None
    histories: Mapping[str, Sequence[ShortReport]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    identical: Identical | None = None
    to_mark: Mapping[str, Sequence[str]] | None = None
    decisions: Sequence[Decision] = ()
    disputes: Sequence[Dispute] = ()
    lost: Sequence[LostProperty] | None = None
    examples: Sequence[Example] = ()
    names: Names = field(default_factory=Names)
    due: Mapping[str, str] = field(default_factory=dict)
    teams: Sequence[tuple[Sequence[str], str]] = ()
    marking: Marking | None = None
    exempt: Sequence[str] = ()
    times: HandInDays | None = None


def class_page(
    course: Path, ps: str, title: str, reports: Mapping[str, Report], remarks: Sequence[str],
    challenge: Mapping[str, ChallengeReport] | None = None, background: Background | None = None,
) -> str:
    """Return the page as HTML. Everything that students wrote (names, notes) is shown as plain text.

    Args:
        course: the course folder; links are relative to its `report/`.
        reports: by student, in the order of the rows; at least one.
        remarks: sentences for staff about the roster and the folders.
        challenge: the challenge reports by student, if the class has a challenge.
    """
    challenge, background = challenge or {}, background or Background()
    judged: list[Report | ChallengeReport] = [*reports.values(), *challenge.values()]
    scores, record = [report.points for report in reports.values()], background.record
    places = {student: place for place, student in enumerate(reports, 1)}
    script, source = class_script()
    measured = items(reports.values(), background.histories.values())
    lost = lost_properties(reports) if background.lost is None else background.lost
    helped = help_first(reports)
    return environment().get_template("class.html").render(
        ps=ps,
        title=title,
        rows=[_row(course, ps, student, report, challenge.get(student)) for student, report in reports.items()],
        exercises=count_exercises(list(reports.values())),
        items=by_id(measured),
        items_picture=picture(measured),
        times=background.times,
        times_picture=hand_in_days.picture(background.times),
        lesson=lesson(reports, lost, record, background.before),
        examples=background.examples,
        help=helped[:MOST_HELPED],
        few_points=len(helped),
        lost=lost,
        places=places,
        histogram=bars(scores),
        middle=middle(scores),
        faults=sum(report.has_fault for report in judged),
        missing=record.missing if record else None,
        runs=record.runs if record else (),
        resubmitted=resubmissions(background.histories.values()),
        gained=gained(background.histories.values()),
        slowest=_slowest(record, places),
        outcomes=tuple(Outcome),
        remarks=[background.names.in_sentence(remark) for remark in remarks],
        names=background.names,
        due=background.due,
        exempt=background.exempt,
        teams=background.teams,
        marking=background.marking if background.marking and background.marking.rows else None,
        challenge=bool(challenge),
        links=background.links,
        identical=background.identical,
        to_mark=background.to_mark,
        decisions=background.decisions,
        disputes=background.disputes,
        least=LEAST,
        short=SHORT,
        script=script,
        script_source=source,
    )


@cache
def class_script() -> tuple[Markup, Markup]:
    """Return the script of the class pages, and its source for their policy."""
    return inline_script(SCRIPT.read_text(encoding="utf-8").replace('"FORMULA"', json.dumps(BEGINS)))


def _row(course: Path, ps: str, student: str, report: Report, challenge: ChallengeReport | None) -> dict[str, Any]:
    return {
        "student": student,
        "report": report,
        "note": shorten(report.note, MOST_OF_A_NOTE),
        "feedback": feedback_address(course, student, ps),
        "json": f"../{quote(f'reports/{student}/{ps}.json')}",
        "challenge": challenge,
        "how_far": in_short(challenge) if challenge else "",
        "replays": feedback_address(course, student, ASSIGNMENT) if challenge else None,
    }


def feedback_address(course: Path, student: str, assignment: str) -> str | None:
    """The address of a feedback page, relative to `report/`; None if there is no page."""
    folder = Path("feedback", student, assignment)
    page = next((folder / name for name in ("index.html", f"{assignment}.html") if (course / folder / name).is_file()), None)
    return f"../{quote(page.as_posix())}" if page else None


def _slowest(record: SetRecord | None, places: Mapping[str, int]) -> list[tuple[str, float]]:
    """Return the submissions that took most processor time, with seconds; none if the times are not known."""
    known = record.cpu_s.items() if record else ()
    return sorted(((student, seconds) for student, seconds in known if student in places), key=lambda row: -row[1])[:SLOWEST]
