"""The sets through the editors that students use: each writes a notebook in a form of its own, and grading reads the same work.

Colab writes nbformat 4.0, VS Code 4.2 and Notebook 6 4.4: none of these forms has ids of cells.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.problem_sets import build
from autograder.problem_sets.source import load, released
from autograder.submission.read import read_folder


def colab(notebook: dict[str, Any]) -> None:
    """The ids of cells become metadata, new metadata come in, and the kernel's name loses its language."""
    notebook["nbformat_minor"] = 0
    notebook["metadata"] = {"colab": {"provenance": [], "toc_visible": True}, "language_info": {"name": "python"},
                            "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    for cell in notebook["cells"]:
        cell["metadata"] |= {"id": cell.pop("id", "x")[:12], "colab": {"base_uri": "https://localhost:8080/"}}
        if cell["metadata"].get("jupyter", {}).get("source_hidden"):
            cell["metadata"]["cellView"] = "form"


def vs_code(notebook: dict[str, Any]) -> None:
    """Metadata of its own in each cell, the kernel's environment, and no ids."""
    notebook["nbformat_minor"] = 2
    notebook["metadata"] = {"kernelspec": {"display_name": ".venv", "language": "python", "name": "python3"},
                            "language_info": {"name": "python", "version": "3.12.1", "file_extension": ".py"}}
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["metadata"]["vscode"] = {"languageId": "python" if cell["cell_type"] == "code" else "markdown"}


def notebook_6(notebook: dict[str, Any]) -> None:
    """No ids, and the state of each cell on the screen."""
    notebook["nbformat_minor"] = 4
    for number, cell in enumerate(notebook["cells"]):
        cell.pop("id", None)
        cell["metadata"] |= {"collapsed": False, "scrolled": True}
        if cell["cell_type"] == "code":
            cell["execution_count"] = number


@pytest.mark.parametrize("ps", released())
@pytest.mark.parametrize("editor", [colab, vs_code, notebook_6])
def test_the_work_is_the_same_from_every_editor(ps: str, editor: Callable[[dict[str, Any]], None], tmp_path: Path) -> None:
    text, _ = build(load(ps), solution=True)
    (tmp_path / f"{ps}.ipynb").write_text(text)
    before = read_folder(tmp_path, ps)
    notebook = json.loads(text)
    editor(notebook)
    (tmp_path / f"{ps}.ipynb").write_text(json.dumps(notebook, indent=1))
    nbformat.validate(nbformat.read(tmp_path / f"{ps}.ipynb", as_version=4))
    after = read_folder(tmp_path, ps)
    assert after.note == before.note == "" and after.sha256 != before.sha256
    assert after.cells == before.cells and len(after.code()) > 10
