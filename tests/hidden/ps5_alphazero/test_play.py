"""5.8: one game against itself, and what it teaches."""

from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from autograder.grading.types import array, listof, pair
from tests.hidden.ps5_alphazero.conftest import state as game_state
from tests.hidden.ps5_alphazero.nodes import hang, keep, keep_network, plant
from tests.hidden.ps5_alphazero.oracle import BOARD, COLUMNS, REVERSI, Scripted, line, random_game, shares, table_game

pytestmark = pytest.mark.exercise("5.8")

TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d"], "b": ["e"], "c": ["f"]}, {})
HISTORY = listof(pair(game_state, array("f", (None,))))


# -- opening ------------------------------------------------------------------------------------------


@pytest.mark.hint("how often is the start the start, and how many random moves can there be?")
def test_half_of_the_openings_are_random(student, edition):
    """half of the openings are the start; after the others 1, 2, 3 or 4 moves have been played, equally often"""
    states = student.many("opening", [(COLUMNS, student.rng(edition.getrandbits(30)))] * 2500)
    plies = [sum(stones.bit_count() for stones in state) if type(state) is tuple else -1 for state in states]
    # 1250 starts, deviation 25; 137 off is left once in 2e7 tries. Of each other number 312, deviation 16.5: 91 off.
    assert 1113 <= plies.count(0) <= 1387
    assert all(221 <= plies.count(number) <= 404 for number in (1, 2, 3, 4))
    assert set(plies) == {0, 1, 2, 3, 4}
    firsts = [state for state, number in zip(states, plies, strict=True) if number == 1]
    after_one = {COLUMNS.play(COLUMNS.start(), action) for action in range(7)}
    # Some 312 of one move, at least 221: 32 for each column at the least expected, deviation 5.2.
    assert set(firsts) == after_one
    assert all(firsts.count(state) < len(firsts) / 7 + 45 for state in after_one)
    second = {COLUMNS.play(state, action): action for state in after_one for action in range(7)}
    seconds = [second.get(state) for state, number in zip(states, plies, strict=True) if number == 2]
    assert set(seconds) == set(range(7))
    assert all(seconds.count(action) < len(seconds) / 7 + 45 for action in range(7))


@pytest.mark.hint("what would a search do at a finished game?")
def test_no_opening_is_a_finished_game(student, edition):
    """random moves stop short of the end, even where the end is one move away"""
    short = ToyGame({"s0": ["a", "b"], "a": ["c", "d"]}, {})
    rng = student.rng(edition.getrandbits(30))
    assert set(student.many("opening", [(short, rng)] * 80)) == {"s0", "a"}  # "a" is missed once in 1e9 tries
    assert set(student.many("opening", [(line(1, -1.0), rng)] * 20)) == {"s0"}
    found = student.many("opening", [(line(3, 1.0), rng)] * 500)
    assert set(found) == {"s0", "s1", "s2"}
    assert found.count("s0") < 318  # 250, deviation 11.2; who falls back to the start before an end has 375
    gap = table_game({"": {1: "a", 20: "b"}, "a": {3: "end"}, "b": {3: "end"}}, {}, 21, {})
    found = student.many("opening", [(gap, rng)] * 300)
    random = len(found) - found.count("")
    # Half of the random ones are "a", with a deviation of half the root of their number: 6 of them are left once in 5e8 tries.
    assert set(found) == {"", "a", "b"} and abs(found.count("a") - random / 2) < 3 * random**0.5


@pytest.mark.hint("where do your random numbers come from?")
def test_openings_and_moves_repeat_with_their_rng(student, edition):
    """the same rng gives the same openings and moves again, another rng others, and no other generator is used"""
    seed, before = edition.getrandbits(30), student.disturb(edition.getrandbits(30))
    root, children = family(student, [3, 3, 4])
    openings, moves = [], []
    for number in (seed, seed, seed + 1):
        rng, config = student.rng(number), student.Config(exploring_plies=9)
        openings.append(student.many("opening", [(COLUMNS, rng)] * 25))
        found = student.many("play_move", [(TOY, root, [], config, rng)] * 25)
        assert set(found) <= set(children)
        moves.append([children.index(child) for child in found])
    assert openings[0] == openings[1] != openings[2]
    assert moves[0] == moves[1] != moves[2]
    assert student.global_state() == before


