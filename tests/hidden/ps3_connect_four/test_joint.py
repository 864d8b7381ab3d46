"""The joint check: the submission's own functions together."""

import pytest

from tests.hidden.choices import argmax, clear_best
from tests.hidden.ps3_connect_four.oracle import GAME, draw_fan, near_ends
from tests.hidden.ps3_connect_four.trees import at

NEEDS = ("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9")
pytestmark = pytest.mark.exercise("joint", needs=NEEDS)


@pytest.mark.hint("does a function keep a value that other functions change later: N, a bound, or the untried actions?")
def test_your_functions_together_search_as_uct_does(student, edition):
    """uct and Searcher with your own functions visit every branch as often as UCT does"""
    for forced in (0, 1):
        visits, number = None, 0
        while visits is None or not clear_best(visits, 0.5):
            number = edition.randint(12, 30)
            fan = draw_fan(edition, [2, 3, 4], forced)
            visits = fan.uct(number)
        action, root = student.uct(fan.game, "root", student.rng(edition.getrandbits(30)), simulations=number)
        searcher = student.Searcher(fan.game)
        chosen = searcher.choose("root", number, student.rng(edition.getrandbits(30)))
        for top in (root, searcher.root):
            assert student.each([at(student, top, branch) for branch in range(3)], "num_visits") == visits
        assert (action, chosen) == (argmax(visits), argmax(visits))


@pytest.mark.hint("what does your search not see: its own win, or the other player's?")
def test_your_searches_play_the_end_of_a_game_well(student, edition):
    """all searches with your own functions find the one right move near the end of a game, for both colours"""
    boards, good = near_ends(edition, 1), 0
    for number, (state, right, simulations) in enumerate(boards):
        rng = student.rng(edition.getrandbits(30))
        good += student.uct(GAME, state, rng, simulations=simulations)[0] == right
        good += student.solve(GAME, state, simulations, rng)[0] == right
        if number < 4:  # a win and a block: few simulations, because these rollouts take their time
            searcher = student.Searcher(GAME, student.functions["tactical_rollout"])
            good += searcher.choose(state, 40, rng) == right
    assert good >= 13  # of 16; see 3.6 for the probability
