"""The clean notebook: the released one with the student's work filled in, and nothing else of theirs.

What nbgrader stores, shows to the instructor and turns into feedback is this notebook. Ids, points and
metadata come from the release; a student's text is only ever the source of a cell.
"""
from nbformat import NotebookNode, from_dict

from autograder.build.source import ProblemSet, load
from autograder.gradebook.words import summary_markdown
from autograder.grading.forms import Cell
from autograder.grading.report import Report
from autograder.grading.submission import MODULE, Submission

ADDED = "### Cells you added\n\nThey are shown as you wrote them; cells that you changed outside the exercises stand here too."
LONGEST_CELL = 100_000  # characters that are shown; graded is all of it
LONGEST_ADDED = 200_000  # of all cells that were added together: they are rendered in the grader's own process
MOST_CELLS = 200
UNREADABLE = "No work could be read, so you see the assignment as it was handed out."


def clean_notebook(release: NotebookNode, submission: Submission | None, report: Report) -> NotebookNode:
    """Fill a student's work into the released notebook.

    Args:
        release: the notebook in release/<ps>/, as nbgrader made it; it is not changed.
        submission: what was read of the student's work; None or empty gives the stub, with a note.
        report: its form, points and note open the notebook.
    """
    notebook = NotebookNode(release | {"cells": [NotebookNode(cell) for cell in release.cells]})
    problem_set = load(report.problem_set)
    cells = tuple(submission.cells) if submission is not None else ()
    answers = _answers(problem_set, cells)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in answers and cell.metadata.nbgrader.get("solution"):
            cell.source = answers[grade_id]
    notes = () if cells else (UNREADABLE,)
    notebook.cells.insert(0, _new_cell("markdown", "autograder-summary", summary_markdown(report, notes)))
    notebook.cells += _added(submission, problem_set, release) if cells else []
    return notebook


def _grade_ids(problem_set: ProblemSet) -> dict[str, str]:
    """Where the work on an exercise, or a free answer, stands in the notebook: id -> grade_id."""
    ids = {exercise.id: problem_set.code_id(exercise.id) for exercise in problem_set.exercises}
    return ids | {cell.id: problem_set.grade_id(cell.id) for cell in problem_set.cells if cell.role == "answer"}


def _answers(problem_set: ProblemSet, cells: tuple[Cell, ...]) -> dict[str, str]:
    """The student's source by grade_id; an exercise spread over several cells is put together in their order."""
    ids, sources = _grade_ids(problem_set), {}
    for cell in cells:
        if cell.exercise in ids and cell.role in ("code", "markdown"):
            sources.setdefault(ids[cell.exercise], []).append(cell.source.strip("\n"))
    return {grade_id: _shown("\n\n\n".join(parts)) for grade_id, parts in sources.items()}


def _added(submission: Submission, problem_set: ProblemSet, release: NotebookNode) -> list[NotebookNode]:
    """Plain cells for what is neither in the release nor part of an exercise; none gives no heading."""
    ids, known = _grade_ids(problem_set), {_same(cell.source) for cell in release.cells}
    # a module's experiments are commented out, so they are never the text that was released
    passed_over = {"check", "experiment"} if submission.form == MODULE else {"check"}
    added = [
        cell for cell in submission.cells
        if cell.exercise not in ids and cell.role not in passed_over and _same(cell.source) not in known | {""}
    ]
    if not added:
        return []
    plain, room = [], LONGEST_ADDED
    for cell in added[:MOST_CELLS]:
        text = _shown(cell.source.strip("\n"))
        room -= len(text)
        if room < 0:
            break
        plain.append(("markdown" if cell.role == "markdown" else "code", text))
    if len(added) > len(plain):
        plain.append(("markdown", f"({len(added) - len(plain)} more cells are not shown)"))
    return [
        _new_cell(kind, f"autograder-added-{number}", text) for number, (kind, text) in enumerate([("markdown", ADDED), *plain])
    ]


def _same(text: str) -> str:
    """Text without the white space that editors, and the two forms, treat differently."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _shown(text: str) -> str:
    """Text that can be written as UTF-8 and that a browser can show."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= LONGEST_CELL:
        return text
    return f"{text[:LONGEST_CELL]}\n# ... {len(text) - LONGEST_CELL} more characters are not shown here"


def _new_cell(kind: str, id: str, source: str) -> NotebookNode:
    """Return a cell with a fixed id; nbformat's is random, and the same work must give the same file."""
    parts = {"cell_type": kind, "id": id, "metadata": {}, "source": source}
    return from_dict(parts if kind == "markdown" else parts | {"execution_count": None, "outputs": []})
