"""What the visible checks of Break it say of a student's own check."""

import pytest

from arena.check import forget, registered, summary
from arena.own_check import MOST_CALLS, verdict_of
from tests.hidden import break_it


def accepts(implementation) -> None:
    implementation(1)


def rejects(implementation) -> None:
    assert implementation(1) == 2, "the answer is 2"


def test_a_rejection_is_an_assertion_error_and_nothing_else():
    assert verdict_of(accepts, lambda number: number) is None
    assert verdict_of(rejects, lambda number: number) == "AssertionError"
    assert verdict_of(rejects, lambda number: 2) is None


def test_an_error_of_the_implementation_that_is_let_through_is_a_rejection_as_in_grading():
    def fails(number):
        raise IndexError(number)

    def expects_it(implementation) -> None:
        with pytest.raises(IndexError):
            implementation(1)

    assert verdict_of(accepts, fails) == "AssertionError"
    assert verdict_of(expects_it, fails) is None


def test_an_error_of_the_check_itself_is_the_student_s():
    def broken(implementation) -> None:
        implementation(1)
        raise KeyError("mine")

    with pytest.raises(KeyError):
        verdict_of(broken, lambda number: number)


def test_too_many_calls_are_told_at_home_too():
    def asks(number_of_calls: int):
        def own_check(implementation) -> None:
            for number in range(number_of_calls):
                implementation(number)
        return own_check

    assert verdict_of(asks(MOST_CALLS), lambda number: number) is None
    with pytest.raises(Exception, match="3,001 calls"):
        verdict_of(asks(MOST_CALLS + 1), lambda number: number)
    assert break_it.MOST_CALLS == MOST_CALLS


def test_too_large_calls_are_told_at_home_too():
    def own_check(implementation) -> None:
        for _ in range(3):
            implementation([1, 2])

    assert verdict_of(own_check, sum, size=len, most=6, unit="numbers") is None
    with pytest.raises(Exception, match="6 numbers"):
        verdict_of(own_check, sum, size=len, most=5, unit="numbers")


def test_an_optional_exercise_alone_is_no_share_of_none():
    from arena import check

    forget()
    check.check("9.1", "break it", optional=True)(lambda: None)
    assert [exercise.optional for exercise in registered()] == [True]
    assert summary({"9.1": check.PASSED}) == "the optional 9.1 is done"
    assert summary({"9.1": check.NOT_WRITTEN}) == "the optional exercise is not done yet"
    forget()
