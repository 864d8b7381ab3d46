"""The compiled rules agree with the readable rules in every position of random games."""

import random

import numpy as np
import pytest

from arena.players.rules import OPEN, compiled, legal, outcome, play, sound, wins_at_once

GAMES = 300


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_random_games_agree_move_by_move(name: str) -> None:
    rules, rng, ends = compiled(name), random.Random(f"rules {name}"), set()
    for _ in range(GAMES):
        state = rules.game.start()
        while True:
            own, theirs = rules.bits_of(state)
            told = rules.game.outcome(state)
            assert outcome(rules.number, own, theirs) == (OPEN if told is None else told)
            if told is not None:
                ends.add(told)
                break
            actions = rules.game.legal_actions(state)
            assert legal(rules.number, own, theirs) == sum(1 << action for action in actions)
            for action in actions:
                assert play(rules.number, own, theirs, action) == rules.bits_of(rules.game.play(state, action))
            state = rules.game.play(state, rng.choice(actions))
    assert len(ends) >= 2


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_what_wins_at_once_and_what_lets_the_other_player_win_is_what_two_plies_of_the_rules_say(name: str) -> None:
    rules, rng, counts = compiled(name), random.Random(f"two plies {name}"), set()
    game = rules.game

    def winning(state: tuple[int, ...]) -> list[int]:
        return [action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1]

    for _ in range(GAMES):
        state = game.start()
        while game.outcome(state) is None:
            wins, actions = winning(state), game.legal_actions(state)
            assert wins_at_once(rules.number, *rules.bits_of(state)) == sum(1 << action for action in wins)
            if not wins:
                kept = [action for action in actions if not winning(game.play(state, action))]
                assert sound(rules.number, *rules.bits_of(state)) == sum(1 << action for action in kept)
                counts.add(min(len(kept), 2) if len(kept) < len(actions) else 3)
            state = game.play(state, rng.choice(wins or actions))
    assert counts >= {0, 1, 3}


def test_othello_looks_at_no_reply() -> None:
    rules = compiled("othello")
    own, theirs = rules.bits_of(rules.game.start())
    assert wins_at_once(rules.number, own, theirs) == 0
    assert sound(rules.number, own, theirs) == legal(rules.number, own, theirs) != 0


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_planes_and_symmetries_are_those_of_the_game(name: str) -> None:
    rules, rng = compiled(name), random.Random(f"turns {name}")
    state = rules.game.start()
    for _ in range(5):
        state = rules.game.play(state, rng.choice(rules.game.legal_actions(state)))
    planes = np.array([[[stones >> int(bit) & 1 for bit in row] for row in rules.bits] for stones in rules.bits_of(state)])
    assert (planes == rules.game.planes(state)).all()
    policy = np.arange(rules.num_actions, dtype=float)
    theirs = {(rules.game.planes(turned).tobytes(), tuple(told)) for turned, told in rules.game.symmetries(state, policy)}
    ours = {(planes.reshape(2, -1)[:, squares].astype(np.float32).tobytes(), tuple(policy[actions]))
            for squares, actions in zip(rules.turned_squares, rules.turned_actions)}
    assert ours == theirs and (rules.turned_squares[0] == np.arange(planes[0].size)).all()


def test_another_game_is_named() -> None:
    with pytest.raises(ValueError, match="no compiled rules for 'chess'"):
        compiled("chess")
