"""An archive of a course: it opens without this project, and what is restored from it, under any Python, is what it was."""

import csv
import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest

from arena.errors import Busy, UserError
from autograder.course.archive import archive, restore
from autograder.course.feedback import feedback
from autograder.course.restore import FILES, HEADER, WrongArchive, unpack
from autograder.course.storage.lock import course_lock
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import prepare
from autograder.gradebook.marks.final_marks import final_text, write_final
from autograder.gradebook.marks.read_marks import read_marks
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.pythons import program_of

ROSTER = "id,first_name,last_name,email,canvas_id\nada,Ada,Löwe,ada@uni.example,11\nbob,<b>Bob</b>,,,\n\u05d0\u05d1,Zoë,'O,,\n"
COURSE = f"[course]\nsets = ['{PS}']\n[due]\n{PS} = 2026-02-03T12:00:00\n[late]\npercent_per_day = 10\n"
STUDENTS = ("ada", "bob", "\u05d0\u05d1")


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    folder = small_class.folder
    (folder / "course.toml").write_text(COURSE)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    prepare(folder, PS)
    reports = {}
    for student in STUDENTS:
        small_class.hand_in(student, {"ex2_13": f"{student}: a plot"}, timestamp="2026-02-03 13:00:00 UTC")
        reports[student] = small_class.report(student)
        ReportStore(folder, PS).put(student, reports[student], {})
    small_class.record(**reports)
    small_class.mark_by_hand("ada", "ex2_13", 4.5)
    small_class.record(**reports)
    with small_class.gradebook() as gradebook:
        gradebook.find_comment("ex2_13", PS, PS, "ada").manual_comment = "=a good plot"
        gradebook.db.commit()
        write_final(folder, read_marks(folder, gradebook))
    feedback(folder, PS)
    (folder / ".cache").mkdir(exist_ok=True)
    (folder / ".cache" / "x.json").write_text("{}")
    (folder / "link").symlink_to("/etc/passwd")
    return small_class


def contents(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Digest, time and mode of every file that an archive has."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    return {path.relative_to(folder).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns,
                                                  path.stat().st_mode & 0o777)
            for path in files if not {".cache", ".work", ".lock"} & set(path.relative_to(folder).parts)}


def final_of(folder: Path) -> str:
    with SmallClass(folder).gradebook() as gradebook:
        return final_text(read_marks(folder, gradebook))


def test_a_folder_may_have_a_name_that_means_something_in_an_address(course: SmallClass, tmp_path: Path) -> None:
    folder = course.folder.rename(tmp_path / "autumn #1")
    restore(archive(folder, tmp_path / "autumn.zip").path, tmp_path / "again")
    assert final_of(tmp_path / "again") == final_of(folder)


@pytest.mark.usefixtures("processes")
@pytest.mark.first_shows
@pytest.mark.parametrize("version", [(3, 8), (3, 13)])
def test_what_is_restored_by_another_python_is_the_course(course: SmallClass, tmp_path: Path, version: tuple[int, int]) -> None:
    """without this project: restore.py from the zip; then tables and pages with it"""
    program = program_of(version)
    if program is None:
        pytest.skip(f"no Python {version} on this machine")
    made = archive(course.folder, tmp_path / "autumn.zip")
    assert made.links == ("link",) and made.path.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(made.path) as packed:
        (tmp_path / "restore.py").write_bytes(packed.read("restore.py"))
    again = tmp_path / "elsewhere" / "course"
    words = [program, "-I", tmp_path / "restore.py", again]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout == f"{made.files} files are in {again}, and each is as it was\n", done.stderr
    before, after = contents(course.folder), contents(again)
    assert after.pop("gradebook.db") and before.pop("gradebook.db")  # a copy by SQLite: the same rows, not the same bytes
    assert after == before and len(after) == made.files - 1
    assert final_of(again) == final_of(course.folder) == (again / "final.csv").read_text()
    for words in (("export", "canvas"), ("export", "moodle"), ("return", "mail", "--ps", PS)):
        for folder in (course.folder, again):
            done = autograder_here(words[0], folder, *words[1:])
            assert done.returncode == 0, done.stdout + done.stderr
    for name in ("canvas.csv", "moodle.csv", f"returned/{PS}/pages/ada.html"):
        assert (again / name).read_bytes() == (course.folder / name).read_bytes()
    assert again.stat().st_mode & 0o777 == 0o700 and (again / "submitted" / "ada").stat().st_mode & 0o777 == 0o700


