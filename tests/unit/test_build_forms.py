"""Notebook and module: the same cells, the same bytes on every build, and nbgrader's metadata."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest
from build_sample import read_sample
from nbgrader.nbgraderformat import MetadataValidator

from autograder.problem_sets import assignments, build, check_assignments, percent, write_assignments
from autograder.problem_sets.leaks import COMMONPLACE
from autograder.problem_sets.source import load, names
from autograder.problem_sets.strip_step import GUARD, without_guard

ROOT = Path(__file__).resolve().parents[2]
BUILD_ALL = """
import hashlib
from autograder.problem_sets import build
from autograder.problem_sets.source import load, names
from autograder.problem_sets.strip_step import GUARD
for name in names():
    for solution in (False, True):
        print(name, solution, *(hashlib.sha256(text.encode()).hexdigest() for text in build(load(name), solution=solution)))
"""


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n")}


@pytest.fixture(scope="module", params=["small", *names()])
def problem_set(request):
    return read_sample() if request.param == "small" else load(request.param)


@pytest.fixture(scope="module", params=[False, True], ids=["stub", "solution"])
def forms(request, problem_set):
    """The notebook, without the guard at the end of its first cell, and the module."""
    text, module = build(problem_set, solution=request.param)
    notebook = nbformat.reads(text, as_version=4)
    assert notebook.cells[0].source.endswith(GUARD) is not request.param
    return notebook if request.param else nbformat.reads(without_guard(text), as_version=4), module


@pytest.mark.usefixtures("computing")
def test_both_forms_hold_the_same_cells(forms):
    notebook, module = forms
    cells = [(cell.cell_type == "markdown", cell.source) for cell in notebook.cells]
    assert cells == [(cell.markdown, cell.text) for cell in percent.read(module, "module.py")]


@pytest.mark.usefixtures("computing")
def test_jupytext_reads_the_module_as_the_notebook(forms):
    notebook, module = forms
    theirs = jupytext.reads(module, fmt="py:percent").cells
    assert [(cell.cell_type, cell.source) for cell in theirs] == [(cell.cell_type, cell.source) for cell in notebook.cells]


def test_a_module_that_is_read_and_written_again_is_the_same(forms):
    _, module = forms
    assert percent.write(percent.read(module, "module.py")) == module


def test_code_appended_under_a_new_cell_is_a_cell(forms):
    _, module = forms
    *before, last = percent.read(module + "\n# %%\ndef bound(total, visits, bonus):\n    return 0.0\n", "module.py")
    assert before == percent.read(module, "module.py")
    assert last.text == "def bound(total, visits, bonus):\n    return 0.0"


@pytest.mark.usefixtures("computing")
def test_the_module_runs_without_its_experiments(problem_set):
    for solution in (False, True):
        module = build(problem_set, solution=solution)[1]
        compile(module, "module.py", "exec")  # magics would not compile
        for cell in percent.read(module, "module.py"):
            if cell.only_in_notebooks:
                written = module.split("\n")[cell.line:cell.line + cell.text.count("\n") + 1]
                assert all(line.startswith("#") for line in written)


@pytest.mark.usefixtures("computing")
def test_no_solution_line_and_no_marker_is_in_the_stubs(problem_set):
    notebook, module = build(problem_set, solution=False)
    assert notebook.count("SOLUTION") == GUARD.count("SOLUTION") and "SOLUTION" not in module
    for cell in problem_set.cells:
        lost = _lines(cell.solution) - _lines(cell.stub)
        assert {line for line in lost & _lines(module) if len(line) >= 24} <= COMMONPLACE


@pytest.mark.usefixtures("computing")
def test_every_function_of_an_exercise_says_that_it_is_not_written(problem_set):
    _, module = build(problem_set, solution=False)
    for exercise in problem_set.exercises:
        names = [function.rpartition(".")[2] for function in exercise.functions]  # two classes may have methods of the same name
        for name in names:
            line = f'raise NotImplementedError("exercise {exercise.id} ({name}) is not written yet")\n'
            assert module.count(line) == names.count(name)


def test_the_notebook_is_valid_for_nbgrader(forms):
    notebook, _ = forms
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    assert notebook.metadata.kernelspec.name == "python3"


def test_points_stand_on_the_locked_checks_and_on_the_free_answers(problem_set, forms):
    notebook, _ = forms
    grading = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
    # extra points are above 0 of 0, and so beside the 100
    points = {problem_set.grade_id(e.id): 0 if e.extra else e.points for e in problem_set.exercises}
    points[problem_set.grade_id("joint")] = 5
    checks = {id: cell.metadata.nbgrader.points for id, cell in grading.items()
              if cell.metadata.nbgrader.grade and cell.metadata.nbgrader.locked and cell.cell_type == "code"}
    assert checks == points and sum(points.values()) == 100
    manual = [cell for cell in grading.values() if cell.cell_type == "markdown"]
    assert all(cell.metadata.nbgrader.grade and cell.metadata.nbgrader.solution for cell in manual)
    assert sum(cell.metadata.nbgrader.points for cell in manual) == problem_set.manual_points
    for exercise in problem_set.exercises:
        code = grading[problem_set.code_id(exercise.id)].metadata.nbgrader
        assert (code.grade, code.solution, code.locked) == (False, True, False)


def test_experiments_are_tagged(problem_set, forms):
    notebook, _ = forms
    wanted = [cell.role == "experiment" for cell in problem_set.cells]
    assert [cell.metadata.get("tags") == ["experiment"] for cell in notebook.cells] == wanted


@pytest.mark.usefixtures("repetition")
def test_two_builds_give_the_same_bytes_whatever_the_hash_seed():
    outputs = [subprocess.run([sys.executable, "-c", BUILD_ALL], cwd=ROOT, capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")]
    assert outputs[0] == outputs[1] and outputs[0].count("ps2_uct") == 2


@pytest.mark.usefixtures("computing")
def test_assignments_are_what_the_build_gives():
    assert check_assignments() == []


@pytest.mark.usefixtures("computing")
def test_a_changed_a_missing_and_a_foreign_file_are_named(tmp_path):
    folder = tmp_path / "assignments"
    assert "assignments/ps2_uct/ps2_uct.py" in write_assignments(folder)
    assert check_assignments(folder) == []
    module = folder / "ps2_uct/ps2_uct.py"
    module.write_text(module.read_text().replace("\n", " \n", 2).replace(" \n", "\n", 1))
    (folder / "ps2_uct/pytest.ini").unlink()
    (folder / "ps2_uct/notes.txt").write_text("mine")
    (folder / "ps2_uct/.ipynb_checkpoints").mkdir()
    (folder / "ps2_uct/.ipynb_checkpoints/ps2_uct.ipynb").write_text("passing")
    assert check_assignments(folder) == [
        "assignments/ps2_uct/ps2_uct.py:2 is not what the build gives: edit solutions/, then run `make build`",
        "assignments/ps2_uct/pytest.ini is missing: run `make build`",
        "assignments/ps2_uct/notes.txt does not come from the build: remove it",
    ]


def test_the_folder_of_assignments_is_the_repositorys():
    assert assignments.ASSIGNMENTS == ROOT / "assignments"


def test_an_experiment_may_be_written_as_code_or_as_comments():
    header = '# %% tags=["experiment"] active="ipynb"\n'
    code = percent.read(header + "%time f()\n\nif x:\n    y()  # why", "a.py")
    comments = percent.read(header + "# %time f()\n#\n# if x:\n#     y()  # why", "a.py")
    assert code == comments and json.dumps(code[0].options) == '{"tags": ["experiment"], "active": "ipynb"}'


def test_an_experiment_that_students_write_names_its_answer_in_both_forms():
    ps = read_sample('active="ipynb"', 'active="ipynb" answer="7.3"')
    notebook, module = build(ps, solution=False)
    (cell,) = [cell for cell in nbformat.reads(notebook, as_version=4).cells if "tags" in cell.metadata]
    assert cell.metadata == {"tags": ["experiment"], "active": "ipynb", "answer": "7.3"}  # no cell of nbgrader's
    assert '# %% tags=["experiment"] active="ipynb" answer="7.3"\n# %matplotlib inline' in module
