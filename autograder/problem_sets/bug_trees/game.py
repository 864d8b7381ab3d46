"""Small games in which a search grows its tree: every position has its outcome, or its moves."""

from dataclasses import dataclass, field
from random import Random


@dataclass(eq=False)
class Place:
    """A position: the outcome for the player to move there, or None and the positions after each move.

    Attributes:
        value: what a network says of the position, for the player to move there, in tenths.
        prior: the network's probability of the move that leads here, in hundredths.
    """

    outcome: int | None
    below: list["Place"] = field(default_factory=list)
    value: float = 0.0
    prior: float = 1.0


def draw_game(rng: Random, plies: int, ends: float = 0.35, branching: tuple[int, ...] = (2, 3)) -> Place:
    """Draw a game of at most `plies` plies.

    Args:
        plies: the number of moves after which the game is over at the latest.
        ends: the share of the positions, after the first move, at which the game is over already.
        branching: how many moves a position has: one of these numbers.
    """
    return _draw(rng, plies, 0.0, ends, branching)


def _draw(rng: Random, plies: int, ends_here: float, ends: float, branching: tuple[int, ...]) -> Place:
    if plies == 0 or rng.random() < ends_here:
        return Place(rng.choice((-1, -1, 0, 1)))  # the player who has just moved wins more often
    below = [_draw(rng, plies - 1, ends, ends, branching) for _ in range(rng.choice(branching))]
    shares = [rng.randint(1, 9) for _ in below]
    left = 100
    for place, share in zip(below[1:], shares[1:], strict=True):
        hundredths = 100 * share // sum(shares)
        place.prior, left = hundredths / 100, left - hundredths
    below[0].prior = left / 100
    return Place(None, below, value=rng.choice([tenths for tenths in range(-8, 9) if tenths]) / 10)


def rollout(place: Place, rng: Random) -> int:
    """Play random moves to the end; return the result for the player to move at `place`."""
    sign = 1
    while place.outcome is None:
        place, sign = rng.choice(place.below), -sign
    return sign * place.outcome
