"""Toy games: a few named states, given as data, so that a reader can follow a search with a pencil."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.games.game import IllegalMove, Symmetry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class ToyGame:
    """A game whose states are names and whose rules are a table.

    Args:
        transitions: for each state its successors; action 0 leads to the first, 1 to the second, and so on.
            A state without successors is the end of the game.
        values: the value of a state for the player to move there; 0.0 for a state without an entry. At a finished state the
            value is the outcome; elsewhere `evaluate` returns it in place of a rollout. Values outside [-1, 1] are allowed.
        start: the state before the first move.

    Two paths may lead to one state, as long as the same player is to move after both.

    Raises:
        ValueError: the data name a state that cannot be reached from `start`, contain a cycle, or reach a state after
            an even and after an odd number of moves; the message names the state.
    """

    __slots__ = ("_players", "_start", "_transitions", "_values", "num_actions")
    board = None

    def __init__(self, transitions: Mapping[str, Sequence[str]], values: Mapping[str, float], start: str = "s0"):
        self._transitions = {state: tuple(after) for state, after in transitions.items() if after}
        self._values = {state: float(value) for state, value in values.items()}
        self._start = start
        self._players = _players(self._transitions, start)
        for state in [*transitions, *values]:
            if state not in self._players:
                raise ValueError(f"unknown state {state!r}: no path leads to it from {start!r}")
        self.num_actions = max(map(len, self._transitions.values()), default=0)

    def start(self) -> str:
        return self._start

    def player(self, state: str) -> int:
        self._know(state)
        return self._players[state]

    def legal_actions(self, state: str) -> list[int]:
        self._know(state)
        return list(range(len(self._transitions.get(state, ()))))

    def play(self, state: str, action: int) -> str:
        if action not in self.legal_actions(state):
            raise IllegalMove(action, state, state)
        return self._transitions[state][action]

    def outcome(self, state: str) -> float | None:
        self._know(state)
        return None if state in self._transitions else self._values.get(state, 0.0)

    def evaluate(self, state: str) -> float:
        """Return the value of a rollout from `state`, for the player to move there."""
        self._know(state)
        return self._values.get(state, 0.0)

    def planes(self, state: str) -> NDArray[np.float32]:
        """Return float32 (2, 1, number of states): plane 0 has a 1 at the state, plane 1 is empty."""
        import numpy as np

        self._know(state)
        planes = np.zeros((2, 1, len(self._players)), dtype=np.float32)
        planes[0, 0, list(self._players).index(state)] = 1.0
        return planes

    def symmetries(self, state: str, policy: ArrayLike) -> list[Symmetry]:
        """Return the position unchanged: a table has no symmetries."""
        import numpy as np

        self._know(state)
        return [(state, np.asarray(policy))]

    def rows(self, state: str) -> list[str]:
        """Return the state's name alone: there is no board."""
        self._know(state)
        return [state]

    def text(self, state: str) -> str:
        self._know(state)
        return state

    def data(self) -> dict[str, Any]:
        """Return the game as plain dicts, lists, strings and floats; `from_data` makes the game again."""
        return {"transitions": {state: list(after) for state, after in self._transitions.items()},
                "values": dict(self._values), "start": self._start}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> ToyGame:
        return cls(data["transitions"], data["values"], data["start"])

    def _know(self, state: object) -> None:
        if state not in self._players:
            raise ValueError(f"unknown state {state!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.data() == self.data()

    def __hash__(self) -> int:
        return hash((self._start, frozenset(self._transitions), frozenset(self._values)))

    def __repr__(self) -> str:
        return f"ToyGame({self.data()['transitions']!r}, {self._values!r}, start={self._start!r})"


def _players(transitions: Mapping[str, Sequence[str]], start: str) -> dict[str, int]:
    """Return the player to move at every state that can be reached, in depth-first order."""
    players: dict[str, int] = {}
    path: list[str] = []

    def visit(state: str) -> None:
        if state in path:
            raise ValueError("the game never ends: " + " -> ".join([*path[path.index(state):], state]))
        if state in players:
            if players[state] != len(path) % 2:
                raise ValueError(f"state {state!r} is reached by an even and by an odd number of moves: who is to move?")
            return
        players[state] = len(path) % 2
        path.append(state)
        for successor in transitions.get(state, ()):
            visit(successor)
        path.pop()

    visit(start)
    return players


FIVE_SIMULATIONS = ToyGame(
    {"s0": ["s1", "s2"], "s1": ["s3", "s4"], "s2": ["s5", "s6"]},
    {"s1": 20.0, "s2": 10.0, "s5": -14.0},
)
"""Five simulations of UCT give the same tree for every exploration from 0 to 24, whichever way ties are broken."""
