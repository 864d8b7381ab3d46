"""5.8: one game against itself, and the examples that come from it."""

from typing import Any

import numpy as np
import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.answer_types import array, listof, pair
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps5_alphazero.conftest import state as game_state
from tests.hidden.ps5_alphazero.nodes import hang, keep, keep_network, made, plant
from tests.hidden.ps5_alphazero.oracle import BOARD, COLUMNS, REVERSI, Scripted, line, random_game, shares, table_game

pytestmark = pytest.mark.exercise("5.8")

TOY = ToyGame({"s0": ["a", "b", "c"], "a": ["d"], "b": ["e"], "c": ["f"]}, {})
HISTORY = listof(pair(game_state, array("f", (None,))))


# -- opening ------------------------------------------------------------------------------------------


@pytest.mark.hint("how often is the opening the start of the game, and how many random moves can there be?")
def test_half_of_the_openings_are_random(student, edition):
    """half of the openings are the start; after the others 1, 2, 3 or 4 moves have been played, equally often

    Promised: Return the state where an episode begins: `game.start()` in half of the episodes, else a few random moves
    later. The number of random moves is 1, 2, 3 or 4, each equally likely, and every legal action is equally likely.
    """
    states = student.many("opening", [(COLUMNS, student.rng(edition.getrandbits(30)))] * 2500)
    plies = [sum(stones.bit_count() for stones in state) if type(state) is tuple else -1 for state in states]
    # 1250 starts, deviation 25; 137 off is left once in 2e7 tries. Of each other number 312, deviation 16.5: 91 off.
    ask("how often is the opening the start: can your number of random moves also be 0?")
    assert 1113 <= plies.count(0) <= 1387
    ask("how many random moves can there be, and is each number equally likely?")
    assert [(number, plies.count(number)) for number in (1, 2, 3, 4) if not 221 <= plies.count(number) <= 404] == []
    assert set(plies) == {0, 1, 2, 3, 4}
    ask("is every legal action equally likely, also the last one, at every random move?")
    firsts = [state for state, number in zip(states, plies, strict=True) if number == 1]
    after_one = {COLUMNS.play(COLUMNS.start(), action) for action in range(7)}
    # Some 312 of one move, at least 221: 32 for each column at the least expected, deviation 5.2.
    assert set(firsts) == after_one
    assert [(state, firsts.count(state)) for state in after_one if not firsts.count(state) < len(firsts) / 7 + 45] == []
    second = {COLUMNS.play(state, action): action for state in after_one for action in range(7)}
    seconds = [second.get(state) for state, number in zip(states, plies, strict=True) if number == 2]
    assert set(seconds) == set(range(7))
    assert [(action, seconds.count(action)) for action in range(7) if not seconds.count(action) < len(seconds) / 7 + 45] == []


@pytest.mark.hint("what would a search do at a finished game?")
def test_no_opening_is_a_finished_game(student, edition):
    """random moves stop before the end, even if the game is over at its start, or can end with the next move

    Promised: The returned state is never finished, unless the start is: as in 4.8 the opening stops before a move that
    would end the game.
    """
    short = ToyGame({"s0": ["a", "b"], "a": ["c", "d"]}, {})
    rng = student.rng(edition.getrandbits(30))
    ask("what would a search do at a finished game: may a random move end the game?")
    assert set(student.many("opening", [(short, rng)] * 80)) == {"s0", "a"}  # by chance "a" is missed once in 1e9 tries
    assert set(student.many("opening", [(line(1, -1.0), rng)] * 20)) == {"s0"}
    openings = student.many("opening", [(line(3, 1.0), rng)] * 500)
    assert set(openings) == {"s0", "s1", "s2"}
    ask("the next random move would end the game: does the opening go back to the start?")
    assert openings.count("s0") < 318  # 250, deviation 11.2; with a return to the start before an end there are 375
    gap = table_game({"": {1: "a", 20: "b"}, "a": {3: "end"}, "b": {3: "end"}}, {}, 21, {})
    openings = student.many("opening", [(gap, rng)] * 300)
    random = len(openings) - openings.count("")
    # Half of the random ones are "a", with a deviation of half the root of their number: 6 of them are left once in 5e8 tries.
    ask("is every legal action equally likely, whatever its number is?")
    assert set(openings) == {"", "a", "b"} and abs(openings.count("a") - random / 2) < 3 * random**0.5
    ask("A game may be over at its start: which moves are legal there?")
    assert set(student.many("opening", [(ToyGame({}, {"s0": 0.0}), rng)] * 20)) == {"s0"}


