"""Measurements of a network: short ones during training, and the long one of `make strength`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import torch
from torch import nn

from arena.challenge.ladder import load_ladder
from arena.players.network import Network, asking, faster_dtype, search_all
from arena.players.puct import Settings
from arena.players.random import RandomPlayer
from arena.players.rules import CompiledRules
from arena.players.uct import UCTPlayer
from arena.result import MatchResult
from arena.strength import STRATA
from arena.strength.positions import Position, positions, sample
from arena.strength.uncertainty import share_error
from trainer.strength import (
    PUBLIC,
    asked,
    choosing,
    exam_lines,
    is_connect_four,
    is_critical,
    losses,
    match,
    mean_rate,
    mistakes,
    moves,
    reporting,
)

# AlphaZero.jl with 600 simulations, in % by strata, read off the plot of its tutorial (docs/src/tutorial/connect_four.md there)
ALPHAZERO_JL = {"the last of 15 iterations": (0, 2, 7.5, 0, 2.8, 0), "the best iteration of each set": (0, 1.6, 6.2, 0, 1.7, 0)}
KNOWLEDGE = (
    "AlphaZero.jl knows the rules: its network sees stones and free squares, its search ends where a game ends.",
    "Ours knows more of Connect Four: planes of the squares that complete four and of the columns' parity; a search that looks "
    "two plies ahead, proves results and finds wins by threats. The rows without wins by threats lack only the last.",
    "Compare critical positions with move quality of the challenge and with `make ladder`: each allows a mistake, and no step of "
    "the trainer was chosen on these.",
)
BOTS = {rung.name: rung.simulations for rung in load_ladder().rungs if rung.simulations >= 100}  # name -> simulations a move


def quick(rules: CompiledRules, network: Network, seed: int) -> dict[str, float]:
    """Return measurements that take a few seconds: names to figures, for the curves of a run."""
    if is_connect_four(rules):
        chosen = sample(50, random.Random(seed), choosing())
        figures = {f"mistakes at {n}": mean_rate(mistakes(rules, network, n, chosen)) for n in (0, 100)}
        result = match(rules, network, UCTPlayer(), (100, 400), exam_lines(20, seed), seed)
        return figures | {"score against Stone": result.score}
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
    """Return a network ready for `full`: on one core, in float32, whose figures are the same on other machines."""
    torch.set_num_threads(1)  # on a busy machine a second thread mostly waits for the first
    faster_dtype(rules, net, "cpu")  # only for its sentence about a network that gives no answer
    return asking(net)


@dataclass(frozen=True)
class Row:
    """A row of a table: where the network is asked, with how many simulations, with or without wins by threats."""

    table: str
    simulations: int
    threats: bool = True

    @property
    def name(self) -> str:
        """Return the first cell."""
        return f"{self.simulations} simulations" + ("" if self.threats else ", without wins by threats")


Counts: TypeAlias = Mapping[str, tuple[int, int]]  # stratum -> mistakes, positions
PUBLIC_SETS, CRITICAL = "the public sets", "critical positions"


def positions_of(table: str) -> tuple[Position, ...]:
    """Return the positions of a table."""
    return positions(PUBLIC) if table == PUBLIC_SETS else reporting()


def rows(simulations: Sequence[int]) -> list[Row]:
    """Return the rows of both tables; without a search nothing looks for threats."""
    both = [Row(table, count) for table in (PUBLIC_SETS, CRITICAL) for count in simulations]
    without = [Row(PUBLIC_SETS, count, threats=False) for count in simulations if count]
    return sorted([*both, *without], key=lambda row: (row.table != PUBLIC_SETS, not row.threats))


def count_mistakes(rules: CompiledRules, network: Network, row: Row) -> Counts:
    """Measure one row of a table."""
    return {stratum: count_in_stratum(rules, network, row, stratum) for stratum in STRATA}


def count_in_stratum(rules: CompiledRules, network: Network, row: Row, stratum: str) -> tuple[int, int]:
    """Return the mistakes in one cell of a table, and the positions."""
    there = [position for position in positions_of(row.table) if position.stratum == stratum]
    replies = asked(rules, network, row.simulations, there, Settings(threats=row.threats))
    return sum(answer.is_mistake for answer in replies), len(replies)


def tables(chosen: Sequence[Row], counted: Callable[[Row], Counts]) -> Iterator[str]:
    """Yield the lines of the tables with these rows, with AlphaZero.jl's figures and what each side knows.

    Args:
        chosen: some of `rows`, in their order.
        counted: returns the mistakes of a row.
    """
    for table in dict.fromkeys(row.table for row in chosen):
        yield f"mistakes at {table}, % ± standard error | " + " | ".join(STRATA)
        for row in chosen:
            if row.table == table:
                yield f"{row.name} | " + " | ".join(cell(*counted(row)[stratum]) for stratum in STRATA)
        if table == PUBLIC_SETS:
            for iteration, rates in ALPHAZERO_JL.items():
                cells = (cell(round(10 * rate), 1000) for rate in rates)
                yield f"AlphaZero.jl, 600 simulations, {iteration} | " + " | ".join(cells)
    yield from KNOWLEDGE


def cell(mistakes: int, count: int) -> str:
    """Return "1.8 ± 0.4": the share of mistakes and its standard error, in %."""
    return f"{100 * mistakes / count:.1f} ± {100 * share_error(mistakes / count, count):.1f}"


def full(rules: CompiledRules, network: Network, simulations: tuple[int, ...], games: int, seed: int,
         matches: Mapping[str, tuple[int, ...]] | None = None,
         chosen: Sequence[Row] | None = None, counted: Callable[[Row], Counts] | None = None) -> Iterator[str]:  # fmt: skip
    """Yield the lines of a whole measurement, one by one.

    Args:
        simulations: of the network's search, for each move; 0 is the network alone.
        games: of each match, an even number; 0 leaves the matches out.
        matches: for each bot of Connect Four, the simulations of the network against it; without it, all bots and `simulations`.
        chosen: rows of Connect Four's tables; without it, all rows for `simulations`.
        counted: returns the mistakes of a row; without it they are measured.
    """
    if is_connect_four(rules):
        yield from tables(chosen or rows(simulations), counted or partial(count_mistakes, rules, network))
        lines = exam_lines(games // 2, seed)
        for name, counts in (dict.fromkeys(BOTS, simulations) if matches is None else matches).items():
            for count in counts if games else ():
                yield _result_line(name, count, match(rules, network, UCTPlayer(), (count, BOTS[name]), lines, seed))
    elif rules.name == "tic_tac_toe":
        for count in simulations:
            played, lost = losses(rules.game, partial(moves, rules, network, simulations=count))
            yield f"{count} simulations: loses {lost} of the {played} possible games against it"
    else:
        openings = random_lines(rules, games // 2, seed)
        for count in simulations:
            if games:
                yield _result_line("random", count, match(rules, network, RandomPlayer(rules.game), (count, 1), openings, seed))
            yield f"{count} simulations against itself: {own_game(rules, network, count)} (perfect play: 16-20)"


def expected_work(rules: CompiledRules, simulations: tuple[int, ...], games: int) -> list[float]:
    """Return about how much time each line of `full` takes, in positions that the network evaluates in that time."""
    moves_a_game, bot = 13, 1 / 40  # of each side; the time of a bot's simulation
    counts = [max(1, count) for count in simulations]
    if is_connect_four(rules):
        searched = {table: sum(map(is_critical, positions_of(table))) for table in (PUBLIC_SETS, CRITICAL)}
        work = {table: [float(searched[table] * max(1, row.simulations)) for row in rows(simulations) if row.table == table]
                for table in searched}
        parts = [0.0, *work[PUBLIC_SETS], *[0.0] * len(ALPHAZERO_JL), 0.0, *work[CRITICAL], *[0.0] * len(KNOWLEDGE)]
        return parts + [games * moves_a_game * (count + bot * budget) for budget in BOTS.values() for count in counts if games]
    if rules.name == "tic_tac_toe":
        return list(map(float, counts))
    return [part for count in counts for part in (*([float(games * count)] if games else []), 2.0 * count)]


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


def _result_line(name: str, count: int, result: MatchResult) -> str:
    low, high = result.interval
    counts = " ".join(str(sum(pair)) for pair in (result.wins, result.draws, result.losses))
    return (f"{count} simulations against {name}: score {result.score:.3f} ({low:.3f} to {high:.3f}), "
            f"won drawn lost {counts} of {len(result.games)}")
