"""Othello: compared with a slow walk over lists, with OpenSpiel on the big board, and by hand at the ends of games."""

import random

import numpy as np
import pyspiel
import pytest

from arena.games import IllegalMove, Othello, after
from tests.speeds import again

GAME = Othello()
PASS = 36
EMPTY_ROWS = "/......" * 5


def random_games(game, num_games, seed):
    """Yield every state of random games with the action that led to it, None at the start."""
    rng = random.Random(seed)
    for _ in range(num_games):
        state, action = game.start(), None
        yield state, action
        while legal := game.legal_actions(state):
            action = rng.choice(legal)
            state = game.play(state, action)
            yield state, action


class SlowOthello:
    """The same rules, written for a list of lists, one square at a time."""

    def __init__(self, size):
        self.size, self.player, half = size, 0, size // 2
        self.board = [["."] * size for _ in range(size)]
        self.board[half - 1][half - 1] = self.board[half][half] = "O"
        self.board[half - 1][half] = self.board[half][half - 1] = "X"

    def line(self, r, c, dr, dc, sign):
        """Return the squares that a stone at (r, c) turns over in one direction."""
        squares = []
        while True:
            r, c = r + dr, c + dc
            if not (0 <= r < self.size and 0 <= c < self.size) or self.board[r][c] == ".":
                return []
            if self.board[r][c] == sign:
                return squares
            squares.append((r, c))

    def turned(self, action, sign):
        r, c = divmod(action, self.size)
        if self.board[r][c] != ".":
            return []
        return [place for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc for place in self.line(r, c, dr, dc, sign)]

    def moves(self, sign):
        return [action for action in range(self.size ** 2) if self.turned(action, sign)]

    def legal_actions(self):
        mine, theirs = self.moves("XO"[self.player]), self.moves("XO"[1 - self.player])
        return mine or ([self.size ** 2] if theirs else [])

    def play(self, action):
        sign = "XO"[self.player]
        if action < self.size ** 2:
            for r, c in [*self.turned(action, sign), divmod(action, self.size)]:
                self.board[r][c] = sign
        self.player = 1 - self.player

    def outcome(self):
        signs = "".join(map("".join, self.board))
        lead = signs.count("X") - signs.count("O")
        return None if self.legal_actions() else float(np.sign(lead if self.player == 0 else -lead))

    def text(self):
        return "\n".join([*map("".join, self.board), f"{'XO'[self.player]} to move"])


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("size, num_games", [(6, 150), again(4, 200), again(8, 30)])
def test_random_games_go_as_a_slow_walk_over_the_board_says(size, num_games):
    game, slow, passes, results = Othello(size), SlowOthello(size), 0, set()
    for state, action in random_games(game, num_games, seed=1):
        if action is None:
            slow = SlowOthello(size)
        else:
            slow.play(action)
            passes += action == game.num_actions - 1
        assert game.text(state) == slow.text()
        assert game.player(state) == slow.player
        assert game.legal_actions(state) == slow.legal_actions()
        assert game.outcome(state) == slow.outcome()
        results.add(game.outcome(state))
    assert passes > 5
    assert results >= {None, 1.0, -1.0}
    assert 0.0 in results or size == 8  # 30 games on the big board can be without a draw


@pytest.mark.usefixtures("repetition")
def test_two_thousand_games_on_the_big_board_go_as_open_spiel_says():
    game, oracle, passes, results = Othello(8), pyspiel.load_game("othello"), 0, set()
    for state, action in random_games(game, 2000, seed=2):
        if action is None:
            theirs = oracle.new_initial_state()
        else:
            theirs.apply_action(action)
            passes += action == 64
        mover, over = game.player(state), theirs.is_terminal()
        assert over or theirs.current_player() == mover
        assert game.legal_actions(state) == ([] if over else theirs.legal_actions())
        assert game.outcome(state) == (theirs.returns()[mover] if over else None)
        results.add(game.outcome(state))
    assert passes > 500
    assert results == {None, 1.0, 0.0, -1.0}


