"""Faults of a machine during grading: full disks, missing programs, damaged and locked gradebooks, dying sandboxes.

Each fault ends in a sentence or in a report, never in a traceback, and the next run ends as an undisturbed run would.
(Kills and Ctrl-C: test_interrupted.py. A suite of ours that raises: tests/unit/test_outcomes.py.)
"""

import csv
import ctypes
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.students import hand_in, solved

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"
STUDENTS = ("ada", "bela")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A class of two, not graded yet."""
    for number, student in enumerate(STUDENTS):
        hand_in(tmp_path / "course", student, PS, solved(PS, f"x = {number}"))
    return tmp_path / "course"


def grade(course: Path, before: str = "", **options: object) -> subprocess.CompletedProcess:
    """Run `make grade`'s command; `before` is Python code that runs first in the grader's process."""
    code = f"{before}\nimport sys\nsys.argv = ['autograder', 'grade', {str(course)!r}, '--workers', '2']\n"
    code += "from autograder.cli.app import main\nif __name__ == '__main__':\n    main()"
    options = {"cwd": ROOT, **options}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False, **options)


def refused(done: subprocess.CompletedProcess, sentence: str) -> None:
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    assert done.returncode == 2 and sentence in done.stderr, (done.returncode, done.stderr)


def goes_on(course: Path) -> None:
    """The next run, on a machine without faults, has all students."""
    done = grade(course)
    assert done.returncode == 0, done.stderr
    assert "graded 2 of 2 submissions, 0 grader faults" in done.stdout
    rows = (course / "grades.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == list(STUDENTS) and all("100" in row for row in rows[1:])


@pytest.fixture
def own_repository(tmp_path: Path) -> Path:
    """A copy of the grading code, to be damaged."""
    for name in ("autograder", "arena", "solutions", "assignments", "assets", "tests/hidden"):
        shutil.copytree(ROOT / name, tmp_path / "own" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / "own")
    return tmp_path / "own"


@pytest.mark.usefixtures("whole_world")
def test_a_hidden_check_of_ours_that_raises_leaves_everybody_undecided_until_it_is_mended(course, own_repository):
    """points are neither given nor taken, not even by a score that is already there; and every student reads it"""
    wrong = "def backpropagate(node, value):\n    node.num_visits += 1\n"
    hand_in(course, "dora", PS, solved(PS, "x = 0") + wrong)
    first = grade(course, cwd=own_repository)
    before = (course / "grades.csv").read_text()
    assert first.returncode == 0 and "0 grader faults" in first.stdout

    suite = own_repository / "tests" / "hidden" / PS / "test_tree.py"
    sound = suite.read_text()
    spoilt = "@pytest.mark.exercise('2.5')\ndef test_of_ours(student, edition):\n    raise RuntimeError('ours')\n"
    suite.write_text(f"{sound}\n\n{spoilt}")
    done = grade(course, cwd=own_repository)
    assert done.returncode == 1 and "graded 3 of 3 submissions, 3 grader faults" in done.stdout, done.stdout + done.stderr
    with (course / "grades.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["2.5"] for row in rows] == ["undecided"] * 3
    assert all("undecided" in row["total"] for row in rows)
    joint = {row["student"]: row["joint"] for row in rows}
    assert joint == {"ada": "undecided", "bela": "undecided", "dora": "undecided"}
    changes = (course / "changes.csv").read_text().splitlines()
    assert "ada,ps2_uct,2.5,10,undecided,fault," in changes and "dora,ps2_uct,2.5,0,undecided,fault," in changes
    assert "grader fault: undecided" in (course / "report" / f"{PS}.html").read_text()
    with sqlite3.connect(course / "gradebook.db") as database:
        query = ("select grade.auto_score, grade.needs_manual_grade from grade join base_cell on grade.cell_id = base_cell.id "
                 "where base_cell.name = 'ex2_5'")
        assert database.execute(query).fetchall() == [(None, 1)] * 3

    suite.write_text(sound)
    mended = grade(course, cwd=own_repository)
    assert mended.returncode == 0 and (course / "grades.csv").read_text() == before
    assert "ada,ps2_uct,2.5,undecided,10,fault," in (course / "changes.csv").read_text().splitlines()


# the kernel's error for a file that may not grow; beyond 20 kB: the first reports fit, the gradebook does not
SMALL_FILES = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("size", [0, 200_000])
def test_files_that_may_not_grow(course: Path, size: int) -> None:
    done = grade(course, SMALL_FILES.format(size=size))
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1, done.stderr
    goes_on(course)


@pytest.mark.first_shows
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
@pytest.mark.parametrize("kib", [64, 1500])
def test_a_full_disk(course: Path, tmp_path: Path, kib: int) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        (disk / "submitted").symlink_to(course / "submitted")
        refused(grade(disk), "disk is full")
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        goes_on(disk)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.usefixtures("repetition")
def test_without_bubblewrap_there_is_one_sentence_and_no_report(course: Path) -> None:
    refused(grade(course, env={**os.environ, "PATH": "/nowhere"}), "bubblewrap")
    assert not list(course.glob("reports/*/*.json"))
    goes_on(course)


# in a mount namespace of the grader the library does not exist
WITHOUT_SECCOMP = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
private = not libc.unshare(0x20000) and not libc.mount(b"none", b"/", None, 0x44000, None)
if not private or libc.mount(b"/dev/null", {path!r}, None, 0x1000, None):
    os._exit(77)
"""


