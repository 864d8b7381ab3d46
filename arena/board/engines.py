"""The networks and the solver of Connect Four, loaded beside the game: torch and compiled code take seconds to begin."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

from arena import nets
from arena.errors import UserError
from arena.games import ConnectFour, after

if TYPE_CHECKING:
    from arena.board.network_minds import PUCT, Prior
    from arena.games import State
    from arena.players.network import Network
    from arena.players.perfect import PerfectPlayer
    from arena.players.rules import CompiledRules

Made = TypeVar("Made")
WITHOUT = "{} needs the package {}, which is not installed: docs/students.md says how to install the course with [{}]"
EASY = (5, 5, 4, 5, 1, 4, 0, 6, 4, 0, 0, 0, 1, 1, 4, 0)  # a position of Connect Four that is solved at once
# The networks that ship, by game: the name of the file, and how long it was trained; the strongest comes first.
SHIPPED = {
    "tic_tac_toe": {"tic_tac_toe": "2 minutes"},
    "connect_four": {"connect_four": "60 minutes"},
    "othello": {"othello": "45 minutes"},
}


class Loading(Exception):
    """Something is being loaded; ask again soon. The text says what."""


class Later(Generic[Made]):
    """A value that a thread makes, begun at the first question for it."""

    def __init__(self, what: str, make: Callable[[], Made]) -> None:
        self._what, self._make = what, make
        self._thread: threading.Thread | None = None
        self._made: Made | None = None
        self._failure = ""

    def get(self) -> Made:
        """Return the value.

        Raises:
            Loading: it is still being made.
            UserError: it cannot be made; the text says why.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            try:
                self._thread.start()
            except RuntimeError:  # "can't start new thread": in a browser's tab there are none, and the reader waits
                self._run()
        if self._failure:
            raise UserError(self._failure)
        if self._made is None:
            raise Loading(f"loading {self._what} (the first time on a machine this takes half a minute)")
        return self._made

    def _run(self) -> None:
        try:
            self._made = self._make()
        except ImportError as error:
            name = error.name or "numba"
            self._failure = WITHOUT.format(self._what, name, "networks" if name == "torch" else "play")
        except (OSError, ValueError) as error:
            self._failure = f"{self._what} cannot be loaded: {error}"
        except Exception as error:  # a thread that ends silently would leave the page waiting for ever
            self._failure = f"{self._what} cannot be loaded: {type(error).__name__}: {error}"


class Net:
    """A network with the rules of its game, and the minds that use it."""

    def __init__(self, rules: CompiledRules, network: Network) -> None:
        self.rules, self.network = rules, network

    def prior(self, state: State) -> Prior:
        """Return the mind of the network alone."""
        from arena.board.network_minds import Prior

        return Prior(self.rules, self.network, state)

    def puct(self, state: State) -> PUCT:
        """Return the search of AlphaZero with this network."""
        from arena.board.network_minds import PUCT

        return PUCT(self.rules, self.network, state)


@cache
def shipped_net(game: str, name: str) -> Later[Net]:
    """Return a network that ships, by its game and the name of its file."""
    return Later("the network", lambda: _net(game, name))


def usual_net(game: str) -> Later[Net]:
    """Return the strongest network of a game that ships."""
    return shipped_net(game, next(iter(SHIPPED[game])))


def _net(game: str, name: str) -> Net:
    from arena.players.network import asking, load_net
    from arena.players.rules import compiled

    rules = compiled(game)
    net = Net(rules, asking(load_net(rules, nets.find(name))))
    net.puct(rules.game.start()).step(2)  # compiles the search, if this machine has not done so yet
    return net


@cache
def perfect() -> Later[PerfectPlayer]:
    """Return the perfect player of Connect Four, whose solver remembers positions from one question to the next."""
    return Later("the solver", _perfect)


def _perfect() -> PerfectPlayer:
    from arena.players.perfect import PerfectPlayer

    player = PerfectPlayer()
    player.solver.score(after(ConnectFour(), EASY))  # compiles the solver, if this machine has not done so yet
    return player
