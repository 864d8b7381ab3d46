"""Make `.venv` from the lock files and install the system packages. Runs on a bare Python: standard library only.

`install.py` installs what grading and students need, `install.py tests` also what tests, tools and documentation need.
`install.py archive` is for an unpacked archive of one problem set (autograder/platforms), which is not a project to install.
Python packages are installed once per lock file: a stamp in `.venv` contains the lock, the folder and the interpreter, so a
second run returns at once. The machine decides where packages come from: pip's settings hold, also where uv installs.
`PYTHON=python3.14 make setup` chooses the interpreter, and `.venv` keeps it until another one is named.
"""
from __future__ import annotations

import ast
import ctypes
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
TESTS_LOCK = ROOT / "requirements-tests.lock"
STAMP = VENV / "made-from"
COMPILING_LOCK = VENV / "compiling.lock"
CHOSEN = "MCTS_SETUP_PYTHON"     # in the environment of an interpreter that this file has chosen: it chooses no other
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))     # for which every locked package is built: tests/unit/test_locks.py
SYSTEM_PACKAGES = ("bubblewrap", "libseccomp2")
OF_THE_TESTS = ("chromium-headless-shell", "graphviz", "postgresql")
TESTS_PACKAGES = (*SYSTEM_PACKAGES, *OF_THE_TESTS)
SANDBOXED = ("numpy", "torch", "sympy", "mpmath", "networkx")     # what a sandbox imports; the last three for torch
# What numba compiles is called by these tests. Each line is a run of its own, beside the others.
PLAYING = (("test_board_session.py::test_every_opponent_plays_a_legal_move",
            "test_exam_validation.py::test_every_flaw_plays_other_moves"),
           ("test_exam_validation.py::test_a_true_score_comes_with_its_interval_and_what_was_lost_off_the_board",
            "test_players_puct.py::test_tic_tac_toe_is_proved_and_every_proof_is_minimax",
            "test_players_halving.py::test_where_nothing_was_found_the_improved_policy_is_the_prior",
            "test_challenge.py::test_a_right_search_passes_and_a_random_one_does_not"))
OURS = ("arena", "autograder", "solutions", "tests", "trainer")
COMPILING = f"""import compileall, os, sysconfig
base = sysconfig.get_path('purelib')
for folder in [*(os.path.join(base, name) for name in {SANDBOXED}), *{[str(ROOT / name) for name in OURS]}]:
    compileall.compile_dir(folder, quiet=2)
"""
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first takes half of the time


def main(tests: bool = False, archive: bool = False) -> int:
    """Install everything that is missing; return the exit status.

    Args:
        tests: whether to install what only the tests, the tools and the documentation need, too.
        archive: whether this is an unpacked archive of one problem set: the project is not installed.
    """
    other = _other_python()
    if other:
        return subprocess.call([other, __file__, *sys.argv[1:]], env={**os.environ, CHOSEN: "yes"})
    _system_packages(TESTS_PACKAGES if tests else SYSTEM_PACKAGES)
    start = time.monotonic()
    missing = [lock for lock in ((LOCK, TESTS_LOCK) if tests else (LOCK,)) if not _is_installed(lock)]
    try:
        if LOCK in missing:
            _virtual_environment()
        for lock in missing:
            _python_packages(lock)
            if lock == LOCK:
                _compile_everything() if archive else _install_ourselves()
            _stamp_of(lock).write_text(_stamp(lock))
        if TESTS_LOCK in missing:
            _compile_for_tests()
        if missing and not archive:
            _compile_ahead()
    except subprocess.CalledProcessError as error:
        print(f"setup: `{' '.join(map(str, error.cmd))}` ended with status {error.returncode}; run `make setup` again")
        return 1
    if missing:
        print(f"setup: done in {time.monotonic() - start:.0f} s")
    return 0


def _other_python() -> str:
    """Return the interpreter that is to go on in the place of this one; "" if this one is.

    The one that PYTHON names; else the one that made `.venv`; else, if this one does not fit, the newest on PATH that does.
    An old interpreter runs this file only up to this call; where none fits, it ends here, with one sentence.
    """
    if CHOSEN in os.environ:
        return ""
    asked, here = os.environ.get("PYTHON", ""), sys.version.split()[0]
    python = asked or _made_venv()
    if asked and not _fits(_version(asked)):
        sys.exit(f"setup: PYTHON={asked} is {_unfit(_version(asked))}")
    if not python and not _fits(here):
        names = [f"python{major}.{minor}" for major, minor in reversed(PYTHONS)]
        python = next((name for name in names if _fits(_version(name))), "")
        if not python:
            sys.exit(f"setup: this is {_unfit(here)}")
    python = shutil.which(python) or ""
    return python if python and os.path.realpath(python) != os.path.realpath(sys.executable) else ""


