"""`arena ladder`: all players of the lessons on one axis, and a student's own players among them.

The axis is the share of mistakes at the critical positions of Connect Four. The points of the lessons' players are stored, see
`arena/strength/points.py`; a student's player is measured at a sample of the same positions.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Protocol

from arena.challenge.command import INSTALL_NUMBA, command_parser, ended
from arena.challenge.kinds import BEGINS, OPEN, PS2, PS3, PS5
from arena.challenge.ladder import MOST_EACH, load_ladder
from arena.challenge.standing import HomePlayer
from arena.errors import UserError
from arena.files import write_atomic
from arena.match import LostGame, Player
from arena.progress import Progress
from arena.strength.points import OWN, Point, point_of, read_points
from arena.strength.positions import Answer, Position, State, answers, sample
from arena.work import as_typed

SETS = (PS2, PS3, PS5)
SEED = 0  # of the sample and of the moves
EACH = 50  # positions of each of the six strata, if nobody asks for another number


class Watching(Protocol):
    """What gets the progress of a measurement: `autograder.progress.Watcher` is one, `Drawn` another."""

    def say(self, sentence: str) -> None: ...  # noqa: D102

    def start(self, what: str, total: int | None) -> None: ...  # noqa: D102

    def step(self, student: str) -> None: ...  # noqa: D102

    def end(self) -> None: ...  # noqa: D102


class Drawn:
    """Prints sentences, and draws a line of progress where one can be drawn."""

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        print(sentence)

    def start(self, what: str, total: int | None) -> None:
        """Begin a part of the work."""
        self._progress = Progress(total or 1, what)

    def step(self, student: str) -> None:
        """Count one position."""
        self._progress.step()

    def end(self) -> None:
        """End the part; the line of progress has ended itself."""


def own_points(players: Iterable[HomePlayer], simulations: int, each: int, watching: Watching) -> list[Point]:
    """Measure a student's players; return a point for each.

    Args:
        players: of one file, of problem set 2, 3 or 5.
        simulations: of each move.
        each: positions of each stratum.

    Raises:
        UserError: a part of a player is not written yet, or it gives no move at any position.
    """
    points, chosen = [], sample(each, random.Random(f"axis {SEED}"))
    for player in players:
        watching.start(f"{player.kind}: {len(chosen)} positions", len(chosen))
        try:
            replies = _asked(player, simulations, chosen, watching)
        finally:
            watching.end()
        _tell_faults(player.kind, replies, watching)
        budget = "" if player.kind == OPEN else f", {simulations} simulations"
        points.append(point_of(f"your {player.kind}{budget}", OWN, replies))
    return points


class _Counted:
    """A player that reports a step of progress after each of its moves."""

    def __init__(self, player: HomePlayer, watching: Watching) -> None:
        self._player, self._watching = player, watching

    def new_game(self) -> None:
        self._player.new_game()

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        try:
            return self._player.choose(state, simulations, rng)
        finally:
            self._watching.step(self._player.kind)


def _asked(player: HomePlayer, simulations: int, chosen: tuple[Position, ...], watching: Watching) -> list[Answer]:
    counted: Player = _Counted(player, watching)
    try:
        return answers(counted, simulations, SEED, chosen)
    except NotImplementedError as error:
        raise UserError(f"{error}: your strength can be measured when {BEGINS[player.kind]} is written") from None
    except LostGame as error:  # the file itself fails, before the first move
        raise UserError(f"your {player.kind} cannot be loaded: {error}") from None


def _tell_faults(kind: str, replies: list[Answer], watching: Watching) -> None:
    """Say at how many positions the player gave no move, and why; UserError if it gave none at all."""
    faults = [answer.fault for answer in replies if answer.fault]
    if len(faults) == len(replies):
        raise UserError(f"your {kind} gives no move at any of {len(replies)} positions: {faults[0]}")
    if faults:
        watching.say(f"your {kind} gives no move at {len(faults)} of {len(replies)} positions, and each counts as a mistake: "
                     f"{faults[0]}")


def standing(point: Point, points: Sequence[Point]) -> str:
    """Return a sentence about a point: its share of mistakes, and the stored players next to it."""
    by_mistakes = attrgetter("mistakes")
    weaker = min((other for other in points if other.mistakes > point.mistakes), key=by_mistakes, default=None)
    stronger = max((other for other in points if other.mistakes <= point.mistakes), key=by_mistakes, default=None)
    beside = [f"weaker: {weaker.name} ({100 * weaker.mistakes:.1f})"] if weaker else ["no stored player is weaker"]
    if stronger:
        how = "equal" if stronger.mistakes == point.mistakes else "stronger"
        beside.append(f"{how}: {stronger.name} ({100 * stronger.mistakes:.1f})")
    rate = f"{100 * point.mistakes:.1f} ± {100 * point.error:.1f} % mistakes at {point.positions} positions"
    return f"{point.name}: {rate}; next to it, {', '.join(beside)}"


def draw(own: Sequence[Point], to: Path, watching: Watching) -> None:
    """Say where a student's points stand, and write the picture of all points into a file that ends in .svg."""
    from arena.strength.axis import picture

    stored = read_points()
    for point in own:
        watching.say(standing(point, stored))
    write_atomic(to, picture([*stored, *own]))
    watching.say(f"written: {to}")


def check_picture(to: Path) -> None:
    """Raise UserError if this is not the name of a picture that can be written."""
    if to.suffix != ".svg" or to.is_dir():
        raise UserError(f"{to}: give the name of a file that ends in .svg")


def main(arguments: list[str]) -> int:
    """Run `arena ladder` with these arguments; return the exit code."""
    parser = command_parser("ladder", "Draw all players of the lessons on one axis, by their mistakes at solved positions, and "
                            "your own players among them.", "arena ladder ps3_connect_four",
                            "Exit codes: 0 the picture is drawn; 2 a problem to solve first; 130 stopped by Ctrl-C.")
    parser.add_argument("player", nargs="?", type=Path, help=f"your {PS2}, your {PS3}, or your {PS5} with weights.npz beside it")
    parser.add_argument("--each", type=_each, default=EACH, help=f"positions of each of the six strata; default: {EACH}")
    parser.add_argument("--to", type=Path, default=Path("ladder.svg"), help="the picture's file; default: ladder.svg")
    given = parser.parse_args(arguments)
    return ended(lambda: ladder(as_typed(given.player) if given.player else None, given.each, given.to))


def _each(text: str) -> int:
    if not text.isdecimal() or not 2 <= int(text) <= MOST_EACH:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 2 to {MOST_EACH}")
    return int(text)


def ladder(path: Path | None, each: int, to: Path) -> None:
    """Load the player at `path` into this interpreter, measure it, and draw the picture; without a path the stored points alone.

    Raises:
        UserError: numba is not installed, or the file has no player, or the player gives no move.
    """
    check_picture(to)
    if not find_spec("numba"):
        raise UserError(INSTALL_NUMBA)
    from arena.challenge.own_player import load_entry

    watching, rules, own = Drawn(), load_ladder(), []
    if path:
        entry = load_entry(path, rules, watching.say, SETS)
        print(f"your player: {entry.shown}", file=sys.stderr)
        own = own_points(entry.players, rules.student_simulations, each, watching)
    draw(own, to, watching)
