"""The workers of a Dask cluster, and which of them grade like this machine."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from distributed import Client
from distributed.cfexecutor import ClientExecutor
from distributed.scheduler import KilledWorker

from autograder.workers.dask.worker import DIED, FAILED, REFUSED, TaskResult

ANSWER_S = 30.0  # time limit for an answer of the scheduler
WORKERS_S = 60.0  # time limit for a first usable worker
# By its name, for `eval`: a worker without our code could not unpickle a function, and would log its arguments.
GREETING = "__import__('autograder.workers.dask.worker', fromlist=['greet']).greet(grader)"


class WorkerRegistry:
    """The workers of a scheduler. Each new worker is greeted; it must have our grader and a sandbox.

    ready: the addresses of workers that have both. refused: of the other workers, by address, with the reason.
    """

    def __init__(self, client: Client, executor: ClientExecutor, grader: Mapping[str, str], say: Callable[[str], None]) -> None:
        """Begin; no worker is greeted before the first `look`.

        Args:
            say: gets a sentence about each refused worker.
        """
        self._client, self._executor, self._grader, self._say = client, executor, grader, say
        self.ready: frozenset[str] = frozenset()
        self.refused: dict[str, str] = {}
        self._threads: dict[str, int] = {}
        self._greeted: dict[str, Future[TaskResult]] = {}
        self._lock = threading.RLock()
        self._last_ready = time.monotonic()

    @property
    def threads(self) -> int:
        """The number of jobs that the ready workers can do side by side."""
        return sum(self._threads.get(address, 0) for address in self.ready)

    def silent(self) -> bool:
        """Say whether a worker has not answered yet."""
        return any(not answer.done() for answer in list(self._greeted.values()))

    def look(self) -> str:
        """Find new and lost workers, and greet the new ones.

        Returns:
            the reason why no worker can be used, if there has been none for WORKERS_S; else an empty text.
        """
        try:
            scheduler: Any = self._client.scheduler  # its annotation does not know all its names
            threads: dict[str, int] = self._client.sync(scheduler.ncores, callback_timeout=ANSWER_S)
        except Exception:  # any error: the scheduler answers again, or the tasks are cancelled
            return "" if self._hope() else "the scheduler does not answer any more"
        with self._lock:
            self._threads = threads
            self.ready = self.ready.intersection(threads)  # a new object each time, because jobs keep the old one
            for address in self._greeted.keys() - threads.keys():  # a worker that comes back is a new one
                del self._greeted[address]
                self.refused.pop(address, None)
            for address in threads.keys() - self._greeted.keys():
                self._greet(address)
            if self.ready:
                self._last_ready = time.monotonic()
            return "" if self._hope() else self.missing()

    def missing(self) -> str:
        """Say why no worker is ready."""
        if self.refused:
            first, *others = self.refused.values()
            return first + (f"; the {len(others)} others cannot be used either" if others else "")
        if self._threads:
            return f"none of the {len(self._threads)} workers has answered in {WORKERS_S:g} s: are they busy?"
        return f"the cluster has had no worker for {WORKERS_S:g} s: start some (docs/cluster.md)"

    def refuse(self, address: str, why: str) -> None:
        """Stop using a worker."""
        with self._lock:
            self.ready = self.ready.difference({address})
            self.refused[address] = why
        self._say(f"not used: {why}")

    def _hope(self) -> bool:
        return time.monotonic() < self._last_ready + WORKERS_S

    def _greet(self, address: str) -> None:
        answer = self._executor.submit(eval, GREETING, {"grader": dict(self._grader)}, workers=[address], priority=1)
        self._greeted[address] = answer
        answer.add_done_callback(partial(self._hear, address))

    def _hear(self, address: str, answer: Future[TaskResult]) -> None:
        """Read a new worker's answer to the question whether it can grade."""
        if answer.cancelled() or isinstance(answer.exception(), KilledWorker):
            return  # we leave the cluster, or the worker has left
        if why := _why_not(answer.exception() or answer.result()):
            self.refuse(address, why if why.startswith("the worker ") else f"the worker {address} {why}")
            return
        with self._lock:
            self.ready = self.ready.union({address}.intersection(self._threads))


def _why_not(answer: BaseException | TaskResult) -> str:
    """Return why a worker cannot be used, from its answer to the greeting; empty if it can be used."""
    if isinstance(answer, BaseException):  # Dask could not even call our code
        return (f"cannot run the grader ({type(answer).__name__}: {answer}): set this repository up there (make setup) and start "
                "the worker with its .venv/bin/dask")
    if answer.kind == FAILED:
        error = pickle.loads(answer.content)
        return f"cannot open a sandbox ({type(error).__name__}: {error})"
    if answer.kind in (DIED, REFUSED):
        return answer.message or "runs another version of the grader"  # an older one names the field otherwise
    return ""
