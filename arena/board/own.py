"""A student's own search from a file, run in this interpreter as a notebook runs it: for the student's own machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.board.minds import Asked, Mind, MoveThought, Thought
from arena.board.opponents import DEFAULT_SIMULATIONS, Opponent, asking
from arena.board.positions import Position
from arena.errors import UserError
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
    if hasattr(module, "AlphaMCTS"):
        player = network_player(module, own_work.path.parent / WEIGHTS)
        network = Opponent(KEY, NAME, f"AlphaMCTS of {own_work.path.name}", asking(player, WHOSE), DEFAULT_SIMULATIONS)
        return lambda game: [network] if game == "connect_four" else []
    for name in ("uct", "search"):
        if hasattr(module, name):
            search = Opponent(KEY, NAME, f"{name} of {own_work.path.name}", _think_with(module, name), DEFAULT_SIMULATIONS)
            return lambda game: [search]
    raise UserError(f"{path} has no player: {SEARCHES} is needed")


def _think_with(module: ModuleType, name: str) -> Callable[[Position, int, random.Random], Mind]:
    function = getattr(module, name)

    def think(position: Position, simulations: int, rng: random.Random) -> Mind:
        if name == "uct":
            return OwnSearch(position, lambda: function(position.game, position.state, rng, simulations=simulations))
        return OwnSearch(position, lambda: function(position.game, position.state, simulations, EXPLORATION, rng))

    return think


class OwnSearch:
    """A student's search as a mind: all simulations in one step; then the root tells what the search thought.

    Args:
        search: returns (action, root), as `search` of problem set 2 and `uct` of problem set 3.
    """

    def __init__(self, position: Position, search: Callable[[], tuple[int, Any]]) -> None:
        self._position, self._search, self._root = position, search, None
        self._asked = Asked(position, self._choose, WHOSE)

    def _choose(self) -> int:
        action, self._root = self._search()
        return action

    def step(self, count: int) -> None:
        """Search, once; UserError if the search fails."""
        self._asked.step(count)

    def thought(self) -> Thought:
        """Return the move, and the visits and values of the root's children where the root can be read."""
        plain, root = self._asked.thought(), self._root
        if root is None:
            return plain
        try:
            moves = tuple(_move(action, root.children.get(action)) for action in self._position.legal)
            return Thought(int(root.num_visits), moves, plain.best, None, plain.line, done=True)
        except Exception:  # another kind of tree: the move is enough
            return plain


def _move(action: int, child: Any) -> MoveThought:
    """Return the numbers of a child, whose `total_value` is for the player to move there."""
    if child is None or not child.num_visits:
        return MoveThought(action, 0)
    return MoveThought(action, int(child.num_visits), -float(child.total_value) / int(child.num_visits))
