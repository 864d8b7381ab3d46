"""The reason why a worker ended, from its account, its sandbox and the kernel's count of kills."""

from __future__ import annotations

import signal

from autograder.sandbox.errors import Died, HostKill, OutOfMemory, Overdrawn, StudentError, TooSlow
from autograder.sandbox.sandbox import Usage


def why_it_ended(usage: Usage, *, starved: bool, out_of_time: bool, oom_kills_before: int) -> StudentError:
    """Return the error for a worker that ended.

    Args:
        usage: its final account. starved: its sandbox had used up its memory. out_of_time: its CPU time was used up.
        oom_kills_before: the result of `oom_kills` when the worker began.
    """
    ended = usage.ended or {}
    if starved:  # whichever process was killed for it, and however the others ended
        return OutOfMemory("out of memory")
    if ended.get("signal") == signal.SIGXCPU or out_of_time:
        return TooSlow("out of CPU time")
    if ended.get("signal") == signal.SIGKILL and oom_kills() > oom_kills_before:
        # one process cannot use up the host's memory, and only the kernel knows that there was only one
        return HostKill("the host ran out of memory") if usage.alone else Overdrawn("out of memory")
    if ended.get("signal") in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT):
        return Died("your code crashed the interpreter")
    died = Died("your code ended its own process")
    died.staff = f"the worker ended with {ended or 'no status'}"
    return died


def oom_kills() -> int:
    """Return the number of processes that the host's kernel has killed since it started because memory was used up."""
    try:
        with open("/proc/vmstat", "rb") as file:
            return int(file.read().partition(b"\noom_kill ")[2].split(None, 1)[0])
    except (OSError, ValueError, IndexError):
        return 0
