"""Many submissions, or other work of one kind, through one `concurrent.futures.Executor`, in spite of workers that die."""

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from arena.errors import UserError
from autograder.sandbox.sandbox import check_wall
from autograder.sandbox.wall import WallError
from autograder.submission.discover import Entry
from autograder.submission.payload import Payload, read_payload
from autograder.workers.forkserver import warm_up

# An item that fails us so often (by an exception, or by ending its worker while it ran alone) is given up.
TRIES = 2
# So many pools in a row that broke without a single answer are not the submissions' doing.
BREAKDOWNS = 20
Job = Callable[[Payload, Any], Any]  # a submission and how it is graded -> what came of it
Item = TypeVar("Item")  # a piece of work; it can be hashed
Submit = Callable[[Executor, Item], Future[Any]]  # hands an item to the executor


def _prepare_worker() -> None:
    """Leave Ctrl-C to the grader, and die with it even when it is killed with -9."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


class WorkerDied(RuntimeError):
    """What a future says in an executor that goes on when a worker has died: this was under way there."""


@dataclass(frozen=True)
class GivenUp:
    """What comes back for an item that failed TRIES times. `died`: it ended its worker, while nothing else was under way."""

    error: BaseException
    died: bool


class WorkerPool:
    """Processes that work. A pool that broke is replaced; an executor that was given to us is not ours to replace."""

    def __init__(self, ps: str, workers: int, executor: Executor | None = None) -> None:
        self.ps, self.workers = ps, workers
        self.given = executor
        self._others = set(multiprocessing.active_children())
        self.executor = executor or self._new_pool()

    def run_all(
        self, items: Sequence[Item], submit: Submit[Item], meanwhile: Callable[[], None] = lambda: None
    ) -> Generator[tuple[Item, Any], None, None]:
        """Hand out every item and yield each with its answer, or `GivenUp`, as it is finished, in any order; then dismiss.

        Args:
            meanwhile: called once, while the workers start.

        A worker that dies takes the whole pool with it and does not say what it was working on. So every
        item then under way is tried again alone; the one that then ends its worker twice is given up. Of an
        executor that goes on, only what was under way at that worker is.

        Raises:
            UserError: workers keep dying, or cannot be replaced.
        """
        finished = False
        try:
            yield from _PoolRun(self, submit).run(items, meanwhile)
            finished = True
        finally:
            self.dismiss(at_once=not finished)

    @property
    def slots(self) -> int:
        """How many items are worked on side by side; an executor that grows and shrinks tells by its `workers`."""
        return getattr(self.given, "workers", self.workers)

    def _new_pool(self) -> Executor:
        return ProcessPoolExecutor(self.workers, mp_context=warm_up(self.ps), initializer=_prepare_worker)

    def renew(self) -> None:
        """Go on with new workers after some died."""
        if self.given is not None:
            raise UserError("the executor that was given broke down; what was graded is kept, run again")
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self._new_pool()

    def dismiss(self, at_once: bool) -> None:
        """Send the workers home; `at_once` kills them at their work, and waits until they are gone."""
        if self.given is not None:
            return
        if at_once:
            for process in set(multiprocessing.active_children()) - self._others:
                process.kill()
        # who is done takes down the sandbox while we go on; this process does not end before its workers
        self.executor.shutdown(wait=at_once, cancel_futures=True)


def grade_all(
    entries: Sequence[Entry],
    ps: str,
    settings: Any,
    workers: int,
    job: Job,
    executor: Executor | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    payloads: Mapping[Entry, Payload] = MappingProxyType({}),
) -> Iterator[tuple[Entry, Any]]:
    """Grade submissions and yield each as it is finished, in any order.

    Args:
        executor: where to grade instead of in our own processes; it stays open.
        settings: what the job takes beside the submission; it travels to the workers.
        job: what a worker runs for one submission.
        meanwhile: called once, while the workers start.
        payloads: of the submissions that have been read already; the others are read when it is their turn.

    A submission that is given up comes back as a sentence on what happened instead of the job's answer.
    """
    def submit(to: Executor, entry: Entry) -> Future[Any]:
        return to.submit(job, payloads.get(entry) or read_payload(entry.folder, ps), settings)

    with closing(WorkerPool(ps, workers, executor).run_all(entries, submit, meanwhile)) as answers:
        for entry, answer in answers:
            yield entry, _in_words(answer) if isinstance(answer, GivenUp) else answer


def _in_words(given_up: GivenUp) -> str:
    if given_up.died:
        return f"grading this submission ended the grader's worker process {TRIES} times"
    return f"the grader failed {TRIES} times: {type(given_up.error).__name__}: {given_up.error}"


class _PoolRun(Generic[Item]):
    """The books of one call of `run_all`: what waits, what must run alone, what is under way."""

    def __init__(self, pool: WorkerPool, submit: Submit[Item]) -> None:
        self.pool, self.submit = pool, submit
        self.waiting: deque[Item] = deque()
        self.suspects: deque[Item] = deque()
        self.running: dict[Future[Any], Item] = {}
        self.breakdowns = 0
        self.alone = False  # whether what is under way was handed out by itself
        self.tries: Counter[Item] = Counter()

    def run(self, items: Sequence[Item], meanwhile: Callable[[], None]) -> Iterator[tuple[Item, Any]]:
        self.waiting.extend(items)
        with ThreadPoolExecutor(1) as thread:
            first = thread.submit(self._hand_out)  # it waits until the server of our workers is warm
            meanwhile()
        broken = not first.result()
        while self.waiting or self.suspects or self.running:
            broken = broken or not self._hand_out()
            done, _ = wait(self.running, return_when=FIRST_COMPLETED)
            if broken or any(isinstance(future.exception(), BrokenExecutor) for future in done):
                done, _ = wait(self.running)  # they all failed, or were just finished
                broken = True
            died = broken or self.alone and any(isinstance(future.exception(), WorkerDied) for future in done)
            self.breakdowns += died
            for future in done:
                item = self.running.pop(future)
                answer = self._answer(item, future)
                if answer is not None:
                    yield item, answer
            if died and self.breakdowns >= BREAKDOWNS:
                raise UserError("the grader's worker processes keep ending before they answer: is there enough memory? "
                              "see preflight")
            if broken:
                self.pool.renew()
                broken = False

    def _hand_out(self) -> bool:
        """Keep the workers busy; False when the pool turns out to be broken."""
        if self.running and (self.alone or self.suspects):
            return True  # alone means alone
        self.alone = bool(self.suspects)
        # one in hand for each worker, so that none waits for us; more would only widen the circle of suspects
        queue, room = (self.suspects, 1) if self.alone else (self.waiting, 2 * self.pool.slots)
        while queue and len(self.running) < room:
            try:
                future = self.submit(self.pool.executor, queue[0])
            except BrokenExecutor:
                return False
            self.running[future] = queue.popleft()
        return True

    def _answer(self, item: Item, future: Future[Any]) -> Any:
        """The result of a finished future; None when the item is to be tried again."""
        error = future.exception()
        if error is None:
            self.breakdowns = 0
            return future.result()
        if isinstance(error, UserError):
            raise error  # the executor's, and not this item's
        if isinstance(error, WallError) and self.pool.given is None:
            check_wall()  # not before: opening a sandbox takes a while, and nearly every host can
        died = isinstance(error, (BrokenExecutor, WorkerDied))
        self.tries[item] += 1 if self.alone or not died else 0
        if self.tries[item] < TRIES:
            self.suspects.append(item)
            return None
        return GivenUp(error, died)
