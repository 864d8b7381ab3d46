"""The memory and CPU time of a process and all its descendants, as counted by the kernel."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.selftest.attack.stage import descendants

KIB = 1024


def tree(root: int) -> list[int]:
    """Return a process and all its descendants."""
    return [root, *descendants(root)]


def memory_of(pids: list[int]) -> int:
    """Return the memory of these processes together, in bytes; a shared page is counted once (PSS)."""
    return sum(_kib(f"/proc/{pid}/smaps_rollup", "Pss") for pid in pids) * KIB


def resident(pid: int) -> int:
    """Return the present memory of one process in bytes, shared pages included (RSS)."""
    return _kib(f"/proc/{pid}/status", "VmRSS") * KIB


def peak(pid: int) -> int:
    """Return the peak memory of one process in bytes."""
    return _kib(f"/proc/{pid}/status", "VmHWM") * KIB


def _kib(path: str, field: str) -> int:
    """Return a number of KiB from one of the kernel's tables; 0 for a process that has ended."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{field}:")), 0)


def busy_s() -> float:
    """Return the core-seconds of work of all cores since the machine started."""
    user, nice, system, _, _, irq, soft_irq, *_ = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + soft_irq) / os.sysconf("SC_CLK_TCK")