# -- what a game teaches ------------------------------------------------------------------------------


def examples_of(game: Any, history: list[tuple[Any, np.ndarray]], final: Any) -> list[tuple[Any, np.ndarray, float]]:
    """The right examples, made by the grader."""
    outcome, loser = game.outcome(final), game.player(final)
    return [(turned, moved, outcome if game.player(state) == loser else -outcome)
            for state, policy in history for turned, moved in game.symmetries(state, policy)]


def differences(got: list[tuple], wanted: list[tuple]) -> tuple[list[tuple], list[tuple]]:
    """The wanted examples that are missing, and the examples that nobody wants; their order does not matter."""
    left, missing = list(got), []
    for state, policy, value in wanted:
        for number, (other, moved, worth) in enumerate(left):
            if other == state and worth == value and moved.shape == policy.shape and np.allclose(moved, policy, atol=1e-6):
                del left[number]
                break
        else:
            missing.append((state, policy, value))
    return missing, left


def same(got: list[tuple], wanted: list[tuple]) -> bool:
    """Whether these are the same examples, in any order."""
    return differences(got, wanted) == ([], [])


def policy_at(edition: Any, game: Any, state: Any) -> np.ndarray:
    """A random policy over all actions, 0 at illegal ones, with all entries different."""
    policy, actions = np.zeros(game.num_actions), game.legal_actions(state)
    policy[actions] = shares(edition, len(actions))
    return policy


@pytest.mark.hint("who is to move after a pass?")
def test_values_survive_a_pass(student, edition):
    """in Othello, which has passes, each value belongs to the player to move at the position

    Promised: The value is the game's result for the player to move at the example's state: the mover's view; `game.player`
    gives that player.
    """
    states = random_game(edition, REVERSI)
    while not (passes := [i for i, state in enumerate(states[:-1]) if REVERSI.legal_actions(state) == [36]]
               ) or REVERSI.outcome(states[-1]) == 0.0:
        states = random_game(edition, REVERSI)
    begin = max(0, passes[-1] - 2)
    history = [(state, policy_at(edition, REVERSI, state)) for state in states[begin:-1]]
    got, wanted = student.make_examples(REVERSI, history, states[-1]), examples_of(REVERSI, history, states[-1])
    if not same(got, wanted):
        stones, outcome = [int(REVERSI.planes(state).sum()) for state in states[begin:]], REVERSI.outcome(states[-1])
        counted = [(turned, moved, outcome * (-1) ** (stones[-1] - number)) for (state, policy), number in zip(history, stones)
                   for turned, moved in REVERSI.symmetries(state, policy)]
        once = [(state, policy, outcome * (-1) ** (len(history) - ply)) for ply, (state, policy) in enumerate(history)]
        recognise(same(got, once), {"is every position there with all its symmetries?": True})
        recognise(same(got, counted), {"who is to move after a pass: do you count moves, or ask the game?": True})
    ask("which positions are examples, with which policies, and for whom is each result?")
    assert differences(got, wanted) == ([], [])


@pytest.mark.hint("which positions are examples, and for whom is each result?")
def test_every_mover_learns_its_own_result(student, edition):
    """the value is the result for the player to move at the position: it alternates, from the end to the opening

    Promised: The value is the game's result for the player to move at the example's state: the mover's view;
    """
    for plies in (4, 5):
        for end in (-1.0, 1.0):
            game = line(plies, end)
            history = [(f"s{ply}", np.ones(1)) for ply in range(plies)]
            values = [end * (-1) ** (plies - ply) for ply in range(plies)]
            got = student.make_examples(game, history, f"s{plies}")
            if not same(got, examples_of(game, history, f"s{plies}")):
                pairs = sorted((str(state), value) for state, _, value in got)
                names = [f"s{ply}" for ply in range(plies + 1)]
                recognise([value for _, value in pairs], {
                    "one result: can it be good for both players?": [pairs[0][1]] * plies if pairs else None,
                    "who is to move when the game is over: the winner or the loser?": [-value for value in values]})
                recognise([name for name, _ in pairs], {
                    "how often is a position among the examples: is it one of its own symmetries?": sorted(names[:-1] * 2),
                    "which policy does the finished position have: is it an example?": names,
                    "to which position does a policy belong: to the position before the move, or after it?": names[1:],
                    "is the first position of a game also an example?": names[1:-1],
                    "is the last position before the end also an example?": names[:-2]})
            assert differences(got, examples_of(game, history, f"s{plies}")) == ([], [])


