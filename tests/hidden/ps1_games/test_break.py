"""1.14: the student's check of has_run accepts right implementations and rejects wrong ones."""

import numpy as np
import pytest

from tests.hidden.break_it import BreakIt, cases, need, whole

MOST_SQUARES, MOST_STONES = 40, 100  # of a side of the board, and of a line
MOST_SENT = 800_000  # squares of all boards together: 500 boards of 40 x 40, or 16 x 16 in each of 3,000 calls


def run(function, board, player, n):
    """Call has_run on a copy of the board, so that an implementation changes nothing of the student's."""
    need(isinstance(board, np.ndarray) and board.ndim == 2 and board.dtype.kind in "iuf",  # np.zeros alone makes floats
         "a board that is not an array of numbers with rows and columns")
    need(1 <= min(board.shape) and max(board.shape) <= MOST_SQUARES, "a board that has no squares, or too many")
    stones = np.isin(board, (1, 0, -1)).all() if board.dtype.kind == "f" else board.min() >= -1 and board.max() <= 1
    need(bool(stones), "a board with a number besides 1, 0 and -1")
    need(isinstance(player, (int, np.integer)) and player in (0, 1), "a player besides 0 and 1")
    need(whole(n) and 2 <= n <= MOST_STONES, f"an n that is not a whole number from 2 to {MOST_STONES}")
    return function(np.array(board, dtype=np.int8), int(player), int(n))


BREAK = BreakIt("ps1_games", "1.3", "has_run", "values", run, most=MOST_SENT, unit="squares")


@pytest.mark.exercise("1.14", fresh=True)
@cases("ps1_games", "right")
def test_a_right_implementation_passes(student, place):
    """your check passes every right implementation

    Promised: return None if it keeps them.
    Promised: One check may call its implementation up to 3,000 times, with 800,000 squares in all:
    """
    BREAK.passes_right(student, place)


@pytest.mark.exercise("1.14", fresh=True, partial_credit=True)
@cases("ps1_games", "wrong")
def test_a_wrong_implementation_is_caught(student, place):
    """your check fails a wrong implementation

    Promised: Raise AssertionError if `has_run` breaks a promise of the docstring of 1.3;
    """
    BREAK.fails_wrong(student, place)
