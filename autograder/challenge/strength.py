"""The strength of every player of the lessons on one axis: the share of mistakes at the critical positions of Connect Four.

The points of our own players are stored, see `arena/strength/points.py`. A student's player is measured at a sample of the same
positions, in its sandbox.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.challenge.kinds import BEGINS, OPEN, PS3, PS5
from arena.challenge.ladder import load_ladder
from arena.errors import UserError
from arena.match import LostGame, Player
from arena.strength.points import OWN, Point, point_of
from arena.strength.positions import Answer, Position, answers, sample
from autograder.challenge.player.query_budget import State
from autograder.challenge.player.sandboxed import SEARCH
from autograder.challenge.practice import AtHome, is_walled, players_at
from autograder.problem_sets.source import names
from autograder.progress import Watcher

PS2 = "ps2_uct"
SETS = (PS2, PS3, PS5)
SEED = 0  # of the sample and of the moves


def own_points(path: Path, each: int, watcher: Watcher) -> list[Point]:
    """Measure a student's players; return a point for each.

    Args:
        path: a submission of ps2 or ps3 (a folder, a notebook or a module), or of ps5 with weights.npz beside it.
        each: positions of each stratum.

    Raises:
        UserError: there is no player, a part of it is not written yet, or it gives no move at any position.
    """
    ladder, points = load_ladder(), []
    _refuse_other_sets(path)
    with players_at(path, ladder, is_walled(watcher.say), SETS) as players:
        chosen = sample(each, random.Random(f"axis {SEED}"))
        for player in players:
            watcher.start(f"{player.kind}: {len(chosen)} positions", len(chosen))
            try:
                told = _asked(player, ladder.student_simulations, chosen, watcher)
            finally:
                watcher.end()
            _tell_faults(player.kind, told, watcher.say)
            simulations = "" if player.kind == OPEN else f", {ladder.student_simulations} simulations"
            points.append(point_of(f"your {player.kind}{simulations}", OWN, told))
    return points


def _refuse_other_sets(path: Path) -> None:
    """Raise UserError for a file or folder that is named by a problem set without a search that plays Connect Four."""
    stems = {file.stem for file in path.iterdir()} if path.is_dir() else {path.stem}
    if stems & (set(names()) - {*SETS}) and not stems & {*SETS}:
        raise UserError(f"{path}: only problem sets 2, 3 and 5 have a search that plays Connect Four; give one of these")


class _Counted:
    """A player, and a step of the watcher for each of its moves."""

    def __init__(self, player: AtHome, watcher: Watcher) -> None:
        self._player, self._watcher = player, watcher

    def new_game(self) -> None:
        self._player.new_game()

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        try:
            return self._player.choose(state, simulations, rng)
        finally:
            self._watcher.step(self._player.kind)


def _asked(player: AtHome, simulations: int, chosen: tuple[Position, ...], watcher: Watcher) -> list[Answer]:
    counted: Player = _Counted(player, watcher)
    try:
        return answers(counted, simulations, SEED, chosen)
    except NotImplementedError as error:
        raise UserError(f"{error}: your strength can be measured when {_begins(player.kind)} is written") from None
    except LostGame as error:  # the file itself fails, before the first move
        raise UserError(f"your {player.kind} cannot be loaded: {error}") from None


def _begins(kind: str) -> str:
    return "your 2.9" if kind == SEARCH else BEGINS[kind]


def _tell_faults(kind: str, told: list[Answer], tell: Callable[[str], None]) -> None:
    """Say at how many positions there was no move, and why; UserError if there was none at all."""
    faults = [answer.fault for answer in told if answer.fault]
    if len(faults) == len(told):
        raise UserError(f"your {kind} gives no move at any of {len(told)} positions: {faults[0]}")
    if faults:
        tell(f"your {kind} gives no move at {len(faults)} of {len(told)} positions, and each counts as a mistake: {faults[0]}")


def standing(point: Point, points: Sequence[Point]) -> str:
    """Return a sentence about a point: its share of mistakes, and the stored players next to it."""
    weaker = min((other for other in points if other.mistakes > point.mistakes), key=lambda one: one.mistakes, default=None)
    stronger = max((other for other in points if other.mistakes <= point.mistakes), key=lambda one: one.mistakes, default=None)
    beside = [f"weaker: {weaker.name} ({100 * weaker.mistakes:.1f})"] if weaker else ["no stored player is weaker"]
    if stronger:
        how = "equal" if stronger.mistakes == point.mistakes else "stronger"
        beside.append(f"{how}: {stronger.name} ({100 * stronger.mistakes:.1f})")
    share = f"{100 * point.mistakes:.1f} ± {100 * point.error:.1f} % mistakes at {point.positions} positions"
    return f"{point.name}: {share}; next to it, {', '.join(beside)}"