@pytest.mark.hint("what is a drawn game worth, for either player?")
def test_a_draw_is_a_draw_for_both(student, edition):
    """a drawn game has the value 0 for both players, at every position

    Promised: The value is the game's result for the player to move at the example's state: the mover's view;
    """
    for plies in (1, 2, 3):
        history = [(f"s{ply}", np.ones(1)) for ply in range(plies)]
        game = line(plies, 0.0)
        assert differences(student.make_examples(game, history, f"s{plies}"), examples_of(game, history, f"s{plies}")) == ([], [])


@pytest.mark.hint("when the board turns, what must turn with it?")
def test_policies_turn_with_their_boards(student, edition):
    """each position is there with all its symmetries, and each policy is turned like its board

    Promised: Each state is there with all its symmetries, each distinct pair of state and policy once, and the policy moves
    with the board.
    """
    for game in (BOARD, COLUMNS):
        states = random_game(edition, game)
        history = [(state, policy_at(edition, game, state)) for state in states[:-1]]
        wanted = examples_of(game, history, states[-1])
        got = student.make_examples(game, history, states[-1])
        frozen = [(turned, policy, value) for state, policy in history for turned, _ in game.symmetries(state, policy)
                  for value in [next(v for s, _, v in wanted if s == turned)]]
        if not same(got, wanted):
            recognise(same(got, frozen), {"when the board turns, what must turn with it?": True})
        ask("is every position there with all its symmetries, and do you turn each policy like its board?")
        assert differences(got, wanted) == ([], [])


@pytest.mark.hint("a position looks the same when it is turned: how often does it count?")
def test_a_symmetric_position_counts_once(student, edition):
    """equal symmetries give one example; an empty board with an even policy is a single example

    Promised: Each state is there with all its symmetries, each distinct pair of state and policy once, and the policy moves
    with the board.
    """
    states = random_game(edition, BOARD)
    later = [(state, policy_at(edition, BOARD, state)) for state in states[1:-1]]
    for first, times in ((np.full(9, 1 / 9), 1), (np.eye(9)[edition.choice([0, 2, 6, 8])], 4)):
        history = [(states[0], first), *later]
        got = student.make_examples(BOARD, history, states[-1])
        assert sum(state == states[0] for state, _, _ in got) == times
        assert differences(got, examples_of(BOARD, history, states[-1])) == ([], [])


@pytest.mark.hint("for how many positions is there a policy?")
def test_nothing_played_teaches_nothing(student, edition):
    """without a move there are no examples: a finished position has no policy

    Promised: The finished state has no policy, and is no example.
    """
    assert student.make_examples(BOARD, [], random_game(edition)[-1]) == []


# -- a move -------------------------------------------------------------------------------------------


def family(student: Any, visits: list[int]) -> tuple[Any, list[Any]]:
    """A searched root of TOY with its three children."""
    root = plant(student, TOY, "s0", [0.2, 0.3, 0.5], visits, [0.1, 0.2, 0.3])
    children = [plant(student, TOY, name, [1.0], [1], [0.5]) for name in "abc"]
    hang(root, dict(enumerate(children)), 3)
    return root, children


@pytest.mark.hint("which policy should the network learn, for any move that is played?")
def test_the_policy_is_remembered_at_temperature_one(student, edition):
    """the state and the share of the visits are appended, for drawn moves and for later moves

    Promised: The policy is always that of the visits at temperature 1, however the move is chosen.
    """
    for visits, exploring in (([6, 1, 3], 5), ([6, 1, 3], 0), ([18, 1, 1], 5), ([18, 1, 1], 0)):
        root, _ = family(student, visits)
        history = keep(student, [("earlier", np.array([1.0, 0.0, 0.0]))])
        student.play_move(TOY, root, history, student.Config(exploring_plies=exploring), student.rng(edition.getrandbits(30)))
        remembered = HISTORY(student.read(history))
        ask("which positions are in the history after a move: the earlier ones, and this one at the end?")
        assert [state for state, _ in remembered] == ["earlier", "s0"]
        shared = [number / sum(visits) for number in visits]
        if remembered[1][1] != pytest.approx(shared, abs=1e-6):
            recognise(remembered[1][1], {
                "what goes into the examples: only the most visited move, or the share of every move?": [1.0, 0.0, 0.0],
                "what should the network learn: its own priors, or the visits of the search?": [0.2, 0.3, 0.5]})
        ask("which policy do you remember for any move: at which temperature?")
        assert remembered[1][1] == pytest.approx(shared, abs=1e-6)
        ask("do the policies of the earlier moves stay unchanged?")
        assert remembered[0][1] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)


