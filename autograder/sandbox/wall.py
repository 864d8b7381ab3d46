"""The wall itself: the bubblewrap command, the mounts, and the limits of a worker."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

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
# Our own files inside.
OURS = (
    *(f"codec/{name}.py" for name in ("__init__", "values", "encoding", "decoding")), "table_game.py",
    *(f"inside/{name}.py" for name in ("zygote", "worker", "stand_ins", "implementations", "loader", "cell_text", "tensors")),
)
# The packages that a package imports.
NEEDED_BY = {"torch": ("torchgen", "functorch", "typing_extensions", "sympy", "mpmath", "filelock", "networkx", "jinja2",
                       "markupsafe", "fsspec")}
# Folders that lie beside a package on some machines: the libraries of PyTorch's build for graphics cards, without which it does
# not load. The sandbox has no such card.
BESIDE = {"torch": ("nvidia",)}
# Modules that would be imported late, again in every worker: of a package at the first optimizer, and our own for it.
LATE = {"torch": ("torch._dynamo", "tensors")}
DEVICES = ("null", "zero", "full", "random", "urandom")
# Entries of the host's /proc, beside processes, that are the same whatever runs. All other public entries are covered: they
# count what everybody does (load, interrupts, forks, memory), and would tell of an earlier exercise, or of a neighbour.
STANDING_IN_PROC = {"self", "thread-self", "mounts", "net", "cpuinfo", "version", "filesystems", "cmdline", "config.gz",
                    "crypto", "devices", "misc", "modules", "dma", "iomem", "ioports", "kallsyms", "execdomains", "fb", "mtrr",
                    "partitions", "consoles", "tty", "bus", "acpi", "driver", "sysvipc"}
ZYGOTE_OOM_SCORE = 500
INSTALL_HINT = (
    "install the system packages bubblewrap and libseccomp2 "
    "(make setup does it as root; else: sudo apt-get install bubblewrap libseccomp2)"
)


class WallError(RuntimeError):
    """The sandbox cannot be built on this host; the text says what to do."""


@dataclass(frozen=True)
class Wall:
    """The contents of a sandbox, and the limits of a worker.

    `arena` names the parts of arena that a problem set may import; `packages` are imported ahead by the zygote.
    """

    arena: tuple[str, ...] = ("__init__.py", "check.py", "own_check.py", "time_limit.py", "games", "show")
    packages: tuple[str, ...] = ("numpy",)
    memory_mib: int = 1024
    processes: int = 16


def root_mode() -> bool:
    """Say whether each worker gets its own user id (the grader is root), or the sandbox gets a user namespace."""
    return os.geteuid() == 0


def command(wall: Wall, control: int, proc: int, seccomp: int) -> list[str]:
    """Return the bubblewrap command that starts the zygote.

    Args:
        control: the descriptor of its socket. proc: of the host's /proc, which only the zygote has. seccomp: of the filter.

    Raises:
        WallError: bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise WallError(f"bubblewrap (bwrap) was not found: {INSTALL_HINT}")
    parts = [bwrap, "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    parts += ["--unshare-cgroup-try", "--as-pid-1", "--hostname", "sandbox", "--clearenv", "--chdir", "/", "--cap-drop", "ALL"]
    if root_mode():
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SETPCAP", *_to_renumber()):
            parts += ["--cap-add", capability]
    else:
        parts += ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]
    for name, value in ENVIRONMENT.items():
        parts += ["--setenv", name, value]
    parts += _mounts(wall)
    parts += [*_devices(), *_proc(), "--remount-ro", "/", "--seccomp", str(seccomp)]
    return [*parts, "--", *_zygote(f"{PYTHON}/bin/python3", f"{WORKER}/zygote.py", control, proc, f"{WORKER}:{SITE}", wall)]


def entered(doors: list[str], line: list[str]) -> list[str]:
    """Return `line` as a command that first enters the control groups and raises its score for the OOM killer.

    The score stays below the worker's, which is the highest there is. The kernel also looks at the memory that each process
    holds, and shared memory and pipes belong to none. With these scores it always kills the worker, not the zygote.
    """
    script = f'echo {ZYGOTE_OOM_SCORE} > /proc/self/oom_score_adj; ' \
             'while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *doors, "--", *line]


