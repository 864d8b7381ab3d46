"""How far the exams of a class are, so that the bar can tell how long is left: an exam is minutes, and a class has few."""

from __future__ import annotations

import math
import threading
from pathlib import Path

from autograder.challenge.exam.sprt import SequentialTest
from autograder.challenge.ladder import Ladder
from autograder.challenge.model import Conditions
from autograder.json_files import read_state
from autograder.progress import Watcher

LOOK_S = 2.0


class ExamProgress:
    """Tells a watcher every LOOK_S seconds how many exams are done, those under way by the share of their rungs."""

    def __init__(self, watcher: Watcher, conditions: Conditions) -> None:
        self._watcher, self._done, self._over = watcher, 0, threading.Event()
        self._notes = Path(conditions.notes) if conditions.notes else None
        self._shares = shares(conditions.ladder)
        self._before = self._files()  # of a run that was killed: they count once somebody goes on with them
        self._thread = threading.Thread(target=self._look, daemon=True)

    def step(self) -> None:
        """Count an exam that is over."""
        self._done += 1
        self._tell()

    def _look(self) -> None:
        while not self._over.wait(LOOK_S):
            self._tell()

    def _tell(self) -> None:
        now = [sum(self._shares.get(name, 0.0) for name in read_state(path).get("matches", ()))
               for path, changed in self._files().items() if self._before.get(path) != changed]
        self._watcher.reach(self._done + sum(now))

    def _files(self) -> dict[Path, float]:
        found: dict[Path, float] = {}
        for path in self._notes.glob("*.json") if self._notes else ():
            try:
                found[path] = path.stat().st_mtime
            except OSError:  # an exam that ended meanwhile
                pass
        return found

    def __enter__(self) -> ExamProgress:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()


def shares(ladder: Ladder) -> dict[str, float]:
    """Return which share of a whole exam each rung is: by the games that its test takes on average when it is passed."""
    games = {}
    for rung in ladder.climbed:
        gain = SequentialTest(rung.fail, rung.pass_, rung.games).log_ratio(rung.pass_)  # of bars that nearly touch it rounds to 0
        games[rung.name] = min(math.log(ladder.error_odds) / gain, rung.games) if gain > 0 else rung.games
    return {name: count / sum(games.values()) for name, count in games.items()}
