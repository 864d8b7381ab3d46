"""`explain` writes values as a person would: positions drawn, games by their tables, arrays with dtype and shape."""

import numpy as np
import pytest

from arena.games import FIVE_SIMULATIONS, ConnectFour, Othello, TicTacToe, after
from autograder.course.shown_values import MOST_ITEMS, MOST_LETTERS, ShownValues, plainly, position
from autograder.sandbox.codec import HandleId, Special, packed


def shown(value: object, game: object = None) -> str:
    """A value of the protocol, in a call that has this game."""
    values = ShownValues([])
    if game is not None:
        values.during([Special("game", (0, game, None))])
    return values.text(value)


@pytest.mark.parametrize("value, words", [
    (packed(([1, 2], 0.5)), "([1, 2], 0.5)"),
    (HandleId(3), "object 3"),
    (Special("rng", (1, 42)), "random.Random(42)"),
    (Special("function", "simulate"), "simulate"),
    (Special("game", (0, "ConnectFour", None)), "ConnectFour()"),
    (Special("answers", (({"s1": 1.0}, 0.0), ())), "a function that returns {'s1': 1.0}[its first argument], else 0.0"),
    (np.array([1.0, 2.0], np.float32), "array float32 (2,) [1., 2.]"),
    ([[1, -1, 0], [0, 1, 0], [0, 0, -1]], "board XO./.X./..O"),
    ([[1, 2, 0], [0, 1, 0], [0, 0, -1]], "[[1, 2, 0], [0, 1, 0], [0, 0, -1]]"),
    ({1: HandleId(2)}, "{1: object 2}"),
])  # fmt: skip
def test_a_value_in_words(value: object, words: str) -> None:
    assert shown(value) == words


@pytest.mark.parametrize("game, words", [
    (TicTacToe(), "X../.O./... (X to move)"),
    (ConnectFour(), "......./......./......./......./......./X...O.. (X to move)"),
])  # fmt: skip
def test_a_position_is_drawn(game: TicTacToe | ConnectFour, words: str) -> None:
    state = after(game, (0, 4))
    assert position(game, state) == words
    assert shown((state, 7), type(game).__name__) == f"({words}, 7)"


def test_othello_is_drawn_with_its_mover() -> None:
    assert position(Othello(), Othello().start()) == "....../....../..OX../..XO../....../...... (X to move)"


@pytest.mark.parametrize("pair", [(3, 3), (-1, 0), (1.0, 0), (2**60, 0)])
def test_two_numbers_that_are_no_position_stay_numbers(pair: tuple[float, float]) -> None:
    assert shown(pair, "ConnectFour") == repr(pair)


def test_a_toy_game_is_told_by_its_table() -> None:
    values = ShownValues([])
    assert values.text(Special("game", (0, "ToyGame", FIVE_SIMULATIONS.data()))) == "game 1"
    assert values.text(Special("game", 0)) == "game 1"
    assert values.descriptions() == [
        "game 1 is a toy game, start s0:", "    s0 -> s1, s2", "    s1 -> s3, s4", "    s2 -> s5, s6",
        "    values for the player to move: s1 20, s2 10, s5 -14"]


def test_long_values_are_cut() -> None:
    assert plainly(list(range(MOST_ITEMS + 5))).endswith("... 5 more]")
    assert shown("x" * (2 * MOST_LETTERS)).endswith(f"... ({2 * MOST_LETTERS + 2} characters)")
