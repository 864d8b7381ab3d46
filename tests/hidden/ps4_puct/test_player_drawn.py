"""4.4's player on random games: whole games, defaults, several players, and every temperature."""

from random import Random
from typing import Any

import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.generators import draw_game, states_of
from tests.hidden.ps4_puct.oracle import (
    BOARD,
    FOUR,
    OTHELLO,
    Evaluate,
    Tables,
    TieError,
    draw_shape,
    fan,
    opinion,
    random_game,
    searched,
)
from tests.hidden.ps4_puct.test_choice_drawn import right_policy
from tests.hidden.ps4_puct.test_mcts_drawn import draw_evaluations

pytestmark = pytest.mark.exercise("4.4")


def begin_again(student: Any, player: Any) -> None:
    """Tell a player that a new game begins; the method may be its own or an inherited one."""
    student.many_of(player, "new_game", [()])


@drawn_once
def drawn_playing(edition: Random) -> list[tuple]:
    """Games with the states that follow in play, the budget at each, the answers of evaluate, and our tables."""
    cases: list[tuple] = []
    for shape in ("bushy", "forced", "wide", "bushy", "large"):
        while True:
            game = draw_shape(edition, shape)
            evaluations, state, way = draw_evaluations(edition, game), game.start(), []
            tables, other = Tables(game, evaluations.get, 1.5), Tables(game, evaluations.get, 1.0)
            try:
                while game.outcome(state) is None:
                    budget = edition.choice([2, 3, 7, edition.randint(4, 20)])
                    for _ in range(budget):
                        tables.simulate(state)
                        other.simulate(state)
                    way.append((state, budget, {place: dict(row) for place, row in tables.N.items()}))
                    state = game.play(state, edition.choice(game.legal_actions(state)))
            except TieError:
                continue
            if (len(way) > 1 or shape == "wide") and tables.N != other.N:  # so that c = 1.5 can be told from 1
                cases.append((game, evaluations, way))
                break
    return cases + [real_playing(edition, game) for game in (BOARD, FOUR, OTHELLO)]


def real_playing(edition: Random, game: Any) -> tuple:
    """The same for three moves of a real game, one of them where a win is there; in Othello from a state anywhere in it."""
    while True:
        states, _ = random_game(edition, game)
        evaluation_of, first, way = opinion(game, edition.getrandbits(30)), edition.randrange(len(states) - 4), []
        after = [game.play(state, action) for state in states[first : first + 3] for action in game.legal_actions(state)]
        if game is not OTHELLO and all(game.outcome(state) != -1.0 for state in after):
            continue
        tables = Tables(game, evaluation_of, 1.5)
        try:
            for state in states[first : first + 3]:
                for _ in range(12):
                    tables.simulate(state)
                way.append((state, 12, {place: dict(row) for place, row in tables.N.items()}))
        except TieError:
            continue
        return game, {state: evaluation_of(state) for state in tables.asked}, way


@pytest.mark.hint("what does the player know at its next move, and which c and temperature does it have by default?")
def test_a_player_through_whole_games(student, edition):
    """with the defaults, from move to move, the tables are those of PUCT with c = 1.5 in any game, and most visits choose

    Promised: Plays by search; the tables in `mcts` stay from move to move and are new in each game.
    Promised: If they are not given, c is 1.5 and temperature 0.
    """
    for game, evaluations, way in drawn_playing(edition):
        player = student.MCTSPlayer(game, Evaluate(evaluations))
        for _ in range(2):
            rng = student.rng(edition.getrandbits(30))
            for turn, (state, budget, N) in enumerate(way):
                action = player.choose(state, budget, rng)
                if turn:
                    ask("what does the player know at its next move, and which c does it have by default?")
                else:
                    ask("how many simulations does a move have, and which c by default?")
                assert player.mcts.N == N
                ask("which number chooses the move by default?")
                assert action in [a for a, count in N[state].items() if count == max(N[state].values())]
            begin_again(student, player)


