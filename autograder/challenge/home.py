"""The challenge at home: a student's own player against the ladder, with the code that grades it, and a live table."""

from __future__ import annotations

import math
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table

from arena.result import MatchResult, PlayedGame
from autograder.challenge.contestant import NETWORK, UCT, SandboxedPlayer, contestant, entry_name
from autograder.challenge.entrants import PS3, PS5
from autograder.challenge.exam import RungResult, climb
from autograder.challenge.rungs import Ladder, Rung, load_ladder
from autograder.challenge.sequential import PASSED, SequentialTest
from autograder.challenge.weights import NAME, WeightsError, read_weights
from autograder.grading import submission as submissions
from autograder.grading.edition import public_secret
from autograder.grading.submission import NONE, Submission
from autograder.sandbox.errors import StudentError
from autograder.trouble import Trouble

BEGINS = {UCT: "your 3.6", NETWORK: "your search, 5.1 to 5.5,"}


def challenge(path: Path, rung: str | None, console: Console) -> bool:
    """Let the player in `path` climb the ladder, or meet one rung; return whether it passed every rung that it met.

    Args:
        path: a submission of ps3, as a folder, a notebook or a module; or one of ps5 with weights.npz beside it.
        rung: the name of a single rung; without it all of them, up to the first that is not passed.

    Raises:
        Trouble: there is no such file or rung, no search in it, or weights that do not fit.
    """
    ladder = _ladder(rung)
    walled = shutil.which("bwrap") is not None
    if not walled:
        console.print("no bubblewrap here: your code runs without a sandbox, which is your own risk at home and never graded")
    player = player_at(path, ladder, walled)
    name, table = entry_name(player.workshop.submission, player.weights), LiveTable(ladder, player)
    try:
        with Live(console=console, refresh_per_second=4, get_renderable=table.render):
            for result in climb(player, ladder, public_secret(), name, table.watch, at_home=True):
                table.finish(result)
    except NotImplementedError as error:
        raise Trouble(f"{path}: {error}: the challenge begins when {BEGINS[player.kind]} stands") from None
    finally:
        player.end()
        player.workshop.close()
    for sentence in table.faults():
        console.print(sentence, markup=False, highlight=False)
    return all(result.verdict == PASSED for result in table.finished)


def player_at(path: Path, ladder: Ladder, walled: bool = True) -> SandboxedPlayer:
    """Return the player of a submission, with the weights beside it where it is a network; the caller ends it.

    Raises:
        Trouble: there is no player, or its weights cannot be read or do not fit.
    """
    submission = read_player(path)
    try:
        weights = read_weights(_folder(path)) if submission.problem_set == PS5 else None
        return contestant(submission, ladder, weights, walled=walled)
    except NotImplementedError as error:
        raise Trouble(f"{path}: {error}: the challenge begins when {BEGINS[NETWORK]} stands") from None
    except (WeightsError, StudentError) as error:
        raise Trouble(f"{path}: {error}") from None


def _ladder(rung: str | None) -> Ladder:
    ladder = load_ladder()
    if rung is None:
        return ladder
    try:
        one = ladder.rung(rung)
        return replace(ladder, rungs=(one,), highest=one.name)
    except KeyError as error:
        raise Trouble(error.args[0]) from None


def read_player(path: Path) -> Submission:
    """Read a player's code wherever it lies and whatever its file is called.

    It is one of ps5 when that is what its name says, or when there are weights beside it; else one of ps3.
    """
    if not path.exists():
        raise Trouble(f"there is nothing at {path}; give your {PS3}.ipynb, your {PS3}.py or the folder they are in")
    ps = _set_of(path)
    if path.is_dir():
        submission = submissions.read(path, ps)
    else:
        with tempfile.TemporaryDirectory() as room:
            shutil.copy(path, Path(room) / f"{ps}{path.suffix}")
            submission = submissions.read(Path(room), ps)
    if submission.form == NONE:
        raise Trouble(f"{path}: {submission.note}")
    return submission


def _folder(path: Path) -> Path:
    """Return the folder in which a player's weights lie."""
    return path if path.is_dir() else path.parent


def _set_of(path: Path) -> str:
    names = {file.stem for file in path.iterdir()} if path.is_dir() else {path.stem}
    named = [ps for ps in (PS3, PS5) if ps in names]
    return named[0] if named else PS5 if (_folder(path) / NAME).exists() else PS3


class LiveTable:
    """What a student watches: one row a rung, with the score so far, its interval and the time that may be left."""

    def __init__(self, ladder: Ladder, player: SandboxedPlayer) -> None:
        self.ladder, self.player = ladder, player
        self.finished: list[RungResult] = []
        self._games: tuple[Rung, list[PlayedGame]] | None = None
        self._since = time.monotonic()

    def watch(self, rung: Rung, games: list[PlayedGame]) -> None:
        """Show the games so far against `rung`."""
        self._games = (rung, games)

    def finish(self, result: RungResult) -> None:
        """Show the verdict of a rung."""
        self.finished.append(result)
        self._games, self._since = None, time.monotonic()

    def faults(self) -> list[str]:
        """Return a sentence for each reason why games were lost off the board."""
        lost = [(result.rung.name, fault) for result in self.finished for fault in result.match.faults if fault.by == 0]
        reasons = [f"{name}: {fault.reason}" for name, fault in lost]
        return [f"{reasons.count(reason)} games lost off the board: {reason}" for reason in dict.fromkeys(reasons)]

    def render(self) -> Table:
        """Return the table as it stands."""
        table = Table(box=box.SIMPLE_HEAD)
        for head in ("rung", "games", "W D L", "score", "95 %", "verdict"):
            table.add_column(head, justify="left" if head in ("rung", "verdict") else "right", no_wrap=True)
        for result in self.finished:
            table.add_row(result.rung.name, *_figures(result.match), f"{result.verdict}: {result.points:g} points")
        if self._games is not None:
            rung, games = self._games
            table.add_row(rung.name, *_figures(MatchResult(("you", rung.name), tuple(games))), self._left(rung, games))
        table.caption = f"{self.player.simulations_per_second:,.0f} simulations a second of CPU time"
        return table

    def _left(self, rung: Rung, games: list[PlayedGame]) -> str:
        """Say how far the verdict is, and how long it may take at the pace so far."""
        test = SequentialTest(rung.fail, rung.pass_, rung.games, self.ladder.error_odds)
        for one, other in zip(games[::2], games[1::2]):
            test.add_pair(one.score, other.score)
        bound = math.log(self.ladder.error_odds)
        step = abs(test.ratio) / len(games)
        games_left = min((bound - abs(test.ratio)) / step if step else rung.games, rung.games - len(games))
        seconds = games_left * (time.monotonic() - self._since) / len(games)
        return f"{test.ratio:+.1f} ({-bound:.1f} no, {bound:+.1f} yes), {max(0, seconds):.0f} s left"


def _figures(match: MatchResult) -> tuple[str, ...]:
    low, high = match.interval
    counts = " ".join(str(sum(pair)) for pair in (match.wins, match.draws, match.losses))
    return str(len(match.games)), counts, f"{match.score:.3f}", f"{low:.2f}-{high:.2f}"
