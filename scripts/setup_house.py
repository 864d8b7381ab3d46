"""Make `.venv` from requirements.lock and install the system packages. Runs on a bare Python: standard library only.

Python packages are installed once per lock file: a stamp in `.venv` contains the lock, the folder and the interpreter, so a
second run returns at once. The machine decides where packages come from: pip's settings and environment are not changed.
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
    """Install everything that is missing; return the exit status."""
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
        print(f"setup: `{' '.join(map(str, error.cmd))}` ended with status {error.returncode}; run `make setup` again")
        return 1
    STAMP.write_text(stamp)
    print(f"setup: done in {time.monotonic() - start:.0f} s")
    return 0


def _other_python() -> int:
    """Continue in a newer interpreter on PATH; an old interpreter runs this file only up to this call."""
    for minor in range(19, OLDEST_PYTHON[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            return subprocess.call([newer, __file__])
    print("setup: Python 3.11 or newer is needed; this is " + sys.version.split()[0])
    return 1


def _stamp() -> str:
    """Everything on which the environment depends, as text. Its scripts contain absolute paths, so the folder counts too."""
    parts = (LOCK.read_bytes(), Path(__file__).read_bytes(), str(ROOT).encode(), sys.version.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest() + "\n"


def _missing() -> list[str]:
    """The missing system packages; each is found by a program or library that it contains."""
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
    """Install the missing packages if this user may do it; otherwise print the command for a user who may."""
    missing = _missing()
    if not missing:
        return
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"setup: installing {', '.join(missing)}", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for each in (["apt-get", "update", "-q"], command):     # go on after a failed update: the old list may be enough
            subprocess.run(
                each, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        missing = _missing()
    if missing:
        print(f"setup: grading needs missing packages, please run: sudo apt-get install {' '.join(missing)}")


def _virtual_environment() -> None:
    print(f"setup: virtual environment in {VENV.name}", flush=True)
    if VENV.is_symlink():  # another working copy owns the target and needs it: remove only the link
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
    """Run pip and show its progress on one growing line, also if the output is no terminal."""
    seen = 0
    said: list[str] = []
    with subprocess.Popen(
            command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout  # a pipe was requested
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
