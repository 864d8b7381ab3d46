"""A container as `docker run` starts one, for tests: Docker's capabilities and its covered /proc, over the root of this machine.

bubblewrap builds it. Docker's filter of system calls, AppArmor and limits of resources are left out.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

# What Docker gives to root in a container, and what it covers in /proc.
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP",
                "NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE")
COVERED = ("/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
           "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi")
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")


def run(command: Sequence[str], *, cap_add: Sequence[str], volumes: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    """Run a command in a new container; stdout has its errors too.

    Args:
        cap_add: the capabilities that `docker run` adds with `--cap-add`.
        volumes: folders that are the same inside; the command starts in the first one.
    """
    rights = [word for name in (*CAPABILITIES, *cap_add) for word in ("--cap-add", f"CAP_{name}")]
    covers = [word for path in COVERED if Path(path).exists()
              for word in (("--tmpfs", path) if Path(path).is_dir() else ("--ro-bind", "/dev/null", path))]
    fixed = [word for path in READ_ONLY if Path(path).exists() for word in ("--ro-bind", path, path)]
    shown = [word for path in volumes for word in ("--bind", path, path)]
    return subprocess.run(
        ["bwrap", "--die-with-parent", "--bind", "/", "/", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
         "--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp", *covers, *fixed, *shown,
         "--clearenv", "--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
         "--cap-drop", "ALL", *rights, "--chdir", volumes[0], "--", *command],
        text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
