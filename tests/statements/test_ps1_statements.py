"""Problem set 1: its figures, worked out."""

from functools import cache
from math import sqrt

from lesson import says, share

from arena.games import TicTacToe

GAME = TicTacToe()


@cache
def random_play(state: tuple) -> tuple[float, float]:
    """The mean and the mean square of a random game's result, for the player to move, exactly."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return outcome, outcome**2
    after = [random_play(GAME.play(state, action)) for action in GAME.legal_actions(state)]
    return -sum(mean for mean, _ in after) / len(after), sum(square for _, square in after) / len(after)


def test_the_result_of_a_random_game() -> None:
    mean, square = random_play(GAME.start())
    deviation = sqrt(square - mean**2)
    says("ps1_games", f"the mean is +{share(mean, 3)}, one result deviates by {share(deviation)},"
                      f" the mean of 2,000 by {share(deviation / sqrt(2000))}")
    says("ps1_games", rf"the mean of $n$ of them is off by about ${deviation:.2f}/\sqrt n$")
