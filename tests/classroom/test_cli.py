"""The command line: one clear sentence and an exit code, never a traceback."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.command_line import run
from arena.errors import explain_os_error
from autograder.cli.app import app
from tests.commands import autograder, autograder_here
from tests.unit.in_the_sandbox import as_ordinary_user

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
WAITED = re.compile(r"^.*: \d+ s so far\n", re.MULTILINE)


def refused(done: subprocess.CompletedProcess, sentence: str, code: int = 2) -> None:
    """The command failed with this sentence on standard error, and nothing else except progress lines of a slow machine."""
    assert "Traceback" not in done.stderr + done.stdout
    assert done.returncode == code, done.stderr
    out, err = (WAITED.sub("", text) for text in (done.stdout, done.stderr))
    assert err.startswith("autograder: ") and len(err.splitlines()) == 1
    assert sentence in err
    assert out == ""


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "course" / "submitted" / "ada" / "ps2_uct"
    folder.mkdir(parents=True)
    (folder / "ps2_uct.py").write_text("x = 1\n")
    return tmp_path / "course"


def test_a_course_that_is_not_there(tmp_path):
    refused(autograder("grade", tmp_path / "nowhere"), "no such course folder")


def test_a_folder_that_is_no_course(tmp_path):
    refused(autograder_here("grade", tmp_path), "it has no folder 'submitted'")


def test_an_empty_class(tmp_path):
    (tmp_path / "submitted").mkdir()
    refused(autograder_here("grade", tmp_path), "nobody has handed in anything yet")
    assert os.listdir(tmp_path) == ["submitted"]


def test_a_problem_set_that_does_not_exist(course):
    refused(autograder_here("grade", course, "--ps", "ps9"), "no problem set is called 'ps9'; choose from ")


def test_a_class_is_never_graded_without_the_sandbox(course):
    refused(autograder_here("grade", course, "--no-sandbox"), "--no-sandbox is for the course's own solution")


def test_nobody_elses_work_is_graded_without_the_sandbox(course):
    done = autograder_here("submission", course / "submitted" / "ada" / "ps2_uct", "--no-sandbox")
    refused(done, "is not the course's own solution of ps2_uct")


def test_a_student_who_has_not_handed_in_cannot_be_graded_afresh(course):
    refused(autograder_here("grade", course, "--afresh", "bela"), "no student with this name has handed in ps2_uct: 'bela'")


def test_a_link_in_the_place_of_a_student_cannot_be_graded_afresh(course):
    (course / "submitted" / "eve").symlink_to(course / "submitted" / "ada")
    refused(autograder_here("grade", course, "--afresh", "eve"), "no student with this name has handed in ps2_uct: 'eve'")


def test_to_grade_a_student_afresh_needs_a_course():
    refused(autograder_here("grade", "--afresh", "ada"), "--afresh names students of a course: name its folder too")


def test_a_submission_folder_that_is_not_there(tmp_path):
    refused(autograder_here("submission", tmp_path / "nowhere"), "no such folder")


@pytest.fixture
def room(course: Path, tmp_path: Path) -> Path:
    """A folder with a course, and with files that are not a course, a report or a submission."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "nobody" / "submitted").mkdir(parents=True)
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "submitted").write_text("a file where a folder should be")
    (tmp_path / "file").write_text("{")
    return tmp_path


