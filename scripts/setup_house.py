"""Make `.venv` from the lock files and install the system packages. Runs on a bare Python: standard library only.

`setup_house.py` installs what grading and students need, `setup_house.py tests` also what tests, tools and documentation need.
Python packages are installed once per lock file: a stamp in `.venv` contains the lock, the folder and the interpreter, so a
second run returns at once. The machine decides where packages come from: pip's settings hold, also where uv installs.
"""
from __future__ import annotations

import ast
import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
TESTS_LOCK = ROOT / "requirements-tests.lock"
STAMP = VENV / "made-from"
OLDEST_PYTHON = (3, 11)
SYSTEM_PACKAGES = ("bubblewrap", "graphviz", "libseccomp2")
TESTS_PACKAGES = (*SYSTEM_PACKAGES, "chromium")
SANDBOXED = ("numpy", "torch", "sympy", "mpmath", "networkx")     # what a sandbox imports; the last three for torch
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def main(tests: bool = False) -> int:
    """Install everything that is missing; return the exit status.

    Args:
        tests: whether to install what only the tests, the tools and the documentation need, too.
    """
    if sys.version_info < OLDEST_PYTHON:
        return _other_python()
    _system_packages(TESTS_PACKAGES if tests else SYSTEM_PACKAGES)
    start = time.monotonic()
    missing = [lock for lock in ((LOCK, TESTS_LOCK) if tests else (LOCK,)) if not _is_installed(lock)]
    try:
        if LOCK in missing:
            _virtual_environment()
        for lock in missing:
            _python_packages(lock)
            _stamp_of(lock).write_text(_stamp(lock))
    except subprocess.CalledProcessError as error:
        print(f"setup: `{' '.join(map(str, error.cmd))}` ended with status {error.returncode}; run `make setup` again")
        return 1
    if missing:
        print(f"setup: done in {time.monotonic() - start:.0f} s")
    return 0


def _other_python() -> int:
    """Continue in a newer interpreter on PATH; an old interpreter runs this file only up to this call."""
    for minor in range(19, OLDEST_PYTHON[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            return subprocess.call([newer, __file__, *sys.argv[1:]])
    print("setup: Python 3.11 or newer is needed; this is " + sys.version.split()[0])
    return 1


def _stamp_of(lock: Path) -> Path:
    return STAMP if lock == LOCK else STAMP.with_name(f"{STAMP.name}-{lock.stem}")


def _stamp(lock: Path) -> str:
    """Everything on which the environment depends, as text. Its scripts contain absolute paths, so the folder counts too."""
    parts = (LOCK.read_bytes(), lock.read_bytes(), Path(__file__).read_bytes(), str(ROOT).encode(), sys.version.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest() + "\n"


def _is_installed(lock: Path) -> bool:
    return _stamp_of(lock).is_file() and _stamp_of(lock).read_text() == _stamp(lock)


def _missing(packages: tuple[str, ...]) -> list[str]:
    """The missing system packages; each is found by a program or library that it contains."""
    found = {
        "bubblewrap": shutil.which("bwrap"), "graphviz": shutil.which("dot"), "libseccomp2": _loads("libseccomp.so.2"),
        "chromium": any(map(shutil.which, CHROMIUM)),
    }
    missing = [package for package in packages if not found[package]]
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


def _system_packages(packages: tuple[str, ...]) -> None:
    """Install the missing packages if this user may do it; otherwise print the command for a user who may."""
    missing = _missing(packages)
    if not missing:
        return
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"setup: installing {', '.join(missing)}", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for each in (["apt-get", "update", "-q"], command):     # go on after a failed update: the old list may be enough
            subprocess.run(
                each, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        missing = _missing(packages)
    if missing:
        what = "the tests need" if missing == ["chromium"] else "grading needs"
        print(f"setup: {what} missing packages, please run: sudo apt-get install {' '.join(missing)}")


def _virtual_environment() -> None:
    print(f"setup: virtual environment in {VENV.name}", flush=True)
    if VENV.is_symlink():  # another working copy owns the target and needs it: remove only the link
        VENV.unlink()
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)


def _python_packages(lock: Path) -> None:
    """Install the locked packages, by uv if possible, then this project itself, editable."""
    locked = lock.read_text().split()
    print(f"setup: {len(locked)} packages from {lock.name} (about half a minute)", flush=True)
    pip: list[str | Path] = [VENV / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    if not _by_uv(pip, lock):
        _by_pip([*pip, "install", "--requirement", lock], len(locked))
    if lock == LOCK:
        subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT], check=True)
        _compile_ahead()


def _compile_ahead() -> None:
    """Start to compile what student code imports; it goes on in the background, behind everything else.

    All other packages are compiled as they are first imported. A sandbox cannot keep what it compiled: it may not write.
    """
    code = "import compileall, os, sysconfig; os.nice(19); base = sysconfig.get_path('purelib')"
    code += f"; [compileall.compile_dir(os.path.join(base, name), quiet=2) for name in {SANDBOXED}]"
    subprocess.Popen([VENV / "bin" / "python", "-c", code], start_new_session=True, stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _by_uv(pip: list[str | Path], lock: Path) -> bool:
    """Install with uv, which takes a fifth of pip's time, and say what it is doing; return False if it could not."""
    uv = [line for line in LOCK.read_text().split() if line.startswith("uv==")]
    said: list[str] = []
    if subprocess.run([*pip, "install", "--quiet", *uv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        command: list[str | Path] = [VENV / "bin" / "uv", "pip", "install", "--python", VENV / "bin" / "python", *_places(pip),
                                     "--requirement", lock]
        environment = {"UV_HTTP_TIMEOUT": "180", **os.environ}
        with subprocess.Popen(command, text=True, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            assert process.stderr  # a pipe was requested
            for line in process.stderr:
                said.append(line)
                if re.match(r"(Resolved|Prepared|Installed)\b", line):
                    print(f"setup: {line.strip().lower()}", flush=True)
        if process.returncode == 0:
            return True
    print(f"setup: uv could not install them{''.join(said[-3:]) and ': ' + ' '.join(''.join(said[-3:]).split())}; pip does")
    return False


def _places(pip: list[str | Path]) -> list[str]:
    """Return where pip's settings say that packages come from, as options of uv, which does not read them."""
    listed = subprocess.run([*pip, "config", "list"], text=True, capture_output=True, check=False).stdout
    options = []
    for option in ("index-url", "extra-index-url", "find-links"):
        said = dict(re.findall(rf"^(global|install|:env:)\.{option}=(.*)$", listed, re.MULTILINE))
        chosen = next((said[source] for source in (":env:", "install", "global") if source in said), "''")
        places = ast.literal_eval(chosen).split()  # a folder that does not exist is an error to uv, and nothing to pip
        options += [f"--{option}={place}" for place in places
                    if "://" in place.removeprefix("file://") or Path(place.removeprefix("file://")).exists()]
    # As pip does: the best version of all places, not the first place that has the package.
    return [*options, "--index-strategy=unsafe-best-match"]


def _by_pip(command: list[str | Path], wanted: int) -> None:
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
    sys.exit(main(tests=sys.argv[1:] == ["tests"]))
