"""The functions to repair: as the lessons give them they are wrong, repaired they are right, and half a repair is none."""

import contextlib
import io

import pytest

from arena.show import mend
from arena.show.mend import GIVEN, INPUTS, TASKS, count_wrong, judge, show_code
from autograder.problem_sets.source import load

REPAIRS = {  # the set, the words of the mistake, and what must stand there
    "groups": ("ps1_games", "((r, c + 1), (r + 1, c)):", "((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):"),
    "expected_line": ("ps2_uct", "        line.append(move)\n",
                      "        if not children[move][0]:\n            break\n        line.append(move)\n"),
    "thinking_time": ("ps3_connect_four", "now - before", "(now - before) % 86400"),
    "percent": ("ps4_puct", "exact[action] - shares[action])", "shares[action] - exact[action])"),
    "best_weights": ("ps5_alphazero", "best, lowest = weights, loss", "best, lowest = list(weights), loss"),
}
HALF = {
    "groups": "((r, c + 1), (r + 1, c), (r, c - 1)):",
    "expected_line": "        line += [move] if len(line) < 3 else []\n",
    "thinking_time": "abs(now - before)",
    "percent": "-shares[action])",
    "best_weights": "best, lowest = tuple(weights), lowest",
}


def experiment(ps, words):
    (cell,) = [cell.stub for cell in load(ps).cells if cell.role == "experiment" and words in cell.stub]
    return cell


def functions(name, new):
    ps, old, _ = REPAIRS[name]
    cell = experiment(ps, f"def {name}(" if name not in GIVEN else f"\njudge({name})")
    if name in GIVEN:  # a student copies the code into the cell, below the line that offers it
        with contextlib.redirect_stdout(io.StringIO()) as code:
            show_code(getattr(mend, name))
        assert f"def {name}(" not in cell, "the code is read last of all"
        cell = cell.replace(f"\njudge({name})", f"\n{code.getvalue()}\njudge({name})")
    assert cell.count(old) == 1
    namespace = {}
    exec(cell.replace(old, new), namespace)
    return namespace[name]


@pytest.mark.parametrize("name", TASKS)
def test_the_lesson_s_function_is_wrong_often_enough_to_be_found_and_right_once_it_is_repaired(name, capsys):
    _, old, new = REPAIRS[name]
    assert INPUTS / 20 < count_wrong(functions(name, old), TASKS[name]) < INPUTS * 2 / 3
    assert capsys.readouterr().out.rstrip().split("\n")[-1].startswith(f"{name}: not yet. ")
    assert count_wrong(functions(name, new), TASKS[name]) == 0
    assert capsys.readouterr().out.endswith(f"{name}: right for all {INPUTS} random inputs\n")


@pytest.mark.parametrize("name", TASKS)
def test_half_a_repair_and_an_exception_are_not_right(name):
    assert count_wrong(functions(name, HALF[name]), TASKS[name]) > 0

    def raises(*_):
        raise KeyError

    assert count_wrong(raises, TASKS[name]) == INPUTS


def test_a_function_may_not_change_what_the_judge_looks_at():
    def emptied(children):
        children.clear()
        return []

    assert count_wrong(emptied, TASKS["expected_line"]) > INPUTS / 3


def test_an_unknown_name_is_told():
    with pytest.raises(ValueError, match="nothing to repair in print"):
        judge(print)


def test_the_code_that_is_shown_is_what_was_given_even_after_a_repair(capsys):
    def groups(rows):
        return len(rows)

    show_code(groups)
    assert REPAIRS["groups"][1] in capsys.readouterr().out
    with pytest.raises(ValueError, match="the code of print is not here"):
        show_code(print)
