"""Replays: the solver finds the move that lost the game, and a sentence says so."""

import random

import pytest

from arena.challenge import mistakes as replay
from arena.challenge.mistakes import Lesson, lessons, mistakes, worst_first
from arena.games import ConnectFour, after, result_for
from arena.players.perfect import PerfectPlayer
from arena.players.solver import Solver
from arena.result import MatchResult, PlayedGame
from arena.strength.positions import sign

GAME = ConnectFour()


def test_a_win_that_is_not_taken_and_a_loss_that_is_not_blocked(perfect: PerfectPlayer) -> None:
    # X: 3 3 3, O: 0 0 0, X to move wins at once with 3; plays 6; then O, who wins at once with 0, plays 0
    game = PlayedGame((3, 0, 3, 0, 3, 0, 6, 0), 6, 0, 0.0)
    listed = mistakes(game, perfect)
    assert [mistake.sentence() for mistake in listed] == ["move 7: column 6 loses in 2; column 3 wins in 1"]
    assert listed[0].given_away == 2
    assert mistakes(PlayedGame(game.actions, 6, 1, 1.0), perfect) == []  # O made no mistake
    assert mistakes(PlayedGame(game.actions, 8, 0, 0.0), perfect) == []  # the opening belongs to no player


def test_perfect_play_has_no_mistakes_and_random_play_has(perfect: PerfectPlayer) -> None:
    rng = random.Random(3)
    state, actions = after(GAME, [3, 3, 2, 4, 1, 0, 5, 6, 6, 1]), [3, 3, 2, 4, 1, 0, 5, 6, 6, 1]
    while GAME.outcome(state) is None:
        perfect_turn = GAME.player(state) == 0
        actions.append(perfect.choose(state, 0, rng) if perfect_turn else rng.choice(GAME.legal_actions(state)))
        state = GAME.play(state, actions[-1])
    assert mistakes(PlayedGame(tuple(actions), 10, 0, 1.0), perfect) == []
    theirs = [Lesson("Random", 0, mistake) for mistake in mistakes(PlayedGame(tuple(actions), 10, 1, 0.0), perfect)]
    amounts = [lesson.mistake.given_away for lesson in worst_first(theirs)]
    assert amounts == sorted(amounts, reverse=True)


def random_game(seed: int) -> PlayedGame:
    """A random game of X against O, from an opening of twelve stones that no player has won."""
    rng, opening = random.Random(seed), [3, 3, 2, 4, 1, 0, 5, 6, 6, 1, 2, 4]
    state, actions = after(GAME, opening), list(opening)
    while GAME.outcome(state) is None:
        actions.append(rng.choice(GAME.legal_actions(state)))
        state = GAME.play(state, actions[-1])
    return PlayedGame(tuple(actions), len(opening), 0, (1 + result_for(GAME, state, 0)) / 2)


def test_signs_find_the_mistakes_that_all_scores_find(perfect: PerfectPlayer) -> None:
    for seed in range(6):
        game, state, expected = random_game(seed), GAME.start(), []
        for place, action in enumerate(game.actions):
            if place >= 12 and GAME.player(state) == 0:
                scores = perfect.scores(state)
                if sign(scores[action]) < sign(max(scores.values())):
                    expected.append((place + 1, action, scores[action], max(scores.values())))
            state = GAME.play(state, action)
        listed = mistakes(game, perfect)
        assert [(mistake.number, mistake.played, mistake.played_score, mistake.best_score) for mistake in listed] == expected


def test_lessons_come_from_lost_games_then_drawn_ones_of_the_last_match_first(
    perfect: PerfectPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [game for game in map(random_game, range(40)) if mistakes(game, perfect)]
    lost = next(game for game in games if game.score == 0.0)
    won = PlayedGame(lost.actions, 12, 0, 1.0)
    drawn = PlayedGame(lost.actions, 12, 0, 0.5)
    matches = [(name, MatchResult(("you", name), of)) for name, of in (("Random", (lost, won)), ("Sand", (drawn, won, lost)))]
    listed = lessons(matches, perfect)
    # won games are not examined
    assert {(lesson.rung, lesson.game) for lesson in listed} == {("Random", 0), ("Sand", 0), ("Sand", 2)}
    own_moves = len(lost.actions[12::2])
    for budget, places in ((own_moves, {("Sand", 2)}), (2 * own_moves, {("Sand", 2), ("Sand", 0)}), (0, set())):
        monkeypatch.setattr(replay, "MOST_POSITIONS", budget)
        assert {(lesson.rung, lesson.game) for lesson in lessons(matches, perfect)} == places
    assert lessons(matches, perfect) == lessons(matches, PerfectPlayer(Solver(18)))  # all that was solved before