@pytest.mark.hint("is the next root the child that the search made, or a new node?")
def test_the_move_keeps_its_subtree(student, edition):
    """the next root is the child itself, with its statistics, and the old root does not change

    Promised: The tree below the move is kept. `root` is not changed.
    """
    root, children = family(student, [0, 4, 0])
    chosen = student.play_move(TOY, root, [], student.Config(), student.rng(1))
    ask("which probabilities draw a move: the priors, or the visits?")
    assert chosen.state == "b"
    ask("is the next root the child that the search made, or a new node?")
    assert chosen == children[1]
    assert (chosen.P, chosen.N, chosen.Q) == ([1.0], [1], [0.5])
    assert (root.N, root.children) == ([0, 4, 0], children)


@pytest.mark.hint("do you draw the move, and with which probabilities?")
def test_early_moves_are_drawn_by_their_visits(student, edition):
    """in the first exploring_plies moves each action is played in proportion to its visits

    Promised: config: the first `exploring_plies` moves of the history are drawn from this policy by rng, the only source of
    chance;
    """
    root, children = family(student, [6, 1, 3])
    rng, config = student.rng(edition.getrandbits(30)), student.Config(exploring_plies=2)
    chosen = student.many("play_move", [(TOY, root, history, config, rng) for history in ([], [("s0", np.ones(3) / 3)])] * 400)
    first, second = set(chosen[::2]), set(chosen[1::2])
    ask("do you draw an early move at all, or play the most visited one from the beginning?")
    assert len(first) > 1
    ask("how many moves do you draw: does this move already count when you compare with exploring_plies?")
    assert len(second) > 1
    ask("which probabilities draw an early move: the priors, the visits, or equal ones?")
    # 480, 80 and 240 of 800 expected, deviations 13.9, 8.5, 13; six of them are exceeded once in 5e8 tries.
    for child, expected, slack in zip(children, (480, 80, 240), (84, 51, 78), strict=True):
        assert abs(chosen.count(child) - expected) <= slack
    ask("one action has nearly all visits: do you also draw this move?")
    root, children = family(student, [19, 0, 1])
    chosen = student.many("play_move", [(TOY, root, [], config, rng)] * 400)
    assert set(chosen) == {children[0], children[2]}  # by chance the second one is missed once in 8e8 tries


@pytest.mark.hint("which move is the last one that you draw, and which move do you play afterwards?")
def test_later_moves_are_the_most_visited(student, edition):
    """from exploring_plies moves on, the action with most visits is played every time, even if the next one is close

    Promised: each later move is an action with most visits.
    """
    root, children = family(student, [199, 1, 200])
    rng = student.rng(edition.getrandbits(30))
    for exploring in (0, 2):
        history = [("s0", np.ones(3) / 3)] * exploring
        calls = [(TOY, root, history, student.Config(exploring_plies=exploring), rng)] * 30
        played = set(student.many("play_move", calls))
        if played != {children[2]}:
            ask(question_about_later_moves(student, exploring, rng))
        assert played == {children[2]}


def question_about_later_moves(student: Any, exploring: int, rng: Any) -> str:
    """The question about a later move that is drawn, by the moves played in the end, and with visits that are far apart."""
    history = [("s0", np.ones(3) / 3)] * (exploring + 9)
    played = []
    for visits in ([199, 1, 200], [6, 1, 3]):
        root, children = family(student, visits)
        calls = [(TOY, root, history, student.Config(exploring_plies=exploring), rng)] * 30
        played.append(set(student.many("play_move", calls)))
        if len(played[-1]) == 1:
            return ("how many moves do you draw: which is the first one that you do not draw?" if len(played) == 1 else
                    "do you draw a later move at a low temperature, or play the most visited one?")
    return "which moves do you draw, and which not?"


