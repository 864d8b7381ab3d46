"""ps4_puct: the tables P, N and Q of a search with a network, and the mistakes that one makes in `MCTS.search`."""

from random import Random

from autograder.problem_sets.bug_trees import edges
from autograder.problem_sets.bug_trees.game import draw_game
from autograder.problem_sets.bug_trees.lines import Family, Law, Line, Row, Spot, rows_of

COLUMNS = ("over", "value", "P", "N", "Q")
PRIORS = "priors not normalised"


def grow(rng: Random, kind: str) -> list[Row]:
    """Search with the mistake `kind`, and return the tree."""
    def priors(spot: Spot) -> list[float]:
        kept = rng.uniform(0.4, 0.9) if kind == PRIORS else 1.0  # the rest went to moves that are not legal
        return [round(place.prior * kept, 2) for place in spot.place.below]

    root = Spot(draw_game(rng, 3), results=[None, None])
    edges.Search(kind, priors).run(root, rng.randint(7, 12), rng)
    return rows_of(root, lambda spot: (edges.is_over(spot), spot.results[1], *edges.reported_edge(spot)))


def _law(means: Law, *, whole: bool = True) -> Law:
    def holds(line: Line) -> bool:
        return means(line) and (not whole or not line.below or abs(sum(child.P for child in line.below) - 1) < 0.005)
    return holds


KINDS = {kind: _law(means) for kind, means in edges.MEANS.items()}
FAMILY = Family(COLUMNS, _law(edges.law()), KINDS | {PRIORS: _law(edges.law(), whole=False)}, grow, edges.blurred)
