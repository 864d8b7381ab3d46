"""Move quality: a player's share of mistakes on positions in which the solver has scored every move.

A mistake is a move that turns a won game into a drawn or lost one, or a drawn one into a lost one. Every position has a
move that is a mistake and a move that is not. The positions here are public; `python -m assets.make.quality_positions` made
them. An exam uses positions of the course's secret, see `arena.strength.drawing`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from arena.games import ConnectFour
from arena.match import Player, reason_of
from arena.players.solver import UNKNOWN, plies_to_end
from arena.shipped import shipped
from arena.strength import STRATA

POSITIONS = shipped("connect_four_positions.npz")
GAME = ConnectFour()
MOVES_A_GAME = 15  # a player begins a new game after this number of positions; the budget of a game is enough for them
State = tuple[int, int]


def sign(score: int) -> int:
    """Return 1, 0 or -1 for a won, drawn or lost game."""
    return (score > 0) - (score < 0)


@dataclass(frozen=True)
class Position:
    """A position of a stratum; `scores` holds the exact score of each column for the player to move, None for a full column."""

    stratum: str
    state: State
    scores: tuple[int | None, ...]

    def is_mistake(self, action: int) -> bool:
        """Say whether a legal column has a worse sign than the best one."""
        chosen = self.scores[action]
        return chosen is None or sign(chosen) < max(sign(score) for score in self.scores if score is not None)


@dataclass(frozen=True)
class Answer:
    """A player's answer at a position: a legal column, or None and the reason for having none."""

    position: Position
    action: int | None
    fault: str | None = None

    @property
    def is_mistake(self) -> bool:
        """Whether the answer is a mistake; no move at all is a mistake too."""
        return self.action is None or self.position.is_mistake(self.action)


def stratum_of(state: State, score: int) -> str:
    """Return the stratum: begin up to 14 stones, middle up to 28, end; easy if decided in under 14 plies, medium up to 28."""
    stones, plies = (state[0] | state[1]).bit_count(), plies_to_end(state, score)
    when = "begin" if stones <= 14 else "middle" if stones <= 28 else "end"
    return f"{when}-{'easy' if plies < 14 else 'medium' if plies <= 28 else 'hard'}"


@cache
def positions(path: Path = POSITIONS) -> tuple[Position, ...]:
    """Return the public positions, stratum by stratum."""
    with np.load(path, allow_pickle=False) as file:
        rows = zip(file["stratum"].tolist(), file["stones"].tolist(), file["scores"].tolist(), strict=True)
        return tuple(
            Position(STRATA[number], tuple(stones), tuple(None if score == UNKNOWN else score for score in scores))
            for number, stones, scores in rows
        )


def rows_of(chosen: Sequence[Position]) -> tuple[Any, ...]:
    """Return positions as data for JSON."""
    return tuple([position.stratum, list(position.state), list(position.scores)] for position in chosen)


def from_rows(rows: Any) -> tuple[Position, ...]:
    """Return the positions of `rows_of`.

    Raises:
        ValueError, TypeError: the data is something else.
    """
    restored = tuple(Position(stratum, tuple(state), tuple(scores)) for stratum, state, scores in rows)
    for position in restored:
        if [column for column, score in enumerate(position.scores) if score is not None] != GAME.legal_actions(position.state):
            raise ValueError(f"{position.state} has other columns than {position.scores}")
    return restored


def sample(each: int, rng: random.Random, among: Sequence[Position] | None = None) -> tuple[Position, ...]:
    """Return `each` of the positions of every stratum in `among`, by default of all public ones, drawn by `rng`.

    Raises:
        ValueError: a stratum has fewer positions.
    """
    there = positions() if among is None else among
    strata = ([position for position in there if position.stratum == stratum] for stratum in STRATA)
    return tuple(position for stratum in strata for position in rng.sample(stratum, each))


def answers(player: Player, simulations: int, seed: int, chosen: Sequence[Position] | None = None) -> list[Answer]:
    """Ask a player for its move at each position of `chosen`; by default at all positions.

    A player with `new_game()` begins a new game every MOVES_A_GAME positions, and after a fault.

    Raises:
        NotImplementedError: the player is not written yet.
    """
    replies: list[Answer] = []
    for number, position in enumerate(positions() if chosen is None else chosen):
        if hasattr(player, "new_game") and (number % MOVES_A_GAME == 0 or replies[-1].action is None):
            player.new_game()
        replies.append(_answer(player, simulations, random.Random(f"{seed} {number}"), position))
    return replies


def rates(replies: Sequence[Answer]) -> dict[str, float]:
    """Return the share of mistakes, in [0, 1], for each stratum with answers."""
    by_stratum: dict[str, list[bool]] = {}
    for answer in replies:
        by_stratum.setdefault(answer.position.stratum, []).append(answer.is_mistake)
    return {stratum: sum(mistakes) / len(mistakes) for stratum, mistakes in by_stratum.items()}


def mistake_rates(
    player: Player, simulations: int, seed: int, chosen: Sequence[Position] | None = None
) -> dict[str, float]:
    """Return the share of mistakes, in [0, 1], for each stratum; see `answers`."""
    return rates(answers(player, simulations, seed, chosen))


def _answer(player: Player, simulations: int, rng: random.Random, position: Position) -> Answer:
    try:
        action = player.choose(position.state, simulations, rng)
        GAME.play(position.state, action)
    except NotImplementedError:
        raise
    except Exception as error:  # as in a match: an error in the player's code is the player's mistake
        return Answer(position, None, reason_of(error))
    return Answer(position, int(action))
