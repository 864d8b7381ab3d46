"""A small class over the real nbgrader: a prepared course folder, students who hand in, reports made by hand."""

import csv
import json
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from autograder.gradebook.ledger import read_ledger
from autograder.gradebook.recording.record import record
from autograder.grading.report import Report
from autograder.problem_sets.source import load
from autograder.submission.payload import read_payload
from tests.commands import nbgrader

PS = "ps2_uct"


class SmallClass:
    """A course folder with actions on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def hand_in(self, student: str, edits: dict[str, str] | None = None, timestamp: str | None = None) -> Path:
        """Put a notebook into submitted/: the released one with some cells (by grade_id) replaced."""
        work = self.folder / "submitted" / student / PS
        work.mkdir(parents=True, exist_ok=True)
        notebook = nbformat.read(self.folder / "release" / PS / f"{PS}.ipynb", as_version=4)
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = (edits or {}).get(grade_id, cell.source)
        (work / f"{PS}.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
        if timestamp:
            (work / "timestamp.txt").write_text(timestamp)
        return work

    def report(self, student: str, failed: tuple[str, ...] = (), extra: float = 0.0, **other: object) -> Report:
        """A report on the student's work, with these exercises not passed, and these points of the optional exercise."""
        work, exercises = self.folder / "submitted" / student / PS, []
        worth = {exercise.id: (exercise.title, exercise.points) for exercise in load(PS).exercises if not exercise.extra}
        for id, (title, points) in {**worth, "joint": ("everything together", load(PS).joint_points)}.items():
            outcome = "not yet" if id in failed else "passed"
            exercises.append({
                "id": id, "title": title, "outcome": outcome, "max_points": float(points),
                "points": float(points) * (outcome == "passed"),
                "checks": [{"name": "test_it", "line": f"the property of {id}", "outcome": outcome, "hint": "who is to move?"}],
            })
        exercises[-1:-1] = [
            {"id": exercise.id, "title": exercise.title, "outcome": "not yet" if extra else "not written", "extra": True,
             "max_points": float(exercise.points), "points": extra, "checks": []}
            for exercise in load(PS).exercises if exercise.extra]
        fields = {
            "problem_set": PS, "form": "notebook", "sha256": read_payload(work, PS).sha256, "max_points": 100.0,
            "points": sum(exercise["points"] for exercise in exercises if "extra" not in exercise), "note": "",
            "exercises": exercises, **other,
        }
        return Report.from_json(json.dumps(fields))

    def record(self, **reports: Report) -> list:
        """Put reports into the gradebook, by student."""
        return record(self.folder, PS, [(student, None, report) for student, report in reports.items()])

    def gradebook(self) -> Gradebook:
        return Gradebook(f"sqlite:///{self.folder}/gradebook.db", self.folder.name)

    def page(self, student: str = "ada") -> str:
        """The student's page of feedback."""
        return (self.folder / "feedback" / student / PS / f"{PS}.html").read_text(encoding="utf-8")

    def standings(self) -> dict:
        """The whole contents of the gradebook, by student."""
        with self.gradebook() as gradebook:
            return {student: vars(standing) for student, standing in read_ledger(gradebook, PS).items()}

    def autograded(self, student: str) -> nbformat.NotebookNode:
        return nbformat.read(self.folder / "autograded" / student / PS / f"{PS}.ipynb", as_version=4)

    def cell(self, student: str, grade_id: str) -> nbformat.NotebookNode:
        """One cell of the autograded notebook."""
        cells = self.autograded(student).cells
        return next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)

    def mark_by_hand(self, student: str, grade_id: str, score: float) -> None:
        """The action of formgrader when an instructor types a score."""
        with self.gradebook() as gradebook:
            grade = gradebook.find_grade(grade_id, PS, PS, student)
            grade.manual_score, grade.needs_manual_grade = score, False
            gradebook.db.commit()

    def grade_row(self, student: str, grade_id: str) -> dict:
        with self.gradebook() as gradebook:
            return gradebook.find_grade(grade_id, PS, PS, student).to_dict()

    def nbgrader(self, *arguments: str) -> subprocess.CompletedProcess:
        """Run nbgrader's own command in the course folder."""
        return nbgrader(self.folder, *arguments)

    def export(self) -> list[dict]:
        """The rows of `nbgrader export`, by its own exporter."""
        with self.gradebook() as gradebook:
            CsvExportPlugin(to=str(self.folder / "export.csv")).export(gradebook)
        return self.exported()

    def exported(self) -> list[dict]:
        with (self.folder / "export.csv").open(newline="") as file:
            return sorted(csv.DictReader(file), key=lambda row: row["student_id"])


@pytest.fixture
def small_class(prepared: Path, tmp_path: Path) -> SmallClass:
    """A fresh course that has released the set; no student has handed in yet."""
    return SmallClass(Path(shutil.copytree(prepared, tmp_path / "course")))


@pytest.fixture
def second_class(prepared: Path, tmp_path: Path) -> SmallClass:
    """Another one, to compare with."""
    return SmallClass(Path(shutil.copytree(prepared, tmp_path / "second" / "course")))
