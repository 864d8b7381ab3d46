"""1.3 and 1.4: a row of stones, and how a game ended."""

from functools import cache, reduce
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.recognise import recognise
from tests.hidden.ps1_games.boards import FOUR, RULES, TTT, facts, finished, ongoing, send, won_with_the_last_stone

DIRECTIONS = {"right": (0, 1), "down": (1, 0), "falling": (1, 1), "rising": (1, -1)}
STONE = (1, -1)
Line = list[tuple[int, int]]


@cache
def lines(height: int, width: int, n: int) -> list[tuple[str, Line]]:
    """Every line of n squares on the board, with the name of its direction."""
    found = []
    for name, (down, right) in DIRECTIONS.items():
        for row in range(height):
            for column in range(width):
                line = [(row + k * down, column + k * right) for k in range(n)]
                if all(r < height and 0 <= c < width for r, c in line):
                    found.append((name, line))
    return found


def has_line(board: np.ndarray, player: int, n: int) -> bool:
    """The slow and certain answer."""
    rows, stone = board.tolist(), STONE[player]
    return any(all(rows[row][column] == stone for row, column in line) for _, line in lines(*board.shape, n))


def board_with(shape: tuple[int, int], stones: Line, player: int, edition: Random, others: float = 0.0) -> np.ndarray:
    """A board with these stones of a player; the other's lie on the rest, each square with the chance `others`."""
    board = np.zeros(shape, dtype=np.int8)
    if others:
        chances = np.array([edition.random() for _ in range(board.size)]).reshape(shape)
        board[chances < others] = -STONE[player]
    for square in stones:
        board[square] = STONE[player]
    return board


def outcomes(student: Any, name: str, positions: list[Any]) -> list[float | None]:
    """The outcomes of these positions, in a few messages."""
    return student.many_of(getattr(student, name)(), "outcome", [(state,) for state in send(student, positions)])


@pytest.mark.exercise("1.3")
@pytest.mark.hint("which line, of which direction, do you never look at?")
def test_every_line_of_both_games_is_found(student, edition):
    """each of the 8 lines of three and of the 69 lines of four is found, for both players, in the corners too"""
    for shape, n in (((3, 3), 3), ((6, 7), 4)):
        known = lines(*shape, n)
        players = [edition.randrange(2) for _ in known]
        boards = [board_with(shape, line, player, edition, 0.3) for (_, line), player in zip(known, players, strict=True)]
        found = student.many("has_run", [(board, player, n) for board, player in zip(boards, players, strict=True)])
        recognise(found, {
            "Do you look along the rows?": [name != "right" for name, _ in known],
            "Do you look down the columns?": [name != "down" for name, _ in known],
            "A diagonal can fall to the right: do you look along those?": [name != "falling" for name, _ in known],
            "A diagonal can rise to the right: do you look along those?": [name != "rising" for name, _ in known],
            "Do you look along the diagonals?": [name in ("right", "down") for name, _ in known],
        })  # fmt: skip
        assert found == [True] * len(known)


@pytest.mark.exercise("1.3")
@pytest.mark.hint("what happens to your counting at an empty square, and at a stone of the other?")
def test_a_line_has_no_gap(student, edition):
    """stones with a gap, or with a stone of the other between them, are no line, in no direction"""
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
@pytest.mark.hint("what does numpy read at index -1, and what follows the end of a row when the board is one long list?")
def test_no_line_goes_round_an_edge(student, edition):
    """stones that would be a line if the board were bent around its edges are none"""
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
@pytest.mark.hint("is your answer right on a board that is wider than high, and on one that is higher than wide?")
def test_boards_of_any_size_and_lines_of_any_length(student, edition):
    """on boards of any size, for any n and both players, the answer is that of looking at every line"""
    calls, found = [], {True: 0, False: 0}
    while min(found.values()) < 12:
        shape, n = (edition.randint(2, 8), edition.randint(2, 8)), edition.randint(2, 5)
        board = np.array([[edition.choice([0, 1, 1, -1, -1]) for _ in range(shape[1])] for _ in range(shape[0])], dtype=np.int8)
        player = edition.randrange(2)
        answer = has_line(board, player, n)
        if found[answer] < 12:
            found[answer] += 1
            calls.append((board, player, n))
    assert student.many("has_run", calls) == [has_line(*call) for call in calls]


