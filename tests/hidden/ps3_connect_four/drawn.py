"""Random games, trees and counts for the checks of every exercise, and the results that must follow from them."""

import math
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from arena.games import IllegalMove, ToyGame
from autograder.grading.edition import drawn_once
from autograder.sandbox.table_game import TableGame
from tests.hidden.choices import argmax, clear_best
from tests.hidden.generators import draw_game, states_of
from tests.hidden.ps3_connect_four.oracle import C, bounds, rewards_of
from tests.hidden.ps3_connect_four.trees import Spot

SIX_IN_A_BILLION = 19  # exp(-19): how often chance alone may exceed a bound


def uneven(counts: list[int]) -> bool:
    """Whether equally likely results would be as unequal as this less than once in 1e8 tries, all together or one of them.

    Chi-square with k degrees of freedom exceeds k + 2 sqrt(k x) + 2x with probability exp(-x) at most (Laurent and Massart). A
    share of n draws is as far from its chance with probability 2 exp(-n D) at most, D their relative entropy (Chernoff).
    """
    number, chance, free = sum(counts), 1 / len(counts), len(counts) - 1
    distance = sum((count - number * chance) ** 2 for count in counts) / (number * chance)
    together = distance > free + 2 * math.sqrt(free * SIX_IN_A_BILLION) + 2 * SIX_IN_A_BILLION
    most = SIX_IN_A_BILLION + math.log(2 * len(counts))
    return together or any(number * relative_entropy(count / number, chance) > most for count in counts)


def relative_entropy(share: float, chance: float) -> float:
    """How far a share of draws is from its chance, in nats."""
    pairs = ((share, chance), (1 - share, 1 - chance))
    return sum(p * math.log(p / q) for p, q in pairs if p > 0)


def one_ply(
    edition: Random, results: list[float], player: int = 0, numbers: range = range(40)
) -> tuple[TableGame, Any, list[int]]:
    """A game, its state, and the actions there: each action ends the game with this result for `player`, the player to move.

    Action numbers are some of `numbers` and have gaps, and the state may be "", 0 or (). In half of the games all actions with
    the same result lead to one state.
    """
    state = edition.choice(["", 0, (), "root", 7, (3, 1)])
    actions = sorted(edition.sample(numbers, len(results)))
    table: dict = {"before": (0, {5: state}, None)} if player else {}
    ends = [f"end {result}" for result in results] if edition.random() < 0.5 else [f"end {action}" for action in actions]
    table[state] = player, dict(zip(actions, ends, strict=True)), None
    table |= {end: (1 - player, {}, 0.0 - result) for end, result in zip(ends, results, strict=True)}
    return TableGame(table, "before" if player else state, numbers.stop, {}, IllegalMove), state, actions


def numbered(results: list[float], player: int) -> ToyGame:
    """A game with actions 0, 1, 2, ... at state "r": each ends the game with this result for `player`, the player to move."""
    names = [f"e{number}" for number in range(len(results))]
    moves = {"r": names} | ({"before": ["r"]} if player else {})
    return ToyGame(moves, {name: 0.0 - result for name, result in zip(names, results)}, start="before" if player else "r")


def one_state_for_half(edition: Random) -> tuple[TableGame, int, list[int], list[int]]:
    """A game with 66 of a hundred numbers as its actions, its state, the actions, and those that win at once.

    The first 33 actions lead to one state, a draw. The others are shuffled: eleven win, eleven lose, and after eleven the other
    player can win.
    """
    actions, after = sorted(edition.sample(range(100), 66)), edition.sample([*range(33)], 33)
    table: dict = {0: (0, dict(zip(actions, ["drawn"] * 33 + [f"after {number}" for number in after], strict=True)), None)}
    table |= {f"after {number}": (1, {}, -1.0 if number < 11 else 1.0) for number in range(22)}
    table |= {f"after {number}": (1, {5: "end"}, None) for number in range(22, 33)}
    table |= {"drawn": (1, {}, 0.0), "end": (0, {}, -1.0)}
    wins = [action for action, number in zip(actions[33:], after, strict=True) if number < 11]
    return TableGame(table, 0, 100, {}, IllegalMove), 0, actions, wins


def three_plies_of_seven() -> ToyGame:
    """Three plies of seven actions. Who plays the action of the ply before ends the game, and loses it to player 0.

    If player 0 plays the first action again, player 0 loses; every other game is a draw.
    """
    moves = {"s0": [f"a{n}" for n in range(7)]}
    for n in range(7):
        moves[f"a{n}"] = ["echo" if k == n else f"b{n}" for k in range(7)]
        moves[f"b{n}"] = ["again" if k == n else "other" for k in range(7)]
    return ToyGame(moves, {"echo": 1.0, "again": 1.0})


