"""The records of the problem sets that were graded in a course: `report/<ps>.json`.

Such a file may be deleted: it is made again from the reports, without the runs before.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.files import write_if_changed
from autograder.course.storage.report_store import ReportStore
from autograder.json_files import read_state, state_text
from autograder.pages.course.set_record import SetRecord
from autograder.pages.short_report import ShortReport
from autograder.problem_sets.source import load, names


def record_path(course: Path, ps: str) -> Path:
    """Return the path of a set's record."""
    return course / "report" / f"{ps}.json"


def write_record(course: Path, record: SetRecord) -> None:
    """Write the record of a set, whole or not at all."""
    write_if_changed(record_path(course, record.ps), state_text(record.to_dict()))


def read_record(course: Path, ps: str) -> SetRecord | None:
    """Return the record of a set; None if there is none or it is damaged."""
    try:
        record = SetRecord.from_dict(read_state(record_path(course, ps)))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return record if record.ps == ps else None


def all_records(course: Path) -> list[SetRecord]:
    """Return the record of every set that was ever graded in a course; a missing one is made from the reports."""
    records = ((read_record(course, ps) or _from_reports(course, ps)) for ps in names())
    return [record for record in records if record is not None and record.students]


def _from_reports(course: Path, ps: str) -> SetRecord | None:
    reports = ReportStore(course, ps).all()
    if not reports:
        return None
    record = SetRecord(ps, load(ps).title, next(iter(reports.values())).max_points, {
        student: ShortReport.of(report) for student, report in reports.items()})
    return replace(record, faults=sum(report.has_fault for report in reports.values()))
