"""Our two steps of nbgrader's autograde; nbgrader_config.py names them.

    CleanSubmission   the submitted notebook -> the clean notebook (the student's text and nothing else from the student)
    ApplyReport       a report -> scores and comments in the gradebook, our text below the checks

Neither step runs a student's code. For the recording of a class, the jobs are made beforehand. Plain `nbgrader autograde`
makes them here, from the report in reports/ or from a new report.
"""
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import BaseCell, Comment, Grade, Gradebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.gradebook.ledger import Lateness, lateness, total_score
from autograder.gradebook.policy.grading_settings import settings_of
from autograder.gradebook.policy.judged_answers import JudgedAnswers
from autograder.gradebook.recording.clean import clean_notebook
from autograder.gradebook.stamp import KEY, Job, digest, make_setting, make_stamp, read_side_files
from autograder.gradebook.words import exercise_text
from autograder.grading.dropped_exercises import decided
from autograder.grading.edition import course_secret
from autograder.grading.report import Report
from autograder.problem_sets.source import load
from autograder.submission.payload import read_payload
from autograder.submission.read import read_folder


class CleanSubmission(NbGraderPreprocessor):
    """Replace the submitted notebook by the clean notebook."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        autograde: Autograde = self.parent.parent
        student, ps = resources["nbgrader"]["student"], resources["nbgrader"]["assignment"]
        if hasattr(autograde, "jobs"):
            return nb, resources  # the recording pass reads clean notebooks already
        report = find_report(autograde, student, ps)
        course = Path(autograde.coursedir.root)
        release = nbformat.read(course / "release" / ps / f"{ps}.ipynb", as_version=4)
        return clean_notebook(release, read_folder(_folder(autograde, student, ps), ps), report), resources


class ApplyReport(NbGraderPreprocessor):
    """Write a report's scores into the gradebook and its text into the notebook."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        autograde: Autograde = self.parent.parent
        student, ps = resources["nbgrader"]["student"], resources["nbgrader"]["assignment"]
        jobs = getattr(autograde, "jobs", None)
        job = _plain_job(autograde, student, ps) if jobs is None else jobs[student]
        with Gradebook(autograde.coursedir.db_url, autograde.coursedir.course_id) as gradebook:
            late = _Entry(gradebook, student, ps, job).write(nb)
        answers = {id: _answer(cell) for id, cell in _cells(nb).items() if _by_hand(cell)}
        nb.metadata[KEY] = {**job.stamp, "answers": answers, "lateness": late}
        say(nb, job.report)
        return nb, resources


def say(notebook: NotebookNode, report: Report) -> None:
    """Make the report's text the output of each exercise's check cell."""
    problem_set = load(report.problem_set)
    words = {problem_set.grade_id(exercise.id): exercise_text(exercise) for exercise in report.exercises}
    for grade_id, cell in _cells(notebook).items():
        if grade_id in words:
            cell.outputs = [NotebookNode(output_type="stream", name="stdout", text=words[grade_id])]  # validated later


def find_report(autograde: Autograde, student: str, ps: str) -> Report:
    """Return the report in reports/ if its submission has the same bytes; otherwise grade the submission now."""
    course = Path(autograde.coursedir.root)
    payload = read_payload(_folder(autograde, student, ps), ps)
    try:
        report = Report.from_json((course / "reports" / student / f"{ps}.json").read_text(encoding="utf-8"))
        if report.problem_set == ps and report.sha256 == payload.sha256:
            return report
    except (OSError, ValueError, KeyError, TypeError):
        pass
    from autograder.grading.grade import grade_payload  # imported late: the recording of a class does not need it

    fresh: dict[str, Report] = autograde.__dict__.setdefault("fresh_reports", {})  # shared by both steps of a submission
    if student not in fresh:
        fresh.clear()
        settings = settings_of(course, ps)
        graded = JudgedAnswers(course, ps).limited(student, grade_payload(payload, settings))
        fresh[student] = decided(graded.report, settings)
    return fresh[student]


def _plain_job(autograde: Autograde, student: str, ps: str) -> Job:
    course = Path(autograde.coursedir.root)
    report = find_report(autograde, student, ps)
    setting = make_setting(course, ps, autograde.config, course_secret(course))
    return Job(report, make_stamp(report, read_side_files(_folder(autograde, student, ps)), setting))


def _folder(autograde: Autograde, student: str, ps: str) -> Path:
    """The student's own folder, which nbgrader itself does not read (see nbgrader_patches.py)."""
    submitted = getattr(autograde, "submitted_directory", autograde.coursedir.submitted_directory)
    return Path(autograde.coursedir.format_path(submitted, student, ps))


def _cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """The notebook's cells with a grade_id, by grade_id."""
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    return {grade_id: cell for grade_id, cell in cells.items() if grade_id}


def _by_hand(cell: NotebookNode) -> bool:
    return bool(utils.is_grade(cell) and utils.is_solution(cell))


def _answer(cell: NotebookNode) -> str:
    """A digest of a free answer: its text and its pictures."""
    return digest(cell.source + (repr(sorted(cell.attachments.items())) if cell.get("attachments") else ""))


class _Entry:
    """One student's grades and comments, updated in one transaction."""

    def __init__(self, gradebook: Gradebook, student: str, ps: str, job: Job) -> None:
        self.gradebook, self.job = gradebook, job
        self.sheet = gradebook.find_submission_notebook(ps, ps, student)
        problem_set = load(ps)
        self.reported = {problem_set.grade_id(exercise.id): exercise for exercise in job.report.exercises}

    def write(self, notebook: NotebookNode) -> Lateness | None:
        """Write scores and comments; return the values on which a late penalty depends."""
        cells = _cells(notebook)
        grades = self._rows(Grade)
        for name, grade in grades:
            self._score(name, grade, cells[name])
        for name, comment in self._rows(Comment):
            cell = cells[name]
            untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
            comment.auto_comment = "No response." if untouched else None
        submission = self.sheet.assignment
        score = total_score((grade.auto_score, grade.manual_score, grade.extra_credit) for _, grade in grades)
        late = lateness(submission.assignment.duedate, submission.extension, score)
        self.gradebook.db.commit()
        return late

    def _rows(self, table: Any) -> Any:
        query = self.gradebook.db.query(BaseCell.name, table).join(BaseCell, BaseCell.id == table.cell_id)
        return query.filter(table.notebook_id == self.sheet.id).all()

    def _score(self, name: str, grade: Grade, cell: NotebookNode) -> None:
        """Set the automatic score; a manual score stays, and is marked for a look if it hides a different value now."""
        before = grade.auto_score
        exercise = self.reported.get(name)
        if exercise is not None and exercise.undecided:
            grade.auto_score, grade.needs_manual_grade = None, True  # an older score must not replace it
            return
        if exercise is not None:
            grade.auto_score = exercise.points
            moved = before != grade.auto_score and grade.auto_score != grade.manual_score
        else:  # an answer: 0 for an untouched answer, otherwise a person gives the score
            grade.auto_score = utils.determine_grade(cell)[0]
            moved = (self.job.answers_before or {}).get(name) != _answer(cell)
        if grade.manual_score is not None:
            grade.needs_manual_grade = bool(grade.needs_manual_grade or moved)
        else:
            grade.needs_manual_grade = grade.auto_score is None
