"""Final marks for other systems, as plugins of `nbgrader export`; all of them have the marks of final.csv.

    nbgrader export --exporter=autograder.gradebook.marks.exports.CanvasExport

The command `autograder export` runs the same plugins.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Unicode

from arena.files import write_atomic
from autograder.gradebook.marks.final_marks import FinalMarks, Mark, due_text, final_text
from autograder.gradebook.marks.platforms import (
    BLACKBOARD,
    CANVAS,
    MOODLE,
    Platform,
    Table,
    blackboard_table,
    canvas_table,
    filled_template,
    moodle_table,
)
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.settings import EXPORT
from autograder.plain_text import one_line


def notes_of(table: Table) -> list[str]:
    """Return sentences for staff about a table: who is not in it, and what was changed in it."""
    return [
        *(f"{student} is not in the template: no mark was exported" for student in table.left),
        *(f"{student} is excused from {name} on the platform, or does not have it: the cell is unchanged"
          for student, name in table.excused),
        *(f"the template has {one_line(row)}, who is not in the course" for row in table.unknown),
        *(f"an apostrophe was put before {one_line(cell)}, because a spreadsheet would read it as a formula: check on the "
          "platform that its row or column was imported, or enter the marks there by hand" for cell in table.changed),
    ]


class FinalExport(ExportPlugin):
    """The base of our exporters: nbgrader's options --to, --student and --assignment, and the table of a subclass."""

    file_name = ""  # used without `--to`

    def export(self, gradebook: Gradebook) -> None:
        """Write the file, and log which students are not in it.

        Raises:
            UserError: the roster or the template cannot be used.
        """
        marks = self.chosen(read_marks(Path(self.parent.coursedir.root), gradebook))
        table = self.table(marks)
        write_atomic(self.destination, table.text)
        for line in marks.above:
            self.log.warning(line)
        for note in notes_of(table):
            self.log.warning(note)

    @property
    def destination(self) -> Path:
        """The file to write: that of `--to`, or our own name; the configuration's default is for nbgrader's exporter."""
        return Path(self.to if self.to not in ("", EXPORT) else self.file_name)

    def chosen(self, marks: FinalMarks) -> FinalMarks:
        """Return the marks of the students and the assignments that the options name; without such options, of all."""
        students, assignments = {str(name) for name in self.student}, {str(name) for name in self.assignment}
        return replace(
            marks,
            assignments={name: most for name, most in marks.assignments.items() if not assignments or name in assignments},
            people=tuple(person for person in marks.people if not students or person.id in students),
        )

    def table(self, marks: FinalMarks) -> Table:
        """Return the file's content."""
        raise NotImplementedError


class CsvExport(FinalExport):
    """All marks and their parts, one row for each student: the table that `make grade` writes as final.csv."""

    file_name = "marks.csv"

    def table(self, marks: FinalMarks) -> Table:
        return Table(final_text(marks))


class JsonExport(FinalExport):
    """All marks and their parts as JSON."""

    file_name = "marks.json"

    def table(self, marks: FinalMarks) -> Table:
        students = []
        for person in marks.people:
            parts = {
                name: {"final": marks.final(person.id, name), "automatic": mark.automatic, "by_hand": mark.by_hand,
                       "late": mark.late, "to_be_marked": list(mark.to_mark), **_warnings(mark)}
                for name, mark in marks.marks.get(person.id, {}).items() if name in marks.assignments
            }
            closes = {name: due_text(due) for name, due in marks.open.get(person.id, {}).items()
                      if name in marks.assignments}
            students.append({
                "id": person.id, "first_name": person.first_name, "last_name": person.last_name, "email": person.email,
                "marks": parts, "total": marks.total(person.id), "max": marks.most(person.id),
                **({"open_until": closes} if closes else {}),
                **({"exempt": exempt} if (exempt := [name for name in marks.assignments if marks.is_exempt(person.id, name)])
                   else {}),
            })
        counts = {name: marks.counts.get(name, most) for name, most in marks.assignments.items()}
        content = {"assignments": marks.assignments, "counts": counts, "students": students}
        return Table(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _warnings(mark: Mark) -> dict[str, object]:
    """What is unusual about a mark, if there is anything."""
    warnings = {"above_the_maximum": list(mark.above), "could_not_be_read": mark.unread}
    return {key: value for key, value in warnings.items() if value}


class _TemplateExport(FinalExport):
    """An exporter that can fill the platform's own download."""

    template = Unicode("", help="the table that you download from the platform; the marks are filled into it").tag(config=True)
    platform: Platform

    def table(self, marks: FinalMarks) -> Table:
        return filled_template(marks, Path(self.template), self.platform) if self.template else self.bare(marks)

    def bare(self, marks: FinalMarks) -> Table:
        """Return the table without a template."""
        raise NotImplementedError


class CanvasExport(_TemplateExport):
    """Final marks for the import of Canvas's gradebook."""

    file_name, platform = "canvas.csv", CANVAS

    def bare(self, marks: FinalMarks) -> Table:
        return canvas_table(marks)


class MoodleExport(_TemplateExport):
    """Final marks for Moodle's grade import, or for the grading worksheet of one assignment."""

    file_name, platform = "moodle.csv", MOODLE

    def bare(self, marks: FinalMarks) -> Table:
        return moodle_table(marks)


class BlackboardExport(_TemplateExport):
    """Final marks for the upload of Blackboard's Grade Center."""

    file_name, platform = "blackboard.csv", BLACKBOARD

    def bare(self, marks: FinalMarks) -> Table:
        return blackboard_table(marks)


EXPORTS = {"canvas": CanvasExport, "moodle": MoodleExport, "blackboard": BlackboardExport, "csv": CsvExport, "json": JsonExport}
