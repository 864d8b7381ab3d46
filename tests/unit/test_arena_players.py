"""Players and a game between them."""

import random

import pytest

from arena.games import ConnectFour, IllegalMove, Othello, TicTacToe, after
from arena.match import play_game
from arena.players.human import HumanPlayer
from arena.players.random import RandomPlayer


class Scripted:
    def __init__(self, actions):
        self.actions = iter(actions)

    def choose(self, state, simulations, rng):
        return next(self.actions)


def test_a_game_is_played_to_its_end_and_valued_for_the_first_player():
    game, rng = TicTacToe(), random.Random(0)
    assert play_game(game, (Scripted([0, 1, 2]), Scripted([3, 4])), 1, rng) == ([0, 3, 1, 4, 2], 1.0)
    assert play_game(game, (Scripted([0, 1, 8]), Scripted([3, 4, 5])), 1, rng) == ([0, 3, 1, 4, 8, 5], -1.0)
    assert play_game(game, (Scripted([0, 2, 3, 7, 8]), Scripted([1, 4, 5, 6])), 1, rng)[1] == 0.0
    with pytest.raises(IllegalMove):
        play_game(game, (Scripted([0]), Scripted([0])), 1, rng)


def test_the_random_player_plays_every_legal_action_about_equally_often():
    game, rng = ConnectFour(), random.Random(11)
    state = after(game, [3] * 6)
    counts = [0] * 7
    for _ in range(6000):
        counts[RandomPlayer(game).choose(state, 0, rng)] += 1
    assert counts[3] == 0
    # 1000 expected, standard deviation 29: a deviation of six of these comes once in half a billion tries
    assert all(abs(count - 1000) < 174 for column, count in enumerate(counts) if column != 3)


def test_the_random_player_has_nothing_to_choose_after_the_end():
    game = TicTacToe()
    with pytest.raises(ValueError, match="the game is over"):
        RandomPlayer(game).choose(after(game, [0, 3, 1, 4, 2]), 0, random.Random(0))


def test_a_human_is_asked_until_the_move_is_legal(capsys):
    game = TicTacToe()
    answers = iter(["hello", "0", "-1", " 4 "])
    player = HumanPlayer(game, ask=lambda question: next(answers))
    assert player.choose(after(game, [0]), 100, random.Random(0)) == 4
    shown = capsys.readouterr().out
    assert "X.." in shown and "'0' is not one of them" in shown


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("answer", ["pass", "36"])
def test_a_human_passes_when_there_is_nothing_else_and_only_then(answer, capsys):
    game, asked = Othello(), []
    answers = iter(["2", answer, answer, "2"])

    def ask(question):
        asked.append(question)
        return next(answers)

    player = HumanPlayer(game, ask=ask)
    blocked = game.parse("XO..../....../....../....../....../....../O to move")
    assert player.choose(blocked, 1, random.Random(0)) == 36
    assert "36, a pass" in asked[0] and "O must pass" in capsys.readouterr().out
    assert player.choose(game.play(blocked, 36), 1, random.Random(0)) == 2
    assert f"{answer!r} is not one of them" in capsys.readouterr().out


def test_random_players_play_othello_to_its_end_passes_included():
    game, rng, results, passes = Othello(), random.Random(5), set(), 0
    for _ in range(150):
        actions, result = play_game(game, (RandomPlayer(game), RandomPlayer(game)), 1, rng)
        final = after(game, actions)
        assert game.outcome(final) == (result if game.player(final) == 0 else -result)
        results.add(result)
        passes += 36 in actions
    assert results == {1.0, 0.0, -1.0} and passes > 10


def test_a_human_may_stop():
    with pytest.raises(EOFError):
        HumanPlayer(TicTacToe(), ask=lambda question: "q").choose((0, 0), 0, random.Random(0))
