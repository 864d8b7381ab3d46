"""The verdict of a match, as soon as the games allow it: Wald's sequential probability ratio test.

The test decides between two hypotheses: the player's expected score is `fail`, or it is `pass_`. After every pair of
games it compares the log-likelihood ratio of all scores so far (1, 1/2 or 0) with +-ln(error odds). It does not estimate
the variance from the games, because that estimate would be tiny after a lucky start.

Source: Wald, "Sequential Tests of Statistical Hypotheses" (1945), with draws taken as half a win and half a loss.
"""

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

VERDICTS = PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"


@dataclass
class SequentialTest:
    """One exam against one bot. Add pairs of games until `verdict` is no longer None.

    Args:
        fail: a player of this true score (or less) passes by error about once in `error_odds` exams.
        pass_: a player of this true score (or more) fails by error about once in `error_odds` exams.
        games: the number of games after which the exam ends, decided or not.
    """

    fail: float
    pass_: float
    games: int
    error_odds: float = 999.0
    ratio: float = 0.0
    played: int = 0

    def add_pair(self, first: float, second: float) -> str | None:
        """Count two games of one opening, one with each colour; return the verdict, None before it is reached.

        Args:
            first, second: the player's scores, 1 for a win, 1/2 for a draw, 0 for a loss.
        """
        self.ratio += self.log_ratio(first) + self.log_ratio(second)
        self.played += 2
        return self.verdict

    def add_games(self, scores: Sequence[float]) -> "SequentialTest":
        """Count the pairs of games with these scores, in order, and return the test; a last game without its pair is left out."""
        for first, second in zip(scores[::2], scores[1::2], strict=False):
            self.add_pair(first, second)
        return self

    @property
    def bar(self) -> float:
        """The evidence for a verdict, the natural logarithm of the error odds: ln 999 = 6.9. The ratio is compared with +-bar."""
        return math.log(self.error_odds)

    def log_ratio(self, score: float) -> float:
        """Return what one game of this score adds to the ratio; differences of logarithms, because a quotient could overflow."""
        win, loss = math.log(self.pass_) - math.log(self.fail), math.log1p(-self.pass_) - math.log1p(-self.fail)
        return score * win + (1 - score) * loss

    @property
    def verdict(self) -> str | None:
        """"passed", "failed", "undecided" after the last game, or None: play on."""
        if abs(self.ratio) >= self.bar:
            return PASSED if self.ratio > 0 else FAILED
        return UNDECIDED if self.played >= self.games else None


def simulate(test: SequentialTest, score: float, rng: random.Random) -> tuple[str, int]:
    """Return the verdict and the number of games of a simulated exam; its player wins each game with probability `score`."""
    verdict = None
    while verdict is None:
        verdict = test.add_pair(float(rng.random() < score), float(rng.random() < score))
    return verdict, test.played


def chances(test: SequentialTest, score: float) -> tuple[dict[str, float], float]:
    """Return the exact probability of each verdict, and the mean number of games, for a player without draws.

    Args:
        test: an exam that has not begun.
        score: the probability of a win, in [0, 1].
    """
    pair = {0: (1 - score) ** 2, 1: 2 * score * (1 - score), 2: score**2}  # wins of two games: probability
    step = test.log_ratio
    ended: dict[str, float] = defaultdict(float)
    going, mean_games, played = {0: 1.0}, 0.0, 0
    while going:
        played += 2
        after: dict[int, float] = defaultdict(float)
        for wins, probability in going.items():
            for more, chance in pair.items():
                after[wins + more] += probability * chance
        going = {}
        for wins, probability in after.items():
            ratio = wins * step(1.0) + (played - wins) * step(0.0)
            verdict = replace(test, ratio=ratio, played=played).verdict
            if verdict is None:
                going[wins] = probability
            else:
                ended[verdict] += probability
                mean_games += probability * played
    return dict(ended), mean_games
