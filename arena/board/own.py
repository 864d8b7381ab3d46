"""A student's own search from a file, run in this interpreter as a notebook runs it: for the student's own machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.board.minds import Mind
from arena.board.opponents import DEFAULT_SIMULATIONS, Opponent, asking
from arena.board.own_tree import Watched
from arena.board.positions import Position
from arena.challenge.kinds import IMPROVED
from arena.errors import UserError
from arena.games import ConnectFour
from arena.own_file import network_player, run_file
from arena.weights_file import NAME as WEIGHTS

KEY, NAME, WHOSE = "own", "Your player", "your player"
EXPLORATION = 1.0  # of `search` in problem set 2
SEARCHES = f"`search` of problem set 2, `uct` of 3, or `AlphaMCTS` of 5 with {WEIGHTS} beside it"


def own_opponents(path: Path, tell: Callable[[str], None]) -> Callable[[str], list[Opponent]]:
    """Run a student's file and return its player as an opponent, for each game that the player knows.

    Args:
        path: a notebook, a module, or a folder with one problem set.
        tell: takes a sentence for every cell that failed while it was loaded.

    Raises:
        UserError: the file does not exist, or has no search.
    """
    own_work, module = run_file(path, tell)
    improved = _improved(module, own_work.path.name, tell)
    if hasattr(module, "AlphaMCTS"):
        player = network_player(module, own_work.path.parent / WEIGHTS)
        network = Opponent(KEY, NAME, f"AlphaMCTS of {own_work.path.name}", asking(player, WHOSE), DEFAULT_SIMULATIONS)
        return lambda game: [network] if game == "connect_four" else []
    for name in ("uct", "search"):
        if hasattr(module, name):
            search = Opponent(KEY, NAME, f"{name} of {own_work.path.name}", _think_with(module, name), DEFAULT_SIMULATIONS)
            return lambda game: [search, *(improved if game == "connect_four" else [])]
    raise UserError(f"{path} has no player: {SEARCHES} is needed")


def _improved(module: ModuleType, file: str, tell: Callable[[str], None]) -> list[Opponent]:
    """Return the module's `challenge_player` as an opponent in Connect Four, if it has one; `tell` says why it cannot be made."""
    if not hasattr(module, IMPROVED):
        return []
    try:
        player = module.challenge_player(ConnectFour())
    except NotImplementedError:  # not written yet: `uct` is on the board all the same
        return []
    except Exception as error:
        tell(f"{IMPROVED} of {file} is not on the board: it raised {type(error).__name__}: {error}")
        return []
    name = "Your challenge_player"
    return [Opponent(f"{KEY}-{IMPROVED}", name, f"{IMPROVED} of {file}", asking(player, IMPROVED), DEFAULT_SIMULATIONS)]


def _think_with(module: ModuleType, name: str) -> Callable[[Position, int, random.Random], Mind]:
    function = getattr(module, name)

    def think(position: Position, simulations: int, rng: random.Random) -> Mind:
        if name == "uct":
            return _searching(position, lambda: function(position.game, position.state, rng, simulations=simulations))
        return _searching(position, lambda: function(position.game, position.state, simulations, EXPLORATION, rng))

    return think


def _searching(position: Position, search: Callable[[], tuple[int, Any]]) -> Mind:
    """Return a search as a mind; `search` returns (action, root), as `search` of problem set 2 and `uct` of problem set 3."""
    roots: list[Any] = []

    def choose() -> int:
        action, root = search()
        roots.append(root)
        return action

    return Watched(position, choose, lambda: roots, WHOSE)
