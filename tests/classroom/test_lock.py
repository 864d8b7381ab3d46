"""One grader at a time in a course folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import Busy
from autograder.course.storage.lock import course_lock

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sys, time, pathlib
from autograder.course.storage.lock import course_lock
with course_lock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_grader_is_told_who_is_at_work(tmp_path):
    with course_lock(tmp_path), pytest.raises(Busy, match="another grader .process [0-9]+. is at work in"):
        with course_lock(tmp_path):
            pass


def test_the_lock_is_free_again_afterwards(tmp_path):
    for _ in range(2):
        with course_lock(tmp_path):
            assert (tmp_path / ".lock").exists()


@pytest.mark.usefixtures("processes")
def test_a_killed_grader_leaves_no_lock_behind(tmp_path):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Busy), course_lock(tmp_path):
            pass
    finally:
        holder.kill()
        holder.wait()
    with course_lock(tmp_path):
        assert str(tmp_path)
