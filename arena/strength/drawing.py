"""Solved positions drawn from games: the public ones were found in this way, and an edition finds positions of its own.

Positions come from games in which half of the moves are random and the others come from a small search, so that the games
look natural. A game gives one position, in which moves have different results; no position or mirror image comes twice.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from typing import TypeAlias

from arena.edition import dice
from arena.games import ConnectFour
from arena.players import book
from arena.players.perfect import PerfectPlayer
from arena.players.solver import HIGHEST, UNKNOWN
from arena.players.uct import UCTPlayer
from arena.strength import STRATA
from arena.strength.positions import Position, State, positions, sign, stratum_of

GAME, SEARCH = ConnectFour(), UCTPlayer()
SEARCH_SIMULATIONS = 40
Row: TypeAlias = tuple[int, int, list[int]]  # the mover's stones, the other player's stones, the score of each column
Weights: TypeAlias = dict[int, int]  # stones: weight
AFTER_THE_BEGINNING: dict[str, Weights] = {"middle": dict.fromkeys(range(15, 29), 1), "end": dict.fromkeys(range(29, 39), 1)}
# An edition's own positions begin with 12 stones. There are 38,000 positions with 4 to 7 stones, mirror images left out: 14 kB
# hold a right move for each. There are six million with 12. The public positions begin with 4.
OWN_STONES: dict[str, Weights] = {"begin": dict.fromkeys(range(12, 15), 1), **AFTER_THE_BEGINNING}


def own_positions(secret: bytes, each: int, on_position: Callable[[], None] = lambda: None) -> tuple[Position, ...]:
    """Return `each` positions of every stratum that only the holder of `secret` can know, stratum by stratum.

    None of them, nor a mirror image, is a public position. The same secret gives the same positions on every machine. One
    position costs a fifteenth of a second on average, those of begin-hard most of it.

    Args:
        on_position: called after each position.
    """
    perfect, by_stratum = PerfectPlayer(), dict[str, list[Position]]({stratum: [] for stratum in STRATA})
    known = {book.key_of(position.state) for position in positions()}
    for phase, stones in OWN_STONES.items():
        for number in itertools.count():
            wanted = [stratum for stratum in STRATA if stratum.startswith(phase) and len(by_stratum[stratum]) < each]
            if not wanted:
                break
            game = positions_of_a_game(stones, dice(secret, f"move quality/{phase}/{number}"))
            if kept := first_kept(game, wanted, known, perfect):
                stratum, row = kept
                by_stratum[stratum].append(position_of(stratum, row))
                on_position()
    return tuple(position for stratum in STRATA for position in by_stratum[stratum])


def position_of(stratum: str, row: Row) -> Position:
    """Return the position that a row describes."""
    own, other, scores = row
    return Position(stratum, (own, other), tuple(None if score == UNKNOWN else score for score in scores))


def first_kept(
    states: Iterable[State], wanted: list[str], known: set[int], perfect: PerfectPlayer
) -> tuple[str, Row] | None:
    """Return stratum and scores of the first of `states` that is new and that `judged` keeps, and add its key to `known`.

    Args:
        known: the keys, as in the book, of the positions that must not come again.
    """
    fresh = (state for state in states if book.key_of(state) not in known)
    kept = next(filter(None, (judged(state, wanted, perfect) for state in fresh)), None)
    if kept:
        _, (own, other, _) = kept
        known.add(book.key_of((own, other)))
    return kept


def positions_of_a_game(weights: Weights, rng: random.Random) -> list[State]:
    """Play a game and return its positions with these numbers of stones, in random order; a higher weight tends to come first."""
    state, weighted = GAME.start(), []
    while GAME.outcome(state) is None and (stones := (state[0] | state[1]).bit_count()) <= max(weights):
        if stones in weights:
            weighted.append((rng.random() ** (1 / weights[stones]), state))
        if rng.random() < 0.5:
            column = rng.choice(GAME.legal_actions(state))
        else:
            column = SEARCH.choose(state, SEARCH_SIMULATIONS, rng)
        state = GAME.play(state, column)
    return [state for _, state in sorted(weighted, reverse=True)]


def judged(state: State, wanted: list[str], perfect: PerfectPlayer) -> tuple[str, Row] | None:
    """Return stratum and scores of a position; None if the stratum is not wanted, or all moves have the same result."""
    least = [score for score in range(HIGHEST + 1) if stratum_of(state, score) in wanted]
    if not least or not perfect.is_at_least(state, least[0]):
        return None  # a lost position, in which no move is a mistake; or decided too late
    best = perfect.score(state)
    stratum = stratum_of(state, best)
    moves = [GAME.play(state, column) for column in GAME.legal_actions(state)]
    if stratum not in wanted or all(perfect.is_worth(after, sign(best)) for after in moves):
        return None
    scores = perfect.scores(state)
    return stratum, (*state, [scores.get(column, UNKNOWN) for column in range(GAME.num_actions)])
