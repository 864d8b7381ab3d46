"""The notebook form of a problem set, with nbgrader's metadata: the solved one, and the one that nbgrader releases.

nbgrader and nbconvert are imported where they are used: their import takes a second, and the workers that grade
read problem sets without making a notebook.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from autograder.problem_sets.source import Cell, ProblemSet

# The steps from the solved notebook to the released one, here and in nbgrader_config.py as
# c.GenerateAssignment.preprocessors: nbgrader's own steps, with StripSolutions in place of ClearSolutions. The steps that
# write or hide tests inside a notebook are left out; our tests are elsewhere.
RELEASE_STEPS = [
    "nbgrader.preprocessors.LockCells",
    "autograder.problem_sets.strip_step.StripSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
SCHEMA_VERSION = 3  # of nbgrader's cell metadata
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@cache
def notebook_text(ps: ProblemSet, *, solution: bool) -> str:
    """Return the notebook as text: the solved one, which is nbgrader's source, or the one that nbgrader releases."""
    import nbformat
    from nbconvert.exporters import NotebookExporter
    from nbgrader.nbgraderformat import MetadataValidator
    from traitlets.config import Config

    notebook = nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": list(_cells(ps))})
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    if solution:
        solved: str = nbformat.writes(notebook)
        return solved + "\n"
    # the same steps as in generate_assignment, without the one that writes the gradebook
    exporter = NotebookExporter(config=Config({"Exporter": {"default_preprocessors": []}}))
    for name in RELEASE_STEPS:
        if not name.endswith(".SaveCells"):
            exporter.register_preprocessor(name, enabled=True)
    released: str = exporter.from_notebook_node(notebook, resources={"unique_key": ps.name})[0]
    return released


def cell_ids(ps: ProblemSet) -> list[str]:
    """Return the id of each cell: nbgrader's, or one from its kind and its place among its kind, so that ids are stable."""
    count: Counter[str] = Counter()
    ids = []
    for cell in ps.cells:
        count[cell.role] += 1
        ids.append(_grading(ps, cell).get("grade_id", f"{cell.role}-{count[cell.role]}"))
    return ids


def _cells(ps: ProblemSet) -> Iterator[dict[str, Any]]:
    """Yield the solved cells."""
    for id, cell in zip(cell_ids(ps), ps.cells, strict=True):
        grading = _grading(ps, cell)
        metadata: dict[str, Any] = {"nbgrader": grading} if grading else {}
        if cell.role == "experiment":
            metadata |= dict(cell.header)
        if cell.role == "check":  # Jupyter and VS Code show its first line, which says what it checks, and open it at a click
            metadata["jupyter"] = {"source_hidden": True}
        made = {
            "id": id,
            "cell_type": "markdown" if cell.markdown else "code",
            "metadata": metadata,
            "source": cell.solution,
        }
        yield made if cell.markdown else made | {"execution_count": None, "outputs": []}


def _grading(ps: ProblemSet, cell: Cell) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell; {} for prose, given code and experiments, which students may change."""
    if cell.role not in ("exercise", "check", "answer"):
        return {}
    grading = {
        "schema_version": SCHEMA_VERSION,
        "grade_id": ps.code_id(cell.id) if cell.role == "exercise" else ps.grade_id(cell.id),
        "grade": cell.role != "exercise",
        "solution": cell.role != "check",
        "locked": cell.role == "check",
        "task": False,
    }
    if cell.role == "check":  # the check has the points of its exercise
        exercise = None if cell.points else ps.exercise(cell.id)
        # An optional exercise may score above 0 of 0, so that its points are added to the set's in nbgrader too.
        grading["points"] = cell.points if exercise is None else 0 if exercise.extra else exercise.points
    if cell.role == "answer":
        grading["points"] = cell.points
    return grading
