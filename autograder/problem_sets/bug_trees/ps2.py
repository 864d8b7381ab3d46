"""ps2_uct: a tree of UCT with n and W, and the mistakes that one makes in `search` and `backpropagate`."""

import math
from random import Random

from autograder.problem_sets.bug_trees.game import draw_game, rollout
from autograder.problem_sets.bug_trees.lines import Family, Law, Line, Row, Spot, rows_of

COLUMNS = ("over", "results", "n", "W")


def grow(rng: Random, kind: str) -> list[Row]:
    """Search with the mistake `kind`, and return the tree."""
    root = Spot(draw_game(rng, 4))
    for _ in range(rng.randint(10, 17)):
        leaf = _select(root, rng)
        if leaf.place.outcome is None:
            untried = [place for place in leaf.place.below if all(child.place is not place for child in leaf.below)]
            leaf.below.append(Spot(rng.choice(untried), leaf))
            leaf = leaf.below[-1]
        over = leaf.place.outcome is not None
        result = leaf.place.outcome if over else rollout(leaf.place, rng)
        leaf.results.append(result)
        for _ in range(2 if over and kind == "end counted twice" else 1):
            _backpropagate(leaf, -result if over and kind == "end negated" else result, kind)
    return rows_of(root, lambda spot: (spot.place.outcome is not None, spot.results, spot.visits, int(spot.total)))


def _select(spot: Spot, rng: Random) -> Spot:
    while spot.place.outcome is None and len(spot.below) == len(spot.place.below):
        log = math.log(max(1, spot.visits))
        bounds = [-child.total / child.visits + math.sqrt(log / child.visits) if child.visits else math.inf
                  for child in spot.below]
        spot = spot.below[rng.choice([place for place, bound in enumerate(bounds) if bound == max(bounds)])]
    return spot


def _backpropagate(leaf: Spot, value: int, kind: str) -> None:
    spot: Spot | None = leaf
    while spot is not None:
        if kind == "root left out" and spot.parent is None:
            break
        if kind != "draws not counted" or value:
            spot.visits += 1
        if kind != "results stay at the leaf" or spot is leaf:
            spot.total += value
        spot, value = spot.parent, value if kind == "sign kept" else -value


def _law(*, sign: int = -1, times: int = 1, end: int = 1, draws: bool = True, root: bool = True) -> Law:
    """The law of a search that changes the sign by `sign`, counts the end of a game `times` times with the sign `end`, ..."""
    def holds(line: Line) -> bool:
        if line.parent is None and not root:
            return (line.n, line.W) == (0, 0)
        counted = [result for result in line.results if draws or result] * (times if line.over else 1)
        n = len(counted) + sum(child.n for child in line.below)
        total = sum(counted) * (end if line.over else 1) + sign * sum(child.W for child in line.below)
        return (line.n, line.W) == (n, total)
    return holds


FAMILY = Family(COLUMNS, _law(), {
    "sign kept": _law(sign=1),
    "draws not counted": _law(draws=False),
    "end negated": _law(end=-1),
    "end counted twice": _law(times=2),
    "results stay at the leaf": _law(sign=0),
    "root left out": _law(root=False),
}, grow)
