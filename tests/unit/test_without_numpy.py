"""Problem sets 2 and 3 without numpy and matplotlib, as in a browser's tab that has neither: their checks and their lessons."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from arena.show.guess import EVERYWHERE, SKIP
from arena.tab import SENTENCE
from autograder.problem_sets import build
from autograder.problem_sets.source import load

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
SETS = ["ps2_uct", "ps3_connect_four"]
# Nothing finds these packages, as if they were not installed.
WITHOUT = """
import sys
from importlib.machinery import PathFinder

find_spec = PathFinder.find_spec
ABSENT = "numpy", "matplotlib"
PathFinder.find_spec = lambda name, *where: None if name.partition(".")[0] in ABSENT else find_spec(name, *where)
"""
CHECKS = WITHOUT + """
import runpy
runpy.run_path(sys.argv[1], run_name="__main__")
"""
# The cells in IPython, as in a notebook's kernel; of each cell that fails, all that its reader sees.
LESSON = WITHOUT + """
import contextlib, io, json
from IPython.core.interactiveshell import InteractiveShell
from arena.tab import say_what_is_missing

say_what_is_missing()
shell, failed = InteractiveShell.instance(), {}
for source in json.load(open(sys.argv[1])):
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        result = shell.run_cell(source)
    if not result.success:
        failed[source] = shown.getvalue()
print(json.dumps(failed))
"""


def python(code: str, *arguments: object, **settings: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **settings)


@pytest.mark.parametrize("name", ["numpy", "matplotlib.pyplot"])
def test_in_these_processes_an_import_of_the_package_fails(name):
    assert f"No module named '{name.partition('.')[0]}'" in python(f"{WITHOUT}\nimport {name}").stderr


@pytest.mark.parametrize("ps", SETS)
def test_all_visible_checks_run_and_the_solution_passes_them(ps):
    run = python(CHECKS, ROOT / "solutions" / f"{ps}.py")
    *verdicts, summary = run.stdout.splitlines()
    assert (len(verdicts), run.stderr) == (len(load(ps).exercises) + 1, ""), run.stderr
    assert all(line.endswith("   passed") or "   form only   " in line for line in verdicts), run.stdout
    assert "joint everything together   passed" in verdicts and " exercises done" in summary


@pytest.mark.first_shows
@pytest.mark.parametrize("ps", SETS)
def test_each_cell_of_the_lesson_runs_or_says_in_one_sentence_that_it_cannot_draw(ps, tmp_path):
    notebook = nbformat.reads(build(load(ps), solution=True)[0], as_version=4)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    (tmp_path / "cells.json").write_text(json.dumps(cells))
    run = python(LESSON, tmp_path / "cells.json", env={**os.environ, EVERYWHERE: SKIP})
    assert run.returncode == 0, run.stderr
    failed = json.loads(run.stdout.splitlines()[-1])
    assert [shown for shown in failed.values() if shown.splitlines()[-1:] != [SENTENCE]] == []
    assert {*failed} == {source for source in cells if "plt." in source}
