"""One submission from start to end: its points, the same report every time, and the effect of a grader fault."""

import ast
import builtins
import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path

import pytest

from arena.edition import dice
from arena.errors import UserError
from autograder.course.explain import explain
from autograder.grading.config import ANSWERS, Settings
from autograder.grading.grade import grade_payload, grade_submission
from autograder.grading.hidden_checks import collect as checks
from autograder.grading.hidden_checks import suite_run as suite
from autograder.grading.outcomes import SPOILT
from autograder.grading.reference import our_submission
from autograder.grading.report import FAULT_NOTE, Outcome, Report
from autograder.grading.submission_runner import SubmissionRunner, _idle, close_idle
from autograder.problem_sets.bug_trees import drawn
from autograder.problem_sets.bug_trees.edition import EDITION
from autograder.problem_sets.source import load, module_text
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.submission.payload import read_payload
from tests.commands import autograder
from tests.speeds import again
from tests.unit.graded import PS, ROOT, SETTINGS, answer, grade, lost, outcomes, solution_and, solved
from tests.unit.in_the_sandbox import as_ordinary_user, root

pytestmark = pytest.mark.usefixtures("processes")


def test_the_solution_earns_everything():
    assert (solved().report.points, lost(solved()), solved().report.note, solved().cacheable) == (100.0, [], "", True)
    node, kind = drawn("ps2_uct").answer
    answers = {"2.14": [EDITION, f"{node}: {kind}"]}
    assert solved().staff == {"checks": {}, "loading": [], "suite_errors": [], ANSWERS: answers}


def test_after_each_exercise_the_grader_tells_how_much_is_done(tmp_path):
    (tmp_path / f"{PS.name}.py").write_text(module_text(PS, solution=False))
    progress = []
    grade_payload(read_payload(tmp_path, PS.name), SETTINGS, progress.append)
    assert progress == [number / len(PS.exercises) for number in range(len(PS.exercises))]


def test_a_report_is_written_as_python_writes_json():
    odd = replace(solved().report, note='"\n  "exercises": [],\n"')
    for report in (solved().report, odd, replace(odd, tree=None), odd.with_exercises(())):
        assert report.to_json() == json.dumps(asdict(report), sort_keys=True, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.usefixtures("whole_world")
@pytest.mark.skipif(not root(), reason="the tests already run as an ordinary user")
def test_an_ordinary_user_grades_the_same():
    code = "from tests.unit.graded import solved; print(solved().report.to_json())"
    run = as_ordinary_user("-c", code)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout == solved().report.to_json() + "\n"


def test_a_report_has_the_keys_that_were_promised():
    data = json.loads(solved().report.to_json())
    assert set(data) == {"problem_set", "form", "sha256", "points", "max_points", "note", "exercises", "tree"}
    keys = {"id", "title", "outcome", "points", "max_points", "checks", "waits_for", "extra"}
    assert all(set(exercise) == keys for exercise in data["exercises"])
    assert all(
        set(check) == {"name", "line", "outcome", "hint"} for exercise in data["exercises"] for check in exercise["checks"]
    )
    assert [exercise["id"] for exercise in data["exercises"]] == [exercise.id for exercise in PS.exercises] + ["joint"]
    assert {exercise["outcome"] for exercise in data["exercises"]} <= set(Outcome)
    assert Report.from_json(solved().report.to_json()) == solved().report


@pytest.mark.usefixtures("repetition")
def test_what_the_suites_catch_are_exceptions():
    """`except` over a function ends the check in a TypeError, which over a wrong answer looks like the student's doing"""
    for file in sorted((ROOT / "tests" / "hidden").rglob("*.py")):
        tree = ast.parse(file.read_text())
        origin = {name.asname or name.name: (node.module, name.name) for node in ast.walk(tree)
                  if isinstance(node, ast.ImportFrom) for name in node.names}
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for caught in (node.type for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)):
            names = {caught_name.id for caught_name in getattr(caught, "elts", [caught]) if isinstance(caught_name, ast.Name)}
            for name in names - own:
                kind = getattr(import_module(origin[name][0]), origin[name][1]) if name in origin else getattr(builtins, name)
                assert isinstance(kind, type) and issubclass(kind, BaseException), f"{file}: except {name}"


