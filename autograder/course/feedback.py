"""The students' pages in feedback/: nbgrader's pages, small pages as substitutes, and the pages of the challenge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from arena.files import write_if_changed
from autograder.challenge.report import ASSIGNMENT
from autograder.course.class_exams import Challenge
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import Failures
from autograder.gradebook.feedback.publish import publish
from autograder.gradebook.stamp import read_side_files
from autograder.limited_child import failure_text
from autograder.pages.challenge_page import challenge_page, short_challenge_page
from autograder.pages.small_page import small_page
from autograder.problem_sets.source import load


def feedback(
    course: Path, ps: str, done: Callable[[str], None] = lambda student: None, failures: Failures | None = None
) -> list[str]:
    """Bring feedback/ up to date and return the students with a new page.

    A student whose page cannot be made gets a small page: the points, and nothing from the student's work. The files with
    which nbgrader finds a page are written too.

    Args:
        failures: see `publish`.

    Raises:
        CourseError: no student's page can be made.
    """
    course = course.resolve()
    new, without = publish(course, ps, done, failures)
    for student in without:
        folder = course / "feedback" / student / ps
        write_if_changed(folder / f"{ps}.html", small_page(student, load(ps), ReportStore(course, ps).get(student)))
        for name, data in read_side_files(course / "submitted" / student / ps).items():
            write_if_changed(folder / name, data)
    return new


def write_challenge_pages(course: Path, challenge: Challenge, failures: defaultdict[str, list[str]]) -> list[str]:
    """Write feedback/<student>/challenge/challenge.html for all students; return the students with a new page.

    A student whose page cannot be made gets a short page, and staff get a sentence in `failures`.
    """
    new = []
    for student, result in challenge.results.items():
        try:
            page = challenge_page(student, result.report, result.measured, challenge.ladder)
        except Exception as error:
            failures[student].append(f"its challenge page could not be made ({failure_text(error)})")
            page = short_challenge_page(student, result.report)
        if write_if_changed(course / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html", page):
            new.append(student)
    return new
