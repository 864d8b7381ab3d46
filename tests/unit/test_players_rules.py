"""The compiled rules agree with the readable rules in every position of random games."""

import random

import numpy as np
import pytest

from arena.games import State
from arena.players.rules import OPEN, SHORT_END, compiled, forced_win, legal, outcome, play, played_out, sound, wins_at_once
from arena.players.threats import THREATS, winning_threat
from arena.strength.positions import positions

GAMES = 300


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_random_games_agree_move_by_move(name: str) -> None:
    rules, rng, ends = compiled(name), random.Random(f"rules {name}"), set()
    for _ in range(GAMES):
        state = rules.game.start()
        while True:
            own, theirs = rules.bits_of(state)
            result = rules.game.outcome(state)
            assert outcome(rules.number, own, theirs) == (OPEN if result is None else result)
            if result is not None:
                ends.add(result)
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


@pytest.mark.usefixtures("computing")
def test_a_forced_win_is_what_the_readable_rules_find_by_threats_alone() -> None:
    rules, rng, count = compiled("connect_four"), random.Random("threats"), 0
    game = rules.game

    def winning(state: State) -> set[int]:
        return {action for action in game.legal_actions(state) if game.outcome(game.play(state, action)) == -1}

    def beginnings(state: State, threats: int) -> set[int]:
        """The moves that begin a win with at most `threats` moves that threaten."""
        return {action for action in game.legal_actions(state) if threats and forces(game.play(state, action), threats)}

    def forces(state: State, threats: int) -> bool:
        """Whether the player who has just moved wins by force."""
        if game.outcome(state) is not None or winning(state):
            return False
        other, mover = state
        wins = winning((mover, other))  # where the player who has just moved would win, if the other one passed
        if len(wins) != 1:
            return bool(wins)
        replied = game.play(state, *wins)
        return game.outcome(replied) is None and bool(winning(replied) or beginnings(replied, threats - 1))

    for _ in range(120):
        state = game.start()
        while game.outcome(state) is None:
            wins = winning(state)
            if not wins:
                begun, wins_by_force = beginnings(state, THREATS), forced_win(rules.number, *rules.bits_of(state))
                assert bool(wins_by_force) == bool(begun) and wins_by_force in {0, *(1 << action for action in begun)}
                count += bool(wins_by_force)
            state = game.play(state, rng.choice([*wins] or game.legal_actions(state)))
    assert count > 40


def test_the_search_for_threats_stays_within_its_stack() -> None:
    """as Python, which checks every index; compiled, a longer line would write behind the array"""
    rules, rng, deep = compiled("connect_four"), random.Random("a stack"), 0
    game = rules.game
    for _ in range(400):
        state = game.start()
        for _ in range(rng.randrange(8, 26)):
            if game.outcome(state) is None:
                state = game.play(state, rng.choice(game.legal_actions(state)))
        own, theirs = rules.bits_of(state)
        if game.outcome(state) is None and not wins_at_once(rules.number, own, theirs):
            deep += 1
            assert winning_threat.py_func(own, theirs) == winning_threat(own, theirs)
    assert deep > 150


def test_a_forced_win_is_no_mistake_at_a_solved_position() -> None:
    rules, count = compiled("connect_four"), 0
    for position in positions():
        bits = rules.bits_of(position.state)
        wins_by_force = 0 if wins_at_once(rules.number, *bits) else forced_win(rules.number, *bits)
        assert not wins_by_force or not position.is_mistake(wins_by_force.bit_length() - 1)
        count += bool(wins_by_force)
    assert count > 400


def test_in_other_games_no_win_is_forced() -> None:
    for name in ("tic_tac_toe", "othello"):
        rules = compiled(name)
        assert forced_win(rules.number, *rules.bits_of(rules.game.start())) == 0


def test_othello_looks_at_no_reply() -> None:
    rules = compiled("othello")
    own, theirs = rules.bits_of(rules.game.start())
    assert wins_at_once(rules.number, own, theirs) == 0
    assert sound(rules.number, own, theirs) == legal(rules.number, own, theirs) != 0


def test_a_short_end_of_othello_is_played_out() -> None:
    rules, rng = compiled("othello"), random.Random("short ends")
    game, results = rules.game, set()

    def best(state: State) -> int:
        result = game.outcome(state)
        return result if result is not None else max(-best(game.play(state, action)) for action in game.legal_actions(state))

    def result_of(state: State) -> int:
        over = game.outcome(state)
        return played_out(rules.number, *rules.bits_of(state)) if over is None else over

    for _ in range(40):
        state = game.start()
        while game.outcome(state) is None:
            free = 36 - sum(stones.bit_count() for stones in rules.bits_of(state))
            if free > SHORT_END:
                assert result_of(state) == OPEN
            else:  # the readable rules alone up to 5 free squares; above, a result follows from the results of the replies
                replies = [game.play(state, action) for action in game.legal_actions(state)]
                assert result_of(state) == (best(state) if free <= 5 else max(-result_of(reply) for reply in replies))
                results.add(result_of(state))
            state = game.play(state, rng.choice(game.legal_actions(state)))
    assert results == {-1, 0, 1}


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_other_games_are_not_played_out(name: str) -> None:
    rules = compiled(name)
    state = rules.game.start()
    while rules.game.outcome(state) is None:
        assert played_out(rules.number, *rules.bits_of(state)) == OPEN
        state = rules.game.play(state, rules.game.legal_actions(state)[0])


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_planes_and_symmetries_are_those_of_the_game(name: str) -> None:
    rules, rng = compiled(name), random.Random(f"turns {name}")
    state = rules.game.start()
    for _ in range(5):
        state = rules.game.play(state, rng.choice(rules.game.legal_actions(state)))
    planes = np.array([[[stones >> int(bit) & 1 for bit in row] for row in rules.bits] for stones in rules.bits_of(state)])
    assert (planes == rules.game.planes(state)).all()
    policy = np.arange(rules.num_actions, dtype=float)
    theirs = {(rules.game.planes(turned).tobytes(), tuple(moved)) for turned, moved in rules.game.symmetries(state, policy)}
    ours = {(planes.reshape(2, -1)[:, squares].astype(np.float32).tobytes(), tuple(policy[actions]))
            for squares, actions in zip(rules.turned_squares, rules.turned_actions)}
    assert ours == theirs and (rules.turned_squares[0] == np.arange(planes[0].size)).all()


def test_another_game_is_named() -> None:
    with pytest.raises(ValueError, match="no compiled rules for 'chess'"):
        compiled("chess")
