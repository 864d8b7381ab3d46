"""How far a measured share of mistakes may be from the true one: standard errors.

The error is that of a share after one mistake and one right answer more than were seen, so that a player without a mistake at
twenty positions is not called perfect.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from arena.strength.positions import Answer


def share_error(share: float, count: int) -> float:
    """Return the standard error of a share that was seen at `count` independent positions."""
    moved = (share * count + 1) / (count + 2)
    return math.sqrt(moved * (1 - moved) / (count + 2))


def rate_errors(replies: Sequence[Answer]) -> dict[str, float]:
    """Return the standard error of the share of mistakes, for each stratum with answers."""
    counts = Counter(answer.position.stratum for answer in replies)
    wrong = Counter(answer.position.stratum for answer in replies if answer.is_mistake)
    return {stratum: share_error(wrong[stratum] / count, count) for stratum, count in counts.items()}


def mean_error(errors: Mapping[str, float]) -> float:
    """Return the standard error of the mean over the strata, with equal weights, from the error of each."""
    return math.sqrt(sum(error**2 for error in errors.values())) / len(errors)
