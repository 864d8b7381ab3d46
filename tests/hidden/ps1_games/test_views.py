"""1.7, 1.8 and 1.11: the same position in other views."""

from random import Random
from typing import Any

import numpy as np
import pytest

from autograder.grading.edition import drawn_once
from autograder.grading.hidden_checks.known_mistakes import ask, recognise
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
    read,
    replay,
    send,
    write,
)

View = tuple[Facts, list[float]]


def both_turns(game: Any, edition: Random) -> list[Facts]:
    """Random positions of unfinished and finished games, a draw among them, with either player to move."""
    ends = [facts(game, finished(edition, game, value, winner)[-1][0]) for value, winner in ((-1.0, 0), (-1.0, 1), (0.0, None))]
    return [facts(game, state) for state in ongoing(edition, game, 6, at_least=1)] + ends


def canonical_of(student: Any, positions: list[Facts]) -> list[Facts]:
    return read(student, student.many("canonical", [(state,) for state in send(student, positions)]))


@pytest.mark.exercise("1.7")
@pytest.mark.hint("whose stones are 1 when player 1 is to move?")
def test_the_mover_s_stones_are_one(student, edition):
    """in the canonical form the mover's stones are 1 and the other's -1, for either mover, and no stone changes place

    Promised: Return the position as the player to move sees it: own stones 1, the other's -1, player 0.
    """
    for game in RULES.values():
        positions = both_turns(game, edition)
        boards = [seen.board for seen in canonical_of(student, positions)]
        flipped = [[[-sign for sign in row] for row in position.board] for position in positions]
        wanted = [swap if position.player else position.board for position, swap in zip(positions, flipped, strict=True)]
        if boards != wanted:
            recognise(boards, {
                "Does anything need to change when player 0 is to move?": flipped,
                "Whose stones are 1 when player 1 is to move?": [position.board for position in positions],
                "For which of the two players do the colours change?": [[[-s for s in row] for row in b] for b in wanted],
                "Does each stone still belong to one of the two players?": [[[abs(s) for s in row] for row in b] for b in wanted],
            })  # fmt: skip
            if [np.abs(board).tolist() for board in boards] != [np.abs(board).tolist() for board in wanted]:
                ask("the stones change colour: does any stone move, appear or disappear?")
            ask_of_all([position for position, got, right in zip(positions, boards, wanted, strict=True) if got != right], {
                "Is the mover's view different when the game is over, or drawn?": lambda position: not any(position.mask),
            })  # fmt: skip
        assert boards == wanted


@pytest.mark.exercise("1.7")
@pytest.mark.hint("the colours have changed: which number does the player to move have now?")
def test_the_mover_is_player_0(student, edition):
    """in the canonical form player 0 is to move, so the canonical form of a canonical form is the same

    Promised: Return the position as the player to move sees it: own stones 1, the other's -1, player 0.
    """
    for game in RULES.values():
        positions = both_turns(game, edition)
        states = student.many("canonical", [(state,) for state in send(student, positions)])
        seen = read(student, states)
        if any(form.player for form in seen):
            recognise([form.player for form in seen], {
                "The stones have changed colour: did the mover's number change?": [position.player for position in positions],
                "You only look at a position: does the turn pass?": [1 - position.player for position in positions],
            })  # fmt: skip
        assert [form.player for form in seen] == [0] * len(seen)
        ask("a canonical form can have fewer stones of X than of O: who is to move, by the stones or by the state?")
        again = read(student, student.many("canonical", [(state,) for state in states]))
        assert [form.board for form in again] == [[[s * (-1) ** p.player for s in row] for row in p.board] for p in positions]


@pytest.mark.exercise("1.7")
@pytest.mark.hint("you only look at a position: can an action become legal, or illegal?")
def test_the_mask_stays(student, edition):
    """the canonical form has the same mask as its state, also after the end of a game

    Promised: The mask is the same;
    """
    for game in RULES.values():
        positions = both_turns(game, edition)
        odd = positions[0]._replace(mask=[not open for open in positions[0].mask])
        masks = [seen.mask for seen in canonical_of(student, [*positions, odd])]
        assert masks[:-1] == [position.mask for position in positions]
        ask("two states with the same board can differ in mask or mover: does your function treat them as different?")
        assert masks[-1] == odd.mask


