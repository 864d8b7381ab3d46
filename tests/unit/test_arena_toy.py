"""Toy games: tables with the same protocol as the games; for a bad table a sentence says exactly what is wrong."""

import pytest

from arena.games import FIVE_SIMULATIONS, IllegalMove, ToyGame, after


def test_the_table_is_the_rules():
    game = FIVE_SIMULATIONS
    assert (game.start(), game.num_actions) == ("s0", 2)
    assert game.legal_actions("s0") == [0, 1]
    assert game.play("s0", 1) == "s2"
    assert [game.player(state) for state in ("s0", "s2", "s5")] == [0, 1, 0]
    assert after(game, [1, 0]) == "s5"


def test_a_state_without_successors_is_over_and_has_its_value_as_outcome():
    game = FIVE_SIMULATIONS
    assert [game.outcome(state) for state in ("s0", "s2", "s5", "s6")] == [None, None, -14.0, 0.0]
    assert game.legal_actions("s5") == []
    assert ToyGame({"s0": ["s1"], "s1": []}, {"s1": 1.0}).outcome("s1") == 1.0


def test_evaluate_answers_for_every_state():
    assert [FIVE_SIMULATIONS.evaluate(state) for state in ("s0", "s1", "s2", "s5")] == [0.0, 20.0, 10.0, -14.0]


@pytest.mark.parametrize("state, action", [("s0", 2), ("s0", -1), ("s5", 0), ("s0", None)])
def test_other_actions_are_illegal(state, action):
    with pytest.raises(IllegalMove):
        FIVE_SIMULATIONS.play(state, action)


def test_an_unknown_state_is_named():
    for question in ("legal_actions", "outcome", "player", "evaluate", "text"):
        with pytest.raises(ValueError, match="unknown state 's9'"):
            getattr(FIVE_SIMULATIONS, question)("s9")


@pytest.mark.parametrize("transitions, values, error", [
    ({"s0": ["s1"], "s1": ["s2"], "s2": ["s1"]}, {}, "s1 -> s2 -> s1"),
    ({"s0": ["s0"]}, {}, "s0 -> s0"),
    ({"s0": ["s1"]}, {"s7": 1.0}, "unknown state 's7'"),
    ({"s0": ["s1"], "s8": ["s1"]}, {}, "unknown state 's8'"),
    ({"s0": ["s1", "s2"], "s1": ["s2"]}, {}, "state 's2' is reached by an even and by an odd number of moves")])
def test_bad_data_is_an_error_that_names_the_state(transitions, values, error):
    with pytest.raises(ValueError, match=error):
        ToyGame(transitions, values)


def test_two_paths_may_meet_when_the_same_player_is_to_move():
    game = ToyGame({"s0": ["s1", "s2"], "s1": ["s3"], "s2": ["s3"]}, {"s3": 1.0})
    assert game.player("s3") == 0


def test_data_make_the_game_again():
    data = FIVE_SIMULATIONS.data()
    game = ToyGame.from_data(data)
    assert game == FIVE_SIMULATIONS and hash(game) == hash(FIVE_SIMULATIONS)
    assert game != ToyGame({"s0": ["s1"]}, {})
    data["transitions"]["s0"].clear()  # a copy: the game does not change
    assert FIVE_SIMULATIONS.legal_actions("s0") == [0, 1]


def test_planes_and_symmetries_fit_the_protocol():
    game = FIVE_SIMULATIONS
    assert game.planes("s0").shape == (2, 1, 7)
    assert [(state, policy.tolist()) for state, policy in game.symmetries("s1", [0.5, 0.5])] == [("s1", [0.5, 0.5])]
