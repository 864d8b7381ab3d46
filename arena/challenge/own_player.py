"""A student's player in this interpreter, without a sandbox: for the student's own machine, on any system.

The limits of CPU time are those of the exam. Two things differ: the exam begins each game in a new process, and here a program
keeps what it remembers; and only the exam counts how often a search asks for the rules of the game.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any

from arena import check
from arena.challenge.home import Entry
from arena.challenge.kinds import CHECKS, EXPLORATION, IMPROVED, NETWORK, OPEN, PS2, PS3, PS5, SEARCH, UCT
from arena.challenge.ladder import Ladder
from arena.errors import UserError
from arena.games import ConnectFour
from arena.get import INSTALL_TORCH
from arena.match import LostGame
from arena.own_file import network_player, run_file
from arena.time_limit import OutOfTime, time_limit
from arena.weights_file import NAME as WEIGHTS
from arena.work import Work

GAME = ConnectFour()
State = tuple[int, int]
Ask = Callable[[State, int, random.Random], Any]  # (state, simulations, rng) -> what the student's code answers
NO_PLAYER = f"a function `{UCT}` (problem set 3), a class `{NETWORK}` (problem set 5) or a function `{OPEN}` is needed"
SEARCH_TOO = f"; or a function `{SEARCH}` (problem set 2)"


class OwnPlayer:
    """A student's function as a player of a match; whatever goes wrong in it loses the game, with a reason for the student.

    Args:
        kind: the name of what plays, see `kinds`.
        make: called at the beginning of every game; returns the function that asks the student's code.
        own: the work that was loaded; its cells are the files of the student in a traceback.

    `games` counts the games begun, `simulations` the requested simulations, `cpu_s` the CPU time of all moves.
    """

    def __init__(self, kind: str, make: Callable[[], Ask], own: Work, ladder: Ladder) -> None:
        self.kind, self.games, self.simulations, self.cpu_s = kind, 0, 0, 0.0
        self._make, self._ask = make, make()
        self._own, self._ladder, self._game_began_s = own, ladder, 0.0

    def new_game(self) -> None:
        """Begin a game with the whole CPU time of a game."""
        self.games += 1
        self._ask = self._make()
        self._game_began_s = self.cpu_s

    def choose(self, state: State, simulations: int, rng: random.Random) -> int:
        """Return the student's column.

        Raises:
            LostGame: an exception with its place in the student's file, too much CPU time, or an answer that is not a column.
            NotImplementedError: the player is not written yet.
        """
        limit_s, began_s = self._ladder.move_cpu_s, time.process_time()
        try:
            with time_limit(limit_s):
                answer = self._ask(state, simulations, rng)
        except NotImplementedError:
            raise
        except OutOfTime as late:
            raise LostGame(f"a move took more than {limit_s:g} s of CPU time{self._place(late)}") from None
        except (Exception, SystemExit) as error:
            raise LostGame(f"{type(error).__name__}: {_text(error)}{self._place(error)}") from None
        finally:
            used_s = time.process_time() - began_s
            self.cpu_s += used_s
            self.simulations += simulations
        if used_s > limit_s:  # a single call into compiled code is not stopped on the way
            raise LostGame(f"a move took more than {limit_s:g} s of CPU time")
        if self.cpu_s - self._game_began_s > self._ladder.game_cpu_s:
            raise LostGame(f"a game took more than {self._ladder.game_cpu_s:g} s of CPU time")
        return _column(answer, self.kind)

    @property
    def simulations_per_second(self) -> float:
        """Simulations per second of CPU time; 0 before the first move."""
        return self.simulations / self.cpu_s if self.cpu_s else 0.0

    def _place(self, error: BaseException) -> str:
        """Return the last line of the student's file that led to an error, " (cell 7, line 12, in uct)"; "" if none did."""
        labels, place, trace = {cell.label for cell in self._own.cells}, "", error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in labels:
                shown = Path(code.co_filename).name if self._own.path.suffix == ".py" else code.co_filename
                place = f" ({shown}, line {trace.tb_lineno}, in {code.co_name})"
            trace = trace.tb_next
        return place


