"""The rules of the games: compared with OpenSpiel on thousands of random games, and by hand on boards that show a rule best."""

import random

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import FIVE_SIMULATIONS, ConnectFour, Drawable, IllegalMove, Othello, TicTacToe, after, result_for

GAMES = [TicTacToe(), ConnectFour()]
both_games = pytest.mark.parametrize("game", GAMES, ids=repr)


def random_states(game, num_games, seed):
    """Yield every state of random games, and the actions that led to it."""
    rng = random.Random(seed)
    for _ in range(num_games):
        state, actions = game.start(), []
        yield state, actions
        while legal := game.legal_actions(state):
            actions.append(rng.choice(legal))
            state = game.play(state, actions[-1])
            yield state, actions


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("game, name, num_games",
                         [(TicTacToe(), "tic_tac_toe", 4000), (ConnectFour(), "connect_four", 3000)])
def test_thousands_of_random_games_go_as_open_spiel_says(game, name, num_games):
    oracle = pyspiel.load_game(name)
    results = set()
    for state, actions in random_states(game, num_games, seed=2024):
        if not actions:
            theirs = oracle.new_initial_state()
        else:
            theirs.apply_action(actions[-1])
        over = theirs.is_terminal()
        mover = len(actions) % 2
        assert game.player(state) == mover
        assert over or theirs.current_player() == mover
        assert game.legal_actions(state) == ([] if over else theirs.legal_actions())
        assert game.outcome(state) == (theirs.returns()[mover] if over else None)
        results.add(game.outcome(state))
        board = "\n".join(row for row in game.text(state).lower().split("\n") if not row.isdigit())
        assert board == str(theirs).strip()
    assert results == {None, -1.0, 0.0}  # the games reached wins and draws


@both_games
def test_a_move_leaves_the_state_before_it_alone_and_gives_each_player_every_second_stone(game):
    for state, actions in random_states(game, 50, seed=3):
        first, second = state if len(actions) % 2 == 0 else state[::-1]
        assert (first.bit_count(), second.bit_count()) == ((len(actions) + 1) // 2, len(actions) // 2)
        assert first & second == 0
        assert after(game, actions) == state


@both_games
def test_every_action_but_the_legal_ones_is_an_illegal_move(game):
    for state, _ in random_states(game, 60, seed=4):
        legal = game.legal_actions(state)
        for action in [-1, *range(game.num_actions), game.num_actions, None, "0", 1.5]:
            if action in legal:
                game.play(state, action)
            else:
                with pytest.raises(IllegalMove) as caught:
                    game.play(state, action)
                assert (caught.value.action, caught.value.state) == (action, state)
                assert game.text(state) in str(caught.value)


@both_games
def test_the_list_of_legal_actions_is_the_callers_own(game):
    game.legal_actions(game.start()).clear()
    assert game.legal_actions(game.start()) == list(range(game.num_actions))


@both_games
def test_text_and_parse_are_each_others_inverse(game):
    for state, _ in random_states(game, 100, seed=5):
        assert game.parse(game.text(state)) == state
        assert game.parse(game.text(state).replace("\n", "/")) == state


@both_games
def test_games_are_values_without_memory(game):
    assert game == type(game)()
    assert hash(game) == hash(type(game)())
    assert TicTacToe() != ConnectFour()
    with pytest.raises(AttributeError):
        game.board = []


def test_tic_tac_toe_bits_are_squares_from_the_upper_left():
    game = TicTacToe()
    assert game.parse("X../.O./..X") == (0b000_010_000, 0b100_000_001)  # O is to move
    assert after(game, [0, 4, 8]) == game.parse("X../.O./..X")


def test_connect_four_has_seven_bits_a_column_from_the_bottom():
    game = ConnectFour()
    assert after(game, [3]) == (0, 1 << 21)
    assert after(game, [3, 3, 0, 6]) == (1 << 21 | 1 << 0, 1 << 22 | 1 << 42)
    assert game.legal_actions(after(game, [3, 3, 3, 3, 3, 3])) == [0, 1, 2, 4, 5, 6]


def test_every_line_of_four_and_nothing_else_wins():
    """All 69 lines of the board, counted by a walk over the board; three of the four stones are never enough."""
    from arena.games.connect_four import has_four
    lines = {tuple(7 * (c + i * dc) + r + i * dr for i in range(4))
             for c in range(7) for r in range(6) for dc, dr in [(1, 0), (0, 1), (1, 1), (1, -1)]
             if c + 3 * dc < 7 and 0 <= r + 3 * dr < 6}
    assert len(lines) == 69
    for line in lines:
        assert has_four(sum(1 << bit for bit in line))
        assert not any(has_four(sum(1 << bit for bit in line if bit != gap)) for gap in line)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2 ** 49 - 1))
def test_four_in_a_row_agrees_with_a_walk_over_the_board(bits):
    from arena.games.connect_four import FULL, has_four
    stones = bits & FULL

    def at(c, r):
        return 0 <= c < 7 and 0 <= r < 6 and bool(stones >> 7 * c + r & 1)

    walked = any(all(at(c + i * dc, r + i * dr) for i in range(4))
                 for c in range(7) for r in range(6) for dc, dr in [(1, 0), (0, 1), (1, 1), (1, -1)])
    assert bool(has_four(stones)) == walked


