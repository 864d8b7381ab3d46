"""1.5 and 1.6: one move, and all moves."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.hidden_checks.answer_types import Handle
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.full_games import full_game
from tests.hidden.ps1_games.boards import (
    FOUR,
    RULES,
    TTT,
    Facts,
    call_there,
    facts,
    finished,
    ongoing,
    over_with_open_mask,
    plies,
    read,
    refused,
    replay,
    send,
    won_with_the_last_stone,
)


def moves_of(game: Any, edition: Random) -> list[tuple[Facts, int, Facts]]:
    """(before, action, after) for every move of two random games, without the moves that end the game."""
    moves = []
    for _ in range(2):
        line = plies(game, edition)
        for (state, action), (after, _) in zip(line[:-2], line[1:-1], strict=True):
            moves.append((facts(game, state), action, facts(game, after)))
    return moves


def played(student: Any, name: str, moves: list[tuple[Facts, int, Facts]]) -> list[Facts]:
    """The states that the submission returns for these moves."""
    states = send(student, [before for before, _, _ in moves])
    calls = [(state, action) for state, (_, action, _) in zip(states, moves, strict=True)]
    return read(student, student.many_of(getattr(student, name)(), "play", calls))


@pytest.mark.exercise("1.5")
@pytest.mark.hint("on which square does the stone land, whose stone is it, and does any other square change?")
def test_the_stone_lands_on_its_square(student, edition):
    """in Tic-Tac-Toe the mover's stone lands on the square of the action, and no other square changes

    Promised: The stone of the player to move lands on its square, the other player is to move, and the mask is that of the
    new board;
    """
    moves = moves_of(TTT, edition)
    boards, wanted = [after.board for after in played(student, "TicTacToe", moves)], [after.board for _, _, after in moves]
    if boards != wanted:
        across = [[with_stone(before, *turn(divmod(action, 3))) for before, action, _ in moves] for turn in OTHER_SQUARES]
        recognise(boards, {
            "You turn a square's number into row and column: which of them is the quotient, and which row is the top?":
                boards if boards in across else None,
        })  # fmt: skip
    ask("on which square does the stone land, and do all other squares stay unchanged?")
    assert [taken(board) for board in boards] == [taken(board) for board in wanted]
    ask("whose stone is placed: the mover's, the next player's, or always the same player's?")
    assert boards == wanted


OTHER_SQUARES = (lambda square: (square[1], square[0]), lambda square: (2 - square[0], square[1]))  # transposed, upside down


def taken(board: list[list[int]]) -> list[list[bool]]:
    """Where stones of either player lie."""
    return [[sign != 0 for sign in row] for row in board]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("row 0 is the top: which rows of the column are empty, and which of them is the lowest?")
def test_the_stone_falls(student, edition):
    """in Connect Four the mover's stone lands on the lowest empty square of its column, and no other square changes

    Promised: Return (row, column) of the lowest empty square of the column, where the stone falls;
    """
    moves = moves_of(FOUR, edition)
    line = replay(FOUR, full_game(edition))[-18:]  # high columns, too
    moves += [(facts(FOUR, s), a, facts(FOUR, t)) for (s, a), (t, _) in zip(line[:-2], line[1:-1], strict=True)]
    boards = [after.board for after in played(student, "ConnectFour", moves)]
    wanted = [after.board for _, _, after in moves]
    if boards != wanted:
        columns = [[row[action] for row in before.board] for before, action, _ in moves]
        blind = [on_rows([5 - column.count(stone) for column in columns], moves) for stone in (1, -1)]
        recognise(boards, {
            "Which way do stones fall, and which row is the top?": on_rows([column.index(0) for column in columns], moves),
            "Does a stone land on top of both players' stones, or on those of one player only?":
                boards if boards in blind else None,
        })  # fmt: skip
    assert boards == wanted


def on_rows(rows: list[int], moves: list[tuple[Facts, int, Facts]]) -> list[list[list[int]]]:
    """The boards after these moves of Connect Four, if the stones landed on these rows."""
    return [with_stone(before, row, action) for row, (before, action, _) in zip(rows, moves, strict=True)]


def with_stone(before: Facts, row: int, column: int) -> list[list[int]]:
    """The board with the mover's stone on this square."""
    board = [line.copy() for line in before.board]
    board[row][column] = (1, -1)[before.player]
    return board


