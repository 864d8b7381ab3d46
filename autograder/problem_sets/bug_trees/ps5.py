"""ps5_alphazero: AlphaZero's tree with noise at the root and the policy that it teaches, and the mistakes around them."""

from random import Random

from autograder.problem_sets.bug_trees import edges
from autograder.problem_sets.bug_trees.game import draw_game
from autograder.problem_sets.bug_trees.lines import ROUNDED, Family, Law, Line, Row, Spot, rows_of

COLUMNS = ("over", "value", "p", "P", "N", "Q", "pi")
NOISE, EPSILON = "noise below the root", 0.25
Policy = list[float]


def grow(rng: Random, kind: str) -> list[Row]:
    """Search with the mistake `kind`, and return the tree; the root has the target of the policy."""
    def priors(spot: Spot) -> Policy:
        before = [place.prior for place in spot.place.below]
        if spot.parent is not None and kind != NOISE:
            return before
        draws = [rng.gammavariate(10 / len(before), 1.0) for _ in before]
        return [round((1 - EPSILON) * p + EPSILON * draw / sum(draws), 3) for p, draw in zip(before, draws, strict=True)]

    root = Spot(draw_game(rng, 3), results=[None, None])
    edges.Search(kind, priors).run(root, rng.randint(8, 12), rng)
    visits = [child.visits for child in root.below]
    target = TARGETS.get(kind, _shares)(visits, [child.results[0] for child in root.below])
    return rows_of(root, lambda spot: (edges.is_over(spot), spot.results[1],
                                       spot.place.prior if spot.parent else None, *edges.reported_edge(spot),
                                       None if spot.parent else target))


def _shares(visits: list[int], priors: Policy) -> Policy:
    return [round(count / sum(visits), 3) for count in visits]


def _one_hot(visits: list[int], priors: Policy) -> Policy:
    return [float(at == visits.index(max(visits))) for at in range(len(visits))]


TARGETS = {"target from the priors": lambda visits, priors: priors, "target one-hot": _one_hot}


def _law(means: Law, *, target: str = "", noise: bool = False) -> Law:
    """The law of a search: of N and Q, of the target at the root, and of P: noise at the root alone, or everywhere."""
    def holds(line: Line) -> bool:
        return means(line) and _policy_holds(line, target) and _priors_hold(line, line.parent is None or noise)
    return holds


def _policy_holds(line: Line, target: str) -> bool:
    if line.parent is not None:
        return line.pi is None
    if target == "target from the priors":
        wanted = [child.P for child in line.below]
    elif target == "target one-hot":
        most = max(child.N for child in line.below)
        return sorted(line.pi) == [0.0] * (len(line.pi) - 1) + [1.0] and most == line.below[line.pi.index(1.0)].N
    else:
        wanted = [child.N / sum(each.N for each in line.below) for child in line.below]
    return all(abs(got - right) < ROUNDED for got, right in zip(line.pi, wanted, strict=True))


def _priors_hold(line: Line, noisy: bool) -> bool:
    """Whether the priors of a line's moves are the network's, or `EPSILON` of them have become noise."""
    if not noisy:
        return all(child.p == child.P for child in line.below)
    whole = not line.below or abs(sum(child.P for child in line.below) - 1) < 0.005
    return whole and all((1 - EPSILON) * child.p - ROUNDED < child.P for child in line.below)


KINDS = ("sign kept", "network negated", "end negated", "sum for mean")
FAMILY = Family(COLUMNS, _law(edges.law()), {kind: _law(edges.MEANS[kind]) for kind in KINDS}
                | {NOISE: _law(edges.law(), noise=True)}
                | {target: _law(edges.law(), target=target) for target in TARGETS}, grow, edges.blurred)
