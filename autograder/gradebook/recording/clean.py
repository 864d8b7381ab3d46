"""The clean notebook: the released one with the student's work filled in, and nothing else of theirs.

What nbgrader stores, shows to the instructor and turns into feedback is this notebook. Ids, points and
metadata come from the release; a student's text is only ever the source of a cell.
"""
from nbformat import NotebookNode, from_dict

from autograder.gradebook.pictures import MOST_BYTES, data_address
from autograder.gradebook.words import summary_markdown
from autograder.grading.report import Report
from autograder.problem_sets.source import ProblemSet, load
from autograder.submission.discover import MODULE
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

ADDED = "### Cells you added\n\nThey are shown as you wrote them; cells that you changed outside the exercises stand here too."
LONGEST_CELL = 100_000  # characters that are shown; graded is all of it
LONGEST_ADDED = 200_000  # of all cells that were added together: they are rendered in the grader's own process
MOST_CELLS = 200
UNREADABLE = "No work could be read, so you see the assignment as it was handed out."
REPLACED = (
    "The files were replaced while they were graded. The points are those of the files before; the next run grades the new "
    "ones, so you see the assignment as it was handed out."
)
UNSHOWN = "Your notebook could not be shown here. Your points are not affected, and your instructor knows."
Attachments = dict[str, dict[str, str]]  # as nbformat has them: name -> {kind: content in base64}


class Room:
    """How much of pictures a submission may still bring along; it counts those that can be shown."""

    def __init__(self) -> None:
        self.left = MOST_BYTES

    def take(self, cell: Cell) -> Attachments:
        """Return the pictures of a cell as its attachments; the page says in words which are not there."""
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
        release: the notebook in release/<ps>/, as nbgrader made it; it is not changed.
        submission: what was read of the student's work; None or empty gives the stub, with the note `without`.
        report: its form, points and note open the notebook.
        without: what is said where there is no work to show.
    """
    notebook = NotebookNode(release | {"cells": [NotebookNode(cell) for cell in release.cells]})
    problem_set = load(report.problem_set)
    cells = tuple(submission.cells) if submission is not None else ()
    room = Room()
    answers = _answers(problem_set, cells, room)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in answers and cell.metadata.nbgrader.get("solution"):
            cell.source, pasted = answers[grade_id]
            if pasted and cell.cell_type == "markdown":
                cell.attachments = from_dict(pasted)
    notes = () if cells else (without,)
    notebook.cells.insert(0, _new_cell("markdown", "autograder-summary", summary_markdown(report, notes)))
    notebook.cells += _added(submission, problem_set, release, room) if submission and cells else []
    return notebook


def plain_notebook(release: NotebookNode, report: Report) -> NotebookNode:
    """The notebook of somebody whose own could not be made or recorded: what was released, the points, and a sentence."""
    return clean_notebook(release, None, report, UNSHOWN)


def _grade_ids(problem_set: ProblemSet) -> dict[str, str]:
    """Where the work on an exercise, or a free answer, stands in the notebook: id -> grade_id."""
    ids = {exercise.id: problem_set.code_id(exercise.id) for exercise in problem_set.exercises}
    return ids | {cell.id: problem_set.grade_id(cell.id) for cell in problem_set.cells if cell.role == "answer"}


def _answers(problem_set: ProblemSet, cells: tuple[Cell, ...], room: Room) -> dict[str, tuple[str, Attachments]]:
    """The student's source and pictures by grade_id; an exercise spread over several cells is put together in their order."""
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


def _added(submission: Submission, problem_set: ProblemSet, release: NotebookNode, room: Room) -> list[NotebookNode]:
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
    """Text without the white space that editors, and the two forms, treat differently."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _shown(text: str) -> str:
    """Text that can be written as UTF-8 and that a browser can show."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= LONGEST_CELL:
        return text
    return f"{text[:LONGEST_CELL]}\n# ... {len(text) - LONGEST_CELL} more characters are not shown here"


def _new_cell(kind: str, id: str, source: str, pasted: Attachments | None = None) -> NotebookNode:
    """Return a cell with a fixed id; nbformat's is random, and the same work must give the same file."""
    parts = {"cell_type": kind, "id": id, "metadata": {}, "source": source} | ({"attachments": pasted} if pasted else {})
    cell: NotebookNode = from_dict(parts if kind == "markdown" else parts | {"execution_count": None, "outputs": []})
    return cell
