"""The playable board without a page: the rules, steps back, requests that cannot be carried out, and the four minds' numbers."""

import itertools
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from arena.board import engines
from arena.board.minds import UCT
from arena.board.opponents import Opponent, asking
from arena.board.positions import GAMES, open_position, start
from arena.board.session import Session
from arena.board.truth import deciding_move, empty_squares
from arena.games import after, result_for
from arena.games.boards import rows
from arena.players.network import search_all
from arena.players.perfect import PerfectPlayer
from arena.players.random import RandomPlayer
from arena.players.solver import Solver
from arena.players.uct import visit_counts

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
QUIET = "5545140640001140"  # a position of Connect Four in which no next move wins


def ask(session: Session, do: str, **fields: Any) -> dict[str, Any]:
    """Ask until nothing is being loaded; an answer is JSON."""
    while True:
        answer = session.answer({"do": do, **fields})
        json.dumps(answer)
        minds = answer.get("minds", {}).values()
        if "waiting" not in answer and not any("waiting" in mind for mind in minds):
            return answer
        time.sleep(0.05)


def minds_at(game: str, moves: str, step: int = 0, seed: int = 1) -> dict[str, Any]:
    """The four minds on a position; the solver knows all moves, and the searches have made `step` simulations."""
    session = Session(seed=seed)
    ask(session, "position", game=game, moves=moves, opponent="nobody")
    answer = ask(session, "minds")
    if step:
        answer = ask(session, "minds", step=step)
    while not answer["minds"]["solver"]["done"]:
        answer = ask(session, "minds")
    return answer["minds"]


def visits(mind: dict[str, Any]) -> dict[int, int]:
    return {move["action"]: move["visits"] for move in mind["moves"]}


def values(mind: dict[str, Any]) -> dict[int, float]:
    return {move["action"]: move["value"] for move in mind["moves"]}


def most_visited(mind: dict[str, Any]) -> int:
    return max(visits(mind), key=visits(mind).__getitem__)


def random_line(game: str, seed: int, until: int) -> str:
    """The moves of a random game, as text, up to `until` empty squares or the end."""
    rng, position = random.Random(seed), start(game)
    while not position.over and empty_squares(position) > until:
        position = position.play(rng.choice(position.legal))
    return position.moves


# ---- the game


@pytest.mark.parametrize("game", GAMES)
def test_a_game_against_a_player_follows_the_rules_to_its_end(game: str) -> None:
    session, rng = Session(seed=3), random.Random(4)
    board = ask(session, "new", game=game, opponent="random", you="O")["board"]
    while not board["over"]:
        if board["turn"] == "you":
            board = ask(session, "play", action=rng.choice(board["legal"]))["board"]
        else:
            board = ask(session, "think")["board"]
        assert board["rows"] == rows(GAMES[game], after(GAMES[game], board["actions"]))
    assert board["turn"] == "nobody" and board["legal"] == [] and board["result"] in (-1.0, 0.0, 1.0)


def test_the_row_that_won_is_named() -> None:
    board = ask(Session(), "position", game="tic_tac_toe", moves="04152", opponent="nobody")["board"]
    assert (board["caption"], board["row"], board["result"]) == ("X has won", [(0, 0), (0, 1), (0, 2)], 1.0)


def test_a_pass_is_a_move_of_othello() -> None:
    moves = next(moves for seed in itertools.count() if (moves := to_a_pass(seed)))
    session = Session()
    board = ask(session, "position", game="othello", moves=moves, opponent="nobody")["board"]
    assert board["must_pass"] and board["legal"] == [board["pass_action"]]
    assert ask(session, "play", action=36)["board"]["mover"] != board["mover"]


def to_a_pass(seed: int) -> str:
    rng, position = random.Random(seed), start("othello")
    while not position.over:
        if position.legal == [36]:
            return position.moves
        position = position.play(rng.choice(position.legal))
    return ""


def test_a_step_back_takes_the_answer_back_too() -> None:
    session = Session(seed=1)
    ask(session, "new", game="tic_tac_toe", opponent="random", you="X")
    for _ in range(2):
        ask(session, "play", action=ask(session, "new")["board"]["legal"][0])
    ask(session, "think")
    assert len(ask(session, "undo")["board"]["actions"]) == 0
    assert ask(session, "undo")["error"] == "you have no move to take back"


