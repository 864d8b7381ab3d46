"""nbgrader's autograde for a list of clean notebooks instead of all folders that match a pattern."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, BaseConverter, NbGraderException

from autograder.gradebook.course import CourseError, stop_for_everybodys
from autograder.gradebook.extension import grant
from autograder.gradebook.stamp import Job
from autograder.limited_child import failure_text
from autograder.submission.gate import TIMESTAMP


class CleanExporter(NotebookExporter):
    """An exporter that runs the autograde's steps on a clean notebook, and validates the notebook once, at the end.

    nbconvert's exporter validates it three times and copies it four times to protect the caller's notebook. Here no caller
    has a copy to protect.
    """

    def from_file(self, file_stream: TextIO, resources: Any = None, **kw: Any) -> tuple[Any, dict[str, Any]]:
        notebook, resources = nbformat.v4.reads(file_stream.read()), self._init_resources(resources)
        for step in self._preprocessors:
            notebook, resources = step(notebook, resources)
        nbformat.validate(notebook)
        return nbformat.v4.writes(notebook) + "\n", resources


class OneByOne(BaseConverter):
    """A converter that continues after a submission that it cannot convert, as nbgrader's does, and keeps the error."""

    def __init__(self, app: NbGrader, students: Iterable[str], done: Callable[[str], None]) -> None:
        super().__init__(coursedir=app.coursedir, parent=app)
        self.students, self.done, self.force = list(students), done, True
        self.errors: dict[str, Exception] = {}

    def init_notebooks(self) -> None:
        ps = self.coursedir.assignment_id
        folders = [self._format_source(ps, student) for student in self.students]
        self.assignments = {folder: [f"{folder}/{ps}.ipynb"] for folder in folders}

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        self.student = student_id
        return bool(self._noted(super().init_destination, assignment_id, student_id))

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        self._noted(super().init_assignment, assignment_id, student_id)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        self._noted(self.convert, notebook_filename)

    def convert(self, notebook_filename: str) -> None:
        """Convert one notebook."""
        super().convert_single_notebook(notebook_filename)

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        self._noted(super().set_permissions, assignment_id, student_id)
        self.done(student_id)

    def _noted(self, step: Callable[..., Any], *arguments: str) -> Any:
        try:
            return step(*arguments)
        except Exception as error:
            self.errors[self.student] = error
            raise

    def run(self, course: Path) -> None:
        """Convert all submissions; `errors` has the reasons for those that failed.

        Raises:
            CourseError: the error concerns the whole course.
        """
        try:
            if self.students:
                self.start()
        except NbGraderException:
            pass  # `errors` has the reasons by student
        for error in self.errors.values():
            try:
                stop_for_everybodys(error)
            except CourseError:
                self.parent.records.keep(course)
                raise

    def why(self, student: str) -> str:
        """A line for staff: the reason why a student's notebook is missing."""
        return failure_text(self.errors[student]) if student in self.errors else "nbgrader gave no reason"


class Recorder(OneByOne, Autograde):
    """Records the jobs, and calls `done` with each student who is recorded."""

    def __init__(
        self, app: NbGrader, jobs: dict[str, Job], done: Callable[[str], None], extensions: Mapping[str, float]
    ) -> None:
        """`extensions`: in hours, by student, of those whom the gradebook does not know yet."""
        super().__init__(app, jobs, done)
        self.jobs, self.extensions = jobs, extensions
        self.exporter_class = CleanExporter

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        super().init_assignment(assignment_id, student_id)
        if not (Path(self._format_source(assignment_id, student_id)) / TIMESTAMP).exists():  # nbgrader would keep an earlier one
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
                submission = gradebook.find_submission(assignment_id, student_id)
                if submission.timestamp is not None:
                    submission.timestamp = None
                    gradebook.db.commit()
        if student_id in self.extensions:  # now the gradebook has a submission; the late penalty is computed after this
            grant(self.parent, assignment_id, {student_id: self.extensions[student_id]})

    def convert(self, notebook_filename: str) -> None:
        # without nbgrader's sanitizing pass: a clean notebook comes from the release and needs none
        self.exporter._preprocessors = []
        for preprocessor in self.autograde_preprocessors:
            self.exporter.register_preprocessor(preprocessor)
        BaseConverter.convert_single_notebook(self, notebook_filename)
