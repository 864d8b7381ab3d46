"""Many calls in one message are the same as many messages with one call."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from in_the_sandbox import student_code

from autograder.grading.hidden_checks.answer_types import anything, integer, node, real
from autograder.grading.hidden_checks.outbound import Signatures
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.sandbox.errors import Raised, WrongType
from tests.hidden.generators import draw_game, states_of

pytestmark = pytest.mark.usefixtures("processes")

CODE = """
class Box:
    def __init__(self, value=0):
        self.value, self.double = value, 2.0 * value

def length_after(some, table):
    some.append(0)
    table.setdefault("new", []).append(0)
    return 10 * len(some) + len(table["new"])

def drawn(rng):
    return rng.random()

def asked(function, number):
    return function(number)

def identity(thing):
    return id(thing)

def by_name(policy, game, state, rng):
    return [policy(game, state, rng), policy(game, state, rng=rng), policy(rng=rng, state=state, game=game)]

def badly_named(policy):
    return policy(1, status=2)

def end_of(game, state):
    while game.outcome(state) is None:
        state = game.play(state, game.legal_actions(state)[-1])
    return state

def illegal(game):
    game.play(game.start(), 99)
"""
TYPES = {"Box": node, ".value": integer, ".double": real, "length_after": integer, "drawn": real, "asked": anything,
         "identity": integer, "by_name": anything, "badly_named": anything, "end_of": anything, "illegal": anything}
SIGNATURES = Signatures({"by_name": ("policy", "game", "state", "rng"), "badly_named": ("policy",)},
                        {"policy": ("game", "state", "rng")})


@pytest.fixture(scope="module")
def student() -> Iterator[Student]:
    with student_code(CODE) as session:
        yield Student(session, TYPES, frozenset(), "own", signatures=SIGNATURES)


def test_every_call_gets_lists_and_dicts_of_its_own(student):
    some, table = [1, 2], {"old": [1], "new": []}
    assert student.many("length_after", [(some, table)] * 3) == [31, 31, 31]
    assert student.many("length_after", [([1] * number, table) for number in range(3)]) == [11, 21, 31]


def test_a_generator_and_an_object_are_one_and_the_same_in_every_call(student):
    rng, right, box = student.rng(5), Random(5), student.Box(3)
    assert student.many("drawn", [(rng,)] * 3) == [right.random() for _ in range(3)]
    assert student.many("drawn", [(rng,)]) == [right.random()]
    assert len(set(student.many("identity", [(box,)] * 3))) == 1


def test_a_function_of_ours_sees_every_call_and_one_over_there_begins_anew(student):
    seen = []

    def function(number: int) -> int:
        seen.append(number)
        return -number

    assert student.many("asked", [(function, number) for number in (1, 2, 3)]) == [-1, -2, -3]
    assert seen == [1, 2, 3]
    assert student.many("asked", [(student.in_turn([7, 8]), 0)] * 3) == [7, 7, 7]


def test_calls_without_arguments_and_no_calls_at_all(student):
    assert student.each(student.many("Box", [()] * 3), "value") == [0, 0, 0]
    assert student.many("Box", []) == []


def test_fields_come_in_the_order_of_their_owners(student):
    boxes = student.many("Box", [(number,) for number in range(3)])
    assert student.each(boxes, "value") == [0, 1, 2]
    assert student.both(boxes, "value", "double") == [(0, 0.0), (1, 2.0), (2, 4.0)]
    boxes[1].double = "two"
    with pytest.raises(WrongType, match="a float"):
        student.both(boxes, "value", "double")


def test_functions_of_ours_are_called_by_place_or_by_the_names_of_the_docstring(student):
    seen = []

    def policy(game, state, rng):
        seen.append((game, state, rng))
        return len(seen)

    assert student.by_name(policy, 1, 2, 3) == [1, 2, 3] and seen == [(1, 2, 3)] * 3
    assert student.by_name(student.in_turn([4, 5, 6]), 1, 2, 3) == [4, 5, 6]
    assert student.by_name(student.answers({1: "one"}), 1, 2, 3) == ["one"] * 3
    for badly in (policy, student.in_turn([1]), student.answers()):
        with pytest.raises(Raised, match="TypeError"):
            student.badly_named(badly)


def test_what_student_code_passes_to_a_function_of_ours_is_plain(student):
    """an array would answer our comparison with an array"""
    seen = []
    student.by_name(lambda *given: seen.append(given), np.zeros(2), np.int64(3), [np.float32(0.5)])
    assert seen == [([0.0, 0.0], 3, [0.5])] * 3 and type(seen[0][1]) is int


@pytest.mark.parametrize("seed", range(8))
def test_a_game_that_is_a_table_is_the_same_over_there(student, seed):
    game = draw_game(Random(seed))
    for state in states_of(game):
        end = state
        while game.outcome(end) is None:
            end = game.play(end, game.legal_actions(end)[-1])
        assert student.end_of(game, state) == end
    with pytest.raises(Raised) as caught:
        student.illegal(game)
    assert "ValueError" in caught.value.names
