"""A time limit for code that may never end, on every system and in a notebook: it stops the code between two statements."""

import _thread
import itertools
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Stop = Callable[[int, FrameType | None], None]
EVENTS = 400  # between two looks at the clock where only the code itself can be watched: some 20 microseconds
AGAIN_S = 1.0  # code that catches every exception is stopped again and again, each time after this number of seconds
LONGEST_WAIT = 6  # times the limit, in wall-clock time: code that waits for ever uses no CPU time
_DEBUGGERS = ("bdb.py", "pdb.py", "pydevd.py")
if sys.platform == "win32":  # Windows has no SIGALRM
    _SIGNAL = signal.SIGBREAK
elif sys.platform == "emscripten":  # a browser's tab sends no signals
    _SIGNAL = None
else:
    _SIGNAL = signal.SIGALRM


class OutOfTime(BaseException):
    """The time is up. A BaseException: an `except Exception` in the stopped code does not catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime when the block has used `seconds` of CPU time and has not ended.

    On a busy machine this takes longer in wall-clock time; the block is stopped after LONGEST_WAIT times `seconds`.

    The limit does nothing in a debugger, and nothing outside of the main thread, where no signals arrive. A single call into
    compiled code is stopped only after it returns. In a browser's tab, which has neither signals nor threads, the loops and calls
    of the code are counted, and the clock is read every EVENTS of them; this needs Python 3.12, and without it there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    going_on = [True]
    used_up, waited_out = time.process_time() + seconds, time.monotonic() + LONGEST_WAIT * seconds

    def stop(number: int, frame: FrameType | None) -> None:
        is_late = time.process_time() >= used_up or time.monotonic() >= waited_out
        if going_on and is_late and not _is_debugged(frame):
            raise OutOfTime

    end = _alarm(stop, seconds) if _SIGNAL is not None and _can_ring() else _count(stop)
    try:
        yield
    finally:
        going_on.clear()
        end()


def _alarm(stop: Stop, seconds: float) -> Callable[[], object]:
    """Call `stop` by a signal; a call of the returned function ends this."""
    before = signal.signal(_SIGNAL, stop)
    end = _repeat_alarm(seconds)

    def no_more() -> None:
        end()
        signal.signal(_SIGNAL, before)

    return no_more


def _can_ring() -> bool:
    """Say whether something can send a signal: a timer of the system, or a thread."""
    if hasattr(signal, "setitimer"):
        return True
    try:
        threading.Thread(target=int, daemon=True).start()
    except RuntimeError:  # "can't start new thread"
        return False
    return True


def _count(stop: Stop) -> Callable[[], object]:
    """Call `stop` after every EVENTS jumps and calls of the code itself (PEP 669); a call of the returned function ends this."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        return int
    tool = next((number for number in range(6) if monitoring.get_tool(number) is None), None)
    if tool is None:
        return int
    counted = itertools.count(1)

    def count(*event: object) -> None:
        if next(counted) % EVENTS == 0:
            stop(0, sys._getframe(1))

    kinds = monitoring.events.JUMP, monitoring.events.PY_START
    monitoring.use_tool_id(tool, "arena.time_limit")
    for kind in kinds:
        monitoring.register_callback(tool, kind, count)
    monitoring.set_events(tool, kinds[0] | kinds[1])

    def no_more() -> None:
        monitoring.set_events(tool, 0)
        for kind in kinds:
            monitoring.register_callback(tool, kind, None)
        monitoring.free_tool_id(tool)

    return no_more


def _repeat_alarm(seconds: float) -> Callable[[], object]:
    """Send the signal after `seconds`, then every AGAIN_S or sooner; a call of the returned function ends this."""
    again = min(AGAIN_S, seconds)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds, again)
        return lambda: signal.setitimer(signal.ITIMER_REAL, 0)
    over = threading.Event()

    def ring() -> None:
        pause = seconds
        while not over.wait(pause):
            pause = again
            _thread.interrupt_main(_SIGNAL)

    threading.Thread(target=ring, daemon=True).start()
    return over.set


def _is_debugged(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.endswith(_DEBUGGERS):
            return True
        frame = frame.f_back
    return False
