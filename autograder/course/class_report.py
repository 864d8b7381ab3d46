"""The pages of a class: one for each problem set, and the course's front page with all of them.

A run writes the page and the record of its own set, and the front page from the records of all sets; nothing of another set
is replaced.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from arena.files import write_if_changed
from autograder.course.class_examples import class_examples
from autograder.course.decisions import decisions
from autograder.course.roster import missing_remark
from autograder.course.storage.report_store import ReportStore
from autograder.course.storage.set_records import all_records, read_record, write_record
from autograder.course.summary import FRONT, REPORT, Summary
from autograder.gradebook.marks.final_marks import FINAL, final_rows, open_until
from autograder.gradebook.policy.disputes import read_disputes
from autograder.gradebook.policy.people_names import read_names
from autograder.gradebook.tables import CHANGES, GRADES, points_text, sets_in_grades
from autograder.grading.report import UNDECIDED, Report
from autograder.pages.course.class_counts import lost_properties
from autograder.pages.course.class_page import Background, class_page
from autograder.pages.course.course_page import course_page
from autograder.pages.course.set_record import SetRecord
from autograder.pages.short_report import ShortReport
from autograder.problem_sets.source import load

TABLES = (FINAL, GRADES, CHANGES, "challenge.csv", "weights.csv")


def write_class_report(summary: Summary) -> None:
    """Write the page of the set that was graded, its record, and the front page."""
    course, ps = summary.course, summary.ps
    before = read_record(course, ps)
    record = _record(summary, before)
    store = ReportStore(course, ps)
    links = {FRONT: "all problem sets", **_links(course, ps), **_links(course)}
    links.pop(summary.set_page.name, None)
    lost = lost_properties(summary.reports)
    background = Background(
        record, before,
        {student: store.history(student, report) for student, report in summary.reports.items()},
        links,
        summary.identical,
        summary.to_mark,
        decisions(course, ps),
        read_disputes(course, ps),
        lost,
        class_examples(course, load(ps), lost),
        read_names(course),
        summary.due,
        summary.teams,
        summary.marking,
        summary.exempt,
        summary.times,
    )
    challenge = summary.challenge.reports if summary.challenge else {}
    remarks = [remark for remark in summary.remarks if remark != missing_remark(summary.missing or ())]
    write_if_changed(
        summary.set_page, class_page(course, ps, record.title, summary.reports, remarks, challenge, background))
    write_record(course, record)  # after the page, so that nothing is compared with a killed run
    write_front_page(course)


def write_front_page(course: Path) -> None:
    """Write the course's front page from what is on disk."""
    records = all_records(course)
    links = {record.ps: _links(course, record.ps) for record in records}
    if records:
        page = course_page(
            course, records, links, _links(course), final_rows(course), open_until(course), read_names(course))
        write_if_changed(course / REPORT / FRONT, page)


def lost_grades(course: Path, ps: str) -> dict[str, dict[str, Report]]:
    """Return the reports of the other sets that were graded and have no rows in grades.csv."""
    present = {ps, *sets_in_grades(course)}
    return {record.ps: ReportStore(course, record.ps).all() for record in all_records(course) if record.ps not in present}


def _record(summary: Summary, before: SetRecord | None) -> SetRecord:
    """Return what this run leaves of its set; a run that changed nothing is not counted as one."""
    problem_set, students = load(summary.ps), {student: ShortReport.of(report) for student, report in summary.reports.items()}
    challenge = summary.challenge.reports if summary.challenge else {}
    same = {student for student, report in students.items()
            if before and (known := before.students.get(student)) and known.sha256 == report.sha256}
    cpu_s = {student: seconds for student, seconds in (before.cpu_s if before else {}).items() if student in same}
    record = SetRecord(
        summary.ps, problem_set.title, next(iter(summary.reports.values())).max_points, students, summary.missing, summary.faults,
        {student: UNDECIDED if report.has_fault else points_text(report.points) for student, report in challenge.items()},
        cpu_s | {student: round(seconds, 2) for student, seconds in summary.cpu_s.items()},
    )
    runs = before.runs if before else ()
    if runs and before and before.students == students:
        return replace(record, runs=runs)
    return replace(record, runs=(*runs, record.run_at(datetime.now(UTC).strftime("%Y-%m-%d %H:%M"))))


def _links(course: Path, ps: str = "") -> dict[str, str]:
    """Return address -> text, relative to `report/`, of the pages and tables that exist.

    Args:
        ps: a set, for its own pages; without it, those of the whole course.
    """
    whole = {"../tournament/leaderboard/index.html": "tournament", **{f"../{name}": name for name in TABLES}}
    pages = {f"{ps}.html": "the class", f"similarity-{ps}.html": "similar submissions"} if ps else whole
    return {address: text for address, text in pages.items() if os.path.isfile(os.path.normpath(course / REPORT / address))}
