"""The front page of a course: a row for each problem set that was graded, and every student's points in every set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.challenge.report import ASSIGNMENT
from autograder.csv_text import neutral
from autograder.gradebook.policy.people_names import Names
from autograder.gradebook.tables import points_text
from autograder.grading.report import UNDECIDED
from autograder.pages.charts import middle
from autograder.pages.course.class_page import class_script, feedback_address
from autograder.pages.course.set_record import SetRecord
from autograder.pages.environment import environment
from autograder.pages.short_report import ShortReport


def course_page(
    course: Path, records: Sequence[SetRecord], links: Mapping[str, Mapping[str, str]], course_links: Mapping[str, str],
    final: Mapping[str, Mapping[str, str]] | None = None, open: Mapping[str, str] | None = None,
    names: Names | None = None,
) -> str:
    """Return the page as HTML.

    Args:
        course: the course folder; links are relative to its `report/`.
        records: of all sets, in the order of the rows; at least one.
        links: by set, address -> text of the pages about it; `course_links`: of those about the whole course.
        final: the rows of final.csv, by student; without them the page has automatic points.
        open: by set that is not due yet, until when.
        names: of the students, shown beside their ids until the reader hides names.
    """
    script, source = class_script()
    challenge, final = _challenge(records), final or {}
    return environment().get_template("course.html").render(
        name=course.resolve().name,
        sets=[{**_row(record, records, links.get(record.ps, {})), "open": (open or {}).get(record.ps)} for record in records],
        students=[_student(course, student, records, challenge, final.get(neutral(student), {}))
                  for student in _everybody(records)],
        final=bool(final),
        faults=[record for record in records if record.faults],
        challenge=bool(challenge),
        links=course_links,
        names=names or Names(),
        script=script,
        script_source=source,
    )


def _row(record: SetRecord, records: Sequence[SetRecord], links: Mapping[str, str]) -> dict[str, Any]:
    """One set. Without a roster, those who handed in another set and not this one have not handed it in."""
    missing = record.missing
    if missing is None:
        missing = tuple(student for student in _everybody(records) if student not in record.students)
    return {"record": record, "middle": middle(record.points), "missing": missing, "links": links,
            "page": next((address for address in links if address == f"{record.ps}.html"), None),
            "last": record.runs[-1].at if record.runs else ""}


def _everybody(records: Sequence[SetRecord]) -> list[str]:
    """All students of the sets and of the roster, in alphabetical order."""
    return sorted({student for record in records for student in (*record.students, *(record.missing or ()))})


def _challenge(records: Sequence[SetRecord]) -> Mapping[str, str]:
    """The points of the challenge, from the last run that had one."""
    held = [record for record in records if record.challenge]
    return max(held, key=lambda record: record.runs[-1].at if record.runs else "").challenge if held else {}


def _student(
    course: Path, student: str, records: Sequence[SetRecord], challenge: Mapping[str, str], final: Mapping[str, str]
) -> dict[str, Any]:
    """One student: the points in each set; the name leads to the feedback of the last of them."""
    cells, total, known = [], 0.0, [record for record in records if student in record.students]
    for record in records:
        report = record.students.get(student)
        total += report.points + report.extra if report else 0.0
        cells.append(_cell(report, final.get(record.ps)))
    played = challenge.get(student, "")
    return {"student": student, "cells": cells, "total": final.get("total") or points_text(total), "most": final.get("max", ""),
            "challenge": final.get(ASSIGNMENT, played) if played and played != UNDECIDED else played,
            "games": feedback_address(course, student, ASSIGNMENT) if student in challenge else None,
            "feedback": feedback_address(course, student, known[-1].ps) if known else None}


def _cell(report: ShortReport | None, final: str | None) -> dict[str, str]:
    """The points that count, and the automatic ones if they differ, by a mark by hand or a late penalty.

    Args:
        final: the cell of final.csv; empty beside a hand-in if the student need not do the set, None if nothing is known.
    """
    if report is not None and final == "":
        return {"points": "exempt", "automatic": points_text(report.points + report.extra)}
    if report is None:
        return {"points": "", "automatic": ""}
    undecided = f" + {points_text(report.undecided)} {UNDECIDED}" if report.has_fault else ""
    automatic = points_text(report.points + report.extra)
    return {"points": f"{final or automatic}{undecided}", "automatic": automatic if final and final != automatic else ""}