def test_check_names_are_unique_within_a_set():
    for folder in (ROOT / "tests" / "hidden").iterdir():
        names = [
            node.name
            for file in folder.glob("test_*.py")
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]
        assert len(names) == len(set(names))


# -- our functions, else their own ------------------------------------------------------------------


def test_a_wrong_function_costs_its_own_points_and_the_joint_check():
    graded = grade(answer("wrong", "backpropagate does not flip the sign"))
    assert lost(graded) == ["2.5", "joint"] and graded.report.points == 85.0
    joint = graded.report.exercises[-1]
    assert [check.hint for check in joint.checks if check.hint] == ["this check waits for exercise 2.5"]  # only once


def test_a_right_answer_whose_parts_only_fit_each_other_passes():
    assert lost(grade(answer("right", "a list of untried actions in every node"))) == []


def test_a_missing_function_is_not_written():
    graded = grade(solution_and("del backpropagate"))
    assert outcomes(graded)["2.5"] == "not written" and lost(graded) == ["2.5", "joint"]


def test_a_cell_that_fails_is_named_and_costs_nothing():
    graded = grade(solution_and("import no_such_package\nraise SystemExit\nopen('/x', 'w')"))
    first = solution_and("one line").count("\n")
    assert graded.report.points == 100.0
    names = ("ModuleNotFoundError", "SystemExit", "OSError")
    places = "; ".join(f"{name} in ps2_uct.py, line {line}" for line, name in enumerate(names, first))
    only = "Graded code may import numpy, arena and Python's own modules, and nothing else."
    assert graded.report.note == f"Skipped while loading: {places}. The rest of your code was loaded. {only}"


def test_a_failed_import_is_named_once_with_the_function_that_it_took_along():
    shown = "from IPython.display import display\ndisplay(1)\ndisplay(2)\nx = display(3)\nprint(x)"
    note = grade(solution_and(shown)).report.note
    assert note.count("Error") == 1 and ", and 4 statements that need this import. The rest" in note
    graded = grade(solution_and("from numba import njit\n@njit\ndef ucb(node, exploration):\n    return 0.0"))
    line = solution_and("one line").count("\n")
    assert graded.report.points == 100.0  # the import costs nothing, and the student learns what was graded
    assert f"ucb in ps2_uct.py, line {line + 1}, was not loaded, so the one in ps2_uct.py, line " in graded.report.note


def test_a_failed_definition_is_not_said_to_be_the_one_that_counts():
    end = "def ucb(node, exploration):\n    return 0.0\n\n@compiled\ndef ucb(node, exploration):\n    return 1.0"
    note = grade(solution_and(end)).report.note
    assert "was not loaded, so the one in ps2_uct.py, line " in note and "the last one counts" not in note


@pytest.mark.parametrize("end", [
    again("import os; os._exit(0)"), "import os; os.kill(os.getpid(), 9)",
    again("x = [bytearray(1 << 20) for _ in iter(int, 1)]"),
])
def test_a_cell_that_ends_the_process_costs_nothing_but_itself(end):
    graded = grade(solution_and(end))
    assert graded.report.points == 100.0 and graded.cacheable
    assert "x = " in end or "only imports, definitions and constants were loaded" in graded.report.note


# -- always the same --------------------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_the_same_bytes_give_the_same_report(tmp_path):
    """in another process with other hashes, and while both cores are busy"""
    text = answer("wrong", "backpropagate does not flip the sign") + "\n# %%\nprint(1 / 0)\n"
    (tmp_path / "ps2_uct.py").write_text(text)
    first = grade_submission(tmp_path, "ps2_uct", SETTINGS)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        again = autograder("submission", tmp_path, "--ps", "ps2_uct", "--json", "-", env={**os.environ, "PYTHONHASHSEED": "123"})
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert again.stdout == first.report.to_json(), again.stderr
    second = grade_submission(tmp_path, "ps2_uct", SETTINGS)
    assert second.report.to_json() == first.report.to_json() and second.staff == first.staff


