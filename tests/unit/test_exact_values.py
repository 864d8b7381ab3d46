"""The exact values in an exam's report: which positions have them, and that they are the solver's."""

import random

from arena.challenge.move_values import ALPHABET, letters
from arena.games import ConnectFour, after
from arena.players.solver import Solver
from arena.result import MatchResult, PlayedGame
from autograder.challenge.exam import exact_values as module
from autograder.challenge.exam.exact_values import FROM_STONES, FROM_STONES_WON, exact_values

GAME = ConnectFour()


def random_game(seed: int, score: float, least: int = 30) -> PlayedGame:
    """A game of at least `least` random moves; the score is not the board's."""
    rng, actions = random.Random(seed), []
    while GAME.outcome(state := after(GAME, actions)) is None:
        actions.append(rng.choice(GAME.legal_actions(state)))
    return PlayedGame(tuple(actions), 8, 0, score) if len(actions) >= least else random_game(seed + 1000, score, least)


def test_a_letter_stands_for_a_score():
    assert letters([0, 1, -1, 21, -21, None]) == "VWUqA-" and len(set(ALPHABET)) == 43


def test_the_later_positions_of_a_game_have_the_solver_s_values_and_lost_games_more_of_them():
    games, solver = (random_game(1, 1.0), random_game(2, 0.0), random_game(3, 0.5)), Solver(16)
    values = exact_values([("Stone", MatchResult(("you", "Stone"), games))], solver)["Stone"]
    for game, text in zip(games, values, strict=True):
        begin = FROM_STONES_WON if game.score == 1.0 else FROM_STONES
        states = [after(GAME, game.actions[:place]) for place in range(begin, len(game.actions))]
        assert text == "".join(letters(solver.scores(state)) for state in states)


def test_a_game_that_is_over_before_has_none_and_the_opening_never_has():
    short, late = PlayedGame((3, 0, 3, 0, 3, 0, 3), 6, 0, 1.0), random_game(4, 0.0)
    late = PlayedGame(late.actions, len(late.actions) - 2, 0, 0.0)
    values = exact_values([("Sand", MatchResult(("you", "Sand"), (short, late)))], Solver(16))
    assert values["Sand"][0] == "" and len(values["Sand"][1]) == 2 * 7


def test_the_effort_has_a_limit_and_the_last_match_comes_first(monkeypatch):
    game = random_game(5, 0.0)
    matches = [(name, MatchResult(("you", name), (game, game))) for name in ("Sand", "Stone")]
    monkeypatch.setattr(module, "MOST_POSITIONS", 3 * (len(game.actions) - FROM_STONES))
    values = exact_values(matches, Solver(16))
    assert values["Sand"][1] == "" and values["Sand"][0] == values["Stone"][0] == values["Stone"][1] != ""
