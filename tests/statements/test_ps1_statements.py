"""Problem set 1: its figures, computed again."""

import random
from functools import cache
from math import sqrt

import numpy as np
import pytest
from lesson import says, share

from arena.games import ConnectFour, TicTacToe, result_for
from arena.show.grow import positions
from solutions import ps1_games as ps1
from solutions.ps1_games import negamax, random_playout

PS, GAME = "ps1_games", TicTacToe()


@cache
def results(state: tuple) -> tuple[float, float, float]:
    """The probabilities, over all random games from here, that X wins, that O wins, and of a draw."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        winner = None if outcome == 0 else 1 - GAME.player(state)
        return float(winner == 0), float(winner == 1), float(winner is None)
    after = [results(GAME.play(state, action)) for action in GAME.legal_actions(state)]
    return tuple(sum(column) / len(after) for column in zip(*after, strict=True))


def test_how_the_tree_of_a_tiny_game_grows() -> None:
    @cache
    def nodes(state: tuple) -> int:
        return 1 + sum(nodes(GAME.play(state, action)) for action in GAME.legal_actions(state))

    three, four, five, seven = (len(positions(squares)) for squares in (3, 4, 5, 7))
    says(PS, f"The tree has {three} boards. Write 4 in place of 3 and it has {four}. With five squares it would have {five} and "
             f"with seven {seven:,}. The tree of Tic-Tac-Toe has {nodes(GAME.start()):,} boards; many of them")


def test_the_results_of_random_games() -> None:
    x, o, drawn = results(GAME.start())
    deviation = sqrt(x + o - (x - o) ** 2)
    says(PS, f"X wins {x:.1%}, O {o:.1%} and {drawn:.1%} are drawn, so the exact mean is $+{x - o:.4f}$".replace("%", " %"))
    says(PS, f"the mean is +{share(x - o, 3)}, one result deviates by {share(deviation)},"
             f" the mean of 2,000 by {share(deviation / sqrt(2000))}")
    says(PS, rf"the mean of $n$ of them is off by about ${deviation:.2f}/\sqrt n$")
    says(PS, f"in Tic-Tac-Toe by {share(x - o)}")


def test_the_board_on_which_playouts_and_best_play_disagree() -> None:
    state = GAME.parse("XOX/OOX/.X.")
    x, o, _ = results(state)
    assert o - x == -0.5 and negamax(GAME, state) == 0.0  # O is to move
    says(PS, r"so a mean over many rollouts is $-\tfrac12$")


@pytest.mark.usefixtures("computing")
def test_random_connect_four_is_won_by_who_begins() -> None:
    rng, games = random.Random(1), 20_000
    game = ConnectFour()
    played = [random_playout(game, game.start(), rng) for _ in range(games)]
    mean = sum(played) / games
    assert abs(mean - 0.12) < 0.03, mean  # the mean of so many deviates by .007
    assert played.count(0.0) < 0.01 * games
    says(PS, "in Connect Four by about .12, where hardly any game is drawn")


def test_lines_of_three_and_of_four() -> None:
    def lines(height: int, width: int, run: int) -> int:
        return sum(0 <= row + (run - 1) * down < height and 0 <= column + (run - 1) * right < width
                   for row in range(height) for column in range(width) for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)))

    says(PS, f"There are {lines(3, 3, 3)} lines of three in Tic-Tac-Toe and {lines(6, 7, 4)} lines of four")
    assert 6 * 4 + 7 * 3 + 2 * 3 * 4 == lines(6, 7, 4)
    says(PS, r"($6 \cdot 4 + 7 \cdot 3 + 2 \cdot 3 \cdot 4$)")


def by_stones(game: TicTacToe | ConnectFour, most: int) -> list[set]:
    """The positions with 0, 1, ... stones that can be reached."""
    levels = [{game.start()}]
    for _ in range(most):
        going_on = (state for state in levels[-1] if game.outcome(state) is None)
        levels.append({game.play(state, action) for state in going_on for action in game.legal_actions(state)})
    return levels


def test_positions_and_ways_to_them() -> None:
    @cache
    def nodes(state: tuple) -> int:
        if GAME.outcome(state) is not None:
            return 1
        return 1 + sum(nodes(GAME.play(state, action)) for action in GAME.legal_actions(state))

    levels = by_stones(GAME, 9)
    positions, ways = sum(map(len, levels)), nodes(GAME.start())
    says(PS, f"there are {ways:,} ways to get to some position, and only {positions:,} positions")
    assert max(map(len, levels)) < 2000
    sizes = [len(level) for level in by_stones(ConnectFour(), 7)]
    says(PS, f"With 7 of 42 stones there are {sizes[-1]:,} positions, together with all earlier ones {sum(sizes):,}.")

    memo: dict = {}
    negamax(GAME, GAME.start(), memo)
    assert len(memo) == positions
    for stones, level in enumerate(levels[2:8], start=2):
        won = sum(memo[state] == 1.0 for state in level) / len(level)
        assert won >= 2 / 3 if stones in (2, 4, 6) else won < 1 / 2, (stones, won)
    says(PS, "With 2, 4 or 6 stones X is to move and wins at least two thirds of the positions; with an odd number O is to move"
             " and wins less than half.")


def test_alpha_beta_s_nodes() -> None:
    def search(state: tuple, alpha: float, beta: float, count: list[int], memo: dict | None) -> float:
        """Moves in ascending order, as in the lesson's cell."""
        if memo is not None and (state, alpha, beta) in memo:
            return memo[state, alpha, beta]
        count[0] += 1
        best = GAME.outcome(state)
        if best is None:
            best, window = -2.0, alpha
            for action in GAME.legal_actions(state):
                best = max(best, -search(GAME.play(state, action), -beta, -window, count, memo))
                window = max(window, best)
                if window >= beta:
                    break
        if memo is not None:
            memo[state, alpha, beta] = best
        return best

    counts = []
    for memo in (None, {}):
        count = [0]
        assert search(GAME.start(), -1.0, 1.0, count, memo) == 0.0
        counts.append(f"{count[0]:,}")
    says(PS, f"| alpha-beta, no memo | {counts[0]} |")
    says(PS, f"| alpha-beta and a memo | {counts[1]} |")
    says(PS, f"with 549,946, {counts[0]} and {counts[1]} nodes")


