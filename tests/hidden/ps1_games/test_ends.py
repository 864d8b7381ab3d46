"""1.3 and 1.4: a row of stones, and how a game ended."""

from functools import reduce
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps1_games.boards import (
    FOUR,
    RULES,
    TTT,
    Facts,
    ask_of_all,
    facts,
    finished,
    ongoing,
    send,
    won_with_the_last_stone,
)
from tests.hidden.ps1_games.lines import DIRECTIONS, STONE, Line, has_line, lines


def board_with(shape: tuple[int, int], stones: Line, player: int, edition: Random, others: float = 0.0) -> np.ndarray:
    """A board with these stones of a player. Each other square has a stone of the other player with the chance `others`."""
    board = np.zeros(shape, dtype=np.int8)
    if others:
        chances = np.array([edition.random() for _ in range(board.size)]).reshape(shape)
        board[chances < others] = -STONE[player]
    for square in stones:
        board[square] = STONE[player]
    return board


def outcomes(student: Any, name: str, positions: list[Any]) -> list[float | None]:
    """The outcomes of these positions, read in a few messages."""
    return student.many_of(getattr(student, name)(), "outcome", [(state,) for state in send(student, positions)])


@pytest.mark.exercise("1.3")
@pytest.mark.hint("which squares do you count: only the player's own stones, or also other stones and empty squares?")
def test_only_the_player_s_own_stones_count(student, edition):
    """a line of the other player's stones, or of empty squares, is not a line of the player

    Promised: Return whether `player` has n stones in an unbroken line: in a row, a column or a diagonal.
    """
    known = [line for _, line in edition.sample(lines(6, 7, 4), 6)]
    calls = [(board_with((6, 7), line, player, edition), 1 - player, 4) for line in known for player in (0, 1)]
    empty = [(np.zeros((6, 7), dtype=np.int8), player, n) for player in (0, 1) for n in (2, 4)]
    answers = student.many("has_run", calls + empty)
    if any(answers):
        recognise(answers, {
            "Whose stones make a line: only the player's own, or the other player's as well?":
                [True] * len(calls) + [False] * len(empty),
            "Can empty squares make a line?":
                answers if any(answers[len(calls) :]) and not any(answers[: len(calls)]) else None,
        })  # fmt: skip
    assert answers == [False] * (len(calls) + len(empty))


@pytest.mark.exercise("1.3")
@pytest.mark.hint("which line do you never look at, and what is the direction of that line?")
def test_every_line_of_both_games_is_found(student, edition):
    """each of the 8 lines of three and of the 69 lines of four is found, for either player, in the corners too

    Promised: Return whether `player` has n stones in an unbroken line: in a row, a column or a diagonal.
    """
    calls, known = [], []
    for shape, n in (((3, 3), 3), ((6, 7), 4)):
        for name, line in lines(*shape, n):
            player = edition.randrange(2)
            calls.append((board_with(shape, line, player, edition, 0.3), player, n))
            known.append((name, line, shape))
    answers = student.many("has_run", calls)
    if not all(answers):
        recognise(answers, {
            "Do you look along the rows?": [name != "right" for name, _, _ in known],
            "Do you look down the columns?": [name != "down" for name, _, _ in known],
            "A diagonal can fall to the right: do you look along such diagonals?": [name != "falling" for name, _, _ in known],
            "A diagonal can rise to the right: do you look along such diagonals?": [name != "rising" for name, _, _ in known],
            "Do you look along the diagonals?": [name in ("right", "down") for name, _, _ in known],
            "Do you look only along the diagonals through the corners?":
                [name in ("right", "down") or main(*line[0], name, shape) for name, line, shape in known],
        })  # fmt: skip
        ask_of_all([case for case, right in zip(known, answers, strict=True) if not right], {
            "Each line that you miss touches an edge of the board: at which squares does your search begin and end?":
                lambda case: case[2] == (3, 3) or touches_an_edge(case[1], *case[2]),
        })  # fmt: skip
    assert answers == [True] * len(known)


