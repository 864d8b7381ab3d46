"""Many submissions, or other items of one kind, through one `concurrent.futures.Executor`, although workers may die."""

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
from autograder.sandbox.bubblewrap import SandboxUnavailable
from autograder.sandbox.sandbox import check_sandbox
from autograder.submission.discover import Entry
from autograder.submission.payload import Payload, read_payload
from autograder.workers.forkserver import warm_up

TRIES = 2  # of an item that fails by an exception, or by ending its worker while it runs alone
# This many broken pools in a row, without a single answer, are not the submissions' fault.
BREAKDOWNS = 20
LOCK_S = 1.0  # for the number that workers share
Job = Callable[..., Any]  # a submission, its settings and what goes beside it -> the result
Item = TypeVar("Item")  # a piece of work; it is hashable
Submit = Callable[[Executor, Item], Future[Any]]  # hands an item to the executor


class UnderWay:
    """How much of the items under way is done, all together; a worker adds its share with `tell_share`.

    Only for what a person sees. Without workers of our own it stays 0.
    """

    def __init__(self) -> None:
        self.sum: Any = None  # a number in shared memory

    def __call__(self) -> float:
        """Return the sum of the shares, each in [0, 1]."""
        return float(self.sum.get_obj().value) if self.sum is not None else 0.0  # without its lock: a killed worker may hold it


_sum: Any = None  # in a worker: that number
_reported = 0.0


def tell_share(share: float) -> None:
    """Report, from within a job, which share of its item is done; 0 at its end, because the item itself counts then."""
    global _reported
    if _sum is not None and _sum.get_lock().acquire(timeout=LOCK_S):
        _sum.get_obj().value += share - _reported
        _reported = share
        _sum.get_lock().release()


def _prepare_worker(under_way: Any) -> None:
    """Leave Ctrl-C to the grader, and end with the grader even if it is killed with -9."""
    global _sum
    _sum = under_way
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked until here, see `warm_up`
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


_ending: list[threading.Thread] = []  # each waits for the workers of a pool that is not used any more


def _end_meanwhile(executor: Executor) -> None:
    """End a pool while this process goes on."""
    _ending.append(threading.Thread(target=executor.shutdown, kwargs={"cancel_futures": True}))
    _ending[-1].start()


def wait_for_dismissed() -> None:
    """Wait until the workers of all pools that are not used any more have ended; to be called before the interpreter ends.

    At its end Python wakes each pool that is still closing. In Python 3.11 it can meet the moment in which the pool closes the
    pipe for that: then a command that has done its work ends with the traceback of an OSError.
    """
    while _ending:
        _ending.pop().join()


class WorkerDied(RuntimeError):
    """The exception of a future in an executor that goes on after a worker has died: the job ran on that worker."""


@dataclass(frozen=True)
class RetriesExhausted:
    """The answer for an item that failed TRIES times. `died`: it ended its worker while nothing else was under way."""

    error: BaseException
    died: bool


