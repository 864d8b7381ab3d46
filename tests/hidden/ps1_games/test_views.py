"""1.7, 1.8 and 1.11: the same position, seen differently."""

from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.hidden_checks.known_mistakes import ask, recognise
from tests.hidden.ps1_games.boards import (
    DRAWN,
    FOUR,
    RULES,
    TTT,
    Facts,
    ask_of_all,
    call_there,
    facts,
    finished,
    ongoing,
    read,
    replay,
    send,
)

View = tuple[Facts, list[float]]


def both_turns(game: Any, edition: Random) -> list[Facts]:
    """Drawn positions, in which the game goes on and in which it is over, with either player to move; a draw is among them."""
    ends = [facts(game, finished(game, edition, value, winner)[-1][0]) for value, winner in ((-1.0, 0), (-1.0, 1), (0.0, None))]
    return [facts(game, state) for state in ongoing(game, edition, 6, at_least=1)] + ends


def canonical_of(student: Any, positions: list[Facts]) -> list[Facts]:
    return read(student, student.many("canonical", [(state,) for state in send(student, positions)]))


@pytest.mark.exercise("1.7")
@pytest.mark.hint("whose stones are 1 when player 1 is to move?")
def test_the_mover_s_stones_are_one(student, edition):
    """in the canonical form the mover's stones are 1 and the other's -1, whoever is to move, and nothing moves"""
    for game in RULES.values():
        positions = both_turns(game, edition)
        boards = [seen.board for seen in canonical_of(student, positions)]
        flipped = [[[-sign for sign in row] for row in position.board] for position in positions]
        wanted = [swap if position.player else position.board for position, swap in zip(positions, flipped, strict=True)]
        if boards != wanted:
            recognise(boards, {
                "Is anything to be done when player 0 is to move?": flipped,
                "Whose stones are 1 when player 1 is to move?": [position.board for position in positions],
                "For which of the two players do the colours change?": [[[-s for s in row] for row in b] for b in wanted],
                "Is each stone still that of one of the two players?": [[[abs(s) for s in row] for row in b] for b in wanted],
            })  # fmt: skip
            if [np.abs(board).tolist() for board in boards] != [np.abs(board).tolist() for board in wanted]:
                ask("the stones change colour: does any of them move, appear or go?")
            ask_of_all([position for position, got, right in zip(positions, boards, wanted, strict=True) if got != right], {
                "Is the mover's view another one where the game is over, or drawn?": lambda position: not any(position.mask),
            })  # fmt: skip
        assert boards == wanted


@pytest.mark.exercise("1.7")
@pytest.mark.hint("the colours have changed: under which name does the mover move now?")
def test_the_mover_is_player_0(student, edition):
    """in the canonical form player 0 is to move, so that the canonical form of a canonical form is the same"""
    for game in RULES.values():
        positions = both_turns(game, edition)
        states = student.many("canonical", [(state,) for state in send(student, positions)])
        seen = read(student, states)
        if any(one.player for one in seen):
            recognise([one.player for one in seen], {
                "The stones have changed colour: has the mover?": [position.player for position in positions],
                "Does the turn pass when one only looks?": [1 - position.player for position in positions],
            })  # fmt: skip
        assert [one.player for one in seen] == [0] * len(seen)
        ask("a canonical form may have fewer stones of X than of O: does the state say who is to move, or the stones?")
        again = read(student, student.many("canonical", [(state,) for state in states]))
        assert [one.board for one in again] == [[[s * (-1) ** p.player for s in row] for row in p.board] for p in positions]


@pytest.mark.exercise("1.7")
@pytest.mark.hint("does anything become legal, or illegal, by looking at it?")
def test_the_mask_stays(student, edition):
    """the canonical form has the mask of its state, at the end of a game too"""
    for game in RULES.values():
        positions = both_turns(game, edition)
        odd = positions[0]._replace(mask=[not open for open in positions[0].mask])
        masks = [seen.mask for seen in canonical_of(student, [*positions, odd])]
        assert masks[:-1] == [position.mask for position in positions]
        ask("two states with the same board may differ in mask or mover: does your function tell them apart?")
        assert masks[-1] == odd.mask


