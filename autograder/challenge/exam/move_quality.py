"""The points for move quality: how often a player gives something away at solved positions."""

from autograder.challenge.ladder import Ladder


def quality_points(rates: dict[str, float], ladder: Ladder) -> float:
    """Return the points for the mistake rates of all strata, as rungs.toml says, rounded to tenths.

    Each stratum counts alike: the share of a random player's mistakes that were not made, at least 0.
    """
    avoided = [max(0.0, 1 - rates[stratum] / random_rate) for stratum, random_rate in ladder.quality.random.items()]
    return round(ladder.quality.points * sum(avoided) / len(avoided), 1)