def test_it_opens_without_anything(course: SmallClass, tmp_path: Path) -> None:
    made = archive(course.folder, tmp_path / "autumn.zip")
    with zipfile.ZipFile(made.path) as packed:
        names, readme, index = packed.namelist(), packed.read("README.txt").decode(), packed.read("index.html").decode()
        scores = list(csv.DictReader(io.StringIO(packed.read("gradebook.csv").decode())))
        code = zipfile.ZipFile(io.BytesIO(packed.read("project.zip"))).namelist()
    assert not [name for name in names if ".cache" in name or ".work" in name or ".lock" in name or "link" in name]
    assert {"course/final.csv", "course/log.jsonl", f"course/submitted/ada/{PS}/{PS}.ipynb", "course/edition.secret"} & set(names)
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in readme
    assert "nbgrader 0." in readme and "at commit" in readme
    assert "autograder/__main__.py" in code and "Left out, because they are links or no files: link" in readme
    assert f'href="course/feedback/ada/{PS}/index.html"' in index and "&lt;b&gt;Bob&lt;/b&gt;" in index and "<b>Bob" not in index
    linked = [part.partition('"')[0] for part in index.split('href="')[1:]]
    assert len(linked) > len(STUDENTS)
    with zipfile.ZipFile(made.path) as packed:
        assert all(unquote(link) in packed.namelist() for link in linked)
    (by_hand,) = [row for row in scores if row["by_hand"]]
    assert [by_hand[column] for column in ("student", "cell", "by_hand", "comment")] == ["ada", "ex2_13", "4.5", "'=a good plot"]


def changed(path: Path, to: Path, edit: dict[str, bytes | None]) -> Path:
    """A copy of a zip with other members; None takes one out."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            if edit.get(name, b"") is not None:
                new.writestr(name, edit.get(name) or old.read(name))
    return to


def test_a_damaged_archive_is_told_and_nothing_leaves_the_folder(course: SmallClass, tmp_path: Path) -> None:
    made = archive(course.folder, tmp_path / "a.zip").path
    with zipfile.ZipFile(made) as packed:
        lines = packed.read(FILES).decode()
    header = ",".join(HEADER) + "\n"
    for number, (edit, why) in enumerate((
        ({"course/final.csv": b"ada,100\n"}, "a file of the archive is damaged: 'final.csv'"),
        ({"course/final.csv": None}, "a file is missing in the archive: 'final.csv'"),
        ({FILES: None}, "no archive of a course"),
        ({FILES: b"path\nfinal.csv\n"}, "is not the list of its files"),
        ({FILES: (header + "../evil,1,0,0,600\n").encode()}, "leads out of the folder: '../evil'"),
        ({FILES: (header + "/etc/evil,1,0,0,600\n").encode()}, "leads out of the folder"),
        ({FILES: lines.replace("final.csv,", "final.csv/../../evil,").encode()}, "leads out of the folder"),
    )):
        wrong = changed(made, tmp_path / f"wrong{number}.zip", edit)
        with pytest.raises(WrongArchive, match=why.replace(".", "[.]")):
            unpack(wrong, tmp_path / f"folder{number}")
    (tmp_path / "no.zip").write_text("no zip")
    with pytest.raises(UserError, match="is damaged"):
        restore(tmp_path / "no.zip", tmp_path / "new")
    with pytest.raises(UserError, match="is not empty: give a new folder"):
        restore(made, course.folder)
    assert not list(tmp_path.rglob("evil"))


def test_an_archive_replaces_nothing_and_waits_for_a_run(course: SmallClass, tmp_path: Path) -> None:
    (tmp_path / "there.zip").write_text("mine")
    for to in (tmp_path / "there.zip", course.folder / "a.zip"):
        with pytest.raises(UserError, match="exists, or is in the course itself"):
            archive(course.folder, to)
    with course_lock(course.folder), pytest.raises(Busy):
        archive(course.folder, tmp_path / "new.zip")
    with pytest.raises(UserError, match="cannot be written"):
        archive(course.folder, tmp_path / "nowhere" / "new.zip")
    assert (tmp_path / "there.zip").read_text() == "mine" and not list(tmp_path.glob("*.tmp")) + list(tmp_path.glob("new.zip"))
