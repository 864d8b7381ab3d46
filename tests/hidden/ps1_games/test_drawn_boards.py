"""1.1 to 1.5 on random boards, each asked more than once and in any order. A game has no memory and changes no argument."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from autograder.sandbox.errors import Raised
from tests.hidden.full_games import full_game
from tests.hidden.ps1_games.boards import (
    FOUR,
    RULES,
    TTT,
    Facts,
    ask_of_all,
    call_there,
    facts,
    finished,
    locked,
    ongoing,
    plies,
    read,
    refused,
    replay,
    send,
    write,
)
from tests.hidden.ps1_games.lines import DIRECTIONS, STONE, has_line, lines
from tests.hidden.ps1_games.small_boards import Columns, small_boards
from tests.hidden.ps1_games.test_ends import board_with, outcomes, square_only


def any_board(name: str, edition: Random) -> np.ndarray:
    """A random board: random squares, or columns of random height and colours; some boards are empty or full."""
    if name == "TicTacToe":
        chances = edition.choice([[0], [1, -1], [0, 1, -1], [0, 0, 1, -1], [0, 1], [0, -1]])
        return np.array([[edition.choice(chances) for _ in range(3)] for _ in range(3)], dtype=np.int8)
    board = np.zeros((6, 7), dtype=np.int8)
    heights = edition.choice([[0, 6], [5, 6], [6], [0, 1, 2, 3, 4, 5, 6], [0, 1]])
    colours = edition.choice([[1], [-1], [1, -1]])
    for column in range(7):
        for row in range(6 - edition.choice(heights), 6):
            board[row, column] = edition.choice(colours)
    return board


def same_stones(board: np.ndarray, edition: Random) -> np.ndarray:
    """The same stones on other squares, or in other columns."""
    if board.shape == (3, 3):
        return np.array(edition.sample(board.ravel().tolist(), 9), dtype=np.int8).reshape(3, 3)
    return board[:, edition.sample(range(7), 7)]


def room(name: str, board: np.ndarray) -> list[bool]:
    """For each action, whether the board has room for the stone."""
    return ((board if name == "TicTacToe" else board[0]) == 0).ravel().tolist()


def ends(name: str, edition: Random) -> list[Facts]:
    """Finished positions: wins of either player, and draws."""
    game = RULES[name]
    wanted = ((-1.0, 0), (0.0, None), (-1.0, 1), (0.0, None), (-1.0, 1), (-1.0, 0))
    return [facts(game, finished(edition, game, value, winner)[-1][0]) for value, winner in wanted]


@pytest.mark.exercise("1.1")
@pytest.mark.hint("the game is over, nothing is legal or the board is full: what tells player() whose turn it is?")
def test_the_state_says_it_at_the_end_too(student, edition):
    """player() is the player whom the state names, also when the game is over and when nothing is legal

    Promised: The state names this player; the stones do not matter.
    """
    for name in RULES:
        positions = ends(name, edition)
        boards = [any_board(name, edition) for _ in range(6)]
        positions += [Facts(edition.randrange(2), board.tolist(), [False] * RULES[name].num_actions) for board in boards]
        positions += [position._replace(player=1 - position.player) for position in positions]
        calls = [(state,) for state in send(student, positions)]
        game = getattr(student, name)()
        assert student.many_of(game, "player", calls) == [position.player for position in positions]
        assert student.many_of(game, "player", calls[::-1]) == [position.player for position in positions[::-1]]


@pytest.mark.exercise("1.1")
@pytest.mark.hint("does start() depend on earlier games, of the same class or of the other class?")
def test_every_game_begins_the_same(student, edition):
    """start() and num_actions are the same at every call, for every game object, in any order of calls

    Promised: Return the state before the first move: an empty board, player 0 to move, every action legal.
    """
    names = [edition.choice(list(RULES)) for _ in range(8)] + list(RULES)
    games = [getattr(student, name)() for name in names]
    starts = [game.start() for game in [*games, *games]]
    assert read(student, starts) == [facts(RULES[name], RULES[name].start()) for name in [*names, *names]]
    assert student.each(games, "num_actions") == [RULES[name].num_actions for name in names]


@pytest.mark.exercise("1.1")
@pytest.mark.hint("a subclass sets other sizes: how high and how wide is its board, and how many actions has it?")
def test_a_board_of_another_size_begins_empty_too(student, edition):
    """start() of a subclass with other sizes is its own empty board, with an action for each of its columns

    Promised: A subclass may set another height, width, run and num_actions (one for each column). The rules, 1.1 to 1.5,
    then hold for a board of that size.
    """
    for small in small_boards(edition):
        theirs = small.theirs(student)
        assert read(student, [theirs.start(), theirs.start()]) == [small.start()] * 2
    ask("two boards may be equally wide: does the one that comes second get its own height?")
    low = Columns(edition.choice([4, 5, 8]), 7, 4)
    starts = [student.ConnectFour().start(), low.theirs(student).start(), student.ConnectFour().start()]
    assert read(student, starts) == [facts(FOUR, FOUR.start()), low.start(), facts(FOUR, FOUR.start())]
    ask("two games may have boards of one size: does each have a mask of its own actions?")
    square = Columns(3, 3, 3)
    starts = [student.TicTacToe().start(), square.theirs(student).start(), student.TicTacToe().start()]
    assert read(student, starts) == [facts(TTT, TTT.start()), square.start(), facts(TTT, TTT.start())]


@pytest.mark.exercise("1.2")
@pytest.mark.hint("what is the mask of a full board, of an empty board, and of a board with room for one stone?")
def test_the_mask_of_any_board(student, edition):
    """the mask allows exactly the places with room, on any board, full or empty, in any order of calls

    Promised: Return which actions the board has room for: (9,) bool, True where the square is empty.
    Promised: Return which actions the board has room for: (7,) bool, True where the column is not full.
    """
    for name in RULES:
        boards = [any_board(name, edition) for _ in range(20)]
        boards += [same_stones(board, edition) for board in boards]
        game, calls = getattr(student, name)(), [(board,) for board in boards]
        wanted = [room(name, board) for board in boards]
        masks = [mask.tolist() for mask in student.many_of(game, "mask", calls)]
        if masks != wanted:
            ask_of_all([board for board, got, right in zip(boards, masks, wanted, strict=True) if got != right], {
                "Is there room anywhere on a full board?": lambda board: board.all(),
                "What is the mask of an empty board?": lambda board: not board.any(),
            })  # fmt: skip
        assert masks == wanted
        ask("is this the mask of this board, or the mask of an earlier board?")
        assert [mask.tolist() for mask in student.many_of(game, "mask", calls[::-1])] == wanted[::-1]


@pytest.mark.exercise("1.2")
@pytest.mark.hint("a subclass sets other sizes: how many columns has its board, and how many entries have its mask and its list?")
def test_masks_and_lists_of_boards_of_other_sizes(student, edition):
    """on boards of other sizes the mask has an entry for each column, and the list holds any action that a mask allows

    Promised: The rules, 1.1 to 1.5, then hold for a board of that size.
    Promised: Only the mask counts:
    """
    for small in small_boards(edition):
        states = [state for state, _ in small.line(edition)][-6:]
        states += [state._replace(mask=[edition.random() < 0.5 for _ in state.mask]) for state in states]
        theirs = small.theirs(student)
        masks = student.many_of(theirs, "mask", [(np.array(state.board, dtype=np.int8),) for state in states])
        assert [mask.tolist() for mask in masks] == [[sign == 0 for sign in state.board[0]] for state in states]
        lists = student.many_of(theirs, "legal_actions", [(state,) for state in send(student, states)])
        assert lists == [small.legal_actions(state) for state in states]


@pytest.mark.exercise("1.2")
@pytest.mark.hint("does your function change the board that it is given?")
def test_a_board_is_only_looked_at(student, edition):
    """mask does not change the board or its shape; when the stones change, the mask changes too

    Promised: board: (3, 3) int8, any stones; it is not changed.
    Promised: board: (6, 7) int8, in a subclass (height, width); row 0 on top; it is not changed.
    """
    for name in RULES:
        game, first = getattr(student, name)(), any_board(name, edition)
        kept = student.keep(first)
        for board in (first, *(any_board(name, edition) for _ in range(3)), first * 0):
            write(kept, board)
            mask = game.mask(kept).tolist()
            ask("does your function change the board that it is given?")
            assert student.read(kept) == board.tolist()
            ask("the same array now holds other stones: does your function read the array again?")
            assert mask == room(name, board)
        lone = first * 0
        lone[: None if name == "ConnectFour" else 1, edition.randrange(1, lone.shape[1])] = edition.choice(STONE)
        turned = call_there(student, student.keep(lone.T), "transpose")  # the same board, stored column by column
        ask("an array may be stored by rows or by columns: do you read it by row and column?")
        assert game.mask(turned).tolist() == room(name, lone)


@pytest.mark.exercise("1.2")
@pytest.mark.hint("is the list right when one action is legal, when all actions are legal, and when no action is?")
def test_legal_actions_of_any_mask(student, edition):
    """legal_actions lists what the mask allows, one action, none or all, on any board and in any order; each list is a new one

    Promised: Return the actions that state.action_mask allows, ascending, in a new list at every call. Only the mask
    counts: where it is all False, as after the end of a game, the list is empty.
    """
    for name, rules in RULES.items():
        number = rules.num_actions
        masks = [[action == only for action in range(number)] for only in range(number)] + [[True] * number, [False] * number]
        masks += [[edition.random() < 0.5 for _ in range(number)] for _ in range(8)]
        positions = [Facts(edition.randrange(2), any_board(name, edition).tolist(), mask) for mask in masks]
        positions += [position._replace(mask=[not open for open in position.mask]) for position in positions]
        calls = [(state,) for state in send(student, positions)]
        wanted = [[action for action, open in enumerate(position.mask) if open] for position in positions]
        game = getattr(student, name)()
        ask("is the list right when one action is legal, when all actions are legal, and when no action is?")
        assert student.many_of(game, "legal_actions", calls) == wanted
        assert student.many_of(game, "legal_actions", calls[::-1]) == wanted[::-1]
        full = next(call for call, legal in zip(calls, wanted, strict=True) if len(legal) == number)
        kept = call_there(student, game, "legal_actions", *full)
        try:
            student._ask("method", kept, "clear", [], {})
        except Raised:  # a tuple, which nobody can change
            pass
        ask("a caller may change the list that it got: is the list a new one at every call?")
        assert game.legal_actions(*full) == list(range(number))


@pytest.mark.exercise("1.3")
@pytest.mark.hint("where can a line begin and end when the board has more columns than rows, or more rows than columns?")
def test_every_line_of_a_wide_and_of_a_high_board(student, edition):
    """on very wide and on very high boards each complete line is found, and an incomplete line is not

    Promised: Return whether `player` has n stones in an unbroken line: in a row, a column or a diagonal.
    """
    short, long, n = edition.randint(4, 5), edition.randint(9, 12), edition.randint(2, 4)
    for shape in ((short, long), (long, short)):
        boards, wanted = [], []
        for _, line in lines(*shape, n):
            player = edition.randrange(2)
            boards.append((board_with(shape, line, player, edition), player, n))
            boards.append((board_with(shape, edition.sample(line, n - 1), player, edition), player, n))
            wanted += [True, False]
        answers = student.many("has_run", boards)
        if answers != wanted:
            cut = [[has_line(board[:most, :most], *rest) for board, *rest in boards] for most in range(5, 12)]
            recognise(answers, {
                "Does has_run look at all rows and columns of a large board?": answers if answers in cut else None,
            })  # fmt: skip
        assert answers == wanted


@drawn_once
def any_runs(edition: Random) -> list[tuple[np.ndarray, int, int]]:
    """Boards from one row or column up to 12 by 12, with n from 2 to 12, some n too long for the board; half have a line."""
    calls = []
    for k in range(48):
        shape, n = (edition.randint(1, 12), edition.randint(1, 12)), edition.randint(2, 12)
        board = np.array([[edition.choice([0, 0, 1, -1]) for _ in range(shape[1])] for _ in range(shape[0])], dtype=np.int8)
        known, player = lines(*shape, n), edition.randrange(2)
        if known and k % 2:
            for square in edition.choice(known)[1]:
                board[square] = STONE[player]
        calls.append((board, player, n))
    for name in DIRECTIONS:  # long lines, from edge to edge
        board = np.zeros((12, 12), dtype=np.int8)
        line = edition.choice([line for direction, line in lines(12, 12, 12) if direction == name])
        for square in line:
            board[square] = -1
        calls += [(board, 1, n) for n in (12, 11, 9, 6, 4, 2)] + [(board, 0, 12)]
        shorter = board.copy()
        shorter[edition.choice([line[0], line[-1]])] = 0
        calls += [(shorter, 1, n) for n in (12, 11)]
    for far in (edition.randint(12, 16), edition.randint(-16, -12)):  # a diagonal at the far side of a wide or high board
        grid = np.eye(4, 20, far, dtype=np.int8) if far > 0 else np.eye(20, 4, far, dtype=np.int8)
        calls += [(board, 0, n) for board in (grid, grid[:, ::-1].copy()) for n in (4, 5)]
    for player in (0, 1):  # full boards of one colour
        shape = edition.randint(1, 12), edition.randint(2, 12)
        board = np.full(shape, STONE[player], dtype=np.int8)
        calls += [(board, player, n) for n in {2, min(shape), min(shape) + 1, max(shape), max(shape) + 1} if n > 1]
    return calls


@pytest.mark.exercise("1.3")
@pytest.mark.hint("can a board have a single row, can n be large, and does your answer depend on earlier calls?")
def test_any_board_any_line_in_any_order(student, edition):
    """the answer is right for boards from one row to very long ones, for small and for very large n, in any order of calls

    Promised: n: the length, at least 2, perhaps more than the board has room for;
    Promised: board: (H, W) int8 of any size,
    """
    calls = any_runs(edition)
    calls += [(board.reshape(board.shape[::-1]), player, n) for board, player, n in calls[:32]]  # the same stones in a row
    calls += [(board, 1 - player, n) for board, player, n in calls[:32]]
    calls += [(board, player, n + edition.choice([-1, 1])) for board, player, n in calls[:32] if n > 2]
    for n in (127, 128, 130):
        calls += [(np.full(shape, STONE[player], dtype=np.int8), player, n) for player, shape in enumerate([(1, 129), (129, 1)])]
    wanted = [has_line(*call) for call in calls]
    answers = student.many("has_run", calls)
    if answers != wanted:
        ask_of_all([call for call, got, right in zip(calls, answers, wanted, strict=True) if got != right], {
            "How far can your count of stones go: what is the largest number of its type?": lambda call: call[2] > 100,
            "A board may be wide or high: do you look at its last diagonals, too?":
                lambda call: max(call[0].shape) == 20,
        })  # fmt: skip
        kept = "Is each answer computed again, or is it the kept answer for "
        shorter = [[has_line(board, player, min(n, most)) for board, player, n in calls] for most in range(4, 12)]
        recognise(answers, {
            **square_only(calls),
            "Does your function use the given n, even when n is large?": answers if answers in shorter else None,
            f"{kept}another n?": remembered(calls, lambda board, player, n: (board.shape, board.tobytes(), player)),
            f"{kept}the other player?": remembered(calls, lambda board, player, n: (board.shape, board.tobytes(), n)),
            f"{kept}a board of another shape?": remembered(calls, lambda board, player, n: (board.tobytes(), player, n)),
        })  # fmt: skip
    assert answers == wanted
    ask("does your answer depend on anything except this board, this player and this n?")
    assert student.many("has_run", calls[60::-1]) == wanted[60::-1]


def remembered(calls: list[tuple[np.ndarray, int, int]], key: Callable[..., Any]) -> list[bool]:
    """The answers of a function that keeps each answer under this key and returns it again."""
    kept: dict[Any, bool] = {}
    return [kept.setdefault(key(*call), has_line(*call)) for call in calls]


@pytest.mark.exercise("1.3")
@pytest.mark.hint("does your function change the board that it is given?")
def test_the_board_is_left_alone(student, edition):
    """has_run does not change the board or its shape; when the stones change, the answer changes too

    Promised: board: (H, W) int8 of any size, with 1 for stones of player 0 and -1 for those of player 1; it is not changed.
    """
    for shape, n in (((3, 3), 3), ((6, 7), 4), ((4, 9), 3)):
        known = lines(*shape, n)
        kept = student.keep(np.zeros(shape, dtype=np.int8))
        for player, whole in ((0, False), (0, True), (1, True), (1, False)):
            line = edition.choice(known)[1]
            board = board_with(shape, line if whole else line[1:], player, edition)
            if whole:
                board[board == 0] = np.array([edition.choice([0, -STONE[player]]) for _ in range((board == 0).sum())])
            write(kept, board)
            answer = student.has_run(kept, player, n)
            ask("does your function change the board that it is given?")
            assert student.read(kept) == board.tolist()
            ask("the same array now holds other stones: is your answer about the stones that are there now?")
            assert answer == whole


@pytest.mark.exercise("1.4")
@pytest.mark.hint("what shows that a game is won: the stones, or the actions that the mask allows?")
def test_the_stones_alone_tell_the_end(student, edition):
    """the stones alone decide the outcome: a won game is won even if its mask still allows actions

    Promised: The stones decide this, not the mask: at a won state the mask may be empty, or may still show the empty
    squares.
    """
    for name in RULES:
        over = [position for position in ends(name, edition) if 0 in sum(position.board, [])]
        over = [position._replace(mask=room(name, np.array(position.board))) for position in over]
        assert outcomes(student, name, over) == [-1.0] * len(over)
        positions, wanted = any_ends(edition, name)
        answers = outcomes(student, name, positions)
        wrong = [case for case in zip(positions, wanted, answers, strict=True) if case[1] != case[2]]
        ask_of_all(wrong, {
            "The board is not full: does an empty mask make it a draw?": lambda case: case[1] is None and not any(case[0].mask),
            "The other player has a row: who tells who is to move, and does the number of stones matter?":
                lambda case: case[1] == -1.0,
            "The board is full: does the mask, or an earlier state with this board, change what that means?":
                lambda case: case[1] == 0.0,
        })  # fmt: skip
        assert wrong == []
        assert outcomes(student, name, positions[::-1]) == wanted[::-1]


@drawn_once
def any_ends(edition: Random, name: str) -> tuple[list[Facts], list[float | None]]:
    """Any stones with any mask, none or all of it, and either player to move, who has no row; and their outcomes."""
    number, n, positions, wanted = RULES[name].num_actions, 3 if name == "TicTacToe" else 4, [], []
    lone = [np.array(end.board, dtype=np.int8) * (np.array(end.board) == STONE[1 - end.player]) for end in ends(name, edition)]
    if name == "ConnectFour":  # a lone row is at the bottom
        lone = [board_with((6, 7), [(5, k + j) for j in range(4)], player, edition) for k in range(4) for player in (0, 1)]
    drawn = np.array(facts(RULES[name], finished(edition, RULES[name], 0.0)[-1][0]).board, dtype=np.int8)
    for board in [*lone, drawn, *(any_board(name, edition) for _ in range(8))]:
        for player in (0, 1):
            if not has_line(board, player, n):
                outcome = -1.0 if has_line(board, 1 - player, n) else None if (board == 0).any() else 0.0
                mask = edition.choice([[True] * number, [False] * number, [edition.random() < 0.5 for _ in range(number)]])
                positions += [Facts(player, board.tolist(), allowed) for allowed in (mask, [not open for open in mask])]
                wanted += [outcome] * 2
    return positions, wanted


@pytest.mark.exercise("1.4")
@pytest.mark.hint("a subclass sets other sizes: how many stones in a row win on its board, and when is that board full?")
def test_outcomes_on_boards_of_other_sizes(student, edition):
    """on boards of other sizes a row of the game's own length wins, and the board is full when every square is taken

    Promised: The rules, 1.1 to 1.5, then hold for a board of that size.
    """
    cases = near_the_end_of_small_boards(edition)
    for place, (game, known, wanted) in enumerate(cases):
        if place == len(cases) // 2:  # the same boards, other rules
            ask("two games may have the same boards: which game's row do you look for, and is the answer made anew?")
        answers = student.many_of(game.theirs(student), "outcome", [(state,) for state in send(student, known)])
        if answers != wanted and game.run > min(game.height, game.width):
            recognise(answers, {
                "A board may be lower or narrower than a line is long: can no row fit there in any direction?":
                    [None if any(0 in row for row in state.board) else 0.0 for state in known],
            })  # fmt: skip
        assert answers == wanted


@drawn_once
def near_the_end_of_small_boards(edition: Random) -> list[tuple[Columns, list[Facts], list[float | None]]]:
    """Games on small boards, with the last states of some lines and their outcomes; then the same boards by other rules."""
    boards, games = [*small_boards(edition), Columns(3, 3, 2)], []  # the last one is as large as Tic-Tac-Toe's
    for small in sorted(boards, key=lambda game: game.run > min(game.height, game.width)):  # a wrong run shows itself first
        states = [state for _ in range(3) for state, _ in small.line(edition)[-3:]]
        if small.run > min(small.height, small.width):
            won = next(line for line in iter(lambda: small.line(edition), None) if small.outcome(line[-1][0]) == -1.0)
            states.append(won[-1][0])
        games.append((small, states))
    games += [(Columns(small.height, small.width, small.run + (1 if small.run == 2 else -1)), states) for small, states in games]
    possible = lambda game, state: not has_line(np.array(state.board), state.player, game.run)  # noqa: E731
    known = [(game, [state for state in states if possible(game, state)]) for game, states in games]
    return [(game, states, [game.outcome(state) for state in states]) for game, states in known]


@pytest.mark.exercise("1.4")
@pytest.mark.hint("does the outcome depend on anything except this state, such as the states of earlier calls?")
def test_outcomes_of_many_positions_in_any_order(student, edition):
    """unfinished, won and drawn positions have the right outcomes, in any order of calls

    Promised: Return the result for the player to move at `state`: -1.0 or 0.0; None while the game goes on.
    """
    for name, game in RULES.items():
        states = [line[-1][0] for line in (plies(game, edition) for _ in range(16))]
        states += [finished(edition, game, 0.0)[-1][0] for _ in range(4)] + ongoing(edition, game, 12)
        if game is FOUR:
            full = [full_game(edition, won=won) for won in (False, True) * 3]
            states += [replay(game, moves)[stones][0] for moves in full for stones in (30, 36, 40, 41, 42)]
        edition.shuffle(states)
        positions, wanted = [facts(game, state) for state in states], [game.outcome(state) for state in states]
        seen = [place for place, position in enumerate(positions) if position.player == 1]
        boards = [[[-sign for sign in row] for row in positions[place].board] for place in seen]
        # The mover's view: colours and mover change, the outcome does not. Now the number of stones does not tell the mover.
        positions += [Facts(0, board, positions[place].mask) for place, board in zip(seen, boards)]
        wanted += [wanted[place] for place in seen]
        calls, theirs = [(state,) for state in send(student, positions)], getattr(student, name)()
        answers = student.many_of(theirs, "outcome", calls)
        assert answers[: len(states)] == wanted[: len(states)]
        ask("what tells you who is to move and who placed the last stone: the number of stones, or the state?")
        assert answers == wanted
        ask("does the outcome depend on anything except this state, such as the states of earlier calls?")
        assert student.many_of(theirs, "outcome", calls[::-1]) == wanted[::-1]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("row first, then column, both counted from 0: in which row and which column does the stone land?")
def test_landing_says_row_and_column(student, edition):
    """landing is (row, column) of the stone's new square, in a column of any height; the board does not change

    Promised: Return (row, column) of the empty square that an action takes, even if the game is over;
    Promised: Return (row, column) of the lowest empty square of the column, where the stone falls; the board is not
    changed.
    """
    for name in RULES:
        game = getattr(student, name)()
        if not has_landing(student, game):
            continue
        boards = [any_board(name, edition) for _ in range(16)]
        boards += [np.zeros_like(boards[0]), *(np.array(position.board, dtype=np.int8) for position in ends(name, edition)[:1])]
        calls = [(board, action) for board in boards for action, open in enumerate(room(name, board)) if open]
        wanted = [square_of(name, board, action) for board, action in calls]
        squares = student.many_of(game, "landing", calls)
        if squares != wanted:
            recognise([list(place) for place in squares], {
                "Which comes first: the row, or the column?": [[column, row] for row, column in wanted],
            })  # fmt: skip
            ask_of_all([got for got, right in zip(squares, wanted, strict=True) if got != right], {
                "Row 0 is at the top: what is the number of the last row, and is that number -1?": lambda got: min(got) < 0,
            })  # fmt: skip
        assert squares == wanted
        ask("is the place computed for this board and this action, and not taken from an earlier call?")
        assert student.many_of(game, "landing", calls[::-1]) == wanted[::-1]
        kept = student.keep(boards[0])
        for board in boards[::3]:  # the stones of one array change, and every action is asked
            write(kept, board)
            actions = [action for action, open in enumerate(room(name, board)) if open]
            answers = student.many_of(game, "landing", [(kept, action) for action in actions])
            ask("landing tells where a stone would land: does your landing change the board?")
            assert student.read(kept) == board.tolist()
            ask("other stones in the same array, or another action: do you compute the square again?")
            assert answers == [square_of(name, board, action) for action in actions]


def has_landing(student: Any, game: Any) -> bool:
    """Whether the game has a method `landing`. A class that a student writes anew may lack it; other checks test `play`."""
    try:
        student._ask("get", game, "landing")
    except Raised as error:
        if "AttributeError" not in error.names:
            raise
        return False
    return True


def square_of(name: str, board: np.ndarray, action: int) -> tuple[int, int]:
    """Row and column of the square where a stone lands."""
    return divmod(action, 3) if name == "TicTacToe" else (int((board[:, action] == 0).sum()) - 1, action)


@pytest.mark.exercise("1.5")
@pytest.mark.hint("a subclass sets other sizes: which row is the last of its board, and how many stones in a row end its game?")
def test_moves_on_boards_of_other_sizes(student, edition):
    """on boards of other sizes stones fall to the last row, a row of the game's own length ends the game, no other column exists

    Promised: The rules, 1.1 to 1.5, then hold for a board of that size.
    Promised: The error keeps the action and the state.
    """
    for place, (small, line) in enumerate(lines_on_small_boards(edition)):
        ask("a subclass sets other sizes: which row is the last of its board, and how many stones in a row end its game?")
        moves = [(state, action) for state, action in line if action is not None][-12:]
        theirs, states = small.theirs(student), send(student, [state for state, _ in moves])
        successors = student.many_of(theirs, "play", [
            (state, action) for state, (_, action) in zip(states, moves, strict=True)
        ])  # fmt: skip
        assert read(student, successors) == [state for state, _ in line[-len(moves) :]]
        with refused(student, small.start(), small.width):
            theirs.play(theirs.start(), small.width)
        if place < 3:  # of every board it would cost more than it finds
            longer = Columns(small.height, small.width, small.run + 1)  # the same states, other rules
            after = longer.theirs(student).play(states[-1], moves[-1][1])
            ask("two games may have the same states: do you ask this game's rules at each call, or keep an earlier answer?")
            assert read(student, [after]) == [longer.play(*moves[-1])]


@drawn_once
def lines_on_small_boards(edition: Random) -> list[tuple[Columns, list[tuple[Facts, int | None]]]]:
    """Small boards with a game of random moves on each."""
    return [(small, small.line(edition)) for small in small_boards(edition)]


def joining_moves(edition: Random) -> list[tuple[Facts, int, Facts]]:
    """(before, action, after) for five, six and seven in a row: the stone between two shorter rows joins them and wins."""
    moves = []
    for length in (5, 6, 7):
        player, left = edition.randrange(2), edition.randrange(8 - length)
        action = left + edition.randint(max(1, length - 4), min(3, length - 2))  # both rows are too short to have won
        board = np.zeros((6, 7), dtype=np.int8)
        board[5, left : left + length] = STONE[player]
        for column in edition.sample([k for k in range(left, left + length) if k != action], 3):
            board[4, column] = -STONE[player]
        after = Facts(1 - player, board.tolist(), [False] * 7)
        board[5, action] = 0
        moves.append((Facts(player, board.tolist(), [True] * 7), action, after))
    return moves


def winning_moves(name: str, edition: Random) -> list[tuple[Facts, int, Facts]]:
    """(before, action, after) for each action: the action wins for a random player, and the board has room left."""
    moves = []
    for action in range(RULES[name].num_actions):
        player = edition.randrange(2)
        board = np.zeros((3, 3) if name == "TicTacToe" else (6, 7), dtype=np.int8)
        if name == "TicTacToe":
            _, line = edition.choice([named_line for named_line in lines(3, 3, 3) if divmod(action, 3) in named_line[1]])
            others = [divmod(square, 3) for square in edition.sample(range(9), 9) if divmod(square, 3) not in line][:2]
        else:
            flat = [line for direction, line in lines(6, 7, 4) if direction == "right" and (5, action) in line]
            line = edition.choice([[(row, action) for row in (2, 3, 4, 5)], *flat])
            taken = {column for _, column in line}
            others = [(5, column) for column in edition.sample([k for k in range(7) if k not in taken], 3)]
        for squares, stone in ((line, STONE[player]), (others, -STONE[player])):
            for square in squares:
                board[square] = stone
        after = Facts(1 - player, board.tolist(), [False] * RULES[name].num_actions)
        board[divmod(action, 3) if name == "TicTacToe" else next(square for square in line if square[1] == action)] = 0
        moves.append((Facts(player, board.tolist(), room(name, board)), action, after))
    return moves


@pytest.mark.exercise("1.5")
@pytest.mark.hint("any action can complete a row and so end the game: what is legal then?")
def test_any_action_may_be_the_one_that_wins(student, edition):
    """nothing is legal after an action that completes a row, for any action

    Promised: the mask is all False when the move has ended the game.
    """
    for name in RULES:
        moves = winning_moves(name, edition) + (joining_moves(edition) if name == "ConnectFour" else [])
        states = send(student, [before for before, _, _ in moves])
        calls = [(state, action) for state, (_, action, _) in zip(states, moves, strict=True)]
        successors = read(student, student.many_of(getattr(student, name)(), "play", calls))
        ask("where do you get the colour of the new stone: from the state's player, or from the number of stones?")
        assert [seen.board for seen in successors] == [after.board for _, _, after in moves]
        ask("where do you get the next player: from the state's player, or from the number of stones?")
        assert [seen.player for seen in successors] == [after.player for _, _, after in moves]
        ask("any action can complete a row, also a longer one, and so end the game: what is legal then?")
        assert successors == [after for _, _, after in moves]


def stone_more(name: str, before: Facts, action: int) -> Facts | None:
    """The position after a move of the player to move; None if the move ends the game."""
    board = np.array(before.board, dtype=np.int8)
    board[square_of(name, board, action)] = STONE[before.player]
    if board.all() or any(has_line(board, player, 3 if name == "TicTacToe" else 4) for player in (0, 1)):
        return None
    return Facts(1 - before.player, board.tolist(), room(name, board))


@pytest.mark.exercise("1.5")
@pytest.mark.hint("the same board with the other player to move: which colour has the stone, and do you keep an earlier answer?")
def test_the_state_names_the_mover(student, edition):
    """the state decides whose stone is placed, also when the same board has the other player to move; earlier moves do not matter

    Promised: The stone of the player to move lands on its square, the other player is to move, and the mask is that of the
    new board;
    """
    for name, game in RULES.items():
        moves = []
        for state in ongoing(edition, game, 8):
            for before in (facts(game, state), facts(game, state)._replace(player=1 - game.player(state))):
                for action in game.legal_actions(state):
                    after = stone_more(name, before, action)
                    moves += [(before, action, after)] if after else []
        edition.shuffle(moves)
        moves = moves[:30]
        states = send(student, [before for before, _, _ in moves])
        calls = [(state, action) for state, (_, action, _) in zip(states, moves, strict=True)]
        theirs = getattr(student, name)()
        assert read(student, student.many_of(theirs, "play", calls)) == [after for _, _, after in moves]
        assert read(student, student.many_of(theirs, "play", calls[::-1])) == [after for _, _, after in moves[::-1]]
        assert read(student, states) == [before for before, _, _ in moves]


def unless_refused(play: Callable[[], Any]) -> Any:
    """Return what `play` returns, or None if it raises an IllegalMove."""
    try:
        return play()
    except Raised as error:
        if error.names[0] not in ("", "IllegalMove"):
            raise
        return None


@pytest.mark.exercise("1.5")
@pytest.mark.hint("does a refused move change anything in the state or in the game object?")
def test_a_refused_move_leaves_nothing_behind(student, edition):
    """after an IllegalMove the state is unchanged, and legal moves can be played from it

    Promised: `state` itself is not changed.
    Promised: The error keeps the action and the state.
    Promised: Both arrays are copied and locked: writing into them is a ValueError.
    """
    for name, game in RULES.items():
        line = plies(TTT, edition)[:-1] if game is TTT else replay(FOUR, full_game(edition))[20:40]
        state = edition.choice([state for state, _ in line if len(game.legal_actions(state)) < game.num_actions])
        legal, theirs, position = game.legal_actions(state), getattr(student, name)(), facts(game, state)
        sent = send(student, [position])[0]
        for action in (next(action for action in range(game.num_actions) if action not in legal), game.num_actions):
            with refused(student, position, action):
                theirs.play(sent, action)
        after = unless_refused(lambda: student.many_of(theirs, "play", [(sent, action) for action in legal]))
        ask("a legal move comes after a refused move: does the game object remember the refusal?")
        assert after is not None
        ask("a state never changes: can anybody write into its board or its mask after your move?")
        for their_state in (sent, *after[:2]):
            assert locked(student, their_state), "the arrays of a state must stay locked"
        ask("a legal move comes after a refused move: does the game object remember the refusal?")
        assert read(student, [sent, *after]) == [position, *(facts(game, game.play(state, action)) for action in legal)]
        ask("an action may be an int of NumPy, as from np.flatnonzero: do you compare actions, or their types?")
        action = edition.choice(legal)
        assert (after := unless_refused(lambda: theirs.play(sent, np.int64(action)))) is not None
        assert read(student, [after]) == [facts(game, game.play(state, action))]
