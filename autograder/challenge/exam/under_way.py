"""The progress of a class's exams, for the bar: an exam takes minutes and a class has few, so parts of exams count too."""

from __future__ import annotations

import math
from pathlib import Path

from arena.challenge.ladder import Ladder
from arena.challenge.sprt import SequentialTest
from arena.strength import STRATA
from autograder.challenge.model import Conditions
from autograder.json_files import read_state

MOVES_OF_A_GAME = 12  # of one player, about, after the opening


class ExamsUnderWay:
    """How much of the exams under way is done, all together: a running exam counts by its finished rungs."""

    def __init__(self, conditions: Conditions) -> None:
        self._notes = Path(conditions.notes) if conditions.notes else None
        self._shares = shares(conditions.ladder)
        self._before = self._files()  # the notes of a killed run: they count as soon as an exam continues with them

    def __call__(self) -> float:
        """Return the sum of the shares, each in [0, 1)."""
        return sum(self._shares.get(name, 0.0) for path, changed in self._files().items() if self._before.get(path) != changed
                   for name in read_state(path).get("matches", ()))

    def _files(self) -> dict[Path, float]:
        changed_at: dict[Path, float] = {}
        for path in self._notes.glob("*.json") if self._notes else ():
            try:
                changed_at[path] = path.stat().st_mtime
            except OSError:  # the exam ended in the meantime
                pass
        return changed_at


def shares(ladder: Ladder) -> dict[str, float]:
    """Return each rung's share of a whole exam, in proportion to the mean number of games of a passed test.

    The rest is what follows the climb: the player's moves in the positions of move quality.
    """
    games = {}
    for rung in ladder.climbed:
        gain = SequentialTest(rung.fail, rung.pass_, rung.games).log_ratio(rung.pass_)  # may round to 0
        games[rung.name] = min(math.log(ladder.error_odds) / gain, rung.games) if gain > 0 else rung.games
    whole = sum(games.values()) + len(STRATA) * ladder.quality.each / MOVES_OF_A_GAME
    return {name: count / whole for name, count in games.items()}
