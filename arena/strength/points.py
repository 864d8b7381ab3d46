"""The strength of the lessons' players on one axis: the mean share of mistakes over the strata of critical positions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from arena.shipped import shipped
from arena.strength.positions import Answer, rates
from arena.strength.uncertainty import mean_error, rate_errors

POINTS = shipped("strength/points.json")
OWN = "own"  # the source of a student's points


@dataclass(frozen=True)
class Point:
    """A player on the axis.

    Attributes:
        source: a problem set, "bots", "perfect" or OWN.
        mistakes, error: the mean share of mistakes over the strata, and its standard error.
        positions: the number of positions at which the player was asked.
    """

    name: str
    source: str
    mistakes: float
    error: float
    positions: int


def point_of(name: str, source: str, replies: Sequence[Answer]) -> Point:
    """Return the point of a player that gave these answers, with equal weights of the strata."""
    by_stratum = rates(replies)
    return Point(name, source, sum(by_stratum.values()) / len(by_stratum), mean_error(rate_errors(replies)), len(replies))


def read_points(path: Path = POINTS) -> list[Point]:
    """Return the stored points, which `python -m assets.make.strength_points` measured.

    Raises:
        UserError: the file is missing or cannot be read.
    """
    try:
        return [Point(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))["points"]]
    except (OSError, ValueError, TypeError, KeyError) as error:
        message = f"{path} has no points ({type(error).__name__}): python -m assets.make.strength_points makes the file"
        raise UserError(message) from None
