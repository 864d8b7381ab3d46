"""1.5 and 1.6: one move, and all moves."""

from random import Random
from typing import Any

import pytest

from arena.games import ToyGame
from autograder.grading.recognise import recognise
from autograder.grading.types import Handle
from tests.hidden.ps1_games.boards import (
    DRAWN,
    FOUR,
    RULES,
    TTT,
    Facts,
    facts,
    finished,
    ongoing,
    plies,
    read,
    refused,
    replay,
    send,
    won_with_the_last_stone,
)


def moves_of(game: Any, edition: Random) -> list[tuple[Facts, int, Facts]]:
    """(before, action, after) for every move of two drawn games, without those that end the game."""
    found = []
    for _ in range(2):
        line = plies(game, edition)
        for (state, action), (after, _) in zip(line[:-2], line[1:-1], strict=True):
            found.append((facts(game, state), action, facts(game, after)))
    return found


def played(student: Any, name: str, moves: list[tuple[Facts, int, Facts]]) -> list[Facts]:
    """What the submission makes of these moves."""
    states = send(student, [before for before, _, _ in moves])
    calls = [(state, action) for state, (_, action, _) in zip(states, moves, strict=True)]
    return read(student, student.many_of(getattr(student, name)(), "play", calls))


@pytest.mark.exercise("1.5")
@pytest.mark.hint("from the number of a square to its row and column: which is the quotient?")
def test_the_stone_lands_on_its_square(student, edition):
    """in Tic-Tac-Toe the mover's stone lands on the square of the action, and nothing else changes"""
    moves = moves_of(TTT, edition)
    boards = [after.board for after in played(student, "TicTacToe", moves)]
    assert boards == [after.board for _, _, after in moves]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("row 0 is the top: which rows of the column are empty, and which of them is the lowest?")
def test_the_stone_falls(student, edition):
    """in Connect Four the mover's stone lands on the lowest empty square of its column, and nothing else changes"""
    moves = moves_of(FOUR, edition)
    line = replay(FOUR, edition.choice(DRAWN))[-18:]  # high columns, too
    moves += [(facts(FOUR, s), a, facts(FOUR, t)) for (s, a), (t, _) in zip(line[:-2], line[1:-1], strict=True)]
    boards = [after.board for after in played(student, "ConnectFour", moves)]
    upwards = [with_stone(before, highest_empty(before.board, action), action) for before, action, _ in moves]
    recognise(boards, {"Which way do stones fall, and which row is the top?": upwards})
    assert boards == [after.board for _, _, after in moves]


def highest_empty(board: list[list[int]], column: int) -> int:
    return next(row for row in range(6) if board[row][column] == 0)


def with_stone(before: Facts, row: int, column: int) -> list[list[int]]:
    """The board with the mover's stone on this square."""
    board = [line.copy() for line in before.board]
    board[row][column] = (1, -1)[before.player]
    return board


@pytest.mark.exercise("1.5")
@pytest.mark.hint("who is to move after player 1?")
def test_the_turn_passes(student, edition):
    """after a move it is the other player's turn, after the first player's and after the second's"""
    for name, game in RULES.items():
        moves = moves_of(game, edition)
        assert [after.player for after in played(student, name, moves)] == [after.player for _, _, after in moves]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("of which board is the mask: of the one before the move, or after it?")
def test_the_mask_follows_the_board(student, edition):
    """after a move the mask is that of the new board: a square closes at once, a column when it is full"""
    for name, game in RULES.items():
        moves = moves_of(game, edition)
        if game is FOUR:
            line = replay(FOUR, edition.choice(DRAWN))[-24:]
            moves += [(facts(FOUR, s), a, facts(FOUR, t)) for (s, a), (t, _) in zip(line[:-2], line[1:-1], strict=True)]
        masks = [after.mask for after in played(student, name, moves)]
        closing = [[open and a != action for a, open in enumerate(before.mask)] for before, action, _ in moves]
        stale = [before.mask for before, _, _ in moves]
        known = {"Is the new state's mask that of the board before the move?": stale}
        if game is FOUR:
            known["Is a column full after one stone?"] = closing
        recognise(masks, known)
        assert masks == [after.mask for _, _, after in moves]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("the game is over: what is legal now?")
def test_nothing_is_legal_after_the_end(student, edition):
    """the move that ends a game, won by either player or drawn, leads to a state in which nothing is legal"""
    for name, game in RULES.items():
        lines = [finished(game, edition, -1.0, 0), finished(game, edition, -1.0, 1), finished(game, edition, 0.0)]
        lines.append(won_with_the_last_stone(game, edition))
        moves = [(facts(game, line[-2][0]), line[-2][1], facts(game, line[-1][0])) for line in lines]
        assert played(student, name, moves) == [after for _, _, after in moves]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("on whose board does the stone land?")
