"""The points for move quality: the rate of a player's mistakes at solved positions."""

from arena.challenge.ladder import Ladder


def quality_points(rates: dict[str, float], ladder: Ladder) -> float:
    """Return the points for the mistake rates of all strata, by the rule in rungs.toml, rounded to tenths.

    All strata have equal weight. The mark of a stratum is 1 - (the player's rate) / (a random player's rate), at least 0.
    """
    avoided = [max(0.0, 1 - rates[stratum] / random_rate) for stratum, random_rate in ladder.quality.random.items()]
    return round(ladder.quality.points * sum(avoided) / len(avoided), 1)