@pytest.mark.usefixtures("whole_world")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_without_libseccomp_there_is_one_sentence_and_no_report(course: Path) -> None:
    ctypes.CDLL("libseccomp.so.2")
    with open("/proc/self/maps") as maps:
        path = next(line.split()[-1] for line in maps if "libseccomp.so" in line)
    done = grade(course, WITHOUT_SECCOMP.format(path=path.encode()))
    if done.returncode == 77:
        pytest.skip("nothing can be mounted here")
    refused(done, "libseccomp (libseccomp.so.2) was not found: install the system packages bubblewrap and libseccomp2")
    assert not list(course.glob("reports/*/*.json"))
    goes_on(course)


@pytest.mark.usefixtures("repetition")
def test_a_damaged_gradebook_is_one_sentence_and_the_reports_are_kept(course: Path) -> None:
    goes_on(course)
    shutil.copy(course / "gradebook.db", course / "whole.db")
    (course / "gradebook.db").write_bytes((course / "gradebook.db").read_bytes()[:4096] + b"\0\xff" * 20_000)
    refused(grade(course), "the gradebook of ")
    assert len(list(course.glob(f"reports/*/{PS}.json"))) == 2
    shutil.move(course / "whole.db", course / "gradebook.db")
    goes_on(course)


@pytest.mark.usefixtures("whole_world")
def test_a_gradebook_that_somebody_holds_is_one_sentence(course: Path) -> None:
    goes_on(course)
    hand_in(course, "bela", PS, "x = 1\n")
    holder = sqlite3.connect(course / "gradebook.db")
    holder.execute("begin exclusive")
    try:
        refused(grade(course), "locked")
    finally:
        holder.rollback()
        holder.close()
    done = grade(course)
    assert done.returncode == 0 and "graded 2 of 2 submissions, 0 grader faults" in done.stdout


@pytest.mark.usefixtures("whole_world")
def test_a_sandbox_that_is_killed_costs_nobody_anything(course: Path) -> None:
    """The host kills every bwrap below the grader, again and again for a while."""
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--workers", "2"]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    kills, end = 0, time.monotonic() + 60
    while run.poll() is None and kills < 6 and time.monotonic() < end:
        for pid in session_members(run.pid, "bwrap"):
            os.kill(pid, signal.SIGKILL)
            kills += 1
        time.sleep(0.05)
    output, errors = run.communicate(timeout=300)
    assert "Traceback" not in output + errors and run.returncode in (0, 1, 2), errors
    goes_on(course)


def session_members(session: int, name: str) -> list[int]:
    pids = []
    for folder in Path("/proc").iterdir():
        try:
            before, _, after = (folder / "stat").read_text().rpartition(")")
        except OSError:
            continue
        if before.partition("(")[2] == name and int(after.split()[3]) == session:
            pids.append(int(folder.name))
    return pids


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_report_folder_that_may_not_be_written(course: Path) -> None:
    (course / "reports").mkdir(mode=0o555)
    refused(grade(course), "no permission")
    (course / "reports").chmod(0o755)
    goes_on(course)


@pytest.mark.usefixtures("repetition")
def test_a_submission_that_may_not_be_read_is_told_and_the_rest_goes_on(course: Path) -> None:
    path = course / "submitted" / "bela" / PS / f"{PS}.py"
    path.unlink()
    path.symlink_to("/root/nowhere")
    done = grade(course)
    assert done.returncode == 0 and "graded 2 of 2 submissions, 0 grader faults" in done.stdout
    assert "is not a regular file" in (course / "reports" / "bela" / f"{PS}.json").read_text()
