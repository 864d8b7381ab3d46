"""The boards of the hidden suites that a search or a solver found: each is what its file says, and the drawn games are drawn."""

import random

import pytest

from arena.games import ConnectFour, after
from arena.players.solver import Solver
from assets.make.near_ends import BOARDS, STONES, always_found, right_move
from tests.hidden.full_games import full_game
from tests.hidden.ps3_connect_four.oracle import boards_near_the_end

GAME, SOLVER = ConnectFour(), Solver(20)


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("depth, player", boards_near_the_end())
def test_each_board_has_the_one_right_move_that_it_claims(depth, player):
    boards = boards_near_the_end()[depth, player]
    assert len({moves for moves, _ in boards}) == len(boards) == BOARDS
    for moves, right in boards:
        state = after(GAME, map(int, moves))
        assert GAME.player(state) == player and GAME.outcome(state) is None and STONES[0] <= len(moves) <= STONES[1]
        assert right_move(state, depth, SOLVER) == right


@pytest.mark.parametrize("depth, player", boards_near_the_end())
def test_a_search_finds_the_move_from_every_seed(depth, player):
    for moves, right in random.Random(0).sample(boards_near_the_end()[depth, player], 3):
        assert always_found(after(GAME, map(int, moves)), right, depth)


@pytest.mark.usefixtures("computing")
def test_no_two_boards_are_the_same_or_mirror_images():
    states = [after(GAME, map(int, moves)) for boards in boards_near_the_end().values() for moves, _ in boards]
    images = {min(image for image, _ in GAME.symmetries(state, [0.0] * 7)) for state in states}
    assert len(images) == len(states)


@pytest.mark.parametrize("won", [False, True])
def test_full_games_fill_the_board(won):
    for seed in range(20):
        *moves, last = full_game(random.Random(f"{seed} {won}"), won=won)
        before = after(GAME, moves)
        assert len(moves) == 41 and GAME.outcome(before) is None
        assert GAME.outcome(GAME.play(before, last)) == (-1.0 if won else 0.0)
