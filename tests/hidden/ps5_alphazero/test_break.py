"""5.16: the student's check of add_dirichlet_noise accepts right implementations and rejects wrong ones."""

import random
from types import SimpleNamespace

import pytest

from tests.hidden.break_it import BreakIt, cases, need, number, whole

MOST_ACTIONS = 200
NOT_GIVEN = object()  # the default of epsilon is the implementation's own


def run(function, row, seed, epsilon=NOT_GIVEN):
    """Call add_dirichlet_noise on a node with this (P, N, Q, noisy); return its result, whether it drew, and the new row."""
    need(type(row) is tuple and [*map(type, row)] == [list, list, list, bool], "a node without P, N, Q or noisy")
    priors, visits, means, noisy = row
    need(len(priors) <= MOST_ACTIONS, f"a node of more than {MOST_ACTIONS} actions")
    need(len(priors) in (0, len(visits)) and len(visits) == len(means) <= MOST_ACTIONS, "lists P, N and Q of unlike lengths")
    # above 1 too: a check may give back the priors that a wrong implementation left
    need(all(number(prior) and prior >= 0 for prior in priors), "a prior that is not a number of at least 0")
    need(all(whole(count) and count >= 0 for count in visits), "an N that is not a whole number of at least 0")
    need(all(map(number, means)), "a Q that is not a number")
    need(epsilon is NOT_GIVEN or number(epsilon) and 0 <= epsilon <= 1, "an epsilon outside [0, 1]")
    need(whole_seed(seed), "an rng that is not a random.Random")
    node = SimpleNamespace(
        actions=list(range(len(visits))), P=list(map(float, priors)), N=list(map(int, visits)), Q=list(map(float, means)),
        children=[None] * len(visits), outcome=None, noisy=bool(noisy),
    )
    rng = random.Random(seed)
    before = rng.getstate()
    result = function(node, rng, **({} if epsilon is NOT_GIVEN else {"epsilon": float(epsilon)}))
    after = [float(prior) for prior in node.P], [int(count) for count in node.N], [float(mean) for mean in node.Q]
    return result, rng.getstate() != before, (*after, bool(node.noisy))


def whole_seed(seed):
    """Say whether a seed is what getrandbits(64) gives."""
    return type(seed) is int and 0 <= seed < 2**64


BREAK = BreakIt("ps5_alphazero", "5.7", "add_dirichlet_noise", "priors", run)


@pytest.mark.exercise("5.16", fresh=True)
@cases("ps5_alphazero", "right")
def test_a_right_implementation_passes(student, place):
    """your check accepts every right implementation of 5.7"""
    BREAK.passes_right(student, place)


@pytest.mark.exercise("5.16", fresh=True, partial_credit=True)
@cases("ps5_alphazero", "wrong")
def test_a_wrong_implementation_is_caught(student, place):
    """your check rejects a wrong implementation of 5.7"""
    BREAK.fails_wrong(student, place)
