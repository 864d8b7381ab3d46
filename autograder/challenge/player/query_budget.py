"""A game whose questions are counted while a student's player searches it: what 400 simulations may ask of the rules.

The count is taken where the grader stands. Moves from one state, asked one after another, count as one. It is generous: what
it calls an overrun is more than twice what a search of that budget can need, whatever its style.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from arena.games import ConnectFour
from arena.games.connect_four import HEIGHT, WIDTH
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.sandbox.errors import Refused

State = tuple[int, int]
SLACK = 2  # so many times what a search can need is no overrun
STOP = 2  # beyond so many times what is allowed nothing more is answered: it is settled
PLAY, PLANES = "play", "planes"


@dataclass(frozen=True)
class Overrun:
    """A move for which the rules were asked far more than the budget allows: `question` is "play" or "planes".

    `asked` is exact up to twice `allowed`, where the count ends; `stones` says at which point of the game it was.
    """

    question: str
    asked: int
    allowed: int
    simulations: int
    stones: int

    def sentence(self) -> str:
        """Return it in words."""
        return (
            f"with {self.stones} stones on the board one move asked game.{self.question} at least {self.asked:,} times; "
            f"{self.simulations} simulations are allowed {self.allowed:,}"
        )


def not_counted(moves: int) -> list[str]:
    """Return what is said of watched moves on which a search failed because states were only names; nothing of none."""
    said = "a move that was watched could not be counted: the search fails where a state is only a name, and was asked directly"
    return [said] if moves else []


def allowed(state: State, simulations: int) -> dict[str, int]:
    """Return how often one move may ask each question that is counted.

    A simulation plays every ply to the end of the game at most once, on its way down and in its rollout together, and
    may open all seven children of one node; the network is shown one board for each simulation and one for the root.
    """
    plies = WIDTH * HEIGHT - (state[0] | state[1]).bit_count()
    return {PLAY: SLACK * simulations * (plies + WIDTH), PLANES: SLACK * (simulations + 1)}


class CountedGame(ObservedGame):
    """Connect Four as the grader plays it for one move of a student's: every question comes here, states are names."""

    def __init__(self, state: State, simulations: int) -> None:
        super().__init__(ConnectFour())
        self.root, self.simulations = state, simulations
        self.asked: Counter[str] = Counter()
        self._from: Any = None  # the state of the last move
        self._tried: set[Any] = set()  # and the actions that were played there one after another
        self._allowed = allowed(state, simulations)

    def answer(self, method: Any = None, token: Any = None, action: Any = None) -> Any:
        """Answer one question and count it; beyond twice what is allowed the student's code sees a ValueError."""
        if method in (PLAY, PLANES) and not self._is_a_look_around(method, token, action):
            self.asked[method] += 1
            if self.asked[method] > STOP * self._allowed[method]:
                raise Refused("error", "this move has asked too often")
        return super().answer(method, token, action)

    def _is_a_look_around(self, method: str, token: Any, action: Any) -> bool:
        """Say whether this is another move from the state of the move before: all of them together count as one.

        `play` is pure, and whoever makes all positions after a state and then follows one of them plays one move.
        """
        if method != PLAY or type(token) is not str or type(action) is not int:
            return False
        if token != self._from or action in self._tried:
            self._from, self._tried = token, set()
        self._tried.add(action)
        return len(self._tried) > 1

    @property
    def overrun(self) -> Overrun | None:
        """What was asked more often than is allowed, None when nothing was."""
        for question, most in self._allowed.items():
            if self.asked[question] > most:
                stones = (self.root[0] | self.root[1]).bit_count()
                return Overrun(question, self.asked[question], most, self.simulations, stones)
        return None
