"""A run that ends before its end, by a kill or at a full disk, loses no change of points or of marks: the next run tells them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course.pipeline import grade_course
from autograder.paths import REPOSITORY
from tests.commands import autograder, output_of
from tests.students import hand_in, solved, stub

pytestmark = pytest.mark.usefixtures("whole_world")

PS = "ps1_games"
SCRIPT = Path(__file__).with_name("end_early.py")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded class in which the right answer and the stub have changed places; all their reports are in the cache."""
    course = tmp_path_factory.mktemp("class") / "course"
    for student, text in {"ada": solved(PS), "bob": stub(PS), "cyd": stub(PS)}.items():
        hand_in(course, student, PS, text)
    grade_course(course, PS, 1)
    for student, text in {"ada": stub(PS), "bob": solved(PS), "cyd": solved(PS)}.items():
        hand_in(course, student, PS, text)
    return course


def ended_early(course: Path, room: Path, how: str, *moments: int) -> list[dict]:
    command = [sys.executable, str(SCRIPT), str(course), str(room), how, *map(str, moments)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, timeout=600)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def changes_and_marks(rows: list[dict]) -> set[tuple[str, str]]:
    return {(row["changes"], ";".join(row["marks"])) for row in rows}


def test_after_a_kill_at_any_write_the_next_run_tells_every_change_once(course: Path, tmp_path: Path) -> None:
    (whole,) = ended_early(course, tmp_path, "kill", 0)
    assert len(whole["changes"].splitlines()) == 1 + 3 * 14
    assert whole["marks"] == [f"{student} {PS} {old} -> {new} (automatic {old} -> {new})"
                              for student, old, new in (("ada", 105, 0), ("bob", 0, 105), ("cyd", 0, 105))]
    last = whole["writes"]  # the last two remove the notes of points and of marks, when the log has the run
    moments = (1, last // 2, *range(last - 14, last - 2, 4), last - 2, last - 1)
    later = ended_early(course, tmp_path, "kill", *moments)
    assert [(row["moment"], row["changes"], row["marks"], row["reached"]) for row in later] == [
        (moment, whole["changes"], whole["marks"], moment == last - 1) for moment in moments]


def test_after_a_disk_that_became_full_at_any_write_too(course: Path, tmp_path: Path) -> None:
    (whole,) = ended_early(course, tmp_path, "full", 0)
    later = ended_early(course, tmp_path, "full", 3, *range(whole["writes"] - 15, whole["writes"] - 1, 5))
    assert changes_and_marks(later) == changes_and_marks([whole])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
@pytest.mark.parametrize("kib", [16, 120, 250])
def test_a_small_disk(course: Path, tmp_path: Path, kib: int) -> None:
    """A real one: SQLite and nbgrader meet it too."""
    whole = shutil.copytree(course, tmp_path / "whole")
    grade_course(whole, PS, 1)
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        place = shutil.copytree(course, disk / "course")
        used = shutil.disk_usage(disk).used // 1024
        subprocess.run(["mount", "-o", f"remount,size={used + kib}k", disk], check=True)
        first = autograder("grade", place, "--ps", PS, "--workers", "1")
        assert first.returncode == 2 and "disk is full" in first.stderr, first.stdout + first.stderr
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        second = output_of("grade", place, "--ps", PS, "--workers", "1")
        assert f"bob {PS} 0 -> 105 (automatic 0 -> 105)" in second
        assert (place / "changes.csv").read_text() == (whole / "changes.csv").read_text()
        assert (place / "final.csv").read_text() == (whole / "final.csv").read_text()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