def test_with_nobody_as_the_opponent_both_sides_are_yours() -> None:
    session = Session()
    ask(session, "new", game="connect_four", opponent="nobody")
    for column in (3, 3, 4):
        assert ask(session, "play", action=column)["board"]["turn"] == "you"
    assert ask(session, "undo")["board"]["moves"] == "33"


def test_a_position_opens_by_its_moves_and_you_are_to_move() -> None:
    session = Session()
    board = ask(session, "position", game="connect_four", moves="4435")["board"]
    assert (board["actions"], board["you"], board["turn"]) == ([4, 4, 3, 5], "X", "you")
    board = ask(session, "position", game="othello", moves="13.9.10")["board"]
    assert (board["actions"], board["you"], board["moves"]) == ([13, 9, 10], "O", "13.9.10")


@pytest.mark.parametrize("request_, word", [
    (None, "an object"),
    ([], "an object"),
    ({}, "a request is one of"),
    ({"do": "fly"}, "a request is one of"),
    ({"do": ["play"]}, "`do` must be a text"),
    ({"do": "play"}, "`action` must be a whole number from 0 to 6"),
    ({"do": "play", "action": "3"}, "whole number"),
    ({"do": "play", "action": True}, "whole number"),
    ({"do": "play", "action": 7}, "whole number"),
    ({"do": "play", "action": 3.0}, "whole number"),
    ({"do": "new", "game": "chess"}, "no game is called 'chess'"),
    ({"do": "new", "opponent": "nobody else"}, "no opponent"),
    ({"do": "new", "you": "Z"}, "X or O"),
    ({"do": "new", "opponent": "uct", "simulations": 0}, "at least 1"),
    ({"do": "new", "opponent": "uct", "simulations": 10**9}, "100,000"),
    ({"do": "position", "moves": "0000000"}, "move 7 of 0000000: 0 is not legal here"),
    ({"do": "position", "moves": "44 5"}, "digits"),
    ({"do": "position", "moves": "<script>"}, "digits"),
    ({"do": "position", "moves": "3" * 10_000}, "digits"),
    ({"do": "position", "moves": "٣"}, "digits"),
    ({"do": "position", "game": "othello", "moves": "8..14"}, "dots"),
    ({"do": "think"}, "not the opponent's turn"),
    ({"do": "undo"}, "no move to take back"),
    ({"do": "minds", "step": -1}, "whole number"),
    ({"do": "minds", "step": 10**9}, "5,000"),
])
def test_a_request_that_cannot_be_carried_out_gets_a_sentence_and_changes_nothing(request_: Any, word: str) -> None:
    session = Session()
    before = ask(session, "games")["board"]
    answer = session.answer(request_)
    assert word in answer["error"] and answer["board"] == before


def test_after_the_end_there_is_nothing_to_play_and_nothing_to_think() -> None:
    session = Session()
    ask(session, "position", game="tic_tac_toe", moves="04152", opponent="nobody")
    assert "the game is over" in ask(session, "play", action=8)["error"]
    assert "the game is over" in ask(session, "minds")["error"]


# ---- the opponents


def test_an_opponent_thinks_step_by_step_and_plays_its_most_visited_move_when_its_budget_is_used_up() -> None:
    session = Session(seed=5)
    ask(session, "new", game="connect_four", opponent="uct", simulations=100, you="O")
    counts = []
    while True:
        answer = ask(session, "think", simulations=30)
        counts.append(answer["thought"]["simulations"])
        if answer["played"] is not None:
            break
    assert counts == [30, 60, 90, 100]
    assert answer["played"] == most_visited(answer["thought"]) == answer["board"]["actions"][0]


@pytest.mark.parametrize("game, key", [(game, opponent["key"]) for game, opponent in (
    (listed["game"], opponent) for listed in Session().answer({"do": "games"})["games"] for opponent in listed["opponents"])])
def test_every_opponent_plays_a_legal_move(game: str, key: str) -> None:
    if key == "nobody":
        return
    session = Session(seed=1)
    board = ask(session, "new", game=game, opponent=key, you="O", **({"simulations": 20} if key == "uct" else {}))["board"]
    while board["turn"] == "opponent":
        board = ask(session, "think")["board"]
    assert len(board["actions"]) == 1


