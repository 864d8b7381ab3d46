"""The values of a position's seven columns as seven letters, for reports and pages.

A letter is a score of `arena.players.solver`, for the player to move: "V" is 0, "W" is +1, "U" is -1, and so on; "-" is a
full column.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.players.solver import HIGHEST

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq"  # of the scores from -HIGHEST to HIGHEST
FULL = "-"


def letters(scores: Iterable[int | None]) -> str:
    """Return the letters of a position's columns, from column 0; None is a full column."""
    return "".join(FULL if score is None else ALPHABET[score + HIGHEST] for score in scores)
