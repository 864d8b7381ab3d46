"""The parallel play of meetings, and their archive: one file per meeting, written completely or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing
from pathlib import Path

from arena.challenge.kinds import PS3
from arena.files import write_atomic
from autograder.challenge.model import Conditions
from autograder.tournament.meeting import Meeting, MeetingResult, play
from autograder.workers.pool import TRIES, RetriesExhausted, WorkerPool

Job = Callable[[Meeting, Conditions], MeetingResult]


class Archive:
    """The results of meetings in a folder; if a file cannot be read, its meeting is played again."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.folder, self.fingerprint = folder, fingerprint

    def get(self, meeting: Meeting) -> MeetingResult | None:
        """Return the result of a meeting; None if it has not been played under these conditions."""
        try:
            played = MeetingResult.from_json(self._path(meeting).read_text(encoding="utf-8"))
            return played if len(played.games) == 2 else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, meeting: Meeting, played: MeetingResult) -> None:
        """Store the result of a meeting."""
        write_atomic(self._path(meeting), played.to_json(), mode=0o660)

    def _path(self, meeting: Meeting) -> Path:
        key = meeting.key(self.fingerprint)
        return self.folder / key[:2] / f"{key}.json"


def play_all(
    meetings: Sequence[Meeting], conditions: Conditions, workers: int, job: Job = play
) -> Iterator[tuple[Meeting, MeetingResult]]:
    """Play meetings in parallel and yield each as it ends, in any order.

    A meeting that fails TRIES times, or ends its worker when it runs alone, is yielded with a failure.
    """
    def submit(to: Executor, meeting: Meeting) -> Future[MeetingResult]:
        return to.submit(job, meeting, conditions)

    with closing(WorkerPool(PS3, workers).run_all(meetings, submit)) as answers:
        for meeting, answer in answers:
            yield meeting, MeetingResult(failure=_in_words(answer)) if isinstance(answer, RetriesExhausted) else answer


def _in_words(exhausted: RetriesExhausted) -> str:
    error = exhausted.error
    what = "ended the worker process" if exhausted.died else f"failed: {type(error).__name__}: {error}"
    return f"the meeting {what} {TRIES} times"
