"""The student's path: `make check` and plain `pytest` over both forms of a problem set."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import work
from autograder.problem_sets import build
from autograder.problem_sets.assignments import pytest_ini
from autograder.problem_sets.source import load, names
from autograder.sandbox.inside import cell_text
from autograder.selftest.demo.submission_maker import SubmissionMaker, added
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"
FRESH = "0 of 13 exercises done: right for a fresh start"
ALL_DONE = "12 of 13 exercises done, and the optional 2.15; of 2.14 only the form can be checked here"
NO_FLIP = '''
def backpropagate(node, value):
    while node is not None:
        node.num_visits += 1
        node.total_value += value
        node = node.parent
'''


@pytest.fixture(scope="module")
def maker():
    return SubmissionMaker(PS)


@pytest.fixture
def folder(tmp_path, maker):
    """What a student gets."""
    there = tmp_path / PS
    there.mkdir()
    (there / f"{PS}.ipynb").write_text(maker.stub)
    (there / f"{PS}.py").write_text(maker.stub_module)
    (there / "pytest.ini").write_text(pytest_ini(maker.stub_module))
    return there


def checked(folder: Path) -> list[str]:
    """The lines of `python -m arena FOLDER`, which `make check` runs."""
    return ran("-m", "arena", str(folder))


def ran(*command: str, cwd: Path = ROOT) -> list[str]:
    done = subprocess.run([sys.executable, *command], cwd=cwd, env={"PYTHONPATH": str(ROOT), "PATH": ""},
                          capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return (done.stdout or done.stderr).splitlines()


def test_what_a_student_types_is_the_own_folder_unless_there_is_such_a_path(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "own_folder", lambda: tmp_path / "work")
    monkeypatch.chdir(tmp_path)
    typed = Path("ps2_uct")
    assert work.as_typed(typed) == typed
    (tmp_path / "work" / "ps2_uct").mkdir(parents=True)
    assert work.as_typed(typed) == tmp_path / "work" / "ps2_uct"
    typed.mkdir()
    assert work.as_typed(typed) == typed


@pytest.mark.parametrize("name", names())
def test_both_untouched_forms_have_the_fingerprint_that_is_handed_out(name, tmp_path):
    notebook, module = build(load(name), solution=False)
    (tmp_path / f"{name}.ipynb").write_text(notebook)
    (tmp_path / f"{name}.py").write_text(module)
    (tmp_path / "pytest.ini").write_text(pytest_ini(module))
    forms = {work.fingerprint(work.read_form(path)) for path in tmp_path.glob(f"{name}.*")}
    assert forms == {work.handed_out(tmp_path)}


def test_at_the_beginning_nothing_is_written_and_that_is_right(folder):
    lines = checked(folder)
    assert lines[-1] == FRESH
    assert [line for line in lines if "   NOT WRITTEN   " in line] == lines[1:-1] and len(lines) == 17
    assert ran("-m", "pytest", cwd=folder)[1:-1] == lines[1:]
    assert sorted(path.name for path in folder.iterdir()) == [f"{PS}.ipynb", f"{PS}.py", "pytest.ini"]


def test_exercises_that_are_named_are_run_alone(folder):
    assert [line.split()[0] for line in ran("-m", "arena", str(folder), "-k", "2.1", "2.10")[1:-1]] == ["2.1", "2.10"]
    assert ran("-m", "arena", str(folder), "-k", "9.9")[1:] == ["no check 9.9 in this file"]


@pytest.mark.first_shows
@pytest.mark.parametrize("form", ["notebook", "module"])
def test_the_form_that_holds_work_is_checked(folder, maker, form):
    written = {id: maker.solutions[id] for id in ("2.1", "2.4", "2.5")}
    if form == "notebook":
        (folder / f"{PS}.ipynb").write_text(maker.filled(maker.stub, written))
    else:
        (folder / f"{PS}.py").write_text("\n\n".join([maker.stub_module, "# %%", *written.values()]))
    lines = checked(folder)
    assert lines[0] == f"== {folder / PS}.{'ipynb' if form == 'notebook' else 'py'}"
    assert [line.split()[0] for line in lines if line.endswith("   passed")] == ["2.1", "2.4", "2.5"]
    assert lines[-1] == "3 of 13 exercises done"
    assert ran("-m", "pytest", cwd=folder)[1:-1] == lines[1:]


@pytest.mark.first_shows
@pytest.mark.parametrize("form", ["notebook", "module"])
def test_a_wrong_answer_reads_as_the_check_says_it(folder, maker, form):
    if form == "notebook":
        (folder / f"{PS}.ipynb").write_text(maker.filled(maker.solved, {"2.5": NO_FLIP}))
    else:
        (folder / f"{PS}.py").write_text(maker.solved_module.replace("node, value = node.parent, -value", "node = node.parent"))
    lines = checked(folder)
    first = next(number for number, line in enumerate(lines) if line.startswith("2.5 "))
    assert lines[first : first + 5] == [
        "2.5 backpropagate   NOT YET   a win at the leaf is a loss one ply up",
        "    Position: two plies below the root the player to move wins",
        "    Expected: total_value of root, child, leaf == [1.0, -1.0, 1.0]",
        "    Yours:    [1.0, 1.0, 1.0]",
        "    Think about: who is to move at each node on the way up?",
    ]
    # 2.9 searches over the student's own functions here
    assert lines[-1] == "10 of 13 exercises done; of 2.14 only the form can be checked here"
    assert ran("-m", "pytest", cwd=folder)[1:-1] == lines[1:]


def test_one_check_can_be_run_alone(folder, maker):
    (folder / f"{PS}.ipynb").write_text(maker.solved)
    assert ran("-m", "pytest", "-k", "2.5", cwd=folder)[1:-1] == ["2.5 backpropagate   passed", "1 of 1 exercises done"]


@pytest.mark.usefixtures("repetition")
def test_when_both_forms_hold_other_work_the_notebook_counts_and_a_named_file_is_checked_all_the_same(folder, maker):
    (folder / f"{PS}.ipynb").write_text(maker.filled(maker.stub, {"2.1": maker.solutions["2.1"]}))
    (folder / f"{PS}.py").write_text(maker.solved_module)
    lines = checked(folder)
    assert lines[0].endswith(".ipynb") and lines[1] == work.BOTH and lines[-1] == "1 of 13 exercises done"
    assert ran("-m", "pytest", f"{PS}.py", cwd=folder)[-2] == ALL_DONE


def test_the_form_is_the_one_that_is_graded(folder, maker):
    from autograder.submission import read as submission

    stray = added(maker.stub, "print('hello')")
    for notebook in (maker.stub, stray, maker.solved):
        for module in (maker.stub_module, maker.solved_module):
            (folder / f"{PS}.ipynb").write_text(notebook)
            (folder / f"{PS}.py").write_text(module)
            if (notebook, module) != (maker.stub, maker.stub_module):
                form = {".ipynb": "notebook", ".py": "module"}[work.read(folder / PS).path.suffix]
                assert form == submission.read_folder(folder, PS).form


def test_experiments_are_passed_over_and_what_cannot_be_loaded_is_named(folder, maker):
    content = json.loads(added(maker.solved, "%matplotlib inline\nimport nothing_of_that_name\nafter = 1"))
    for cell in content["cells"]:
        if "experiment" in cell["metadata"].get("tags", []):
            cell["source"] = "raise SystemExit('an experiment ran')"
    content["cells"].append({"cell_type": "code", "metadata": {}, "source": "def broken(:", "outputs": []})
    (folder / f"{PS}.ipynb").write_text(json.dumps(content))
    number = len(content["cells"])
    assert checked(folder)[1:3] == [
        f"Skipped while loading: cell {number - 1}, line 2: ModuleNotFoundError: No module named 'nothing_of_that_name'",
        f"Skipped while loading: cell {number}, line 1: SyntaxError: invalid syntax; nothing of this cell is loaded",
    ]


def test_a_damaged_notebook_is_named_and_the_module_checked(folder, maker):
    (folder / f"{PS}.ipynb").write_text(maker.solved[:5000])
    (folder / f"{PS}.py").write_text(maker.solved_module)
    assert checked(folder)[1] == f"{PS}.ipynb cannot be read: it is damaged."
    assert checked(folder)[-1] == ALL_DONE
    (folder / f"{PS}.py").unlink()
    assert checked(folder) == [f"{PS}: {PS}.ipynb cannot be read: it is damaged."]


def test_all_sets_of_a_folder_are_checked_each_by_itself(folder, maker):
    other = folder.parent / "ps7_other"
    other.mkdir()
    (other / "ps7_other.py").write_text('from arena.check import check\n\n@check("7.1", "one")\ndef check_7_1():\n    "p"\n')
    lines = checked(folder.parent)
    assert [line for line in lines if "exercises done" in line] == [FRESH, "1 of 1 exercises done"]
    assert checked(folder.parent / "nowhere")[-1].endswith("holds ps2_uct, ps7_other")


def test_an_import_that_works_here_and_not_in_grading_is_named_by_both_commands(folder, maker):
    (folder / f"{PS}.ipynb").unlink()
    cell = f"from scipy.special import softmax\n{maker.solutions['2.9']}\n    softmax([])\n"
    (folder / f"{PS}.py").write_text(f"{maker.solved_module}\n\n# %%\n{cell}")
    (warning,) = [line for line in checked(folder) if "is not available in grading" in line]
    assert re.fullmatch(r"2\.9: .*ps2_uct\.py, line \d+, imports scipy, which is not available in grading: .*", warning)
    (again,) = [line for line in ran("-m", "pytest", "-k", "2.1", cwd=folder) if "is not available in grading" in line]
    assert again.partition("line")[2] == warning.partition("line")[2]


@pytest.mark.parametrize("ps, exercise, right, wrong", [
    (PS, "2.10", "N[state] = {action: 0 for", "N[state] = {action: 0.0 for"),
    again("ps3_connect_four", "3.10", "return games, needed", "return games, float(needed)"),
    again("ps4_puct", "4.3", "dict.fromkeys(self.P[state], 0)", "dict.fromkeys(self.P[state], 0.0)"),
    again("ps4_puct", "4.8", "return Score(wins, draws,", "return Score(float(wins), draws,"),
])
def test_a_visible_check_refuses_a_count_that_is_no_integer_as_grading_does(tmp_path, ps, exercise, right, wrong):
    module = build(load(ps), solution=True)[1]
    assert module.count(right) == 1
    (tmp_path / f"{ps}.py").write_text(module.replace(right, wrong))
    (tmp_path / "pytest.ini").write_text(pytest_ini(module))
    (verdict,) = [line for line in ran("-m", "pytest", "-k", exercise, cwd=tmp_path) if line.startswith(f"{exercise} ")]
    assert "NOT YET" in verdict


def test_one_set_may_name_another_and_the_others_are_checked_all_the_same(tmp_path):
    (tmp_path / "ps1_games.py").write_text("# %%\nx = 1\n")
    (tmp_path / "ps2_uct.py").write_text("# %%\nfrom ps1_games import x\n")
    (tmp_path / "ps3_connect_four.py").write_text("# %%\ny = 1\n")
    lines = checked(tmp_path)
    assert [line for line in lines if line.startswith("== ")][-1].endswith("ps3_connect_four.py")
    assert any("imports ps1_games, " in line for line in lines)


def test_a_future_import_counts_for_what_follows_it(tmp_path):
    cell = "# %%\nfrom __future__ import annotations\nclass Node:\n    def child(self) -> Later: ...\nclass Later: ...\n"
    (tmp_path / f"{PS}.py").write_text(cell)
    assert not any("Skipped" in line for line in checked(tmp_path))


@pytest.mark.usefixtures("repetition")
def test_a_notebook_that_imports_its_module_is_checked_with_it_as_in_grading(folder, maker):
    from autograder.submission.read import read_folder

    for line in (f"from {PS} import *", f"import {PS}\nbackpropagate = {PS}.backpropagate"):
        (folder / f"{PS}.ipynb").write_text(added(maker.stub, line))
        (folder / f"{PS}.py").write_text(maker.solved_module)
        lines = checked(folder)
        assert lines[1] == work.IMPORTED and "   passed" in next(verdict for verdict in lines if verdict.startswith("2.5 "))
        assert read_folder(folder, PS).note.startswith("Your notebook imports the module beside it")


@pytest.mark.parametrize("source", [
    "%matplotlib inline\nx = 1", "files = !ls\nx = 1", "search?", "??search", "x.y?", "%%bash\nls | wc", "%%time\nx = 1",
    "!pip install x", "if True:\n    %time x = 1\n", "x = 5 % 3", "text = \'\'\'\n%time\n\'\'\'", "a, b = !ls", "def broken(:",
])
def test_a_cell_s_own_lines_of_ipython_are_left_out_as_in_grading(source):
    def dumps(parse):
        try:
            return [ast.dump(statement) for statement in parse()]
        except SyntaxError:
            return None

    at_home = dumps(lambda: work._statements(work.Cell("cell 1", source, False)))
    assert at_home == dumps(lambda: cell_text.parsed(source, "cell 1"))


@pytest.mark.usefixtures("repetition")
def test_without_a_folder_the_clone_s_assignments_are_checked_and_a_misspelt_set_is_told():
    heads = [line for line in ran("-m", "arena", cwd=ROOT) if line.startswith("== ")]
    assert len(heads) == len(names()) and all(line.startswith("== assignments/") for line in heads)
    assert ran("-m", "arena", "assignments/ps2", cwd=ROOT)[-1].endswith("did you mean assignments/ps2_uct?")


def test_a_file_without_checks_is_told_so(folder):
    (folder / f"{PS}.ipynb").unlink()
    (folder / f"{PS}.py").write_text("x = 1\n")
    assert checked(folder)[-1] == work.NO_CHECK
