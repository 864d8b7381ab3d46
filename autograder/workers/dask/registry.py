"""Which workers a Dask cluster has, and which of them grade as we do."""

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

ANSWER_S = 30.0  # for the scheduler to answer
WORKERS_S = 60.0  # that we wait for a worker that can be used
# By its name, for `eval`: a worker without our code would die of a function that it cannot read, and log what came with it.
GREETING = "__import__('autograder.workers.dask.worker', fromlist=['greet']).greet(grader)"


class WorkerRegistry:
    """The workers of a scheduler. Each is greeted as it comes, and has to have our grader and a sandbox.

    ready: the addresses of those that have. refused: of those that have not, by address, and why.
    """

    def __init__(self, client: Client, executor: ClientExecutor, grader: Mapping[str, str], say: Callable[[str], None]) -> None:
        """Begin; nobody is greeted before the first `look`.

        Args:
            say: is told of each worker that is refused.
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
        """How many jobs the workers that are ready can do side by side."""
        return sum(self._threads.get(address, 0) for address in self.ready)

    def silent(self) -> bool:
        """Say whether there is a worker that has not answered yet."""
        return any(not answer.done() for answer in list(self._greeted.values()))

    def look(self) -> str:
        """See who has come and who has gone, and greet the new ones.

        Returns:
            why there is no worker to be used, once there has been none for WORKERS_S; else an empty text.
        """
        try:
            scheduler: Any = self._client.scheduler  # it answers to more names than its annotation knows
            threads: dict[str, int] = self._client.sync(scheduler.ncores, callback_timeout=ANSWER_S)
        except Exception:  # whatever it is: it comes again, or the tasks are cancelled
            return "" if self._hope() else "the scheduler does not answer any more"
        with self._lock:
            self._threads = threads
            self.ready = self.ready.intersection(threads)  # never the same object: jobs remember it
            for address in self._greeted.keys() - threads.keys():  # who comes back is another
                del self._greeted[address]
                self.refused.pop(address, None)
            for address in threads.keys() - self._greeted.keys():
                self._greet(address)
            if self.ready:
                self._last_ready = time.monotonic()
            return "" if self._hope() else self.missing()

    def missing(self) -> str:
        """Say why nobody is ready."""
        if self.refused:
            first, *others = self.refused.values()
            return first + (f"; nor can the {len(others)} others be used" if others else "")
        if self._threads:
            return f"none of the {len(self._threads)} workers has answered in {WORKERS_S:g} s: are they busy?"
        return f"the cluster has had no worker for {WORKERS_S:g} s: start some (docs/cluster.md)"

    def refuse(self, address: str, why: str) -> None:
        """Use a worker no more."""
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
        """Take a new worker's word for whether it can grade."""
        if answer.cancelled() or isinstance(answer.exception(), KilledWorker):
            return  # we leave, or it has left
        if why := _why_not(answer.exception() or answer.result()):
            self.refuse(address, why if why.startswith("the worker ") else f"the worker {address} {why}")
            return
        with self._lock:
            self.ready = self.ready.union({address}.intersection(self._threads))


def _why_not(answer: BaseException | TaskResult) -> str:
    """Return why a worker cannot be used, by its answer to the greeting; empty when it can."""
    if isinstance(answer, BaseException):  # Dask could not even call us
        return (f"cannot run the grader ({type(answer).__name__}: {answer}): set this repository up there (make setup) and start "
                "the worker with its .venv/bin/dask")
    if answer.kind == FAILED:
        error = pickle.loads(answer.content)
        return f"cannot open a sandbox ({type(error).__name__}: {error})"
    return answer.said if answer.kind in (DIED, REFUSED) else ""
