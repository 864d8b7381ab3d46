"""The challenge at home: the student's own player plays the ladder, judged by the grader's code, with a live table."""

from __future__ import annotations

import math
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table

from arena.errors import UserError
from arena.result import MatchResult, PlayedGame
from arena.waiting import can_draw
from autograder.challenge.exam.match import RungResult, climb
from autograder.challenge.exam.sprt import PASSED, SequentialTest
from autograder.challenge.ladder import Ladder, Rung, load_ladder
from autograder.challenge.player.entrant import PS3, PS5
from autograder.challenge.player.sandboxed import NETWORK, UCT, SandboxedPlayer, contestant, entry_name
from autograder.challenge.player.weights import NAME, WeightsError, read_weights
from autograder.grading.edition import public_secret
from autograder.sandbox.errors import StudentError
from autograder.submission.discover import NONE
from autograder.submission.payload import Payload, read_item
from autograder.submission.read import Submission, read, read_folder

FIRST_LINE_S, LINE_EVERY_S = 2.0, 10.0  # for output that is no terminal (a file, a log) and cannot show a live table
LOADING = "your player is being loaded"
UNWALLED = "bubblewrap is not installed: your code runs without a sandbox, at your own risk; this is never graded"
BEGINS = {UCT: "your 3.6", NETWORK: "your search, 5.1 to 5.5,"}


def challenge(path: Path, rung: str | None, console: Console) -> bool:
    """Let the player in `path` climb the ladder, or play one rung; return whether it passed every rung that it played.

    Args:
        path: a submission of ps3 (a folder, a notebook or a module), or a submission of ps5 with weights.npz beside it.
        rung: the name of a single rung; None: all rungs, up to the first that is not passed.

    Raises:
        UserError: the file or the rung does not exist, the search is not written, or the weights do not fit.
    """
    ladder = _ladder(rung)
    walled = shutil.which("bwrap") is not None
    if not walled:
        console.print(UNWALLED)
    with console.status(LOADING), _saying(console, lambda: LOADING):
        player = player_at(path, ladder, walled)
    name, table = entry_name(player.runner.submission, player.weights), LiveTable(ladder, player)
    try:
        with Live(console=console, refresh_per_second=4, get_renderable=table.render), _saying(console, table.line):
            for result in climb(player, ladder, public_secret(), name, table.watch, at_home=True):
                table.finish(result)
    except NotImplementedError as error:
        raise UserError(f"{path}: {error}: the challenge begins when {BEGINS[player.kind]} is written") from None
    finally:
        player.end()
        player.runner.close()
    for sentence in table.faults():
        console.print(sentence, markup=False, highlight=False)
    return all(result.verdict == PASSED for result in table.finished)


@contextmanager
def _saying(console: Console, line: Callable[[], str]) -> Iterator[None]:
    """Print a line after two seconds and then every ten seconds, if the console is no terminal but a log or a file."""
    over = threading.Event()

    def say() -> None:
        pause_s = FIRST_LINE_S
        while not over.wait(pause_s):
            console.print(line(), markup=False, highlight=False, soft_wrap=True)
            pause_s = LINE_EVERY_S

    thread = threading.Thread(target=say, daemon=True)
    if not can_draw(console):
        thread.start()
    try:
        yield
    finally:
        over.set()
        if not can_draw(console):
            thread.join()


def player_at(path: Path, ladder: Ladder, walled: bool = True) -> SandboxedPlayer:
    """Return the player of a submission; for a network, with the weights in its folder. The caller ends the player.

    Raises:
        UserError: there is no player, or its weights cannot be read or do not fit.
    """
    submission = read_player(path)
    try:
        weights = read_weights(_folder(path)) if submission.problem_set == PS5 else None
        return contestant(submission, ladder, weights, walled=walled)
    except NotImplementedError as error:
        raise UserError(f"{path}: {error}: the challenge begins when {BEGINS[NETWORK]} is written") from None
    except (WeightsError, StudentError) as error:
        raise UserError(f"{path}: {error}") from None


def _ladder(rung: str | None) -> Ladder:
    ladder = load_ladder()
    if rung is None:
        return ladder
    try:
        one = ladder.rung(rung)
        return replace(ladder, rungs=(one,), highest=one.name)
    except KeyError as error:
        raise UserError(error.args[0]) from None


def read_player(path: Path) -> Submission:
    """Read a player's code from any path and any file name.

    The player is one of ps5 if its file name says so or if weights lie beside it; otherwise it is one of ps3.
    """
    if not path.exists():
        raise UserError(f"there is nothing at {path}; give your {PS3}.ipynb, your {PS3}.py or the folder they are in")
    ps = _set_of(path)
    item = None if path.is_dir() else read_item(path.parent, path.name)
    submission = read(Payload(ps, (replace(item, name=f"{ps}{path.suffix}"),))) if item else read_folder(path, ps)
    if submission.form == NONE:
        raise UserError(f"{path}: {submission.note}")
    return submission