@pytest.mark.usefixtures("repetition")
def test_another_edition_asks_other_questions_and_gives_the_same_points():
    other = Settings(b"another class, another year")
    assert grade(solution_and(), other).report == solved().report
    for name in ("the root is left out", "the same child again and again"):
        first, second = grade(answer("wrong", name)), grade(answer("wrong", name), other)
        assert first.report.points == second.report.points and lost(first) == lost(second) != []
    assert dice(b"one", "ps2_uct/test_x").random() != dice(b"two", "ps2_uct/test_x").random()
    assert dice(b"one", "ps2_uct/test_x").random() == dice(b"one", "ps2_uct/test_x").random()


# -- grader faults ----------------------------------------------------------------------------------


def broken_dice(name: str):
    def roll(secret: bytes, check: str):
        if check.endswith(name):
            raise RuntimeError("a mistake of ours")
        return dice(secret, check)

    return roll


def _check_of(exercise: str) -> str:
    """A check of this exercise that draws from the edition."""
    names = [check.name for part in solved().report.exercises if part.id == exercise for check in part.checks]
    drawing = {
        node.name
        for file in (ROOT / "tests/hidden/ps2_uct").glob("test_*.py")
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef) and "edition" in [argument.arg for argument in node.args.args]
    }
    return next(name for name in names if name in drawing)


def result_of(graded, id):
    return next(exercise for exercise in graded.report.exercises if exercise.id == id)


def test_an_exception_of_ours_leaves_the_exercise_undecided_and_is_loud(monkeypatch):
    """neither this exercise nor the joint check, which waits for it, gives or takes points"""
    name = _check_of("2.5")
    monkeypatch.setattr(suite, "dice", broken_dice(name))
    graded = grade(solution_and())
    assert [id for id, outcome in outcomes(graded).items() if outcome == "grader fault"] == ["2.5", "joint"]
    assert result_of(graded, "2.5").points is None and result_of(graded, "joint").points is None
    undecided = result_of(graded, "2.5").max_points + result_of(graded, "joint").max_points
    assert graded.report.points == 100.0 - undecided and graded.report.undecided_points == undecided
    assert Report.from_json(graded.report.to_json()) == graded.report
    assert FAULT_NOTE in graded.report.note and graded.report.has_fault and not graded.cacheable
    assert "a mistake of ours" in graded.staff["checks"][f"2.5 {name}"]
    assert "mistake of ours" not in graded.report.to_json()


def test_an_exception_of_ours_gives_nothing_either(monkeypatch):
    monkeypatch.setattr(suite, "dice", broken_dice(_check_of("2.5")))
    graded = grade(answer("wrong", "backpropagate does not flip the sign"))
    assert result_of(graded, "2.5").points is None and result_of(graded, "joint").points is None


ODD_CHECK = """
import pytest
from arena.games import ToyGame

GAME = ToyGame({"s0": ["s1"]}, {"s1": 1.0})

@pytest.mark.exercise("2.1")
@pytest.mark.hint("which moves are there?")
def test_indexes_with_what_came(student):
    \"\"\"the only move is chosen\"\"\"
    assert ["right"][student.random_policy(GAME, "s0", student.rng(1))] == "right"
"""


