"""The three speeds: which tests each has, what a quick test may not do, and what is built once a run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = "from tests.conftest import *\n"
TESTS = """
import pytest
from tests.speeds import again

@pytest.fixture
def server(processes):
    return 1

def test_quick():
    pass

def test_by_a_fixture_of_a_fixture(server):
    pass

@pytest.mark.usefixtures("computing")
def test_by_a_mark():
    pass

def test_a_world(whole_world, server):
    pass

@pytest.mark.parametrize("number", [again(7)])
def test_a_case(number):
    pass
"""
SPEEDS = {"test_quick": "quick", "test_by_a_fixture_of_a_fixture": "test", "test_by_a_mark": "test",
          "test_a_world": "all", "test_a_case": "all"}


def ran(folder: Path, tests: str, *options: str) -> tuple[set[str], str]:
    """The tests that passed in a folder with our conftest, and all that pytest said."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_small.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\n")
    printed = pytest_in(folder, "-v", *options, "test_small.py")
    return set(re.findall(r"::(\w+)(?:\[\S+\])? PASSED", printed)), printed


def pytest_in(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", *options]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout


@pytest.mark.first_shows
@pytest.mark.parametrize("options, speeds", [
    ((), {"quick", "test", "all"}), (("--speed", "quick"), {"quick"}), (("--speed", "test"), {"quick", "test"}),
    (("--beyond", "test"), {"all"}),
])
def test_a_speed_has_its_own_tests_and_those_of_all_before_it(tmp_path: Path, options: tuple[str, ...], speeds: set[str]) -> None:
    assert ran(tmp_path, TESTS, *options)[0] == {name for name, speed in SPEEDS.items() if speed in speeds}


@pytest.mark.first_shows
@pytest.mark.parametrize("body", [
    "subprocess.run(['true'])", "os.system('true')", "os.fork() or os._exit(0)",
    "threading.Thread(target=subprocess.run, args=(['true'],)).start(); time.sleep(1)",
    "contextlib.suppress(BaseException).__enter__()\n    try: subprocess.run(['true'])\n    except BaseException: pass",
])
def test_a_quick_test_that_starts_a_process_fails_and_reads_what_it_needs(tmp_path: Path, body: str) -> None:
    code = f"import contextlib, os, subprocess, threading, time\n\ndef test_starts():\n    {body}\n"
    passed, printed = ran(tmp_path, code)
    assert passed == set() and "1 failed" in printed
    assert "it needs the fixture `processes`" in printed
    assert ran(tmp_path, code.replace("test_starts()", "test_starts(processes)"))[0] == {"test_starts"}


def test_a_file_whose_tests_are_all_slower_is_not_imported(tmp_path: Path) -> None:
    marks = 'pytestmark = [pytest.mark.skipif(False, reason="never"),\n              pytest.mark.usefixtures("whole_world")]'
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_broken.py").write_text(f"import pytest\n{marks}\n1 / 0\n")
    assert "no tests ran" in pytest_in(tmp_path, "--speed", "test")
    assert "ZeroDivisionError" in pytest_in(tmp_path)


def test_a_failure_says_how_to_run_the_test_alone(tmp_path: Path) -> None:
    _, printed = ran(tmp_path, "def test_wrong():\n    assert 1 == 2\n")
    alone = re.search(r"^.*-m pytest 'test_small\.py::test_wrong'$", printed, re.M)
    assert alone


BUILDS = """
from pathlib import Path
import pytest
from tests.once import once

@pytest.mark.parametrize("number", range(6))
def test_it_is_there(tmp_path_factory, number):
    def build(folder):
        with Path(__file__).with_name("built").open("a") as file:
            file.write("x")
        {body}
    assert (once(tmp_path_factory, "thing", build) / "made").exists()
"""


@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("workers", ["0", "3"])
def test_all_workers_share_what_is_built_once(tmp_path: Path, workers: str) -> None:
    passed, printed = ran(tmp_path, BUILDS.format(body="(folder / 'made').touch()"), "-n", workers)
    assert "6 passed" in printed
    assert (tmp_path / "built").read_text() == "x"


@pytest.mark.usefixtures("repetition")
def test_a_build_that_failed_is_not_tried_again(tmp_path: Path) -> None:
    _, printed = ran(tmp_path, BUILDS.format(body="raise OSError('no room')"), "-n", "2")
    assert "6 failed" in printed and "thing could not be built, see the first test that needed it: OSError('no room')" in printed
    assert (tmp_path / "built").read_text() == "x"


def test_the_targets_of_the_makefile_run_every_test_once() -> None:
    """`test` and `test-rest` together are `test-all`; the gate runs the first, and each night runs both."""
    def command(target: str) -> str:
        return subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "--speed quick" in command("quick") and "--speed test" in command("test") and "--beyond test" in command("test-rest")
    assert all(command(part).splitlines()[-1] in command("test-all") for part in ("test", "test-rest"))
    gate = (ROOT / ".ci" / "run").read_text()
    assert re.search(r"^for target in .*\btest\b.*; do$", gate, re.M)
    assert "make test-all" in (ROOT / ".github" / "workflows" / "nightly.yml").read_text()