def _folder(path: Path) -> Path:
    """Return the folder in which a player's weights lie."""
    return path if path.is_dir() else path.parent


def _set_of(path: Path) -> str:
    names = {file.stem for file in path.iterdir()} if path.is_dir() else {path.stem}
    named = [ps for ps in (PS3, PS5) if ps in names]
    return named[0] if named else PS5 if (_folder(path) / NAME).exists() else PS3


class LiveTable:
    """The live table that a student sees: one row per rung, with the score so far, its interval and the time left.

    The rung in play has a row from its first game on. The line below the rows shows the number of the current game.
    """

    def __init__(self, ladder: Ladder, player: SandboxedPlayer) -> None:
        self.ladder, self.player = ladder, player
        self.finished: list[RungResult] = []
        self._now: tuple[Rung, tuple[PlayedGame, ...]] | None = None
        self._begun_s = self._since = time.monotonic()
        self._games_before = player.games

    def watch(self, rung: Rung, games: list[PlayedGame]) -> None:
        """Show the games so far against `rung`; at the beginning there are none."""
        if not games:
            self._since, self._games_before = time.monotonic(), self.player.games
        self._now = (rung, tuple(games))

    def finish(self, result: RungResult) -> None:
        """Show the verdict of a rung."""
        self.finished.append(result)
        self._now = None

    def faults(self) -> list[str]:
        """Return a sentence for each reason why games were lost by a fault, not on the board."""
        lost = [(result.rung.name, fault) for result in self.finished for fault in result.match.faults if fault.by == 0]
        reasons = [f"{name}: {fault.reason}" for name, fault in lost]
        return [f"{reasons.count(reason)} games lost by a fault: {reason}" for reason in dict.fromkeys(reasons)]

    def render(self) -> Table:
        """Return the table with its present content."""
        table = Table(box=box.SIMPLE_HEAD)
        for head in ("rung", "games", "W D L", "score", "95 %", "verdict"):
            words = head in ("rung", "verdict")  # these wrap where the terminal is narrow; figures do not
            table.add_column(head, justify="left" if words else "right", no_wrap=not words, overflow="fold")
        for result in self.finished:
            table.add_row(result.rung.name, *_figures(result.match.games), f"{result.verdict}: {result.points:g} points")
        if now := self._now:
            table.add_row(now[0].name, *_figures(now[1]), self._left(*now))
        table.caption = (f"{self._under_way() if self._now else ''}{time.monotonic() - self._begun_s:.0f} s, "
                         f"{self.player.simulations_per_second:,.0f} simulations a second of CPU time")
        return table

    def line(self) -> str:
        """Return one line of text about the rung in play, with the same figures as the table."""
        seconds = f"{time.monotonic() - self._begun_s:.0f} s"
        if self._now is None:
            return seconds
        rung, games = self._now
        number, counts, score, interval = _figures(games)
        so_far = f"{number} games judged (won, drawn, lost: {counts}), score {score} ({interval}), " if games else ""
        return f"{rung.name}: {so_far}{self._under_way()}{seconds}"

    def _under_way(self) -> str:
        return f"game {max(1, self.player.games - self._games_before)} under way, "

    def _left(self, rung: Rung, games: tuple[PlayedGame, ...]) -> str:
        """Say how close the test is to a verdict, and how long that may take at the pace so far."""
        if not games:
            return ""
        test = SequentialTest(rung.fail, rung.pass_, rung.games, self.ladder.error_odds)
        for one, other in zip(games[::2], games[1::2], strict=False):
            test.add_pair(one.score, other.score)
        bound = math.log(self.ladder.error_odds)
        step = abs(test.ratio) / len(games)
        games_left = min((bound - abs(test.ratio)) / step if step else rung.games, rung.games - len(games))
        seconds = games_left * (time.monotonic() - self._since) / len(games)
        return f"{test.ratio:+.1f} of +-{bound:.1f}, {max(0, seconds):.0f} s left"


def _figures(games: tuple[PlayedGame, ...]) -> tuple[str, ...]:
    """Return the figures of a row: the numbers of games, wins, draws and losses, the score and its interval."""
    if not games:
        return "0", "", "", ""
    match = MatchResult(("you", ""), games)
    low, high = match.interval
    counts = " ".join(str(sum(pair)) for pair in (match.wins, match.draws, match.losses))
    return str(len(games)), counts, f"{match.score:.3f}", f"{low:.2f}-{high:.2f}"
