"""The progress of a class's exams, for the bar: an exam takes minutes and a class has few, so parts of exams count too."""

from __future__ import annotations

import math
import threading
from pathlib import Path

from arena.challenge.ladder import Ladder
from arena.challenge.sprt import SequentialTest
from autograder.challenge.model import Conditions
from autograder.json_files import read_state
from autograder.progress import Watcher

LOOK_S = 2.0


class ExamProgress:
    """Reports to a watcher, every LOOK_S seconds, how many exams are done; a running exam counts by its finished rungs."""

    def __init__(self, watcher: Watcher, conditions: Conditions) -> None:
        self._watcher, self._done, self._over = watcher, 0, threading.Event()
        self._notes = Path(conditions.notes) if conditions.notes else None
        self._shares = shares(conditions.ladder)
        self._before = self._files()  # the notes of a killed run: they count as soon as an exam continues with them
        self._thread = threading.Thread(target=self._look, daemon=True)

    def step(self) -> None:
        """Count a finished exam."""
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
            except OSError:  # the exam ended in the meantime
                pass
        return found

    def __enter__(self) -> ExamProgress:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()


def shares(ladder: Ladder) -> dict[str, float]:
    """Return each rung's share of a whole exam, in proportion to the mean number of games of a passed test."""
    games = {}
    for rung in ladder.climbed:
        gain = SequentialTest(rung.fail, rung.pass_, rung.games).log_ratio(rung.pass_)  # may round to 0
        games[rung.name] = min(math.log(ladder.error_odds) / gain, rung.games) if gain > 0 else rung.games
    return {name: count / sum(games.values()) for name, count in games.items()}
