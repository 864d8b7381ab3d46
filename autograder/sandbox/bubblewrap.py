"""The bubblewrap command of a sandbox: its namespaces, its mounts and the zygote's environment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from autograder.sandbox.profiles import SandboxProfile

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
SITE, WORKER, PYTHON = "/opt/site", "/opt/worker", "/opt/python"
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "MKL", "OPENBLAS", "NUMBA", "NUMEXPR")}
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "ATEN_CPU_CAPABILITY": "default",
    "LANG": "C.UTF-8",
    "HOME": "/",
    "TORCHINDUCTOR_CACHE_DIR": "/opt",  # torch asks for such a folder at import; nothing is written there
    "LD_LIBRARY_PATH": f"{PYTHON}/lib",
    **ONE_THREAD,
}
# Modules that would be imported late, again in every worker: of a package at the first optimizer, and our own for it.
LATE = {"torch": ("torch._dynamo", "tensors")}
JAIL = "/jail"  # where a worker's root is: the same files and the devices, but no /proc
DEVICES = ("null", "zero", "full", "random", "urandom")
ZYGOTE_OOM_SCORE = 500
INSTALL_HINT = (
    "install the system packages bubblewrap and libseccomp2 "
    "(make setup does it as root; else: sudo apt-get install bubblewrap libseccomp2)"
)


class SandboxUnavailable(RuntimeError):
    """The sandbox cannot be built on this host; the text says what to do."""


def root_mode() -> bool:
    """Say whether each worker gets its own user id (the grader is root), or the sandbox gets a user namespace."""
    return os.geteuid() == 0


def bubblewrap() -> str:
    """Return the path of the program.

    Raises:
        SandboxUnavailable: it is not installed.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxUnavailable(f"bubblewrap (bwrap) was not found: {INSTALL_HINT}")
    return program


def command(profile: SandboxProfile, tree: Path, control: int, proc: int, seccomp: int) -> list[str]:
    """Return the bubblewrap command that starts the zygote.

    Args:
        tree: the copy of its files (host/files.py). control: the descriptor of its socket. proc: of the host's /proc, which
            only the zygote has. seccomp: of the filter.

    Raises:
        SandboxUnavailable: bubblewrap is not installed.
    """
    parts = [bubblewrap(), "--die-with-parent", "--new-session"]
    parts += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    parts += ["--unshare-cgroup-try", "--as-pid-1", "--hostname", "sandbox", "--clearenv", "--chdir", "/", "--cap-drop", "ALL"]
    if root_mode():
        for capability in ("CAP_SYS_CHROOT", "CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SETPCAP", *_to_renumber()):
            parts += ["--cap-add", capability]
    else:
        parts += ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000", "--cap-add", "CAP_SYS_CHROOT"]
    for name, value in ENVIRONMENT.items():
        parts += ["--setenv", name, value]
    parts += [*_mounts(tree), "--seccomp", str(seccomp)]
    return [*parts, "--", *_zygote(f"{PYTHON}/bin/python3", f"{WORKER}/zygote.py", control, proc, f"{WORKER}:{SITE}", profile)]


def entered(doors: list[str], line: list[str]) -> list[str]:
    """Return `line` as a command that first enters the control groups and raises its score for the OOM killer.

    The score stays below the worker's, which is the highest there is. The kernel also looks at the memory that each process
    holds, and shared memory and pipes belong to none. With these scores it always kills the worker, not the zygote.
    """
    script = f'echo {ZYGOTE_OOM_SCORE} > /proc/self/oom_score_adj; ' \
             'while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *doors, "--", *line]


def bare_command(profile: SandboxProfile, control: int, proc: int) -> list[str]:
    """Return the command for the course's own solutions without a sandbox; never for a student's work."""
    paths = ":".join(map(str, (HERE, HERE / "inside", REPOSITORY)))
    return _zygote(sys.executable, str(HERE / "inside" / "zygote.py"), control, proc, paths, profile, isolated=False)


def _zygote(
    python: str, script: str, control: int, proc: int, paths: str, profile: SandboxProfile, isolated: bool = True
) -> list[str]:
    late = (name for package in profile.packages for name in LATE.get(package, ()))
    games = ["arena.games"] if "games" in profile.arena else []
    ahead = ",".join((*profile.packages, *late, "numpy.random", *games, "arena.check", "arena.own_check"))
    return [python, *(["-S"] if isolated else []), "-s", "-B", script, str(control), str(proc), paths, ahead]


def _to_renumber() -> list[str]:
    """Return the capability with which the zygote restarts the process numbers of its namespace.

    Only if the kernel and the grader have it: in some containers the grader does not.
    """
    try:
        status = Path("/proc/self/status").read_text().partition("CapEff:")[2].split(None, 1)[0]
    except (OSError, IndexError):
        return []
    return ["CAP_CHECKPOINT_RESTORE"] if int(status, 16) >> 40 & 1 else []


def _mounts(tree: Path) -> list[str]:
    """Return the mounts: the copy of the files, once for the zygote, with a /proc, and once for the workers, with devices.

    Without a /proc a worker sees no other process, no address, no path of the host, and none of the numbers that the kernel
    counts for all. The devices belong to the host; the filter (seccomp.py) prevents changes to them.
    """
    parts = ["--ro-bind", str(tree), "/", "--proc", "/proc", "--ro-bind", str(tree), JAIL]
    for top in ("", JAIL):
        for name in DEVICES:
            host = "urandom" if name == "random" else name  # an old kernel's /dev/random waits for what others have used up
            parts += ["--dev-bind", f"/dev/{host}", f"{top}/dev/{name}"]
    return parts
