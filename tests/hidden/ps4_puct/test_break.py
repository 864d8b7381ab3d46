"""4.11: the student's check of puct accepts right implementations and rejects wrong ones."""

import pytest

from tests.hidden.break_it import BreakIt, cases, need, number, whole

MOST_ACTIONS = 200
NOT_GIVEN = object()  # the default of c is the implementation's own


def run(function, Q, N, P, c=NOT_GIVEN):  # noqa: N803 - the names of the docstring, because a check may use them
    """Call puct on copies of three rows of plain numbers; return the scores as plain numbers."""
    need(all(type(row) is dict for row in (Q, N, P)), "a Q, an N or a P that is not a dict")
    need(1 <= len(P) <= MOST_ACTIONS, f"a row of no action, or of more than {MOST_ACTIONS}")
    need(Q.keys() == N.keys() == P.keys(), "rows that do not have the same actions")
    need(all(map(whole, P)), "an action that is not a whole number")
    need(all(map(number, Q.values())), "a Q that is not a number")
    need(all(whole(visits) and visits >= 0 for visits in N.values()), "an N that is not a whole number of at least 0")
    need(all(number(prior) and prior >= 0 for prior in P.values()), "a P that is not a number of at least 0")
    need(c is NOT_GIVEN or number(c) and c >= 0, "a c that is not a number of at least 0")
    means, priors = ({int(action): float(value) for action, value in row.items()} for row in (Q, P))
    visits = {int(action): int(count) for action, count in N.items()}
    scores = function(means, visits, priors, **({} if c is NOT_GIVEN else {"c": float(c)}))
    return {int(action): float(score) for action, score in scores.items()}


BREAK = BreakIt("ps4_puct", "4.1", "puct", "values", run)


@pytest.mark.exercise("4.11", fresh=True)
@cases("ps4_puct", "right")
def test_a_right_implementation_passes(student, place):
    """your check accepts every right implementation of 4.1"""
    BREAK.passes_right(student, place)


@pytest.mark.exercise("4.11", fresh=True, partial_credit=True)
@cases("ps4_puct", "wrong")
def test_a_wrong_implementation_is_caught(student, place):
    """your check rejects a wrong implementation of 4.1"""
    BREAK.fails_wrong(student, place)
