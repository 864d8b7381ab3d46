"""The page of a class: every student's outcome in every exercise."""

import statistics
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from autograder.challenge.report import ASSIGNMENT, ChallengeReport
from autograder.challenge.report_text import in_short
from autograder.gradebook.tables import decided_text, points_text, total_text
from autograder.grading.report import Outcome, Report
from autograder.plain_text import plain_text

TEMPLATES = Path(__file__).parent / "templates"
BINS = 10
TALLEST_PX = 90


def class_page(
    course: Path, ps: str, title: str, reports: dict[str, Report], remarks: list[str],
    challenge: Mapping[str, ChallengeReport] | None = None,
) -> str:
    """Return the page as HTML. Everything that students wrote (names, notes) is shown as plain text.

    Args:
        course: the course folder; links are relative to its `report/`.
        reports: by student, in the order of the rows.
        remarks: sentences for staff about the roster and the folders.
        challenge: the challenge reports by student, if the class has a challenge.
    """
    challenge = challenge or {}
    judged: list[Report | ChallengeReport] = [*reports.values(), *challenge.values()]
    scores = [report.points for report in reports.values()]
    return environment().get_template("class.html").render(
        ps=ps,
        title=title,
        rows=[_row(course, ps, student, report, challenge.get(student)) for student, report in reports.items()],
        exercises=_columns(list(reports.values())),
        bars=bars(scores),
        median=statistics.median(scores),
        mean=statistics.mean(scores),
        faults=sum(report.has_fault for report in judged),
        outcomes=tuple(Outcome),
        remarks=remarks,
        challenge=bool(challenge),
        exports=[name for name in ("grades.csv", "changes.csv", "challenge.csv") if (course / name).is_file()],
    )


def environment() -> jinja2.Environment:
    """Return the template environment of all pages: inserted values are shown as plain text, without invisible characters."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, finalize=_seen,
    )
    made.filters["points"] = points_text
    made.filters["decided"] = decided_text
    made.filters["total"] = total_text
    return made


def _seen(value: object) -> object:
    return plain_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def histogram(scores: list[float], top: float = 100.0) -> list[tuple[str, int]]:
    """Count scores in ten equal bins, and full points in a bin of their own: (label, count)."""
    counts = Counter(min(int(score * BINS / top), BINS) for score in scores)
    step = int(top / BINS)
    labels = [f"{bin * step}–{(bin + 1) * step - 1}" for bin in range(BINS)] + [f"{int(top)}"]
    return [(label, counts[bin]) for bin, label in enumerate(labels)]


def bars(scores: list[float]) -> list[dict[str, Any]]:
    """The histogram as bars that fit the page for any class size."""
    rows = histogram(scores)
    tallest = max(count for _, count in rows)
    return [{"label": label, "count": count, "height": round(TALLEST_PX * count / tallest)} for label, count in rows]


def _row(course: Path, ps: str, student: str, report: Report, challenge: ChallengeReport | None) -> dict[str, Any]:
    return {
        "student": student,
        "report": report,
        "feedback": _feedback(course, student, ps),
        "json": f"../{quote(f'reports/{student}/{ps}.json')}",
        "challenge": challenge,
        "how_far": in_short(challenge) if challenge else "",
        "replays": _feedback(course, student, ASSIGNMENT) if challenge else None,
    }


def _feedback(course: Path, student: str, assignment: str) -> str | None:
    """The address of a feedback page, relative to `report/`; None if there is no page."""
    folder = Path("feedback", student, assignment)
    found = next((folder / name for name in ("index.html", f"{assignment}.html") if (course / folder / name).is_file()), None)
    return f"../{quote(found.as_posix())}" if found else None


def _columns(reports: list[Report]) -> list[dict[str, Any]]:
    """One column per exercise: its head, and the number of submissions with each outcome."""
    columns = []
    for place, exercise in enumerate(reports[0].exercises):
        counts = Counter(report.exercises[place].outcome for report in reports)
        columns.append({"exercise": exercise, "counts": counts, "share": round(100 * counts[Outcome.PASSED] / len(reports))})
    return columns
