"""A game that stays in the grader while a student's code searches it: the grader sees every question, states are only names."""

from __future__ import annotations

from typing import Any

from arena.games import Game, IllegalMove
from autograder.sandbox.errors import Refused


class ObservedGame:
    """Answers the questions of a submission about `game`, and records them.

    `calls`: (method, state, action) in order, with the real state; action is None except for play.
    A state travels as a token; the same state has the same token, so that it can be a key in the sandbox.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.calls: list[tuple[str, Any, int | None]] = []
        self._tokens: dict[Any, str] = {}
        self._states: dict[str, Any] = {}

    def token(self, state: Any) -> str:
        """Return the name of `state` in the sandbox."""
        if state not in self._tokens:
            token = f"state {len(self._tokens)}"
            self._tokens[state], self._states[token] = token, state
        return self._tokens[state]

    def state(self, token: Any) -> Any:
        """Return the state behind a token.

        Raises:
            Refused: not a token of this game; the student's code sees a ValueError.
        """
        if type(token) is not str or token not in self._states:
            raise Refused("error", "not a state of this game")
        return self._states[token]

    def answer(self, method: Any = None, token: Any = None, action: Any = None) -> Any:
        """Answer one question from the sandbox."""
        if method == "start":
            return self.token(self.game.start())
        state = self.state(token)
        if method not in ("player", "legal_actions", "play", "outcome", "planes", "text"):
            raise Refused("error", "no such question")
        self.calls.append((method, state, action if type(action) is int else None))
        if method != "play":
            return getattr(self.game, method)(state)
        try:
            return self.token(self.game.play(state, action if type(action) is int else -1))
        except IllegalMove:
            raise Refused("illegal", (self.calls[-1][2], token)) from None
