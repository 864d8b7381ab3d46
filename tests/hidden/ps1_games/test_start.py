"""1.1 and 1.2: where a game begins, and which actions are legal."""

from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.full_games import full_game
from tests.hidden.ps1_games.boards import FOUR, RULES, TTT, Facts, facts, finished, ongoing, plies, read, replay, send


def open_positions(game: Any, edition: Random) -> list[Facts]:
    """Boards with few and with many stones, for each player's turn."""
    return [facts(game, state) for state in ongoing(edition, game, 8)]


def nearly_full(edition: Random) -> list[Facts]:
    """Boards of Connect Four with full columns, with X or O on top, and with columns that have one empty square."""
    game = replay(FOUR, full_game(edition))
    return [facts(FOUR, game[stones][0]) for stones in range(18, 42)]


@pytest.mark.exercise("1.1")
@pytest.mark.hint("in which game does a player choose a square, in which a column, and how many choices are there?")
def test_there_are_as_many_actions_as_choices(student):
    """Tic-Tac-Toe has an action for each square, Connect Four one for each column

    Promised: action a is the square in row a // 3, column a % 3.
    Promised: action a drops a stone into column a.
    """
    numbers = student.each([student.TicTacToe(), student.ConnectFour()], "num_actions")
    if numbers != [9, 7]:
        recognise(numbers, {
            "In Connect Four the stone falls: does the player also choose its row?": [9, 42],
            "In Tic-Tac-Toe no stone falls: does the player choose a column, or a square?": [3, 7],
        })  # fmt: skip
    assert numbers == [9, 7]


@pytest.mark.exercise("1.1")
@pytest.mark.hint("what is on the board before the first move, who is to move, and what is legal?")
def test_a_game_begins_empty_with_player_0(student):
    """start() is the empty board, player 0 to move, every action legal; and a second call returns the same

    Promised: Return the state before the first move: an empty board, player 0 to move, every action legal.
    """
    for name, game in RULES.items():
        theirs, wanted = getattr(student, name)(), facts(game, game.start())
        first, second = read(student, [theirs.start(), theirs.start()])
        if first in [facts(other, other.start()) for other in RULES.values()]:
            ask("is this the start of this game, or the start of the other game, which was asked before?")
        else:
            ask("how many rows and columns does the empty board have, and which number comes first in its shape?")
        assert first.board == wanted.board
        ask("which player makes the first move of a game?")
        assert first.player == wanted.player
        ask("the board is empty: which actions are legal, and how many are there?")
        assert first.mask == wanted.mask
        ask("a second game begins: does the first game change its start?")
        assert second == wanted


@pytest.mark.exercise("1.1")
@pytest.mark.hint("what decides whose turn it is: the number of stones, or the state?")
def test_the_state_says_who_is_to_move(student, edition):
    """the player to move is the player whom the state names, whatever stones there are

    Promised: The state names this player; the stones do not matter.
    """
    for name, game in RULES.items():
        positions = open_positions(game, edition)
        swapped = [Facts(1 - player, board, mask) for player, board, mask in positions]
        states = send(student, positions + swapped)
        players = student.many_of(getattr(student, name)(), "player", [(state,) for state in states])
        wanted = [position.player for position in positions + swapped]
        if players != wanted:
            recognise(players, {
                "A player has a number and a stone: which one does player() return?": [(1, -1)[player] for player in wanted],
                "Does player() return the player to move, or the player who moved last?": [1 - player for player in wanted],
            })  # fmt: skip
        assert players == wanted


@pytest.mark.exercise("1.2")
@pytest.mark.hint("which squares are empty, and in which order are the squares numbered?")
def test_a_square_is_open_while_it_is_empty(student, edition):
    """in Tic-Tac-Toe the mask allows exactly the empty squares, row by row

    Promised: Return which actions the board has room for: (9,) bool, True where the square is empty.
    """
    positions = open_positions(TTT, edition)
    masks = [mask.tolist() for mask in masks_of(student, "TicTacToe", positions)]
    by_column = [[row[column] == 0 for column in range(3) for row in position.board] for position in positions]
    if masks != [position.mask for position in positions]:
        if not all(len(mask) == 9 for mask in masks):
            ask("an action is a single number: is the mask a flat array with one entry for each action?")
        squares = [sum(position.board, []) for position in positions]
        one_sided = [[[sign != stone for sign in signs] for signs in squares] for stone in (1, -1)]
        recognise(masks, {
            "Are the squares numbered along the rows, or down the columns?": by_column,
            "True means that there is room: does an empty square have room, or a taken square?":
                [[not open for open in position.mask] for position in positions],
            "Do stones of both players close a square, or stones of one player only?":
                masks if masks in one_sided else None,
        })  # fmt: skip
    assert masks == [position.mask for position in positions]


