"""A limit for the grader's own CPU time in a check: a check of ours that does not end must not hold up a class."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class StuckError(RuntimeError):
    """A check of ours does not end: a fault of the suite, which must not hold up a class."""


@contextmanager
def own_time_limited(cpu_s: float) -> Iterator[None]:
    """End a check that uses too much of the grader's own CPU time; the student's CPU time is not counted here."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach only the main thread; a pool's workers grade in their main threads
        return

    def give_up(*_: object) -> None:
        raise StuckError(f"the check itself used more than {cpu_s:g} s of CPU time")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
