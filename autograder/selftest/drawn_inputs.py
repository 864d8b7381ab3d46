"""What the hidden checks draw in an edition, positions of real games and seeds, so that two editions can be compared."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from arena.edition import dice
from arena.games import ConnectFour, Othello
from autograder.grading.config import Settings
from autograder.grading.hidden_checks import suite_run
from autograder.grading.reference import our_submission
from autograder.grading.submission_runner import SubmissionRunner
from autograder.problem_sets.source import load

FEWEST_STONES = 14  # with fewer, two random games often meet
FEWEST_BITS = 20  # of a seed; smaller numbers, such as a die's, are in all editions
_FLOAT_BITS = 53


@dataclass
class Drawn:
    """What the checks of a problem set have drawn in one edition.

    positions: (game, state) of Connect Four or Othello with 14 stones or more. seeds: (check, bits, number), of 20 bits or more.
    """

    positions: set[tuple[Any, ...]] = field(default_factory=set)
    seeds: set[tuple[str, int, float]] = field(default_factory=set)

    def shared(self, other: Drawn) -> int:
        """Return how many positions and seeds both editions have."""
        return len(self.positions & other.positions) + len(self.seeds & other.seeds)


def drawn_inputs(secret: bytes, ps: str) -> Drawn:
    """Return the positions and the seeds that the checks of a set draw in the edition of this secret.

    The checks run over our solution. Every position that the grader's rules return is noted: those that a submission gets, and
    those that the checks pass on the way there. So is every number that a check draws from its edition. The position of the tree
    on feedback pages is public and the same in all editions, so it is left out. If the checks of an edition ran in this process
    before, fewer positions are returned, because the results of long searches for a position are kept.

    Raises:
        RuntimeError: the checks did not run, or drew no number: two such editions would share nothing.
    """
    drawn = Drawn()

    def noting(game: type[Any]) -> AbstractContextManager[Any]:
        play = game.play

        def noted(self: Any, state: Any, action: int) -> Any:
            after = play(self, state, action)
            if (after[0] | after[1]).bit_count() >= FEWEST_STONES:
                drawn.positions.add((game.__name__, after))
            return after

        return patch.object(game, "play", noted)

    class Noting(Random):
        """The generator of one check, which notes its numbers; `check` is set once."""

        check = ""

        def getrandbits(self, bits: int, /) -> int:
            number = super().getrandbits(bits)
            if bits >= FEWEST_BITS:
                drawn.seeds.add((self.check, bits, number))
            return number

        def random(self) -> float:
            number = super().random()
            drawn.seeds.add((self.check, _FLOAT_BITS, number))
            return number

    def noting_dice(key: bytes, what: str) -> Random:
        generator = Noting()
        generator.check = what
        generator.setstate(dice(key, what).getstate())
        return generator

    with noting(ConnectFour), noting(Othello), patch.object(suite_run, "dice", noting_dice):
        runner = SubmissionRunner(our_submission(load(ps)))
        suite = suite_run.SuiteRun(runner, Settings(secret))
        try:
            suite.run()
        finally:
            runner.close()
    if suite.errors or not suite.findings or not drawn.seeds:
        raise RuntimeError(f"{ps}: nothing is known of what an edition draws: {len(suite.findings)} exercises were checked, "
                           f"{len(drawn.seeds)} seeds were drawn, errors: {suite.errors}")
    return drawn
