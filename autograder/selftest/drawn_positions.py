"""The positions of real games that the hidden checks draw in an edition, so that two editions can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unittest.mock import patch

from arena.games import ConnectFour, Othello
from autograder.grading.config import Settings
from autograder.grading.control import our_submission
from autograder.grading.grade import grade_read

FEWEST_STONES = 14  # with fewer, two random games often meet


def shared_positions(one: bytes, other: bytes, sets: Iterable[str]) -> dict[str, int]:
    """Return for each problem set how many positions the editions of these two secrets have in common."""
    return {ps: len(drawn_positions(one, ps) & drawn_positions(other, ps)) for ps in sets}


def drawn_positions(secret: bytes, ps: str) -> set[tuple[Any, ...]]:
    """Return each position of Connect Four or Othello, with 14 stones or more, that a check of the set draws or has searched.

    Our solution is graded, and every position that the grader's rules return is noted: the positions that travel to a
    submission and all that the checks pass on the way there. An edition that was graded in this process before returns
    fewer, because the results of long searches for a position are kept.
    """
    found: set[tuple[Any, ...]] = set()

    def noting(game: type[Any]) -> Any:
        play = game.play

        def noted(self: Any, state: Any, action: int) -> Any:
            after = play(self, state, action)
            if (after[0] | after[1]).bit_count() >= FEWEST_STONES:
                found.add((game.__name__, after))
            return after

        return patch.object(game, "play", noted)

    with noting(ConnectFour), noting(Othello):
        grade_read(our_submission(ps), Settings(secret))
    return found