@pytest.mark.exercise("1.7")
@pytest.mark.hint("do you change the state's own board, or a copy of it?")
def test_the_state_itself_stays_as_it_is(student, edition):
    """canonical does not change the state that it is given

    Promised: `state` itself is not changed.
    Promised: Both arrays are copied and locked: writing into them is a ValueError.
    """
    positions = both_turns(TTT, edition)
    states = send(student, positions)
    seen = student.many("canonical", [(state,) for state in states])
    assert read(student, states) == positions
    ask("a state never changes: can anybody write into its board or its mask after your call?")
    for their_state in (states[0], states[1], seen[0], seen[1]):  # with either player to move
        assert locked(student, their_state), "the arrays of a state must stay locked"


def turned(position: Facts, policy: list[float], number: int) -> View:
    """Tic-Tac-Toe: view `number` of eight; four turns, then four turns of the mirror image, of all three grids alike."""

    def move(grid: Any) -> np.ndarray:
        square = np.array(grid).reshape(3, 3)
        return np.rot90(square[:, ::-1] if number >= 4 else square, number % 4)

    board, mask, moved = move(position.board), move(position.mask), move(policy)
    return Facts(position.player, board.tolist(), mask.ravel().tolist()), moved.ravel().tolist()


def mirrored(position: Facts, policy: list[float]) -> View:
    """Connect Four: the mirror image."""
    return position._replace(board=[row[::-1] for row in position.board], mask=position.mask[::-1]), policy[::-1]


def views(name: str, position: Facts, policy: list[float]) -> list[View]:
    """Every different view once, the given pair first."""
    if name == "TicTacToe":
        symmetries = [turned(position, policy, number) for number in range(8)]
    else:
        symmetries = [(position, policy), mirrored(position, policy)]
    return [view for number, view in enumerate(symmetries) if view not in symmetries[:number]]


def symmetries_of(student: Any, name: str, position: Facts, policy: list[float], dtype: Any = np.float64) -> list[View]:
    """The submission's views, in plain values; the policy is an array of `dtype`."""
    pairs = getattr(student, name)().symmetries(send(student, [position])[0], np.array(policy, dtype=dtype))
    states = read(student, [state for state, _ in pairs])
    return [(state, moved.tolist()) for state, (_, moved) in zip(states, pairs, strict=True)]


def lopsided(name: str, edition: Random) -> Facts:
    """A position with as many different views as its game can have."""
    game = RULES[name]
    while True:
        position = facts(game, ongoing(edition, game, 2, at_least=2)[edition.randrange(2)])
        if is_lopsided(name, position):
            return position


def is_lopsided(name: str, position: Facts) -> bool:
    return len(views(name, position, [0.0] * len(position.mask))) == (8 if name == "TicTacToe" else 2)


def a_policy(name: str, edition: Random) -> list[float]:
    """A number for each action, all of them different."""
    return [value / 64 + 1 / 128 for value in edition.sample(range(64), RULES[name].num_actions)]


@pytest.mark.exercise("1.8")
@pytest.mark.hint("in how many ways can this board lie on a table?")
def test_the_board_is_turned_in_every_way(student, edition):
    """Tic-Tac-Toe has eight views, Connect Four two, and their boards are the right ones

    Promised: Return the position turned and mirrored in all eight ways, with its policy, each distinct pair once.
    Promised: Return the position and its mirror image, each with its policy; only one of them where they are the same.
    """
    for name in RULES:
        position, policy = lopsided(name, edition), a_policy(name, edition)
        boards = sorted(state.board for state, _ in symmetries_of(student, name, position, policy))
        wanted = [state.board for state, _ in views(name, position, policy)]
        if boards != sorted(wanted):
            recognise(boards, {
                "Is the given position one of its views?": sorted(wanted[1:]),
                "You can turn a square board and reflect it: do your views contain both?":
                    boards if boards in (sorted(wanted[:4]), sorted([wanted[0], *wanted[4:]])) else None,
                "Stones fall down: can you exchange left and right, or top and bottom?": sorted([wanted[0], wanted[0][::-1]]),
            })  # fmt: skip
        assert boards == sorted(wanted)


