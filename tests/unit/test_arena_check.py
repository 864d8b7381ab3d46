"""The visible checks: the exact words that a student reads."""

import json
import math
import random
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from arena import check as checks
from arena.check import CheckFailed, check, expect, expect_by_rng, expect_error, expect_even, expect_integers, expect_true

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    monkeypatch.setattr(checks, "_CHECKS", {})


def read(run) -> str:
    """Return the text of a check that fails."""
    with pytest.raises(CheckFailed) as caught:
        run()
    assert str(caught.value) == "\n".join(caught.value._render_traceback_())
    return str(caught.value)


def test_a_wrong_value_reads_as_position_expected_yours_and_a_question():
    @check("2.5", "backpropagate")
    def run():
        """the root's value has the right sign

        More that nobody reads."""
        expect(1.0, -1.0, what="total_value of the root", position="three plies below the root\nX.O",
               think="who is to move?")

    assert read(run) == textwrap.dedent("""\
        2.5 backpropagate   NOT YET   the root's value has the right sign
            Position: three plies below the root
                      X.O
            Expected: total_value of the root == -1.0
            Yours:    +1.0
            Think about: who is to move?""")


def test_a_check_that_passes_says_so_in_one_line(capsys):
    @check("2.5", "backpropagate")
    def run():
        """a property"""
        expect([1, 2.0], (1, 2 + 1e-12), what="a list")

    assert capsys.readouterr().out == ""  # outside a notebook it runs only when it is called
    run()
    assert capsys.readouterr().out == "2.5 backpropagate   passed\n"


def test_a_stub_is_not_written():
    @check("2.9", "search")
    def run():
        """a property"""
        raise NotImplementedError("exercise 2.4 (expand) is not written yet")

    assert read(run) == "2.9 search   NOT WRITTEN   exercise 2.4 (expand) is not written yet"


def test_an_exception_is_shown_by_the_students_own_line(tmp_path, monkeypatch):
    (tmp_path / "answer.py").write_text("def expand(node):\n    helper = node\n    return helper.parent\n")
    monkeypatch.syspath_prepend(tmp_path)
    import answer

    @check("2.4", "expand")
    def run():
        """a property"""
        answer.expand(3)

    assert read(run) == textwrap.dedent("""\
        2.4 expand   NOT YET   a property
            Your code raised AttributeError: 'int' object has no attribute 'parent'
            in expand, line 3: return helper.parent
            Think about: what is this object here: the one that you expect, or None?""")

    @check("2.4", "expand")
    def wrong_number_of_arguments():
        """a property"""
        answer.expand(1, 2)

    called, asked = read(wrong_number_of_arguments).splitlines()[-2:]
    assert called.endswith("The check called it like this: answer.expand(1, 2)")
    assert asked.endswith("And how many arguments does each call take?")


def test_an_exception_has_the_position_that_the_check_tried():
    def asked(board, size):
        expect(1 / (size - 3), 1.0, what="it", position=f"{board}, and the size is {size}")

    @check("2.4", "expand")
    def run():
        """a property"""
        for board in ("X..", "O.."):
            expect(1.0, 1.0, what="it", position="the empty board")
            expect(
                board.index("X"), 0, what="the first X",
                position=f"{board}\nsecond line")

    assert read(run).splitlines()[1:] == [
        "    Your code raised ValueError: substring not found",
        '    The check called it like this: board.index("X"), 0, what="the first X",',
        "    Position: O..", "              second line",
        "    Think about: with which values does this line run, and what should it do with them?"]

    @check("2.4", "expand")
    def through_a_helper():
        """a property"""
        asked("X..", 3)

    assert "Position:" not in read(through_a_helper)  # the helper is not a part of this check

    @check("2.4", "expand")
    def inside():
        """a property"""
        def ask(size):
            asked_before = {}
            expect(asked_before[size], 1.0, what="it", position=f"the size is {size}")

        ask(3)

    assert "\n    Position: the size is 3\n" in read(inside)

    @check("2.4", "expand")
    def needs_the_answer():
        """a property"""
        expect(got := [1][2], 1, what="it", position=f"it gave {got}")

    assert "IndexError" in read(needs_the_answer) and "Position:" not in read(needs_the_answer)


