"""nbgrader's own autograde and formgrader over a folder that somebody copied into submitted/ as it was."""

import os
import pwd
import shutil
import urllib.request
from pathlib import Path

import pytest

from autograder.course.roster import list_submissions
from autograder.gradebook.stamp import read_side_files
from tests.gradebook.test_gradebook_formgrader import TOKEN, formgrader, get  # noqa: F401

PS = "ps2_uct"
SCRIPT = "<script>document.title = 'taken over'</script>"


def write_report(small_class, student: str) -> None:
    path = small_class.folder / "reports" / student / f"{PS}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(small_class.report(student).to_json(), encoding="utf-8")


def test_only_files_of_the_set_reach_the_folder_that_formgrader_shows(small_class):
    """with links, a pipe for a time, and another student's work behind a link: each costs what it is, and nobody else"""
    work = small_class.hand_in("ada", timestamp="2026-02-03 10:11:12 UTC")
    (work / "plot.html").write_text(SCRIPT)
    (work / "deep").mkdir()
    (work / "deep" / "plot.svg").write_text(SCRIPT)
    (work / "secret.html").symlink_to(small_class.folder / "edition.secret")
    (work / "zero.html").symlink_to("/dev/zero")
    os.mkfifo(work / "pipe.html")
    bob = small_class.hand_in("bob")
    os.mkfifo(bob / "timestamp.txt")
    (small_class.folder / "submitted" / "eve").symlink_to(small_class.folder / "submitted" / "ada")
    (small_class.folder / "submitted" / "mal").mkdir()
    (small_class.folder / "submitted" / "mal" / PS).symlink_to(work)
    for student in ("ada", "bob"):
        write_report(small_class, student)
    done = small_class.nbgrader("autograde", PS)
    assert done.returncode == 0, done.stderr
    autograded = small_class.folder / "autograded"
    assert {path.name for path in autograded.iterdir()} == {"ada", "bob"}
    assert {path.name for path in (autograded / "ada" / PS).rglob("*")} == {f"{PS}.ipynb", "timestamp.txt"}
    assert {path.name for path in (autograded / "bob" / PS).rglob("*")} == {f"{PS}.ipynb"}
    assert "submitted/eve" in done.stderr and "submitted/mal" in done.stderr
    assert {row["student_id"] for row in small_class.export()} == {"ada", "bob"}
    assert not list((small_class.folder / ".work").glob("autograde-*"))


@pytest.mark.usefixtures("repetition")
def test_a_notebook_that_is_a_link_to_another_students_brings_no_points(small_class):
    solved = (small_class.folder / "source" / PS / f"{PS}.ipynb").read_bytes()
    (small_class.hand_in("ada") / f"{PS}.ipynb").write_bytes(solved)
    work = small_class.hand_in("eve")
    (work / f"{PS}.ipynb").unlink()
    (work / f"{PS}.ipynb").symlink_to(small_class.folder / "submitted" / "ada" / PS / f"{PS}.ipynb")
    done = small_class.nbgrader("autograde", PS)
    assert done.returncode == 0, done.stderr
    assert {row["student_id"]: float(row["raw_score"]) for row in small_class.export()} == {"ada": 105.0, "eve": 0.0}


@pytest.mark.usefixtures("whole_world")
def test_formgrader_shows_a_file_beside_a_notebook_without_its_own_rights(small_class, formgrader):  # noqa: F811
    """also one that an earlier version has left there, or that is in submitted/ and is asked for by `..`"""
    work = small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    (small_class.folder / "autograded" / "ada" / PS / "plot.html").write_text(SCRIPT)
    (work / "plot.html").write_text(SCRIPT)
    with small_class.gradebook() as gradebook:
        page_id = gradebook.find_submission_notebook(PS, PS, "ada").id
    get(formgrader, f"/formgrader/submissions/{page_id}/")
    for path in ("plot.html", f"..%2f..%2f..%2fsubmitted%2fada%2f{PS}%2fplot.html"):
        with urllib.request.urlopen(f"{formgrader}/formgrader/submissions/{page_id}/{path}?token={TOKEN}", timeout=60) as answer:
            assert "taken over" in answer.read().decode()
            policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox;") and "allow-scripts" not in policy and "allow-same-origin" not in policy


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_time_that_belongs_to_the_students_account_is_not_believed(small_class):
    """as after `cp -a` or `mv` from the exchange; staff hear of it"""
    work = small_class.hand_in("daemon", timestamp="2020-01-01 00:00:00 UTC")
    assert read_side_files(work)
    assert not [remark for remark in list_submissions(small_class.folder, PS).remarks if "timestamp.txt" in remark]
    shutil.chown(work / "timestamp.txt", pwd.getpwnam("daemon").pw_uid)
    assert read_side_files(work) == {}
    (remark,) = [remark for remark in list_submissions(small_class.folder, PS).remarks if "timestamp.txt" in remark]
    assert "'daemon'" in remark


def test_a_secret_that_is_no_text_does_not_stop_the_release_of_the_feedback(tmp_path: Path):
    (tmp_path / "submission_secret.txt").write_bytes(b"\xff\xfe\x00")
    assert read_side_files(tmp_path) == {}


@pytest.mark.usefixtures("repetition")
def test_zip_collect_by_hand_takes_no_time_that_a_student_wrote(small_class):
    """nbgrader puts the name together from a pattern and the file's ending; what counts is the name that comes of it"""
    with (small_class.folder / "nbgrader_config.py").open("a") as file:
        file.write("c.FileNameCollectorPlugin.named_regexp = r'.*/(?P<student_id>[a-z]+)_(?P<file_id>.+)'\n"
                   "c.FileNameCollectorPlugin.valid_ext = ['.ipynb', '.txt', '.TXT']\n")
    archive = small_class.folder / "downloaded" / PS / "archive"
    archive.mkdir(parents=True)
    shutil.copy(small_class.folder / "release" / PS / f"{PS}.ipynb", archive / f"ada_{PS}.ipynb")
    for name in ("timestamp.txt", "timestamp.x.txt", "Timestamp.TXT", "submission_secret.txt", "notes.txt", "timestamp..txt"):
        (archive / f"ada_{name}").write_text("2020-01-01 00:00:00 UTC")
    done = small_class.nbgrader("zip_collect", PS)
    assert done.returncode == 0, done.stderr
    work = small_class.folder / "submitted" / "ada" / PS
    there = {path.name for path in work.iterdir()}
    assert {f"{PS}.ipynb", "notes.txt"} <= there
    assert not {name.lower() for name in there} & {"timestamp.txt", "submission_secret.txt"} and read_side_files(work) == {}
    assert done.stderr.count("students may not hand in") == 3