@pytest.mark.exercise("1.8")
@pytest.mark.hint("each action has a new place: does the policy turn in the same way as the board?")
def test_the_policy_moves_with_the_board(student, edition):
    """in every view each action keeps its number of the policy, at the new place of its square or column

    Promised: Board, mask and policy move together, the player stays.
    """
    for name in RULES:
        for position in (lopsided(name, edition), lopsided(name, edition) if name == "TicTacToe" else one_sided(edition)):
            policy = a_policy(name, edition)
            pairs = sorted((state.board, moved) for state, moved in symmetries_of(student, name, position, policy))
            right = views(name, position, policy)
            wanted = sorted((state.board, moved) for state, moved in right)
            if pairs != wanted and [board for board, _ in pairs] == [board for board, _ in wanted]:
                back, swapped = (
                    sorted((state.board, inverse(policy, number, first)) for number, (state, _) in enumerate(right))
                    for first in (0, 4)
                )
                recognise([moved for _, moved in pairs], {
                    "The policy is where it was: must it move with the board?": [policy] * len(right),
                    "Does the policy turn in the same direction as the board, or against it?": [moved for _, moved in back],
                    "Do you mirror and turn the board and the policy in the same order?": [moved for _, moved in swapped],
                })  # fmt: skip
            if any(sorted(moved) != sorted(policy) for _, moved in pairs):
                ask("the numbers of a policy only change places: do you change a number, or the given array?")
            assert pairs == wanted


def inverse(policy: list[float], number: int, first: int) -> list[float]:
    """The policy of a view, turned from view `first` on in the opposite direction to the board."""
    if len(policy) == 7:
        return policy[::-1] if number == 0 else policy
    square = np.array(policy).reshape(3, 3)
    turns = -(number % 4) if number >= first else number % 4
    return np.rot90(square[:, ::-1] if number >= 4 else square, turns).ravel().tolist()


@pytest.mark.exercise("1.8")
@pytest.mark.hint("does the mask move with the board, also after the end of a game?")
def test_the_mask_moves_with_the_board(student, edition):
    """in every view the mask has moved with the board, and in a finished game nothing becomes legal

    Promised: Board, mask and policy move together, the player stays.
    """
    for name, game in RULES.items():
        won = iter(lambda: facts(game, finished(edition, game, -1.0)[-1][0]), None)
        over = next(end for end in won if 0 in end.board[0] and is_lopsided(name, end))  # with room for another stone
        closed = [lopsided(name, edition)] if game is TTT else [one_sided(edition)]
        for position in [lopsided(name, edition), *closed, over]:
            policy = a_policy(name, edition)
            pairs = [(state.board, state.mask) for state, _ in symmetries_of(student, name, position, policy)]
            right = [(state.board, state.mask) for state, _ in views(name, position, policy)]
            if sorted(pairs) != sorted(right):
                flat = [np.array(board if game is TTT else board[0]).ravel() for board, _ in right]
                recognise([mask for _, mask in sorted(pairs)], {
                    "The board has moved: has its mask moved too?": [position.mask] * len(right),
                    "Is a view's mask the moved mask of the state, or computed from the board, where the game may be over?":
                        [mask for _, mask in
                         sorted((board, (squares == 0).tolist()) for (board, _), squares in zip(right, flat))],
                })  # fmt: skip
            assert sorted(pairs) == sorted(right)


@drawn_once
def one_sided(edition: Random) -> Facts:
    """Connect Four with a full column; its mirror column is open."""
    positions = [facts(FOUR, state) for state, _ in replay(FOUR, full_game(edition))[:-1]]
    return edition.choice([position for position in positions if position.mask != position.mask[::-1]])


@pytest.mark.exercise("1.8")
@pytest.mark.hint("you turn the board: does the turn pass to the other player?")
def test_a_view_comes_first_as_given_and_the_player_stays(student, edition):
    """the first pair is the given pair, and in every view the same player is to move

    Promised: The pair as given comes first.
    """
    for name, game in RULES.items():
        for position in (facts(game, state) for state in ongoing(edition, game, 2, at_least=1)):
            policy = a_policy(name, edition)
            symmetries = symmetries_of(student, name, position, policy)
            ask("which of the views comes first in the list?")
            assert symmetries and symmetries[0] == (position, policy), "the given position and policy must come first"
            ask("you turn or mirror the board: does the turn pass to the other player?")
            assert {state.player for state, _ in symmetries} == {position.player}


