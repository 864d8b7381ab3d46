"""The exam: pairs of games against one bot after another, until the sequential test has its verdict.

All random numbers are derived from the edition's secret, the rung and the submission's bytes. The same submission plays
the same games on every machine; a different submission plays different games.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.challenge.ladder import Ladder, Rung
from arena.challenge.sprt import PASSED, UNDECIDED, SequentialTest
from arena.edition import dice
from arena.games import ConnectFour
from arena.match import MatchPlayer, play_match
from arena.players.random import RandomPlayer
from arena.players.uct import UCTPlayer
from arena.result import MatchResult, PlayedGame
from arena.strength.openings import held_out, line_to, practice

GAME = ConnectFour()
STOPPED = "stopped"  # the verdict of a match at home that ended before its test had one
ALIKE = 6  # games in a row that are lost in the same way: more of them say nothing new
Line = tuple[int, ...]
Watcher = Callable[[Rung, list[PlayedGame]], None]
# Plays two games of one opening: (player, bot, budgets, seed, opening) -> match.
PairPlayer = Callable[[MatchPlayer, MatchPlayer, tuple[int, int], int, Line], MatchResult]


@dataclass(frozen=True)
class RungResult:
    """The result of one exam: the verdict of the sequential test, its log-likelihood ratio, and all games in order."""

    rung: Rung
    verdict: str
    ratio: float
    match: MatchResult

    @property
    def points(self) -> float:
        """All points of the rung if it is passed, half of them if it is undecided after the last game, else none."""
        return self.rung.points * {PASSED: 1.0, UNDECIDED: 0.5}.get(self.verdict, 0.0)


def bot(rung: Rung) -> MatchPlayer:
    """Return the reference bot of a rung."""
    return UCTPlayer() if rung.simulations else RandomPlayer(GAME)


def play_pair(player: MatchPlayer, other: MatchPlayer, budgets: tuple[int, int], seed: int, line: Line) -> MatchResult:
    """Play two games from one opening, one with each colour."""
    return play_match(GAME, player, other, 2, budgets, seed, openings=[line], progress=False)


def examine(
    player: MatchPlayer, rung: Rung, ladder: Ladder, rng: random.Random, lines: list[Line], pair_of: PairPlayer = play_pair,
    at_home: bool = False,
) -> RungResult:
    """Play pairs of games against the bot of `rung` until the test has its verdict.

    Args:
        player: makes a new player for every game.
        rng: the source of the games' seeds.
        lines: the openings as moves; they are used in turn, each with both colours.
        pair_of: the function that plays a pair; the grader's function also handles failures of the host.
        at_home: stop after ALIKE games that are lost in the same way; the verdict is STOPPED.
    """
    test = SequentialTest(rung.fail, rung.pass_, rung.games, ladder.error_odds)
    games: list[PlayedGame] = []
    budgets = (ladder.student_simulations, rung.simulations)
    while test.verdict is None and not (at_home and lost_alike(games)):
        line = lines[len(games) // 2 % len(lines)]
        pair = pair_of(player, bot(rung), budgets, rng.getrandbits(63), line)
        games += pair.games
        test.add_pair(*(game.score for game in pair.games))
    return RungResult(rung, test.verdict or STOPPED, test.ratio, MatchResult(("you", rung.name), tuple(games)))


def lost_alike(games: Sequence[PlayedGame]) -> bool:
    """Say whether the last ALIKE games are lost, and all games of one colour among them in the same way.

    The same way: with the same moves of the student's player, or by the same kind of fault in the same place.
    """
    last = games[-ALIKE:]
    ways = {(game.colour, way_of(game)) for game in last}
    return len(last) == ALIKE and not any(game.score for game in last) and len(ways) == len({game.colour for game in last})


def way_of(game: PlayedGame) -> tuple[object, ...]:
    """Return the way in which a game was played: the moves of the student's player, or the kind and the place of its fault."""
    if game.fault is None:
        return tuple(action for at, action in enumerate(game.actions) if at >= game.num_opening and at % 2 == game.colour)
    kind, text, _ = game.fault.reason.partition(":")
    place = game.fault.reason.rpartition(" (")[2] if text else ""  # the text between may name a position
    return kind.partition(" (")[0], place


@dataclass(frozen=True)
class Seeds:
    """The sources of all random numbers of an exam: the edition's secret and `name`, the hash of the submission.

    `at_home`: play openings that no exam uses, and stop where all games are lost in the same way.
    """

    secret: bytes
    name: str
    at_home: bool = False

    def dice(self, what: str) -> random.Random:
        """Return the random generator of one part of the exam."""
        return dice(self.secret, f"challenge/{what}/{self.name}")

    def draw_openings(self, rng: random.Random, count: int) -> list[Line]:
        """Return at most `count` different openings as moves."""
        openings = practice(self.secret) if self.at_home else held_out(self.secret)
        drawn = rng.sample(openings, min(len(openings), count))
        return [line for state in drawn if (line := line_to(state)) is not None]  # every opening can be reached by moves


def meet(player: MatchPlayer, rung: Rung, ladder: Ladder, seeds: Seeds, pair_of: PairPlayer = play_pair) -> RungResult:
    """Hold the exam against one bot; its games do not depend on earlier matches."""
    rng = seeds.dice(rung.name)
    return examine(player, rung, ladder, rng, seeds.draw_openings(rng, rung.games // 2), pair_of, seeds.at_home)


def climb(player: MatchPlayer, ladder: Ladder, seeds: Seeds, watch: Watcher | None = None) -> Iterator[RungResult]:
    """Yield the result of one rung after another, up to the first rung that is not passed.

    Args:
        watch: called with the games so far, before the first pair of a rung and after each pair.
    """
    for rung in ladder.climbed:
        if watch is not None:
            watch(rung, [])
        result = meet(player, rung, ladder, seeds, _watched(rung, watch) if watch else play_pair)
        yield result
        if result.verdict != PASSED:
            return


def _watched(rung: Rung, watch: Watcher) -> PairPlayer:
    """Return a function that plays pairs and calls the watcher with all games so far."""
    games: list[PlayedGame] = []

    def play(*pair: Any) -> MatchResult:
        match = play_pair(*pair)
        games.extend(match.games)
        watch(rung, games)
        return match

    return play
