"""A game that counts the calls of a student's search: the check that 400 simulations are really 400.

The grader's process counts. Several calls of `play` from the same state, one after another, count as one. The limit is
generous: an overrun is more than twice the number of calls that any search with that budget can need.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from arena.games import ConnectFour, IllegalMove
from arena.games.connect_four import HEIGHT, WIDTH
from autograder.grading.hidden_checks.observed_game import ObservedGame
from autograder.sandbox.errors import Refused

State = tuple[int, int]
SLACK = 2  # allowed: this many times the calls that a search can need
STOP = 2  # answered: at most this many times the allowed calls; after that the overrun is certain
PLAY, PLANES = "play", "planes"


@dataclass(frozen=True)
class Overrun:
    """A move with far more calls of the game's rules than the budget allows; `question` is "play" or "planes".

    `asked` is exact up to twice `allowed`, where the count ends; `stones` is the number of stones on the board.
    """

    question: str
    asked: int
    allowed: int
    simulations: int
    stones: int

    def sentence(self) -> str:
        """Return the overrun as a sentence."""
        return (
            f"with {self.stones} stones on the board one move called game.{self.question} at least {self.asked:,} times; "
            f"a search of {self.simulations} simulations may call it {self.allowed:,} times"
        )


def not_counted(moves: int) -> list[str]:
    """Return the sentence about watched moves that failed because states were only names; no sentence for 0 moves."""
    note = "the calls of a watched move were not counted: the search fails if states are only names, and was asked again directly"
    return [note] if moves else []


def allowed(state: State, simulations: int) -> dict[str, int]:
    """Return how often one move may call each counted method.

    In one simulation, the descent and the rollout together play every ply to the end of the game at most once, and one
    node may be expanded with all its seven children. The network sees one board per simulation and one for the root.
    """
    plies = WIDTH * HEIGHT - (state[0] | state[1]).bit_count()
    return {PLAY: SLACK * simulations * (plies + WIDTH), PLANES: SLACK * (simulations + 1)}


class CountedGame(ObservedGame):
    """Connect Four in the grader's process, for one move of a student: it answers every call, and states are only names."""

    def __init__(self, state: State, simulations: int) -> None:
        super().__init__(ConnectFour())
        self.root, self.simulations = state, simulations
        self.asked: Counter[str] = Counter()
        self._from: Any = None  # the state of the last move
        self._tried: set[Any] = set()  # the actions that were played from it, one after another
        self._allowed = allowed(state, simulations)

    def answer(self, method: Any = None, token: Any = None, action: Any = None) -> Any:
        """Answer one call and count it; after STOP times the allowed calls, the student's code gets a ValueError."""
        if method in (PLAY, PLANES) and not self._is_a_look_around(method, token, action):
            self.asked[method] += 1
            if self.asked[method] > STOP * self._allowed[method]:
                raise Refused("error", "this move has asked too often")
        return super().answer(method, token, action)

    def _is_a_look_around(self, method: str, token: Any, action: Any) -> bool:
        """Say whether this is another move from the same state as the move before; together they count as one.

        `play` is pure. A search that makes all positions after a state and then follows one of them plays one move.
        """
        if method != PLAY or type(token) is not str or type(action) is not int:
            return False
        if token != self._from or action in self._tried:
            self._from, self._tried = token, set()
        self._tried.add(action)
        return len(self._tried) > 1

    @property
    def overrun(self) -> Overrun | None:
        """The overrun of this move; None if no method was called too often."""
        for question, most in self._allowed.items():
            if self.asked[question] > most:
                stones = (self.root[0] | self.root[1]).bit_count()
                return Overrun(question, self.asked[question], most, self.simulations, stones)
        return None


class CountedLooks(CountedGame):
    """The same for a player with tactics, which looks two plies ahead before it makes a move: each look counts as one call.

    A look begins at a state. It includes all actions at this state and at the states directly after it. An action one ply deeper
    begins a new look at the next state. So a plain rollout is counted as in a CountedGame, ply by ply.
    """

    def __init__(self, state: State, simulations: int) -> None:
        super().__init__(state, simulations)
        self._begun = ""  # the state at which the present look began
        self._after: dict[str, dict[int, str]] = {}  # in the present look: state -> action -> the state after it

    def _is_a_look_around(self, method: str, token: Any, action: Any) -> bool:
        if method != PLAY or type(token) is not str or type(action) is not int:
            return False
        below = self._after.get(self._begun, {}).values()
        part = token == self._begun or token in below
        if not part:
            self._begun = next((state for state in below if token in self._after.get(state, {}).values()), token)
            kept = {self._begun, *self._after.get(self._begun, {}).values()}
            self._after = {state: actions for state, actions in self._after.items() if state in kept}
        self._after.setdefault(token, {})[action] = self._state_after(token, action)
        return part

    def _state_after(self, token: str, action: int) -> str:
        """Return the name of the state after an action, "" if the action is not legal."""
        try:
            return self.token(self.game.play(self.state(token), action))
        except IllegalMove:
            return ""
