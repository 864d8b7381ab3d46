"""The widgets without a browser: messages in, replies out, and what is shown where no widget lives."""

import json
import random
import re
import sys

import pytest

from arena.board import messages
from arena.board.widgets import play_widget, step_widget, tree_widget
from arena.errors import UserError
from arena.games import FIVE_SIMULATIONS, ConnectFour, Othello, TicTacToe
from arena.show.play import PlayableBoard
from arena.show.step import Phases
from autograder.problem_sets.source import load
from solutions import ps2_uct

GAME = TicTacToe()
FIVE = Phases(ps2_uct.select, ps2_uct.expand, FIVE_SIMULATIONS.evaluate, ps2_uct.backpropagate)


def eval_last(cell, namespace):
    """Run a cell and return the value of its last expression, as a notebook shows it."""
    *lines, last = cell.strip().split("\n")
    exec("\n".join(lines), namespace)
    return eval(last, namespace)


class Lowest:
    def choose(self, state, simulations, rng):
        return GAME.legal_actions(state)[0]


@pytest.fixture
def ask(monkeypatch):
    """Return a function that sends one request to a widget, as its page does, and returns the reply."""
    sent = []
    monkeypatch.setattr(messages.AskingWidget, "send", lambda self, content: sent.append(content))

    def asked(widget, request):
        widget._handle_custom_msg({"id": "view 1", "request": json.dumps(request)}, [])
        assert sent[-1]["id"] == "view 1"
        return json.loads(sent[-1]["reply"])

    return asked


@pytest.mark.usefixtures("processes")
def test_a_game_is_played_by_messages(ask):
    widget = play_widget(GAME, Lowest(), simulations=7)
    assert ask(widget, {"do": "play", "action": 4})["board"]["turn"] == "opponent"
    answer = ask(widget, {"do": "think", "simulations": 7})
    assert answer["played"] == 0 and answer["board"]["rows"] == ["O..", ".X.", "..."]


@pytest.mark.usefixtures("processes")
def test_as_o_the_player_begins(ask):
    board = ask(play_widget(GAME, Lowest(), you="O"), {"do": "games"})["board"]
    assert (board["you"], board["turn"], board["opponent"]["simulations"]) == ("O", "opponent", 100)


@pytest.mark.usefixtures("processes")
def test_a_search_that_is_not_written_is_a_sentence_on_the_board(ask):
    class Stub:
        def choose(self, state, simulations, rng):
            raise NotImplementedError("exercise 2.9 (search) is not written yet")

    widget = play_widget(GAME, Stub(), you="O")
    assert "exercise 2.9 (search) is not written yet" in ask(widget, {"do": "think", "simulations": 1})["error"]


@pytest.mark.usefixtures("processes")
def test_an_opponent_of_the_board_is_asked_for_by_its_name_and_a_game_begins_where_one_wants(ask):
    board = ask(play_widget(GAME, "perfect", you="O", moves="357"), {"do": "games"})["board"]
    assert (board["rows"], board["turn"], board["opponent"]["name"]) == (["...", "X.O", ".X."], "you", "Perfect")
    board = ask(play_widget(ConnectFour(), "stone"), {"do": "games"})["board"]
    assert board["opponent"]["name"] == "Stone" and board["opponent"]["simulations"] > 100
    board = ask(play_widget(ConnectFour(), "uct", simulations=50), {"do": "games"})["board"]
    assert board["opponent"] == {"key": "uct", "name": "UCT", "simulations": 50}


@pytest.mark.parametrize("ps, name", [("ps2_uct", "Perfect"), ("ps3_connect_four", "Stone"), ("ps4_puct", "Network")])
@pytest.mark.usefixtures("processes")
def test_a_lesson_opens_with_a_game(ask, ps, name):
    opening = next(cell.stub for cell in load(ps).cells if cell.role == "experiment")
    namespace = {"TicTacToe": TicTacToe, "ConnectFour": ConnectFour, "Othello": Othello}
    board = ask(eval_last(opening, namespace), {"do": "games"})["board"]
    assert board["opponent"]["name"].startswith(name) and board["turn"] == "you"


@pytest.mark.parametrize("words, sentence", [
    ({"player": "stone"}, "Tic-Tac-Toe has no opponent 'stone'; choose from uct"),
    ({"player": "uct", "moves": "11"}, "move 2 of 11: 1 is not legal here"),
    ({"player": "uct", "simulations": 0}, "a search needs at least 1 simulation"),
])
def test_an_opponent_or_moves_that_do_not_exist_are_a_sentence(words, sentence):
    with pytest.raises(UserError, match=re.escape(sentence)):
        play_widget(GAME, **words)


@pytest.mark.parametrize("game, you, sentence", [
    (FIVE_SIMULATIONS, "X", "a game of your own"), (GAME, "Y", "`you` must be X or O, not 'Y'")])
def test_what_the_board_cannot_play_is_a_sentence(game, you, sentence):
    with pytest.raises(UserError, match=sentence):
        play_widget(game, Lowest(), you=you)


@pytest.mark.usefixtures("processes")
def test_a_tree_is_read_and_a_simulation_runs_by_messages(ask):
    tree = ps2_uct.search(GAME, GAME.start(), 30, 1.0, random.Random(1))[1]
    assert ask(tree_widget(GAME, tree), {"kind": "start"})["nodes"]["r"]["node"]["n"] == 30
    widget = step_widget(FIVE_SIMULATIONS, ps2_uct.TreeNode("s0"), FIVE, rng=random.Random(1))
    assert [ask(widget, {"kind": "phase"})["name"] for _ in range(2)] == ["selection", "expansion"]
    assert "error" in ask(widget, None)


def test_a_saved_notebook_shows_a_board_or_a_line():
    data, _ = play_widget(ConnectFour(), Lowest())._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg") and "run this cell" in data["text/plain"]
    data, _ = step_widget(FIVE_SIMULATIONS, ps2_uct.TreeNode("s0"), FIVE, rng=random.Random(1))._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data and "run this cell" in data["text/plain"]


def test_without_anywidget_the_board_has_plain_buttons_and_the_tree_says_what_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "arena.board.messages")
    monkeypatch.setitem(sys.modules, "anywidget", None)  # the import fails
    assert isinstance(play_widget(GAME, Lowest()), PlayableBoard)
    with pytest.raises(UserError, match="anywidget"):
        play_widget(GAME, "perfect")
    with pytest.raises(UserError, match="anywidget"):
        tree_widget(GAME, ps2_uct.TreeNode(GAME.start()))
