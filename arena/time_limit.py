"""A time limit for code that may never end, on every system and in a notebook: it stops the code between two statements."""

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN_S = 1.0  # code that catches every exception is stopped again and again, each time after this number of seconds
LONGEST_WAIT = 6  # times the limit, in wall-clock time: code that waits for ever uses no CPU time
_DEBUGGERS = ("bdb.py", "pdb.py", "pydevd.py")
if sys.platform == "win32":  # Windows has no SIGALRM
    _SIGNAL = signal.SIGBREAK
else:
    _SIGNAL = signal.SIGALRM


class OutOfTime(BaseException):
    """The time is up. A BaseException: an `except Exception` in the stopped code does not catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime when the block has used `seconds` of CPU time and has not ended.

    On a busy machine this takes longer in wall-clock time; the block is stopped after LONGEST_WAIT times `seconds`.

    The limit does nothing in a debugger, and nothing outside of the main thread, where no signals arrive. A single call into
    compiled code is stopped only after it returns.
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

    before = signal.signal(_SIGNAL, stop)
    end = _repeat_alarm(seconds)
    try:
        yield
    finally:
        going_on.clear()
        end()
        signal.signal(_SIGNAL, before)


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
