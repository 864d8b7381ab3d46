"""Who meets whom: everybody once where that fits, else as many rounds of a Swiss tournament as do.

A schedule depends on the players, an order that was drawn, and the results of the rounds before; never on time. A meeting
of two players is one opening, played with both colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

MOST_FOR_ALL = 24  # players up to which everybody meets everybody
SWISS_ROUNDS = 12  # in a larger field, where no time is given
LEAST_ROUNDS = 3  # fewer would leave groups of players who have met nobody of another group

Pair = tuple[str, str]


@dataclass(frozen=True)
class Pairing:
    """Two players, by id, the smaller first, and how often they have met before."""

    first: str
    second: str
    before: int

    @classmethod
    def of(cls, one: str, other: str, before: int) -> Pairing:
        """Return the meeting of two players, whichever is named first."""
        return cls(min(one, other), max(one, other), before)


def rounds_for(players: int, that_fit: int | None) -> int:
    """Return how many rounds are played.

    Args:
        that_fit: how many fit into the time that was given, None when there is no limit. Three are always played; from
            as many as everybody needs to meet everybody on, they meet equally often.
    """
    everybody = players - 1 + players % 2
    if that_fit is None:
        return everybody if players <= MOST_FOR_ALL else min(SWISS_ROUNDS, everybody)
    return that_fit // everybody * everybody if that_fit >= everybody else min(max(LEAST_ROUNDS, that_fit), everybody)


def all_meet(order: list[str], round_: int) -> list[Pair]:
    """Return the pairs of one round in which everybody meets everybody in turn (the circle method); one may sit out.

    Args:
        order: the players as drawn; after len(order) - 1 rounds (or len(order), if odd) it begins again.
    """
    refereed_players: list[str | None] = [*order, *([None] if len(order) % 2 else [])]
    turn = round_ % (len(refereed_players) - 1)
    circle = [refereed_players[0], *refereed_players[1 + turn:], *refereed_players[1: 1 + turn]]
    half = len(circle) // 2
    opposite = zip(circle[:half], reversed(circle[half:]), strict=True)
    return [(one, other) for one, other in opposite if one is not None and other is not None]


def swiss(order: list[str], points: Mapping[str, float], met: Iterable[Collection[str]]) -> list[Pair]:
    """Return the pairs of one round in which equals meet: the nearest by points who have not met yet.

    Args:
        order: the players as drawn: among equal points the earlier is first.
        points: what each has so far, a win 1, a draw 1/2.
        met: pairs that have met, either way round.

    With an odd number the last who has met most others sits out. Who has met everybody left meets somebody again.
    """
    known = {frozenset(pair) for pair in met}
    played = Counter(player for pair in known for player in pair)
    table = sorted(order, key=lambda player: (-points.get(player, 0.0), order.index(player)))
    if len(table) % 2:
        most = max(played[player] for player in table)
        table.remove(next(player for player in reversed(table) if played[player] == most))
    pairs = []
    while table:
        one = table.pop(0)
        place = next((n for n, other in enumerate(table) if frozenset((one, other)) not in known), 0)
        pairs.append((one, table.pop(place)))
    return pairs
