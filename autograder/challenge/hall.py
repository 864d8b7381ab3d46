"""Where bouts are played side by side, and where they are kept: one file each, whole or not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing
from pathlib import Path

from autograder.challenge.bout import Bout, Played, play
from autograder.challenge.entrants import PS3
from autograder.challenge.sitting import Conditions
from autograder.files import write_atomic
from autograder.grading.crew import TRIES, Crew, GivenUp

Job = Callable[[Bout, Conditions], Played]


class Archive:
    """The bouts that were played, in a folder; a file that cannot be read counts as none, and the bout is played again."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.folder, self.fingerprint = folder, fingerprint

    def get(self, bout: Bout) -> Played | None:
        """Return what came of a bout, None when it has not been played under these conditions."""
        try:
            played = Played.from_json(self._path(bout).read_text(encoding="utf-8"))
            return played if len(played.games) == 2 else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, bout: Bout, played: Played) -> None:
        """Keep what came of a bout."""
        write_atomic(self._path(bout), played.to_json(), mode=0o600)

    def _path(self, bout: Bout) -> Path:
        key = bout.key(self.fingerprint)
        return self.folder / key[:2] / f"{key}.json"


def play_all(bouts: Sequence[Bout], conditions: Conditions, workers: int, job: Job = play) -> Iterator[tuple[Bout, Played]]:
    """Play bouts side by side and yield each as it ends, in any order.

    One that failed again and again, or ended its worker when alone, comes back as trouble.
    """
    def submit(to: Executor, bout: Bout) -> Future:
        return to.submit(job, bout, conditions)

    with closing(Crew(PS3, workers).work_off(bouts, submit)) as answers:
        for bout, answer in answers:
            yield bout, Played(trouble=_in_words(answer)) if isinstance(answer, GivenUp) else answer


def _in_words(given_up: GivenUp) -> str:
    error = given_up.error
    what = "ended the worker process" if given_up.died else f"failed: {type(error).__name__}: {error}"
    return f"the bout {what} {TRIES} times"
