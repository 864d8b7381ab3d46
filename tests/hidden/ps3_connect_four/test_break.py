"""3.14: the student's check of pass_probability accepts right implementations and rejects wrong ones."""

import pytest

from tests.hidden.break_it import BreakIt, cases, need, number, whole

MOST_GAMES = 300  # up to here all right implementations agree, and are fast
MOST_SENT = 300_000  # games of all exams together: 1,000 exams of 300 games, or 100 games in each of 3,000 calls


def run(function, p, games, needed):
    """Call pass_probability on plain numbers."""
    need(number(p) and 0 <= p <= 1, "a p that is not a number from 0 to 1")
    need(whole(games) and 0 <= games <= MOST_GAMES, f"a number of games that is not a whole number from 0 to {MOST_GAMES}")
    need(whole(needed), "a number of needed wins that is not a whole number")
    return function(float(p), int(games), int(needed))


def size(p, games, needed):
    """Return the number of games: an implementation adds at least this many terms."""
    return abs(games) if whole(games) else 0


BREAK = BreakIt("ps3_connect_four", "3.10", "pass_probability", "values", run, size, MOST_SENT, "games")


@pytest.mark.exercise("3.14", fresh=True)
@cases("ps3_connect_four", "right")
def test_a_right_implementation_passes(student, place):
    """your check accepts every right implementation of 3.10"""
    BREAK.passes_right(student, place)


@pytest.mark.exercise("3.14", fresh=True, partial_credit=True)
@cases("ps3_connect_four", "wrong")
def test_a_wrong_implementation_is_caught(student, place):
    """your check rejects a wrong implementation of 3.10"""
    BREAK.fails_wrong(student, place)
