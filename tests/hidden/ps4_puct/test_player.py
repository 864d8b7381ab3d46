"""4.4's player: simulations added to tables, and a move drawn from their visits."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.ps4_puct.oracle import Evaluate, Tables, draw_toy, fan, line, searched
from tests.hidden.ps4_puct.test_mcts import MANY, WIDE, evaluator_of

pytestmark = pytest.mark.exercise("4.4")


@drawn_once
def telling_search(edition: Random, c: float = 1.5, least: int = 12) -> tuple[Any, dict, int, Tables]:
    """A toy game, the answers of evaluate, a number of simulations, and the tables after them, with a clear favourite
    that is neither the likeliest action nor the one with the best mean."""
    while True:
        game, evaluations = draw_toy(edition)
        root, simulations = game.start(), edition.randint(least, least + 20)
        known = searched(game, evaluator_of(evaluations), c, [root] * simulations)
        if known is None or len(known[0].N[root]) < 3:
            continue
        N, Q, P = (table[root] for table in (known[0].N, known[0].Q, known[0].P))
        top = max(N, key=N.get)
        if sorted(N.values())[-2] < N[top] and max(Q, key=Q.get) != top and max(P, key=P.get) != top:
            return game, evaluations, simulations, known[0]


@pytest.mark.hint("there are two players: who owns the tables?")
def test_a_new_player_has_empty_tables(student, edition):
    """one player's searches are unknown to another player, over the same game

    Promised: Plays by search; the tables in `mcts` stay from move to move and are new in each game. Each player has its own
    tables.
    """
    game, evaluations = fan({"a": None, "b": None}), {"s0": ({0: 0.5, 1: 0.5}, 0.0)}
    first, second = (student.MCTSPlayer(game, student.answers(evaluations, ({0: 1.0}, 0.0))) for _ in range(2))
    first.choose("s0", edition.randint(5, 9), student.rng(1))
    assert second.mcts.N == {}
    for player in (first, second):
        student.many_of(player, "new_game", [()])
        mcts = player.mcts
        ask("a new game begins: which of the four tables are empty then?")
        assert (mcts.outcomes, mcts.Q, mcts.N, mcts.P) == ({}, {}, {}, {})


@pytest.mark.hint("how many simulations are in the budget, and what does the first one at a new state do?")
def test_every_move_has_its_simulations_on_top_of_the_tables(student, edition):
    """each choose runs the given number of simulations from its state, and adds them to the tables of earlier moves

    Promised: simulations: the number of new simulations, added to the tables from earlier moves of the game;
    """
    game = line(30)
    evaluate = Evaluate({f"s{ply}": ({0: 1.0}, 0.1) for ply in range(30)})
    first, second = edition.randint(5, 8), edition.randint(5, 8)
    player, rng = student.MCTSPlayer(game, evaluate), student.rng(1)
    player.choose("s0", first, rng)
    ask("how many simulations does a move have, also when a single action is legal?")
    assert len(evaluate.states) == first
    player.choose("s2", second, rng)
    ask("the tables know the state from earlier moves: how many simulations does the move have?")
    if player.mcts.N.get("s0") is None:
        ask("what happens to the tables from one move of a game to the next?")
    assert len(evaluate.states) == first + second
    N = player.mcts.N
    assert N.get("s0") == {0: first - 1} and N.get("s2") == {0: first - 3 + second}
    for few in (1, 0):
        player.choose("s2", few, rng)
    ask("the budget is 1, or 0: how many simulations does the move have?")
    assert player.mcts.N.get("s2") == {0: first - 2 + second}
    student.many_of(player, "new_game", [()])
    player.choose("s2", second, rng)
    ask("with which tables does a new game begin: do they keep anything of the game before?")
    assert player.mcts.N.get("s2") == {0: second - 1}
    assert len(evaluate.states) == first + 2 * second + 1


@pytest.mark.hint("which number chooses the final move: the prior, the mean, the score or the visits?")
def test_the_most_visited_action_is_played(student, edition):
    """with temperature 0 the most visited action after the simulations is played, for any mean and any prior

    Promised: Run `simulations` more simulations from `state` and draw an action from `visit_policy`.
    """
    for c in (1.5, 3.0):
        game, evaluations, simulations, right = telling_search(edition, c)
        N = right.N[game.start()]
        evaluate = Evaluate(evaluations)
        player, rng = student.MCTSPlayer(game, evaluate, c), student.rng(edition.getrandbits(30))
        played = player.choose(game.start(), simulations, rng)
        ask("how many simulations does one move have, from which state, and with which c?")
        assert player.mcts.N == right.N
        assert evaluate.states == right.asked
        ask("which number chooses the final move: the prior, the mean, the score or the visits?")
        again = student.many_of(player, "choose", [(game.start(), 0, rng)] * 20)  # added to the tables
        if len({played, *again}) > 1:
            ask("do you play the most visited action each time, and what is the temperature when it is not given?")
        assert {played, *again} == {max(N, key=N.get)}
    #   a wins at once, so it is visited most, and no node below it is ever visited
    game, evaluations = fan({"a": -1.0, "b": None}), {"s0": ({0: 0.6, 1: 0.4}, 0.0), "b": ({0: 1.0}, -0.5)}
    player, rng = student.MCTSPlayer(game, student.answers(evaluations, ({}, 0.0))), student.rng(edition.getrandbits(30))
    ask("which visits choose the move: those of the action, or those of the state after it?")
    assert player.choose("s0", edition.randint(40, 60), rng) == 0


@pytest.mark.hint("the budget is large, and every simulation finds a win: how many simulations does the move have?")
def test_a_large_budget_is_used_up(student, edition):
    """a thousand simulations are made, even if the first one finds a win

    Promised: simulations: the number of new simulations, added to the tables from earlier moves of the game;
    """
    simulations = 1000 + edition.randint(5, 8)
    player = student.MCTSPlayer(line(1), student.answers({"s0": ({0: 1.0}, 0.1)}, ({0: 1.0}, 0.1)))
    player.choose("s0", simulations, student.rng(1))
    assert player.mcts.N.get("s0") == {0: simulations - 1}
    game, evaluations = fan({"a": -0.5, "b": 1.0, "c": None}), {"s0": ({0: 0.5, 1: 0.3, 2: 0.2}, 0.0)}
    player, simulations = student.MCTSPlayer(game, student.answers(evaluations, ({0: 1.0}, 0.0))), edition.randint(100, 300)
    ask("no other action can get more visits now: do you make the rest of the simulations too?")
    for more in (0, edition.randint(5, 9)):
        player.choose("s0", more or simulations, student.rng(1))
        assert sum(player.mcts.N.get("s0", {}).values()) == simulations - 1 + more
    player, some = student.MCTSPlayer(WIDE, student.answers({}, ({0: 1.0}, 0.25))), MANY[:1050]
    student.many_of(player, "choose", [(state, 2, student.rng(1)) for state in some])
    ask("a thousand states have rows: are the rows of the first one still there?")
    N = player.mcts.N
    assert (len(N), N.get(some[0])) == (1050, {0: 1})


@pytest.mark.hint("temperature is 1: do you always play the most visited action, or draw an action?")
def test_with_temperature_1_actions_come_in_proportion_to_visits(student, edition):
    """with temperature 1 the action is drawn in proportion to the visits, with 0 only the most visited is played

    Promised: Run `simulations` more simulations from `state` and draw an action from `visit_policy`.
    """
    game = fan({"a": -1.0, "b": 1.0, "c": 1.0})
    evaluations = {"s0": ({0: 0.2, 1: 0.5, 2: 0.3}, 0.0)}
    right, _ = searched(game, evaluator_of(evaluations), 12.0, ["s0"] * 11)
    N, draws = right.N["s0"], 240
    players = [student.MCTSPlayer(game, Evaluate(evaluations), 12.0, temperature) for temperature in (1.0, 0.0)]
    for player in players:
        player.choose("s0", 11, student.rng(edition.getrandbits(30)))
    rng = student.rng(edition.getrandbits(30))
    taken, greedy = (student.many_of(player, "choose", [("s0", 0, rng)] * draws) for player in players)  # added to the tables
    for action, visits in N.items():
        share = visits / sum(N.values())
        deviation = (draws * share * (1 - share)) ** 0.5
        assert abs(taken.count(action) - draws * share) < 6 * deviation  # once in 5e8 tries
    ask("temperature is 0: which actions may be played?")
    assert set(greedy) <= {action for action in N if N[action] == max(N.values())}


@pytest.mark.hint("two actions have most visits: may each be played, for any mean and any prior?")
def test_equal_visits_are_broken_by_rng(student, edition):
    """each of several most visited actions is played, for any prior and mean, by rng alone

    Promised: rng: breaks ties in the search and draws the action.
    """
    roots, ends = [f"at{n}" for n in range(36)], (0.25, -0.5, 0.0)
    moves = {"top": roots} | {root: [f"{root} {action}" for action in range(3)] for root in roots}
    game = ToyGame(moves, {f"{root} {action}": end for root in roots for action, end in enumerate(ends)}, start="top")
    before = student.disturb(edition.getrandbits(30))
    #   at0 itself, then one, which the search draws; or at0, then .75 > .6, which is poor, and .6 > .375 - .25: one visit each
    for simulations, priors in ((2, {0: 0.45, 1: 0.45, 2: 0.1}), (3, {0: 0.5, 1: 0.4, 2: 0.1})):
        taken = []
        seeds = [edition.getrandbits(30) for _ in roots]
        for _ in range(2):
            player, rngs = student.MCTSPlayer(game, student.answers({}, (priors, 0.0))), map(student.rng, seeds)
            taken += student.many_of(player, "choose", [(root, simulations, rng) for root, rng in zip(roots, rngs)])
        ask("which generator draws in the search and for the move, and which generators may you not use?")
        assert student.global_state() == before
        if simulations == 2:
            ask("two actions are equal for the search: which generator decides the first one to try?")
        else:
            ask("two actions have most visits: may each be played, for any mean and any prior?")
        assert set(taken) == {0, 1}  # by chance an action is missed once in 3e10 editions
        ask("does the same rng make the same search and the same move?")
        assert taken[:36] == taken[36:]
        player, rngs = student.MCTSPlayer(game, student.answers({}, (priors, 0.0))), (student.rng(seed + 1) for seed in seeds)
        ask("another rng is given: which generator breaks the ties in the search?")
        assert student.many_of(player, "choose", [(root, simulations, rng) for root, rng in zip(roots, rngs)]) != taken[:36]


@pytest.mark.hint("the game is over, or no action has a visit: what does the docstring say about this case?")
def test_nothing_to_choose_is_an_error(student, edition):
    """choose raises ValueError when the game is over, and after a single simulation of a new state

    Promised: ValueError: the game is over at `state`, or nothing was visited (a new state with one simulation, or none).
    """
    evaluate = Evaluate({"s0": ({0: 1.0}, 0.0)})
    for temperature in (0.0, 1.0):
        with student.raises(ValueError):
            student.MCTSPlayer(line(1), evaluate, 1.5, temperature).choose("s1", edition.randint(2, 9), student.rng(1))
        with student.raises(ValueError):
            student.MCTSPlayer(line(1), evaluate, 1.5, temperature).choose("s0", 1, student.rng(1))
