"""What a student does on a machine of their own, done by a program: on Windows, macOS and Linux, for problem sets 1 to 3.

    python scripts/as_a_student.py             with the students' repository of this clone
    python scripts/as_a_student.py RELEASE     with what `make release` wrote into this folder

It follows docs/students.md: a new virtual environment, `pip install git+...`, `arena get`, the visible checks of what was handed
out and of solved files, a notebook, the board, the challenge, a replay; and at last a clone, installed as its README says.
Nothing of this repository is on the path of what runs; the solutions are copied from it. Standard library only. It says of each
step whether it worked, and ends with 0 if all did, else with 1.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
STUDENT = "student"  # the students' repository in a release
PROJECT = "mcts-to-alphazero"
SETS = ("ps1_games", "ps2_uct", "ps3_connect_four")
LONGEST_S = 900  # one command, a download of all packages included
WINDOWS = sys.platform == "win32"
# Windows stops a loop without an end by other means than Linux and macOS.
ENDLESS = """# %%
from arena.check import check
# %% check="1.1"
@check("1.1", "loop")
def check_1_1():
    while True:
        pass
"""
# With the limit of the course, this would take 20 s of CPU time.
SOON = "import sys; from arena import check, __main__; check.LONGEST_S = 0.3; sys.exit(__main__.main(['.']))"
SHIPPED = """
import random, arena
from arena import nets
from arena.players.perfect import GAME, PerfectPlayer
column = PerfectPlayer().choose(GAME.start(), 0, random.Random(0))
print(column, len(nets.games()), nets.find("tic_tac_toe").is_file(), arena.__file__)
"""
IMPORTS = """
import importlib, pkgutil, arena
for module in pkgutil.walk_packages(arena.__path__, "arena.", onerror=lambda name: None):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            if error.name not in ("torch", "numba", "rich", "typer"):
                raise