def test_a_position_that_never_ends_is_left_out(monkeypatch):
    """such as one with the student's own text of a node"""
    monkeypatch.setattr("arena.check.LONGEST_S", 0.2)

    class Node:
        def __str__(self):
            while True:
                pass

    @check("2.4", "expand")
    def run():
        """a property"""
        node = Node()
        expect([].pop(), 1, what="it", position=f"at {node}")

    assert "IndexError" in read(run) and "Position:" not in read(run)


@pytest.mark.parametrize("got, wanted", [
    (1.0, 1), (math.inf, math.inf), (0.1 + 0.2, 0.3), (np.float32(0.3), 0.3), (np.int32(2), 2), (np.array([1, 2]), (1, 2)),
    ([np.bool_(True)], [True]), (1_000_000.5, 1_000_001.0),
    ([1, (2,)], (1, [2])), ({"a": 1.0}, {"a": 1}), ("x", "x"), (None, None)])
def test_equal_values_pass(got, wanted):
    expect(got, wanted, what="it")


@pytest.mark.parametrize("got, wanted", [
    (1.1, 1), (math.nan, math.nan), (math.nan, 1.0), (-math.inf, math.inf), ([1], [1, 2]), ({"a": 1}, {"b": 1}), ("x", "y"),
    (None, 0.0), (np.array([1, 2]), 3), ("1", 1)])
def test_other_values_do_not(got, wanted):
    with pytest.raises(AssertionError):
        expect(got, wanted, what="it")


def test_a_missing_return_is_asked_about():
    with pytest.raises(AssertionError, match="does the function return its result"):
        expect(None, 3, what="the move")


def test_two_numbers_that_differ_late_are_not_shown_alike():
    with pytest.raises(AssertionError) as caught:
        expect(0.1234567, 0.12345671, what="it", tolerance=1e-9)
    assert str(caught.value).endswith("== 0.12345671\n    Yours:    0.1234567")


def test_an_expected_error():
    expect_error(ValueError, lambda: int("x"), what="int of a letter")
    with pytest.raises(AssertionError, match=r"(?s)int of a digit raises ValueError.*no error; it returned 1"):
        expect_error(ValueError, lambda: int("1"), what="int of a digit")
    with pytest.raises(AssertionError, match=r"(?s)raises ValueError.*KeyError: 1"):
        expect_error(ValueError, lambda: {}[1], what="it")
    with pytest.raises(NotImplementedError):
        expect_error(RuntimeError, lambda: (_ for _ in ()).throw(NotImplementedError("exercise")), what="a stub")


def test_expect_true_says_what_must_hold():
    expect_true(True, what="it")
    with pytest.raises(AssertionError, match=r"(?s)Expected: a move.*Yours:    9"):
        expect_true(False, what="a move", yours=9)


def test_run_all_prints_every_verdict_and_counts(capsys):
    @check("2.1", "one")
    def one():
        """p"""

    @check("2.2", "two")
    def two():
        """p"""
        raise NotImplementedError("exercise 2.2 (two) is not written yet")

    assert checks.run_all() == 1
    assert capsys.readouterr().out.splitlines() == [
        "2.1 one   passed", "2.2 two   NOT WRITTEN   exercise 2.2 (two) is not written yet", "1 of 2 exercises done"]


@pytest.mark.usefixtures("processes")
def test_in_a_notebook_a_check_runs_with_its_cell_and_shows_no_traceback():
    code = ('from arena.check import check, expect\n@check("2.5", "b")\ndef f():\n    "p"\n    expect(1, 2, what="it")')
    script = ("from IPython.core.interactiveshell import InteractiveShell\nimport json, io, contextlib\n"
              "shell = InteractiveShell.instance()\nout = io.StringIO()\n"
              f"with contextlib.redirect_stdout(out):\n    result = shell.run_cell({code!r})\n"
              "print(json.dumps([result.success, out.getvalue()]))")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    success, shown = json.loads(done.stdout.splitlines()[-1])
    assert not success
    assert shown.strip().splitlines() == ["2.5 b   NOT YET   p", "    Expected: it == 2", "    Yours:    1"]


@pytest.mark.usefixtures("processes")
def test_in_a_notebook_a_check_names_an_import_that_grading_lacks_and_passes_all_the_same():
    cells = ["import scipy\ndef ucb(node):\n    return scipy.__name__", 'from arena.check import check\n@check("2.6", "ucb")\n'
             'def f():\n    "p"\n    ucb(1)']
    script = ("from IPython.core.interactiveshell import InteractiveShell\nshell = InteractiveShell.instance()\n"
              f"for cell in {cells!r}:\n    assert shell.run_cell(cell, store_history=True).success\n")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    warning, verdict = done.stdout.splitlines()
    assert warning.startswith("2.6: the cell that ran as [1], line 1, imports scipy, which is not available in grading: ")
    assert verdict == "2.6 ucb   passed"