def _made_venv() -> str:
    """Return the interpreter that made `.venv`, if it is still there and the locked packages fit it."""
    try:
        settings = dict(re.findall(r"^(\w+) = (.*)$", (VENV / "pyvenv.cfg").read_text(), re.MULTILINE))
    except OSError:
        return ""
    program = settings.get("executable", "")
    return program if _fits(settings.get("version", "")) and os.access(program, os.X_OK) else ""


def _version(name: str) -> str:
    """Return the version of an interpreter, such as 3.12.1; "" if it does not run: a name on PATH may be an empty shell."""
    try:
        done = subprocess.run([name, "-c", "import sys; print(sys.version.split()[0])"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return ""
    return done.stdout.decode().strip() if done.returncode == 0 else ""


def _minor(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def _fits(version: str) -> bool:
    return _minor(version) in PYTHONS


def _unfit(version: str) -> str:
    """Say what is wrong with this version, and what to do."""
    names = [f"{major}.{minor}" for major, minor in PYTHONS]
    too = "new" if _minor(version) > PYTHONS[-1] else "old"
    wrong = f"Python {version}, too {too} for the locked packages" if version else "no Python that runs"
    return f"{wrong}: install Python {', '.join(names[:-1])} or {names[-1]}, then run `PYTHON=python{names[-1]} make setup`"


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
    installed = {
        "bubblewrap": shutil.which("bwrap"), "graphviz": shutil.which("dot"), "libseccomp2": _loads("libseccomp.so.2"),
        "chromium-headless-shell": shutil.which(CHROMIUM[0]) or any(map(shutil.which, CHROMIUM)) and not _in_apt(CHROMIUM[0]),
        "postgresql": shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb")),
    }
    missing = [package for package in packages if not installed[package]]
    try:
        import ensurepip  # noqa: F401  (Debian ships Python without it)
    except ImportError:
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    return missing


def _in_apt(package: str) -> bool:
    """Whether apt-get would find the package, which not every distribution has."""
    return bool(shutil.which("apt-cache")) and not subprocess.call(
        ["apt-cache", "show", "--no-all-versions", package], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


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
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"setup: installing {', '.join(missing)}", flush=True)
        _apt_get("update", "-q")     # go on if it fails: the old list may be enough
        _apt_get("install", "-y", "-q", "--no-install-recommends", *map(_known_as, missing))
        missing = _missing(packages)
    if missing:
        what = "the tests need" if set(missing) <= set(OF_THE_TESTS) else "grading needs"
        print(f"setup: {what} missing packages, please run: sudo apt-get install {' '.join(map(_known_as, missing))}")


def _apt_get(*arguments: str) -> None:
    subprocess.run(["apt-get", *arguments], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _known_as(package: str) -> str:
    """The package, or what has its place in a distribution that has not that one."""
    return CHROMIUM[1] if package == CHROMIUM[0] and not _in_apt(package) else package


def _virtual_environment() -> None:
    print(f"setup: virtual environment in {VENV.name}", flush=True)
    if VENV.is_symlink():  # another working copy owns the target and needs it: remove only the link
        VENV.unlink()
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)


def _python_packages(lock: Path) -> None:
    """Install the locked packages, by uv if possible."""
    print(f"setup: {len(lock.read_text().split())} packages from {lock.name} (about half a minute)", flush=True)
    pip: list[str | Path] = [VENV / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    if not _by_uv(pip, lock):
        subprocess.run([*pip, "install", "--requirement", lock], check=True, stdin=subprocess.DEVNULL)


def _install_ourselves() -> None:
    """Install this project itself, editable."""
    subprocess.run([VENV / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps",
                    "--no-build-isolation", "--editable", ROOT], check=True)


def _compile_everything() -> None:
    """Compile all files now: an image is used many times, and each container would begin anew."""
    subprocess.run([VENV / "bin" / "python", "-m", "compileall", "-q", ROOT], check=False, stdout=subprocess.DEVNULL)


def _compile_ahead() -> None:
    """Start to compile all packages, first what student code imports; it goes on in the background, behind everything else.

    A sandbox cannot keep what it compiled: it may not write. Nor can anything where PYTHONDONTWRITEBYTECODE is set, as in many
    images: there, every command would compile nbgrader again, which takes longer than its work.
    It holds a lock on COMPILING_LOCK to its end, for whoever must wait until no file changes any more.
    """
    code = f"import os; os.nice(19)\n{COMPILING}compileall.compile_dir(base, quiet=2)"
    with COMPILING_LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)  # an earlier one may still be at work
        _python("-c", code, start_new_session=True, pass_fds=[lock.fileno()])


def _compile_for_tests() -> None:
    """Compile what would otherwise be compiled during the tests, by several of their workers at the same time.

    A sandbox needs SANDBOXED. pytest compiles the tests in a way of its own, which takes a worker 15 s. And numba compiles what
    plays, which takes a minute: PLAYING calls all of it.
    """
    print("setup: compiling what the tests import (about a minute)", flush=True)
    pytest = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    playing = [(*pytest, *(f"tests/unit/{test}" for test in tests)) for tests in PLAYING]
    steps = (("-c", COMPILING), (*pytest, "--collect-only"), *playing)
    for step in [_python(*step) for step in steps]:  # all of them at the same time
        step.wait()  # if a step failed, go on: a test will say more


def _python(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start the Python of the environment, silently; it keeps what it compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen([VENV / "bin" / "python", *arguments], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def _by_uv(pip: list[str | Path], lock: Path) -> bool:
    """Install with uv, which takes a fifth of pip's time, and say what it is doing; return False if it could not."""
    uv = [line for line in LOCK.read_text().split() if line.startswith("uv==")]
    output: list[str] = []
    if subprocess.run([*pip, "install", "--quiet", *uv], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        places = _places(pip)
        command: list[str | Path] = [VENV / "bin" / "uv", "pip", "install", "--python", VENV / "bin" / "python", *places,
                                     "--requirement", lock]
        for build in (["--torch-backend=cpu"], []) if _plain(places) and "torch==" in lock.read_text() else ([],):
            status, output = _shown([*command, *build])
            if status == 0:
                return True
    print(f"setup: uv could not install them{''.join(output[-3:]) and ': ' + ' '.join(''.join(output[-3:]).split())}; pip does")
    return False


def _plain(places: list[str]) -> bool:
    """Say whether no setting of the machine or the user names a source of packages.

    Then PyTorch's build for processors is taken where PyTorch's own registry answers: it is a tenth of the one for graphics cards
    and their libraries. `UV_TORCH_BACKEND=auto make setup` takes what fits the card.
    """
    return len(places) == 1 and not any(re.match(r"UV_(TORCH_BACKEND|.*INDEX|FIND_LINKS|OFFLINE)", name) for name in os.environ)


def _shown(command: list[str | Path]) -> tuple[int, list[str]]:
    """Run uv and show its steps; return its status and the lines of its output."""
    output: list[str] = []
    with subprocess.Popen(command, text=True, env={"UV_HTTP_TIMEOUT": "180", **os.environ}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr  # a pipe was requested
        for line in process.stderr:
            output.append(line)
            if re.match(r"(Resolved|Prepared|Installed)\b", line):
                print(f"setup: {line.strip().lower()}", flush=True)
    return process.returncode, output


def _places(pip: list[str | Path]) -> list[str]:
    """Return where pip's settings say that packages come from, as options of uv, which does not read them."""
    listed = subprocess.run([*pip, "config", "list"], text=True, capture_output=True, check=False).stdout
    options = []
    for option in ("index-url", "extra-index-url", "find-links"):
        settings = dict(re.findall(rf"^(global|install|:env:)\.{option}=(.*)$", listed, re.MULTILINE))
        chosen = next((settings[source] for source in (":env:", "install", "global") if source in settings), "''")
        places = ast.literal_eval(chosen).split()  # a folder that does not exist is an error to uv, and nothing to pip
        options += [f"--{option}={place}" for place in places
                    if "://" in place.removeprefix("file://") or Path(place.removeprefix("file://")).exists()]
    # As pip does: the best version of all places, not the first place that has the package.
    return [*options, "--index-strategy=unsafe-best-match"]


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback, and make says so
    sys.exit(main(tests=sys.argv[1:] == ["tests"], archive=sys.argv[1:] == ["archive"]))