def test_a_player_with_memory_is_told_every_move_once_and_of_a_new_game_after_a_step_back() -> None:
    class Remembers(RandomPlayer):
        def __init__(self) -> None:
            super().__init__(GAMES["tic_tac_toe"])
            self.heard: list[Any] = []

        def new_game(self) -> None:
            self.heard.append("new")

        def observe(self, action: int) -> None:
            self.heard.append(action)

    player = Remembers()
    session = Session(lambda game: [Opponent("mine", "Mine", "", asking(player, "mine"))], game="tic_tac_toe", seed=1)
    ask(session, "play", action=4)
    answer = ask(session, "think")["board"]["actions"][-1]
    second = next(action for action in range(9) if action not in (4, answer))
    ask(session, "play", action=second)
    ask(session, "think")
    assert player.heard == ["new", 4, answer, second]
    for _ in range(2):
        ask(session, "undo")
    ask(session, "play", action=8)
    ask(session, "think")
    assert player.heard == ["new", 4, answer, second, "new", 8]


@pytest.mark.parametrize("answer, sentence", [
    (9, "mine answered '9', which is not a legal move"), ("1", "not a legal move"),
    (None, "not a legal move"), (True, "not a legal move"),
    (ZeroDivisionError("oops"), "mine gave no move: ZeroDivisionError: oops"),
])
def test_a_player_that_fails_gets_a_sentence_and_the_game_stands(answer: Any, sentence: str) -> None:
    class Fails:
        def choose(self, state: Any, simulations: int, rng: random.Random) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    session = Session(lambda game: [Opponent("mine", "Mine", "", asking(Fails(), "mine"))], game="tic_tac_toe")
    ask(session, "play", action=4)
    reply = ask(session, "think")
    assert sentence in reply["error"] and reply["board"]["turn"] == "opponent"
    assert ask(session, "undo")["board"]["actions"] == []


# ---- the four minds


def test_the_truth_about_connect_four_is_the_solver_s() -> None:
    state = open_position("connect_four", QUIET).state
    scores = PerfectPlayer().scores(state)
    truth = minds_at("connect_four", QUIET)["solver"]
    assert values(truth) == {column: float(np.sign(score)) for column, score in scores.items()}
    assert scores[truth["best"]] == max(scores.values())


def test_the_truth_tells_how_soon() -> None:
    truth = minds_at("connect_four", "304050")["solver"]  # X has 3 4 5 on the floor, O has column 0
    notes = {move["action"]: move["note"] for move in truth["moves"]}
    assert notes[2] == notes[6] == "wins in 1" and notes[1].startswith("loses in 2")


def test_the_truth_about_tic_tac_toe_and_othello_is_that_of_all_lines() -> None:
    ends = [("othello", random_line("othello", seed, 6)) for seed in (1, 2)]
    for game, moves in [("tic_tac_toe", "04"), *ends]:
        position = open_position(game, moves)
        expected = {action: -all_lines(position.game, position.play(action).state) for action in position.legal}
        assert values(minds_at(game, moves)["solver"]) == expected


def all_lines(game: Any, state: Any) -> float:
    outcome = game.outcome(state)
    if outcome is not None:
        return float(outcome)
    return max(-all_lines(game, game.play(state, action)) for action in game.legal_actions(state))


def test_where_othello_is_too_deep_the_solver_says_so() -> None:
    assert minds_at("othello", "")["solver"]["note"].startswith("too deep: 32 empty squares; exact from 10 on")


@pytest.mark.parametrize("game, moves", [("tic_tac_toe", "4"), ("connect_four", QUIET), ("othello", "13")])
def test_the_searches_show_their_visits_and_the_network_a_distribution(game: str, moves: str) -> None:
    minds = minds_at(game, moves, step=60)
    legal = open_position(game, moves).legal
    for search in ("uct", "alphazero"):
        assert list(visits(minds[search])) == legal
        assert sum(visits(minds[search]).values()) == minds[search]["simulations"] == 60
        assert minds[search]["line"][0] == minds[search]["best"] == most_visited(minds[search])
        assert all(-1 <= value <= 1 for value in values(minds[search]).values() if value is not None)
    for named in ("network", "alphazero"):
        assert sum(move["prior"] for move in minds[named]["moves"]) == pytest.approx(1.0, abs=1e-5)
    assert -1 <= minds["network"]["value"] <= 1


def test_one_step_adds_one_visit() -> None:
    session = Session(seed=2)
    ask(session, "position", game="connect_four", moves=QUIET, opponent="nobody")
    before = ask(session, "minds", step=20)["minds"]
    after_step = ask(session, "minds", step=1)["minds"]
    for search in ("uct", "alphazero"):
        grown = [action for action, count in visits(after_step[search]).items() if count != visits(before[search])[action]]
        assert len(grown) == 1 and visits(after_step[search])[grown[0]] == visits(before[search])[grown[0]] + 1


