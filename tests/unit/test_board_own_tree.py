"""What a student's search thought, on the board: visits, values and the line of any player that keeps its tree."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from arena.board.opponents import Opponent, asking
from arena.board.positions import Position, open_position, start
from arena.board.session import Session
from arena.games import ConnectFour, Othello, TicTacToe
from solutions import ps2_uct, ps3_connect_four, ps4_puct, ps5_alphazero

SIMULATIONS = 60


class MySearch:
    """The player of problem set 2's last cell."""

    def choose(self, state: Any, simulations: int, rng: random.Random) -> int:
        action, self.root = ps2_uct.search(TicTacToe(), state, simulations, 1.0, rng)
        return action


def alpha() -> Any:
    game = ConnectFour()
    return ps5_alphazero.AlphaMCTS(game, ps5_alphazero.make_net(game))


def evenly(state: Any) -> tuple[dict[int, float], float]:
    """Equal priors, and a draw."""
    legal = Othello().legal_actions(state)
    return {action: 1 / len(legal) for action in legal}, 0.0


PLAYERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "ps2": ("tic_tac_toe", MySearch),
    "ps3": ("connect_four", lambda: ps3_connect_four.Searcher(ConnectFour())),
    "ps4": ("othello", lambda: ps4_puct.MCTSPlayer(Othello(), evenly)),
    "ps5": ("connect_four", alpha),
}


def board(game: str, player: Any) -> Session:
    own = Opponent("own", "your player", "", asking(player, "your player"), SIMULATIONS)
    return Session(lambda name: [own] if name == game else [], game=game, seed=1)


@pytest.mark.parametrize("game, make", PLAYERS.values(), ids=list(PLAYERS))
def test_the_visits_values_and_line_of_our_solutions_are_shown_move_by_move(game: str, make: Callable[[], Any]) -> None:
    session = board(game, make())
    session.answer({"do": "new", "you": "O"})
    for number in range(2):
        answer = session.answer({"do": "think", "simulations": SIMULATIONS})
        thought = answer["thought"]
        visits = [move["visits"] for move in thought["moves"]]
        assert sum(visits) > 0 and thought["simulations"] >= SIMULATIONS - 1, number
        assert all(-1 <= move["value"] <= 1 for move in thought["moves"] if move["visits"])
        assert thought["line"][0] == answer["board"]["actions"][-1] and len(thought["line"]) > 1
        session.answer({"do": "play", "action": answer["board"]["legal"][0]})


class Player:
    """A player that chooses the first move, and keeps what it is given."""

    def __init__(self, **kept: Any) -> None:
        self.__dict__.update(kept)

    def choose(self, state: Any, simulations: int, rng: random.Random) -> int:
        return TicTacToe().legal_actions(state)[0]


class Odd:
    """An object on which every attribute raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


def thought(player: Any, position: Position) -> dict[str, Any]:
    mind = asking(player, "your player")(position, SIMULATIONS, random.Random(1))
    mind.step(SIMULATIONS)
    return mind.thought().to_json()


@pytest.mark.parametrize("kept", [
    {}, {"root": 3}, {"root": Odd()}, {"root": None, "seen": {}}, {"children": {}, "root": ps2_uct.TreeNode(TicTacToe().start())},
], ids=["nothing", "a number", "a hostile object", "no tree", "a tree without visits"])
def test_a_player_without_a_tree_that_can_be_read_shows_its_move_alone(kept: dict[str, Any]) -> None:
    shown = thought(Player(**kept), start("tic_tac_toe"))
    assert shown["best"] == 0 and shown["line"] == (0,) and {move["visits"] for move in shown["moves"]} == {None}


def test_the_tree_of_another_position_is_not_shown() -> None:
    old = ps2_uct.search(TicTacToe(), TicTacToe().start(), 20, 1.0, random.Random(1))[1]
    position = open_position("tic_tac_toe", "4")
    assert thought(Player(root=old), start("tic_tac_toe"))["simulations"] == 20
    assert {move["visits"] for move in thought(Player(root=old), position)["moves"]} == {None}


def test_the_numbers_are_those_of_the_tree_in_the_view_of_the_player_to_move() -> None:
    player = MySearch()
    shown = thought(player, start("tic_tac_toe"))
    for move in shown["moves"]:
        child = player.root.children[move["action"]]
        assert (move["visits"], move["value"]) == (child.num_visits, -child.total_value / child.num_visits)
    assert shown["value"] == player.root.total_value / player.root.num_visits