@pytest.mark.usefixtures("processes")
def test_what_lessons_import_loads_with_numpy_alone():
    code = ("import sys, arena.games, arena.check, arena.show, arena.show.tree, arena.show.board, arena.show.step\n"
            "print([name for name in ('graphviz', 'matplotlib', 'IPython', 'ipywidgets') if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_check_that_cannot_judge_says_form_only_and_counts_as_neither_done_nor_failed(capsys):
    @check("2.5", "backpropagate")
    def judges():
        """p"""

    @check("2.14", "the bug in a tree", form_only=True)
    def looks():
        """only grading knows the answer"""
        expect(answer, 1, what="the answer")

    answer = 1
    looks()
    assert capsys.readouterr().out == "2.14 the bug in a tree   form only   only grading knows the answer\n"
    assert checks.run_all() == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 of 2 exercises done; of 2.14 only the form can be checked here"
    answer = 2
    assert "NOT YET" in read(looks)
    assert checks.summary({"2.5": checks.PASSED, "2.14": checks.FORM_ONLY, "joint": checks.NOT_YET}) == (
        "1 of 2 exercises done; of 2.14 only the form can be checked here; everything together does not work yet")


def test_a_check_names_first_the_exercise_that_it_calls_and_that_is_not_right_yet(capsys):
    def registers(exercise, title, got):
        @check(exercise, title)
        def run():
            """p"""
            print("printed by", exercise)
            if got is None:
                raise NotImplementedError
            expect(got, 1, what="it")
        return run

    registers("2.1", "random_policy", None)
    registers("2.5", "backpropagate", 2)
    registers("2.6", "ucb", 1)
    registers("2.9", "search", 2)
    registers("2.11", "self_play", 2)
    note = "    2.5 backpropagate is not yet right, and is called here: look there first"
    for run in (registers("2.9", "search", 2), registers("2.11", "self_play", 2), registers("joint", "everything together", 2)):
        assert read(run).splitlines()[1:] == [note, "    Expected: it == 1", "    Yours:    2"]  # 2.11 calls 2.9, which calls 2.5
    assert "printed by 2.5" not in capsys.readouterr().out
    assert note not in read(registers("2.8", "select", 2))  # 2.8 does not call it
    registers("2.5", "backpropagate", 1)
    registers("2.8", "select", 1)
    assert "2.9 search is not yet right" in read(registers("2.11", "self_play", 2))
    search = next(visible for visible in checks.registered() if visible.exercise == "2.9")
    assert note in search.verdict({"2.5": checks.NOT_YET})[1]  # known, so not run again
    assert "   passed" not in search.verdict()[1] and note not in search.verdict()[1]


def test_draws_are_even_when_every_choice_comes_about_equally_often_and_nothing_else():
    expect_even([1, 2, 4] * 100, [1, 2, 4], what="the actions")
    for draws in ([1] * 150 + [2] * 75 + [4] * 75, [1, 2] * 150, [1, 2, 4] * 100 + [3]):
        @check("2.1", "random_policy")
        def run():
            """each alike"""
            expect_even(draws, [1, 2, 4], what="the actions", think="by which chance?")

        assert "the actions: each of [1, 2, 4], about 100 times of 30" in read(run)


def test_a_count_is_an_integer_and_no_number_that_equals_one():
    expect_integers([0, 3, np.int64(2)], what="the counts")
    for wrong in ([1, 2.0], [True], [np.float32(1)], ["1"]):
        @check("2.1", "random_policy")
        def run():
            """counts"""
            expect_integers(wrong, what="the counts")

        assert "the counts: integers" in read(run)


def test_what_is_drawn_by_rng_is_the_same_for_a_seed_and_not_the_same_for_every_seed():
    expect_by_rng(lambda rng: rng.randrange(6), what="the action")
    own = random.Random(1)
    for draw, says in [(lambda rng: own.random(), "with 20 seeds once more"), (lambda rng: 3, "not the same with each of 20")]:
        @check("2.1", "random_policy")
        def run():
            """by rng"""
            expect_by_rng(draw, what="the action")

        assert says in read(run)