@pytest.mark.exercise("1.8")
@pytest.mark.hint("one board with two policies, or one policy on two boards: are these the same view, or two views?")
def test_each_different_view_is_listed_once(student, edition):
    """of views with equal state and policy only one is listed; another policy, or another mask, makes another view

    Promised: Return the position turned and mirrored in all eight ways, with its policy, each distinct pair once.
    Promised: Return the position and its mirror image, each with its policy; only one of them where they are the same.
    Promised: Two pairs are the same when their states are equal and their policies are equal, number by number, however
    small a difference is.
    """
    for name, position in symmetric_positions(edition):
        even, uneven = [1 / RULES[name].num_actions] * RULES[name].num_actions, a_policy(name, edition)
        for policy in (even, uneven, half_even(name, edition)):
            ask("one board with two policies, or one policy on two boards: are these the same view, or two views?")
            symmetries, right = symmetries_of(student, name, position, policy), views(name, position, policy)
            if len(symmetries) > len(right) and all(view in right for view in symmetries):
                ask("some views of a symmetric board are equal: do you compare each view with all the views before it?")
            assert sorted(symmetries) == sorted(right)
            ask("the given pair comes first: when the board is symmetric, which pairs have the same board?")
            assert symmetries[0] == right[0]
    for name, position in symmetric_positions(edition):
        shown = position._replace(mask=[edition.random() < 0.5 for _ in position.mask])  # the mask need not be symmetric
        for policy in ([0.125] * len(shown.mask), half_even(name, edition)):
            ask("two states with one board are different when their masks differ: which of the views are equal?")
            assert sorted(symmetries_of(student, name, shown, policy)) == sorted(views(name, shown, policy))


@drawn_once
def symmetric_positions(edition: Random) -> list[tuple[str, Facts]]:
    """The empty boards, one symmetric board of each game and, for comparison, one board of each game without symmetry."""
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
@pytest.mark.hint("is every policy a new array, or does it share memory with the given policy or with another view?")
def test_the_policies_are_new_arrays(student, edition):
    """a change of the given policy changes no view, and a change of one view changes nothing else

    Promised: The policies are new arrays, (9,) floats: writing into one changes nothing else.
    Promised: The policies are new arrays, (7,) floats: writing into one changes nothing else.
    """
    for name in RULES:
        position, policy = lopsided(name, edition), a_policy(name, edition)
        given, state = student.keep(np.array(policy)), send(student, [position])[0]
        ask("is every policy a new array, or does it share memory with the given policy or with another view?")
        kept = call_there(student, getattr(student, name)(), "symmetries", state, given)
        right = sorted(moved for _, moved in views(name, position, policy)[1:])
        first = call_there(student, call_there(student, kept, "__getitem__", 0), "__getitem__", 1)
        first.flat = 7.0  # every number of the array
        assert student.read(given) == policy
        assert sorted(policies(student, kept)[1:]) == right
        given.flat = -1.0
        assert sorted(policies(student, kept)[1:]) == right
        assert policies(student, kept)[0] == [7.0] * len(policy)
        for place, _ in enumerate(right, 1):
            before = policies(student, kept)
            call_there(student, call_there(student, kept, "__getitem__", place), "__getitem__", 1).flat = 8.0
            assert policies(student, kept) == [*before[:place], [8.0] * len(policy), *before[place + 1 :]]
        assert student.read(given) == [-1.0] * len(policy)
        ask("somebody has written into your views: are they made anew at the next call?")
        write(given, policy)
        again = getattr(student, name)().symmetries(state, given)
        assert sorted(moved.tolist() for _, moved in again) == sorted(moved for _, moved in views(name, position, policy))


def policies(student: Any, kept: Any) -> list[list[float]]:
    """The policies that a kept list of pairs holds now."""
    return [moved.tolist() for _, moved in student._types[".symmetries"](student._ask("read", kept))]


def observation(position: Facts) -> dict[str, np.ndarray]:
    """The observation that PettingZoo shows to the agent to move."""
    board = np.array(position.board) * (1, -1)[position.player]
    planes = np.stack([board == 1, board == -1], axis=2).astype(np.int8)
    return {"observation": planes, "action_mask": np.array(position.mask, dtype=np.int8)}


def shown(student: Any, positions: list[Facts]) -> list[Facts]:
    return read(student, student.many("to_game_state", [(observation(position),) for position in positions]))


def at_play(game: Any, edition: Random) -> list[Facts]:
    """Random positions for both players' turns, and the start."""
    return [facts(game, state) for state in [*ongoing(edition, game, 8, at_least=1), game.start()]]


