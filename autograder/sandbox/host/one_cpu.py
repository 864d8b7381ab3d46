"""Grader and worker take turns and never work side by side: while an exercise lasts they share a CPU.

A message that wakes another CPU costs several times one that stays, most of all in a virtual machine. Which CPU it is the
kernel chooses anew between exercises.
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
    with suppress(OSError):  # it is being taken from us: then on any other
        os.sched_setaffinity(0, {cpu})
    return cpu


def roam() -> None:
    """Let this thread run on any CPU again that the process was given."""
    with suppress(OSError):
        os.sched_setaffinity(0, _ALLOWED)