@pytest.mark.exercise("1.2")
@pytest.mark.hint("which single square of a column shows that the column is full, for stones of either player?")
def test_a_column_is_open_until_it_is_full(student, edition):
    """in Connect Four the mask allows exactly the columns with room, whichever player's stones fill a column

    Promised: Return which actions the board has room for: (7,) bool, True where the column is not full.
    """
    positions = nearly_full(edition)[::-1] + open_positions(FOUR, edition)
    masks, wanted = [mask.tolist() for mask in masks_of(student, "ConnectFour", positions)], [p.mask for p in positions]
    if masks != wanted:
        one_sided = [[[sign != stone for sign in p.board[0]] for p in positions] for stone in (1, -1)]
        recognise(masks, {
            "Row 0 is the top: which row does your mask look at?": [[sign == 0 for sign in p.board[5]] for p in positions],
            "An action is a column: how long is the mask?": [[sign == 0 for row in p.board for sign in row] for p in positions],
            "Do stones of both players fill a column, or stones of one player only?": masks if masks in one_sided else None,
            "Is a column full when its last square is taken, or one stone earlier?":
                [[sign == 0 for sign in p.board[1]] for p in positions],
            "Is this the mask of this board, or the mask of the first board?": [wanted[0]] * len(wanted),
        })  # fmt: skip
    assert masks == wanted


@pytest.mark.exercise("1.2")
@pytest.mark.hint("does `mask` need to know whether somebody has won?")
def test_the_mask_speaks_of_room_only(student, edition):
    """the mask tells only where there is room: after a win the empty squares still have room

    Promised: It does not matter here whether the game is over.
    """
    for name, game in RULES.items():
        boards = [facts(game, finished(edition, game, -1.0, winner)[-1][0]).board for winner in (0, 1)]
        masks = masks_of(student, name, [Facts(0, board, []) for board in boards])
        top = [[sign for row in board[: 1 if game is FOUR else 3] for sign in row] for board in boards]
        assert [mask.tolist() for mask in masks] == [[sign == 0 for sign in signs] for signs in top]


@pytest.mark.exercise("1.2")
@pytest.mark.hint("does the list depend on anything except this state's mask: on its board, or on earlier states?")
def test_legal_actions_are_what_the_mask_allows(student, edition):
    """legal_actions lists the numbers that the state's mask allows, in ascending order, for any board

    Promised: Return the actions that state.action_mask allows, ascending, in a new list at every call.
    """
    for name, game in RULES.items():
        positions = open_positions(game, edition)
        odd = [position._replace(mask=[edition.random() < 0.5 for _ in position.mask]) for position in positions]
        over = [facts(game, state) for state, action in plies(game, edition) if action is None]
        calls = [(state,) for state in send(student, positions + odd + over)]
        lists = student.many_of(getattr(student, name)(), "legal_actions", calls)
        wanted = [[a for a, open in enumerate(position.mask) if open] for position in positions + odd + over]
        if lists != wanted:
            recognise(lists, {
                "In which order are the legal actions listed?": [legal[::-1] for legal in wanted],
                "Is the last of all actions ever listed?": [[a for a in legal if a < game.num_actions - 1] for legal in wanted],
                "Is the first of all actions ever listed?": [[a for a in legal if a > 0] for legal in wanted],
                "The first action has the number 0: with which number does your count begin?":
                    [[a + 1 for a in row] for row in wanted],
                "The mask is True for legal actions: which actions do you list?":
                    [[a for a in range(game.num_actions) if a not in legal] for legal in wanted],
            })  # fmt: skip
        assert lists == wanted


def masks_of(student: Any, name: str, positions: list[Facts]) -> list[Any]:
    """The masks of these boards as numpy arrays in the worker, like the masks in a state."""
    boards = [(np.array(position.board, dtype=np.int8),) for position in positions]
    return student.many_of(getattr(student, name)(), "mask", boards)
