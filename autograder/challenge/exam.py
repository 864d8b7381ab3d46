"""The exam: pairs of games against one bot after another, until the sequential test has its verdict.

Everything random comes from the edition's secret, the rung and the submission's bytes: the same submission plays the
same games everywhere, and another one plays others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arena.games import ConnectFour
from arena.match import Entrant, play_match
from arena.players.random import RandomPlayer
from arena.players.uct import UCTPlayer
from arena.result import MatchResult, PlayedGame
from autograder.challenge.openings import held_out, line_to, practice
from autograder.challenge.rungs import Ladder, Rung
from autograder.challenge.sequential import PASSED, UNDECIDED, SequentialTest
from autograder.grading.edition import dice

GAME = ConnectFour()
Watcher = Callable[[Rung, list[PlayedGame]], None]


@dataclass(frozen=True)
class RungResult:
    """What came of one exam: the verdict of the sequential test, its ratio, and every game in order."""

    rung: Rung
    verdict: str
    ratio: float
    match: MatchResult

    @property
    def points(self) -> float:
        """All of the rung's points when passed, half of them when undecided at the last game."""
        return self.rung.points * {PASSED: 1.0, UNDECIDED: 0.5}.get(self.verdict, 0.0)


def bot(rung: Rung) -> Entrant:
    """Return the reference bot of a rung."""
    return UCTPlayer() if rung.simulations else RandomPlayer(GAME)


def examine(
    player: Entrant,
    rung: Rung,
    ladder: Ladder,
    rng: random.Random,
    lines: list[tuple[int, ...]],
    watch: Watcher | None = None,
) -> RungResult:
    """Play pairs of games against the bot of `rung` until the verdict is there.

    Args:
        player: makes a new player for every game.
        rng: gives the seeds of the games.
        lines: the openings as moves, used in turn and both ways round.
        watch: told of the games so far after each pair.
    """
    test = SequentialTest(rung.fail, rung.pass_, rung.games, ladder.error_odds)
    games: list[PlayedGame] = []
    budgets = (ladder.student_simulations, rung.simulations)
    while test.verdict is None:
        line = lines[len(games) // 2 % len(lines)]
        pair = play_match(GAME, player, bot(rung), 2, budgets, rng.getrandbits(63), openings=[line], progress=False)
        games += pair.games
        test.add_pair(*(game.score for game in pair.games))
        if watch is not None:
            watch(rung, games)
    return RungResult(rung, test.verdict, test.ratio, MatchResult(("you", rung.name), tuple(games)))


def climb(
    player: Entrant, ladder: Ladder, secret: bytes, name: str, watch: Watcher | None = None, at_home: bool = False
) -> Iterator[RungResult]:
    """Yield the result of one rung after another, up to the first that is not passed.

    Args:
        name: what the seeds hang on beside the secret: the hash of the submission.
        at_home: play the openings that no exam uses.
    """
    openings = practice(secret) if at_home else held_out(secret)
    for rung in ladder.rungs:
        rng = dice(secret, f"challenge/{rung.name}/{name}")
        chosen = rng.sample(openings, min(len(openings), rung.games // 2))
        result = examine(player, rung, ladder, rng, [line_to(state) for state in chosen], watch)
        yield result
        if result.verdict != PASSED:
            return
