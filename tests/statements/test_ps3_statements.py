"""Problem set 3: its figures, measured again. The same seed gives the same games, so the figures are exact."""

import pytest
from lesson import says, share

from arena.players.uct import UCTPlayer
from scripts.controls import measure

SCORES = ((0.2, ".50", ".47 to .53"), (0.5, ".70", ".67 to .72"), (1.0, ".79", ".76 to .81"), (2**0.5, ".78", ".75 to .80"),
          (2.0, ".76", ".73 to .78"))


@pytest.mark.parametrize("c, score, interval", SCORES)
def test_the_table_of_exploration(c: float, score: str, interval: str) -> None:
    measured = measure(UCTPlayer(c), 1000, seed=1)
    low, high = measured["interval"]
    assert (share(measured["score"] + 1e-9), f"{share(low)} to {share(high)}") == (score, interval)


def test_the_lesson_has_these_scores() -> None:
    says("ps3_connect_four", f"| score | {' | '.join(score for _, score, _ in SCORES)} |")
    says("ps3_connect_four", f"| 95 % interval | {' | '.join(interval for _, _, interval in SCORES)} |")