def bare_command(wall: Wall, control: int, proc: int) -> list[str]:
    """Return the command for the course's own solutions without a sandbox; never for a student's work."""
    paths = ":".join(map(str, (HERE, HERE / "inside", REPOSITORY)))
    return _zygote(sys.executable, str(HERE / "inside" / "zygote.py"), control, proc, paths, wall, isolated=False)


def _zygote(python: str, script: str, control: int, proc: int, paths: str, wall: Wall, isolated: bool = True) -> list[str]:
    late = (name for package in wall.packages for name in LATE.get(package, ()))
    games = ["arena.games"] if "games" in wall.arena else []
    ahead = ",".join((*wall.packages, *late, "numpy.random", *games, "arena.check", "arena.own_check"))
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


def _devices() -> list[str]:
    """Return the device nodes. They belong to the host; the filter (seccomp.py) prevents changes to them."""
    parts = ["--perms", "0755", "--dir", "/dev"]
    for name in DEVICES:
        parts += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        parts += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*parts, "--symlink", "/proc/self/fd", "/dev/fd"]


def _proc() -> list[str]:
    """Return the mount of /proc without other processes, and without process 1, whose CPU time tells of earlier exercises."""
    parts, folders = ["--proc", "/proc"], ["/proc/1"]
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() or entry.name in STANDING_IN_PROC or not entry.stat(follow_symlinks=False).st_mode & 0o004:
            continue
        if entry.is_dir():
            folders.append(entry.path)
        else:
            parts += ["--ro-bind", "/dev/null", entry.path]  # not a device that can be opened
    for folder in folders:
        parts += ["--tmpfs", folder]
    for folder in (*folders, "/proc"):
        parts += ["--remount-ro", folder]
    return parts


def _mounts(wall: Wall) -> list[str]:
    parts: list[str] = []
    own = (SITE, f"{SITE}/arena", WORKER, f"{WORKER}/codec", PYTHON, f"{PYTHON}/bin", f"{PYTHON}/lib")
    for folder in ("/usr", "/etc", "/opt", *own):
        parts += ["--perms", "0755", "--dir", folder]  # bubblewrap makes parent folders for their owner alone
    for folder in ("/usr/lib", "/usr/lib64", "/usr/lib32", "/lib", "/lib64"):
        path = Path(folder)
        if path.is_symlink():
            parts += ["--symlink", os.readlink(path), folder]
        elif path.is_dir():
            parts += ["--ro-bind", folder, folder]
    if Path("/etc/ld.so.cache").exists():
        parts += ["--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for source, target in (*_python(), *_site(wall)):
        parts += ["--ro-bind", str(source), target]
    for name in OURS:
        parts += ["--ro-bind", str(HERE / name), f"{WORKER}/{name.removeprefix('inside/')}"]
    return parts


def _python() -> list[tuple[Path, str]]:
    """Return the mounts of the interpreter that runs this grader, at a neutral path."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    mounts = [
        (Path(sys.executable).resolve(), f"{PYTHON}/bin/python3"),
        (Path(sysconfig.get_path("stdlib")).resolve(), f"{PYTHON}/lib/{version}"),
    ]
    name = sysconfig.get_config_var("INSTSONAME") or ""
    shared = Path(sys.base_exec_prefix) / "lib" / name  # exists only for an interpreter with a shared library
    if ".so" in name and shared.is_file() and Path(sys.base_exec_prefix) != Path("/usr"):
        mounts.append((shared.resolve(), f"{PYTHON}/lib/{name}"))
    return mounts


def _site(wall: Wall) -> list[tuple[Path, str]]:
    mounts = []
    for name in (other for package in wall.packages for other in (package, *NEEDED_BY.get(package, ()))):
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.origin:
            raise WallError(f"the package {name} is not installed beside the grader: run make setup")
        file = Path(spec.origin)
        found = (file.parent, file.parent.parent / f"{name}.libs") if spec.submodule_search_locations else (file,)
        mounts += [(path, f"{SITE}/{path.name}") for path in found if path.exists()]
        beside = (file.parent.parent / other for other in BESIDE.get(name, ()))
        mounts += [(path, f"{SITE}/{path.name}") for path in beside if path.is_dir()]
    arena = REPOSITORY / "arena"
    return mounts + [(arena / name, f"{SITE}/arena/{name}") for name in wall.arena if (arena / name).exists()]
