"""The boards of ps3's hidden suite: each has exactly its one right move, and the drawn games are drawn."""

from functools import cache

import pytest

from arena.games import ConnectFour, after
from tests.hidden.ps3_connect_four.positions import DRAWN, POSITIONS

GAME = ConnectFour()


def wins(state: tuple[int, int]) -> list[int]:
    """The actions that win at once."""
    return [action for action in GAME.legal_actions(state) if GAME.outcome(GAME.play(state, action)) == -1.0]


@cache
def value(state: tuple[int, int]) -> float:
    """The exact value for the player to move, by negamax; it looks for a win at once first."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return outcome
    if wins(state):
        return 1.0
    best = -1.0
    for action in sorted(GAME.legal_actions(state), key=lambda action: abs(action - 3)):
        best = max(best, -value(GAME.play(state, action)))
        if best == 1.0:
            break
    return best


def in_three_plies(state: tuple[int, int], action: int) -> bool:
    """Whether every reply to `action` allows a win at once, and no reply wins."""
    below = GAME.play(state, action)
    return not wins(below) and all(wins(GAME.play(below, reply)) for reply in GAME.legal_actions(below))


@pytest.mark.parametrize("depth, player", POSITIONS)
def test_each_board_has_the_one_right_move_that_it_claims(depth, player):
    for moves, right in POSITIONS[depth, player]:
        state = after(GAME, map(int, moves))
        others = [action for action in GAME.legal_actions(state) if action != right]
        assert GAME.player(state) == player and GAME.outcome(state) is None and len(others) >= 3
        if depth == 2:
            assert wins(state) == [] and all(wins(GAME.play(state, action)) for action in others)
            assert not wins(GAME.play(state, right))
        else:
            assert wins(state) == [right] if depth == 1 else wins(state) == [] and in_three_plies(state, right)
            assert all(value(GAME.play(state, action)) >= 0.0 for action in others)


def test_the_drawn_games_are_drawn():
    assert [GAME.outcome(after(GAME, map(int, moves))) for moves in DRAWN] == [0.0] * len(DRAWN)