class WorkerPool:
    """The worker processes. A broken pool is replaced; a given executor is not ours to replace."""

    def __init__(self, ps: str, workers: int, executor: Executor | None = None, under_way: UnderWay | None = None) -> None:
        self.ps, self.workers = ps, workers
        self.under_way = under_way or UnderWay()
        self.given = executor
        self._others = set(multiprocessing.active_children())
        self.executor = executor or self._new_pool()

    def run_all(
        self, items: Sequence[Item], submit: Submit[Item], meanwhile: Callable[[], None] = lambda: None
    ) -> Generator[tuple[Item, Any], None, None]:
        """Submit every item and yield each with its answer or `RetriesExhausted`, in the order of their ends; dismiss at last.

        Args:
            meanwhile: called once, while the workers start.

        A worker that dies ends the whole pool, and nobody knows which item it had. So all items under way run again alone.
        An item that then ends its worker twice is not tried again. In an executor that goes on, only the items of the dead
        worker run again.

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
        """The number of items that run side by side; an executor of changing size has it as `workers`."""
        return getattr(self.given, "workers", self.workers)

    def _new_pool(self) -> Executor:
        context = warm_up(self.ps)
        self.under_way.sum = context.Value("d", 0.0)  # a new one: a dead worker's share is in the old one
        return ProcessPoolExecutor(self.workers, context, _prepare_worker, (self.under_way.sum,))

    def renew(self) -> None:
        """Go on with new workers after a worker died."""
        if self.given is not None:
            raise UserError("the executor that was given broke down; what was graded is kept, so run the command again")
        _end_meanwhile(self.executor)
        self.executor = self._new_pool()

    def dismiss(self, at_once: bool) -> None:
        """Let the workers end; `at_once` kills them during their work, and waits until they are gone."""
        if self.given is not None:
            return
        if at_once:
            for process in set(multiprocessing.active_children()) - self._others:
                process.kill()
            self.executor.shutdown(cancel_futures=True)
        else:  # idle workers end their sandboxes while we go on
            _end_meanwhile(self.executor)


def grade_all(
    entries: Sequence[Entry],
    ps: str,
    settings: Any,
    workers: int,
    job: Job,
    executor: Executor | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    payloads: Mapping[Entry, Payload] = MappingProxyType({}),
    under_way: UnderWay | None = None,
    beside: Callable[[Entry], tuple[Any, ...]] = lambda entry: (),
) -> Iterator[tuple[Entry, Any]]:
    """Grade submissions and yield each when it is finished, in any order.

    Args:
        executor: where to grade instead of in our own processes; it stays open.
        settings: passed to the job beside the submission; it travels to the workers.
        job: the function that a worker runs for one submission.
        meanwhile: called once, while the workers start.
        payloads: the submissions that have been read already; the others are read at their turn.
        under_way: gets the shares of the submissions under way.
        beside: returns further arguments of the job for a submission; called at its turn.

    If the retries of a submission are exhausted, the answer is a sentence about the failure.
    """
    def submit(to: Executor, entry: Entry) -> Future[Any]:
        return to.submit(job, payloads.get(entry) or read_payload(entry.folder, ps), settings, *beside(entry))

    with closing(WorkerPool(ps, workers, executor, under_way).run_all(entries, submit, meanwhile)) as answers:
        for entry, answer in answers:
            yield entry, _in_words(answer) if isinstance(answer, RetriesExhausted) else answer


def _in_words(exhausted: RetriesExhausted) -> str:
    if exhausted.died:
        return f"grading this submission ended the grader's worker process {TRIES} times"
    return f"the grader failed {TRIES} times: {type(exhausted.error).__name__}: {exhausted.error}"


class _PoolRun(Generic[Item]):
    """The state of one call of `run_all`: items that wait, items that must run alone, items under way."""

    def __init__(self, pool: WorkerPool, submit: Submit[Item]) -> None:
        self.pool, self.submit = pool, submit
        self.waiting: deque[Item] = deque()
        self.suspects: deque[Item] = deque()
        self.running: dict[Future[Any], Item] = {}
        self.breakdowns = 0
        self.alone = False  # whether the items under way were submitted alone
        self.tries: Counter[Item] = Counter()

    def run(self, items: Sequence[Item], meanwhile: Callable[[], None]) -> Iterator[tuple[Item, Any]]:
        self.waiting.extend(items)
        with ThreadPoolExecutor(1) as thread:
            first = thread.submit(self._hand_out)  # submitting waits until the server of our workers is warm
            meanwhile()
        broken = not first.result()
        while self.waiting or self.suspects or self.running:
            broken = broken or not self._hand_out()
            done, _ = wait(self.running, return_when=FIRST_COMPLETED)
            if broken or any(isinstance(future.exception(), BrokenExecutor) for future in done):
                done, _ = wait(self.running)  # they all failed, or have just finished
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
        """Keep the workers busy; return False if the pool is broken."""
        if self.running and (self.alone or self.suspects):
            return True  # an item that runs alone has no company
        self.alone = bool(self.suspects)
        # two for each worker, so that none waits for us; with more, a dead worker would make more items suspect
        queue, room = (self.suspects, 1) if self.alone else (self.waiting, 2 * self.pool.slots)
        while queue and len(self.running) < room:
            try:
                future = self.submit(self.pool.executor, queue[0])
            except BrokenExecutor:
                return False
            self.running[future] = queue.popleft()
        return True

    def _answer(self, item: Item, future: Future[Any]) -> Any:
        """Return the result of a finished future; None if the item must be tried again."""
        error = future.exception()
        if error is None:
            self.breakdowns = 0
            return future.result()
        if isinstance(error, UserError):
            raise error  # the executor's error, not the item's
        if isinstance(error, SandboxUnavailable) and self.pool.given is None:
            check_sandbox()  # not earlier: opening a sandbox takes a while, and nearly every host can
        died = isinstance(error, (BrokenExecutor, WorkerDied))
        self.tries[item] += 1 if self.alone or not died else 0
        if self.tries[item] < TRIES:
            self.suspects.append(item)
            return None
        return RetriesExhausted(error, died)