"""


class NotAsDocumented(Exception):
    """A step did not do what the documentation says; the text shows the command and its output."""


class Student:
    """A student with an empty folder, and the steps in their order.

    Args:
        room: an empty folder. Its name may hold blanks and letters that are not ASCII, as the folders of real people do.
        release: the folder with the students' repository, and with the zips, if there are any.
        packages: a folder with all packages that `arena` needs; None: pip downloads them.
    """

    def __init__(self, room: Path, release: Path, packages: Path | None = None) -> None:
        self.room, self.packages = room, packages
        self.published = release / STUDENT
        self.zips = sorted(release.glob("ps*.zip"))
        self.programs = room / "mcts" / ("Scripts" if WINDOWS else "bin")
        self.python = self.programs / ("python.exe" if WINDOWS else "python")
        self.home, self.work, self.clone = room / "home", room / "work", room / "clone"
        self.home.mkdir()
        self.work.mkdir()

    def steps(self) -> list[tuple[str, Callable[[], None]]]:
        """Return each step with its name. Up to `install_play` only what problem sets 1 to 3 need is installed."""
        return [
            ("pip install", self.install),
            ("arena --version", self.version),
            ("arena get", self.get),
            *([("unzip", self.unzip)] if self.zips else []),
            ("the visible checks of what was handed out", self.fresh),
            ("pytest in a folder", self.by_pytest),
            ("the cells of a notebook", self.notebook),
            ("the visible checks of solved files", self.solved),
            ("a loop without an end", self.endless),
            ("a reader who leaves", self.leaves),
            ("arena play", self.board),
            ("pip install, with [play]", self.install_play),
            ("every module is there", self.modules),
            ("the book and the networks are there", self.shipped),
            ("arena challenge and arena replay", self.challenge),
            ("arena ladder", self.ladder),
            ("git clone, and pip install in it", self.cloned),
        ]

    # -- the steps

    def install(self) -> None:
        """Make an environment, and install the students' repository into it by its address."""
        if not (self.published / ".git").is_dir():
            raise NotAsDocumented(f"{self.published} is not a git repository, and one is needed")
        self.run(sys.executable, "-m", "venv", self.room / "mcts")
        if self.packages:  # pip would download what builds: an old one, which Python 3.11 puts into each environment, must not
            self.run(self.python, "-m", "pip", "--disable-pip-version-check", "uninstall", "--yes", "setuptools")
            site = self.run(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
            Path(site, "packages.pth").write_text(f"{self.packages}\n", encoding="utf-8")
        self._install(f"git+{self.published.as_uri()}")

    def install_play(self) -> None:
        """Add what the challenge at home needs to what is installed."""
        self._install(f"{PROJECT}[play]")

    def version(self) -> None:
        """Ask the program `arena`, and not only the module, for its version."""
        released = re.search(r'^version = "(.*)"$', (self.published / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
        assert released  # pip has built it
        expect(self.run(self.programs / ("arena.exe" if WINDOWS else "arena"), "--version"),
               f"arena {released[1]} (Python {platform.python_version()})")

    def get(self) -> None:
        """Get the sets, and get one again, which changes nothing."""
        expect(self.arena("get"), *SETS)
        for name in SETS:
            output = self.arena("get", name)
            expect(output, f"{name}.ipynb", f"{name}.py", "pytest.ini")
        expect(self.arena("get", SETS[0]), "is there already, as it was handed out")

    def unzip(self) -> None:
        """Unpack the released zips: they hold what `arena get` writes."""
        for path in self.zips:
            zipfile.ZipFile(path).extractall(self.room / "unzipped")
        for got in sorted(path for path in self.work.glob("*/*") if path.is_file()):
            unpacked = self.room / "unzipped" / got.relative_to(self.work)
            if not unpacked.is_file() or unpacked.read_bytes() != got.read_bytes():
                raise NotAsDocumented(f"{got.name} of `arena get` is not that of the zip")

    def fresh(self) -> None:
        """Check what was handed out: nothing is written, and that is right for a fresh start."""
        for name in SETS:
            output = self.arena(name)
            expect(output, f"{name}.ipynb", "NOT WRITTEN", "exercises done: right for a fresh start")
            refuse(output, "NOT YET", "passed", "Skipped")

    def by_pytest(self) -> None:
        """Run one check with pytest in the folder of a set."""
        expect(self.run(self.python, "-m", "pytest", "-k", "1.1", cwd=self.work / SETS[0], status=1), "NOT WRITTEN", "1 failed")

    def notebook(self) -> None:
        """Run the cells of a notebook in a kernel, but for the experiments, which take minutes."""
        path = self.work / SETS[0] / "run.ipynb"
        content = json.loads((path.parent / f"{SETS[0]}.ipynb").read_text(encoding="utf-8"))
        content["cells"] = [cell for cell in content["cells"] if "experiment" not in cell["metadata"].get("tags", ())]
        path.write_text(json.dumps(content), encoding="utf-8")
        self.run(self.python, "-m", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--inplace", path.name,
                 cwd=path.parent)
        outputs = json.dumps([cell.get("outputs") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]])
        path.unlink()
        expect(outputs, "1.1 start   NOT WRITTEN", "joint everything together   NOT WRITTEN")

    def solved(self) -> None:
        """Check solved modules; one was saved as some editors on Windows save, with a mark at the beginning and CR LF."""
        for name in SETS:
            solution = (REPOSITORY / "solutions" / f"{name}.py").read_text(encoding="utf-8")
            encoding, newline = ("utf-8-sig", "\r\n") if name == SETS[1] else ("utf-8", "\n")
            (self.work / name / f"{name}.py").write_text(solution, encoding=encoding, newline=newline)
            output = self.arena(name)
            done = re.search(r"^(\d+) of (\d+) exercises done, and the optional", output, re.MULTILINE)
            form = output.count("   form only   ")
            expect(output, f"{name}.py", "joint everything together   passed")
            refuse(output, "NOT YET", "NOT WRITTEN", "Skipped")
            if not done or int(done[1]) + form != int(done[2]):
                raise NotAsDocumented(f"not all exercises are done:\n{output}")

    def endless(self) -> None:
        """Check a file whose code never ends: the check is stopped and says so."""
        (self.room / "endless").mkdir()
        (self.room / "endless" / "ps1_loop.py").write_text(ENDLESS, encoding="utf-8")
        expect(self.run(self.python, "-c", SOON, cwd=self.room / "endless"), "Not finished after 0.3 s")

    def leaves(self) -> None:
        """Let the reader of a command's output leave, as `| head -1` does: the command ends without a word."""
        with self._started(self.python, "-m", "arena", SETS[0]) as process:
            assert process.stdout and process.stderr  # pipes were asked for
            process.stdout.close()
            output = process.stderr.read()
            if output or process.wait(LONGEST_S) != 141:
                raise NotAsDocumented(f"arena, whose reader had left, ended with {process.returncode} and printed:\n{output}")

    def board(self) -> None:
        """Serve the board, open its page, and ask it for the games with the own player."""
        words = ("play", "--no-browser", "--port", "0", "--moves", "4435", "--player", SETS[2])
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with self._started(self.python, "-u", "-m", "arena", *words) as process:
            assert process.stdout and process.stderr  # pipes were asked for
            url = process.stdout.readline().partition("board: ")[2].partition("#")[0]
            if not url:
                raise NotAsDocumented(f"arena play printed no address:\n{process.stderr.read()}")
            with direct.open(url, timeout=60) as page:
                expect(page.read().decode(), "<html")
            question = urllib.request.Request(f"{url}ask?tab=one", json.dumps({"do": "games"}).encode(),
                                              {"Content-Type": "application/json", "Origin": url.rsplit("/", 2)[0]})
            with direct.open(question, timeout=60) as answer:
                expect(answer.read().decode(), "Your player")
            process.terminate()
            output = process.stderr.read()
            process.wait(60)
            refuse(output, "Traceback")

    def modules(self) -> None:
        """Import every module of `arena` that needs no package beside those that were installed."""
        self.run(self.python, "-W", "error::SyntaxWarning", "-c", IMPORTS)

    def shipped(self) -> None:
        """Let the perfect player open a game, which its book knows, and find the networks."""
        column, nets, has_network, place = self.run(self.python, "-c", SHIPPED).split(maxsplit=3)
        if (column, has_network) != ("3", "True") or int(nets) < 3 or not Path(place.strip()).is_relative_to(self.room / "mcts"):
            raise NotAsDocumented(f"column {column}, {nets} networks, {has_network}, {place}")

    def challenge(self) -> None:
        """Let the solved problem set 3 meet the first bot, and type the command that it prints at the end."""
        output = self.arena("challenge", SETS[2], "--rung", "Random")
        expect(output, "visible checks passed: ", "15 of 15 points", "saved: ")
        typed = re.search(r"^to see your games: (python -m arena replay .*)$", output, re.MULTILINE)
        if not typed:
            raise NotAsDocumented(f"no command shows a game:\n{output}")
        expect(self.run(typed[1], typed=True), "Random, game 1: you were X")

    def ladder(self) -> None:
        """Measure the solved problem set 3 at a few positions."""
        output = self.arena("ladder", SETS[2], "--each", "2")
        expect(output, "your uct, 400 simulations: ", "at 12 positions", "written: ladder.svg")

    def cloned(self) -> None:
        """Clone the repository and follow its README: the student's files are in `work/`."""
        self.run("git", "clone", "--quiet", self.published.as_uri(), self.clone)
        self._install("-e", ".", cwd=self.clone)
        place = self.run(self.python, "-c", "import arena; print(arena.__file__)").strip()
        if not Path(place).is_relative_to(self.clone):
            raise NotAsDocumented(f"after `pip install -e .` in the clone, arena is still {place}")
        expect(self.run(self.python, "-m", "arena", "get", SETS[1], cwd=self.clone), str(Path("work", SETS[1], f"{SETS[1]}.py")))
        expect(self.run(self.python, "-m", "arena", "check", SETS[1], cwd=self.clone), "right for a fresh start")

    # -- what the steps share

    def arena(self, *words: str) -> str:
        """Run `python -m arena` in the student's folder."""
        return self.run(self.python, "-m", "arena", *words)

    def run(self, *words: str | Path, cwd: Path | None = None, status: int = 0, typed: bool = False) -> str:
        """Run a command; return its output.

        Args:
            cwd: None: the folder with the student's work.
            status: with which the command must end.
            typed: the only word is a whole command, as a person types it into a terminal.

        Raises:
            NotAsDocumented: another status, no end, or a traceback of Python.
        """
        shown = " ".join(map(str, words))
        try:
            done = subprocess.run(shown if typed else list(map(str, words)), shell=typed, cwd=cwd or self.work,
                                  env=self._active(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LONGEST_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotAsDocumented(f"{shown}\n{error}") from None
        if done.returncode != status or "Traceback" in done.stdout:
            raise NotAsDocumented(f"{shown}\nended with {done.returncode} instead of {status}:\n{done.stdout}")
        return done.stdout

    @contextlib.contextmanager
    def _started(self, *words: str | Path) -> Iterator[subprocess.Popen[str]]:
        """Start a command with pipes; it is killed at the end of the block, or after LONGEST_S."""
        with subprocess.Popen(list(map(str, words)), cwd=self.work, env=self._active(), stdin=subprocess.DEVNULL, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            ending = threading.Timer(LONGEST_S, process.kill)
            ending.start()
            try:
                yield process
            finally:
                ending.cancel()
                process.kill()

    def _active(self) -> dict[str, str]:
        """Return the variables of a terminal with the student's environment active and without paths to other modules."""
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        return {**kept, "HOME": str(self.home), "VIRTUAL_ENV": str(self.room / "mcts"), "PATH": path}

    def _install(self, *what: str, cwd: Path | None = None) -> None:
        offline = ["--no-index", "--no-build-isolation"] if self.packages else []
        self.run(self.python, "-m", "pip", "--disable-pip-version-check", "install", *offline, *what, cwd=cwd)


def expect(output: str, *wanted: str) -> None:
    """Raise NotAsDocumented unless the output contains all of this."""
    missing = [text for text in wanted if text not in output]
    if missing:
        raise NotAsDocumented(f"the output lacks {' and '.join(map(repr, missing))}:\n{output}")


def refuse(output: str, *unwanted: str) -> None:
    """Raise NotAsDocumented if the output contains any of this."""
    present = [text for text in unwanted if text in output]
    if present:
        raise NotAsDocumented(f"the output contains {' and '.join(map(repr, present))}:\n{output}")


def take(steps: Iterable[tuple[str, Callable[[], None]]], tell: Callable[[str], None] = print) -> int:
    """Take the steps in their order and say how each went; return 0 if all worked, else 1.

    A failed step hides no later one; but after a failed first step there is nothing to try.
    """
    went: dict[str, bool] = {}
    for name, step in steps:
        began = time.monotonic()
        try:
            step()
            wrong = ""
        except NotAsDocumented as error:
            wrong = str(error)
        except Exception:  # a step may stumble over what a system does otherwise; the next ones tell more about it
            wrong = traceback.format_exc()
        went[name] = not wrong
        tell(f"{'FAILED' if wrong else 'ok':<8}{name} ({time.monotonic() - began:.0f} s)")
        if wrong:
            tell("        " + wrong.strip().replace("\n", "\n        "))
            if len(went) == 1:
                break
    failed = [name for name, worked in went.items() if not worked]
    here = f"{platform.system()} {platform.release()} with Python {platform.python_version()}"
    if failed or not went:
        tell(f"as a student on {here}: {len(failed)} of {len(went)} steps failed: {'; '.join(failed)}")
        return 1
    tell(f"as a student on {here}: all {len(went)} steps worked")
    return 0


def main(arguments: list[str]) -> int:
    """Take all steps in a new folder; return the exit status."""
    parser = argparse.ArgumentParser(description="Do what a student does on a machine of their own.")
    parser.add_argument("release", nargs="?", type=Path, help="a folder that `make release` wrote; default: one of this clone")
    parser.add_argument("--packages", type=Path, help="a folder with all packages that arena needs; default: pip downloads them")
    given = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace", line_buffering=True)  # a console on Windows does not know every character
    with (tempfile.TemporaryDirectory(prefix="Übungen von Jörg ", ignore_cleanup_errors=True) as room,
          tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made):
        release = (given.release or made_in(Path(made))).resolve()
        return take(Student(Path(room).resolve(), release, given.packages and given.packages.resolve()).steps())


def made_in(folder: Path) -> Path:
    """Make the students' repository of this clone in a folder, as a release has it; return the folder."""
    command = [sys.executable, "-m", "scripts.student_repository", str(folder / STUDENT)]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    return folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
