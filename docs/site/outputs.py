"""What the cells of a solved lesson print and draw. The notebook is run once; its outputs are kept by the hash of its source."""

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from arena.errors import UserError
from arena.files import write_atomic
from arena.show.guess import EVERYWHERE, SKIP
from autograder.grading.import_closure import files_behind
from autograder.paths import REPOSITORY
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.progress import Watcher

LIMIT_S = 600  # for one cell; the slowest takes half a minute

Outputs = dict[str, list[dict[str, Any]]]  # id of a cell -> its outputs, as in a notebook file


def outputs_of(name: str, cache: Path, watcher: Watcher, may_run: bool = True) -> Outputs:
    """Return the outputs of a solved lesson, from `cache` if neither the lesson nor the code that it imports has changed.

    Args:
        may_run: whether to run the lesson if it is not in `cache`; if not, the lesson has no outputs then.

    Raises:
        UserError: a cell of the solved lesson fails.
    """
    text = build(load(name), solution=True)[0]
    kept = cache / f"{name}-{_key(name, text)}.json"
    if not kept.is_file():
        if not may_run:
            return {}
        new = _run(name, text, watcher)
        for old in cache.glob(f"{name}-*.json"):
            old.unlink()
        write_atomic(kept, json.dumps(new))
    outputs: Outputs = json.loads(kept.read_text(encoding="utf-8"))
    return outputs


def _key(name: str, text: str) -> str:
    """Return a hash of the notebook and of every module of `arena` that it imports."""
    hashed = hashlib.sha256(text.encode())
    for file in sorted(files_behind(REPOSITORY, [REPOSITORY / "solutions" / f"{name}.py"])):
        hashed.update(file.read_bytes())
    return hashed.hexdigest()[:16]


def _run(name: str, text: str, watcher: Watcher) -> Outputs:
    notebook = nbformat.reads(text, as_version=4)
    watcher.start(f"{name}: cells", len(notebook.cells))
    # this checkout's `arena`, also where another one is installed; and nobody is asked for a guess
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), EVERYWHERE: SKIP}
    with tempfile.TemporaryDirectory() as room:
        client = NotebookClient(
            notebook, timeout=LIMIT_S, kernel_name="python3", resources={"metadata": {"path": room}},
            extra_arguments=["--log-level=ERROR"],
            on_cell_complete=lambda cell, cell_index: watcher.reach(cell_index + 1),
        )  # fmt: skip
        try:
            client.execute(env=environment)
        except CellExecutionError as error:
            raise UserError(f"the solved lesson {name} does not run: {error}") from None
        finally:
            watcher.end()
    return {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code" and cell.outputs}
