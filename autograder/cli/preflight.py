"""The check of a machine before grading: one line for each requirement, with advice if it is missing."""

import ctypes
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from arena.errors import UserError
from autograder.sandbox.bubblewrap import SandboxUnavailable, root_mode
from autograder.sandbox.host.files import tree_of
from autograder.sandbox.profiles import SandboxProfile
from autograder.sandbox.sandbox import check_sandbox
from autograder.workers.capacity import MIB, WORKER_MIB, cores, free_memory_mib, workers_that_fit

DISK_MIB = 2048
NAMESPACES = (
    "allow namespaces: sysctl kernel.unprivileged_userns_clone=1 and no AppArmor rule against bwrap; "
    "in a container, the options of `docker run` in docs/container.md"
)


@dataclass(frozen=True)
class HostCheck:
    """One line of the preflight. `advice` is "" if the requirement is met."""

    what: str
    seen: str
    advice: str = ""
    fatal: bool = True


def run_preflight(console: Console) -> int:
    """Print every finding; return 0 if a class can be graded here, 1 otherwise."""
    findings = [look() for look in LOOKS]
    for finding in findings:
        mark = "[green]ok[/]     " if not finding.advice else ("[red]MISSING[/]" if finding.fatal else "[yellow]note[/]   ")
        arrow = f"  ->  {finding.advice}" if finding.advice else ""
        line = f"{finding.what:<18} {finding.seen}{arrow}"
        console.print(f"{mark}  {escape(line)}", highlight=False, soft_wrap=True)
    failed = [finding for finding in findings if finding.advice and finding.fatal]
    console.print("this machine can grade" if not failed else f"this machine cannot grade yet: problems to solve: {len(failed)}")
    return 1 if failed else 0


def _python() -> HostCheck:
    version = ".".join(map(str, sys.version_info[:3]))
    return HostCheck("Python", version, "" if sys.version_info >= (3, 11) else "install Python 3.11, 3.12, 3.13 or 3.14")


def _sandbox() -> HostCheck:
    """Open a real sandbox. An installed bwrap proves little, because hosts forbid namespaces in many ways."""
    program = shutil.which("bwrap")
    if program is None:
        return HostCheck("bubblewrap", "no bwrap on PATH", "install the package bubblewrap (apt install bubblewrap)")
    try:
        check_sandbox()
    except UserError as failure:
        if "did not start" in str(failure):
            return HostCheck("bubblewrap", str(failure), NAMESPACES)
        seen, _, advice = str(failure).partition(": ")
        return HostCheck("sandbox", seen, advice)
    mode = "a user id for each exercise" if root_mode() else "a user namespace for each exercise"
    return HostCheck("bubblewrap", f"{program} opens a sandbox, with {mode}")


def _seccomp() -> HostCheck:
    try:  # the same way as the sandbox; find_library would need a compiler or ldconfig
        ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return HostCheck("libseccomp", "not found", "install the package libseccomp2")
    return HostCheck("libseccomp", "libseccomp.so.2", "")


def _cores() -> HostCheck:
    return HostCheck("cores", f"{cores()}: --workers {workers_that_fit()} by default")


def _memory() -> HostCheck:
    free = free_memory_mib()
    if free < WORKER_MIB:
        advice = f"one worker needs {WORKER_MIB} MiB: close other programs or take a larger machine"
        return HostCheck("memory", f"{free} MiB free", advice)
    room = free // WORKER_MIB
    advice = f"with more memory, all {cores()} cores could work" if room < cores() else ""
    return HostCheck("memory", f"{free} MiB free: enough for {room} workers", advice, fatal=False)


def _disk() -> HostCheck:
    free_mib = shutil.disk_usage(Path.cwd()).free // MIB
    advice = "" if free_mib > DISK_MIB else "make room for the reports and the gradebook"
    return HostCheck("disk", f"{free_mib} MiB free here", advice, fatal=False)


def _gradebook() -> HostCheck:
    alembic = Path(sys.executable).with_name("alembic")
    if alembic.exists():
        return HostCheck("nbgrader's alembic", str(alembic))
    return HostCheck("nbgrader's alembic", "not found", "run make setup: nbgrader needs alembic to make a new gradebook")


def _files() -> HostCheck:
    """Say where the files of the sandboxes lie: pages of a disk remember who read them."""
    try:
        tree = tree_of(SandboxProfile())
    except SandboxUnavailable as error:
        return HostCheck("sandbox's files", str(error), "make room there")
    if not tree.doubt:
        return HostCheck("sandbox's files", f"in memory, {tree.folder.parent}")
    advice = f"{tree.doubt}: they are read again before each exercise, which takes time; see docs/trust.md#what-is-not-protected"
    return HostCheck("sandbox's files", str(tree.folder.parent), advice, fatal=False)


LOOKS: tuple[Callable[[], HostCheck], ...] = (_python, _sandbox, _files, _seccomp, _gradebook, _cores, _memory, _disk)