def test_what_breaks_a_check_of_ours_and_not_with_our_solution_is_the_submission_s_doing(monkeypatch, tmp_path):
    (tmp_path / "ps2_uct").mkdir()
    (tmp_path / "ps2_uct" / "test_odd.py").write_text(ODD_CHECK)
    (tmp_path / "pytest.ini").write_text((ROOT / "tests/hidden/pytest.ini").read_text())
    monkeypatch.setattr(checks, "HIDDEN", tmp_path)
    checks.hidden_suite.cache_clear()
    try:
        answers = [f"def random_policy(game, state, rng):\n    return {number}\n" for number in (0, 7, 10**30)]
        gradings = [grade(solution_and(code)) for code in answers]
    finally:
        checks.hidden_suite.cache_clear()
    results = [result_of(graded, "2.1") for graded in gradings]
    assert [(result.outcome, result.points) for result in results] == [("passed", 2.0), ("not yet", 0.0), ("not yet", 0.0)]
    assert SPOILT[1:] in results[1].checks[0].hint
    assert "IndexError" in gradings[1].staff["checks"]["2.1 test_indexes_with_what_came"]


def test_a_module_with_the_name_of_the_set_does_not_spoil_the_suite():
    """the visible checks, run in one process with the grader, leave such a module"""
    code = ("import sys, types; own = sys.modules['ps2_uct'] = types.ModuleType('ps2_uct')\n"
            "from autograder.grading.hidden_checks.collect import hidden_suite\n"
            "suite = hidden_suite('ps2_uct')\n"
            "print(len(suite.checks) > 50, suite.errors, sys.modules['ps2_uct'] is own)")
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout == "True () True\n", run.stdout + run.stderr