def main(row: int, column: int, name: str, shape: tuple[int, int]) -> bool:
    """Whether a diagonal from this square is part of a diagonal that begins in an upper corner."""
    return row == column if name == "falling" else row + column == shape[1] - 1


def touches_an_edge(line: Line, height: int, width: int) -> bool:
    return any(row in (0, height - 1) or column in (0, width - 1) for row, column in line)


@pytest.mark.exercise("1.3")
@pytest.mark.hint("is a line of more than n stones also a line of n stones, however long the line is?")
def test_a_longer_line_counts(student, edition):
    """a line longer than n is a line of n, a shorter one is not

    Promised: n: the length, at least 2, perhaps more than the board has room for; a longer line counts too.
    """
    calls, lengths = [], []
    for name in DIRECTIONS:
        for n in (2, 3, 4, 5, 6):
            for length in range(n - 1, 7):
                line = edition.choice([line for direction, line in lines(6, 7, length) if direction == name])
                player = edition.randrange(2)
                calls.append((board_with((6, 7), line, player, edition), player, n))
                lengths.append(length)
    answers = student.many("has_run", calls)
    exact = [place for place, (_, _, n) in enumerate(calls) if lengths[place] <= n]
    ask("how many stones make a line: the given n, or a fixed number?")
    assert [answers[place] for place in exact] == [lengths[place] == calls[place][2] for place in exact]
    ask("is a line of more than n stones also a line of n stones, however long the line is?")
    assert answers == [length >= n for length, (_, _, n) in zip(lengths, calls, strict=True)]


@pytest.mark.exercise("1.3")
@pytest.mark.hint("what happens to your count at an empty square, and at a stone of the other player?")
def test_a_line_has_no_gap(student, edition):
    """stones with a gap, or with the other player's stone between them, are not a line, in any direction

    Promised: Return whether `player` has n stones in an unbroken line: in a row, a column or a diagonal.
    """
    calls = []
    for n in (3, 4):
        for name in DIRECTIONS:
            for hole in range(1, n):
                line = edition.choice([line for direction, line in lines(6, 7, n + 1) if direction == name])
                player = edition.randrange(2)
                board = board_with((6, 7), [square for k, square in enumerate(line) if k != hole], player, edition)
                board[line[hole]] = edition.choice([0, -STONE[player]])
                calls.append((board, player, n))
    assert student.many("has_run", calls) == [False] * len(calls)


def straight(stones: Line) -> bool:
    """Whether these squares, in this order, lie one step apart in one direction."""
    return len({(r - a, c - b) for (a, b), (r, c) in zip(stones, stones[1:], strict=False)}) == 1


@pytest.mark.exercise("1.3")
@pytest.mark.hint("can your line leave the board and come back at another edge: by index -1, np.roll or one long list?")
def test_no_line_goes_round_an_edge(student, edition):
    """a line does not leave the board at one edge and continue at another edge

    Promised: Return whether `player` has n stones in an unbroken line: in a row, a column or a diagonal.
    """
    calls = []
    for height, width, n in ((3, 3, 3), (6, 7, 4)):
        bent = []
        for down, right in DIRECTIONS.values():
            for row, column in np.ndindex(height, width):
                bent.append([((row + k * down) % height, (column + k * right) % width) for k in range(n)])
                flat = [row * width + column + k * (down * width + right) for k in range(n)]
                bent.append([divmod(square, width) for square in flat if square < height * width])
        player = edition.randrange(2)
        bent = [stones for stones in bent if len(set(stones)) == n and not straight(stones)]
        boards = [board_with((height, width), stones, player, edition) for stones in bent]
        calls += [(board, player, n) for board in boards if not has_line(board, player, n)]
    assert student.many("has_run", calls) == [False] * len(calls)