@pytest.mark.exercise("1.3")
@pytest.mark.hint("whose stones are counted?")
def test_only_the_player_s_own_stones_count(student, edition):
    """a line of the other player, or of empty squares, is not the player's"""
    known = [line for _, line in edition.sample(lines(6, 7, 4), 6)]
    calls = [(board_with((6, 7), line, player, edition), 1 - player, 4) for line in known for player in (0, 1)]
    empty = [(np.zeros((6, 7), dtype=np.int8), player, n) for player in (0, 1) for n in (2, 4)]
    assert student.many("has_run", calls + empty) == [False] * (len(calls) + len(empty))


@pytest.mark.exercise("1.3")
@pytest.mark.hint("is five in a row four in a row?")
def test_a_longer_line_counts(student, edition):
    """a line longer than n is a line of n, a shorter one is not"""
    calls, answers = [], []
    for name in DIRECTIONS:
        for length in (3, 4, 5, 6):
            line = edition.choice([line for direction, line in lines(6, 7, length) if direction == name])
            player = edition.randrange(2)
            calls.append((board_with((6, 7), line, player, edition), player, 4))
            answers.append(length >= 4)
    assert student.many("has_run", calls) == answers


@pytest.mark.exercise("1.4")
@pytest.mark.hint("who placed the last stone, and who is to move now?")
def test_whoever_is_to_move_after_a_win_has_lost(student, edition):
    """a game that is won is -1 for the player to move, be it X or O who has won"""
    for name, game in RULES.items():
        ends = [facts(game, finished(game, edition, -1.0, winner)[-1][0]) for winner in (0, 1, 0, 1)]
        values = outcomes(student, name, ends)
        blind = [None if 0 in sum(end.board, []) else 0.0 for end in ends]
        recognise([str(value) for value in values], {
            "The outcome is for the player to move, not for X: who is to move when O has won?": ["1.0", "-1.0", "1.0", "-1.0"],
            "Has the player to move won, or the one who has just placed a stone?": ["1.0"] * 4,
            "Only the other player can have a row: whose stones do you look at?": [str(value) for value in blind],
        })  # fmt: skip
        assert values == [-1.0] * 4


@pytest.mark.exercise("1.4")
@pytest.mark.hint("what is a draw worth, and is that the same as None?")
def test_a_full_board_without_a_row_is_a_draw(student, edition):
    """a full board on which nobody has a line is 0"""
    for name, game in RULES.items():
        ends = [facts(game, finished(game, edition, 0.0)[-1][0]) for _ in range(3)]
        values = outcomes(student, name, ends)
        assert values == [0.0] * 3


@pytest.mark.exercise("1.4")
@pytest.mark.hint("what do you ask first: is the board full, or has somebody a row?")
def test_the_last_stone_can_win(student, edition):
    """a row that the very last stone completes is a win, not a draw"""
    for name, game in RULES.items():
        ends = [facts(game, won_with_the_last_stone(game, edition)[-1][0]) for _ in range(3)]
        values = outcomes(student, name, ends)
        recognise(values, {"The board is full and the last stone made a row: which do you ask first?": [0.0] * 3})
        assert values == [-1.0] * 3


@pytest.mark.exercise("1.4")
@pytest.mark.hint("what is there to say about a game that is not over?")
def test_a_game_that_goes_on_has_no_outcome(student, edition):
    """while there is room and nobody has a line, the outcome is None"""
    for name, game in RULES.items():
        states = ongoing(game, edition, 10)
        states += [finished(game, edition, -1.0)[-2][0], game.start()]  # one move before the end
        states += lines_filled(game)
        positions = [facts(game, state) for state in states]
        values = outcomes(student, name, positions)
        assert values == [None] * len(states)


def lines_filled(game: Any) -> list[Any]:
    """States in which the two players, in turn, have filled one row or column, and the rest of the board is empty."""
    shape = np.array(facts(game, game.start()).board).shape
    squares = np.arange(np.prod(shape)).reshape(shape)
    lines = [*squares[-1:], *squares.T[:1]] if game is FOUR else [*squares, *squares.T]
    return [reduce(game.play, (int(square % game.num_actions) for square in line), game.start()) for line in lines]


@pytest.mark.exercise("1.4")
@pytest.mark.hint("how many stones in a row does each of the games want?")
def test_each_game_has_its_own_length(student, edition):
    """three in a row end Tic-Tac-Toe and do not end Connect Four"""
    threes = []
    while len(threes) < 6:
        position = facts(FOUR, ongoing(FOUR, edition, 1, at_least=6)[0])
        if has_line(np.array(position.board), 1 - position.player, 3):
            threes.append(position)
    assert outcomes(student, "ConnectFour", threes) == [None] * 6
    ends = [facts(TTT, finished(TTT, edition, -1.0)[-1][0]) for _ in range(6)]
    assert outcomes(student, "TicTacToe", ends) == [-1.0] * 6