# ---- by hand

def test_lines_by_hand() -> None:
    board = ps1.read_board("XXOX../..X.../.X..../X..OOO")
    assert ps1.has_run(board, 0, 3) and ps1.has_run(board, 1, 3)
    rows = [ps1.has_run(board[row:row + 1], player, 3) for row, player in ((0, 0), (3, 1))]
    assert rows == [False, True] and board[0, 3] == board[1, 2] == board[2, 1] == board[3, 0] == 1
    assert board[0, 2] == -1
    says(PS, "the top row: two, an O, one: no.")
    says(PS, "rising: (0, 3), (1, 2), (2, 1), (3, 0): four, so three too: yes")
    says(PS, "for O the bottom row: yes")


@pytest.mark.parametrize("board, sentence", [("XXX/OO./...", "O to move: -1 "), ("XOX/XOO/OXX", "O to move: 0 "),
                                             ("XOX/OXO/XXO", "O to move: -1, X's last stone filled the board and won")])
def test_outcomes_by_hand(board: str, sentence: str) -> None:
    state = GAME.parse(board)
    assert GAME.player(state) == 1
    says(PS, "O to move: -1 O to move: 0 O to move: -1, X's last stone filled the board and won")
    assert sentence.startswith(f"O to move: {GAME.outcome(state):g}")
    own = ps1.TicTacToe()
    assert own.outcome(ps1.position(board, [])) == GAME.outcome(state)


def test_where_the_stone_falls() -> None:
    game = ps1.ConnectFour()
    row, column = game.landing(ps1.read_board("......./......./......./......./.O...../.X....."), 1)
    assert column == 1
    says(PS, f"Column 1 has two stones, in rows 5 and 4. The next free square is row {row}.")
    full = ps1.read_board(".X...../.O...../.X...../.O...../.X.O.../.OXX...")
    says(PS, f"mask = [{' '.join(str(int(open_)) for open_ in game.mask(full))}]")
    says(PS, f"Connect Four has {full.size} squares and yet only **{ {7: 'seven'}[game.num_actions]}** actions")