def test_what_somebody_wants_of_python_elsewhere_does_not_spoil_the_suite(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").write_text("raise RuntimeError('the tests of another project')")
    code = ("import os\n"
            "from autograder.grading.hidden_checks.collect import hidden_suite\n"
            "suite = hidden_suite('ps2_uct')\n"
            "print(len(suite.checks) > 50, suite.errors, os.environ['PYTEST_ADDOPTS'])")
    wishes = {"PYTEST_ADDOPTS": "--no-such-option -p nowhere", "PYTEST_PLUGINS": "nowhere", "PYTHONOPTIMIZE": "1",
              "PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **wishes})
    assert run.stdout == "True () --no-such-option -p nowhere\n", run.stdout + run.stderr


def test_a_suite_that_cannot_be_read_is_a_fault_throughout(monkeypatch, tmp_path):
    (tmp_path / "ps2_uct").mkdir()
    (tmp_path / "ps2_uct" / "test_broken.py").write_text("def test_x(:\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setattr(checks, "HIDDEN", tmp_path)
    checks.hidden_suite.cache_clear()
    try:
        graded = grade(solution_and())
    finally:
        checks.hidden_suite.cache_clear()
    assert set(outcomes(graded).values()) == {"grader fault"} and not graded.cacheable
    assert "SyntaxError" in "".join(graded.staff["suite_errors"])


def test_an_unknown_option_of_a_check_is_a_fault_of_the_suite(monkeypatch, tmp_path):
    """such as a wrong spelling, which would leave the check without its option"""
    (tmp_path / "ps2_uct").mkdir()
    (tmp_path / "ps2_uct" / "test_unknown_option.py").write_text(
        'import pytest\n\n@pytest.mark.exercise("2.1", fresh=True, share=True)\ndef test_odd(student):\n    pass\n')
    (tmp_path / "pytest.ini").write_text((ROOT / "tests/hidden/pytest.ini").read_text())
    monkeypatch.setattr(checks, "HIDDEN", tmp_path)
    checks.hidden_suite.cache_clear()
    try:
        suite = checks.hidden_suite("ps2_uct")
    finally:
        checks.hidden_suite.cache_clear()
    (error,) = suite.errors
    assert error.endswith("share is not a valid option of the mark `exercise`; choose from cpu_s, fresh, needs, partial_credit")
    assert not suite.checks


@pytest.mark.usefixtures("repetition")
def test_a_check_of_ours_that_never_ends_is_a_fault_and_no_hang(monkeypatch):
    name = _check_of("2.5")

    def roll(secret: bytes, check: str):
        while check.endswith(name):
            pass
        return dice(secret, check)

    monkeypatch.setattr(suite, "dice", roll)
    monkeypatch.setattr(suite, "OWN_CPU_S", 0.5)
    monkeypatch.setattr(suite, "AGAIN_CPU_S", 0.25)
    monkeypatch.setattr(suite, "_stuck", set())
    for after in ("0.5", "0.25"):
        graded = grade(solution_and())
        assert outcomes(graded)["2.5"] == "grader fault" and result_of(graded, "2.5").points is None
        assert f"more than {after} s" in graded.staff["checks"][f"2.5 {name}"] and not graded.cacheable
    assert suite._stuck == {name}


def test_a_host_without_a_sandbox_is_one_sentence(monkeypatch, tmp_path):
    close_idle()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="^bubblewrap"):
        grade(solution_and())


@pytest.mark.usefixtures("repetition")
def test_a_sandbox_that_ended_while_it_waited_is_nobodys_fault():
    """the thread that started the sandbox is gone, or another process killed it: the next submission gets a new one at once"""
    grade(solution_and())
    for sandbox in _idle.values():
        sandbox._process.kill()
        sandbox._process.wait()
    graded = grade(solution_and())
    assert graded.report == solved().report and graded.staff == solved().staff and _idle


@pytest.mark.usefixtures("repetition")
def test_a_sandbox_that_ends_by_itself_is_tried_again(monkeypatch):
    """the zygote ends in the middle of an exercise: nothing is lost and no point is given"""
    begin, ended = SubmissionRunner.begin, []

    def begin_and_end(runner, exercise, mode, cpu_s):
        session = begin(runner, exercise, mode, cpu_s)
        if exercise is not None and exercise.id == "2.5" and len(ended) < most:
            ended.append(mode)
            runner._sandbox._process.kill()
            runner._sandbox._process.wait()
            runner._sandbox._control.shutdown(2)
        return session

    monkeypatch.setattr(SubmissionRunner, "begin", begin_and_end)
    most = 1
    assert grade(solution_and()).report == solved().report and ended
    most = 10**6
    graded = grade(solution_and())
    assert outcomes(graded)["2.5"] == "grader fault" and result_of(graded, "2.5").points is None and not graded.cacheable
    assert outcomes(graded)["2.6"] == "passed"


@pytest.mark.usefixtures("repetition")
def test_a_sandbox_that_ends_with_one_submission_only_is_that_submission_s_doing(monkeypatch):
    """our own solution runs there, so that no student keeps points by killing the sandbox; and the report is not kept"""
    begin = SubmissionRunner.begin

    def begin_and_end(runner, exercise, mode, cpu_s):
        session = begin(runner, exercise, mode, cpu_s)
        if exercise is not None and exercise.id == "2.5" and runner.submission != our_submission(load("ps2_uct")):
            runner._sandbox._process.kill()
            runner._sandbox._process.wait()
            runner._sandbox._control.shutdown(2)
        return session

    monkeypatch.setattr(SubmissionRunner, "begin", begin_and_end)
    graded = grade(solution_and("# another submission\n"))
    assert outcomes(graded)["2.5"] == "not yet" and result_of(graded, "2.5").points == 0.0 and not graded.cacheable


# -- explain ----------------------------------------------------------------------------------------


def test_explain_shows_staff_what_was_asked_and_answered(tmp_path):
    (tmp_path / "ps2_uct.py").write_text(answer("wrong", "backpropagate does not flip the sign"))
    graded = grade_submission(tmp_path, "ps2_uct", SETTINGS)
    name = next(
        check.name
        for exercise in graded.report.exercises
        if exercise.id == "2.5"
        for check in exercise.checks
        if check.outcome == "not yet"
    )
    text = explain(tmp_path, "ps2_uct", name)
    assert text.startswith(f"2.5 {name}: not yet\n")
    for part in (
        "over our versions of the exercises it calls",
        "over the student's own functions",
        "backpropagate",
        "->",
        "assert",
        f"--check {name}",
    ):
        assert part in text
    with pytest.raises(UserError, match="no check is called"):
        explain(tmp_path, "ps2_uct", "test_no_such_check")
    with pytest.raises(UserError, match="no such folder"):
        explain(Path("/no/such/folder"), "ps2_uct", name)
