"""The published solution is found under every disguise that keeps it, and in nobody's own work."""

import ast
import re

import pytest

from autograder.course.published import is_sound
from autograder.paths import REPOSITORY
from autograder.problem_sets.bank.answers import load_bank, right_answers
from autograder.problem_sets.source import load, names
from autograder.similarity import identical
from autograder.similarity.identical import LEAST, SHORT, Identical, compared, identical_exercises, normal_form
from tests.disguises import COPIED, PS, disguises, partial_copy
from tests.students import solved, stub


@pytest.mark.parametrize("disguise", ["other names and layout", "other comments", "another order", "written in other ways"])
def test_the_solution_is_found_under_a_disguise(disguise: str) -> None:
    text = disguises()[disguise]
    assert text != solved(PS) and len(disguises()) == 4
    assert identical_exercises(load(PS), [text]) == tuple(compared(load(PS)))


def test_a_partial_copy_is_found_in_the_exercises_that_are_copied() -> None:
    assert identical_exercises(load(PS), [partial_copy()]) == COPIED and len(COPIED) >= LEAST


@pytest.mark.usefixtures("computing")
def test_right_answers_of_others_are_named_in_at_most_two_exercises_and_nearly_all_in_none() -> None:
    counts = [len(identical_exercises(load(ps), [code])) for ps in names() for code in right_answers(ps)]
    assert len(counts) >= 280 and max(counts) <= 2 < LEAST
    assert sum(map(bool, counts)) <= 3  # measured: 1


@pytest.mark.usefixtures("computing")
def test_an_answer_that_differs_in_what_it_does_is_not_ours() -> None:
    """most wrong answers of the bank are ours with one thing changed"""
    for ps in (PS, "ps1_games"):
        bank = load_bank(REPOSITORY / "tests" / "wrong" / f"{ps}.py")
        assert len(bank) > 200 and not [answer.title for answer in bank if identical_exercises(load(ps), [answer.code])]


@pytest.mark.parametrize("first, second", [
    ("x += 1", "x = x + 1"), ("y = a > b", "y = b < a"), ("y = not a == b", "y = a != b"), ("y = math.log(a)", "y = log(a)"),
    ("y: float = a", "y = a"), ("return a if b else x", "if b:\n        return a\n    else:\n        return x"),
    ("raise ValueError('no')", "raise ValueError(f'never {a}')"), ("y = a + b\n    return y", "print(a)\n    return a + b"),
    ("y = [a for a in b]\n    return a", "y = [e for e in b]\n    return a"),
])
def test_what_python_has_two_ways_for_has_one_normal_form(first: str, second: str) -> None:
    assert form(f"def f(a, b, x):\n    {first}") == form(f"def g(c, d, z):\n    {renamed(second)}")


@pytest.mark.parametrize("ours, other", [
    ("a - b", "b - a"), ("a > b", "a >= b"), ("a + 1", "a + 2"), ("a.total", "a.visits"), ("len(a)", "sum(a)"),
    ("a if b else x", "x if b else a"), ("[e for e in a]", "[b for e in a]"), ("a not in b", "a in b"), ("not a < b", "a < b"),
])
def test_what_differs_has_two_normal_forms(ours: str, other: str) -> None:
    assert form(f"def f(a, b, x):\n    return {ours}") != form(f"def f(a, b, x):\n    return {other}")


def form(code: str) -> str:
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    return normal_form(function, {"math": "math", "log": "log"})


def renamed(code: str) -> str:
    """The same code where a, b, x are called c, d, z."""
    return re.sub(r"\b[abx]\b", lambda name: {"a": "c", "b": "d", "x": "z"}[name[0]], code)


def test_a_short_answer_has_one_natural_form_and_is_not_compared() -> None:
    long = [form for forms in compared(load(PS)).values() for form in forms]
    assert all(form.count("\n") > SHORT for form in long)
    short = [cell.solution for cell in load(PS).cells if cell.role == "exercise" and cell.id not in compared(load(PS))]
    assert len(short) >= 7 and identical_exercises(load(PS), short) == ()


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("ps", names())
def test_every_set_has_long_answers_that_are_found_in_our_solution(ps: str) -> None:
    assert len(compared(load(ps))) > LEAST and is_sound(load(ps))


def test_the_stub_is_nobody_s_copy() -> None:
    assert identical_exercises(load(PS), [stub(PS)]) == ()


def test_a_comparison_that_finds_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """what it would print if it did not run"""
    compared(load(PS))
    monkeypatch.setattr(identical, "_parsed", lambda cell: None)
    assert not is_sound(load(PS))
    assert "does not work" in Identical(tuple(compared(load(PS))), {}, 30, sound=False).line()


def test_a_cell_that_is_not_python_hides_no_other() -> None:
    cells = ["!pip install numpy", "def broken(", solved(PS), "\0"]
    assert identical_exercises(load(PS), cells) == tuple(compared(load(PS)))


def test_a_notebook_without_the_cell_of_the_imports_is_compared() -> None:
    cells = [cell.solution for cell in load(PS).cells if cell.role == "exercise"]
    assert identical_exercises(load(PS), cells) == tuple(compared(load(PS)))