@pytest.mark.exercise("1.7")
@pytest.mark.hint("is what you change the state's own board, or a copy of it?")
def test_the_state_itself_stays_as_it_is(student, edition):
    """a state whose canonical form was asked for is the same as before"""
    positions = both_turns(TTT, edition)
    states = send(student, positions)
    student.many("canonical", [(state,) for state in states])
    assert read(student, states) == positions


def turned(position: Facts, policy: list[float], number: int) -> View:
    """Tic-Tac-Toe: view `number` of eight; four turns, then four of the mirror image, all three grids alike."""

    def move(grid: Any) -> np.ndarray:
        square = np.array(grid).reshape(3, 3)
        return np.rot90(square[:, ::-1] if number >= 4 else square, number % 4)

    board, mask, moved = move(position.board), move(position.mask), move(policy)
    return Facts(position.player, board.tolist(), mask.ravel().tolist()), moved.ravel().tolist()


def mirrored(position: Facts, policy: list[float]) -> View:
    """Connect Four: the mirror image."""
    return position._replace(board=[row[::-1] for row in position.board], mask=position.mask[::-1]), policy[::-1]


def views(name: str, position: Facts, policy: list[float]) -> list[View]:
    """Every different view once, the pair as given first."""
    if name == "TicTacToe":
        found = [turned(position, policy, number) for number in range(8)]
    else:
        found = [(position, policy), mirrored(position, policy)]
    return [view for number, view in enumerate(found) if view not in found[:number]]


def symmetries_of(student: Any, name: str, position: Facts, policy: list[float]) -> list[View]:
    """The submission's views, read."""
    pairs = getattr(student, name)().symmetries(send(student, [position])[0], np.array(policy))
    states = read(student, [state for state, _ in pairs])
    return [(state, moved.tolist()) for state, (_, moved) in zip(states, pairs, strict=True)]


def lopsided(name: str, edition: Random) -> Facts:
    """A position that has as many different views as its game can have."""
    game = RULES[name]
    while True:
        position = facts(game, ongoing(game, edition, 2, at_least=2)[edition.randrange(2)])
        if is_lopsided(name, position):
            return position


def is_lopsided(name: str, position: Facts) -> bool:
    return len(views(name, position, [0.0] * len(position.mask))) == (8 if name == "TicTacToe" else 2)


def a_policy(name: str, edition: Random) -> list[float]:
    """A number for each action, all different."""
    return [value / 64 + 1 / 128 for value in edition.sample(range(64), RULES[name].num_actions)]


@pytest.mark.exercise("1.8")
@pytest.mark.hint("how many ways are there to lay this board on the table?")
def test_the_board_is_turned_in_every_way(student, edition):
    """Tic-Tac-Toe has eight views, Connect Four two, and these are the boards"""
    for name in RULES:
        position, policy = lopsided(name, edition), a_policy(name, edition)
        boards = sorted(state.board for state, _ in symmetries_of(student, name, position, policy))
        wanted = [state.board for state, _ in views(name, position, policy)]
        if boards != sorted(wanted):
            recognise(boards, {
                "Is the position as it was given one of its views?": sorted(wanted[1:]),
                "A square can be turned, and a mirror held to it: are both among your views?":
                    boards if boards in (sorted(wanted[:4]), sorted([wanted[0], *wanted[4:]])) else None,
                "Gravity stays: can left and right be exchanged, or top and bottom?": sorted([wanted[0], wanted[0][::-1]]),
            })  # fmt: skip
        assert boards == sorted(wanted)