def won_by_one_of_seven(edition: Random) -> Iterator[tuple[int, ToyGame]]:
    """Games of one move with seven actions, and the one action that wins: each of the seven once, the first and last more often.

    A search that never plays the first or the last action can find the win by luck, if nothing else is in its tree.
    """
    for place in [*edition.sample(range(7), 7), *(0, 6) * 3]:
        yield place, numbered([1.0 if action == place else -1.0 for action in range(7)], place % 2)


def shares(results: list[float], simulations: int, c: float = C) -> list[int] | None:
    """How often UCT visits actions that end the game with these results; None if rounding decides.

    Between two actions with the same result and the same visits the order makes no difference. So the visits of the actions
    of one result, in ascending order, are determined.
    """
    visits = [1] * len(results)
    while sum(visits) < simulations:
        scores = bounds(visits, [n * result for n, result in zip(visits, results, strict=True)], sum(visits), c)
        near = [i for i, score in enumerate(scores) if score > max(scores) - 1e-6]
        if len({(results[i], visits[i]) for i in near}) > 1:
            return None
        visits[near[0]] += 1
    return visits


def by_result(results: list[float], visits: list[int]) -> dict[float, list[int]]:
    """The visits of the actions of each result, in ascending order."""
    return {value: sorted(n for n, result in zip(visits, results, strict=True) if result == value) for value in set(results)}


@drawn_once
def draw_shares(edition: Random, c: float = C, nearly: float | None = None) -> tuple[list[float], int, list[int]]:
    """Results of 3 to 12 actions, a number of simulations, and the visits that follow; with c = `nearly` these would differ."""
    while True:
        results = [edition.choice([1.0, 0.0, -1.0]) for _ in range(edition.randint(3, 12))]
        simulations = edition.randint(len(results), 40)
        visits = shares(results, simulations, c)
        if visits is not None and len(set(results)) > 1:
            if nearly and by_result(results, shares(results, simulations, nearly) or visits) == by_result(results, visits):
                continue
            return results, simulations, visits


def going_on(
    edition: Random, number: int, shape: str = "", *, values: Callable[[Random], float] | None = None
) -> list[tuple[TableGame, Any]]:
    """Random games, each with one of its states where the game goes on; `values` as for draw_game."""
    positions: list[tuple[TableGame, Any]] = []
    while len(positions) < number:
        game = draw_game(edition, shape or edition.choice(["bushy", "line", "wide", "forced"]), values=values)
        states = [state for state in states_of(game) if game.outcome(state) is None]
        positions.append((game, edition.choice([game.start(), edition.choice(states)])))
    return positions


def endings(game: TableGame, state: Any) -> set[tuple[float, float]]:
    """The rewards of all ends of the game that can be reached from `state`."""
    if (outcome := game.outcome(state)) is not None:
        return {rewards_of(outcome, game.player(state))}
    return set().union(*(endings(game, game.play(state, action)) for action in game.legal_actions(state)))


def grown_spot(edition: Random, game: TableGame, state: Any, depth: int, visits: int) -> Spot:
    """A tree in which every node has all of its children down to this depth, with random statistics."""
    spot = Spot(visits, round(edition.uniform(-visits, visits), 3))
    if depth and game.outcome(state) is None:
        for action in game.legal_actions(state):
            spot.below[action] = grown_spot(edition, game, game.play(state, action), depth - 1, edition.randint(1, 20))
        spot.visits = max(visits, sum(below.visits for below in spot.below.values()) + 1)
    return spot


def way_down(spot: Spot, c: float, fading: float = 1.0) -> list[int] | None:
    """The actions along the best children to the first node without children; None if rounding decides.

    With `fading` below 1 the exploration becomes smaller at every ply, which is a mistake.
    """
    path = []
    while spot.below:
        actions, below = list(spot.below), list(spot.below.values())
        scores = bounds([child.visits for child in below], [child.total for child in below], spot.visits, c)
        if len(scores) > 1 and not clear_best(scores, 1e-3):
            return None
        path.append(actions[argmax(scores)])
        spot, c = below[argmax(scores)], c * fading
    return path


@drawn_once
def draw_tree(edition: Random, shape: str, depth: int, telling: bool = False) -> tuple[TableGame, Spot, float, list[int]]:
    """A random game, a tree of its first plies, an exploration constant, and the way down.

    With `telling` the way is different when exploration fades on the way.
    """
    while True:
        game, c = draw_game(edition, shape), edition.choice([0.0, 0.4, C, 2.0])
        spot = grown_spot(edition, game, game.start(), depth, edition.randint(1, 20))
        path = way_down(spot, c)
        if path is not None and not (telling and way_down(spot, c, 0.5) in (path, None)):
            return game, spot, c, path


def paths_of(spot: Spot, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Spot]]:
    """Every node of a tree with the actions that lead to it, the root first."""
    below = [paths_of(child, (*path, action)) for action, child in spot.below.items()]
    return [(path, spot), *(each for some in below for each in some)]
