"""One submission harms only itself: every error in reading, packing, hashing or parsing it is reported, and the run continues."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder.challenge.player.defined import defines
from autograder.course.roster import Entry
from autograder.grading.diagnose import advice
from autograder.grading.grade import grade_payload, grade_submission
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.submission import discover as find
from autograder.submission import parse as forms
from autograder.submission import payload as payload
from autograder.submission import read as submissions
from autograder.submission.parse import Cell
from autograder.submission.read import CANNOT_BE_READ, Submission, read_folder
from autograder.workers.pool import grade_all
from tests.unit.graded import SETTINGS

PS = "ps2_uct"
STUB, SOLVED = build(load(PS), solution=False), build(load(PS), solution=True)
IMPORTING = json.dumps({"cells": [{"cell_type": "code", "source": f"from {PS} import *"}]})


def lay(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for form, text in files.items():
        (folder / {"notebook": f"{PS}.ipynb", "module": f"{PS}.py"}[form]).write_text(text)
    return folder


def test_a_notebook_that_imports_a_module_of_text_alone_is_read(tmp_path):
    """two small files that once ended the run of a whole class, every time"""
    submission = read_folder(lay(tmp_path, notebook=IMPORTING, module="# %% [markdown]\n# my notes\n"), PS)
    assert (submission.form, submission.failure) == ("notebook", "") and len(submission.cells) == 1


def test_a_module_without_code_is_no_work(tmp_path):
    lay(tmp_path, module="# %% [markdown]\n# my notes\n", notebook=STUB[0])
    (tmp_path / "ps2_uct_final.ipynb").write_text(SOLVED[0])
    assert read_folder(tmp_path, PS).note == "ps2_uct_final.ipynb was read as your notebook: call it ps2_uct.ipynb next time."


def broken(*arguments: object) -> None:
    raise RecursionError("nobody thought of that: \x9b")


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("where", ["_choose", "_read_item", "notebook_cells", "_with_answers"])
def test_whatever_reading_raises_is_an_unreadable_submission_and_loud(tmp_path, monkeypatch, where):
    lay(tmp_path, notebook=SOLVED[0])
    monkeypatch.setattr(submissions, where, broken)
    submission = read_folder(tmp_path, PS)
    assert (submission.form, submission.cells, submission.note) == ("none", (), CANNOT_BE_READ)
    assert submission.failure.startswith("raised RecursionError in ") and "nobody" not in submission.failure
    graded = grade_submission(tmp_path, PS, SETTINGS)
    assert graded.report.points == 0 and graded.report.note == CANNOT_BE_READ
    assert graded.staff == {"reading": submission.failure} and not graded.cacheable and not graded.report.has_fault


@pytest.mark.parametrize("where", ["others", "read_below", "read_item"])
def test_whatever_packing_raises_is_an_unreadable_submission_and_the_class_goes_on(tmp_path, monkeypatch, where):
    entries = [Entry(name, lay(tmp_path / name, module="x = 1\n")) for name in ("ada", "bela")]
    whole = getattr(payload, where)

    def broken_for_ada(path: Path, *rest: object) -> object:
        return broken() if "ada" in str(path) else whole(path, *rest)

    monkeypatch.setattr(payload, where, broken_for_ada)
    with ThreadPoolExecutor(1) as pool:
        graded = dict(grade_all(entries, PS, SETTINGS, 1, _read_only, pool))
    assert {entry.student: outcome for entry, outcome in graded.items()} == {"ada": "raised RecursionError", "bela": "module"}
    unread = grade_payload(payload.read_payload(entries[0].folder, PS), SETTINGS)
    assert unread.report.note == CANNOT_BE_READ and "RecursionError" in unread.staff["reading"] and not unread.cacheable


def _read_only(packed: payload.Payload, settings: object) -> str:
    return packed.failure.partition(" in ")[0] or "module"


@pytest.mark.usefixtures("processes")
def test_a_large_file_is_read_in_a_process_of_its_own_and_gives_the_same(tmp_path, monkeypatch):
    large = json.loads(SOLVED[0])
    large["cells"].append({"cell_type": "markdown", "source": "a picture: " + "x" * submissions.SMALL_BYTES})
    lay(tmp_path, notebook=json.dumps(large))
    submission = read_folder(tmp_path, PS)
    monkeypatch.setattr(submissions, "SMALL_BYTES", 2**30)
    assert submission.form == "notebook" and submission == read_folder(tmp_path, PS)


@pytest.mark.usefixtures("processes")
def test_a_large_file_that_takes_too_much_is_told_in_words(tmp_path):
    """In a fresh process: one that ran other tests may have so much freed memory that the limit on more of it is never met."""
    lay(tmp_path, notebook='{"cells": [' + "[" * 900 + "]" * 900 + ", {}" * 3_000_000 + "]}")
    code = ("import sys; from pathlib import Path; from autograder.submission import read; read.READ_MIB = 8\n"
            "work = read.read_folder(Path(sys.argv[1]), sys.argv[2]); print(work.note); print(work.failure)")
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path), PS], capture_output=True, text=True)
    assert done.stdout.splitlines() == [CANNOT_BE_READ, "took too much memory"], done.stderr


@pytest.mark.parametrize("number", ["1" * 5_000, "-" + "9" * 100_000, "1e999999999", "0." + "3" * 100_000, "1E-" + "9" * 50])
def test_numbers_of_any_size_are_no_matter(tmp_path, number):
    notebook = f'{{"nbformat": {number}, "cells": [{{"cell_type": "code", "source": "x = 1", "n": {number}}}]}}'
    assert read_folder(lay(tmp_path, notebook=notebook), PS).code() == [("cell 1", "x = 1")]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_be_listed_and_not_entered_is_passed_over(tmp_path):
    lay(tmp_path / "work", notebook=SOLVED[0])
    (tmp_path / "work").chmod(0o444)
    try:
        assert read_folder(tmp_path, PS).form == "none" and payload.read_payload(tmp_path, PS).failure == ""
    finally:
        (tmp_path / "work").chmod(0o755)


def test_a_file_that_vanishes_while_it_is_looked_at_is_no_matter(tmp_path):
    assert find._affordable(tmp_path, [find.Other("gone.py", find.MODULE)]) == (find.Other("gone.py", find.MODULE),)


# -- advice and the parser ---------------------------------------------------------------------------

LOST = {"2.6": "not yet"}
DEEP = ["-" * 1_400 + "1", "(" * 150 + ")" * 150, "a" + ".b" * 20_000, "x" + "[0]" * 5_000, "[" * 5_000, "f(" * 90 + ")" * 90,
        "lambda: " * 3_000 + "0", "not " * 30_000 + "x", "x" + " + x" * 50_000, "1 if x else " * 20_000 + "2", "await " * 9_000]


def asked(source: str) -> list[str]:
    return advice(Submission(load(PS), "notebook", (Cell("cell 1", source, None, "code"),), "", "0"), LOST)


@pytest.mark.first_shows
@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("deep", DEEP, ids=lambda deep: deep[:9])
def test_deep_nesting_gives_no_advice_or_some_and_nothing_else(deep):
    for source in (deep, f"raise NotImplementedError({deep})", f"def ucb(a):\n    x = 1\n    raise NotImplementedError({deep})",
                   f"@{deep}\ndef ucb(): pass", f"def ucb(a={deep}): pass", f"x = {deep}\ny.a.b = {deep}"):
        assert {type(sentence) for sentence in asked(source)} <= {str}


@pytest.mark.usefixtures("processes")
def test_advice_that_raises_or_takes_too_long_is_none(monkeypatch):
    from autograder.grading import diagnose as module

    assert asked("x = 1") != []
    monkeypatch.setattr(module, "_read", broken)
    assert asked("x = 1") == []
    monkeypatch.setattr(module, "_read", lambda submission: list(iter(int, 1)))
    monkeypatch.setattr(module, "ADVICE_CPU_S", 0.1)
    assert asked("x = 1") == []


@pytest.mark.usefixtures("processes")
def test_the_stubs_own_raise_is_known_whatever_its_argument():
    for deep in ("", "-" * 400 + "1", "'exercise 2.6'"):
        sentences = asked(f"def ucb(node, exploration):\n    x = 1\n    raise NotImplementedError({deep})")
        assert sentences == []  # "not yet": it did not raise NotImplementedError
        of_stub = advice(Submission(load(PS), "notebook", (Cell(
            "cell 1", f"def ucb(node, exploration):\n    x = 1\n    raise NotImplementedError({deep})", None, "code"),), "", "0"),
            {"2.6": "not written"})
        assert of_stub == ["2.6: ucb still raises NotImplementedError, as the stub does: delete that line."]


@pytest.mark.usefixtures("processes")
def test_a_module_of_thousands_of_names_is_compared_with_some_of_them():
    names = "\n".join(f"def ucx{number}(): pass" for number in range(10_000))
    assert asked(names)[0].startswith("2.6: the function ucb is missing")


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("deep", DEEP, ids=lambda deep: deep[:9])
def test_whether_a_function_is_there_is_told_of_any_text(deep):
    cells = (Cell("cell 1", f"x = {deep}", None, "code"), Cell("cell 2", "def open_player(): pass", None, "code"))
    assert defines(Submission(load(PS), "notebook", cells, "", "0"), "open_player") in (True, False)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("source", [
    "%time\ndef open_player(game): pass", "!pip install x\nopen_player = lambda game: 0", "class open_player: pass",
    "open_player: object = max", "other, open_player = min, max", "from other import open_player", "import x as open_player",
    "try:\n    from fast import x\nexcept ImportError:\n    def open_player(game): pass", "if True:\n    open_player = max",
])
def test_a_name_is_defined_in_any_of_python_s_ways(source):
    cells = (Cell("cell 1", source, None, "code"),)
    assert defines(Submission(load(PS), "notebook", cells, "", "0"), "open_player")
    assert not defines(Submission(load(PS), "notebook", cells, "", "0"), "uct")


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("source", [
    "print(open_player)", "def f():\n    open_player = 1", "class C:\n    open_player = 1", "[open_player for open_player in ()]",
    "from other import *", "open_player =", "# open_player = 1",
])
def test_a_name_that_is_only_used_or_bound_elsewhere_is_not_defined(source):
    assert not defines(Submission(load(PS), "notebook", (Cell("cell 1", source, None, "code"),), "", "0"), "open_player")


# -- names and labels ---------------------------------------------------------------------------------


def test_names_from_files_and_labels_from_the_sandbox_are_plain():
    from autograder.sandbox.errors import Raised, label, raised, readable

    nasty = "a\x9b31m\u202eb\u2066c\ud800d\ue000\u2028\x00\x1b[2J\ufeff"
    error = raised([["Value" + nasty], nasty * 100, 3, False, nasty])
    assert isinstance(error, Raised)
    for text in (error.cell, *error.names, error.staff, str(error), label(nasty), readable(nasty)):
        assert text.isprintable() or set(text) <= {"\n", "\t"} | set(filter(str.isprintable, text))
    assert len(error.cell) <= 200 and label("a\nb\tc") == "a\ufffdb\ufffdc" and readable("a\nb\t\u3000c") == "a\nb\t\u3000c"


def test_a_name_with_odd_spaces_is_found_and_one_with_hidden_letters_passed_over(tmp_path):
    for name in ("ps2_uct\u00a0(1).py", "ps2_uct\u202e.py", "ps2_uct\x9b.py", "ps2_uct\u200b.py"):
        (tmp_path / name).write_text("x = 1")
    assert [other.name for other in find.others(tmp_path, PS)] == ["ps2_uct\u00a0(1).py"]
    assert "ps2_uct\u00a0(1).py was read as your module" in read_folder(tmp_path, PS).note


def test_a_module_of_empty_lines_above_many_cells_is_not_built(tmp_path):
    text = "\n" * 40_000 + "# %%\n" * 1_900
    with pytest.raises(forms.Unreadable, match="MiB of code"):
        forms.module_cells(text.encode(), load(PS))
