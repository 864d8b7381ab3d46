"""Random inputs for the hidden checks: everything that the docstrings allow, not only the examples of a lesson.

A check with three games would pass a function that is right for three games. Each generator's docstring gives its range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from arena.games import IllegalMove
from autograder.sandbox.table_game import Table, TableGame

SHAPES = ("bushy", "line", "wide", "over", "forced")
WHOLE, BETWEEN = (-1.0, 0.0, 1.0), (-0.5, 0.25)  # outcomes


def draw_game(edition: Random, shape: str = "", *, values: Callable[[Random], float] | None = None) -> TableGame:
    """A game of any shape that the Game contract allows.

    Args:
        shape: "bushy" has 2 to 4 plies with 1 to 4 actions, some of which lead to one state; "line" 1 to 60 plies with one
            action each; "wide" one or two plies with 5 to 12 actions; "over" is finished at its start; "forced" is bushy after
            one or two plies with one action. Without a shape it is random.
        values: draws the outcome of a finished game for the player to move there; without it -1, 0 or 1, and one in four is a
            number between them.

    Action numbers are up to 40, ascending, with gaps. States are texts, whole numbers or tuples, also falsy ones ("", 0, ()).
    In one game of four all states have the same displayed text. The players take turns, the first moves at the
    start, and one state is reached after an even or after an odd number of moves, never both.
    """
    shape = shape or edition.choice(SHAPES)
    widths = {
        "bushy": lambda: [edition.randint(1, 4) for _ in range(edition.randint(2, 4))],
        "line": lambda: [1] * edition.choice([1, 2, 3, 7, 12, 13, 31, 60]),
        "wide": lambda: [edition.randint(5, 12) for _ in range(edition.randint(1, 2))],
        "over": lambda: [],
        "forced": lambda: [1] * edition.randint(1, 2) + [edition.randint(2, 4) for _ in range(2)],
    }[shape]()
    return _layered(edition, widths, values or (lambda dice: dice.choice([*WHOLE, *WHOLE, *BETWEEN])))


def _layered(edition: Random, widths: list[int], value: Callable[[Random], float]) -> TableGame:
    """A game in layers, one for each ply; `widths` are the largest numbers of actions of a state in each layer."""
    num_actions = edition.randint(max([1, *widths]), 40)
    names = _names(edition)
    start = next(names)
    table: Table = {}
    layer = [start]
    for ply, width in enumerate(widths):
        below: list[Any] = []
        for place, state in enumerate(layer):
            if place and edition.random() < 0.2:
                table[state] = ply % 2, {}, value(edition)  # some branches end early
                continue
            count = width if place == 0 else edition.randint(1, width)
            actions = sorted(edition.sample(range(num_actions), count))
            after = [_next_state(edition, below, names) for _ in actions]
            below += [each for each in dict.fromkeys(after) if each not in below]
            table[state] = ply % 2, dict(zip(actions, after)), None
        layer = below
    table |= {state: (len(widths) % 2, {}, value(edition)) for state in layer}
    texts = dict.fromkeys(table, "a state") if edition.random() < 0.25 else {}
    return TableGame(table, start, num_actions, texts, IllegalMove)


def _next_state(edition: Random, below: list[Any], names: Iterator[Any]) -> Any:
    """A new state, or a state that another action already leads to; a layer does not grow beyond some dozens."""
    if below and (edition.random() < 0.2 or len(below) > 30):
        return edition.choice(below)
    return next(names)


def _names(edition: Random) -> Iterator[Any]:
    """Names for the states of one game: texts, numbers or tuples."""
    kind, offset, number = edition.choice(["text", "number", "tuple"]), edition.choice([0, 0, 100]), 0
    while True:
        place = number + offset
        yield {"text": f"s{place}" if place else "", "number": place, "tuple": (place, place % 3) if place else ()}[kind]
        number += 1


def draw_over(edition: Random) -> list[TableGame]:
    """Two games that are over at their start: one with a win, a draw or a loss, and one with a number between them."""
    return [draw_game(edition, "over", values=lambda dice: dice.choice(some)) for some in (WHOLE, BETWEEN)]


def draw_whole(dice: Random) -> float:
    """The outcome of a game that has only wins, draws and losses."""
    return dice.choice(WHOLE)


def states_of(game: TableGame) -> list[Any]:
    """All states of a random game, the start first."""
    return list(game.data()[0])


def exact(game: Any, state: Any, memo: dict | None = None) -> float:
    """The value of a state for the player to move, by a search through every continuation."""
    memo = {} if memo is None else memo
    if state not in memo:
        outcome = game.outcome(state)
        after = () if outcome is not None else (game.play(state, action) for action in game.legal_actions(state))
        memo[state] = outcome if outcome is not None else max(0.0 - exact(game, each, memo) for each in after)
    return memo[state]


def draw_count(edition: Random, most: int = 1000) -> int:
    """A number of visits: 0, 1, 2, a handful, or up to `most`; small numbers come more often."""
    return edition.choice([0, 1, 2, edition.randint(3, 9), edition.randint(10, most)])


def draw_total(edition: Random, visits: int) -> float:
    """A sum of `visits` results in [-1, 1]: 0, whole, any, or only wins or only losses; 0 without visits."""
    whole = float(edition.randint(-visits, visits))
    return edition.choice([0.0, whole, edition.uniform(-visits, visits), float(visits), -float(visits)])


def draw_policy(edition: Random, actions: list[int], *, kind: str = "") -> dict[int, float]:
    """Priors by action, which sum to 1 up to rounding.

    Args:
        kind: "even", "any", "one" (a single action has all), "zeros" (some have 0) or "tiny" (down to 1e-12).
    """
    kind = kind or edition.choice(["even", "any", "one", "zeros", "tiny"])
    weights = [edition.uniform(0.05, 1) for _ in actions]
    if kind == "even":
        weights = [1.0] * len(actions)
    elif kind == "one":
        weights = [0.0] * len(actions)
    elif kind == "zeros":
        weights = [weight if edition.random() < 0.5 else 0.0 for weight in weights]
    elif kind == "tiny":
        weights = [10.0 ** edition.uniform(-12, 0) for _ in actions]
    if not any(weights):
        weights[edition.randrange(len(weights))] = 1.0
    whole = math.fsum(weights)
    return {action: weight / whole for action, weight in zip(actions, weights)}


def draw_logits(edition: Random, size: int, *, kind: str = "") -> np.ndarray:
    """Logits, (size,) float32: "near" 0, "far" (up to 200 in size), "equal", or "apart" (one is 40 to 200 above the rest)."""
    kind = kind or edition.choice(["near", "far", "equal", "apart"])
    dice = np.random.RandomState(edition.getrandbits(32))
    logits = {
        "near": lambda: dice.uniform(-2, 2, size),
        "far": lambda: dice.uniform(-200, 200, size),
        "equal": lambda: np.full(size, dice.uniform(-200, 200)),
        "apart": lambda: dice.uniform(-1, 1, size) + np.eye(size)[dice.randint(size)] * dice.uniform(40, 200),
    }[kind]()
    return logits.astype(np.float32)
