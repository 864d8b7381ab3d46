"""The command line: one clear sentence and an exit code, never a traceback."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.trouble import explain_os_error

ROOT = Path(__file__).resolve().parents[2]


def autograder(*arguments: object, **options: object) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False, **options)


def refused(done: subprocess.CompletedProcess, sentence: str, code: int = 2) -> None:
    """The command failed with this sentence on standard error, and with nothing else."""
    assert "Traceback" not in done.stderr + done.stdout
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("autograder: ") and len(done.stderr.splitlines()) == 1
    assert sentence in done.stderr
    assert done.stdout == ""


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "course" / "submitted" / "ada" / "ps2_uct"
    folder.mkdir(parents=True)
    (folder / "ps2_uct.py").write_text("x = 1\n")
    return tmp_path / "course"


def test_a_course_that_is_not_there(tmp_path):
    refused(autograder("grade", tmp_path / "nowhere"), "no such course folder")


def test_a_folder_that_is_no_course(tmp_path):
    refused(autograder("grade", tmp_path), "it has no folder 'submitted'")


def test_an_empty_class(tmp_path):
    (tmp_path / "submitted").mkdir()
    refused(autograder("grade", tmp_path), "nobody has handed in ps2_uct")
    assert os.listdir(tmp_path) == ["submitted"]


def test_a_problem_set_that_does_not_exist(course):
    refused(autograder("grade", course, "--ps", "ps9"), "no such problem set: 'ps9' (there is ")


def test_a_class_is_never_graded_without_the_sandbox(course):
    refused(autograder("grade", course, "--no-sandbox"), "--no-sandbox is for the course's own solution")


def test_nobody_elses_work_is_graded_without_the_sandbox(course):
    done = autograder("submission", course / "submitted" / "ada" / "ps2_uct", "--no-sandbox")
    refused(done, "is not the course's own solution of ps2_uct")


def test_a_student_who_has_not_handed_in_cannot_be_graded_afresh(course):
    refused(autograder("grade", course, "--afresh", "bela"), "nobody of that name has handed in: 'bela'")


def test_a_submission_folder_that_is_not_there(tmp_path):
    refused(autograder("submission", tmp_path / "nowhere"), "no such folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_course_that_may_not_be_written(course):
    course.chmod(0o555)
    refused(autograder("grade", course), "no permission")


def test_a_second_grader_is_told_and_leaves(course):
    from autograder.grading.lock import course_lock

    with course_lock(course):
        refused(autograder("grade", course), "is at work in", code=3)


def test_help_is_quick_and_names_every_command():
    done = autograder("--help")
    assert done.returncode == 0
    for command in ("grade", "submission", "build", "verify", "explain", "preflight", "staff"):
        assert f" {command} " in done.stdout


def test_a_solution_is_not_written_where_students_look():
    refused(autograder("build", "--solution"), "solutions are not written into assignments/")


def test_preflight_names_what_a_host_needs():
    done = autograder("preflight")
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr
    for need in ("bubblewrap", "libseccomp", "memory", "cores"):
        assert need in done.stdout


def test_preflight_says_what_to_do_without_bubblewrap(tmp_path):
    done = autograder("preflight", env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "install the package bubblewrap" in done.stdout


@pytest.mark.parametrize("code, sentence", [
    (errno.ENOSPC, "the disk is full (reports/ada): make room and run again, what is finished is kept"),
    (errno.EACCES, "no permission to write or read (reports/ada): change its owner or mode and run again"),
    (errno.EROFS, "no permission to write or read (reports/ada): change its owner or mode and run again"),
    (errno.EIO, "Input/output error (reports/ada)"),
])
def test_what_the_machine_refuses_is_said_in_words(code, sentence):
    assert explain_os_error(OSError(code, os.strerror(code), "reports/ada")) == sentence
