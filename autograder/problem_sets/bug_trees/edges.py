"""Searches with a network: every edge has P, N and Q, as in problem sets 4 and 5, and the laws of N and Q."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from autograder.problem_sets.bug_trees.lines import CLEAR, ROUNDED, Law, Line, Spot


@dataclass(frozen=True)
class Search:
    """A search with at most one mistake.

    Attributes:
        kind: the mistake.
        priors: priors(spot) -> the probabilities of its moves, which become P.
        c: the weight of the exploration.
    """

    kind: str
    priors: Callable[[Spot], list[float]]
    c: float = 1.5

    def run(self, root: Spot, simulations: int, rng: Random) -> None:
        """Grow the tree below `root`: results[0] of a spot is its P, results[1] the value that the search got for it, or None."""
        for _ in range(simulations):
            self._simulate(root, rng)

    def _simulate(self, spot: Spot, rng: Random) -> float:
        """One simulation: the value for the player to move at `spot`."""
        place = spot.place
        if place.outcome is not None:
            spot.results[1] = place.outcome
            return float(-place.outcome if self.kind == "end negated" else place.outcome)
        if not spot.below:
            spot.results[1] = place.value
            spot.below = [Spot(after, spot, results=[p, None]) for after, p in zip(place.below, self.priors(spot), strict=True)]
            return float(-place.value if self.kind == "network negated" else place.value)
        weight = self.c * math.sqrt(max(1, sum(child.visits for child in spot.below)))
        scores = [child.total + weight * child.results[0] / (1 + child.visits) for child in spot.below]
        child = spot.below[rng.choice([at for at, score in enumerate(scores) if score == max(scores)])]
        value = self._simulate(child, rng) * (1 if self.kind == "sign kept" else -1)
        child.visits += 1
        if self.kind == "sum for mean":
            child.total += value
        else:
            child.total += (value - child.total) / (child.visits + (self.kind == "one visit too many"))
        return value


def wanted_mean(line: Line, *, sign: int = -1, network: int = 1, end: int = 1, more: int = 0, mean: bool = True) -> float:
    """What Q of a line must be: from the value that the search got there, and from the edges below."""
    def total(child: Line) -> float:
        return float(child.Q * (child.N + more) if mean else child.Q)

    own = line.value * line.N * end if line.over else line.value * network
    results = sign * (own + sum(map(total, line.below)))
    return float(results / (line.N + more) if mean else results)


def wanted_visits(line: Line) -> int:
    """What N of a line must be: its own evaluation and the visits below; the end of a game may have any number."""
    return int(line.N) if line.over else 1 + sum(child.N for child in line.below)


def law(*, sign: int = -1, network: int = 1, end: int = 1, more: int = 0, mean: bool = True) -> Law:
    """The law of N and Q; the root has no edge, and so neither."""
    def holds(line: Line) -> bool:
        if line.parent is None:
            return True
        if line.value is None:
            return (line.N, line.Q, line.below) == (0, 0, [])
        near = wanted_mean(line, sign=sign, network=network, end=end, more=more, mean=mean)
        return bool(line.N >= 1 and wanted_visits(line) == line.N and abs(line.Q - near) < ROUNDED)
    return holds


MEANS = {
    "sign kept": law(sign=1),
    "network negated": law(network=-1),
    "end negated": law(end=-1),
    "sum for mean": law(mean=False),
    "one visit too many": law(more=1),
}


def blurred(line: Line) -> bool:
    """Say whether Q is a little off: by more than rounding explains, and by less than a reader sees."""
    return line.parent is not None and line.value is not None and ROUNDED <= abs(line.Q - wanted_mean(line)) < CLEAR


def is_over(spot: Spot) -> bool:
    """Say whether the search has met the end of a game here."""
    return spot.results[1] is not None and spot.place.outcome is not None


def reported_edge(spot: Spot) -> tuple[float | None, int | None, float | None]:
    """P, N and Q of the edge into a spot; None at the root."""
    if spot.parent is None:
        return None, None, None
    return spot.results[0], spot.visits, round(spot.total, 3) + 0.0
