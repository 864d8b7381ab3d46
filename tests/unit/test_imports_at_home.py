"""What graded code may import: one list, which the sandbox, the lesson and the checks at home share."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import work
from arena.imports import absent_in_grading, of_exercise
from arena.set_facts import facts_of as facts_at_home
from autograder.problem_sets.facts import LACKS
from autograder.problem_sets.source import facts_of, load, names
from autograder.sandbox.profiles import profile_of
from tests.unit.in_the_sandbox import ask

PS = "ps2_uct"
ROOT = Path(__file__).resolve().parents[2]
TRY = "def f(names):\n    found = []\n    for name in names:\n        try:\n            __import__(name)\n" \
      "            found.append(name)\n        except ImportError:\n            pass\n    return found\n"


def named(source: str, ps: str = PS, folder: Path = Path()) -> list[tuple[str, int, tuple[str, ...]]]:
    """The module, the line and the exercises of each import that is not there in grading."""
    return [(absent.module, absent.line, absent.exercises)
            for absent in absent_in_grading([("cell 1", ast.parse(source).body)], ps, facts_at_home(ps), folder)]


@pytest.mark.parametrize("ps", names())
def test_at_home_the_list_is_that_of_the_sandbox_s_profile(ps):
    profile, at_home = profile_of(facts_of(ps)), facts_at_home(ps)
    assert at_home.packages == {*profile.packages}
    assert at_home.arena == {Path(part).stem for part in profile.arena} - {"__init__"}
    assert at_home.functions == {exercise.id: exercise.functions for exercise in load(ps).exercises}
    for path in (ROOT / "solutions" / f"{ps}.py", ROOT / "assignments" / ps / f"{ps}.ipynb"):
        assert work.not_in_grading(work.Work(path, tuple(work.read_form(path)))) == []


@pytest.mark.usefixtures("processes")
def test_the_sandbox_has_each_module_of_python_but_those_that_are_named():
    own = sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in ("antigravity", "this"))
    host = subprocess.run([sys.executable, "-W", "ignore", "-c", f"{TRY}\nprint(*f({own}))"], capture_output=True,
                          text=True, check=True)
    assert {*host.stdout.split()} - {*ask(TRY, own)} <= {*LACKS}  # a host's own Python may lack some
    assert ask(TRY, list(LACKS)) == []


@pytest.mark.parametrize("ps", names())
def test_the_lesson_names_what_graded_code_may_import(ps):
    words = re.sub(r"\n# ?", " ", (ROOT / "solutions" / f"{ps}.py").read_text(encoding="utf-8"))
    (rule,) = re.findall(r"\*\*What you may import\.\*\* Graded code may import Python's own modules, (.*?)\. Grading", words)
    facts = facts_at_home(ps)
    given = {"own_check", "time_limit"}  # the lesson's own cells import them
    assert {*re.findall(r"`(\w+)`", rule)} == facts.packages | {"arena"} | facts.arena - given


def test_the_exercise_that_uses_an_import_is_named_wherever_the_import_stands():
    assert named("import scipy.special as sp\ndef ucb(node):\n    return sp.expit(1)") == [("scipy", 1, ("2.6",))]
    assert named("def ucb(node):\n    from scipy.special import expit\n    return expit(1)") == [("scipy", 2, ("2.6",))]
    assert named("try:\n    from scipy import special\nexcept ImportError:\n    special = None\ndef ucb(node):\n"
                 "    return special") == [("scipy", 2, ("2.6",))]
    assert named("import importlib\nsp = importlib.import_module('scipy.special')\ndef ucb(node):\n    return sp.expit(1)"
                 ) == [("scipy", 2, ("2.6",))]
    assert named("from scipy.special import *\ndef ucb(node):\n    return expit(1)") == [("scipy", 1, ("2.6",))]
    # while 2.7 is graded, its 2.6 is ours
    assert named("import scipy\nHALF = scipy.special.expit(0)\ndef helper():\n    return HALF\n@cached\ndef ucb(node):\n"
                 "    return helper()\ndef best_child(node):\n    return ucb(node)") == [("scipy", 1, ("2.6",))]
    assert named("class TreeNode:\n    def is_terminal(self):\n        import scipy") == [("scipy", 3, ("2.3",))]


def test_an_import_that_no_exercise_uses_is_named_without_one_and_what_is_there_is_not_named():
    assert named("import math, scipy, numpy.random\nscipy = 1\ndef ucb(node, scipy):\n    return scipy") == [("scipy", 1, ())]
    assert named("from arena import check, games\nimport arena.show.tree\nfrom numpy import *\nimport no_such_package\n"
                 "from ps2_uct import ucb\nfrom .ps2_uct import search") == []
    assert named("import torch", "ps4_puct") == [] and named("import torch") == [("torch", 1, ())]


@pytest.mark.parametrize("ps, line, absent", [
    (PS, "from arena.players.perfect import PerfectPlayer", "arena.players"),
    (PS, "import arena.strength.positions", "arena.strength"),
    (PS, "from arena import nets", "arena.nets"),
    ("ps1_games", "from arena.games import TicTacToe", "arena.games"),
    (PS, "import turtle", "turtle"),
])
def test_of_arena_and_of_python_only_some_parts_are_there_in_grading(ps, line, absent):
    assert [module for module, _, _ in named(line, ps)] == [absent]


def test_a_file_of_the_student_s_own_is_to_be_copied(tmp_path, monkeypatch):
    (tmp_path / "helper_of_mine.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"{PS}.py").write_text("# %%\nfrom helper_of_mine import x\nfrom . import helper_of_mine\n")
    sentences = work.not_in_grading(work.read(tmp_path / PS))
    assert ["line 2" in sentences[0], "line 3" in sentences[1]] == [True, True]
    assert all(sentence.endswith(", a file of your own, and grading reads this file alone: copy what you need into it")
               for sentence in sentences)


def test_in_a_notebook_a_check_names_the_imports_of_its_own_exercise():
    cells = ["", "import scipy\ndef ucb(node):\n    return scipy.e", "def ucb(:", "def ucb(node):\n    return 1",
             "import torch", "def best_child(node):\n    return torch.zeros(1)"]
    assert of_exercise("2.6", cells[:2]) == [
        "2.6: the cell that ran as [1], line 1, imports scipy, which is not available in grading: leave it out, or write it with "
        "numpy or Python's own modules (docs/students.md, \"What you may import\")"]
    assert of_exercise("2.6", cells) == []  # the last definition counts, and the other import is another exercise's
    assert [sentence.split(",")[1] for sentence in of_exercise("2.7", cells)] == [" line 1"]
    assert of_exercise("99.1", cells) == []
