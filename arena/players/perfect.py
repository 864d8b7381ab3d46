"""The perfect player of Connect Four: it wins as soon as possible, and loses as late as possible."""

import random

from arena.games import ConnectFour
from arena.players import book
from arena.players.solver import Solver, end_score

GAME = ConnectFour()


class PerfectPlayer:
    """A player for `arena.match` that makes no mistakes: it asks the opening book first, then the solver.

    Args:
        solver: a solver whose table several players share; without it, the player makes its own.
    """

    def __init__(self, solver: Solver | None = None) -> None:
        self.solver = solver or Solver()

    def choose(self, state: tuple[int, int], simulations: int, rng: random.Random) -> int:
        """Return a column of the best score; `rng` chooses among equal columns. `simulations` is not used.

        Raises:
            ValueError: the game is over.
        """
        if GAME.outcome(state) is not None:
            raise ValueError("the game is over: there is nothing to choose")
        best = self.score(state)
        return rng.choice([column for column in GAME.legal_actions(state) if self.is_worth(GAME.play(state, column), best)])

    def scores(self, state: tuple[int, int]) -> dict[int, int]:
        """Return the exact score of each legal column for the player to move at `state`; see `arena.players.solver`."""
        return {column: self._after(GAME.play(state, column)) for column in GAME.legal_actions(state)}

    def score(self, state: tuple[int, int]) -> int:
        """Return the exact score of `state`, where the game goes on, for the player to move."""
        known = book.look_up(state)
        return self.solver.score(state) if known is None else known

    def is_at_least(self, state: tuple[int, int], least: int) -> bool:
        """Say whether the score of `state` for the player to move is at least `least`: faster than the score itself."""
        known = book.look_up(state)
        return self.solver.is_above(state, least - 1) if known is None else known >= least

    def is_worth(self, state: tuple[int, int], least: int) -> bool:
        """Say whether the move to `state` is worth at least `least` to the player who made it."""
        if GAME.outcome(state) is not None:
            return self._after(state) >= least
        return not self.is_at_least(state, 1 - least)

    def _after(self, state: tuple[int, int]) -> int:
        """Return the score of a move for the player who made it; `state` is the position after the move."""
        outcome = GAME.outcome(state)
        return -self.score(state) if outcome is None else end_score(state, outcome)