@pytest.mark.exercise("1.5")
@pytest.mark.hint("who is to move after player 0, and who is to move after player 1?")
def test_the_turn_passes(student, edition):
    """after a move it is the other player's turn, after player 0's move and after player 1's

    Promised: The stone of the player to move lands on its square, the other player is to move, and the mask is that of the
    new board;
    """
    for name, game in RULES.items():
        moves = moves_of(game, edition)
        players, wanted = [after.player for after in played(student, name, moves)], [after.player for _, _, after in moves]
        if players != wanted:
            recognise(players, {
                "Does the turn pass to the other player?": [1 - player for player in wanted],
                "There are players 0 and 1: who is to move after player 1?": [before.player + 1 for before, _, _ in moves],
            })  # fmt: skip
        assert players == wanted


@pytest.mark.exercise("1.5")
@pytest.mark.hint("which board does the mask describe: the board before the move, or the board after it?")
def test_the_mask_follows_the_board(student, edition):
    """after a move the mask fits the new board: a square closes at once, a column closes when it is full

    Promised: The stone of the player to move lands on its square, the other player is to move, and the mask is that of the
    new board;
    """
    for name, game in RULES.items():
        moves = moves_of(game, edition)
        if game is FOUR:
            line = replay(FOUR, full_game(edition))[-24:]
            moves += [(facts(FOUR, s), a, facts(FOUR, t)) for (s, a), (t, _) in zip(line[:-2], line[1:-1], strict=True)]
        masks, wanted = [after.mask for after in played(student, name, moves)], [after.mask for _, _, after in moves]
        if masks != wanted:
            recognise(masks, {
                "Is the new state's mask still the mask of the board before the move?": [before.mask for before, _, _ in moves],
                "Is a column full after one stone?":
                    [[open and a != action for a, open in enumerate(before.mask)] for before, action, _ in moves],
            })  # fmt: skip
        assert masks == wanted


@pytest.mark.exercise("1.5")
@pytest.mark.hint("a move ends the game: on which board do you look for the end, and what is legal afterwards?")
def test_nothing_is_legal_after_the_end(student, edition):
    """a move that ends the game, by a win of either player or by a draw, leads to a state in which nothing is legal

    Promised: the mask is all False when the move has ended the game.
    """
    for name, game in RULES.items():
        lines = [finished(edition, game, -1.0, winner) for winner in (0, 1, 0, 1)] + [finished(edition, game, 0.0)]
        lines.append(won_with_the_last_stone(game, edition))
        moves = [(facts(game, line[-2][0]), line[-2][1], facts(game, line[-1][0])) for line in lines]
        successors = played(student, name, moves)
        wanted = [after for _, _, after in moves]
        for winner in (0, 1):
            if all((seen != after) == (k < 4 and k % 2 == winner) for k, (seen, after) in enumerate(zip(successors, wanted))):
                ask(f"does a win of player {winner} end the game in the same way as a win of player {1 - winner} does?")
        assert successors == wanted


@pytest.mark.exercise("1.5")
@pytest.mark.hint("on which board do you place the stone: on the state's own board, or on a copy?")
def test_the_state_before_stays_as_it_was(student, edition):
    """play does not change its state: all moves can be played from the same state, one after another

    Promised: `state` itself is not changed.
    """
    for name, game in RULES.items():
        state = ongoing(edition, game, 1)[0]
        legal = game.legal_actions(state)
        before = send(student, [facts(game, state)])[0]
        after = student.many_of(getattr(student, name)(), "play", [(before, action) for action in legal])
        assert read(student, [before]) == [facts(game, state)]
        successors, wanted = read(student, after), [facts(game, game.play(state, action)) for action in legal]
        assert [seen.board for seen in successors] == [right.board for right in wanted]
        ask("some of these moves end the game and some do not: what is legal after each of them?")
        assert [seen.mask for seen in successors] == [right.mask for right in wanted]
        assert successors == wanted


