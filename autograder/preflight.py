"""Can this machine grade? One line for each thing that it needs, and what to do where it is missing."""

import ctypes.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

MIB = 1024 * 1024
# one worker and its sandbox, with room for a submission that uses all it may
WORKER_MIB = 1536
DISK_MIB = 2048
NAMESPACES = (
    "allow namespaces: sysctl kernel.unprivileged_userns_clone=1 and no AppArmor rule against bwrap; "
    "in a container, a seccomp profile that lets unshare and mount pass"
)


@dataclass(frozen=True)
class Finding:
    """One line of the preflight. `mend` says what to do; without it all is well."""

    what: str
    seen: str
    mend: str = ""
    fatal: bool = True


def run_preflight(console: Console) -> int:
    """Print every finding; 0 when a class can be graded here, 1 otherwise."""
    findings = [look() for look in LOOKS]
    for finding in findings:
        mark = "[green]ok[/]     " if not finding.mend else ("[red]MISSING[/]" if finding.fatal else "[yellow]note[/]   ")
        advice = f"  ->  {finding.mend}" if finding.mend else ""
        line = f"{finding.what:<18} {finding.seen}{advice}"
        console.print(f"{mark}  {escape(line)}", highlight=False, soft_wrap=True)
    failed = [finding for finding in findings if finding.mend and finding.fatal]
    console.print("this machine can grade" if not failed else f"this machine cannot grade yet: {len(failed)} to put right")
    return 1 if failed else 0


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("Python", version, "" if sys.version_info >= (3, 11) else "install Python 3.11 or newer")


def _bubblewrap() -> Finding:
    program = shutil.which("bwrap")
    if program is None:
        return Finding("bubblewrap", "no bwrap on PATH", "install the package bubblewrap (apt install bubblewrap)")
    namespaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    if os.geteuid() != 0:
        namespaces += ["--unshare-user", "--disable-userns"]
    command = [program, *namespaces, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--die-with-parent", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("bubblewrap", f"{program} does not start: {error}", "install the package bubblewrap anew")
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["no word why"])[-1]
        return Finding("bubblewrap", said, NAMESPACES)
    return Finding("bubblewrap", f"{program} opens a sandbox")


def _seccomp() -> Finding:
    library = ctypes.util.find_library("seccomp")
    return Finding("libseccomp", library or "not found", "" if library else "install the package libseccomp2")


def _graphviz() -> Finding:
    program = shutil.which("dot")
    mend = "" if program else "install the package graphviz: pictures of trees need it, grading does not"
    return Finding("graphviz", program or "no dot on PATH", mend, fatal=False)


def _cores() -> Finding:
    cores = len(os.sched_getaffinity(0))
    return Finding("cores", f"{cores}: --workers {cores} by default")


def _memory() -> Finding:
    fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
    free_mib = int(fields["MemAvailable"].split()[0]) // 1024
    room, cores = free_mib // WORKER_MIB, len(os.sched_getaffinity(0))
    if room < 1:
        mend = f"one worker needs {WORKER_MIB} MiB: close other programs or take a larger machine"
        return Finding("memory", f"{free_mib} MiB free", mend)
    mend = f"use --workers {room}: each may need {WORKER_MIB} MiB" if room < cores else ""
    return Finding("memory", f"{free_mib} MiB free: enough for {room} workers", mend, fatal=False)


def _disk() -> Finding:
    free_mib = shutil.disk_usage(Path.cwd()).free // MIB
    mend = "" if free_mib > DISK_MIB else "make room: reports and the gradebook need some"
    return Finding("disk", f"{free_mib} MiB free here", mend, fatal=False)


def _gradebook() -> Finding:
    alembic = Path(sys.executable).with_name("alembic")
    if alembic.exists():
        return Finding("nbgrader's alembic", str(alembic))
    return Finding("nbgrader's alembic", "not found", "run make setup: a new gradebook is made with it")


LOOKS: tuple[Callable[[], Finding], ...] = (_python, _bubblewrap, _seccomp, _graphviz, _gradebook, _cores, _memory, _disk)