@pytest.mark.exercise("1.3")
@pytest.mark.hint("is your answer right on a board with more columns than rows, and on a board with more rows than columns?")
def test_boards_of_any_size_and_lines_of_any_length(student, edition):
    """on boards of any size, for any n and both players, the answer is the same as after a look at every line

    Promised: board: (H, W) int8 of any size, with 1 for stones of player 0 and -1 for those of player 1;
    """
    calls, counts = [], {True: 0, False: 0}
    while min(counts.values()) < 12:
        shape, n = (edition.randint(2, 8), edition.randint(2, 8)), edition.randint(2, 5)
        board = np.array([[edition.choice([0, 1, 1, -1, -1]) for _ in range(shape[1])] for _ in range(shape[0])], dtype=np.int8)
        player = edition.randrange(2)
        answer = has_line(board, player, n)
        if counts[answer] < 12:
            counts[answer] += 1
            calls.append((board, player, n))
    answers = student.many("has_run", calls)
    wanted = [has_line(*call) for call in calls]
    if answers != wanted:
        recognise(answers, square_only(calls))
    assert answers == wanted


def square_only(calls: list[tuple[np.ndarray, int, int]]) -> dict[str, list[bool]]:
    """The answers of a function that looks for a line only on boards with at least n rows and n columns."""
    return {
        "A line of n needs n rows or n columns: does your function ask for both?":
            [has_line(*call) and min(call[0].shape) >= call[2] for call in calls],
    }  # fmt: skip


@pytest.mark.exercise("1.4")
@pytest.mark.hint("a game is won, and the player to move did not place the last stone: what is the outcome?")
def test_whoever_is_to_move_after_a_win_has_lost(student, edition):
    """a game that is won is -1 for the player to move, for a win of X and for a win of O

    Promised: -1.0: the other player, who placed the last stone, has `self.run` in a row.
    """
    values, blind = [], []
    for name, game in RULES.items():
        ends = [facts(game, finished(edition, game, -1.0, winner)[-1][0]) for winner in (0, 1, 0, 1)]
        values += outcomes(student, name, ends)
        blind += [None if 0 in sum(end.board, []) else 0.0 for end in ends]  # the function finds no row
    if values != [-1.0] * 8:
        one_sided = [[value if k % 2 == winner else -1.0 for k, value in enumerate(blind)] for winner in (0, 1)]
        recognise(values, {
            "The outcome is for the player to move, not for X: who is to move when O has won?": [1.0, -1.0] * 4,
            "Who has won: the player to move, or the one who has just placed a stone?": [1.0] * 8,
            "Only the other player can have a row: whose stones do you look at?": blind,
            "Can both players win, or only one of them?": values if values in one_sided else None,
            "How many stones in a row win Tic-Tac-Toe?": blind[:4] + [-1.0] * 4,
            "How many stones in a row win Connect Four?": [-1.0] * 4 + blind[4:],
            "Is an outcome the winner's number, or a value for the player to move?":
                values if values in ([0.0, 1.0] * 4, [1.0, 2.0] * 4) else None,
        })  # fmt: skip
    assert values == [-1.0] * 8


@pytest.mark.exercise("1.4")
@pytest.mark.hint("what is a draw worth, and is this value the same as None?")
def test_a_full_board_without_a_row_is_a_draw(student, edition):
    """a full board on which nobody has a line is 0

    Promised: 0.0: no player has, and the board is full.
    """
    for name, game in RULES.items():
        ends = [facts(game, finished(edition, game, 0.0)[-1][0]) for _ in range(3)]
        values = outcomes(student, name, ends)
        assert values == [0.0] * 3


@pytest.mark.exercise("1.4")
@pytest.mark.hint("what decides the outcome of a position: its stones, its mask, or an earlier position?")
def test_a_position_is_taken_for_no_other(student, edition):
    """of two positions with the same squares taken one can be won while the other goes on: the colours decide

    Promised: The stones decide this, not the mask: at a won state the mask may be empty, or may still show the empty
    squares.
    """
    for name in RULES:
        positions = []
        for winner in (0, 1, 0, 1):
            positions += twins(edition, name, winner)
        values = outcomes(student, name, positions)
        if values != [-1.0, None] * 4:
            recognise(values, {
                "Is this the outcome of this position, or one that you kept from an earlier position?":
                    [-1.0] * 8,
            })  # fmt: skip
        ask("what shows that a game is won: the stones, or the actions that the mask allows?")
        assert values[::2] == [-1.0] * 4
        ask("nobody has a row: when is a board full, and what is the outcome of a board that is not full?")
        assert values[1::2] == [None] * 4


