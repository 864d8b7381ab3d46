"""What a process and everything below it take of the machine, as the kernel accounts it."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.selftest.attack.stage import descendants

KIB = 1024


def tree(root: int) -> list[int]:
    """Return a process and all that descend from it."""
    return [root, *descendants(root)]


def memory_of(pids: list[int]) -> int:
    """Return the bytes that these processes hold together; a page that several share is counted once (PSS)."""
    return sum(_kib(f"/proc/{pid}/smaps_rollup", "Pss") for pid in pids) * KIB


def resident(pid: int) -> int:
    """Return the bytes of one process that are in memory now, shared ones included (RSS)."""
    return _kib(f"/proc/{pid}/status", "VmRSS") * KIB


def peak(pid: int) -> int:
    """Return the most bytes that one process ever had in memory."""
    return _kib(f"/proc/{pid}/status", "VmHWM") * KIB


def _kib(path: str, field: str) -> int:
    """Return a number of KiB from one of the kernel's tables; 0 for a process that has ended."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{field}:")), 0)


def busy_s() -> float:
    """Return the core-seconds that all cores of the machine have worked since it started."""
    user, nice, system, _, _, irq, soft_irq, *_ = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + soft_irq) / os.sysconf("SC_CLK_TCK")
