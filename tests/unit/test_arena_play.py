"""The board on which a person plays: clicks, answers, passes, both colours."""

import random

import pytest

from arena.games import FIVE_SIMULATIONS, ConnectFour, Othello, TicTacToe
from arena.players.random import RandomPlayer
from arena.show.play import PlayableBoard

GAMES = [TicTacToe(), ConnectFour(), Othello()]


class Lowest:
    def __init__(self, game):
        self.game, self.heard, self.games = game, [], 0

    def new_game(self):
        self.games += 1

    def observe(self, action):
        self.heard.append(action)

    def choose(self, state, simulations, rng):
        return self.game.legal_actions(state)[0]


def test_a_click_is_answered_and_both_are_told():
    opponent = Lowest(TicTacToe())
    board = PlayableBoard(TicTacToe(), opponent, you="X")
    board.click(4)
    assert board.actions == opponent.heard == [4, 0]
    assert board.message == "the answer: 0. X to move"
    assert str(board).startswith("O..\n.X.\n...")


def test_a_click_that_is_not_legal_changes_nothing_but_the_message():
    board = PlayableBoard(TicTacToe(), Lowest(TicTacToe()))
    board.click(4)
    board.click(4)
    assert board.actions == [4, 0]
    assert board.message == "4 is not legal here. Legal: 1, 2, 3, 5, 6, 7, 8"


def test_as_o_the_opponent_begins_and_a_new_game_forgets():
    opponent = Lowest(TicTacToe())
    board = PlayableBoard(TicTacToe(), opponent, you="O")
    assert board.actions == [0]
    board.new_game("X")
    assert (board.actions, opponent.games) == ([], 2)
    with pytest.raises(ValueError, match="X or O, not 'Y'"):
        board.new_game("Y")


def test_after_the_end_a_click_says_so():
    board = PlayableBoard(TicTacToe(), Lowest(TicTacToe()))
    for action in (4, 2, 6):
        board.click(action)
    assert "X has won. You won" in board.message
    board.click(8)
    assert board.actions == [4, 0, 2, 1, 6]
    assert "begin a new one" in board.message


def test_a_pass_is_pressed_by_you_and_gives_the_opponent_two_moves():
    game = Othello()
    board = PlayableBoard(game, Lowest(game), you="O")
    board.state = board.before = game.parse("XO..../....../....../....../....../..XO../O to move")
    board._answer()
    assert "O must pass" not in board.message  # 31 is a move
    board.state = board.before = game.parse("XO..../....../....../....../....../....../O to move")
    board._answer()
    assert "O must pass" in board.message and "press pass" in board.message
    board.click(36)
    assert board.actions[-2:] == [36, 2]
    assert "X has won, X 3 : O 0. You lost" in board.message


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("you", ["X", "O"])
def test_a_whole_game_can_be_clicked_and_the_buttons_show_it(game, you):
    board, rng = PlayableBoard(game, RandomPlayer(game), you=you), random.Random(3)
    box = board.widget()
    *grid, line, others = box.children
    labels = [button.description for button in others.children]
    assert labels[-2:] == ["new game as X", "new game as O"] and ("pass" in labels) == (game == Othello())
    while game.outcome(board.state) is None:
        action = rng.choice(game.legal_actions(board.state))
        if action == 36:
            others.children[0].click()
        elif game == ConnectFour():
            grid[0].children[action].click()
        else:
            width = len(grid[0].children)
            grid[action // width].children[action % width].click()
        shown = ["".join(button.description if button.description in ("X", "O") else "." for button in row.children)
                 for row in grid]
        assert shown == game.text(board.state).split("\n")[:len(grid)]
        assert line.value == board.message
    others.children[-2].click()
    assert game.outcome(board.state) is None


def test_a_game_without_a_board_is_drawn_and_has_no_buttons():
    toy = PlayableBoard(FIVE_SIMULATIONS, Lowest(FIVE_SIMULATIONS))
    assert set(toy._repr_mimebundle_()) == {"text/plain", "image/svg+xml"}
    with pytest.raises(ValueError, match="no squares to click on"):
        toy.widget()


def test_the_squares_where_you_may_play_are_numbered():
    game = Othello()
    *grid, _, _ = PlayableBoard(game, RandomPlayer(game)).widget().children
    assert [button.description for button in grid[1].children] == ["", "", "8", "", "", ""]


def test_a_notebook_gets_buttons_and_a_drawing_for_where_they_cannot_live():
    game = Othello()
    board = PlayableBoard(game, RandomPlayer(game))
    shown = board._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert shown["image/svg+xml"].startswith("<svg") and shown["text/plain"] == str(board)