@pytest.mark.exercise("1.5")
@pytest.mark.hint("what does play do when the square is taken, or the column full?")
def test_a_taken_place_is_refused(student, edition):
    """a stone on a taken square or in a full column is an IllegalMove

    Promised: IllegalMove: the action is not legal at `state`, is not one of 0 .. num_actions - 1, or the game is over,
    Promised: The error keeps the action and the state.
    """
    small, wide = student.TicTacToe(), student.ConnectFour()
    line = plies(TTT, edition)
    state = edition.choice(line[1:-1])[0]
    position = facts(TTT, state)
    for action in (action for action, open in enumerate(position.mask) if not open):
        with refused(student, position, action):
            small.play(send(student, [position])[0], action)
    line = [state for state, _ in replay(FOUR, full_game(edition))[:-1] if len(FOUR.legal_actions(state)) < 6]
    position = facts(FOUR, edition.choice(line))
    for action in (action for action, open in enumerate(position.mask) if not open):
        with refused(student, position, action):
            wide.play(send(student, [position])[0], action)


@pytest.mark.exercise("1.5")
@pytest.mark.hint("which numbers are actions: can a negative number, or one that is too large, mean another action?")
def test_an_action_that_does_not_exist_is_refused(student, edition):
    """a number outside 0 .. num_actions - 1 is an IllegalMove, also a negative number

    Promised: IllegalMove: the action is not legal at `state`, is not one of 0 .. num_actions - 1, or the game is over,
    Promised: The error keeps the action and the state.
    """
    for name, game in RULES.items():
        theirs, position = getattr(student, name)(), facts(game, game.start())
        number = game.num_actions
        for action in (-1, -number, number, 2 * number, edition.randint(10, 99), edition.randint(-99, -10)):
            with refused(student, position, action):
                theirs.play(send(student, [position])[0], action)


@pytest.mark.exercise("1.5")
@pytest.mark.hint("is any move allowed when the game is over?")
def test_no_move_after_the_end(student, edition):
    """a move after the end is an IllegalMove, even on a board with room, and even if the mask still allows it

    Promised: IllegalMove: the action is not legal at `state`, is not one of 0 .. num_actions - 1, or the game is over, even
    if the mask still shows empty squares. The error keeps the action and the state.
    """
    for name, game in RULES.items():
        theirs = getattr(student, name)()
        for winner in (0, 1):
            position = facts(game, finished(edition, game, -1.0, winner)[-1][0])
            room = [sign == 0 for row in position.board for sign in row]
            free = [action for action in range(game.num_actions) if room[action]]  # squares, or the top row
            open_still = position._replace(mask=[action in free for action in range(game.num_actions)])
            for number, action in enumerate((free or [0])[:3]):
                ask("is any move allowed when the game is over?")
                if number:
                    ask("the game is over, and the state's mask may still show empty squares: who tells that the game is over?")
                over = open_still if number else position
                with refused(student, over, action):
                    theirs.play(send(student, [over])[0], action)
        drawn = facts(game, finished(edition, game, 0.0)[-1][0])
        drawn = drawn._replace(mask=[True] * game.num_actions)
        ask("the game is a draw: is any move allowed, whatever the mask says?")
        with refused(student, drawn, game.num_actions - 1):
            theirs.play(send(student, [drawn])[0], game.num_actions - 1)


TREE = ToyGame(
    {"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"], "c": ["g", "h", "i"]}, {"d": 1.0, "f": -1.0, "g": 0.0, "h": -0.5}
)


def known_transitions(watched: Any, game: Any, state: Any) -> tuple[dict[int, Any], float | None]:
    """The right answer of `transitions` for a game of the grader; its states are names."""
    return {a: watched.token(game.play(state, a)) for a in game.legal_actions(state)}, game.outcome(state)


def four_open_columns(edition: Random) -> Any:
    """A state of Connect Four with four legal actions, and not the first four."""
    while True:
        for state, _ in replay(FOUR, full_game(edition)):
            if len(legal := FOUR.legal_actions(state)) == 4 and legal != [0, 1, 2, 3]:
                return state


