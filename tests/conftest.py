"""The three speeds of the tests (speeds.py), how to run one test alone, and what all folders share."""

import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from tests.once import once
from tests.speeds import Speed, costs, speed_of

ROOT = Path(__file__).resolve().parents[1]
SPEED = pytest.StashKey[Speed]()
SECONDS = {Speed.QUICK: 0.02, Speed.TEST: 1.0, Speed.ALL: 8.0}  # that a test takes, very roughly
STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "os.spawn")
_now = SimpleNamespace(quick=False, started="")  # whether the test that runs now is quick, and what it started all the same


@pytest.fixture(scope="session")
@costs(Speed.TEST)
def processes() -> None:
    """For a test that starts a process: a command, a server, a sandbox, nbgrader, a browser."""


@pytest.fixture(scope="session")
@costs(Speed.TEST)
def computing() -> None:
    """For a test that computes for seconds: it trains, compiles, searches or plays many games."""


@pytest.fixture(scope="session")
@costs(Speed.ALL)
def repetition() -> None:
    """For a test that repeats what another test shows once: on more problem sets, games, seeds, or for longer."""


@pytest.fixture(scope="session")
@costs(Speed.ALL)
def whole_world() -> None:
    """For a test that needs a world of its own: another user, a hub, a cluster, another Python, a semester."""


@pytest.fixture(scope="session")
def prepared(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that has released ps2_uct, and nobody has handed in; it is copied, and never used itself."""
    from autograder.gradebook.course import prepare  # imports nbgrader, which most runs do not need
    return once(tmp_path_factory, "prepared", lambda folder: prepare(folder / "course", "ps2_uct")) / "course"


@pytest.fixture(scope="session")
@costs(Speed.TEST)
def demo_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo class of ps2_uct, not graded yet; it is copied, and never used itself."""
    from autograder.selftest.demo import build_demo
    return once(tmp_path_factory, "demo", lambda folder: build_demo(folder / "course", "ps2_uct")) / "course"


def pytest_addoption(parser: pytest.Parser) -> None:
    speeds = [speed.name.lower() for speed in Speed]
    parser.addoption("--speed", choices=speeds, default="all", help="run the tests of this speed and of all before it")
    parser.addoption("--screenshots", action="store_true", help="keep what the tests of pages see in build/screenshots/")
    parser.addoption("--beyond", choices=speeds, help="leave out the tests of this speed and of all before it")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "again: a case that repeats what another case shows (tests/speeds.py)")
    config.addinivalue_line("markers", "first_shows: all cases but the first repeat what the first one shows")
    # The tests before a commit draw the same values each time; the nightly run draws new ones.
    settings.register_profile("repeatable", derandomize=True)
    if most_speed(config) < Speed.ALL:
        settings.load_profile("repeatable")
    # absl, which a peer of the benchmarks brings, keeps the standard error that it finds at its import, and closes it when
    # nbgrader sets up its own log: it must not be pytest's file.
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled(), suppress(ImportError):
        import absl.logging  # noqa: F401


def most_speed(config: pytest.Config) -> Speed:
    """The speed of the slowest tests that this run has."""
    return Speed[config.getoption("speed").upper()]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file that says of all its tests that they are slower: it needs not even be imported."""
    if collection_path.suffix != ".py":
        return None
    match = re.search(r"^pytestmark = .*\n?.*usefixtures\(\"(\w+)\"\)", collection_path.read_text(encoding="utf-8"), re.M)
    return True if match and getattr(globals().get(match[1]), "speed", Speed.QUICK) > most_speed(config) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """What is imported and collected stays until the end: looking through it for garbage again and again finds none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    most = most_speed(config)
    beyond = config.getoption("beyond")
    least = Speed[beyond.upper()] + 1 if beyond else Speed.QUICK
    chosen, left_out = [], []
    for item in items:
        item.stash[SPEED] = speed_of(item)
        (chosen if least <= item.stash[SPEED] <= most else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    items[:] = _long_files_first(chosen)


def _long_files_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests by file, the file first that probably takes longest: at the end no worker waits for a long one."""
    seconds: dict[Path, float] = {}
    for item in items:
        seconds[item.path] = seconds.get(item.path, 0.0) + SECONDS[item.stash[SPEED]]
    return sorted(items, key=lambda item: -seconds[item.path])  # the order within a file stays


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _now.quick, _now.started = item.stash[SPEED] == Speed.QUICK, ""
    try:
        return (yield)
    finally:
        _now.quick = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A refusal may end in an `except` or in a thread: the test fails all the same."""
    result = yield
    if _now.started:
        pytest.fail(_now.started, pytrace=False)
    return result


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    if event in STARTS and _now.quick:
        _now.started = f"a quick test starts a process ({event} {arguments}): it needs the fixture `processes` (speeds.py)"
        pytest.fail(_now.started)


sys.addaudithook(_refuse_processes)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[pytest.TestReport]:
    report: pytest.TestReport = yield
    if report.failed:
        report.sections.append(("run it alone", f"{os.path.relpath(sys.executable, ROOT)} -m pytest '{item.nodeid}'"))
    return report