@pytest.mark.exercise("1.8")
@pytest.mark.hint("where has each action gone: does the policy turn the same way as the board?")
def test_the_policy_moves_with_the_board(student, edition):
    """in every view each action keeps its number of the policy, wherever its square or column has gone"""
    for name in RULES:
        for position in (lopsided(name, edition), lopsided(name, edition) if name == "TicTacToe" else one_sided(edition)):
            policy = a_policy(name, edition)
            found = sorted((state.board, moved) for state, moved in symmetries_of(student, name, position, policy))
            right = views(name, position, policy)
            wanted = sorted((state.board, moved) for state, moved in right)
            if found != wanted and [board for board, _ in found] == [board for board, _ in wanted]:
                back, swapped = (
                    sorted((state.board, inverse(policy, number, first)) for number, (state, _) in enumerate(right))
                    for first in (0, 4)
                )
                recognise([moved for _, moved in found], {
                    "A view without its policy: are the actions still where they were?": [policy] * len(right),
                    "Does the policy turn the same way as the board, or back?": [moved for _, moved in back],
                    "Are board and policy mirrored and turned in the same order?": [moved for _, moved in swapped],
                })  # fmt: skip
            if any(sorted(moved) != sorted(policy) for _, moved in found):
                ask("the numbers of a policy only change places: is any of them changed, or the array that was given?")
            assert found == wanted


def inverse(policy: list[float], number: int, first: int) -> list[float]:
    """The policy of a view, turned the other way round than the board from view `first` on."""
    if len(policy) == 7:
        return policy[::-1] if number == 0 else policy
    square = np.array(policy).reshape(3, 3)
    turns = -(number % 4) if number >= first else number % 4
    return np.rot90(square[:, ::-1] if number >= 4 else square, turns).ravel().tolist()


@pytest.mark.exercise("1.8")
@pytest.mark.hint("does the mask move with the board, at the end of a game, too?")
def test_the_mask_moves_with_the_board(student, edition):
    """in every view the mask has moved with the board, and at the end of a game nothing becomes legal"""
    for name, game in RULES.items():
        won = iter(lambda: facts(game, finished(game, edition, -1.0)[-1][0]), None)
        over = next(end for end in won if 0 in end.board[0] and is_lopsided(name, end))  # with room for another stone
        closed = [lopsided(name, edition)] if game is TTT else [one_sided(edition)]
        for position in [lopsided(name, edition), *closed, over]:
            policy = a_policy(name, edition)
            found = [(state.board, state.mask) for state, _ in symmetries_of(student, name, position, policy)]
            right = [(state.board, state.mask) for state, _ in views(name, position, policy)]
            if sorted(found) != sorted(right):
                flat = [np.array(board if game is TTT else board[0]).ravel() for board, _ in right]
                recognise([mask for _, mask in sorted(found)], {
                    "The board has moved: has its mask?": [position.mask] * len(right),
                    "Is a view's mask the state's, moved along, or worked out from the board, where the game may be over?":
                        [mask for _, mask in sorted((board, (one == 0).tolist()) for (board, _), one in zip(right, flat))],
                })  # fmt: skip
            assert sorted(found) == sorted(right)


def one_sided(edition: Random) -> Facts:
    """Connect Four with a full column whose mirror image is open."""
    positions = [facts(FOUR, state) for state, _ in replay(FOUR, edition.choice(DRAWN))[:-1]]
    return edition.choice([position for position in positions if position.mask != position.mask[::-1]])


@pytest.mark.exercise("1.8")
@pytest.mark.hint("does a turn of the board pass the turn to the other player?")
def test_a_view_comes_first_as_given_and_the_player_stays(student, edition):
    """the first pair is the one that was given, and in every view the same player is to move"""
    for name, game in RULES.items():
        for position in (facts(game, state) for state in ongoing(game, edition, 2, at_least=1)):
            policy = a_policy(name, edition)
            found = symmetries_of(student, name, position, policy)
            ask("which of the views comes first in the list?")
            assert found and found[0] == (position, policy)
            ask("does a turn of the board, or a mirror, pass the turn to the other player?")
            assert {state.player for state, _ in found} == {position.player}