# {} is the folder.
WRONG = {
    "grade {}/file": "no such course folder",
    "grade {}/odd": "it has no folder 'submitted'",
    "grade {}/nobody": "nobody has handed in anything yet",
    "grade {}/course --ps=": "no problem set is called ''",
    "grade {}/course --ps ../ps2_uct": "no problem set is called '../ps2_uct'",
    "grade {}/course --workers 0": "Invalid value for '--workers'",
    "grade {}/course --workers -1": "Invalid value for '--workers'",
    "grade {}/course --workers x": "grade --help says more",
    "grade --ps ps9": "no problem set is called 'ps9'",
    "collect {}/nowhere {}/file": "no such course folder",
    "collect {}/empty {}/file": "is not a course folder: it has no folder 'submitted', no roster.csv",
    "collect {}/course {}/file": "is not a zip",
    "collect {}/course {}/nowhere.zip": "no such zip",
    "collect {}/course {}/empty": "no such zip",
    "collect {}/course {}/file --ps ps9": "no problem set is called 'ps9'",
    "collect {}/course": "Missing argument",
    "regrade": "No such command 'regrade'",
    "submission": "Missing argument 'folder'",
    "submission {}/file": "no such folder",
    "submission {}/empty --ps ps9": "no problem set is called 'ps9'",
    "submission {}/empty --json {}/empty": "is a folder: give the name of",
    "submission {}/empty": "which problem set is in {}/empty? Name it with --ps ps1_games|ps2_uct|",
    "submission {}/empty --ps ps2_uct --json {}/file/report.json": "a file is where a folder is needed ({}/file): correct",
    "build --ps ps9": "no problem set is called 'ps9'",
    "build --ps ps2_uct": "assignments/ is always built as a whole",
    "build --ps ps2_uct --module {}/empty": "is a folder: give the name of",
    "build --ps ps2_uct --notebook {}/file/x.ipynb": "a file is where a folder is needed",
    "verify --ps ps9": "no problem set is called 'ps9'",
    "verify --ps ps2_uct --exercise 9.9": "no exercise of ps2_uct is called '9.9'",
    "repeat --ps ps9": "no problem set is called 'ps9'",
    "repeat --times 0": "Invalid value for '--times'",
    "challenge {}/nowhere": "does not exist; give",
    "challenge {}/empty": "Nothing was found to grade",
    "challenge --rung Nope": "no rung is called 'Nope'",
    "replay {}/nowhere": "no report was found at",
    "replay {}/file": "is not a report of the challenge",
    "tournament {}/nowhere": "no such course folder",
    "tournament {}/file": "no such course folder",
    "tournament {}/empty": "it has no folder 'submitted'",
    "tournament {}/course --minutes -1": "Invalid value for '--minutes'",
    "tournament {}/course --minutes nan": "Invalid value for '--minutes'",
    "similarity {}/file": "no such course folder",
    "similarity {}/nobody": "nobody has handed in anything yet",
    "similarity {}/nobody --ps ps2_uct": "nobody has handed in ps2_uct",
    "similarity {}/course --ps ps9": "no problem set is called 'ps9'",
    "explain {}/file --check x": "no such folder",
    "explain {}/empty --check x": "which problem set is in {}/empty?",
    "explain {}/empty --check x --ps ps2_uct": "nothing to run in {}/empty",
    "explain {}/course/submitted/ada/ps2_uct --check x": "no check is called 'x' in ps2_uct",
    "explain {}/course/submitted/ada/ps2_uct --check x --to y": "--to is the file of the student's page: give --student too",
    "explain {}/course/submitted/ada/ps2_uct --check x --student --to {}/empty": "{}/empty is a folder",
    "staff roster {}/file": "no such course folder",
    "staff roster {}/nobody": "{}/nobody has 5 problem sets: say which one with --ps ps1_games|ps2_uct|",
    "staff roster {}/course --ps ps9": "no problem set is called 'ps9'",
    "staff differences {}/course": "has not been graded yet",
    "staff differences {}/course --workers -1": "Invalid value for '--workers'",
    "staff excuse {}/course x --why y --ps ps9": "no problem set is called 'ps9'",
    "staff excuse {}/course x --why y": "has a check 'x': grade the class first",
    "staff extend {}/file ada --hours 1": "no such course folder",
    "staff extend {}/empty ada --hours 1": "it has no folder 'submitted'",
    "staff extend {}/course ada --hours nan": "Invalid value for '--hours'",
    "staff extend {}/course ada --hours 1e12": "Invalid value for '--hours'",
    "staff extend {}/course ada --hours -1": "Invalid value for '--hours'",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_path_name_or_number_is_one_sentence(
    room: Path, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    words = [word.replace("{}", str(room)) for word in line.split()]
    monkeypatch.setattr(sys, "argv", ["autograder", *words])
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as ended:  # in this process: fifty new processes would import for a minute
        run(app)
    done = subprocess.CompletedProcess(words, ended.value.code, *capsys.readouterr())
    refused(done, WRONG[line].replace("{}", str(room)))
    assert sorted(path.name for path in room.iterdir()) == ["course", "empty", "file", "nobody", "odd"]
    assert not any(path for name in ("empty", "odd") for path in (room / name).iterdir() if path.name != "submitted")


@pytest.mark.parametrize("group", [(), ("staff",)])
def test_without_a_command_there_is_the_help_alone(group: tuple[str, ...]) -> None:
    done = autograder(*group)
    assert done.returncode == 2 and "Usage: " in done.stdout and done.stderr.strip() == ""


def test_what_no_machine_allows_is_one_sentence(room: Path) -> None:
    words = ("submission", room / "empty", "--ps", "ps2_uct", "--json", "/sys/report.json")
    refused(autograder_here(*words), "no permission to write or read (/sys/")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_course_of_somebody_else_is_one_sentence() -> None:
    done = as_ordinary_user("-m", "autograder", "grade", "/root")
    refused(done, "Invalid value for 'course': path '/root' is not readable")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_course_that_may_not_be_written(course):
    course.chmod(0o555)
    refused(autograder("grade", course), "no permission")


def test_a_second_grader_is_told_and_leaves(course):
    from autograder.course.storage.lock import course_lock

    with course_lock(course):
        refused(autograder("grade", course), "is at work in", code=3)


def test_help_is_quick_and_names_every_command():
    done = autograder("--help")
    assert done.returncode == 0
    for command in ("collect", "grade", "submission", "build", "verify", "explain", "preflight", "staff"):
        assert f" {command} " in done.stdout


def test_a_solution_is_not_written_where_students_look():
    refused(autograder_here("build", "--solution"), "solutions are not written into assignments/")


def test_preflight_names_what_a_host_needs():
    done = autograder("preflight")
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr
    for need in ("bubblewrap", "libseccomp", "memory", "cores"):
        assert need in done.stdout


@pytest.mark.first_shows
@pytest.mark.parametrize("command", ["submission", "verify"])
def test_without_bubblewrap_there_is_one_sentence(tmp_path, command):
    (tmp_path / "ps2_uct.py").write_text("x = 1\n")
    arguments = {"submission": [str(tmp_path)], "verify": ["--ps", "ps2_uct", "--exercise", "2.5"]}[command]
    done = autograder(command, *arguments, env={**os.environ, "PATH": "/nowhere"})
    lines = [line for line in done.stderr.splitlines() if not line.endswith(" so far")]  # which a busy machine prints before
    assert done.returncode == 2 and len(lines) == 1, done.stderr
    assert lines[0].startswith("autograder: bubblewrap (bwrap) was not found: install")


def test_preflight_says_what_to_do_without_bubblewrap(tmp_path):
    done = autograder("preflight", env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "install the package bubblewrap" in done.stdout


def test_without_docstrings_there_is_one_sentence():
    done = autograder("submission", "solutions", env={**os.environ, "PYTHONOPTIMIZE": "2"})
    refused(done, "unset PYTHONOPTIMIZE")


@pytest.mark.parametrize("code, sentence", [
    (errno.ENOSPC, "the disk is full (reports/ada): make room and run again, what is finished is kept"),
    (errno.EACCES, "no permission to write or read (reports/ada): change its owner or mode and run again"),
    (errno.EROFS, "no permission to write or read (reports/ada): change its owner or mode and run again"),
    (errno.EIO, "Input/output error (reports/ada)"),
    (errno.ENOENT, "no such file or folder (reports/ada): correct the path and run again"),
    (errno.EISDIR, "a folder is where a file must be written (reports/ada): correct the path and run again"),
])
def test_what_the_machine_refuses_is_said_in_words(code, sentence):
    assert explain_os_error(OSError(code, os.strerror(code), "reports/ada")) == sentence
    assert explain_os_error(OSError(code, os.strerror(code), "reports/.draft.tmp", None, "reports/ada")) == sentence
