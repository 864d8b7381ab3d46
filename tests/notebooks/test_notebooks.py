"""Every notebook, run from top to bottom like `Run all cells`: the solved ones, and the ones that students get."""

import nbformat
import pytest
from nbconvert.preprocessors import CellExecutionError, ExecutePreprocessor

from arena.show.guess import EVERYWHERE, SKIP
from autograder.problem_sets import build
from autograder.problem_sets.source import load, names

pytestmark = pytest.mark.usefixtures("processes")

LIMIT_S = 600  # for one cell, on a machine that is busy with other tests
FONTS = "font cache"  # matplotlib builds it once, and says so when the machine is slow
FIRST = "ps1_games"
PICTURES = ("image/svg+xml", "image/png", "application/vnd.jupyter.widget-view+json")


@pytest.fixture(autouse=True)
def nobody_guesses(monkeypatch):
    monkeypatch.setenv(EVERYWHERE, SKIP)


def run(notebook: nbformat.NotebookNode, folder: object) -> None:
    """Run all cells in place; CellExecutionError at the first one that fails."""
    ExecutePreprocessor(timeout=LIMIT_S, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(folder)}})


def outputs(notebook: nbformat.NotebookNode) -> list[tuple[nbformat.NotebookNode, nbformat.NotebookNode]]:
    """Every output with its cell."""
    return [(cell, output) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.usefixtures("repetition")
def test_a_solved_notebook_runs_from_top_to_bottom_with_its_pictures(tmp_path):
    run_solved(FIRST, tmp_path)


@pytest.mark.parametrize("name", [name for name in names() if name != FIRST])
def test_so_do_those_of_the_other_sets(name, tmp_path, repetition):
    run_solved(name, tmp_path)


def run_solved(name, tmp_path):
    ps = load(name)
    notebook = nbformat.reads(build(ps, solution=True)[0], as_version=4)
    run(notebook, tmp_path)
    printed = outputs(notebook)
    checks = [output.text for cell, output in printed if cell.id == ps.grade_id("joint") and output.output_type == "stream"]
    assert "".join(checks).strip() == "joint everything together   passed"  # a kernel may send one line in two pieces
    assert [text for _, output in printed if output.get("name") == "stderr" and FONTS not in (text := output.text)] == []
    pictures = [cell.id for cell, output in printed if any(kind in output.get("data", {}) for kind in PICTURES)]
    assert len(set(pictures)) >= 3
    assert [path.name for path in tmp_path.iterdir()] == []  # nothing is left in the student's folder


@pytest.mark.first_shows
@pytest.mark.parametrize("name", names())
def test_a_stub_notebook_fails_at_its_first_exercise_and_nowhere_before(name, tmp_path):
    ps = load(name)
    notebook = nbformat.reads(build(ps, solution=False)[0], as_version=4)
    with pytest.raises(CellExecutionError):
        run(notebook, tmp_path)
    failed = [(cell.id, output) for cell, output in outputs(notebook) if output.output_type == "error"]
    assert [id for id, _ in failed] == [ps.grade_id(ps.exercises[0].id)]
    first = ps.exercises[0]
    message = "\n".join(failed[0][1].traceback)
    assert message.startswith(f"{first.id} {first.title}   NOT WRITTEN   exercise {first.id} (")
    assert message.endswith("is not written yet")
