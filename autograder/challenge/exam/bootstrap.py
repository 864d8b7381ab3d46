"""How far a score can be trusted: a bootstrap over pairs of games."""

import random
from collections.abc import Sequence

import numpy as np

RESAMPLES = 2000
MOST_AT_ONCE = 2**21  # numbers; a ladder may ask for matches of any length


def bootstrap_interval(pair_scores: Sequence[float], rng: random.Random) -> tuple[float, float]:
    """Return (low, high) in [0, 1]: between them lie 95 of 100 scores of matches drawn again from these pairs.

    The unit is the pair, because its two games share an opening. Two imaginary pairs, one lost and one won, are among
    those to draw from: without them twenty won pairs would seem certain (see `arena.result.score_interval`).

    Args:
        pair_scores: the mean score of each pair: 0, 1/4, 1/2, 3/4 or 1; at least one.
        rng: gives the seed.

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
