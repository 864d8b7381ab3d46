"""nbgrader's autograde over a list of clean notebooks instead of whatever a glob finds."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, BaseConverter

from autograder.gradebook.stamp import Job


class CleanExporter(NotebookExporter):
    """Takes a clean notebook from its file through the steps of the autograde, and validates it once, in the end.

    nbconvert's own validates it three times and copies it four times, so that nobody's notebook changes; nobody has this one.
    """

    def from_file(self, file_stream: TextIO, resources: Any = None, **kw: Any) -> tuple[str, Any]:
        notebook, resources = nbformat.v4.reads(file_stream.read()), self._init_resources(resources)
        for step in self._preprocessors:
            notebook, resources = step(notebook, resources)
        nbformat.validate(notebook)
        return nbformat.v4.writes(notebook) + "\n", resources


class Recorder(Autograde):
    """Records the jobs, and tells `done` of each student whose recording stands."""

    def __init__(self, app: NbGrader, jobs: dict[str, Job], done: Callable[[str], None]) -> None:
        super().__init__(coursedir=app.coursedir, parent=app)
        self.jobs, self.done, self.force = jobs, done, True
        self.exporter_class = CleanExporter

    def init_notebooks(self) -> None:
        ps = self.coursedir.assignment_id
        folders = {student: self._format_source(ps, student) for student in self.jobs}
        self.assignments = {folder: [f"{folder}/{ps}.ipynb"] for folder in folders.values()}

    def convert_single_notebook(self, notebook_filename: str) -> None:
        # without the sanitizing round: a clean notebook is the release, which leaves nothing to sanitize
        self.exporter._preprocessors = []
        for preprocessor in self.autograde_preprocessors:
            self.exporter.register_preprocessor(preprocessor)
        BaseConverter.convert_single_notebook(self, notebook_filename)

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        super().set_permissions(assignment_id, student_id)
        self.done(student_id)