def _text(error: BaseException) -> str:
    try:
        return (str(error).strip().splitlines() or [""])[0]
    except Exception:  # the text of an exception comes from the student's code too, and may raise
        return ""


def _column(answer: Any, kind: str) -> int:
    """Return the column in an answer: `uct` and `search` promise (action, root), the others a column alone."""
    if kind in (UCT, SEARCH):
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise LostGame(f"`{kind}` must return (action, root), and returns {type(answer).__name__}")
        answer = answer[0]
    if isinstance(answer, bool) or not isinstance(answer, Integral):
        raise LostGame(f"`{kind}` must return a column as an int, and returns {type(answer).__name__}")
    return int(answer)


def load_entry(path: Path, ladder: Ladder, tell: Callable[[str], None], sets: tuple[str, ...]) -> Entry:
    """Run a student's file, and return its players.

    Args:
        path: a notebook, a module, or a folder; of several problem sets in it the first of `sets` is meant.
        tell: takes a sentence for every cell that failed while it was loaded.
        sets: with problem set 2 among them, its `search` is a player too.

    Raises:
        UserError: the file does not exist or has no player, or its weights do not fit.
    """
    if not path.exists():
        raise UserError(f"{path} does not exist; give your {PS3}.ipynb, your {PS3}.py or the folder they are in")
    own, module = run_file(path, tell, first=sets)
    weights = own.path.parent / WEIGHTS
    makes = {NETWORK: lambda: _network(module, weights), UCT: lambda: _uct(module), IMPROVED: lambda: _improved(module),
             OPEN: lambda: _open(module), SEARCH: lambda: _search(module)}
    kinds = [kind for kind in ([NETWORK] if hasattr(module, NETWORK) else [UCT, IMPROVED, OPEN]) if hasattr(module, kind)]
    if not kinds and PS2 in sets and hasattr(module, SEARCH):
        kinds = [SEARCH]
    if not kinds:
        raise UserError(f"{own.path} has no player: {NO_PLAYER}{SEARCH_TOO if PS2 in sets else ''}")
    if NETWORK in kinds:
        if not find_spec("torch"):
            raise UserError(INSTALL_TORCH.format(own.path.name))
        sys.modules["torch"].set_num_threads(1)  # as in the exam; more threads only use more CPU time for so small a network
    players = tuple(OwnPlayer(kind, makes[kind], own, ladder) for kind in kinds)
    content = own.path.read_bytes() + (weights.read_bytes() if NETWORK in kinds else b"")
    problem_set = PS5 if NETWORK in kinds else PS2 if SEARCH in kinds else PS3
    shown = f"{own.path}, in this Python and without a sandbox"
    return Entry(problem_set, hashlib.sha256(content).hexdigest(), own.path.parent, shown, players, visible_checks)


def _uct(module: ModuleType) -> Ask:
    return lambda state, simulations, rng: module.uct(GAME, state, rng, simulations=simulations)


def _search(module: ModuleType) -> Ask:
    return lambda state, simulations, rng: module.search(GAME, state, simulations, EXPLORATION, rng)


def _improved(module: ModuleType) -> Ask:
    """Make the player of a game when its first move is asked for, so that an error in it is a lost game with its place."""
    made: list[Any] = []

    def ask(state: State, simulations: int, rng: random.Random) -> Any:
        if not made:
            made.append(module.challenge_player(GAME))
        return made[0].choose(state, simulations, rng)

    return ask


def _open(module: ModuleType) -> Ask:
    return lambda state, simulations, rng: module.open_player(GAME, state, rng)


def _network(module: ModuleType, weights: Path) -> Ask:
    player = network_player(module, weights)
    return lambda state, simulations, rng: player.choose(state, simulations, rng)


def visible_checks(kind: str) -> list[tuple[str, str]]:
    """Run the visible checks of each player, as loaded; return (verdict, text) of each, see `arena.check`."""
    return [visible.verdict() for visible in check.registered() if visible.exercise in CHECKS[kind]]