@pytest.mark.exercise("1.8")
@pytest.mark.hint("one board with two policies, or one policy on two boards: is that the same view, and is it listed?")
def test_each_different_view_is_listed_once(student, edition):
    """of views that are the same, board and policy, one is listed; a symmetric board with another policy is another view"""
    for name, position in symmetric_positions(edition):
        even, uneven = [1 / RULES[name].num_actions] * RULES[name].num_actions, a_policy(name, edition)
        for policy in (even, uneven, half_even(name, edition)):
            found, right = symmetries_of(student, name, position, policy), views(name, position, policy)
            if len(found) > len(right) and all(view in right for view in found):
                ask("some views of a symmetric board are the same: is each compared with all the views before it?")
            assert sorted(found) == sorted(right)


def symmetric_positions(edition: Random) -> list[tuple[str, Facts]]:
    """The empty boards, and one of each game that has some symmetry; for comparison one of each that has none."""
    corner = TTT.play(TTT.start(), edition.choice([0, 2, 6, 8]))
    small = edition.choice([corner, TTT.play(TTT.start(), 4), TTT.play(corner, 4)])
    outer = edition.randrange(3)
    wide = FOUR.start()
    for action in (3, 3, outer, 3, 6 - outer, 3):
        wide = FOUR.play(wide, action)
    colours = FOUR.start()
    for action in (outer, 3, 6 - outer):
        colours = FOUR.play(colours, action)
    return [
        ("TicTacToe", facts(TTT, TTT.start())),
        ("TicTacToe", facts(TTT, small)),
        ("ConnectFour", facts(FOUR, FOUR.start())),
        ("ConnectFour", facts(FOUR, edition.choice([wide, colours]))),
        ("TicTacToe", lopsided("TicTacToe", edition)),
        ("ConnectFour", lopsided("ConnectFour", edition)),
    ]


