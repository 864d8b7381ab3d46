"""What an exam has finished so far, on disk: one that was killed goes on at the rung where it was.

The notes of an exam are a file of its own, named after everything that decides it, so that they are never another's. They
tell a class's bar how far each exam is, too. Where they cannot be written (a worker on another machine) there are none.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.result import MatchResult
from autograder.challenge.model import Measured
from autograder.challenge.report import game_of, line_of
from autograder.json_files import read_state, write_state

VERDICT = {"verdict", "points", "max_points", "log_odds", "overruns"}  # what is told of a match beside its games


class Checkpoint:
    """The finished matches of one exam by their bot's name, and what they took."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._matches: dict[str, dict[str, Any]] = {}
        self.measured = Measured()
        content = read_state(path) if path else {}
        try:
            self._matches = {name: _checked(told) for name, told in content["matches"].items()}
            self.measured = Measured(**content["measured"])
        except (ValueError, KeyError, TypeError, AttributeError):
            self._matches, self.measured = {}, Measured()

    def match(self, name: str) -> tuple[MatchResult, dict[str, Any]] | None:
        """Return a match that was finished before, and what was told of it; None when it was not."""
        if name not in self._matches:
            return None
        told = self._matches[name]
        return MatchResult(("you", name), tuple(map(game_of, told["games"]))), told["verdict"]

    def add(self, name: str, match: MatchResult, verdict: dict[str, Any]) -> None:
        """Write down a finished match."""
        self._matches[name] = {"games": [line_of(game) for game in match.games], "verdict": verdict}
        if self._path is None:
            return
        try:
            write_state(self._path, {"matches": self._matches, "measured": asdict(self.measured)}, mode=0o600)
        except OSError:
            self._path = None

    def forget(self) -> None:
        """Remove the notes of an exam that is over."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _checked(told: dict[str, Any]) -> dict[str, Any]:
    """Return a match's notes; an exception when they are broken."""
    if not told["games"] or [line_of(game_of(line)) for line in told["games"]] != told["games"]:
        raise ValueError("games that cannot be read")
    if set(told["verdict"]) != VERDICT:
        raise ValueError("no verdict")
    return {"games": told["games"], "verdict": dict(told["verdict"])}
