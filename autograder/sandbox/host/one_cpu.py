"""Grader and worker take turns and never work at the same time: during an exercise they share a CPU.

A message that wakes another CPU costs several times as much as one on the same CPU, most of all in a virtual machine.
Between exercises the kernel chooses a CPU again.
"""

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress

_ALLOWED = os.sched_getaffinity(0)
_number_of_this_cpu: Callable[[], int] = ctypes.CDLL(None).sched_getcpu


def stay() -> int:
    """Keep this thread on the CPU that it runs on, and return the number of that CPU."""
    cpu = _number_of_this_cpu()
    with suppress(OSError):  # the process is losing this CPU: then stay on any other
        os.sched_setaffinity(0, {cpu})
    return cpu


def roam() -> None:
    """Let this thread run again on any CPU that the process may use."""
    with suppress(OSError):
        os.sched_setaffinity(0, _ALLOWED)
