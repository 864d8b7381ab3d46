"""A known mistake is recognised by its value, and the student reads its hint."""

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, forget, question_after, recognise, suspected
from autograder.sandbox.errors import WrongType


def hint_of(got: object, mistakes: dict[str, object]) -> str | None:
    forget()
    recognise(got, mistakes)
    return suspected()


def test_the_hint_of_the_first_mistake_whose_value_it_is() -> None:
    mistakes = {"whose visits?": 1.25, "which sign?": -0.5}
    assert hint_of(-0.5 + 1e-12, mistakes) == "which sign?"
    assert hint_of(1.25, mistakes) == "whose visits?"
    assert hint_of(0.75, mistakes) is None


@pytest.mark.parametrize("got", [None, "1.25", [1.25], {1: 1.25}, float("nan"), np.array([1.25, 1.25])])
def test_what_is_no_such_number_is_no_such_mistake(got: object) -> None:
    assert hint_of(got, {"whose visits?": 1.25}) is None


def test_lists_arrays_and_other_values() -> None:
    assert hint_of(np.array([1.0, np.inf]), {"all of them": [1.0, np.inf]}) == "all of them"
    assert hint_of([1.0, 2.0], {"all of them": [2.0, 1.0]}) is None
    assert hint_of("left", {"the other side": "left"}) == "the other side"
    assert hint_of(True, {"one": 1.0}) is None and hint_of(True, {"yes": True}) == "yes"


def test_in_a_loop_the_last_round_counts_and_the_newest_place() -> None:
    forget()
    for got in (0.0, 1.0):  # a mistake that gives the right value in the first round, but not in the second
        recognise(got, {"the other sign?": -got})
    assert suspected() is None
    for got in (0.0, -1.0):
        recognise(got, {"the other sign?": min(got, -got)})
    recognise(3.0, {"one": 1.0})
    assert suspected() == "the other sign?"


def test_only_a_check_that_fails_says_its_hint() -> None:
    forget()
    recognise(1.0, {"which sign?": 1.0})
    asked = [question_after(error, "a question?") for error in (None, AssertionError(), WrongType("a", "1", "an int"))]
    assert asked == ["a question?", "which sign?", "a question?"]
    forget()
    assert question_after(AssertionError(), "a question?") == "a question?"


@pytest.mark.usefixtures("processes")
def test_a_check_may_ask_something_else_from_some_line_on() -> None:
    forget()
    ask("who is to move?")
    assert question_after(AssertionError(), "a question?") == "who is to move?"
    assert question_after(WrongType("a", "1", "an int"), "a question?") == "a question?"
    recognise(1.0, {"which sign?": 1.0})
    assert question_after(AssertionError(), "a question?") == "which sign?"
    forget()
    assert question_after(AssertionError(), "a question?") == "a question?"
