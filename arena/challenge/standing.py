"""How far a challenge is, on one line: drawn over itself on a terminal, and now and then as a line of its own elsewhere."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

from arena.challenge.ladder import Ladder, Rung
from arena.challenge.sprt import SequentialTest
from arena.match import Player
from arena.progress import LEAST_DONE, can_draw
from arena.result import PlayedGame

DRAWN_EVERY_S = 0.25
FIRST_LINE_S, LINE_EVERY_S = 2.0, 10.0  # for output that is no terminal (a file, a log)


class HomePlayer(Player, Protocol):
    """A player at home; `kind` is the name of what plays, `games` the number of games begun."""

    @property
    def kind(self) -> str: ...  # noqa: D102

    @property
    def games(self) -> int: ...  # noqa: D102

    @property
    def simulations_per_second(self) -> float: ...  # noqa: D102

    def new_game(self) -> None: ...  # noqa: D102


class Live:
    """Shows the line that `line()` returns until the block ends, on standard error; `tell` prints a line that stays."""

    def __init__(self, line: Callable[[], str]) -> None:
        self._line, self._over, self._at_work = line, threading.Event(), threading.Lock()
        self._drawn = can_draw()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def tell(self, text: str, tell: Callable[[str], None]) -> None:
        """Give `text` to `tell`, where no drawn line stands any more."""
        with self._at_work:
            self._clear()
            tell(text)

    def _show(self) -> None:
        pause_s = DRAWN_EVERY_S if self._drawn else FIRST_LINE_S
        while not self._over.wait(pause_s):
            pause_s = DRAWN_EVERY_S if self._drawn else LINE_EVERY_S
            with self._at_work:
                self._clear()
                width = shutil.get_terminal_size().columns - 1  # a longer line could not be drawn over
                print(self._line()[:width] if self._drawn else self._line(), file=sys.stderr, flush=True,
                      end="" if self._drawn else "\n")

    def _clear(self) -> None:
        if self._drawn:
            print(f"\r{'':{shutil.get_terminal_size().columns - 1}}\r", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Live:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()
        self._clear()


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
            return f"{self._doing or 'the challenge begins'}, {seconds:.0f} s"
        under_way = f"game {max(1, self._player.games - self._games_before)} under way, {seconds:.0f} s"
        if not games:
            return f"{rung.name}: {under_way}"
        won, drawn, lost = (sum(game.score == score for game in games) for score in (1.0, 0.5, 0.0))
        test = test_of(rung, self._ladder, games)
        is_known = max(test.played / test.games, abs(test.ratio) / test.bar) >= LEAST_DONE
        left = f", about {_left_s(test, seconds):.0f} s left" if is_known else ""
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
