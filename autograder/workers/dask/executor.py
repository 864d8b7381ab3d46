"""A Dask cluster that somebody has started, as an executor: jobs travel to its workers as data, and answers come back."""

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
LAST_S = 30.0  # at the start, for the other workers' answers after the first
LOOK_S = 2.0
KEPT = "what was graded is kept, the same command goes on from here"

Answer = TypeVar("Answer")


@dataclass(eq=False)
class _Job:
    """A job under way. `at`: the workers that Dask may give it to."""

    work: Sealed
    future: Future[Any] = field(default_factory=Future)
    task: Future[TaskResult] | None = None
    at: frozenset[str] = frozenset()


class Cluster(Executor):
    """The workers of one scheduler that can grade as we do, as many as there are at the moment; see `WorkerRegistry`.

    Dask gives a job to another worker when one is gone, but after some losses it gives up; then the job's future says
    WorkerDied. Where there are no workers, or no scheduler, all futures end with one UserError.
    """

    def __init__(self, address: str, say: Callable[[str], None] = lambda sentence: None) -> None:
        """Connect, and wait until there are workers that can grade.

        Args:
            say: is told what we wait for, and who is not used.

        Raises:
            UserError: what is missing, and where; within two minutes.
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
        """How many jobs can be done side by side now; at least 1, for who waits for the first."""
        return max(1, self._registry.threads)

    def submit(  # type: ignore[override]  # a job is given no argument by its name
        self, function: Callable[..., Answer], /, *arguments: Any
    ) -> Future[Answer]:
        """Let a worker call a function; what it is given and what it returns is pickled."""
        job = _Job(Sealed(pickle.dumps((function, arguments))))
        with self._lock:
            if self._trouble is not None:
                job.future.set_exception(self._trouble)
            else:
                self._jobs.add(job)
                self._send(job)
        return job.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; it goes on without us, and forgets what it had of ours."""
        self._over.set()
        self._executor.shutdown(wait=False)
        self._client.close(CONNECT_S)

    def _gather(self) -> None:
        """Wait until a worker is ready, and a little for the others' answers."""
        begin, first, told = time.monotonic(), None, False
        while first is None or time.monotonic() < first + LAST_S and self._registry.silent():
            missing = self._registry.look()
            nobody = self._registry.refused and not self._registry.silent() and not self._registry.ready
            if missing or nobody:
                raise UserError(f"{self.address}: {missing or self._registry.missing()}")
            if self._registry.ready:
                first = first or time.monotonic()
            elif not told and time.monotonic() > begin + LOOK_S:
                self._say(f"waiting up to {registry.WORKERS_S:g} s for a worker at {self.address}")
                told = True
            time.sleep(LOOK_S / 20)

    def _watch(self) -> None:
        """Look who is there, and send again what only lost workers had."""
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
        """Give a job to those who are ready; without any it waits for the next look."""
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
        """Pass on what came of a job."""
        with self._lock:
            if job not in self._jobs or job.task is not task:
                return  # the run was stopped, or the job sent again
            try:
                outcome = self._outcome(task)
            except UserError as failure:
                self._stop(failure)
                return
            if outcome.kind == REFUSED:  # the worker has begun anew since it was greeted
                self._registry.refuse(outcome.worker, outcome.said)
                self._send(job)
                return
            self._jobs.remove(job)
        if outcome.kind == DIED:
            job.future.set_exception(WorkerDied(outcome.said))
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
            return TaskResult(DIED, said=str(error))
        except Exception as error:
            raise UserError(f"the cluster cannot run the grader ({type(error).__name__}: {error}); {KEPT}") from None

    def _broken(self) -> UserError:
        return UserError(f"{self.address}: the connection to the scheduler broke; {KEPT}")

    def _stop(self, failure: UserError) -> None:
        """End everything that is under way, and all that is still to come, with one sentence."""
        with self._lock:
            self._trouble = self._trouble or failure
            stopped, self._jobs = self._jobs, set()
        for job in stopped:
            job.future.set_exception(self._trouble)


def _connected(address: str) -> Client:
    """Return a client of the scheduler at an address.

    Raises:
        UserError: there is none.
    """
    for name in filter(lambda name: name.startswith("distributed"), logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a person reads our sentences instead
    try:
        found = asyncio.run(asyncio.wait_for(_who_is_at(address), 2 * CONNECT_S))  # Client would wait for ever
        if found != "Scheduler":
            raise ValueError(f"it is a {found}")
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
        reason = next(iter(str(error).strip().splitlines()), "no answer that makes sense")
        raise UserError(
            f"no Dask scheduler answers at {address} ({reason}): is it running, and may this machine reach it?"
        ) from None


async def _who_is_at(address: str) -> str:
    """Return what kind of server of Dask's answers at an address."""
    line = await connect(address, timeout=CONNECT_S, **Security().get_connection_args("client"))
    try:
        found: dict[str, str] = await send_recv(line, op="identity")
        return found["type"]
    finally:
        line.abort()
