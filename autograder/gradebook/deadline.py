"""A later deadline for one student, in nbgrader's own gradebook."""
from datetime import timedelta
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.gradebook.course import open_course
from autograder.trouble import Trouble


def extend(course: Path, ps: str, student: str, by: timedelta) -> None:
    """Let the late policy count from `by` after the deadline; zero takes an extension back.

    Raises:
        Trouble: the gradebook has no submission of this student.
    """
    app = open_course(course, ps)
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        try:
            gradebook.grant_extension(ps, student, hours=by / timedelta(hours=1))
        except MissingEntry as error:
            raise Trouble(f"the gradebook of {course} has no submission of {ps} by {student!r}: grade first") from error
