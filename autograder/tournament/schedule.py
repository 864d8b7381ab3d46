"""The schedule of a tournament: all players meet once if the time allows it, otherwise a Swiss tournament.

A schedule depends on the players, on a random order of them, and on the results of earlier rounds, but not on time. A
meeting of two players is one opening, played with both colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

MOST_FOR_ALL = 24  # up to this many players, all players meet each other
SWISS_ROUNDS = 12  # with more players, if no time limit is given
LEAST_ROUNDS = 3  # with fewer rounds, the players may fall into groups that never met each other

Pair = tuple[str, str]


@dataclass(frozen=True)
class Pairing:
    """Two players, by id, the smaller first, and how often they have met before."""

    first: str
    second: str
    before: int

    @classmethod
    def of(cls, player: str, opponent: str, before: int) -> Pairing:
        """Return the meeting of two players, named in either order."""
        return cls(min(player, opponent), max(player, opponent), before)


def rounds_for(players: int, that_fit: int | None) -> int:
    """Return the number of rounds to play.

    Args:
        that_fit: how many rounds fit into the time limit; None if there is no limit. Three rounds are always played. If
            enough rounds fit for all players to meet each other, all pairs meet equally often.
    """
    everybody = players - 1 + players % 2
    if that_fit is None:
        return everybody if players <= MOST_FOR_ALL else min(SWISS_ROUNDS, everybody)
    return that_fit // everybody * everybody if that_fit >= everybody else min(max(LEAST_ROUNDS, that_fit), everybody)


def all_meet(order: list[str], round_: int) -> list[Pair]:
    """Return the pairs of one round of a round-robin tournament (circle method); with an odd number one player sits out.

    Args:
        order: the players in random order; the rounds repeat after len(order) - 1 rounds (or len(order), if odd).
    """
    seats: list[str | None] = [*order, *([None] if len(order) % 2 else [])]
    turn = round_ % (len(seats) - 1)
    circle = [seats[0], *seats[1 + turn:], *seats[1: 1 + turn]]
    half = len(circle) // 2
    opposite = zip(circle[:half], reversed(circle[half:]), strict=True)
    return [(player, opponent) for player, opponent in opposite if player is not None and opponent is not None]


def swiss(order: list[str], points: Mapping[str, float], met: Iterable[Collection[str]]) -> list[Pair]:
    """Return the pairs of one Swiss round: players with nearly equal points who have not met yet.

    Args:
        order: the players in random order; it decides between equal points.
        points: each player's points so far; a win is 1, a draw 1/2.
        met: pairs that have met, in either order.

    With an odd number of players, the one who has met the most others sits out (the last of them, if there are several). A
    player who has met all remaining players meets one of them again.
    """
    known = {frozenset(pair) for pair in met}
    played = Counter(player for pair in known for player in pair)
    table = sorted(order, key=lambda player: (-points.get(player, 0.0), order.index(player)))
    if len(table) % 2:
        most = max(played[player] for player in table)
        table.remove(next(player for player in reversed(table) if played[player] == most))
    pairs = []
    while table:
        player = table.pop(0)
        place = next((n for n, opponent in enumerate(table) if frozenset((player, opponent)) not in known), 0)
        pairs.append((player, table.pop(place)))
    return pairs
