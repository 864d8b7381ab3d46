"""The number of workers that fit this machine."""

import math
import os
from pathlib import Path

MIB = 1024 * 1024
# one worker and its sandbox, with room for a submission that uses its whole limit
WORKER_MIB = 1536
CPU_MAX = Path("/sys/fs/cgroup/cpu.max")  # of our container: microseconds of processor time in each period, and the period


def cores() -> int:
    """Return the number of cores that this process may use: those of its CPU set, or at most those of a container's quota."""
    allowed = len(os.sched_getaffinity(0))
    try:
        quota, period = CPU_MAX.read_text().split()
        return min(allowed, max(1, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # no such file, or the quota is "max"
        return allowed


def free_memory_mib() -> int:
    """Return the free memory of the host or of our container."""
    fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
    free = int(fields["MemAvailable"].split()[0]) // 1024
    try:
        limit, used = (int(Path("/sys/fs/cgroup", name).read_text()) for name in ("memory.max", "memory.current"))
        return min(free, (limit - used) // MIB)
    except (OSError, ValueError):  # no such file, or the limit is "max"
        return free


def workers_that_fit() -> int:
    """Return the number of workers: one for each core, but no more than memory allows."""
    return max(1, min(cores(), free_memory_mib() // WORKER_MIB))
