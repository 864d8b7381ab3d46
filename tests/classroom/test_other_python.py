"""Another Python that we promise gives the same class the same points, with the packages of requirements.lock.

torch stays out: the set that is graded here needs none, and its build for graphics cards is as large as everything else together.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.files import write_atomic
from autograder.selftest.demo.course import demo_files
from autograder.selftest.demo.members import expected_of
from scripts import install
from tests.pythons import python_with_packages
from tests.students import hand_in, solved

pytestmark = pytest.mark.usefixtures("whole_world")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"
CLASS = ("ada", "bela", "gita", "petra", "umar")  # right in both forms, wrong, written by half, with a syntax error


def here() -> tuple[int, int]:
    return sys.version_info[:2]


def others() -> list[tuple[int, int]]:
    return [version for version in install.PYTHONS if version != here()]


def run(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                          text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)


@pytest.fixture(scope="module", params=others(), ids="{0[0]}.{0[1]}".format)
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The interpreter of a virtual environment of another Python, which holds the locked packages."""
    folder = tmp_path_factory.mktemp("other")
    python = python_with_packages(request.param, folder)
    yield python
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that nobody has graded yet, with the secret of its edition."""
    folder = tmp_path_factory.mktemp("class")
    for name, text in demo_files(PS).items():
        if name.partition("/")[0] in CLASS:
            write_atomic(folder / "submitted" / name, text)
    (folder / "edition.secret").write_text("the same edition on both")
    return folder


def points(python: Path, course: Path, to: Path) -> list[dict[str, str]]:
    """The rows of `grades.csv` after a copy of the class was graded with this interpreter; a note may name its version."""
    shutil.copytree(course, to)
    done = run(python, "-m", "autograder", "grade", to, "--ps", PS, "--workers", "2", "--no-feedback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"graded {len(CLASS)} of {len(CLASS)} submissions, 0 grader faults" in done.stdout
    with (to / "grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(re.sub(r"Python 3\.\d+", "Python", line) for line in file))


@pytest.fixture(scope="module")
def ours(course: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    return points(Path(sys.executable), course, tmp_path_factory.mktemp("here") / "course")


def test_another_python_gives_the_same_points(
        other: Path, course: Path, ours: list[dict[str, str]], tmp_path: Path) -> None:
    done = run(other, "-c", "import sys; print(sys.version_info[:2]); import torch")
    assert done.stdout.strip() != str(here()) and "No module named 'torch'" in done.stderr
    assert points(other, course, tmp_path / "course") == ours
    assert {row["student"]: float(row["total"]) for row in ours} == {name: expected_of(PS)[name].points for name in CLASS}


NEW = 'x = f"{"quotes"}"\n'  # Python 3.12


def test_another_python_is_refused_and_when_it_is_accepted_each_change_is_told(other: Path, tmp_path: Path) -> None:
    """a course of this Python's, with an exercise that holds an f-string of 3.12"""
    course = tmp_path / "course"
    text = solved(PS)
    begin = text.index("    mean =", text.index("def ucb("))
    hand_in(course, "ada", PS, f"{text[:begin]}    {NEW}{text[begin:]}")
    grade = ("-m", "autograder", "grade", course, "--no-feedback", "--workers", "2")
    assert run(sys.executable, *grade).returncode == 0
    before = (course / "final.csv").read_bytes()
    note = json.loads((course / "reports" / "ada" / f"{PS}.json").read_text())["note"]
    line = text[:begin].count("\n") + 1
    assert (f"and {PS}.py, line {line}, needs Python 3.12 (quotes, " in note) == (here() < (3, 12))
    refused = run(other, *grade)
    assert (refused.returncode, refused.stdout, (course / "final.csv").read_bytes()) == (2, "", before)
    version = run(other, "-c", "import sys; print('{}.{}'.format(*sys.version_info))").stdout.strip()
    assert f"is graded with Python {'{}.{}'.format(*here())}, and this is Python {version}," in refused.stderr
    shown = run(other, "-m", "autograder", "staff", "differences", course)
    accepted = run(other, *grade, "--accept-python")
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    read = [tuple(map(int, name.split("."))) >= (3, 12) for name in ("{}.{}".format(*here()), version)]
    changes = [line.strip() for line in accepted.stdout.splitlines() if line.endswith("(python)")]
    changed = ["ada  2.6  0 -> 10  (python)", "ada  joint  0 -> 5  (python)"]
    back = ["ada  2.6  10 -> 0  (python)", "ada  joint  5 -> 0  (python)"]
    assert changes == {(False, True): changed, (True, False): back}.get((read[0], read[1]), [])
    assert shown.stdout.splitlines()[:-1] == changes
    assert (course / "changes.csv").read_text().count(",python,") == len(changes)
    assert run(other, *grade).returncode == 0 and run(sys.executable, *grade).returncode == 2
