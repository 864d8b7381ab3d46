"""The interval of a score: a bootstrap over pairs of games."""

import random
from collections.abc import Sequence

import numpy as np

RESAMPLES = 2000
MOST_AT_ONCE = 2**21  # numbers in memory at once: the ladder does not limit the length of a match


def bootstrap_interval(pair_scores: Sequence[float], rng: random.Random) -> tuple[float, float]:
    """Return (low, high) in [0, 1]: 95 of 100 matches that are resampled from these pairs have a score between them.

    The unit is the pair, because its two games share an opening. Two imaginary pairs, one lost and one won, are added:
    without them, the interval after twenty won pairs would have the width 0 (see `arena.result.score_interval`).

    Args:
        pair_scores: the mean score of each pair: 0, 1/4, 1/2, 3/4 or 1; at least one.
        rng: the source of the seed.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), percentile intervals.
    """
    quarters = np.array([round(4 * score) for score in (*pair_scores, 0.0, 1.0)])  # whole numbers: the sums are exact
    draws, at_once = np.random.default_rng(rng.getrandbits(63)), max(1, MOST_AT_ONCE // len(quarters))
    sums = np.sort(np.concatenate([
        quarters[draws.integers(0, len(quarters), (min(at_once, RESAMPLES - begin), len(quarters)))].sum(axis=1)
        for begin in range(0, RESAMPLES, at_once)
    ]))
    low, high = (int(sums[int(place * (RESAMPLES - 1))]) for place in (0.025, 0.975))
    return low / (4 * len(quarters)), high / (4 * len(quarters))
