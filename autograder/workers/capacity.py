"""The number of workers that fit this machine."""

import os
from pathlib import Path

MIB = 1024 * 1024
# one worker and its sandbox, with room for a submission that uses its whole limit
WORKER_MIB = 1536


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


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
