"""The files that `pip install` of this repository gives a student: `arena` with all that it loads, and nothing of the staff."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.problem_sets.source import load, module_text, names
from autograder.selftest.leaks import leaks
from tests.unit.small_player import SMALL

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
BUILT_FROM = ("arena", "assets", "assignments", "autograder", "trainer", "solutions", "tests/hidden")  # not all may travel
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
PLAYS = """
import random
from arena import nets
from arena.games import ConnectFour
from arena.players.perfect import PerfectPlayer
import arena
game = ConnectFour()
print(PerfectPlayer().choose(game.start(), 0, random.Random(0)), len(nets.games()), nets.find("tic_tac_toe"), arena.__file__)
"""


def run(*command: object, cwd: Path, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**kept, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, because a build leaves its files in it."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in BUILT_FROM:
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    return copy


def wheel_of(source: Path, room: Path) -> Path:
    """Build the wheel of a source folder as pip does, without downloads."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-index", "--no-deps")
    run(*pip, "--no-build-isolation", "--wheel-dir", room, source, cwd=room)
    return next(room.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(checkout, tmp_path_factory.mktemp("wheel"))


def contents(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_all_of_arena_with_what_it_loads_and_nothing_else(wheel: Path) -> None:
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "arena").rglob("*.py")}
    nets = {f"arena/assets/nets/{path.name}" for path in (ROOT / "assets" / "nets").glob("*.npz")}
    assert len(modules) > 30 and len(nets) > 5
    assets = {f"arena/assets/{name}" for name in ("connect_four_book.npz", "connect_four_positions.npz", "nets/README.md",
                                                 "strength/points.json")}
    loaded = assets | {"arena/challenge/rungs.toml"}
    sets = {f"arena/{path.relative_to(ROOT)}" for name in names()
            for path in (ROOT / "assignments" / name).iterdir() if path.name in (f"{name}.py", f"{name}.ipynb", "pytest.ini")}
    assert len(sets) == 15
    page = {f"arena/board/static/{path.name}" for path in (ROOT / "arena" / "board" / "static").iterdir()}
    assert contents(wheel) == modules | nets | loaded | page | sets


def test_nothing_of_the_staff_s_is_in_the_wheel(wheel: Path) -> None:
    assert leaks(wheel) == []


def test_the_wheel_of_a_source_archive_is_the_same(checkout: Path, wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-c", f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})", cwd=checkout)
    archive = next(tmp_path.glob("*.tar.gz"))
    assert leaks(archive) == []
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    (tmp_path / "again").mkdir()
    assert contents(wheel_of(unpacked, tmp_path / "again")) == contents(wheel)


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed; only its packages and their requirements can be imported from there."""
    site = tmp_path_factory.mktemp("installed") / "site"
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", site, wheel, cwd=site.parent)
    return site


def test_what_is_installed_runs_the_visible_checks_of_a_set(site: Path, tmp_path: Path) -> None:
    (tmp_path / "ps2_uct.py").write_text(module_text(load("ps2_uct"), solution=True))
    said = run(sys.executable, "-m", "arena", tmp_path, cwd=tmp_path, PYTHONPATH=str(site))
    assert "2.5" in said and "NOT YET" not in said and "NOT WRITTEN" not in said


def test_what_is_installed_says_its_version(site: Path, tmp_path: Path) -> None:
    number = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)[1]
    said = run(sys.executable, "-m", "arena", "--version", cwd=tmp_path, PYTHONPATH=str(site))
    assert said.startswith(f"arena {number} (Python ") and not (site / "pyproject.toml").exists()
    assert run(sys.executable, site / "bin" / "arena", "--version", cwd=tmp_path, PYTHONPATH=str(site)) == said


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for the compiled players: they are compiled once."""
    return str(tmp_path_factory.mktemp("numba"))


def test_what_is_installed_plays_with_its_book_and_finds_its_networks(site: Path, tmp_path: Path, compiled: str) -> None:
    told = run(sys.executable, "-c", PLAYS, cwd=tmp_path, PYTHONPATH=str(site), NUMBA_CACHE_DIR=compiled).split()
    assert told[0] == "3" and int(told[1]) > 100  # the middle wins: that is 41 plies deep, and in the book
    assert told[2:] == [str(site / "arena/assets/nets/tic_tac_toe.npz"), str(site / "arena/__init__.py")]


def test_what_is_installed_climbs_the_ladder_and_shows_a_game_again(site: Path, tmp_path: Path, compiled: str) -> None:
    (tmp_path / "ps3_connect_four.py").write_text(SMALL)
    arena = (sys.executable, "-m", "arena")
    where = {"cwd": tmp_path, "PYTHONPATH": str(site), "NUMBA_CACHE_DIR": compiled}
    assert "15 of 15 points" in run(*arena, "challenge", ".", "--rung", "Random", **where)
    assert "Random, game 2: you were O and won" in run(*arena, "replay", "challenge.json", "--game", "2", **where)


def test_the_editable_install_finds_the_staff_s_packages_from_any_folder(checkout: Path, tmp_path: Path) -> None:
    """nbgrader reads a course's configuration in the course folder, and it imports from `autograder`."""
    build = f"from setuptools import build_meta; build_meta.build_editable({str(tmp_path)!r})"
    run(sys.executable, "-c", build, cwd=checkout)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        archive.extractall(tmp_path / "site")
    look = "import site, sys; site.addsitedir(sys.argv[1]); import arena, autograder.paths as staff, trainer"
    told = run(sys.executable, "-S", "-c", f"{look}; print(arena.__file__, trainer.__file__, staff.__file__)",
               tmp_path / "site", cwd=tmp_path)
    names = ("arena/__init__.py", "trainer/__init__.py", "autograder/paths.py")
    assert told.split() == [str(checkout / name) for name in names]
