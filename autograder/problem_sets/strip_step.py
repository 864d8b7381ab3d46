"""Our stripper as a step of nbgrader's generate_assignment: see RELEASE_STEPS in notebook.py."""

import json
import re
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.problem_sets.leaks import refuse_leaks
from autograder.problem_sets.strip import strip
from autograder.problem_sets.syntax import Place, SourceError

# At the end of the first cell of a released notebook, where a reader does not see it. Without our configuration,
# generate_assignment would replace each cell with signature, docstring and TODO by "YOUR CODE HERE"; it stops at a region that
# begins twice, and prints the cell.
GUARD = """

<!-- This is the notebook of the students. "nbgrader generate_assignment" must not run over it, because it would remove every
signature, docstring and TODO; it stops at the next two lines. Its source is the solved notebook, which "make course" writes.
BEGIN SOLUTION
BEGIN SOLUTION
-->"""


class StripSolutions(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader carries no types
    """Replace each solution region of a notebook by our stub, with the checks of the build."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Strip all cells, or raise SourceError with notebook, cell and line."""
        if nb.cells and nb.cells[0].source.endswith(GUARD):
            raise SourceError(f"{resources.get('unique_key', 'notebook')}.ipynb is the notebook of the students: "
                              "source/ must hold the solved one, which make course and make grade write there")
        exercises = [_exercise(cell) for cell in nb.cells]
        places = [_place(resources.get("unique_key", "notebook"), number) for number in range(1, len(nb.cells) + 1)]
        known = {exercise for exercise in exercises if exercise is not None}
        stubs = [strip(cell.source, exercise, known, place)
                 for cell, exercise, place in zip(nb.cells, exercises, places, strict=False)]
        refuse_leaks(
            [(cell.source.split("\n")[line - 1], place(line))
             for cell, stub, place in zip(nb.cells, stubs, places, strict=False) for line in stub.removed],
            [(text, place(line))
             for stub, place in zip(stubs, places, strict=False) for line, text in enumerate(stub.text.split("\n"), 1)],
        )
        for cell, stub in zip(nb.cells, stubs, strict=False):
            cell.source = stub.text
        nb.cells[0].source += GUARD
        nb.metadata.pop("celltoolbar", None)
        return nb, resources


def without_guard(notebook: str) -> str:
    """Return the students' notebook as a plain generate_assignment takes it: for comparisons with stock nbgrader.

    Raises:
        ValueError: the notebook has no guard, so it is not the students' own.
    """
    content = json.loads(notebook)
    source = "".join(content["cells"][0]["source"])
    if not source.endswith(GUARD):
        raise ValueError("the first cell does not end with the guard: this is not the notebook of the students")
    content["cells"][0]["source"] = source.removesuffix(GUARD)
    return json.dumps(content)


def _exercise(cell: NotebookNode) -> str | None:
    """Return the exercise whose code a cell holds ("ex2_5_code" -> "2.5")."""
    match = re.fullmatch(r"ex(\d+)_(\d+)_code", cell.metadata.get("nbgrader", {}).get("grade_id", ""))
    return f"{match[1]}.{match[2]}" if match else None


def _place(notebook: str, number: int) -> Place:
    return lambda line: f"{notebook}.ipynb:cell {number}:{line}"