@pytest.mark.parametrize("moves, counts", [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_the_number_of_games_of_n_moves_is_the_known_one(moves, counts):
    """On the big board, for which these counts are published ("perft", Aart Bik)."""
    game = Othello(8)

    def games(state, depth):
        return 1 if depth == 0 else sum(games(game.play(state, action), depth - 1) for action in game.legal_actions(state))

    assert games(game.start(), moves) == counts


def test_the_start_and_the_first_move_by_hand():
    assert GAME.text(GAME.start()).split("\n") == ["......", "......", "..OX..", "..XO..", "......", "......", "X to move"]
    assert GAME.legal_actions(GAME.start()) == [8, 13, 22, 27]
    assert GAME.num_actions == 37
    assert GAME.play(GAME.start(), 8) == GAME.parse("....../..X.../..XX../..XO../....../....../O to move")


def test_a_stone_turns_the_lines_of_all_eight_directions_and_stops_at_its_own():
    board = GAME.parse("X.X.X./.OOO../XO.OX./.OOO../X.X.XO/....../X to move")
    assert GAME.text(GAME.play(board, 14)).split("\n") == [
        "X.X.X.", ".XXX..", "XXXXX.", ".XXX..", "X.X.XO", "......", "O to move"]


def test_a_line_that_ends_in_an_empty_square_or_at_the_edge_is_not_turned():
    state = GAME.parse("OO.OOX/.OO.../....../....../....../....../X to move")
    assert GAME.text(GAME.play(state, 2)).split("\n")[0] == "OOXXXX"
    assert GAME.legal_actions(GAME.parse("OOOOO./....../....../....../....../.....X/O to move")) == []


def test_lines_do_not_run_from_one_row_into_the_next():
    state = GAME.parse("....XO/O...../....../....../....../....../X to move")
    assert GAME.legal_actions(state) == [PASS]
    assert GAME.legal_actions(GAME.play(state, PASS)) == [3]


def test_who_must_pass_passes_and_the_same_board_with_the_other_to_move_is_another_state():
    blocked = GAME.parse("XO...." + EMPTY_ROWS + "/O to move")
    assert GAME.legal_actions(blocked) == [PASS]
    assert GAME.outcome(blocked) is None
    passed = GAME.play(blocked, PASS)
    assert passed == GAME.parse("XO...." + EMPTY_ROWS + "/X to move") != blocked
    assert (GAME.player(blocked), GAME.player(passed)) == (1, 0)
    assert GAME.legal_actions(passed) == [2]
    with pytest.raises(IllegalMove, match="action 36 is not legal here"):
        GAME.play(passed, PASS)


def test_the_game_is_over_as_soon_as_neither_can_place_a_stone_with_squares_left_empty():
    """After X takes the last O, no player has a move; no passes are played."""
    won = GAME.play(GAME.parse("XO...." + EMPTY_ROWS + "/X to move"), 2)
    assert (GAME.outcome(won), GAME.legal_actions(won), GAME.player(won)) == (-1.0, [], 1)
    with pytest.raises(IllegalMove, match="action 36 comes after the end of the game"):
        GAME.play(won, PASS)


@pytest.mark.parametrize("rows, value", [
    ("X....O" + EMPTY_ROWS, 0.0), ("XX...O" + EMPTY_ROWS, 1.0), ("X...OO" + EMPTY_ROWS, -1.0),
    ("XXXXXX/XXXXXX/XXXXXX/OOOOOO/OOOOOO/OOOOOO", 0.0), ("XXXXXX/XXXXXX/XXXXXX/XOOOOO/OOOOOO/OOOOOO", 1.0),
    ("XXX..." + EMPTY_ROWS, 1.0), ("OOO..." + EMPTY_ROWS, -1.0)],
    ids=["draw, squares empty", "two to one", "one to two", "draw, board full", "one stone more", "wipe-out", "wiped out"])
def test_more_stones_win_for_whoever_is_to_move(rows, value):
    assert GAME.outcome(GAME.parse(rows + "/X to move")) == value
    assert GAME.outcome(GAME.parse(rows + "/O to move")) == -value


@pytest.mark.usefixtures("computing")
def test_every_action_but_the_legal_ones_is_an_illegal_move():
    for state, _ in random_games(GAME, 20, seed=4):
        legal = GAME.legal_actions(state)
        for action in [-1, *range(38), None, "0", 1.5]:
            if action in legal:
                GAME.play(state, action)
            else:
                with pytest.raises(IllegalMove) as caught:
                    GAME.play(state, action)
                assert (caught.value.action, caught.value.state) == (action, state)


def test_the_list_of_legal_actions_is_the_callers_own():
    GAME.legal_actions(GAME.start()).clear()
    assert GAME.legal_actions(GAME.start()) == [8, 13, 22, 27]


def test_states_are_plain_ints_whatever_the_action_is_made_of():
    state = after(GAME, [np.int64(8), np.int32(7)])
    assert [type(part) for part in state] == [int, int, int]
    assert state == after(GAME, [8, 7])


def test_text_and_parse_are_each_others_inverse():
    for state, _ in random_games(GAME, 60, seed=5):
        assert GAME.parse(GAME.text(state)) == state
        assert GAME.parse(GAME.text(state).replace("\n", "/")) == state
        assert GAME.parse("\n  " + GAME.text(state).replace("\n", "\n  ") + "\n") == state


def test_without_a_word_the_number_of_stones_says_who_moves():
    assert GAME.parse("....../....../..OX../..XO../....../......") == GAME.start()
    assert GAME.player(GAME.parse("....../..X.../..XX../..XO../....../......")) == 1


@pytest.mark.parametrize("board, error", [
    ("....../......", "6 rows of 6"), ("......." + EMPTY_ROWS, "6 rows of 6"), ("..?..." + EMPTY_ROWS, "not '?'"),
    ("......" + EMPTY_ROWS + "/Z to move", "X or O is to move, not 'Z to move'"),
    ("", "6 rows of 6"), ("X to move", "6 rows of 6")])
def test_parse_names_what_is_wrong(board, error):
    with pytest.raises(ValueError, match=error.replace("?", r"\?")):
        GAME.parse(board)


@pytest.mark.parametrize("game", [GAME, Othello(8)], ids=repr)
def test_planes_show_the_mover_first_and_the_rows_as_drawn(game):
    for state, _ in random_games(game, 10, seed=6):
        *rows, _ = game.text(state).split("\n")
        planes = game.planes(state)
        assert (planes.dtype, planes.shape) == (np.float32, (2, game.size, game.size))
        mover, other = "XO" if game.player(state) == 0 else "OX"
        assert ((planes[0] == 1) == [[sign == mover for sign in row] for row in rows]).all()
        assert ((planes[1] == 1) == [[sign == other for sign in row] for row in rows]).all()


def test_a_symmetry_keeps_who_moves_what_is_legal_and_who_won():
    seen = set()
    for state, _ in random_games(GAME, 30, seed=7):
        legal = np.isin(np.arange(37), GAME.legal_actions(state))
        pairs = GAME.symmetries(state, legal)
        assert (pairs[0][0], pairs[0][1].tolist()) == (state, legal.tolist())
        for other, moved in pairs:
            assert GAME.player(other) == GAME.player(state)
            assert GAME.outcome(other) == GAME.outcome(state)
            assert np.flatnonzero(moved).tolist() == GAME.legal_actions(other)
        seen.add(len(pairs))
    assert 8 in seen


def test_the_policy_moves_along_and_its_pass_stays():
    policy = np.arange(37) / 666
    pairs = GAME.symmetries(GAME.start(), policy)
    assert len({state for state, _ in pairs}) == 2  # X and O change places, or every stone stays the same ...
    assert len({moved.tobytes() for _, moved in pairs}) == 8  # ... but the policy does not
    assert all(moved[36] == policy[36] and moved.sum() == pytest.approx(1.0) for _, moved in pairs)
    state = after(GAME, [8, 7, 6])
    policy = np.zeros(37)
    policy[GAME.legal_actions(state)[0]] = 1.0
    wanted = {GAME.text(other) for other, _ in GAME.symmetries(GAME.play(state, int(policy.argmax())), np.zeros(37))}
    assert {GAME.text(GAME.play(other, int(moved.argmax()))) for other, moved in GAME.symmetries(state, policy)} == wanted


def test_a_pair_that_two_symmetries_share_is_listed_once():
    even = np.full(37, 1 / 37)
    assert len(GAME.symmetries(GAME.start(), even)) == 2
    assert len(GAME.symmetries(after(GAME, [8]), even)) == 8


def test_games_are_values_without_memory():
    assert Othello() == Othello(6) != Othello(8)
    assert hash(Othello()) == hash(Othello(6))
    assert repr(Othello()) == "Othello()"
    with pytest.raises(AttributeError):
        GAME.board = []
    with pytest.raises(ValueError, match="not 5"):
        Othello(5)
