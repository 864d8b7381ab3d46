"""Where bouts are played side by side, and where they are kept: one file each, whole or not there."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from pathlib import Path

from autograder.challenge.bout import Bout, Played, play
from autograder.challenge.entrants import PS3
from autograder.challenge.sitting import Conditions
from autograder.files import write_atomic
from autograder.grading.crew import BREAKDOWNS, TRIES, Crew
from autograder.trouble import Trouble

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

    A worker that dies takes its pool with it; what was under way is tried again one by one, and a bout that ends its
    worker twice when alone comes back as trouble.
    """
    crew = Crew(PS3, workers)
    finished = False
    try:
        yield from _Evening(crew, conditions, job).run(bouts)
        finished = True
    finally:
        crew.dismiss(at_once=not finished)


class _Evening:
    """The books of one call of `play_all`."""

    def __init__(self, crew: Crew, conditions: Conditions, job: Job) -> None:
        self.crew, self.conditions, self.job = crew, conditions, job
        self.waiting: deque[Bout] = deque()
        self.suspects: deque[Bout] = deque()
        self.running: dict[Future, Bout] = {}
        self.tries: Counter[Bout] = Counter()
        self.breakdowns = 0

    def run(self, bouts: Sequence[Bout]) -> Iterator[tuple[Bout, Played]]:
        self.waiting.extend(bouts)
        while self.waiting or self.suspects or self.running:
            alone = self._hand_out()
            done, _ = wait(self.running, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenExecutor) for future in done):
                done, _ = wait(self.running)  # they all failed, or had just ended
                self._renew()
            for future in done:
                bout = self.running.pop(future)
                played = self._answer(bout, future, alone)
                if played is not None:
                    yield bout, played

    def _hand_out(self) -> bool:
        """Keep the workers busy; with suspects, one of them alone. Return whether what runs is alone."""
        if self.suspects:
            if not self.running:
                self._submit(self.suspects.popleft())
            return len(self.running) == 1
        while self.waiting and len(self.running) < 2 * self.crew.workers:
            self._submit(self.waiting.popleft())
        return False

    def _submit(self, bout: Bout) -> None:
        try:
            future = self.crew.executor.submit(self.job, bout, self.conditions)
        except BrokenExecutor as error:  # it broke since we looked: the bout fails like those under way
            future = Future()
            future.set_exception(error)
        self.running[future] = bout

    def _answer(self, bout: Bout, future: Future, alone: bool) -> Played | None:
        """Return what came of a bout; None when it is to be tried again."""
        error = future.exception()
        if error is None:
            self.breakdowns = 0
            return future.result()
        broken = isinstance(error, BrokenExecutor)
        self.tries[bout] += alone or not broken
        if self.tries[bout] < TRIES:
            self.suspects.append(bout)
            return None
        what = "ended the worker process" if broken else f"failed: {type(error).__name__}: {error}"
        return Played(trouble=f"the bout {what} {TRIES} times")

    def _renew(self) -> None:
        self.breakdowns += 1
        if self.breakdowns >= BREAKDOWNS:
            raise Trouble("the worker processes keep ending before they answer: is there enough memory? see preflight")
        self.crew.renew()
