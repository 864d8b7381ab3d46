"""Replays: the solver finds the move that gave the game away, and says so in a sentence."""

import random

import pytest

from arena.games import ConnectFour, after
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.result import PlayedGame
from autograder.challenge.replay import Lesson, mistakes, worst_first

GAME = ConnectFour()


@pytest.fixture(scope="module")
def perfect() -> PerfectPlayer:
    return PerfectPlayer(Solver(20))


def test_a_win_that_is_not_taken_and_a_loss_that_is_not_blocked(perfect: PerfectPlayer) -> None:
    # X: 3 3 3, O: 0 0 0, X to move wins at once with 3; plays 6; then O, who wins at once with 0, plays 0
    game = PlayedGame((3, 0, 3, 0, 3, 0, 6, 0), 6, 0, 0.0)
    found = mistakes(game, perfect)
    assert [one.sentence() for one in found] == ["move 7: column 6 loses in 2; column 3 wins in 1"]
    assert found[0].given_away == 2
    assert mistakes(PlayedGame(game.actions, 6, 1, 1.0), perfect) == []  # O made none
    assert mistakes(PlayedGame(game.actions, 8, 0, 0.0), perfect) == []  # the opening is nobody's


def test_perfect_play_has_no_mistakes_and_random_play_has(perfect: PerfectPlayer) -> None:
    rng = random.Random(3)
    state, actions = after(GAME, [3, 3, 2, 4, 1, 0, 5, 6, 6, 1]), [3, 3, 2, 4, 1, 0, 5, 6, 6, 1]
    while GAME.outcome(state) is None:
        perfect_turn = GAME.player(state) == 0
        actions.append(perfect.choose(state, 0, rng) if perfect_turn else rng.choice(GAME.legal_actions(state)))
        state = GAME.play(state, actions[-1])
    assert mistakes(PlayedGame(tuple(actions), 10, 0, 1.0), perfect) == []
    theirs = [Lesson("Random", 0, one) for one in mistakes(PlayedGame(tuple(actions), 10, 1, 0.0), perfect)]
    amounts = [one.mistake.given_away for one in worst_first(theirs)]
    assert amounts == sorted(amounts, reverse=True)