def test_the_state_before_stays_as_it_was(student, edition):
    """play leaves its state alone: all moves can be played from the same state, one after another"""
    for name, game in RULES.items():
        state = ongoing(game, edition, 1)[0]
        legal = game.legal_actions(state)
        before = send(student, [facts(game, state)])[0]
        after = student.many_of(getattr(student, name)(), "play", [(before, action) for action in legal])
        assert read(student, [before]) == [facts(game, state)]
        assert read(student, after) == [facts(game, game.play(state, action)) for action in legal]


@pytest.mark.exercise("1.5")
@pytest.mark.hint("what if the square is taken, or the column full?")
def test_a_taken_place_is_refused(student, edition):
    """a stone on a taken square or in a full column is an IllegalMove"""
    small, wide = student.TicTacToe(), student.ConnectFour()
    line = plies(TTT, edition)
    state = edition.choice(line[1:-1])[0]
    position = facts(TTT, state)
    for action in (action for action, open in enumerate(position.mask) if not open):
        with refused(action):
            small.play(send(student, [position])[0], action)
    line = [state for state, _ in replay(FOUR, edition.choice(DRAWN))[:-1] if len(FOUR.legal_actions(state)) < 6]
    position = facts(FOUR, edition.choice(line))
    for action in (action for action, open in enumerate(position.mask) if not open):
        with refused(action):
            wide.play(send(student, [position])[0], action)


@pytest.mark.exercise("1.5")
@pytest.mark.hint("which of Python's indices are no actions?")
def test_an_action_that_does_not_exist_is_refused(student, edition):
    """a number outside 0 .. num_actions - 1 is an IllegalMove, the negative ones too"""
    for name, game in RULES.items():
        theirs, position = getattr(student, name)(), facts(game, game.start())
        number = game.num_actions
        for action in (-1, -number, number, 2 * number, edition.randint(10, 99), edition.randint(-99, -10)):
            with refused(action):
                theirs.play(send(student, [position])[0], action)


@pytest.mark.exercise("1.5")
@pytest.mark.hint("may anybody move when the game is over?")
def test_no_move_after_the_end(student, edition):
    """a move after the end is an IllegalMove, even where there is room"""
    for name, game in RULES.items():
        theirs = getattr(student, name)()
        for winner in (0, 1):
            position = facts(game, finished(game, edition, -1.0, winner)[-1][0])
            room = [sign == 0 for row in position.board for sign in row]
            free = [action for action in range(game.num_actions) if room[action]]  # squares, or the top row
            for action in (free or [0])[:3]:
                with refused(action):
                    theirs.play(send(student, [position])[0], action)


TREE = ToyGame(
    {"s0": ["a", "b", "c"], "a": ["d", "e"], "b": ["f"], "c": ["g", "h", "i"]}, {"d": 1.0, "f": -1.0, "g": 0.0, "h": -0.5}
)


def known_transitions(watched: Any, game: Any, state: Any) -> tuple[dict[int, Any], float | None]:
    """What `transitions` must say of a game that the grader owns: successors are the names of states."""
    return {a: watched.token(game.play(state, a)) for a in game.legal_actions(state)}, game.outcome(state)


@pytest.mark.exercise("1.6")
@pytest.mark.hint("from which state is each of the actions played?")
def test_every_legal_action_has_its_successor(student, edition):
    """while a game goes on, every legal action leads from the same state to its own successor, and the outcome is None"""
    watched = student.watch(TREE)
    for state in ("s0", "a", "b", "c"):
        assert student.transitions(watched, watched.token(state)) == known_transitions(watched, TREE, state)
    watched, state = student.watch(FOUR), replay(FOUR, edition.choice(DRAWN))[36][0]  # few columns, not the first ones
    assert student.transitions(watched, watched.token(state)) == known_transitions(watched, FOUR, state)


@pytest.mark.exercise("1.6")
@pytest.mark.hint("which outcomes can a finished game have, and which of them does Python take for False?")
def test_a_finished_game_has_an_outcome_and_no_successors(student, edition):
    """where a game is over, won, lost or drawn, there are no successors, and the outcome is told as the game tells it"""
    watched = student.watch(TREE)
    for state in ("d", "f", "g", "h"):
        assert student.transitions(watched, watched.token(state)) == ({}, TREE.outcome(state))
    for value in (-1.0, 0.0):
        watched, end = student.watch(TTT), finished(TTT, edition, value)[-1][0]
        assert student.transitions(watched, watched.token(end)) == ({}, value)


@pytest.mark.exercise("1.6")
@pytest.mark.hint("which game was passed in?")
def test_transitions_work_for_both_boards(student, edition):
    """on the boards of both games the successors are the states after each legal action"""
    for name, game in RULES.items():
        for state in ongoing(game, edition, 2):
            successors, outcome = student.transitions(getattr(student, name)(), send(student, [facts(game, state)])[0])
            assert outcome is None
            assert sorted(successors) == game.legal_actions(state)
            assert all(isinstance(after, Handle) for after in successors.values())
            after = read(student, [successors[action] for action in sorted(successors)])
            assert after == [facts(game, game.play(state, action)) for action in game.legal_actions(state)]