def test_a_last_stone_that_wins_is_a_win_and_not_a_draw():
    game = TicTacToe()
    assert game.outcome(game.parse("XOX/OXO/XOX")) == -1.0  # O would be to move
    assert game.outcome(game.parse("XOX/XOO/OXX")) == 0.0


@pytest.mark.parametrize("game, board, error", [
    (TicTacToe(), "XX./.../...", "X moves first"), (TicTacToe(), "OX./O../...", "X moves first"),
    (TicTacToe(), "XXX/OOO/...", "three in a row already"), (TicTacToe(), "XO./...", "3 rows of 3"),
    (TicTacToe(), "XY./.../...", "not 'Y'"),
    (ConnectFour(), "X......" + "/......." * 5, "hangs over an empty square in column 0")])
def test_parse_names_what_is_wrong(game, board, error):
    with pytest.raises(ValueError, match=error):
        game.parse(board)


@both_games
def test_planes_show_the_mover_first_and_the_rows_as_drawn(game):
    for state, actions in random_states(game, 20, seed=6):
        planes = game.planes(state)
        rows = [row for row in game.text(state).split("\n") if not row.isdigit()]
        assert planes.dtype == np.float32
        assert planes.shape == (2, len(rows), len(rows[0]))
        mover, other = "XO" if len(actions) % 2 == 0 else "OX"
        assert ((planes[0] == 1) == [[sign == mover for sign in row] for row in rows]).all()
        assert ((planes[1] == 1) == [[sign == other for sign in row] for row in rows]).all()


def test_tic_tac_toe_has_eight_symmetries_with_the_policy_moved_along():
    game = TicTacToe()
    policy = np.arange(9) / 36
    pairs = game.symmetries(game.start(), policy)
    assert len({moved.tobytes() for _, moved in pairs}) == 8
    assert pairs[0][0] == game.start() and (pairs[0][1] == policy).all()
    for state, moved in game.symmetries(game.parse("X../.O./..."), policy):
        # the policy's smallest entry sits on square 0, where X is
        assert after(game, [int(moved.argmin()), 4]) == state


def test_a_pair_that_two_symmetries_share_is_listed_once():
    even = np.full(9, 1 / 9)
    game = TicTacToe()
    assert len(game.symmetries(game.start(), even)) == 1
    assert len(game.symmetries(game.parse("X../.../..."), even)) == 4
    assert len(ConnectFour().symmetries(after(ConnectFour(), [3]), np.full(7, 1 / 7))) == 1


def test_connect_four_mirrors_columns():
    game = ConnectFour()
    pairs = game.symmetries(after(game, [0, 0, 5]), [0, 1, 2, 3, 4, 5, 6])
    assert [state for state, _ in pairs] == [after(game, [0, 0, 5]), after(game, [6, 6, 1])]
    assert pairs[1][1].tolist() == [6, 5, 4, 3, 2, 1, 0]


@both_games
def test_a_symmetry_keeps_who_moves_what_is_legal_and_who_won(game):
    for state, _ in random_states(game, 30, seed=7):
        legal = np.isin(np.arange(game.num_actions), game.legal_actions(state))
        for other, moved in game.symmetries(state, legal):
            assert game.player(other) == game.player(state)
            assert game.outcome(other) == game.outcome(state)
            assert np.flatnonzero(moved).tolist() == game.legal_actions(other)


@pytest.mark.parametrize("game, actions, result", [
    (TicTacToe(), [0, 3, 1, 4, 2], 1.0), (TicTacToe(), [0, 3, 1, 4, 8, 5], -1.0), (FIVE_SIMULATIONS, [1, 0], -14.0)])
def test_a_result_belongs_to_the_player_who_is_asked_about(game, actions, result):
    """X wins with three stones of five, O with three of six, and player 0 is to move at the end of the toy game."""
    end = after(game, actions)
    assert (result_for(game, end, 0), result_for(game, end, 1)) == (result, -result)


def test_a_draw_is_no_negative_number_for_either_player():
    end = after(TicTacToe(), [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert [str(result_for(TicTacToe(), end, player)) for player in (0, 1)] == ["0.0", "0.0"]


@both_games
def test_nobody_has_a_result_while_the_game_goes_on(game):
    with pytest.raises(ValueError, match="goes on"):
        result_for(game, game.start(), 0)


@pytest.mark.parametrize("game", [*GAMES, Othello(), Othello(8)], ids=repr)
def test_a_game_says_what_its_board_looks_like_and_what_a_click_on_it_means(game):
    assert isinstance(game, Drawable)
    for state, _ in random_states(game, 20, seed=11):
        rows = game.rows(state)
        assert (len(rows), {len(row) for row in rows}) == (game.board.height, {game.board.width})
        assert game.text(state).split("\n")[:len(rows)] == rows
        for action in game.legal_actions(state):
            if action == game.board.pass_action:
                assert game.rows(game.play(state, action)) == rows
            else:
                changed = zip(rows, game.rows(game.play(state, action)))
                filled = [(r, c) for r, (old, new) in enumerate(changed) for c, sign in enumerate(old) if sign == "." != new[c]]
                assert [game.board.action_at(*place) for place in filled] == [action]


def test_a_toy_game_has_no_board():
    assert isinstance(FIVE_SIMULATIONS, Drawable)
    assert FIVE_SIMULATIONS.board is None and FIVE_SIMULATIONS.rows("s0") == ["s0"]
