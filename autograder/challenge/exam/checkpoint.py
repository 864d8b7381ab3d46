"""The finished matches of an exam, on disk: an exam that was killed continues at the rung where it stopped.

Each exam has its own file of notes. The name of the file is a hash of everything that decides the exam, so two different
exams never share notes. The progress bar of a class reads the notes as well. An exam has no
notes if they cannot be written (by a worker on another machine).
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.challenge.report import game_of, line_of
from arena.result import MatchResult
from autograder.challenge.model import Measured
from autograder.json_files import read_state, write_state

VERDICT = {"verdict", "points", "max_points", "log_odds", "overruns"}  # the notes of a match beside its games


class Checkpoint:
    """The finished matches of one exam, by the bot's name, and their CPU times."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._matches: dict[str, dict[str, Any]] = {}
        self.measured = Measured()
        content = read_state(path) if path else {}
        try:
            self._matches = {name: _checked(record) for name, record in content["matches"].items()}
            self.measured = Measured(**content["measured"])
        except (ValueError, KeyError, TypeError, AttributeError):
            self._matches, self.measured = {}, Measured()

    def match(self, name: str) -> tuple[MatchResult, dict[str, Any]] | None:
        """Return a finished match and its verdict; None if the match is not finished."""
        if name not in self._matches:
            return None
        record = self._matches[name]
        return MatchResult(("you", name), tuple(map(game_of, record["games"]))), record["verdict"]

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
        """Remove the notes after the end of the exam."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _checked(record: dict[str, Any]) -> dict[str, Any]:
    """Return the notes of a match; raise an exception if they are damaged."""
    if not record["games"] or [line_of(game_of(line)) for line in record["games"]] != record["games"]:
        raise ValueError("games that cannot be read")
    if set(record["verdict"]) != VERDICT:
        raise ValueError("no verdict")
    return {"games": record["games"], "verdict": dict(record["verdict"])}
