"""What an assertion expected is told from its own code and values, with the first difference."""

import ast

import numpy as np
import pytest

from autograder.course.shown_assertion import _first_difference, _opposite, _refused_items, shown


@pytest.mark.parametrize("condition, rule", [
    ("not 3 <= n <= 5", "3 <= n <= 5"), ("n not in xs", "n in xs"), ("a != b", "a == b"), ("n > 3", "n <= 3"),
    ("n != 3 or m > 2", "n == 3 and m <= 2"), ("wrong(n)", "not wrong(n)"),
])  # fmt: skip
def test_the_rule_is_the_opposite_of_what_is_refused(condition: str, rule: str) -> None:
    (statement,) = ast.parse(f"assert [n for n in xs if {condition}] == []").body
    assert _refused_items(statement) == ("n", rule)  # type: ignore[arg-type]


def test_an_opposite_holds_where_the_condition_does_not() -> None:
    for text in ("n < 2", "n >= 2", "n in (1, 2)", "not n == 1", "n == 1 and n < 2"):
        condition = ast.parse(text, mode="eval").body
        opposite = ast.unparse(_opposite(condition))
        assert [eval(opposite, {"n": n}) for n in range(4)] == [not eval(text, {"n": n}) for n in range(4)]


@pytest.mark.parametrize("left, right, words, place", [
    ([1, 2, 3], [1, 5, 3], "item 1 of 3 (from 0): expected 5, came 2", 1),
    ([1.0, 2.5], pytest.approx([1.0, 2.0]), "item 1 of 2 (from 0): expected 2.0, came 2.5", 1),
    ([1], [1, 2], "2 items expected, 1 came", None),
    ({"a": 1}, {"a": 1, "b": 2}, "at 'b': expected 2, came nothing", None),
    (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [0, 4]]), "at (1, 0): expected int64 0, came int64 3", None),
    (3, 4, "", None),
])  # fmt: skip
def test_the_first_difference(left: object, right: object, words: str, place: int | None) -> None:
    assert _first_difference(("==", left, right))[:2] == (words, place)


def test_a_tolerance_is_no_difference() -> None:
    assert _first_difference(("==", [1.0, 2.0 + 1e-9, 3.5], pytest.approx([1.0, 2.0, 3.0])))[1] == 2
    assert shown(pytest.approx([1.0])) == "about [1.0]"
