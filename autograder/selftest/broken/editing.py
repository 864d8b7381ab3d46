"""Changes that students make to a notebook, as functions from text to text."""

from __future__ import annotations

import copy
import json
import zlib
from collections.abc import Callable
from typing import Any

from autograder.selftest.demo.submission_maker import SubmissionMaker, dumped

Content = dict[str, Any]
Cell = dict[str, Any]


def edited(notebook: str, change: Callable[[Content], object]) -> str:
    """Return a notebook after `change` has changed its JSON."""
    content = json.loads(notebook)
    change(content)
    return dumped(content)


def position(maker: SubmissionMaker, content: Content, id: str) -> int:
    """Return the index of an exercise's solution cell."""
    wanted = maker.problem_set.code_id(id)
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in content["cells"]]
    return ids.index(wanted)


def source(cell: Cell) -> str:
    """Return the text of a cell."""
    return "".join(cell["source"])


def put(cell: Cell, text: str) -> None:
    """Replace the text of a cell."""
    cell["source"] = text.splitlines(keepends=True)


def at(maker: SubmissionMaker, id: str, change: Callable[[list[Cell], int], object], notebook: str | None = None) -> str:
    """Call change(cells, index) with the index of an exercise's cell."""
    return edited(notebook or maker.solved, lambda content: change(content["cells"], position(maker, content, id)))


def rewritten(maker: SubmissionMaker, id: str, rewrite: Callable[[str], str], notebook: str | None = None) -> str:
    """Rewrite the source of an exercise's cell."""

    def change(cells: list[Cell], index: int) -> None:
        before = source(cells[index])
        after = rewrite(before)
        assert after != before, f"nothing to rewrite in {id}"
        put(cells[index], after)

    return at(maker, id, change, notebook)


def replaced(maker: SubmissionMaker, id: str, old: str, new: str) -> str:
    """Replace a text in an exercise's cell, at all its places."""
    return rewritten(maker, id, lambda text: text.replace(old, new))


def code_cell(text: str, **metadata: object) -> Cell:
    """Return a new code cell that has not been run."""
    return {
        "cell_type": "code",
        "id": f"c{zlib.crc32(text.encode())}",
        "metadata": metadata,
        "execution_count": None,
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }


def with_output(notebook: str, id: str, maker: SubmissionMaker, text: str) -> str:
    """Return a notebook with this output below an exercise's cell."""
    output = {"output_type": "stream", "name": "stdout", "text": text}
    return at(maker, id, lambda cells, index: cells[index].update(outputs=[output]), notebook)


def duplicate(cells: list[Cell], index: int) -> Cell:
    """Insert a copy of a cell, with its metadata, below the cell, as Jupyter does; return the copy."""
    again = copy.deepcopy(cells[index])
    again["id"] = f"{again.get('id', 'cell')[:40]}-copy"
    cells.insert(index + 1, again)
    return again


def format_3(content: Content) -> None:
    """Change a notebook to nbformat 3, which old Jupyter versions and some converters write."""
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["input"] = cell.pop("source")
            cell["language"] = "python"
            cell["prompt_number"] = cell.pop("execution_count")
    content.update(worksheets=[{"cells": content.pop("cells"), "metadata": {}}], nbformat=3, nbformat_minor=0)


def without_first_code(content: Content) -> None:
    """Delete the first cell of code that is no experiment: the one with the imports."""
    first = next(place for place, cell in enumerate(content["cells"])
                 if cell["cell_type"] == "code" and "experiment" not in cell["metadata"].get("tags", []))
    assert "import" in source(content["cells"][first])
    del content["cells"][first]
