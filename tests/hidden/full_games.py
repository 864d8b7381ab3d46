"""Whole games of Connect Four that fill the board. A random game rarely does, so these avoid every row of four."""

from __future__ import annotations

from random import Random
from typing import Any

from arena.games import ConnectFour
from autograder.grading.edition import drawn_once

FOUR = ConnectFour()
SQUARES = 42


@drawn_once
def full_game(edition: Random, *, won: bool = False) -> list[int]:
    """The 42 moves of a drawn game or, with `won`, of a game that the very last stone wins."""
    while True:
        moves, state = _without_a_row(edition)
        if len(moves) == SQUARES - 1:
            (last,) = FOUR.legal_actions(state)
            if (FOUR.outcome(FOUR.play(state, last)) != 0.0) == won:
                return [*moves, last]


def _without_a_row(edition: Random) -> tuple[list[int], Any]:
    """Random moves that do not end the game, until no such move is left; and the state then."""
    state, moves = FOUR.start(), list[int]()
    while True:
        legal = FOUR.legal_actions(state)
        played = ((action, FOUR.play(state, action)) for action in edition.sample(legal, len(legal)))
        action, state_after = next(((action, after) for action, after in played if FOUR.outcome(after) is None), (None, None))
        if action is None:
            return moves, state
        moves.append(action)
        state = state_after
