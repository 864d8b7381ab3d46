"""Connect Four on boards of other sizes, as the lesson makes them: a subclass that sets height, width, run and num_actions."""

from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from autograder.grading.hidden_checks.answer_types import node
from tests.hidden.ps1_games.boards import Facts
from tests.hidden.ps1_games.lines import STONE, has_line


class Columns:
    """The rules of Connect Four on a board of any size, played with the contents of states."""

    def __init__(self, height: int, width: int, run: int) -> None:
        self.height, self.width, self.run, self.num_actions = height, width, run, width

    def theirs(self, student: Any) -> Any:
        """An object of a new subclass of the submission's ConnectFour."""
        owner, kind = connect_four(student)
        sizes = {"height": self.height, "width": self.width, "run": self.run, "num_actions": self.num_actions}
        small = node(student._ask("call_and_keep", kind, ["SmallBoard", (owner,), sizes], {}))
        return node(student._ask("call_and_keep", small, [], {}))

    def start(self) -> Facts:
        return Facts(0, [[0] * self.width for _ in range(self.height)], [True] * self.width)

    def legal_actions(self, state: Facts) -> list[int]:
        return [action for action, open in enumerate(state.mask) if open]

    def play(self, state: Facts, action: int) -> Facts:
        board = [row.copy() for row in state.board]
        board[sum(row[action] == 0 for row in board) - 1][action] = STONE[state.player]
        after = Facts(1 - state.player, board, [sign == 0 for sign in board[0]])
        return after if self.outcome(after) is None else after._replace(mask=[False] * self.width)

    def outcome(self, state: Facts) -> float | None:
        if has_line(np.array(state.board), 1 - state.player, self.run):
            return -1.0
        return None if any(0 in row for row in state.board) else 0.0

    def exact(self, state: Facts) -> float:
        """The value of a state for the player to move; for boards with few empty squares."""
        if (outcome := self.outcome(state)) is not None:
            return outcome
        return max(0.0 - self.exact(self.play(state, action)) for action in self.legal_actions(state))

    def line(self, edition: Random) -> list[tuple[Facts, int | None]]:
        """One game of random moves, as `plies` gives it."""
        line: list[tuple[Facts, int | None]] = [(self.start(), None)]
        while (legal := self.legal_actions(line[-1][0])) != []:
            state, action = line[-1][0], edition.choice(legal)
            line[-1:] = [(state, action), (self.play(state, action), None)]
        return line


@lru_cache(maxsize=1)
def connect_four(student: Any) -> tuple[Any, Any]:
    """The submission's ConnectFour, and its class: asked for once in each conversation."""
    owner = node(student._ask("get", student.ConnectFour(), "__class__"))
    return owner, node(student._ask("get", owner, "__class__"))


def small_boards(edition: Random) -> list[Columns]:
    """Wide, high and square boards, two of them too low or too narrow for a line in every direction.

    The length of a line follows neither from the height nor from the width. The widest board has actions of two digits.
    """
    sizes = [(3, 4, 3), (4, 3, 3), (5, 8, 5), (4, 4, 4), (edition.randint(2, 5), edition.randint(11, 13), edition.randint(2, 4))]
    sizes += [(2, edition.choice([5, 6]), 3), (edition.choice([5, 7]), 2, 3)]  # neither has six rows nor seven columns
    return [Columns(*size) for size in edition.sample(sizes, len(sizes))]
