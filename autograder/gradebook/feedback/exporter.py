"""Two steps of nbgrader's generate_feedback, made cheaper: the same pages in about half the time.

    FeedbackExporter   a notebook -> its page; one copy and one validation
    GetAllGrades       scores and comments of a page, with two queries
"""
from typing import Any, TextIO

import nbformat
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode, reader
from nbgrader.api import BaseCell, Comment, Grade
from nbgrader.preprocessors import GetGrades


class FeedbackExporter(HTMLExporter):
    """An exporter that validates the notebook once, after all steps.

    nbconvert's exporter validates it four times and copies it three times to protect the caller's notebook. Here the notebook
    is read from a file, and no caller has it.
    """

    def from_file(self, file_stream: TextIO, resources: Any = None, **kw: Any) -> tuple[Any, dict[str, Any]]:
        """Return the page of a notebook, and the resources."""
        notebook = nbformat.convert(reader.reads(file_stream.read()), to_version=4)
        return self.from_notebook_node(notebook, resources, **kw)

    def _preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        for step in self._preprocessors:
            nb, resources = step(nb, resources)
        nbformat.validate(nb, relax_add_props=True)
        return nb, resources


class GetAllGrades(GetGrades):
    """nbgrader's step, which asks the gradebook twice for a page instead of two or three times for each cell."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Put scores and comments into the notebook."""
        self._read: dict[type, dict[str, tuple[Any, ...]]] = {}  # of this page only
        notebook, resources = super().preprocess(nb, resources)
        return notebook, resources

    def _get_comment(self, cell: NotebookNode, resources: Any) -> None:
        comments = self._rows(Comment, Comment.comment)
        if (row := comments.get(cell.metadata.nbgrader["grade_id"])) is None:
            super()._get_comment(cell, resources)  # it says what is missing
        else:
            (cell.metadata.nbgrader["comment"],) = row

    def _get_score(self, cell: NotebookNode, resources: Any) -> None:
        grades = self._rows(Grade, Grade.score, Grade.max_score)
        if (row := grades.get(cell.metadata.nbgrader["grade_id"])) is None:
            super()._get_score(cell, resources)
        else:
            cell.metadata.nbgrader["score"], cell.metadata.nbgrader["points"] = row

    def _rows(self, table: Any, *columns: Any) -> dict[str, tuple[Any, ...]]:
        """Return the columns of this student's rows, by grade_id."""
        if table not in self._read:
            sheet = self.gradebook.find_submission_notebook(self.notebook_id, self.assignment_id, self.student_id)
            query = self.gradebook.db.query(BaseCell.name, *columns).select_from(table)
            rows = query.join(BaseCell, BaseCell.id == table.cell_id).filter(table.notebook_id == sheet.id).all()
            self._read[table] = {name: tuple(row) for name, *row in rows}
        return self._read[table]
