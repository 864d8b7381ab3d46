"""The clean notebook: the released notebook with the student's work filled in, and nothing else from the student.

nbgrader stores this notebook, shows it to the instructor and makes the feedback from it. Ids, points and metadata come from
the release; a student's text is used only as the source of a cell.
"""
from nbformat import NotebookNode, from_dict

from autograder.gradebook.pictures import MOST_BYTES, data_address
from autograder.gradebook.words import summary_markdown
from autograder.grading.report import Report
from autograder.problem_sets.source import ProblemSet, load
from autograder.submission.discover import MODULE
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

ADDED = "### Cells you added\n\nThey are shown unchanged. Cells that you changed outside the exercises are here too."
LONGEST_CELL = 100_000  # characters that are shown; the whole cell is graded
LONGEST_ADDED = 200_000  # characters of all added cells together, because the grader's own process renders them
MOST_CELLS = 200
UNREADABLE = "No work could be read, so you see the assignment as it was handed out."
REPLACED = (
    "The files were replaced while they were graded. The points belong to the files before; the next run grades the new "
    "files. Until then you see the assignment as it was handed out."
)
UNSHOWN = "Your notebook could not be shown here. Your points are not affected, and your instructor knows."
Attachments = dict[str, dict[str, str]]  # as nbformat has them: name -> {kind: content in base64}


class Room:
    """The remaining room for a submission's pictures; only pictures that can be shown count."""

    def __init__(self) -> None:
        self.left = MOST_BYTES

    def take(self, cell: Cell) -> Attachments:
        """Return the pictures of a cell as attachments; the page has a sentence for each picture that is left out."""
        taken: Attachments = {}
        for name, kind, content in cell.pictures:
            address = data_address(kind, content) if len(content) <= self.left else None
            if address is not None:
                self.left -= len(address)
                taken.setdefault(_shown(name), {})[kind] = address.partition(",")[2]
        return taken


def clean_notebook(
    release: NotebookNode, submission: Submission | None, report: Report, without: str = UNREADABLE
) -> NotebookNode:
    """Fill a student's work into the released notebook.

    Args:
        release: the notebook in release/<ps>/ that nbgrader made; it is not changed.
        submission: the student's work as read; None or empty gives the stub, with the note `without`.
        report: its form, points and note are the first cell of the notebook.
        without: the note for a notebook without work.
    """
    notebook = NotebookNode(release | {"cells": [NotebookNode(cell) for cell in release.cells]})
    problem_set = load(report.problem_set)
    cells = tuple(submission.cells) if submission is not None else ()
    room = Room()
    answers, experiments = _answers(problem_set, cells, room), _experiments(cells)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in answers and cell.metadata.nbgrader.get("solution"):
            cell.source, pasted = answers[grade_id]
            if pasted and cell.cell_type == "markdown":
                cell.attachments = from_dict(pasted)
        if cell.cell_type == "code" and cell.metadata.get("answer") in experiments:
            cell.source = experiments[cell.metadata.answer]
    notes = () if cells else (without,)
    notebook.cells.insert(0, _new_cell("markdown", "autograder-summary", summary_markdown(report, notes)))
    notebook.cells += _added(submission, problem_set, release, room) if submission and cells else []
    return notebook


def plain_notebook(release: NotebookNode, report: Report) -> NotebookNode:
    """The substitute for a notebook that could not be made or recorded: the release, the points and a sentence."""
    return clean_notebook(release, None, report, UNSHOWN)


def _grade_ids(problem_set: ProblemSet) -> dict[str, str]:
    """The cell for the work on each exercise and each free answer: id -> grade_id."""
    ids = {exercise.id: problem_set.code_id(exercise.id) for exercise in problem_set.exercises}
    return ids | {cell.id: problem_set.grade_id(cell.id) for cell in problem_set.cells if cell.role == "answer"}


def _answers(problem_set: ProblemSet, cells: tuple[Cell, ...], room: Room) -> dict[str, tuple[str, Attachments]]:
    """The student's source and pictures by grade_id; the cells of an exercise are joined in their order."""
    ids = _grade_ids(problem_set)
    parts: dict[str, tuple[list[str], Attachments]] = {}
    for cell in cells:
        if cell.exercise in ids and cell.role in ("code", "markdown"):
            sources, pasted = parts.setdefault(ids[cell.exercise], ([], {}))
            source, pictures = cell.source.strip("\n"), room.take(cell)
            for name in pictures.keys() & pasted.keys():  # Jupyter calls the first picture of every cell image.png
                pictures[new := f"{len(sources)}-{name}"] = pictures.pop(name)
                source = source.replace(f"attachment:{name}", f"attachment:{new}")
            sources.append(source)
            pasted |= pictures
    return {grade_id: (_shown("\n\n\n".join(sources)), pasted) for grade_id, (sources, pasted) in parts.items()}


def _experiments(cells: tuple[Cell, ...]) -> dict[str, str]:
    """The code of the experiments that the student writes, by the id of their answer: it is shown above the answer."""
    parts: dict[str, list[str]] = {}
    for cell in cells:
        if cell.role == "experiment" and cell.exercise:
            parts.setdefault(cell.exercise, []).append(cell.source.strip("\n"))
    return {answer: _shown("\n\n\n".join(sources)) for answer, sources in parts.items()}


def _added(submission: Submission, problem_set: ProblemSet, release: NotebookNode, room: Room) -> list[NotebookNode]:
    """Plain cells for code and text outside the release and the exercises; without such cells there is no heading."""
    ids, known = _grade_ids(problem_set), {_same(cell.source) for cell in release.cells}
    # a module's experiments are commented out, so they never equal the released text
    passed_over = {"check", "experiment"} if submission.form == MODULE else {"check"}
    added = [
        cell for cell in submission.cells
        if cell.exercise not in ids and cell.role not in passed_over and _same(cell.source) not in known | {""}
    ]
    if not added:
        return []
    plain, letters = [], LONGEST_ADDED
    for cell in added[:MOST_CELLS]:
        text = _shown(cell.source.strip("\n"))
        letters -= len(text)
        if letters < 0:
            break
        plain.append(("markdown", text, room.take(cell)) if cell.role == "markdown" else ("code", text, {}))
    if len(added) > len(plain):
        plain.append(("markdown", f"({len(added) - len(plain)} more cells are not shown)", {}))
    return [
        _new_cell(kind, f"autograder-added-{number}", text, pasted)
        for number, (kind, text, pasted) in enumerate([("markdown", ADDED, {}), *plain])
    ]


def _same(text: str) -> str:
    """Text without the white space that differs between editors and between the two forms."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _shown(text: str) -> str:
    """Text that UTF-8 can encode and a browser can show."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= LONGEST_CELL:
        return text
    return f"{text[:LONGEST_CELL]}\n# ... {len(text) - LONGEST_CELL} more characters are not shown here"


def _new_cell(kind: str, id: str, source: str, pasted: Attachments | None = None) -> NotebookNode:
    """Return a cell with a fixed id; nbformat's ids are random, but the same work must give the same file."""
    parts = {"cell_type": kind, "id": id, "metadata": {}, "source": source} | ({"attachments": pasted} if pasted else {})
    cell: NotebookNode = from_dict(parts if kind == "markdown" else parts | {"execution_count": None, "outputs": []})
    return cell
