"""Make `.venv` from requirements.lock and see to the system packages. Runs on a bare Python: standard library only.

Python packages are installed once per lock file: a stamp in `.venv` says for which lock, folder and interpreter it was
made, and a second run returns at once. Where packages come from is the machine's business: pip's own settings and
environment are left alone.
"""
from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "made-from"
OLDEST_PYTHON = (3, 11)
SYSTEM_PACKAGES = ("bubblewrap", "graphviz", "libseccomp2")


def main() -> int:
    """Set everything up that is not there yet; return the exit status."""
    if sys.version_info < OLDEST_PYTHON:
        return _other_python()
    _system_packages()
    stamp = _stamp()
    if STAMP.is_file() and STAMP.read_text() == stamp:
        return 0
    start = time.monotonic()
    try:
        _virtual_environment()
        _python_packages()
    except subprocess.CalledProcessError as error:
        print(f"setup: `{' '.join(map(str, error.cmd))}` ended with status {error.returncode}; `make setup` begins again")
        return 1
    STAMP.write_text(stamp)
    print(f"setup: done in {time.monotonic() - start:.0f} s")
    return 0


def _other_python() -> int:
    """Hand over to a newer interpreter on PATH; this file has to parse on old ones only as far as here."""
    for minor in range(19, OLDEST_PYTHON[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            return subprocess.call([newer, __file__])
    print("setup: Python 3.11 or newer is needed; this is " + sys.version.split()[0])
    return 1


def _stamp() -> str:
    """What the environment depends on, as text: its scripts hold absolute paths, so the folder counts too."""
    parts = (LOCK.read_bytes(), Path(__file__).read_bytes(), str(ROOT).encode(), sys.version.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest() + "\n"


def _missing() -> list[str]:
    """The system packages that are not installed, by what they would bring."""
    found = {"bubblewrap": shutil.which("bwrap"), "graphviz": shutil.which("dot"), "libseccomp2": _loads("libseccomp.so.2")}
    missing = [package for package in SYSTEM_PACKAGES if not found[package]]
    try:
        import ensurepip  # noqa: F401  (Debian ships Python without it)
    except ImportError:
        missing.append("python3-venv")
    return missing


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _system_packages() -> None:
    """Install what is missing where we may; else print the one line that somebody who may can run."""
    missing = _missing()
    if not missing:
        return
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"setup: installing {', '.join(missing)}", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for each in (["apt-get", "update", "-q"], command):     # a stale list is a reason to try, not to stop
            subprocess.run(
                each, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        missing = _missing()
    if missing:
        print(f"setup: grading needs what is not here, please run: sudo apt-get install {' '.join(missing)}")


def _virtual_environment() -> None:
    print(f"setup: virtual environment in {VENV.name}", flush=True)
    if VENV.is_symlink():  # of another working copy, which needs it: only the link goes
        VENV.unlink()
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)


def _python_packages() -> None:
    """Install the locked packages, then this project itself, editable."""
    wanted = sum(1 for line in LOCK.read_text().splitlines() if "==" in line)
    print(f"setup: {wanted} packages from {LOCK.name} (about a minute)", flush=True)
    pip: list[str | Path] = [VENV / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    _with_progress([*pip, "install", "--requirement", LOCK], wanted)
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT], check=True)


def _with_progress(command: list[str | Path], wanted: int) -> None:
    """Run pip and show how far it is: one line that grows, whoever reads it."""
    seen = 0
    said: list[str] = []
    with subprocess.Popen(
            command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout  # it is a pipe
        print("setup: ", end="", flush=True)
        for line in process.stdout:
            said.append(line)
            if line.startswith(("Collecting", "Processing")):
                seen += 1
                if seen % 20 == 0:
                    print(f"{seen} ", end="", flush=True)
            elif line.startswith("Installing collected"):
                print(f"of {wanted} found, unpacking", end="", flush=True)
        print()
    if process.returncode:
        print("".join(said[-15:]), end="")
        raise subprocess.CalledProcessError(process.returncode, command)


if __name__ == "__main__":
    sys.exit(main())
