"""A running Dask cluster as an executor: jobs travel to its workers as data, and answers come back."""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from distributed import Client, Security
from distributed.comm.core import connect
from distributed.core import send_recv
from distributed.scheduler import KilledWorker

from arena.errors import UserError
from autograder.workers.dask import registry
from autograder.workers.dask.registry import WorkerRegistry
from autograder.workers.dask.worker import DIED, FAILED, REFUSED, Sealed, TaskResult, identity, take
from autograder.workers.pool import WorkerDied

CONNECT_S = 10.0
LAST_S = 30.0  # at the start, how long to wait for more workers after the first answer
LOOK_S = 2.0
KEPT = "what was graded is kept, and the same command continues from here"

Answer = TypeVar("Answer")


@dataclass(eq=False)
class _Job:
    """A job under way. `at`: the workers to which Dask may give it."""

    work: Sealed
    future: Future[Any] = field(default_factory=Future)
    task: Future[TaskResult] | None = None
    at: frozenset[str] = frozenset()


class Cluster(Executor):
    """The workers of one scheduler that can grade like this machine; their number may change (see `WorkerRegistry`).

    If a worker is lost, Dask gives its job to another one; after several losses Dask gives up, and the job's future raises
    WorkerDied. If there are no workers, or no scheduler, all futures end with one UserError.
    """

    def __init__(self, address: str, say: Callable[[str], None] = lambda sentence: None) -> None:
        """Connect, and wait until there are workers that can grade.

        Args:
            say: gets sentences: what we wait for, and which workers are not used.

        Raises:
            UserError: something is missing; the text says what and where. It is raised within two minutes.
        """
        self.address, self._say = address, say
        self._grader = identity()
        self._lock = threading.RLock()
        self._jobs: set[_Job] = set()
        self._trouble: UserError | None = None
        self._over = threading.Event()
        self._client = _connected(address)
        self._executor = self._client.get_executor(pure=False)
        self._registry = WorkerRegistry(self._client, self._executor, self._grader, say)
        try:
            self._gather()
        except BaseException:
            self.shutdown()
            raise
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def workers(self) -> int:
        """The number of jobs that can run side by side now; at least 1, so that a caller can wait for the first worker."""
        return max(1, self._registry.threads)

    def submit(  # type: ignore[override]  # a job has no named arguments
        self, function: Callable[..., Answer], /, *arguments: Any
    ) -> Future[Answer]:
        """Let a worker call a function; the arguments and the result are pickled."""
        job = _Job(Sealed(pickle.dumps((function, arguments))))
        with self._lock:
            if self._trouble is not None:
                job.future.set_exception(self._trouble)
            else:
                self._jobs.add(job)
                self._send(job)
        return job.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; the cluster goes on, and drops our jobs."""
        self._over.set()
        self._executor.shutdown(wait=False)
        self._client.close(CONNECT_S)

    def _gather(self) -> None:
        """Wait until a worker is ready, then a little longer for the other workers' answers."""
        begin, first, announced = time.monotonic(), None, False
        while first is None or time.monotonic() < first + LAST_S and self._registry.silent():
            missing = self._registry.look()
            nobody = self._registry.refused and not self._registry.silent() and not self._registry.ready
            if missing or nobody:
                raise UserError(f"{self.address}: {missing or self._registry.missing()}")
            if self._registry.ready:
                first = first or time.monotonic()
            elif not announced and time.monotonic() > begin + LOOK_S:
                self._say(f"waiting up to {registry.WORKERS_S:g} s for a worker at {self.address}")
                announced = True
            time.sleep(LOOK_S / 20)

    def _watch(self) -> None:
        """Watch the workers, and send a job again if only lost workers had it."""
        while not self._over.wait(LOOK_S):
            try:
                if missing := self._registry.look():
                    self._stop(UserError(f"{self.address}: {missing}; {KEPT}"))
            except Exception:  # Dask's client has given up
                self._stop(self._broken())
            with self._lock:
                for job in [job for job in self._jobs if not job.at & self._registry.ready]:
                    self._send(job)

    def _send(self, job: _Job) -> None:
        """Give a job to the workers that are ready; if none is, it waits for the next look."""
        job.task, job.at = None, self._registry.ready
        if not job.at:
            return
        try:
            job.task = self._executor.submit(take, self._grader, job.work, workers=sorted(job.at))
        except Exception:  # Dask's client has given up
            self._stop(self._broken())
        else:
            job.task.add_done_callback(partial(self._hand_back, job))

    def _hand_back(self, job: _Job, task: Future[TaskResult]) -> None:
        """Pass on the result of a job."""
        with self._lock:
            if job not in self._jobs or job.task is not task:
                return  # the run was stopped, or the job sent again
            try:
                outcome = self._outcome(task)
            except UserError as failure:
                self._stop(failure)
                return
            if outcome.kind == REFUSED:  # the worker has been restarted since its greeting
                self._registry.refuse(outcome.worker, outcome.message)
                self._send(job)
                return
            self._jobs.remove(job)
        if outcome.kind == DIED:
            job.future.set_exception(WorkerDied(outcome.message))
            return
        try:
            answer, failed = pickle.loads(outcome.content), outcome.kind == FAILED
        except Exception as error:
            answer, failed = error, True
        (job.future.set_exception if failed else job.future.set_result)(answer)

    def _outcome(self, task: Future[TaskResult]) -> TaskResult:
        try:
            return task.result()
        except CancelledError:
            raise self._broken() from None
        except KilledWorker as error:
            return TaskResult(DIED, message=str(error))
        except Exception as error:
            raise UserError(f"the cluster cannot run the grader ({type(error).__name__}: {error}); {KEPT}") from None

    def _broken(self) -> UserError:
        return UserError(f"{self.address}: the connection to the scheduler broke; {KEPT}")

    def _stop(self, failure: UserError) -> None:
        """End all present and all future jobs with one sentence."""
        with self._lock:
            self._trouble = self._trouble or failure
            stopped, self._jobs = self._jobs, set()
        for job in stopped:
            job.future.set_exception(self._trouble)


def _connected(address: str) -> Client:
    """Return a client of the scheduler at an address.

    Raises:
        UserError: there is no scheduler at this address.
    """
    for name in filter(lambda name: name.startswith("distributed"), logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a person reads our sentences, not those of Dask
    try:
        kind = asyncio.run(asyncio.wait_for(_who_is_at(address), 2 * CONNECT_S))  # Client would wait forever
        if kind != "Scheduler":
            raise ValueError(f"it is a {kind}")
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
        reason = next(iter(str(error).strip().splitlines()), "no valid answer")
        raise UserError(
            f"no Dask scheduler answers at {address} ({reason}): is it running, and may this machine reach it?"
        ) from None


async def _who_is_at(address: str) -> str:
    """Return the kind of Dask server at an address."""
    line = await connect(address, timeout=CONNECT_S, **Security().get_connection_args("client"))
    try:
        answer: dict[str, str] = await send_recv(line, op="identity")
        return answer["type"]
    finally:
        line.abort()
