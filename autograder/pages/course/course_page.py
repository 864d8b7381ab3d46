"""The front page of a course: a row for each problem set that was graded, and every student's points in every set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.gradebook.tables import points_text
from autograder.grading.report import UNDECIDED
from autograder.pages.charts import middle
from autograder.pages.course.class_page import class_script, feedback_address
from autograder.pages.course.set_record import SetRecord
from autograder.pages.environment import environment


def course_page(
    course: Path, records: Sequence[SetRecord], links: Mapping[str, Mapping[str, str]], course_links: Mapping[str, str]
) -> str:
    """Return the page as HTML.

    Args:
        course: the course folder; links are relative to its `report/`.
        records: of all sets, in the order of the rows; at least one.
        links: by set, address -> text of the pages about it; `course_links`: of those about the whole course.
    """
    script, digest = class_script()
    challenge = _challenge(records)
    return environment().get_template("course.html").render(
        name=course.resolve().name,
        sets=[_row(record, records, links.get(record.ps, {})) for record in records],
        students=[_student(course, student, records, challenge) for student in _everybody(records)],
        faults=[record for record in records if record.faults],
        challenge=bool(challenge),
        links=course_links,
        script=script,
        script_hash=digest,
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


def _student(course: Path, student: str, records: Sequence[SetRecord], challenge: Mapping[str, str]) -> dict[str, Any]:
    """One student: the points in each set; the name leads to the feedback of the last of them."""
    cells, total, known = [], 0.0, [record for record in records if student in record.students]
    for record in records:
        report = record.students.get(student)
        total += report.points if report else 0.0
        undecided = f" + {points_text(report.undecided)} {UNDECIDED}" if report and report.has_fault else ""
        cells.append(f"{points_text(report.points)}{undecided}" if report else "")
    return {"student": student, "cells": cells, "total": points_text(total), "challenge": challenge.get(student, ""),
            "feedback": feedback_address(course, student, known[-1].ps) if known else None}