def test_alphazero_step_by_step_is_the_engine_s_search() -> None:
    torch.set_num_threads(1)  # as in the minds: two threads that wait for each other take many times as long on a busy machine
    ask(Session(), "minds")  # loads the network
    net, state = engines.usual_net("connect_four").get(), open_position("connect_four", QUIET).state
    policies, searched_values = search_all(net.rules, net.network, [state], 1100)
    stepped = net.puct(state)
    for _ in range(22):  # beyond the memory that a search begins with
        stepped.step(50)
    thought = stepped.thought()
    shares = [move.visits / thought.simulations for move in thought.moves]
    assert shares == pytest.approx(policies[0].tolist(), abs=1e-9)
    assert thought.value == pytest.approx(searched_values[0], abs=1e-5)


def test_a_win_at_once_is_proved_by_alphazero_and_found_by_uct() -> None:
    minds = minds_at("connect_four", "304050", step=200)
    assert minds["alphazero"]["value"] == 1.0 and minds["alphazero"]["done"] and "proved" in minds["alphazero"]["note"]
    assert minds["uct"]["best"] in (2, 6) and minds["alphazero"]["best"] in (2, 6)


def test_a_win_by_threats_alone_is_proved_by_alphazero_and_its_move_says_so() -> None:
    alphazero = minds_at("connect_four", "2244", step=0)["alphazero"]
    assert alphazero["done"] and alphazero["best"] == 3 and "proved" in alphazero["note"]
    assert [move["note"] for move in alphazero["moves"]].count("proved: wins") == 1


def test_the_bots_search_is_that_of_the_compiled_player() -> None:
    """200 searches each: no column's mean share of the visits differs by more than four standard errors of the difference."""
    position, rng = open_position("connect_four", QUIET), random.Random(8)
    shares = np.zeros((2, 200, 7))
    for number in range(200):
        mind = UCT(position.game, position.state, random.Random(number), root_first=True)
        mind.step(99)
        shares[0, number] = [move.visits or 0 for move in mind.thought().moves]
        shares[1, number] = visit_counts(position.state, 100, 1.0, rng.getrandbits(63))
    assert (shares.sum(axis=2) == 99).all()
    error = np.sqrt(shares.var(axis=1).sum(axis=0) / 200)
    assert (np.abs(shares[0].mean(axis=0) - shares[1].mean(axis=0)) < 4 * error).all()


def test_a_seed_gives_the_same_thoughts() -> None:
    assert minds_at("othello", "13", step=30, seed=7)["uct"] == minds_at("othello", "13", step=30, seed=7)["uct"]