@pytest.mark.exercise("1.11")
@pytest.mark.hint("I see my stones in plane 0: how do I know whether I am player 0?")
def test_the_stones_tell_whose_turn_it_is(student, edition):
    """the mover is player 0 if both have the same number of stones, and player 1 if the other has one more

    Promised: Player 0 moved first: the player to move is 0 when both players have the same number of stones, else 1.
    """
    for game in RULES.values():
        positions = at_play(game, edition)
        states = shown(student, positions)
        ask("the axes of an observation are rows, columns and planes: which two of them belong to the board?")
        assert {np.shape(state.board) for state in states} == {np.shape(positions[0].board)}
        players, wanted = [state.player for state in states], [position.player for position in positions]
        if players != wanted:
            recognise(players, {
                "Plane 0 is the mover's: is the mover always player 0?": [0] * len(players),
                "Player 0 began: whose turn is it when both have the same number of stones?": [1 - player for player in wanted],
            })  # fmt: skip
        ask("I see my stones in plane 0: how do I know whether I am player 0?")
        assert players == wanted


@pytest.mark.exercise("1.11")
@pytest.mark.hint("plane 0 is mine: which sign do my stones have when I am player 1?")
def test_the_board_is_everybody_s(student, edition):
    """on the state's board player 0's stones are 1 and player 1's are -1, for an observation of either player

    Promised: plane [:, :, 0] the stones of the player to move, [:, :, 1] the other's.
    """
    for game in RULES.values():
        positions = at_play(game, edition)
        boards = [state.board for state in shown(student, positions)]
        wanted = [position.board for position in positions]
        if boards != wanted:
            recognise(boards, {
                "The planes are exchanged for the second player: do you exchange the signs on your board?":
                    [[[s * (-1) ** position.player for s in row] for row in position.board] for position in positions],
                "Which of the two planes holds the mover's own stones?": [[[-s for s in row] for row in b] for b in wanted],
                "Row 0 of a plane is the top of the board: is your board upside down?": [board[::-1] for board in wanted],
                "The planes have rows and columns: do you exchange them?": [np.transpose(board).tolist() for board in wanted],
            })  # fmt: skip
        assert boards == wanted


@pytest.mark.exercise("1.11")
@pytest.mark.hint("is the state's mask the mask of this observation, unchanged?")
def test_the_observation_s_mask_becomes_the_state_s(student, edition):
    """the state's mask is the observation's mask, unchanged

    Promised: "action_mask": (num_actions,) int8, 1 where legal.
    """
    for game in RULES.values():
        positions = at_play(game, edition)
        odd = [position._replace(mask=[edition.random() < 0.5 for _ in position.mask]) for position in positions]
        masks, wanted = [state.mask for state in shown(student, positions + odd)], [
            position.mask for position in positions + odd
        ]  # fmt: skip
        if masks != wanted:
            recognise(masks, {
                "What does a 1 in the observation's mask say: legal, or not legal?": [[not open for open in m] for m in wanted],
                "Where does the mask come from: from this observation, from the planes, or from an earlier call?":
                    [position.mask for position in positions] * 2,
            })  # fmt: skip
        assert masks == wanted


@pytest.mark.exercise("1.11")
@pytest.mark.hint("do you change the given observation, or an array of your own?")
def test_the_observation_stays_as_it_is(student, edition):
    """reading an observation does not change it

    Promised: The observation is not changed.
    """
    position = facts(TTT, ongoing(edition, TTT, 2, at_least=2)[1])
    seen = observation(position)
    kept = {name: student.keep(array) for name, array in seen.items()}
    student.to_game_state(kept)
    assert student.read(kept["observation"]) == seen["observation"].tolist()
    assert student.read(kept["action_mask"]) == seen["action_mask"].tolist()
    planes_first = student.keep(np.moveaxis(seen["observation"], 2, 0).copy())
    turned = call_there(student, planes_first, "transpose", 1, 2, 0)  # the same numbers, stored plane by plane
    for array in (turned, kept["action_mask"]):
        student._ask("method", array, "setflags", [], {"write": False})
    ask("an array may be stored by rows or by planes: do you read it by row, column and plane?")
    state = student.to_game_state({"observation": turned, "action_mask": kept["action_mask"]})
    assert read(student, [state]) == [position]
