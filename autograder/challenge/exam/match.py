"""The exam: pairs of games against one bot after another, until the sequential test has its verdict.

Everything random comes from the edition's secret, the rung and the submission's bytes: the same submission plays the
same games everywhere, and another one plays others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from arena.games import ConnectFour
from arena.match import Entrant, play_match
from arena.players.random import RandomPlayer
from arena.players.uct import UCTPlayer
from arena.result import MatchResult, PlayedGame
from arena.strength.openings import held_out, line_to, practice
from autograder.challenge.exam.sprt import PASSED, UNDECIDED, SequentialTest
from autograder.challenge.ladder import Ladder, Rung
from autograder.grading.edition import dice

GAME = ConnectFour()
Line = tuple[int, ...]
Watcher = Callable[[Rung, list[PlayedGame]], None]
# Plays two games of one opening: (player, bot, budgets, seed, opening) -> match.
PairPlayer = Callable[[Entrant, Entrant, tuple[int, int], int, Line], MatchResult]


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


def play_pair(player: Entrant, other: Entrant, budgets: tuple[int, int], seed: int, line: Line) -> MatchResult:
    """Play two games from one opening, one with each colour."""
    return play_match(GAME, player, other, 2, budgets, seed, openings=[line], progress=False)


def examine(
    player: Entrant, rung: Rung, ladder: Ladder, rng: random.Random, lines: list[Line], pair_of: PairPlayer = play_pair
) -> RungResult:
    """Play pairs of games against the bot of `rung` until the verdict is there.

    Args:
        player: makes a new player for every game.
        rng: gives the seeds of the games.
        lines: the openings as moves, used in turn and both ways round.
        pair_of: who plays the pairs; the grader's looks after its host as well.
    """
    test = SequentialTest(rung.fail, rung.pass_, rung.games, ladder.error_odds)
    games: list[PlayedGame] = []
    budgets = (ladder.student_simulations, rung.simulations)
    while test.verdict is None:
        line = lines[len(games) // 2 % len(lines)]
        pair = pair_of(player, bot(rung), budgets, rng.getrandbits(63), line)
        games += pair.games
        test.add_pair(*(game.score for game in pair.games))
    return RungResult(rung, test.verdict, test.ratio, MatchResult(("you", rung.name), tuple(games)))


@dataclass(frozen=True)
class Seeds:
    """What all that is random in an exam hangs on: the edition's secret and `name`, the hash of the submission.

    `at_home`: play the openings that no exam uses.
    """

    secret: bytes
    name: str
    at_home: bool = False

    def dice(self, what: str) -> random.Random:
        """Return the generator of one part of the exam."""
        return dice(self.secret, f"challenge/{what}/{self.name}")

    def lines(self, rng: random.Random, count: int) -> list[Line]:
        """Return at most `count` different openings as moves."""
        openings = practice(self.secret) if self.at_home else held_out(self.secret)
        drawn = rng.sample(openings, min(len(openings), count))
        return [line for state in drawn if (line := line_to(state)) is not None]  # moves lead to each of them


def meet(player: Entrant, rung: Rung, ladder: Ladder, seeds: Seeds, pair_of: PairPlayer = play_pair) -> RungResult:
    """Hold the exam against one bot: the same games whatever was played before."""
    rng = seeds.dice(rung.name)
    return examine(player, rung, ladder, rng, seeds.lines(rng, rung.games // 2), pair_of)


def climb(
    player: Entrant, ladder: Ladder, secret: bytes, name: str, watch: Watcher | None = None, at_home: bool = False
) -> Iterator[RungResult]:
    """Yield the result of one rung after another, up to the first that is not passed.

    Args:
        name: see `Seeds`, and `at_home` too.
        watch: told of the games so far, before the first pair of a rung and after each.
    """
    for rung in ladder.climbed:
        if watch is not None:
            watch(rung, [])
        result = meet(player, rung, ladder, Seeds(secret, name, at_home), _watched(rung, watch) if watch else play_pair)
        yield result
        if result.verdict != PASSED:
            return


def _watched(rung: Rung, watch: Watcher) -> PairPlayer:
    """Return a player of pairs that tells a watcher of all games so far."""
    games: list[PlayedGame] = []

    def play(*pair: Any) -> MatchResult:
        match = play_pair(*pair)
        games.extend(match.games)
        watch(rung, games)
        return match

    return play
