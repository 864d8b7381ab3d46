"""A real nbgrader course: generate_assignment with our stripper releases the same files as in assignments/."""

import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions
from nbgrader.validator import Validator

from autograder.problem_sets import build
from autograder.problem_sets.notebook import RELEASE_STEPS
from autograder.problem_sets.source import load
from autograder.problem_sets.strip_step import StripSolutions
from autograder.problem_sets.syntax import SourceError
from tests.commands import nbgrader

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """
from autograder.problem_sets.notebook import RELEASE_STEPS
c = get_config()
c.CourseDirectory.course_id = "course"
c.GenerateAssignment.preprocessors = RELEASE_STEPS
"""


def by_itself(course: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run nbgrader with the course's settings and nobody else's."""
    return nbgrader(course, *arguments, HOME=str(course), JUPYTER_NO_CONFIG="1")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course that has released ps2_uct."""
    course = tmp_path_factory.mktemp("course")
    (course / "nbgrader_config.py").write_text(CONFIG)
    source = course / "source/ps2_uct"
    source.mkdir(parents=True)
    (source / "ps2_uct.ipynb").write_text(build(load("ps2_uct"), solution=True)[0])
    done = by_itself(course, "generate_assignment", "ps2_uct")
    assert done.returncode == 0, done.stderr
    return course


def test_nbgrader_releases_what_stands_in_assignments(course):
    released = (course / "release/ps2_uct/ps2_uct.ipynb").read_bytes()
    assert released == (ROOT / "assignments/ps2_uct/ps2_uct.ipynb").read_bytes()


@pytest.mark.first_shows
@pytest.mark.parametrize("command", [
    "db assignment list", "zip_collect ps2_uct", "validate release/ps2_uct/ps2_uct.ipynb",
])
def test_a_command_of_nbgraders_works_or_refuses_in_a_sentence(course, command):
    done = by_itself(course, *command.split())
    output = f"{done.stdout}{done.stderr}"
    assert "Traceback" not in output, output[-3000:]
    assert done.returncode == 0 or " | ERROR] " in output or " | CRITICAL] " in output, output[-3000:]


def test_the_gradebook_knows_the_points(course):
    ps = load("ps2_uct")
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        cells = {cell.name: cell.max_score for cell in gradebook.find_notebook("ps2_uct", "ps2_uct").grade_cells}
        assert gradebook.find_assignment("ps2_uct").max_score == ps.max_points + ps.manual_points
    assert {ps.grade_id(e.id): 0 if e.extra else e.points for e in ps.exercises}.items() <= cells.items()  # of 0, or more
    assert cells["ex2_joint"] == ps.joint_points


@pytest.mark.usefixtures("repetition")
def test_a_doubtful_notebook_is_not_released(course):
    source = course / "source/broken"
    source.mkdir()
    notebook = build(load("ps2_uct"), solution=True)[0]
    assert notebook.count("### END SOLUTION 2.5") == 1
    (source / "broken.ipynb").write_text(notebook.replace("### END SOLUTION 2.5", "# the end"))
    done = by_itself(course, "generate_assignment", "broken")
    assert done.returncode != 0 and not (course / "release/broken").exists()
    assert "BEGIN SOLUTION 2.5 without END" in done.stderr and "broken.ipynb:cell " in done.stderr


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("config, message", [
    ("", "This is the notebook of the students"),
    (CONFIG, "ps2_uct.ipynb is the notebook of the students: source/ must hold the solved one"),
])
def test_the_released_notebook_is_no_source_with_or_without_our_configuration(tmp_path, config, message):
    """stock nbgrader would replace every signature, docstring and TODO by YOUR CODE HERE"""
    (tmp_path / "nbgrader_config.py").write_text(config or "c = get_config()\n")
    shutil.copytree(ROOT / "assignments/ps2_uct", tmp_path / "source/ps2_uct")
    done = by_itself(tmp_path, "generate_assignment", "ps2_uct")
    assert done.returncode != 0 and message in done.stderr and not (tmp_path / "release/ps2_uct").exists()


def test_the_preprocessor_names_notebook_cell_and_line():
    notebook = nbformat.reads(build(load("ps2_uct"), solution=True)[0], as_version=4)
    number, cell = next((n, c) for n, c in enumerate(notebook.cells, 1) if c.id == "ex2_5_code")
    line = cell.source.split("\n").index("    ### BEGIN SOLUTION 2.5") + 1
    cell.source = cell.source.replace("### BEGIN SOLUTION 2.5", "### BEGIN SOLUTION 2.77")
    with pytest.raises(SourceError, match=rf"^mine.ipynb:cell {number}:{line}: BEGIN SOLUTION names exercise 2.77"):
        StripSolutions().preprocess(notebook, {"unique_key": "mine"})


def test_the_steps_are_nbgraders_own_but_for_ours():
    # a new step in a new nbgrader appears here: use it, or leave it out on purpose
    theirs = [f"nbgrader.preprocessors.{step.__name__}" for step in GenerateAssignment.preprocessors.default_args[0]]
    left_out = {"IncludeHeaderFooter", "InstantiateTests", "ClearHiddenTests", "ClearMarkScheme"}
    kept = [name for name in theirs if name.rpartition(".")[2] not in left_out]
    del kept[kept.index("nbgrader.preprocessors.SaveCells") + 1]  # checksums again, after the steps that are left out
    strip = "autograder.problem_sets.strip_step.StripSolutions"
    ours = [name.replace(strip, f"nbgrader.preprocessors.{ClearSolutions.__name__}") for name in RELEASE_STEPS]
    assert ours == kept


@pytest.mark.first_shows
@pytest.mark.parametrize("solution", [False, True])
def test_in_nbgraders_eyes_the_solution_passes_and_no_check_of_the_stub_does(tmp_path, monkeypatch, solution):
    path = tmp_path / "ps2_uct.ipynb"
    notebook = nbformat.reads(build(load("ps2_uct"), solution=solution)[0], as_version=4)
    notebook.cells = [cell for cell in notebook.cells if "tags" not in cell.metadata]  # experiments take their time
    nbformat.write(notebook, path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    failed = Validator(ignore_checksums=True).validate(str(path)).get("failed", [])
    checks = sum(cell.role == "check" for cell in load("ps2_uct").cells)
    assert len(failed) == (0 if solution else checks)
    assert [cell for cell in failed if "NOT WRITTEN" not in cell["raw_error"]] == []