@pytest.mark.exercise("1.6")
@pytest.mark.hint("from which state is each of the actions played?")
def test_every_legal_action_has_its_successor(student, edition):
    """while a game goes on, every legal action leads from the same state to its own successor, and the outcome is None

    Promised: While the game goes on: every legal action with its successor, and None.
    """
    earlier: dict[str, Any] = {}
    for game, states in ((TREE, ("s0", "a", "b", "c")), (FOUR, (four_open_columns(edition),))):
        watched = student.watch(game)
        for state in states:
            name = watched.token(state)
            answer, wanted = student.transitions(watched, name), known_transitions(watched, game, state)
            if answer != wanted:
                hint = "Two games may have states of the same name: is this the answer for the other game?"
                recognise(answer, {hint: earlier.get(name)})
            earlier[name] = answer
            (successors, outcome), known = answer, wanted[0]
            ask("for which state do you ask the outcome, and what is the outcome while the game goes on?")
            assert outcome is None
            ask("which key belongs to a successor: the number of its action, or its place in a list?")
            assert set(successors) <= set(known)
            ask("does every legal action have its successor, also the last one, and one that ends the game?")
            assert set(successors) == set(known)
            ask("from which state is each of the actions played?")
            assert successors == known


@pytest.mark.exercise("1.6")
@pytest.mark.hint("when a game is over, what is its outcome, which method tells it, and can anything be played?")
def test_a_finished_game_has_an_outcome_and_no_successors(student, edition):
    """a finished game has no successors, in a new dict each time, and its outcome is the one that the game tells, a fraction too

    Promised: If the game is over: {} and the outcome. The dict is a new one at every call.
    """
    ends = [(TREE, state) for state in "dfgh"] + [(TTT, finished(edition, TTT, value)[-1][0]) for value in (-1.0, 0.0)]
    answers = []
    for game, end in ends:
        watched = student.watch(game)
        answers.append(student.transitions(watched, watched.token(end)))
    wanted = [game.outcome(end) for game, end in ends]
    if [outcome for _, outcome in answers] != wanted:
        recognise([outcome for _, outcome in answers], {
            "Is this the outcome as the game tells it, or with the other player's sign?": [-value for value in wanted],
            "Is a draw an outcome, and does Python treat 0 as true or as false?": [value or None for value in wanted],
            "When a game is over, does your function ask for its outcome and return it?": [None] * len(wanted),
        })  # fmt: skip
    assert [outcome for _, outcome in answers] == wanted
    ask("can anything be played when the game is over?")
    assert [successors for successors, _ in answers] == [{}] * len(ends)
    for name in RULES:
        game, state = over_with_open_mask(student, edition, name)
        ask("the game is over, and the state's mask still shows squares: which method tells that the game is over?")
        assert student.transitions(game, state) == ({}, -1.0)
    kept = student.call_and_keep("transitions", game, state)
    student._ask("method", call_there(student, kept, "__getitem__", 0), "setdefault", [0, 0], {})
    ask("a caller may write into the dict that it got: is the dict a new one at every call?")
    assert student.transitions(game, state) == ({}, -1.0)


@pytest.mark.exercise("1.6")
@pytest.mark.hint("which game was passed in, and which object knows the legal actions and the next states?")
def test_transitions_work_for_both_boards(student, edition):
    """for the boards of both games the successors are the states after each legal action

    Promised: While the game goes on: every legal action with its successor, and None.
    """
    for name, game in RULES.items():
        for state in ongoing(edition, game, 2):
            successors, outcome = student.transitions(getattr(student, name)(), send(student, [facts(game, state)])[0])
            assert outcome is None
            assert sorted(successors) == game.legal_actions(state)
            assert [after for after in successors.values() if not isinstance(after, Handle)] == []
            after = read(student, [successors[action] for action in sorted(successors)])
            ask("is each successor the state that `play` returns, with the same player, board and mask?")
            assert after == [facts(game, game.play(state, action)) for action in game.legal_actions(state)]
