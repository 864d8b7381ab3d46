"""The page of a student whose full page could not be made: the points, and nothing from the student's work."""

from autograder.grading.report import Report
from autograder.pages.environment import environment
from autograder.problem_sets.source import ProblemSet


def small_page(student: str, problem_set: ProblemSet, report: Report | None) -> str:
    """Return the page as HTML; without a report it shows no points."""
    return environment().get_template("small.html").render(student=student, title=problem_set.title, report=report)