def test_the_model_by_hand() -> None:
    state = GAME.parse("XXO/XO./.OX")
    following, outcome = ps1.transitions(GAME, state)
    assert sorted(following) == [5, 6] and outcome is None
    assert ps1.transitions(GAME, following[6]) == ({}, -1.0)
    says(PS, "On the last board O has 2, 4 and 6, the game is over, and `transitions` there gives `({}, -1.0)`.")


def test_a_turn_by_hand() -> None:
    policy = np.arange(9) / 10
    turned = np.rot90(policy.reshape(3, 3)).ravel()
    numbers = ", ".join(share(number, 1) if number else "0" for number in turned)
    says(PS, f"As a flat array the policy was `[0, .1, .2, .3, .4, .5, .6, .7, .8]` and is `[{numbers}]`.")
    wrong = np.rot90(policy.reshape(3, 3), -1).ravel()
    assert all((wrong != turned) == (np.arange(9) != 4))
    says(PS, "looks almost right, and is wrong on every corner and edge")
    state = ps1.position("X../.O./...", [1, 2, 3, 5, 6, 7, 8])
    assert any(np.allclose(moved, turned) and view.board[2, 0] == 1 for view, moved in ps1.TicTacToe().symmetries(state, policy))


def test_the_exact_value_by_hand() -> None:
    state = GAME.parse("XOX/OOX/.X.")
    draw, loss = GAME.play(state, 8), GAME.play(state, 6)
    values = {way: negamax(GAME, way) for way in (draw, loss, GAME.play(draw, 6), GAME.play(loss, 8))}
    assert list(values.values()) == [0, 1, 0, -1] and negamax(GAME, state) == max(-values[draw], -values[loss]) == 0
    says(PS, "v = max(-0, -1) = 0")
    says(PS, "v = -0 = 0 O O X v = -(-1) = +1")


def test_sizes_of_the_table() -> None:
    positions = 4_531_985_219_092
    says(PS, f"| {positions:,} |")
    says(PS, f"Connect Four has {positions / 1e12:.1f} million million")


# ---- with a model and without

def test_rock_paper_scissors_in_our_mould() -> None:
    class Game:
        """A state is the choices so far: (), (mine,), (mine, yours)."""

        def player(self, state: tuple) -> int:
            return len(state) % 2

        def legal_actions(self, state: tuple) -> list[int]:
            return [0, 1, 2] if len(state) < 2 else []

        def play(self, state: tuple, action: int) -> tuple:
            return *state, action

        def outcome(self, state: tuple) -> float | None:
            return None if len(state) < 2 else {0: 0.0, 1: 1.0, 2: -1.0}[(state[0] - state[1]) % 3]

    assert negamax(Game(), ()) == -1
    says(PS, "The player who chooses first always loses: -1.")


@cache
def against_perfect(state: tuple) -> float:
    """The mean result for X, who plays at random, against an O that makes no mistake and takes any of the best moves."""
    if GAME.outcome(state) is not None:
        return result_for(GAME, state, 0)
    actions = GAME.legal_actions(state)
    if GAME.player(state) == 1:
        worth = {action: -negamax(GAME, GAME.play(state, action)) for action in actions}
        actions = [action for action in actions if worth[action] == max(worth.values())]
    return sum(against_perfect(GAME.play(state, action)) for action in actions) / len(actions)


def test_three_truths_about_the_first_move() -> None:
    first = [GAME.play(GAME.start(), action) for action in range(9)]
    random_o = [results(state)[0] - results(state)[1] for state in first]
    edges, corners = {1, 3, 5, 7}, {0, 2, 6, 8}
    assert random_o[4] > max(random_o[a] for a in corners) > max(random_o[a] for a in edges)
    says(PS, "Against a random O the middle looks best and the edges worst")
    assert max(against_perfect(state) for state in first) < -0.3
    says(PS, "against a perfect one all nine moves look bad")
    assert all(negamax(GAME, state) == 0 for state in first)
    says(PS, "with the model all nine are worth exactly 0")
    x, o, _ = results(GAME.start())
    assert sqrt((x + o - (x - o) ** 2) / 100) < 0.1
    says(PS, "The first answer took a hundred games for each move, is right only to within .1")
