"""Problem set 2: its figures and claims, worked out."""

import math
import random
from typing import Any

import pytest
from lesson import says, share

from arena.games import ToyGame
from arena.games.toy import FIVE_SIMULATIONS
from solutions.ps2_uct import recursive_search, search

PS = "ps2_uct"
SEEDS = range(60)


def tree_of(c: float, seed: int) -> list[tuple]:
    """Visits and totals of the toy game's tree after five simulations."""
    _, root = search(FIVE_SIMULATIONS, "s0", 5, c, random.Random(seed), FIVE_SIMULATIONS.evaluate)
    found, level = [], [root]
    while level:
        found += [(node.state, node.num_visits, node.total_value) for node in level]
        level = [child for node in level for _, child in sorted(node.children.items())]
    return sorted(found)


def test_five_simulations_give_one_tree_for_every_c_from_0_to_24_and_not_beyond() -> None:
    by_hand = [("s0", 5, -58.0), ("s1", 1, 20.0), ("s2", 4, 38.0), ("s5", 2, -28.0), ("s6", 1, 0.0)]
    assert all(tree_of(c, seed) == by_hand for c in (0.0, 0.5, 1.0, 5.0, 20.0, 24.0) for seed in SEEDS)
    assert any(tree_of(24.5, seed) != by_hand for seed in SEEDS)
    says(PS, "Five simulations give the same tree whatever the ties, and for every $c$ from 0 to 24")
    says(PS, "| 5 | s0, s2, s5 again | -14 | **5, -58** | **1, 20** | **4, 38** | **2, -28** | **1, 0** |")
    bonus = share(math.sqrt(math.log(2)))
    says(PS, f"ucb(s1) = -20 + {bonus} and ucb(s2) = -10 + {bonus}")


def test_six_simulations_over_tables() -> None:
    Q: dict = {}
    N: dict = {}
    ways = ("s0 is new", "s0, s1 is new", "s0, s2 is new", "s0, s2, s5 over", "s0, s2, s6 over", "s0, s2, s5 over")
    rng = random.Random(next(seed for seed in range(50) if random.Random(seed).choice([0, 1]) == 0))  # s1 before s2
    for number, way in enumerate(ways, start=1):
        value = recursive_search(FIVE_SIMULATIONS, "s0", Q, N, 1.0, rng, FIVE_SIMULATIONS.evaluate)
        returned = "0 = evaluate(s0)" if number == 1 else f"{value:g}"
        cells = [f"{{{', '.join(f'{action}: {worth:g}' for action, worth in sorted(table['s0'].items()))}}}" for table in (N, Q)]
        if number == len(ways):
            cells = [f"**{cell}**" for cell in cells]
        says(PS, f"| {number} | {way} | {returned} | {' | '.join(cells)} |")


def drawn_tree(rng: random.Random, plies: int = 4) -> tuple[ToyGame, dict[str, float]]:
    """A game without transpositions, two or three actions a state, and what `evaluate` says of each state."""
    moves: dict[str, list[str]] = {}
    values: dict[str, float] = {}

    def grow(left: int) -> str:
        state = f"s{len(values)}"
        values[state] = round(rng.uniform(-1, 1), 2)
        if left:
            moves[state] = [grow(left - 1) for _ in range(rng.randint(2, 3))]
        return state

    grow(plies)
    return ToyGame(moves, {state: value for state, value in values.items() if state not in moves}, start="s0"), values


def test_nodes_and_tables_take_as_many_actions_and_not_the_same() -> None:
    different = 0
    for seed in range(200):
        game, values = drawn_tree(random.Random(seed))
        Q: dict[Any, dict[int, float]] = {}
        N: dict[Any, dict[int, int]] = {}
        _, root = search(game, "s0", 30, 1.0, random.Random(1), values.__getitem__)
        for _ in range(31):
            recursive_search(game, "s0", Q, N, 1.0, random.Random(1), values.__getitem__)
        visits = {action: child.num_visits for action, child in root.children.items()}
        assert sum(visits.values()) == sum(N["s0"].values())
        different += visits != N["s0"]
    assert different > 50
    says(PS, "one simulation more is needed here for as many actions at s0")
    says(PS, "where they lie close together the two searches go different ways")


@pytest.mark.parametrize("epsilon, arms", [(0.1, 5)])
def test_what_curiosity_costs_for_ever(epsilon: float, arms: int) -> None:
    best = 1 - epsilon + epsilon / arms
    says(PS, rf"gets $0.9 + 0.1/5 = {100 * best:.0f}\,\%$ of the pulls, and the other four get ${100 * (1 - best):.0f}\,\%$")


def test_how_long_the_long_run_is() -> None:
    assert 5.5 < 20 - 14 <= 6 and f"{math.exp(36):.0e}" == "4e+15"
    says(PS, "some 4,000,000,000,000,000 simulations")


@pytest.mark.parametrize("child, n, W, cells", [
    ("3", 1, 0, r"0 | $\sqrt{2.197/1} = 1.482$ | **1.482** | .741"),
    ("5", 5, -4, r"+.8 | $\sqrt{2.197/5} = .663$ | 1.463 | **1.131**"),
    ("1, 6, 7", 1, 1, "-1 | 1.482 | .482 | -.259"),
])  # fmt: skip
def test_the_bounds_by_hand(child: str, n: int, W: int, cells: str) -> None:
    log, bonus = math.log(9), math.sqrt(math.log(9) / n)
    worked = [-W / n, bonus, -W / n + bonus, -W / n + bonus / 2]
    written = [cell.strip("* $") for cell in cells.replace("+", "").split(" | ")]
    assert f"{log:.3f}" == "2.197"
    assert [float(cell.rpartition("= ")[2]) for cell in written] == pytest.approx(worked, abs=6e-4)
    says(PS, f"| {child} | {n} | {W} | {cells} |")


def test_the_bound_one_ply_down() -> None:
    says(PS, f"There $N = 5$, $\\ln 5 = {math.log(5):.3f}$")
    bonus = share(0.5 * math.sqrt(math.log(5)), 3)
    says(PS, f"with $0 + {bonus}$ against $-1 + {bonus}$ for the others")


def test_how_slowly_the_bound_grows() -> None:
    assert math.sqrt(math.log(8192)) < 2 * math.sqrt(math.log(16))
    says(PS, "between $N = 16$ and $N = 8192$ the bound does not even double")
