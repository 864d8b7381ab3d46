"""How many workers fit this machine."""

import os
from pathlib import Path

MIB = 1024 * 1024
# one worker and its sandbox, with room for a submission that uses all it may
WORKER_MIB = 1536


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def free_memory_mib() -> int:
    """What the host, or the container we are in, can still give."""
    fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
    free = int(fields["MemAvailable"].split()[0]) // 1024
    try:
        limit, used = (int(Path("/sys/fs/cgroup", name).read_text()) for name in ("memory.max", "memory.current"))
        return min(free, (limit - used) // MIB)
    except (OSError, ValueError):  # no such file, or the limit is "max"
        return free


def workers_that_fit() -> int:
    """One worker per core, but no more than memory allows."""
    return max(1, min(cores(), free_memory_mib() // WORKER_MIB))
