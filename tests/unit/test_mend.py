"""The functions to repair: as the lessons give them they are wrong, repaired they are right, and half a repair is none."""

import pytest

from arena.show.mend import INPUTS, TASKS, count_wrong, judge
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


def functions(name, new):
    ps, old, _ = REPAIRS[name]
    (cell,) = [cell.stub for cell in load(ps).cells if cell.role == "experiment" and f"def {name}(" in cell.stub]
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
