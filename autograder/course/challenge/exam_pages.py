"""The students' pages of the challenge in feedback/."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from arena.challenge.report import ASSIGNMENT
from arena.files import write_if_changed
from autograder.course.challenge.class_exams import Challenge
from autograder.limited_child import failure_text
from autograder.pages.student.challenge_page import challenge_page, short_challenge_page


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