# -- what a game teaches ------------------------------------------------------------------------------


def examples_of(game: Any, history: list[tuple[Any, np.ndarray]], final: Any) -> list[tuple[Any, np.ndarray, float]]:
    """The right examples, by the grader's own hand."""
    outcome, loser = game.outcome(final), game.player(final)
    return [(turned, moved, outcome if game.player(state) == loser else -outcome)
            for state, policy in history for turned, moved in game.symmetries(state, policy)]


def same(got: list[tuple], wanted: list[tuple]) -> bool:
    """Whether these are the same examples, in any order."""
    left = list(got)
    for state, policy, value in wanted:
        for number, (other, moved, worth) in enumerate(left):
            if other == state and worth == value and moved.shape == policy.shape and np.allclose(moved, policy, atol=1e-6):
                del left[number]
                break
        else:
            return False
    return not left


def policy_at(edition: Any, game: Any, state: Any) -> np.ndarray:
    """A drawn policy over all actions, 0 at illegal ones, with no two entries alike."""
    policy, actions = np.zeros(game.num_actions), game.legal_actions(state)
    policy[actions] = shares(edition, len(actions))
    return policy


@pytest.mark.hint("whose result is it, and who is to move at each position?")
def test_every_mover_learns_its_own_result(student, edition):
    """the value is the result for the player to move at the position: it alternates, from the end to the opening"""
    for plies in (4, 5):
        for end in (-1.0, 1.0):
            game = line(plies, end)
            history = [(f"s{ply}", np.ones(1)) for ply in range(plies)]
            values = [end * (-1) ** (plies - ply) for ply in range(plies)]
            got = student.make_examples(game, history, f"s{plies}")
            told = [value for _, _, value in got]
            recognise(told, {"can the same result be good news for both players?": [values[-1]] * plies,
                             "can the same result be good news for both?": [-values[-1]] * plies,
                             "who is to move when the game is over, the winner or the loser?": [-value for value in values]})
            assert same(got, examples_of(game, history, f"s{plies}"))


@pytest.mark.hint("what is a draw worth?")
def test_a_draw_is_a_draw_for_both(student, edition):
    """a drawn game has the value 0 for both players, at every position"""
    for plies in (1, 2, 3):
        history = [(f"s{ply}", np.ones(1)) for ply in range(plies)]
        game = line(plies, 0.0)
        assert same(student.make_examples(game, history, f"s{plies}"), examples_of(game, history, f"s{plies}"))


@pytest.mark.hint("when the board turns, what turns with it?")
def test_policies_turn_with_their_boards(student, edition):
    """each position is there with all its symmetries, and each policy is turned like its board"""
    for game in (BOARD, COLUMNS):
        states = random_game(edition, game)
        history = [(state, policy_at(edition, game, state)) for state in states[:-1]]
        wanted = examples_of(game, history, states[-1])
        got = student.make_examples(game, history, states[-1])
        frozen = [(turned, policy, value) for state, policy in history for turned, _ in game.symmetries(state, policy)
                  for value in [next(v for s, _, v in wanted if s == turned)]]
        if same(got, frozen) and not same(got, wanted):
            recognise(1, {"when the board turns, what turns with it?": 1})
        assert same(got, wanted)


@pytest.mark.hint("how often does a symmetric position count?")
def test_a_symmetric_position_counts_once(student, edition):
    """what two symmetries share is one example; an empty board with an even policy is a single one"""
    states = random_game(edition, BOARD)
    later = [(state, policy_at(edition, BOARD, state)) for state in states[1:-1]]
    for first, times in ((np.full(9, 1 / 9), 1), (np.eye(9)[edition.choice([0, 2, 6, 8])], 4)):
        history = [(states[0], first), *later]
        got = student.make_examples(BOARD, history, states[-1])
        assert sum(state == states[0] for state, _, _ in got) == times
        assert same(got, examples_of(BOARD, history, states[-1]))


@pytest.mark.hint("who is to move after a pass?")
def test_values_survive_a_pass(student, edition):
    """in Othello, where a player may have to pass, each value belongs to the player to move there"""
    states = random_game(edition, REVERSI)
    while not (passes := [i for i, state in enumerate(states[:-1]) if REVERSI.legal_actions(state) == [36]]
               ) or REVERSI.outcome(states[-1]) == 0.0:
        states = random_game(edition, REVERSI)
    begin = max(0, passes[-1] - 2)
    history = [(state, policy_at(edition, REVERSI, state)) for state in states[begin:-1]]
    assert same(student.make_examples(REVERSI, history, states[-1]), examples_of(REVERSI, history, states[-1]))