@pytest.mark.hint("there are two players: who owns the tables?")
def test_two_players_have_tables_of_their_own(student, edition):
    """a player learns nothing from another player, and a new game of one does not change the other's tables

    Promised: Plays by search; the tables in `mcts` stay from move to move and are new in each game. Each player has its own
    tables.
    """
    game, evaluations, way = drawn_playing(edition)[0]
    (state, budget, N), rng = way[0], student.rng(edition.getrandbits(30))
    first, second = (student.MCTSPlayer(game, Evaluate(evaluations)) for _ in range(2))
    first.choose(state, budget, rng)
    second.choose(state, budget, rng)
    assert first.mcts.N == second.mcts.N == N
    begin_again(student, second)
    assert first.mcts.N == N and second.mcts.N == second.mcts.outcomes == {}


@pytest.mark.hint("no action has a visit, or the game is over, also drawn: what does the docstring say about this case?")
def test_nothing_visited_or_nothing_to_play_is_an_error(student, edition):
    """choose raises ValueError without a simulation at a new state, and at every end of a game, won, lost or drawn

    Promised: ValueError: the game is over at `state`, or nothing was visited (a new state with one simulation, or none).
    """
    for outcome in (0.0, 1.0, -1.0):
        game = fan({"a": outcome, "b": 0.5})
        player = student.MCTSPlayer(game, Evaluate({"s0": ({0: 0.5, 1: 0.5}, 0.0)}))
        player.choose("s0", 4, student.rng(edition.getrandbits(30)))
        for simulations in (0, 5):
            with student.raises(ValueError):
                player.choose("a", simulations, student.rng(1))
    over = draw_game(edition, "over")
    with student.raises(ValueError):
        student.MCTSPlayer(over, Evaluate({})).choose(states_of(over)[0], 3, student.rng(1))
    game, evaluations, _ = drawn_playing(edition)[1]
    for simulations in (0, 1):
        with student.raises(ValueError):
            student.MCTSPlayer(game, Evaluate(evaluations)).choose(game.start(), simulations, student.rng(1))


@pytest.mark.hint("with which probability do you draw each action, at exactly this temperature?")
def test_every_temperature_draws_from_its_policy(student, edition):
    """the move is drawn from the policy of the visits with the player's own temperature, by rng alone

    Promised: Run `simulations` more simulations from `state` and draw an action from `visit_policy`.
    """
    game, evaluations = fan({"a": -1.0, "b": 1.0, "c": 1.0}), {"s0": ({0: 0.2, 1: 0.5, 2: 0.3}, 0.0)}
    right, _ = searched(game, evaluations.get, 12.0, ["s0"] * 11)
    before, draws = student.disturb(edition.getrandbits(30)), 1000
    for temperature in (0.5, 2.0, 5.0):
        player = student.MCTSPlayer(game, Evaluate(evaluations), 12.0, temperature)
        student.many_of(player, "choose", [("s0", 11, student.rng(1))])
        seed = edition.getrandbits(30)
        calls = [[("s0", 0, rng)] * draws for rng in (student.rng(seed), student.rng(seed))]  # the tables are full: only a draw
        taken = student.many_of(player, "choose", calls[0])
        ask("which generator draws the move, and does the same rng draw the same?")
        assert student.many_of(player, "choose", calls[1][:40]) == taken[:40]
        ask("with which probability do you draw each action, at exactly this temperature?")
        for action, share in right_policy(right.N["s0"], temperature).items():
            deviation = (draws * share * (1 - share)) ** 0.5
            assert abs(taken.count(action) - draws * share) < 6 * deviation + 1  # once in 5e8 tries
    ask("which generator draws the move, and which generators may you not use?")
    assert student.global_state() == before
    #   two actions: .41 > .34, so a is first, and loses; then b wins, and 1 > -1 + .75 * .55 * 8 / 2 up to 64 visits
    game, evaluations, budget = fan({"a": 1.0, "b": -1.0}), {"s0": ({0: 0.55, 1: 0.45}, 0.0)}, edition.randint(56, 64)
    player = student.MCTSPlayer(game, student.answers(evaluations, ({}, 0.0)), 0.75, 1.0)
    student.many_of(player, "choose", [("s0", budget, student.rng(1))])
    ask("two actions are legal, and one has few visits: how often is it drawn?")
    rare = student.many_of(player, "choose", [("s0", 0, student.rng(edition.getrandbits(30)))] * 1500).count(0)
    # one visit in 55 to 63: 24 to 27 of 1,500, a deviation of 5.2; none once in 2e10, 65 once in 4e10
    assert 0 < rare < 65
