"""The wall itself: the bubblewrap command, what is mounted where, and the limits of a worker."""

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
    "TORCHINDUCTOR_CACHE_DIR": "/opt",  # torch asks for such a folder as it is imported; nothing is written there
    "LD_LIBRARY_PATH": f"{PYTHON}/lib",
    **ONE_THREAD,
}
# What a package imports beside itself.
NEEDED_BY = {"torch": ("torchgen", "functorch", "typing_extensions", "sympy", "mpmath", "filelock", "networkx", "jinja2",
                       "markupsafe", "fsspec")}
# What a package would import late, at the first optimizer, in every worker again.
LATE = {"torch": ("torch._dynamo",)}
INSTALL_HINT = (
    "install the system packages bubblewrap and libseccomp2 "
    "(make setup does it as root; else: sudo apt-get install bubblewrap libseccomp2)"
)


class WallError(RuntimeError):
    """The sandbox cannot be built on this host; the text says what to do."""


@dataclass(frozen=True)
class Wall:
    """What stands inside, and how much a worker may use.

    `arena` names the parts of arena that a problem set may import; `packages` are imported ahead by the zygote.
    """

    arena: tuple[str, ...] = ("__init__.py", "check.py", "games", "show")
    packages: tuple[str, ...] = ("numpy",)
    memory_mib: int = 1024
    processes: int = 16


def root_mode() -> bool:
    """Say whether workers get user ids of their own (the grader is root) or the sandbox a user namespace."""
    return os.geteuid() == 0


def command(wall: Wall, control: int, seccomp: int) -> list[str]:
    """Return the bubblewrap command that starts the zygote over the socket `control`.

    Raises:
        WallError: bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise WallError(f"bubblewrap (bwrap) was not found: {INSTALL_HINT}")
    parts = [bwrap, "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    parts += ["--as-pid-1", "--hostname", "sandbox", "--clearenv", "--chdir", "/", "--cap-drop", "ALL"]
    if root_mode():
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SETPCAP"):
            parts += ["--cap-add", capability]
    else:
        parts += ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]
    for name, value in ENVIRONMENT.items():
        parts += ["--setenv", name, value]
    parts += _mounts(wall)
    parts += ["--proc", "/proc", "--dev", "/dev", "--seccomp", str(seccomp)]
    for folder in ("/dev", "/proc", "/"):
        parts += ["--remount-ro", folder]
    return [*parts, "--", *_zygote(f"{PYTHON}/bin/python3", f"{WORKER}/zygote.py", control, f"{WORKER}:{SITE}", wall)]


def entered(doors: list[str], line: list[str]) -> list[str]:
    """Return `line` as a command that first enters the control groups and volunteers for the host's OOM killer.

    Inside /proc is read-only, so what is inherited stays.
    """
    script = 'echo 1000 > /proc/self/oom_score_adj; while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *doors, "--", *line]


def bare_command(wall: Wall, control: int) -> list[str]:
    """Return the command for the course's own solutions without a sandbox; never for a student's work."""
    paths = ":".join(map(str, (HERE, HERE / "inside", REPOSITORY)))
    return _zygote(sys.executable, str(HERE / "inside" / "zygote.py"), control, paths, wall, isolated=False)


def _zygote(python: str, script: str, control: int, paths: str, wall: Wall, isolated: bool = True) -> list[str]:
    late = (name for package in wall.packages for name in LATE.get(package, ()))
    ahead = ",".join((*wall.packages, *late, "numpy.random", *(["arena.games"] if "games" in wall.arena else []), "arena.check"))
    return [python, *(["-S"] if isolated else []), "-s", "-B", script, str(control), paths, ahead]


def _mounts(wall: Wall) -> list[str]:
    parts: list[str] = []
    for folder in ("/usr", "/etc", "/opt", SITE, f"{SITE}/arena", WORKER, PYTHON, f"{PYTHON}/bin", f"{PYTHON}/lib"):
        parts += ["--perms", "0755", "--dir", folder]  # bubblewrap's own parents are for their owner alone
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
    for name in ("codec.py", "inside/zygote.py", "inside/worker.py", "inside/loader.py", "inside/tensors.py"):
        parts += ["--ro-bind", str(HERE / name), f"{WORKER}/{Path(name).name}"]
    return parts


def _python() -> list[tuple[Path, str]]:
    """Return the mounts of the interpreter that runs this grader, at a neutral path."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    mounts = [
        (Path(sys.executable).resolve(), f"{PYTHON}/bin/python3"),
        (Path(sysconfig.get_path("stdlib")).resolve(), f"{PYTHON}/lib/{version}"),
    ]
    name = sysconfig.get_config_var("INSTSONAME") or ""
    shared = Path(sys.base_exec_prefix) / "lib" / name  # only there for an interpreter that was built with a shared library
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
    arena = REPOSITORY / "arena"
    return mounts + [(arena / name, f"{SITE}/arena/{name}") for name in wall.arena if (arena / name).exists()]
