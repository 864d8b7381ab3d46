"""A game that is a table, of any shape that the Game contract allows. Grader and sandbox use the same file.

The toy games of the lessons number the actions of a state 0, 1, 2, ... and name states by texts. Here, action numbers may
have gaps, two actions may lead to one state, states may be texts, numbers or tuples, and two states may have the same text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# state -> (the player to move, {action: next state}, the outcome for the player to move, None while the game goes on)
Table = dict[Any, tuple[int, dict[int, Any], float | None]]


class TableGame:
    """The rules of `table`, from `start`.

    Args:
        num_actions: larger than every action.
        texts: the result of `text` for states where it is not the state itself.
        illegal: the exception for a move that is not legal, made with (action, state, text of the state).
    """

    def __init__(self, table: Table, start: Any, num_actions: int, texts: dict[Any, str], illegal: type[Exception]) -> None:
        self.num_actions = num_actions
        self._table, self._start, self._texts, self._illegal = table, start, texts, illegal

    def __repr__(self) -> str:
        return f"<a game of {len(self._table)} states>"

    def start(self) -> Any:
        return self._start

    def player(self, state: Any) -> int:
        return self._table[state][0]

    def legal_actions(self, state: Any) -> list[int]:
        return sorted(self._table[state][1])

    def play(self, state: Any, action: int) -> Any:
        after = self._table[state][1]
        if action not in after:
            raise self._illegal(action, state, self.text(state))
        return after[action]

    def outcome(self, state: Any) -> float | None:
        return self._table[state][2]

    def planes(self, state: Any) -> Any:
        """Return float32 (2, 1, number of states): plane 0 has a 1 at the state, plane 1 is empty."""
        planes = np.zeros((2, 1, len(self._table)), dtype=np.float32)
        planes[0, 0, list(self._table).index(state)] = 1.0
        return planes

    def symmetries(self, state: Any, policy: Any) -> list[tuple[Any, np.ndarray]]:
        """Return the position unchanged: a table has no symmetries."""
        return [(state, np.asarray(policy))]

    def text(self, state: Any) -> str:
        return self._texts.get(state, str(state))

    def data(self) -> tuple[Table, Any, int, dict[Any, str]]:
        """Return the data for the same game on the other side, without the exception."""
        return self._table, self._start, self.num_actions, self._texts