@pytest.mark.hint("does your function use only the given rng: no other generator, and no seed of its own?")
def test_openings_and_moves_repeat_with_their_rng(student, edition):
    """the same rng gives the same openings and moves again, another rng others, and no other generator is used

    Promised: config: the first `exploring_plies` moves of the history are drawn from this policy by rng, the only source of
    chance;
    """
    seed, before = edition.getrandbits(30), student.disturb(edition.getrandbits(30))
    root, children = family(student, [3, 3, 4])
    openings, moves = [], []
    for number in (seed, seed, seed + 1):
        rng, config = student.rng(number), student.Config(exploring_plies=9)
        openings.append(student.many("opening", [(COLUMNS, rng)] * 25))
        played = student.many("play_move", [(TOY, root, [], config, rng)] * 25)
        assert set(played) <= set(children)
        moves.append([children.index(child) for child in played])
    ask("where do the random moves of an opening come from: from rng, or from another generator?")
    assert openings[0] == openings[1] != openings[2]
    ask("what draws the moves of an episode: rng, or another generator?")
    assert moves[0] == moves[1] != moves[2]
    ask("does your function use only the given rng: no other generator, and no seed of its own?")
    assert student.global_state() == before


# -- a whole game -------------------------------------------------------------------------------------


@pytest.mark.hint("at which state does an episode begin, and at which does it end?")
def test_an_episode_is_a_game_from_its_opening(student, edition):
    """the examples are all positions from the opening to the last move, each with its policy and its mover's result

    Promised: Play one game of the network against itself and return its examples. The game begins at `opening(game, rng)`.
    """
    game, net = line(5, -1.0), Scripted(line(5, -1.0), seed=edition.getrandbits(20))
    config, rng = student.Config(simulations=edition.randint(2, 5)), student.rng(edition.getrandbits(30))
    # Each question to the grader's network costs a message: it sees six games, the others are played with a table.
    table = keep(student, made(student, "TableNet", game, {}))
    nets = [keep_network(student, net)] * 6 + [table] * 54
    episodes = student.many("execute_episode", [(game, its_net, config, rng) for its_net in nets])
    for examples in episodes:
        ask("which positions are examples: all from the opening to the last one before the end?")
        assert 1 <= len(examples) <= 5
        assert sorted(str(state) for state, _, _ in examples) == [f"s{ply}" for ply in range(5 - len(examples), 5)]
        ask("which value is a target: the result of the game for each mover, or the search's value?")
        history = [(f"s{ply}", np.ones(1)) for ply in range(5 - len(examples), 5)]
        assert differences(examples, examples_of(game, history, "s5")) == ([], [])
    ask("where does an episode begin: always at the start, or at an opening?")
    # 30 of 60 begin at the start, deviation 3.9; 8 or fewer come once in 4e9 tries.
    assert 8 < sum(len(examples) == 5 for examples in episodes) < 52
    assert net.strange == 0


@pytest.mark.hint("the tree below the move is kept: do you call the network twice for a position?")
def test_the_tree_is_kept_from_move_to_move(student, edition):
    """the network is called for each position of a forced game exactly once

    Promised: For each move the root gets its priors from the network (unless the kept tree already has them), then noise,
    then `config.simulations` simulations with `config.c`, and then `play_move` plays.
    """
    game = line(6, 1.0)
    for _ in range(3):
        net = Scripted(game, seed=edition.getrandbits(20))
        examples = student.execute_episode(game, student.network(net), student.Config(simulations=3),
                                           student.rng(edition.getrandbits(30)))
        assert 1 <= len(examples) <= 6
        assert sorted(net.asked) == sorted([board] for board in net.boards([f"s{ply}" for ply in range(6 - len(examples), 6)]))


@pytest.mark.hint("how many simulations does each move of a game get?")
def test_every_move_gets_its_simulations(student, edition):
    """each move gets the configured number of simulations, added to those of the kept tree

    Promised: For each move the root gets its priors from the network (unless the kept tree already has them), then noise,
    then `config.simulations` simulations with `config.c`, and then `play_move` plays.
    """
    game = ToyGame({"s0": ["m"], "m": ["x", "y"]}, {})
    net, simulations = keep_network(student, Scripted(game, {"m": ([0.5, 0.5], 0.0)})), 37
    config, rng = student.Config(simulations=simulations), student.rng(edition.getrandbits(30))
    for examples in student.many("execute_episode", [(game, net, config, rng)] * 12):
        policies = [policy for state, policy, _ in examples if state == "m"]
        assert len(policies) == 1 and len(policies[0]) == 2
        kept = simulations - 1 if len(examples) == 2 else 0  # from the start one simulation ends at m, the others go on
        visits = policies[0] * (simulations + kept)
        ask("a kept tree has simulations: do you subtract them from those of the next move?" if kept else
            "how many simulations does a move get?")
        assert visits == pytest.approx(np.round(visits), abs=1e-4) and min(visits) > 0.5


