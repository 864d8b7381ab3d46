"""How far a challenge is, as one line of words."""

from __future__ import annotations

import time
from typing import Protocol

from arena.challenge.ladder import Ladder, Rung
from arena.challenge.sprt import SequentialTest
from arena.match import Player
from arena.progress import LEAST_DONE, duration
from arena.result import PlayedGame


class HomePlayer(Player, Protocol):
    """A player at home; `kind` is the name of what plays, `games` the number of games begun."""

    @property
    def kind(self) -> str: ...  # noqa: D102

    @property
    def games(self) -> int: ...  # noqa: D102

    @property
    def simulations_per_second(self) -> float: ...  # noqa: D102

    def new_game(self) -> None: ...  # noqa: D102


class Standing:
    """The rung in play and its games so far, in words."""

    def __init__(self, ladder: Ladder, player: HomePlayer) -> None:
        self._ladder, self._player = ladder, player
        self.rung: Rung | None = None
        self.games: tuple[PlayedGame, ...] = ()
        self._doing, self._since_s, self._games_before = "", time.monotonic(), player.games

    def turn_to(self, what: str) -> None:
        """Take the name of other work that begins now."""
        self._doing, self._since_s = what, time.monotonic()

    def watch(self, rung: Rung, games: list[PlayedGame]) -> None:
        """Take the games so far against `rung`; at the beginning there are none."""
        if not games:
            self.turn_to("")
            self._games_before = self._player.games
        self.rung, self.games = rung, tuple(games)

    def line(self) -> str:
        """Return the figures of the rung in play as one line."""
        seconds = time.monotonic() - self._since_s
        rung, games = self.rung, self.games
        if rung is None or self._doing:
            return f"{self._doing or 'the challenge begins'}, {duration(seconds)}"
        under_way = f"game {max(1, self._player.games - self._games_before)} under way, {duration(seconds)}"
        if not games:
            return f"{rung.name}: {under_way}"
        won, drawn, lost = (sum(game.score == score for game in games) for score in (1.0, 0.5, 0.0))
        test = test_of(rung, self._ladder, games)
        is_known = max(test.played / test.games, abs(test.ratio) / test.bar) >= LEAST_DONE
        left = f", about {duration(_left_s(test, seconds))} left" if is_known else ""
        return (f"{rung.name}: {won} won, {drawn} drawn, {lost} lost, evidence {test.ratio:+.1f} of +-{test.bar:.1f}, "
                f"{under_way}{left}, "
                f"{self._player.simulations_per_second:,.0f} simulations a second of CPU time")


def test_of(rung: Rung, ladder: Ladder, games: tuple[PlayedGame, ...]) -> SequentialTest:
    """Return the test of a rung after these games."""
    return SequentialTest(rung.fail, rung.pass_, rung.games, ladder.error_odds).add_games([game.score for game in games])


def _left_s(test: SequentialTest, seconds: float) -> float:
    """Return the seconds that remain until a verdict, at the pace so far."""
    step = abs(test.ratio) / test.played
    games_left = min((test.bar - abs(test.ratio)) / step if step else test.games, test.games - test.played)
    return max(0.0, games_left * seconds / test.played)
