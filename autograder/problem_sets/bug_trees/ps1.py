"""ps1_games: exact values of a small game, and the mistakes that one makes in `negamax`."""

from collections.abc import Callable
from random import Random

from autograder.problem_sets.bug_trees.game import Place, draw_game
from autograder.problem_sets.bug_trees.lines import CLEAR, ROUNDED, Family, Law, Line, Row, Spot, rows_of

COLUMNS = ("outcome", "value")
Best = Callable[[list[float]], float]  # the values of the children, from the left to the right -> the value of the node
BEST: dict[str, Best] = {
    "no minus": max,
    "min for max": lambda values: min(-value for value in values),
    "mean for max": lambda values: -sum(values) / len(values),
    "last move forgotten": lambda values: max(-value for value in values[:-1]),
}
END: dict[str, Callable[[int], int]] = {
    "draw is a loss": lambda outcome: outcome or -1,
    "end negated": lambda outcome: -outcome,
}


def grow(rng: Random, kind: str) -> list[Row]:
    """Compute the values of a drawn game with the mistake `kind`."""
    root = Spot(draw_game(rng, rng.choice((3, 4)), ends=0.4))
    _fill(root, kind)
    return rows_of(root, lambda spot: (spot.place.outcome, round(spot.total, 3)))


def _fill(spot: Spot, kind: str) -> float:
    place: Place = spot.place
    if place.outcome is not None:
        spot.total = END[kind](place.outcome) if kind in END else place.outcome
        return spot.total
    values = []
    for after in place.below:
        spot.below.append(Spot(after, spot))
        values.append(_fill(spot.below[-1], kind))
    if kind == "mean for max":
        spot.total = sum(-value for value in values) / len(values)
    elif kind == "min for max":
        spot.total = min(-value for value in values)
    elif kind == "no minus":
        spot.total = max(values)
    else:
        spot.total = max(-value for value in (values[:-1] if kind == "last move forgotten" else values))
    return spot.total + 0.0


def _negamax(values: list[float]) -> float:
    return max(-value for value in values)


def _wanted(line: Line, best: Best, end: Callable[[int], float]) -> float:
    return best([child.value for child in line.below]) if line.outcome is None else end(line.outcome)


def _law(best: Best = _negamax, end: Callable[[int], float] = float) -> Law:
    return lambda line: bool(abs(line.value - _wanted(line, best, end)) < ROUNDED)


def _blurred(line: Line) -> bool:
    return bool(ROUNDED <= abs(line.value - _wanted(line, _negamax, float)) < CLEAR)


FAMILY = Family(COLUMNS, _law(), {kind: _law(best=best) for kind, best in BEST.items()}
                | {kind: _law(end=end) for kind, end in END.items()}, grow, _blurred)
