"""nbgrader's autograde over a list of clean notebooks instead of whatever a glob finds."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, BaseConverter, NbGraderException

from autograder.gradebook.course import CourseError, stop_for_everybodys
from autograder.gradebook.stamp import Job
from autograder.limited_child import failure_text


class CleanExporter(NotebookExporter):
    """Takes a clean notebook from its file through the steps of the autograde, and validates it once, in the end.

    nbconvert's own validates it three times and copies it four times, so that nobody's notebook changes; nobody has this one.
    """

    def from_file(self, file_stream: TextIO, resources: Any = None, **kw: Any) -> tuple[Any, dict[str, Any]]:
        notebook, resources = nbformat.v4.reads(file_stream.read()), self._init_resources(resources)
        for step in self._preprocessors:
            notebook, resources = step(notebook, resources)
        nbformat.validate(notebook)
        return nbformat.v4.writes(notebook) + "\n", resources


class OneByOne(BaseConverter):
    """A converter that goes on after a submission that it cannot convert, as nbgrader's do, and remembers what went wrong."""

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
        """Convert everybody; who is missing afterwards is in `errors`.

        Raises:
            CourseError: the trouble is everybody's.
        """
        try:
            if self.students:
                self.start()
        except NbGraderException:
            pass  # what went wrong with whom is known
        for error in self.errors.values():
            try:
                stop_for_everybodys(error)
            except CourseError:
                self.parent.records.keep(course)
                raise

    def why(self, student: str) -> str:
        """Why there is nothing of a student, in a line for staff."""
        return failure_text(self.errors[student]) if student in self.errors else "nbgrader gave no reason"


class Recorder(OneByOne, Autograde):
    """Records the jobs, and tells `done` of each student whose recording stands."""

    def __init__(self, app: NbGrader, jobs: dict[str, Job], done: Callable[[str], None]) -> None:
        super().__init__(app, jobs, done)
        self.jobs = jobs
        self.exporter_class = CleanExporter

    def convert(self, notebook_filename: str) -> None:
        # without the sanitizing round: a clean notebook is the release, which leaves nothing to sanitize
        self.exporter._preprocessors = []
        for preprocessor in self.autograde_preprocessors:
            self.exporter.register_preprocessor(preprocessor)
        BaseConverter.convert_single_notebook(self, notebook_filename)