@pytest.mark.usefixtures("repetition")
def test_without_numba_uct_plays_and_the_others_say_what_is_missing() -> None:
    code = """
import sys, time
sys.modules["numba"] = None
from arena.board.session import Session
session = Session(seed=1)
minds = {"solver": {"waiting": ""}}
while any("waiting" in mind for mind in minds.values()):
    time.sleep(0.05)
    minds = session.answer({"do": "minds", "step": 5})["minds"]
print(minds["uct"]["simulations"] > 0, *(minds[name]["missing"] for name in ("solver", "network", "alphazero")), sep="\\n")
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    works, *missing = done.stdout.splitlines()
    assert works == "True" and len(missing) == 3
    assert all("needs the package numba" in sentence and "[play]" in sentence for sentence in missing)


# ---- the curve


def test_the_curve_is_for_x_whoever_is_to_move() -> None:
    session = Session()
    ask(session, "position", game="connect_four", moves="3040", opponent="nobody")  # X threatens 3 4 5 6 and 2 3 4 5
    ask(session, "play", action=5)  # now O is to move and lost
    while not ask(session, "minds")["minds"]["solver"]["done"]:
        pass
    curve = ask(session, "curve")["curve"]
    assert len(curve) == 6 and all("network" in point for point in curve)
    assert curve[-1]["solver"] == 1.0 and curve[-1]["network"] > 0.5


def test_the_curve_ends_with_the_result_and_forgets_what_is_taken_back() -> None:
    session = Session()
    ask(session, "position", game="tic_tac_toe", moves="04152", opponent="nobody")
    assert ask(session, "curve")["curve"][-1] == {"result": 1.0}
    ask(session, "undo")
    assert len(ask(session, "curve")["curve"]) == 6  # one may step on again
    ask(session, "play", action=3)
    assert len(ask(session, "curve")["curve"]) == 6 and "result" not in ask(session, "curve")["curve"][-1]


def test_one_steps_through_the_line_and_another_move_begins_a_new_one() -> None:
    session = Session(seed=1)
    ask(session, "new", game="tic_tac_toe", opponent="random", you="X")
    for _ in range(2):
        board = ask(session, "play", action=ask(session, "games")["board"]["legal"][0])["board"]
        board = ask(session, "think")["board"]
    line = board["line"]
    assert len(line) == 4 == len(board["actions"]) and board["turn"] == "you"
    looked = ask(session, "step", to=1)["board"]  # the opponent's turn, long ago: it does not play again
    assert (looked["actions"], looked["line"], looked["turn"]) == (line[:1], line, "nobody")
    assert "it is the turn of" in session.answer({"do": "play", "action": looked["legal"][0]})["error"]
    assert "not the opponent's turn" in session.answer({"do": "think"})["error"]
    assert ask(session, "step", to=4)["board"]["turn"] == "you"
    back = ask(session, "undo")["board"]
    assert (back["actions"], back["line"], back["turn"]) == (line[:2], line, "you")
    other = next(action for action in back["legal"] if action != line[2])
    branch = ask(session, "play", action=other)["board"]
    assert branch["line"] == [*line[:2], other] and branch["turn"] == "opponent"
    for wrong in (5, -1, None, "1", True):
        assert "whole number" in session.answer({"do": "step", "to": wrong})["error"]


@pytest.mark.parametrize("game, moves, you, words", [
    ("tic_tac_toe", "04152", "O", "You lost: move 4 gave it away."),     # 5 does not block 0 1 2
    ("tic_tac_toe", "04152", "X", "You won."),
    ("tic_tac_toe", "021463785", "X", ""),
    ("tic_tac_toe", "634802571", "X", "Move 5 gave the win away."),  # 2 4 6 was there to be taken
    ("connect_four", "0101010", "O", "You lost."),   # the mistake lies where the solver needs too long
])
def test_at_the_end_a_sentence_names_the_move_that_decided_it(game: str, moves: str, you: str, words: str) -> None:
    session = Session()
    ask(session, "position", game=game, moves=moves[:-1], you="XO"[(len(moves) - 1) % 2])
    ask(session, "play", action=int(moves[-1]))
    session._you = "XO".index(you)
    answer = ask(session, "summary")
    assert answer["summary"] == words
    marked = [mistake["ply"] + 1 for mistake in answer["board"]["mistakes"]]
    assert marked == [int(number) for number in re.findall(r"[Mm]ove (\d+)", words)]
    assert ask(session, "step", to=1)["board"]["mistakes"] == answer["board"]["mistakes"]  # as long as the line is the same
    assert ask(session, "position", game=game, moves="")["board"]["mistakes"] == []


def test_a_line_opens_at_one_of_its_positions() -> None:
    session = Session()
    board = ask(session, "position", game="othello", moves="13.9.10", to=1, opponent="nobody")["board"]
    assert (board["actions"], board["line"], board["you"]) == ([13], [13, 9, 10], "O")
    assert ask(session, "step", to=3)["board"]["moves"] == "13.9.10"
    assert "from 0 to 2" in session.answer({"do": "position", "game": "tic_tac_toe", "moves": "04", "to": 3})["error"]


def test_the_deciding_move_of_connect_four_is_the_solver_s() -> None:
    solver = Solver(18)
    dice = random.Random(5)
    seen = 0
    for _ in range(30):
        line = open_position("connect_four", "")
        while not line.over:
            line = line.play(dice.choice(line.legal))
        for player in (0, 1):
            move = deciding_move(line, player)
            if move is None:
                continue
            seen += 1
            at, result = line.back_to(move.number - 1), result_for(line.game, line.state, player)
            scores = solver.scores(at.state)
            best = max(score for score in scores if score is not None)
            played = scores[line.actions[move.number - 1]]
            assert list(move.better) == [action for action, score in enumerate(scores) if score == best]
            assert at.mover == player and (best > 0) - (best < 0) > (played > 0) - (played < 0) == result
    assert seen > 3


def test_where_no_thread_can_start_the_reader_waits_for_what_is_loaded(monkeypatch):
    def cannot(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(engines.threading.Thread, "start", cannot)
    assert engines.Later("a thing", lambda: 3).get() == 3
