"""The strength of a network in figures: mistakes at solved positions, matches, and the games that it can lose.

All searches of a measurement run side by side, but each position is searched independently: the moves are the same as
those of `arena.players.network.NetworkPlayer`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from arena.edition import PUBLIC_SECRET
from arena.games import ConnectFour, Game, State, result_for
from arena.match import Player
from arena.players.network import Network, search_all
from arena.players.puct import Settings
from arena.players.rules import CompiledRules
from arena.result import MatchResult, PlayedGame
from arena.strength.openings import held_out, line_to
from arena.strength.positions import Answer, Position, positions, rates, sample

HALF = 500  # critical positions of each stratum on which steps of the trainer are chosen; the others are reported
ABREAST = 512  # positions that are searched side by side
# The six public sets, for staff alone: what students need are the critical positions of `arena.strength.positions`.
PUBLIC = Path(__file__).resolve().parents[1] / "assets" / "strength" / "public_positions.npz"


def moves(
    rules: CompiledRules, network: Network, states: Sequence[State], simulations: int, settings: Settings = Settings()
) -> list[int]:
    """Return the network's move in each of these positions, after `simulations` simulations; with 0, without a search."""
    chosen: list[int] = []
    for begin in range(0, len(states), ABREAST):
        policies, _ = search_all(rules, network, states[begin : begin + ABREAST], simulations, settings)
        chosen += policies.argmax(axis=1).tolist()
    return chosen


@cache
def choosing() -> tuple[Position, ...]:
    """Return the critical positions on which steps of the trainer are chosen: HALF of each stratum."""
    return sample(HALF, random.Random(1))


@cache
def reporting() -> tuple[Position, ...]:
    """Return the other critical positions, stratum by stratum: no step is chosen on them."""
    taken = set(choosing())
    return tuple(position for position in positions() if position not in taken)


def asked(rules: CompiledRules, network: Network, simulations: int, chosen: Sequence[Position],
          settings: Settings = Settings()) -> list[Answer]:  # fmt: skip
    """Return the network's answers at the given positions of Connect Four.

    Where no mistake is possible nothing is searched, because every legal move counts the same: the answer is the first one.
    """
    critical = [position for position in chosen if is_critical(position)]
    played = iter(moves(rules, network, [position.state for position in critical], simulations, settings))
    return [Answer(position, next(played) if is_critical(position) else _first(position)) for position in chosen]


def is_critical(position: Position) -> bool:
    """Say whether some moves at a position are mistakes and others are not."""
    return any(position.is_mistake(column) for column, score in enumerate(position.scores) if score is not None)


def _first(position: Position) -> int:
    return next(column for column, score in enumerate(position.scores) if score is not None)


def mistakes(rules: CompiledRules, network: Network, simulations: int, chosen: Sequence[Position]) -> dict[str, float]:
    """Return the share of mistakes at the given positions of Connect Four, for each stratum."""
    return rates(asked(rules, network, simulations, chosen))


def match(
    rules: CompiledRules,
    network: Network,
    opponent: Player,
    budgets: tuple[int, int],
    lines: Sequence[Sequence[int]],
    seed: int,
) -> MatchResult:
    """Play every opening with both colours, all games side by side.

    Args:
        opponent: has its own generator in every game, and keeps nothing between moves.
        budgets: simulations a move of the network and of the opponent.
        lines: the openings as moves from the start.
    """
    game = rules.game
    actions = [list(line) for line in lines for _ in range(2)]
    rngs = [random.Random(f"opponent {seed} {number}") for number in range(len(actions))]
    states = [game.start() for _ in actions]
    for number, line in enumerate(actions):
        for action in line:
            states[number] = game.play(states[number], action)
    going = [number for number, state in enumerate(states) if game.outcome(state) is None]
    while going:
        ours = [number for number in going if game.player(states[number]) == number % 2]
        chosen = moves(rules, network, [states[number] for number in ours], budgets[0]) if ours else []
        action_of = dict(zip(ours, chosen, strict=True))
        for number in going:
            action = action_of[number] if number in action_of else opponent.choose(states[number], budgets[1], rngs[number])
            actions[number].append(action)
            states[number] = game.play(states[number], action)
        going = [number for number in going if game.outcome(states[number]) is None]
    played = []
    for number, (state, line) in enumerate(zip(states, actions, strict=True)):
        colour = number % 2
        score = (1 + result_for(game, state, colour)) / 2
        played.append(PlayedGame(tuple(line), len(lines[number // 2]), colour, score))
    return MatchResult(("network", type(opponent).__name__), tuple(played))


def exam_lines(count: int, seed: int) -> list[tuple[int, ...]]:
    """Return `count` of the public edition's quiet drawn openings of Connect Four, as moves."""
    chosen = random.Random(f"strength {seed}").sample(held_out(PUBLIC_SECRET), count)
    return [line for state in chosen if (line := line_to(state)) is not None]  # every one of them has such a line


def losses(game: Game, choose: Callable[[list[State]], list[int]]) -> tuple[int, int]:
    """Play a small game against every possible sequence of replies, as first and as second player.

    Args:
        choose: returns a move for each of some positions; the move depends on the position alone, so that a position of
            several games is asked about once.

    Returns the number of different games, and how many of them are lost.
    """
    lost = ended = 0
    for colour in (0, 1):
        counts: dict[State, int] = {game.start(): 1}  # positions after the same number of plies, and the number of ways to each
        while counts:
            ours = [state for state in counts if game.player(state) == colour]
            choice_of = dict(zip(ours, choose(ours) if ours else [], strict=True))
            after: dict[State, int] = {}
            for state, ways in counts.items():
                for action in [choice_of[state]] if state in choice_of else game.legal_actions(state):
                    reached = game.play(state, action)
                    if game.outcome(reached) is None:
                        after[reached] = after.get(reached, 0) + ways
                    else:
                        ended += ways
                        lost += ways * (result_for(game, reached, colour) < 0)
            counts = after
    return ended, lost


def is_connect_four(rules: CompiledRules) -> bool:
    """Say whether the game has solved positions and a ladder."""
    return isinstance(rules.game, ConnectFour)


def mean_rate(rates: dict[str, float]) -> float:
    """Return the mean over the strata, with equal weights."""
    return float(np.mean(list(rates.values())))