@pytest.mark.hint("for how many positions was a policy remembered?")
def test_nothing_played_teaches_nothing(student, edition):
    """without a move there are no examples: a finished position has no policy"""
    assert student.make_examples(BOARD, [], random_game(edition)[-1]) == []


# -- a move -------------------------------------------------------------------------------------------


def family(student: Any, visits: list[int]) -> tuple[Any, list[Any]]:
    """A searched root of TOY with its three children."""
    root = plant(student, TOY, "s0", [0.2, 0.3, 0.5], visits, [0.1, 0.2, 0.3])
    children = [plant(student, TOY, name, [1.0], [1], [0.5]) for name in "abc"]
    hang(root, dict(enumerate(children)), 3)
    return root, children


@pytest.mark.hint("what is the network to learn from, whatever move is played?")
def test_the_policy_is_remembered_at_temperature_one(student, edition):
    """the state and the share of the visits are appended, in the drawn and in the later moves alike"""
    root, _ = family(student, [6, 1, 3])
    for exploring in (0, 5):
        history = keep(student, [("earlier", np.array([1.0, 0.0, 0.0]))])
        student.play_move(TOY, root, history, student.Config(exploring_plies=exploring), student.rng(edition.getrandbits(30)))
        remembered = HISTORY(student.read(history))
        assert [state for state, _ in remembered] == ["earlier", "s0"]
        assert remembered[1][1] == pytest.approx([0.6, 0.1, 0.3], abs=1e-6)
        assert remembered[0][1] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)


@pytest.mark.hint("is the move drawn, and by which probabilities?")
def test_early_moves_are_drawn_by_their_visits(student, edition):
    """in the first exploring_plies moves each action is played as often as its visits say"""
    root, children = family(student, [6, 1, 3])
    rng, config = student.rng(edition.getrandbits(30)), student.Config(exploring_plies=2)
    chosen = student.many("play_move", [(TOY, root, history, config, rng) for history in ([], [("s0", np.ones(3) / 3)])] * 400)
    # 480, 80 and 240 of 800 expected, deviations 13.9, 8.5, 13; six of them are exceeded once in 5e8 tries.
    for child, expected, slack in zip(children, (480, 80, 240), (84, 51, 78), strict=True):
        assert abs(chosen.count(child) - expected) <= slack


@pytest.mark.hint("when does chance end?")
def test_later_moves_are_the_most_visited(student, edition):
    """from exploring_plies moves on, the action with most visits is played every time, however close the next one is"""
    root, children = family(student, [199, 1, 200])
    rng = student.rng(edition.getrandbits(30))
    for exploring in (0, 2):
        history = [("s0", np.ones(3) / 3)] * exploring
        calls = [(TOY, root, history, student.Config(exploring_plies=exploring), rng)] * 30
        assert set(student.many("play_move", calls)) == {children[2]}


@pytest.mark.hint("what is kept of the tree?")
def test_the_move_keeps_its_subtree(student, edition):
    """the next root is the child itself, with its statistics, and the old root stays as it was"""
    root, children = family(student, [0, 4, 0])
    chosen = student.play_move(TOY, root, [], student.Config(), student.rng(1))
    assert chosen == children[1]
    assert (chosen.P, chosen.N, chosen.Q) == ([1.0], [1], [0.5])
    assert (root.N, root.children) == ([0, 4, 0], children)


# -- a whole game -------------------------------------------------------------------------------------


@pytest.mark.hint("from which state to which does an episode go?")
def test_an_episode_is_a_game_from_its_opening(student, edition):
    """the examples are all positions from the opening to the last move, each with its policy and its mover's result"""
    game, net = line(5, -1.0), Scripted(line(5, -1.0), seed=edition.getrandbits(20))
    config, rng = student.Config(simulations=edition.randint(2, 5)), student.rng(edition.getrandbits(30))
    episodes = student.many("execute_episode", [(game, keep_network(student, net), config, rng)] * 60)
    for examples in episodes:
        assert 1 <= len(examples) <= 5
        history = [(f"s{ply}", np.ones(1)) for ply in range(5 - len(examples), 5)]
        assert same(examples, examples_of(game, history, "s5"))
    # 30 of 60 begin at the start, deviation 3.9; 8 or fewer come once in 4e9 tries.
    assert 8 < sum(len(examples) == 5 for examples in episodes) < 52
    assert net.strange == 0


