"""Problem set 1: its figures, worked out."""

import random
from functools import cache
from math import sqrt

from lesson import says, share

from arena.games import ConnectFour, TicTacToe
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
    says(PS, r"so a mean over many playouts is $-\tfrac12$")


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
    says(PS, f"With 7 of 42 stones you hold {sum(map(len, by_stones(ConnectFour(), 7))):,} positions")

    memo: dict = {}
    negamax(GAME, GAME.start(), memo)
    assert len(memo) == positions
    for stones, level in enumerate(levels[2:8], start=2):
        won = sum(memo[state] == 1.0 for state in level) / len(level)
        assert won >= 2 / 3 if stones in (2, 4, 6) else won < 1 / 2, (stones, won)
    says(PS, "with 2, 4 or 6 stones X is to move and two positions of three or more are won, with an odd number it is O's turn"
             " and less than half are")


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