def half_even(name: str, edition: Random) -> list[float]:
    """A policy that is its own mirror image and has no other symmetry."""
    policy = a_policy(name, edition)
    if name == "ConnectFour":
        return [policy[min(column, 6 - column)] for column in range(7)]
    return [policy[3 * (square // 3) + min(square % 3, 2 - square % 3)] for square in range(9)]


@pytest.mark.exercise("1.8")
@pytest.mark.hint("is every policy a new array, or the one that was given, or a window onto it or onto another view's?")
def test_the_policies_are_new_arrays(student, edition):
    """writing into the policy that was given changes no view, and writing into a view changes nothing else"""
    for name in RULES:
        position, policy = lopsided(name, edition), a_policy(name, edition)
        given, state = student.keep(np.array(policy)), send(student, [position])[0]
        kept = call_there(student, getattr(student, name)(), "symmetries", state, given)
        right = sorted(moved for _, moved in views(name, position, policy)[1:])
        first = call_there(student, call_there(student, kept, "__getitem__", 0), "__getitem__", 1)
        first.flat = 7.0  # every number of the array
        assert student.read(given) == policy
        assert sorted(policies(student, kept)[1:]) == right
        given.flat = -1.0
        assert sorted(policies(student, kept)[1:]) == right
        assert policies(student, kept)[0] == [7.0] * len(policy)


def policies(student: Any, kept: Any) -> list[list[float]]:
    """The policies that stand in a kept list of pairs now."""
    return [moved.tolist() for _, moved in student._types[".symmetries"](student._ask("read", kept))]


def observation(position: Facts) -> dict[str, np.ndarray]:
    """What PettingZoo shows to the agent whose turn it is."""
    board = np.array(position.board) * (1, -1)[position.player]
    planes = np.stack([board == 1, board == -1], axis=2).astype(np.int8)
    return {"observation": planes, "action_mask": np.array(position.mask, dtype=np.int8)}


def shown(student: Any, positions: list[Facts]) -> list[Facts]:
    return read(student, student.many("to_game_state", [(observation(position),) for position in positions]))


def at_play(game: Any, edition: Random) -> list[Facts]:
    """Drawn positions of both players' turns, and the start."""
    return [facts(game, state) for state in [*ongoing(game, edition, 8, at_least=1), game.start()]]


@pytest.mark.exercise("1.11")
@pytest.mark.hint("I see my stones in plane 0: how do I know whether I am player 0?")
def test_the_stones_tell_whose_turn_it_is(student, edition):
    """the mover is player 0 where both have as many stones, and player 1 where the other has one more"""
    for game in RULES.values():
        positions = at_play(game, edition)
        states = shown(student, positions)
        ask("an observation has rows, columns and planes, in this order: which axis is which, and which is the board's?")
        assert {np.shape(state.board) for state in states} == {np.shape(positions[0].board)}
        players, wanted = [state.player for state in states], [position.player for position in positions]
        if players != wanted:
            recognise(players, {
                "Plane 0 is the mover's: is the mover always player 0?": [0] * len(players),
                "Player 0 began: whose turn is it when both have as many stones?": [1 - player for player in wanted],
            })  # fmt: skip
        ask("I see my stones in plane 0: how do I know whether I am player 0?")
        assert players == wanted


@pytest.mark.exercise("1.11")
@pytest.mark.hint("plane 0 is mine: which sign do my stones have when I am player 1?")
def test_the_board_is_everybody_s(student, edition):
    """on the state's board player 0's stones are 1 and player 1's are -1, whoever has looked"""
    for game in RULES.values():
        positions = at_play(game, edition)
        boards = [state.board for state in shown(student, positions)]
        wanted = [position.board for position in positions]
        if boards != wanted:
            recognise(boards, {
                "The planes are flipped for the second player: is your board flipped back?":
                    [[[s * (-1) ** position.player for s in row] for row in position.board] for position in positions],
                "Which of the two planes holds the mover's own stones?": [[[-s for s in row] for row in b] for b in wanted],
                "Row 0 of a plane is the top of the board: is your board upside down?": [board[::-1] for board in wanted],
                "The planes have rows and columns: do yours change places?": [np.transpose(board).tolist() for board in wanted],
            })  # fmt: skip
        assert boards == wanted


@pytest.mark.exercise("1.11")
@pytest.mark.hint("is the state's mask the one of this observation, as it stands there?")
def test_the_observation_s_mask_becomes_the_state_s(student, edition):
    """the state's mask is the observation's, as it stands there"""
    for game in RULES.values():
        positions = at_play(game, edition)
        odd = [position._replace(mask=[edition.random() < 0.5 for _ in position.mask]) for position in positions]
        masks, wanted = [state.mask for state in shown(student, positions + odd)], [one.mask for one in positions + odd]
        if masks != wanted:
            recognise(masks, {
                "What does a 1 in the observation's mask say: legal, or not legal?": [[not open for open in m] for m in wanted],
                "Is the mask that of this observation, or worked out from the planes, or kept from the same planes?":
                    [position.mask for position in positions] * 2,
            })  # fmt: skip
        assert masks == wanted


@pytest.mark.exercise("1.11")
@pytest.mark.hint("is what you change the observation that was given, or something of your own?")
def test_the_observation_stays_as_it_is(student, edition):
    """an observation is the same after it was read"""
    position = facts(TTT, ongoing(TTT, edition, 2, at_least=2)[1])
    seen = observation(position)
    kept = {name: student.keep(array) for name, array in seen.items()}
    student.to_game_state(kept)
    assert student.read(kept["observation"]) == seen["observation"].tolist()
    assert student.read(kept["action_mask"]) == seen["action_mask"].tolist()