@pytest.mark.hint("why does the search try a move with prior 0, and when must the noise be there?")
def test_noise_tries_what_the_network_rules_out(student, edition):
    """an action with prior 0, which the search alone would never visit, is tried because of the noise

    Promised: For each move the root gets its priors from the network (unless the kept tree already has them), then noise,
    then `config.simulations` simulations with `config.c`, and then `play_move` plays.
    """
    # x is worth .05, so without noise its bound stays above y's, which is 0. With noise y's is above
    # .375 eta sqrt(37) = 2.3 eta and x's about .05 + 1.1 sqrt(37) / 38 = .23: y is tried unless eta < .1,
    # which a Beta(5, 5) draw is once in 1,100 times; in 4 games running, once in 1e12.
    game = ToyGame({"s0": ["x", "y"]}, {"x": -0.05, "y": 1.0})
    net = keep_network(student, Scripted(game, {"s0": ([1.0, 0.0], 0.0)}))
    rng, config = student.rng(edition.getrandbits(30)), student.Config(simulations=37)
    episodes = student.many("execute_episode", [(game, net, config, rng)] * 4)
    assert [len(examples) for examples in episodes] == [1] * 4
    assert [examples for examples in episodes if len(examples[0][1]) != 2] == []
    tried = np.array([examples[0][1] for examples in episodes])
    assert tried[:, 1].max() > 0.0
    assert tried * 37 == pytest.approx(np.round(tried * 37), abs=1e-4)  # whole numbers of the 37 simulations


@pytest.mark.hint("which roots of a game get noise: only the first one, or each of them?")
def test_every_move_of_a_game_gets_its_noise(student, edition):
    """later roots get their noise too, also a root that was kept from the tree of the move before

    Promised: For each move the root gets its priors from the network (unless the kept tree already has them), then noise,
    then `config.simulations` simulations with `config.c`, and then `play_move` plays.
    """
    # The game of the check above, one forced move later. Half of the episodes begin at the forced move: none of 24 does
    # once in 1.7e7 tries, fewer than three once in 6e4; the noise is not visible in one of them once in 1,100.
    game = ToyGame({"s0": ["m"], "m": ["x", "y"]}, {"x": -0.05, "y": 1.0})
    net = keep_network(student, Scripted(game, {"m": ([1.0, 0.0], 0.0)}))
    # The later root is beyond exploring_plies, which the noise does not ask about.
    rng, config = student.rng(edition.getrandbits(30)), student.Config(simulations=37, exploring_plies=1)
    episodes = student.many("execute_episode", [(game, net, config, rng)] * 24)
    later = [policy for examples in episodes for state, policy, _ in examples if state == "m" and len(examples) == 2]
    assert later and [policy for policy in later if len(policy) != 2] == [], (
        "each policy must have two entries, and there must be later positions"
    )
    assert max(policy[1] for policy in later) > 0.0
    visits = np.array(later) * 73  # 37 simulations from the start, one of which ended at m, and 37 more from there
    assert visits == pytest.approx(np.round(visits), abs=1e-4)


@pytest.mark.hint("which c does the search get: the config's?")
def test_the_search_uses_c(student, edition):
    """with c = 0 the better move gets nearly all visits, with a large c the visits follow the priors

    Promised: For each move the root gets its priors from the network (unless the kept tree already has them), then noise,
    then `config.simulations` simulations with `config.c`, and then `play_move` plays.
    """
    game = ToyGame({"s0": ["x", "y"]}, {"x": -0.5, "y": 0.5})
    net = keep_network(student, Scripted(game, {"s0": ([0.5, 0.5], 0.0)}))
    rng = student.rng(edition.getrandbits(30))
    greedy, curious = ([policy for _, policy, _ in student.execute_episode(game, net, student.Config(simulations=41, c=c), rng)]
                       for c in (0.0, 200.0))
    assert len(greedy) == len(curious) == 1 and len(greedy[0]) == len(curious[0]) == 2
    assert greedy[0][1] <= 1 / 41 + 1e-6
    assert curious[0][1] > 0.3  # the prior is at least .375, noise or not
