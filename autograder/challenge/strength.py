"""The strength of a student's player in the checkout: `arena.challenge.own_strength` measures it, in its sandbox."""

from __future__ import annotations

from pathlib import Path

from arena.challenge.ladder import load_ladder
from arena.challenge.own_strength import SETS
from arena.challenge.own_strength import own_points as points_of
from arena.errors import UserError
from arena.strength.points import Point
from autograder.challenge.practice import is_sandboxed, players_at
from autograder.problem_sets.source import names
from autograder.progress import Watcher


def own_points(path: Path, each: int, watcher: Watcher) -> list[Point]:
    """Measure a student's players; return a point for each.

    Args:
        path: a submission of ps2 or ps3 (a folder, a notebook or a module), or of ps5 with weights.npz beside it.
        each: positions of each stratum.

    Raises:
        UserError: the file has no player, a part of it is not written yet, or it gives no move at any position.
    """
    ladder = load_ladder()
    _refuse_other_sets(path)
    with players_at(path, ladder, is_sandboxed(watcher.say), SETS) as players:
        return points_of(players, ladder.student_simulations, each, watcher)


def _refuse_other_sets(path: Path) -> None:
    """Raise UserError for a file or folder that is named by a problem set without a search that plays Connect Four."""
    stems = {file.stem for file in path.iterdir()} if path.is_dir() else {path.stem}
    if stems & (set(names()) - {*SETS}) and not stems & {*SETS}:
        raise UserError(f"{path}: only problem sets 2, 3 and 5 have a search that plays Connect Four; give one of these")