@pytest.mark.hint("is anything asked twice when the tree below the move is kept?")
def test_the_tree_is_kept_from_move_to_move(student, edition):
    """the network is asked about each position of a forced game exactly once"""
    game = line(6, 1.0)
    for _ in range(3):
        net = Scripted(game, seed=edition.getrandbits(20))
        examples = student.execute_episode(game, student.network(net), student.Config(simulations=3),
                                           student.rng(edition.getrandbits(30)))
        assert 1 <= len(examples) <= 6
        assert sorted(net.asked) == sorted([board] for board in net.boards([f"s{ply}" for ply in range(6 - len(examples), 6)]))


@pytest.mark.hint("what lets the search try a move that the network calls hopeless?")
def test_noise_tries_what_the_network_rules_out(student, edition):
    """an action with the prior 0, which the search alone would never visit, is tried thanks to the noise"""
    # x is worth .05, so without noise its bound stays above y's, which is 0. With noise y's is above
    # .375 eta sqrt(37) = 2.3 eta and x's about .05 + 1.1 sqrt(37) / 38 = .23: y is tried unless eta < .1,
    # which a Beta(5, 5) draw is once in 1,100 times; in 4 games running, once in 1e12.
    game = ToyGame({"s0": ["x", "y"]}, {"x": -0.05, "y": 1.0})
    net = keep_network(student, Scripted(game, {"s0": ([1.0, 0.0], 0.0)}))
    rng, config = student.rng(edition.getrandbits(30)), student.Config(simulations=37)
    episodes = student.many("execute_episode", [(game, net, config, rng)] * 4)
    assert [len(examples) for examples in episodes] == [1] * 4
    assert all(len(examples[0][1]) == 2 for examples in episodes)
    tried = np.array([examples[0][1] for examples in episodes])
    assert tried[:, 1].max() > 0.0
    assert tried * 37 == pytest.approx(np.round(tried * 37), abs=1e-4)  # so many of 37 simulations


@pytest.mark.hint("which roots of a game get noise?")
def test_every_move_of_a_game_gets_its_noise(student, edition):
    """the later roots get their noise too, and so does a root that was kept from the tree of the move before"""
    # The game of the check above, one forced move later. Half of the episodes begin at the forced move: none of 24 does
    # once in 1.7e7 tries, fewer than three once in 6e4; the noise fails to show in one of them once in 1,100.
    game = ToyGame({"s0": ["m"], "m": ["x", "y"]}, {"x": -0.05, "y": 1.0})
    net = keep_network(student, Scripted(game, {"m": ([1.0, 0.0], 0.0)}))
    rng, config = student.rng(edition.getrandbits(30)), student.Config(simulations=37)
    episodes = student.many("execute_episode", [(game, net, config, rng)] * 24)
    later = [policy for examples in episodes for state, policy, _ in examples if state == "m" and len(examples) == 2]
    assert later and all(len(policy) == 2 for policy in later)
    assert max(policy[1] for policy in later) > 0.0
    visits = np.array(later) * 73  # 37 simulations from the start, one of which ended at m, and 37 more from there
    assert visits == pytest.approx(np.round(visits), abs=1e-4)


@pytest.mark.hint("which of the hyperparameters reach the search?")
def test_the_search_uses_c(student, edition):
    """with c = 0 the better move gets nearly all visits, with a large c the visits follow the priors"""
    game = ToyGame({"s0": ["x", "y"]}, {"x": -0.5, "y": 0.5})
    net = keep_network(student, Scripted(game, {"s0": ([0.5, 0.5], 0.0)}))
    rng = student.rng(edition.getrandbits(30))
    greedy, curious = ([policy for _, policy, _ in student.execute_episode(game, net, student.Config(simulations=41, c=c), rng)]
                       for c in (0.0, 200.0))
    assert len(greedy) == len(curious) == 1 and len(greedy[0]) == len(curious[0]) == 2
    assert greedy[0][1] <= 1 / 41 + 1e-6
    assert curious[0][1] > 0.3  # the prior is at least .375, noise or not