@drawn_once
def twins(edition: Random, name: str, winner: int) -> tuple[Facts, Facts]:
    """A won position, and one with stones on the same squares but without a row; both masks show where there is room."""
    game = RULES[name]
    while True:
        won = facts(game, finished(edition, game, -1.0, winner)[-1][0])
        board = np.array(won.board, dtype=np.int8)
        mask = (board.ravel()[: game.num_actions] == 0).tolist()  # of squares, or of the top row
        taken = board != 0
        for _ in range(20 if any(mask) and taken.sum() < 15 else 0):
            other = board.copy()
            other[taken] = edition.sample(board[taken].tolist(), int(taken.sum()))
            if not any(has_line(other, player, 3) for player in (0, 1)):
                return won._replace(mask=mask), won._replace(board=other.tolist(), mask=mask)


@pytest.mark.exercise("1.4")
@pytest.mark.hint("which question comes first: is the board full, or has somebody a row?")
def test_the_last_stone_can_win(student, edition):
    """a row that the last stone completes on a full board is a win, not a draw

    Promised: -1.0: the other player, who placed the last stone, has `self.run` in a row.
    """
    for name, game in RULES.items():
        ends = [facts(game, won_with_the_last_stone(game, edition)[-1][0]) for _ in range(3)]
        values = outcomes(student, name, ends)
        if values != [-1.0] * 3:
            recognise(values, {"The board is full and the last stone made a row: which of the two do you test first?": [0.0] * 3})
        assert values == [-1.0] * 3


@pytest.mark.exercise("1.4")
@pytest.mark.hint("when is a board full, and what is the outcome of an unfinished game, which is not a draw?")
def test_a_game_that_goes_on_has_no_outcome(student, edition):
    """while there is room and nobody has a line, the outcome is None

    Promised: None while the game goes on.
    """
    for name, game in RULES.items():
        states = ongoing(edition, game, 10)
        states += [finished(edition, game, -1.0)[-2][0], game.start()]  # one move before the end
        states += lines_filled(game)
        positions = [facts(game, state) for state in states]
        values = outcomes(student, name, positions)
        assert values == [None] * len(states)


def lines_filled(game: Any) -> list[Any]:
    """States in which the two players have filled one row or column in turn; the rest of the board is empty."""
    shape = np.array(facts(game, game.start()).board).shape
    squares = np.arange(np.prod(shape)).reshape(shape)
    lines = [*squares[-1:], *squares.T[:1]] if game is FOUR else [*squares, *squares.T]
    return [reduce(game.play, (int(square % game.num_actions) for square in line), game.start()) for line in lines]


@pytest.mark.exercise("1.4")
@pytest.mark.hint("how many stones in a row win each of the two games?")
def test_each_game_has_its_own_length(student, edition):
    """three in a row end Tic-Tac-Toe, but not Connect Four

    Promised: -1.0: the other player, who placed the last stone, has `self.run` in a row.
    """
    threes = []
    while len(threes) < 6:
        position = facts(FOUR, ongoing(edition, FOUR, 1, at_least=6)[0])
        if has_line(np.array(position.board), 1 - position.player, 3):
            threes.append(position)
    values = outcomes(student, "ConnectFour", threes)
    if values != [None] * 6:
        recognise(values, {"How many stones in a row win Connect Four?": [-1.0] * 6})
    assert values == [None] * 6
    ends = [facts(TTT, finished(edition, TTT, -1.0)[-1][0]) for _ in range(6)]
    assert outcomes(student, "TicTacToe", ends) == [-1.0] * 6
