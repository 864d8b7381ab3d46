"""The joint check: the submission's own functions together."""

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask
from tests.hidden.full_games import full_game
from tests.hidden.ps1_games.boards import (
    FOUR,
    RULES,
    TTT,
    facts,
    finished,
    plies,
    read,
    replay,
    send,
    with_empties,
    won_with_the_last_stone,
)
from tests.hidden.ps1_games.test_values import exact_values

pytestmark = pytest.mark.exercise("joint", needs=("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10"))


@pytest.mark.hint("each function passes alone: what does each function expect from the others?")
def test_your_rules_play_whole_games(student, edition):
    """in games played by your own functions, from start() to the end, all states, moves and outcomes are right"""
    lines = [("TicTacToe", plies(TTT, edition)), ("TicTacToe", finished(edition, TTT, 0.0))]
    lines += [(name, won_with_the_last_stone(game, edition)) for name, game in RULES.items()]
    for name, played in lines:
        game, rules = getattr(student, name)(), RULES[name]
        states = [game.start()]
        for _, action in played[:-1]:
            states.append(game.play(states[-1], action))
        ask("your own moves lead from start to end: are board, mover and mask of each state right?")
        assert read(student, states) == [facts(rules, state) for state, _ in played]
        calls = [(state,) for state in states]
        ask("your own play made this state: does outcome use only its stones and its mover?")
        assert student.many_of(game, "outcome", calls) == [rules.outcome(state) for state, _ in played]
        ask("your own play made this state: does legal_actions use only its mask?")
        assert student.many_of(game, "legal_actions", calls) == [rules.legal_actions(state) for state, _ in played]


@pytest.mark.hint("a position and all its views have the same value: does your value use only board, mask and mover?")
def test_your_views_have_the_same_value(student, edition):
    """your exact value is right, and the same for the canonical form and for every symmetric view"""
    game = student.TicTacToe()
    for empties in (2, 3):
        state = with_empties(edition, empties)
        mine = send(student, [facts(TTT, state)])[0]
        seen = [view for view, _ in game.symmetries(mine, np.arange(9.0))] + [student.canonical(mine), mine]
        wanted = exact_values(TTT, state, {})[state]
        assert student.many("negamax", [(game, view) for view in seen]) == [wanted] * len(seen)


@pytest.mark.hint("only one line of play is left: does the result of your rollout equal your exact value?")
def test_your_playouts_come_out_as_they_must(student, edition):
    """with one move left, a random game with your own rules is worth exactly the value of that move"""
    positions = [("TicTacToe", TTT, with_empties(edition, 1))]
    for won in (False, True):
        states = [state for state, _ in replay(FOUR, full_game(edition, won=won))]
        positions.append(("ConnectFour", FOUR, next(state for state in states if len(FOUR.legal_actions(state)) == 1)))
    for name, rules, state in positions:
        mine = send(student, [facts(rules, state)])[0]
        rng = student.rng(edition.getrandbits(30))
        wanted = exact_values(rules, state, {})[state]
        assert student.many("random_playout", [(getattr(student, name)(), mine, rng)] * 4) == [wanted] * 4
