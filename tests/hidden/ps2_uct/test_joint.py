"""The joint check: the submission's own functions together."""

import pytest

from arena.games import FIVE_SIMULATIONS, TicTacToe
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.laws import near
from tests.hidden.ps2_uct.oracle import draw_fan, optimal_actions, unfinished
from tests.hidden.ps2_uct.trees import nodes_at

NEEDS = ("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.11")
pytestmark = pytest.mark.exercise("joint", needs=NEEDS)

GAME = TicTacToe()


@pytest.mark.hint("a node gets one more child: do you test again whether all children are there?")
def test_a_node_is_looked_at_anew_each_time(student, edition):
    """your functions look at a node again each time, because its children, visits and totals change"""
    node, rng = student.TreeNode("s0"), student.rng(edition.getrandbits(30))
    children = []
    for number in range(3):
        assert node.is_fully_expanded(FIVE_SIMULATIONS) is (number == 2)
        if number < 2:
            children.append(student.expand(FIVE_SIMULATIONS, node, rng))
    ask("visits and totals have changed: do you look for the best child again?")
    for best in (0, 1, 0):
        node.num_visits = 8
        for number, child in enumerate(children):
            child.num_visits, child.total_value = 4, -2.0 if number == best else 2.0
        assert student.best_child(node, 1.0, rng) == children[best]


@pytest.mark.hint("each function passes alone: what does each function expect from the others?")
def test_your_functions_together_give_the_numbers_found_by_hand(student, edition):
    """search with your own functions gives the lesson's numbers for the toy tree"""
    for c in (0.0, 1.0, edition.uniform(0, 20)):
        evaluate = student.answers({"s1": 20.0, "s2": 10.0}, other=99.0)
        action, root = student.search(FIVE_SIMULATIONS, "s0", 5, c, student.rng(edition.getrandbits(30)), evaluate)
        nodes = nodes_at(student, root, [(), (0,), (1,), (1, 0), (1, 1)])
        assert action == 1
        assert student.each(nodes, "num_visits") == [5, 1, 4, 2, 1]
        assert student.each(nodes, "total_value") == [-58.0, 20.0, 38.0, -28.0, 0.0]


@pytest.mark.hint("what does your search not see: its own win, or the other player's?")
def test_your_search_plays_the_end_of_a_game_well(student, edition):
    """search with your own functions finds a best move near the end of a game, for both colours"""
    positions = [unfinished(edition, empties) for empties in [3, 4] * 4]
    rng = student.rng(edition.getrandbits(30))
    moves = student.many("search", [(GAME, state, 200, 1.0, rng) for state in positions])
    good = sum(action in optimal_actions(state) for state, (action, _) in zip(positions, moves, strict=True))
    assert good >= 6  # by chance one position in about 2,000 is missed: three of eight once in 1e8 editions


@pytest.mark.hint("what does one simulation leave for the next one?")
def test_your_functions_together_go_where_the_bound_is_highest(student, edition):
    """search with your own functions has the visits of UCT"""
    for c in (0.5, 1.5, 3.0):
        known = None
        while known is None:
            simulations, fan = edition.randint(16, 24), draw_fan(edition, [1, 2, 3, 4])
            known = fan.uct(simulations, c)
        evaluate = student.answers(fan.guesses, other=99.0)
        _, root = student.search(fan.game, "root", simulations, c, student.rng(edition.getrandbits(30)), evaluate)
        assert student.each([node for _, node in sorted(student.children(root).items())], "num_visits") == known[0]
        assert root.total_value == near(sum(known[1]))


@pytest.mark.hint("from which state does each search begin, and which move is played on the board?")
def test_your_search_plays_a_whole_game(student, edition):
    """self_play with your own functions plays legal moves to the end of the game"""
    actions = student.self_play(GAME, 12, 1.0, student.rng(edition.getrandbits(30)))
    state = GAME.start()
    for action in actions:
        assert action in GAME.legal_actions(state)
        state = GAME.play(state, action)
    assert GAME.outcome(state) is not None
