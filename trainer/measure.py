"""Measurements of a network: short ones during training, and the long one of `make strength`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial

import torch
from torch import nn

from arena.challenge.ladder import load_ladder
from arena.players.network import Network, asking, faster_dtype, search_all
from arena.players.random import RandomPlayer
from arena.players.rules import CompiledRules
from arena.players.uct import UCTPlayer
from arena.result import MatchResult
from arena.strength import STRATA
from arena.strength.positions import POSITIONS, positions, rates, sample
from arena.strength.uncertainty import rate_errors
from trainer.strength import (
    ALL_POSITIONS,
    asked,
    exam_lines,
    is_connect_four,
    is_critical,
    losses,
    match,
    mean_rate,
    mistakes,
    moves,
)

TABLES = {"critical positions": POSITIONS, "positions of all kinds": ALL_POSITIONS}
COMPARE = ("Compare the first table with move quality of the challenge and with `make ladder`: each position allows a mistake. "
           "Compare the second one with AlphaZero.jl: its positions are won, drawn or lost, as games bring them.")
BOTS = {rung.name: rung.simulations for rung in load_ladder().rungs if rung.simulations >= 100}  # name -> simulations a move


def quick(rules: CompiledRules, network: Network, seed: int) -> dict[str, float]:
    """Return measurements that take a few seconds: names to figures, for the curves of a run."""
    if is_connect_four(rules):
        chosen = sample(50, random.Random(seed))
        told = {f"mistakes at {n}": mean_rate(mistakes(rules, network, n, chosen)) for n in (0, 100)}
        result = match(rules, network, UCTPlayer(), (100, 400), exam_lines(20, seed), seed)
        return told | {"score against Stone": result.score}
    if rules.name == "tic_tac_toe":
        games, lost = losses(rules.game, lambda states: moves(rules, network, states, 25))
        return {"lost at 25": lost / games}
    result = match(rules, network, RandomPlayer(rules.game), (50, 1), random_lines(rules, 20, seed), seed)
    return {"score against random": result.score}


def random_lines(rules: CompiledRules, count: int, seed: int, plies: int = 4) -> list[list[int]]:
    """Return `count` openings of `plies` random moves; none of them ends the game."""
    rng, game = random.Random(f"lines {seed}"), rules.game
    lines: list[list[int]] = []
    while len(lines) < count:
        state = game.start()
        line: list[int] = []
        while len(line) < plies and game.outcome(state) is None:
            line.append(rng.choice(game.legal_actions(state)))
            state = game.play(state, line[-1])
        if game.outcome(state) is None:
            lines.append(line)
    return lines


def measured(rules: CompiledRules, net: nn.Module) -> Network:
    """Return a network ready for `full`: on one core, in the dtype that is faster on this machine."""
    torch.set_num_threads(1)  # on a busy machine a second thread mostly waits for the first
    return asking(net, dtype=faster_dtype(rules, net, "cpu"))


def full(rules: CompiledRules, network: Network, simulations: tuple[int, ...], games: int, seed: int,
         matches: Mapping[str, tuple[int, ...]] | None = None) -> Iterator[str]:  # fmt: skip
    """Yield the lines of a whole measurement, one by one.

    Args:
        simulations: of the network's search, for each move; 0 is the network alone.
        games: of each match, an even number.
        matches: for each bot of Connect Four, the simulations of the network against it; without it, all bots and `simulations`.
    """
    if is_connect_four(rules):
        for name, path in TABLES.items():
            yield f"mistakes at {name}, % ± standard error | " + " | ".join(STRATA)
            for count in simulations:
                told = asked(rules, network, count, positions(path))
                shares, errors = rates(told), rate_errors(told)
                cells = (f"{100 * shares[stratum]:.1f} ± {100 * errors[stratum]:.1f}" for stratum in STRATA)
                yield f"{count} simulations | " + " | ".join(cells)
        yield COMPARE
        lines = exam_lines(games // 2, seed)
        for name, counts in (matches or dict.fromkeys(BOTS, simulations)).items():
            for count in counts:
                yield _told(name, count, match(rules, network, UCTPlayer(), (count, BOTS[name]), lines, seed))
    elif rules.name == "tic_tac_toe":
        for count in simulations:
            played, lost = losses(rules.game, partial(moves, rules, network, simulations=count))
            yield f"{count} simulations: loses {lost} of the {played} possible games against it"
    else:
        openings = random_lines(rules, games // 2, seed)
        for count in simulations:
            yield _told("random", count, match(rules, network, RandomPlayer(rules.game), (count, 1), openings, seed))
            yield f"{count} simulations against itself: {own_game(rules, network, count)} (perfect play: 16-20)"


def expected_work(rules: CompiledRules, simulations: tuple[int, ...], games: int) -> list[float]:
    """Return about how much time each line of `full` takes, in positions that the network evaluates in that time."""
    moves_a_game, bot = 13, 1 / 40  # of each side; the time of a bot's simulation
    counts = [max(1, count) for count in simulations]
    if is_connect_four(rules):
        searched = [sum(map(is_critical, positions(path))) for path in TABLES.values()]
        tables = [work for number in searched for work in (0.0, *(float(number * count) for count in counts))]
        return [*tables, 0.0] + [games * moves_a_game * (count + bot * budget) for budget in BOTS.values() for count in counts]
    if rules.name == "tic_tac_toe":
        return list(map(float, counts))
    return [part for count in counts for part in (float(games * count), 2.0 * count)]


def own_game(rules: CompiledRules, network: Network, simulations: int) -> str:
    """Return "14-22, the start is worth -0.58": a network's game of Othello against itself.

    The numbers are the stones of the first and of the second player. The value is that of a search at the start, for the first
    player; with 0 simulations it is the network's own. Perfect play on 6x6 ends 16-20: Feinstein, "Amenor wins world 6x6
    championships!" (1993).
    """
    game = rules.game
    state = game.start()
    _, values = search_all(rules, network, [state], simulations)
    while game.outcome(state) is None:
        state = game.play(state, moves(rules, network, [state], simulations)[0])
    own, theirs = (stones.bit_count() for stones in rules.bits_of(state))
    first, second = (own, theirs) if game.player(state) == 0 else (theirs, own)
    return f"{first}-{second}, the start is worth {values[0]:+.2f}"


def _told(name: str, count: int, result: MatchResult) -> str:
    low, high = result.interval
    counts = " ".join(str(sum(pair)) for pair in (result.wins, result.draws, result.losses))
    return (f"{count} simulations against {name}: score {result.score:.3f} ({low:.3f} to {high:.3f}), "
            f"won drawn lost {counts} of {len(result.games)}")
