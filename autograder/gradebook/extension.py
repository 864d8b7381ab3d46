"""A later deadline for one student, in nbgrader's own gradebook."""
from datetime import timedelta
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from arena.errors import UserError
from autograder.gradebook.course import open_course


def extend(course: Path, ps: str, student: str, by: timedelta) -> None:
    """Move the student's deadline by `by` for the late policy; zero removes an extension.

    Raises:
        UserError: the gradebook has no submission of this student.
    """
    app = open_course(course, ps)
    with Gradebook(app.coursedir.db_url, app.coursedir.course_id) as gradebook:
        try:
            gradebook.grant_extension(ps, student, hours=by / timedelta(hours=1))
        except MissingEntry as error:
            raise UserError(f"the gradebook of {course} has no submission of {ps} by {student!r}: grade first") from error
