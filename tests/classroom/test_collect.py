"""Collecting the downloads of Canvas, Moodle and Blackboard, through the command line and nbgrader's own zip_collect."""

import csv
import errno
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.command_line import run
from autograder.cli.app import app
from autograder.collect import archive, nbgrader_steps
from autograder.course.roster import list_submissions
from autograder.course.storage.lock import course_lock
from tests.commands import output_of

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"
ROSTER = """id,first_name,last_name,canvas_id,moodle_id,username
s1,Ada,Lovelace,,,adal
s2,Jörg,Müller-Lüdenscheidt,22,,jml
s3,Søren,Ó Briain,,,soren_o
s4,Wei,Li,,701,wli1
s5,Wei,Li,,702,wli2
"""
ONE_DAY = {"s1": (2026, 10, 4, 12, 0, 0), "s2": (2026, 10, 5, 23, 59, 0)}


@dataclass
class Done:
    """What one run printed, and its exit code."""

    code: int
    out: str
    err: str


class Course:
    """A course folder, the zips beside it, and the command."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.capsys, self.monkeypatch = folder, capsys, monkeypatch
        folder.mkdir()
        self.roster(ROSTER)

    def roster(self, text: str) -> None:
        (self.folder / "roster.csv").write_text(text, encoding="utf-8")

    def zip(self, files: dict[str, str | bytes] | list[tuple], name: str = "download.zip", date=(2026, 11, 1, 8, 0, 0)) -> Path:
        """A zip of (path, content) or (path, content, date); all of one date as a platform packs them."""
        path = self.folder.parent / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of names that are there twice
            for file, content, *when in files.items() if isinstance(files, dict) else files:
                made.writestr(file if isinstance(file, zipfile.ZipInfo) else zipfile.ZipInfo(file, *(when or [date])), content)
        return path

    def collect(self, *zips: Path, ps: str | None = PS) -> Done:
        words = ["collect", self.folder, *zips, *(["--ps", ps] if ps else [])]
        self.monkeypatch.setattr(sys, "argv", ["autograder", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            run(app)
        done = Done(ended.value.code, *self.capsys.readouterr())
        assert "Traceback" not in done.out + done.err
        for path in zips if done.code in (0, 1) else ():
            assert all(outcome for _, outcome, _ in self.table(path.stem, ps or "*").values())
        return done

    def table(self, name: str = "download", ps: str = "*") -> dict[str, tuple[str, str, str]]:
        """Student, outcome and reason of each file."""
        (path,) = (self.folder / "collected").glob(f"{ps}-{name}.csv")
        with path.open(newline="") as file:
            return {row["file"]: (row["student"], row["outcome"], row["why"]) for row in csv.DictReader(file)}

    def submitted(self) -> dict[str, str]:
        """All files in submitted/, with their text."""
        top = self.folder / "submitted"
        return {str(path.relative_to(top)): path.read_text() for path in sorted(top.rglob("*")) if path.is_file()}


@pytest.fixture
def course(tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Course:
    return Course(tmp_path / "my class", capsys, monkeypatch)


def moodle(name: str, number: int, file: str) -> str:
    return f"{name}_{number}_assignsubmission_file/{file}"


def blackboard(user: str, time: str, file: str = "") -> str:
    return f"gradebook_CS-101_Problem_set 2_{user}_attempt_{time}" + (f"_{file}" if file else ".txt")


# ---- the platforms

def test_canvas(course: Course) -> None:
    done = course.collect(course.zip({
        "lovelaceada_11_901_ps2_uct.ipynb": "old", "lovelaceada_11_910_ps2_uct-1.ipynb": "new",
        "lovelaceada_11_911_tree-1.png": "a", "lovelaceada_11_912_tree-2.png": "b",
        "müllerlüdenscheidtjörg_22_902_ps2_uct-2.py": "x",
        "óbriainsøren_23_903_ps2_uct.py": "y",
    }), ps=None)
    assert done.code == 0 and done.out.startswith("download.zip: Canvas, ps2_uct, 6 files: 3 students placed, 0 unchanged\n")
    assert course.submitted() == {"s1/ps2_uct/ps2_uct.ipynb": "new", "s1/ps2_uct/tree-1.png": "a", "s1/ps2_uct/tree-2.png": "b",
                                  "s2/ps2_uct/ps2_uct.py": "x", "s3/ps2_uct/ps2_uct.py": "y"}
    assert course.table()["lovelaceada_11_901_ps2_uct.ipynb"][:2] == ("s1", "ignored")
    assert [entry.student for entry in list_submissions(course.folder, PS).entries] == ["s1", "s2", "s3"]


def test_canvas_knows_who_is_late_and_not_when(course: Course) -> None:
    download = course.zip({"lovelaceada_LATE_11_901_ps2_uct.py": "x", "müllerlüdenscheidtjörg_22_902_ps2_uct.py": "y"})
    for _ in range(2):  # as long as nobody has written the time down
        done = course.collect(download)
        assert done.code == 0 and "s1 (Ada Lovelace): late on Canvas, but the zip does not say when" in done.out
        assert "s2 (" not in done.out
    assert "late on Canvas" in course.table()["lovelaceada_LATE_11_901_ps2_uct.py"][2]
    (course.folder / "submitted/s1/ps2_uct/timestamp.txt").write_text("2026-10-06 01:00:00 UTC")
    assert "late on Canvas" not in course.collect(download).out


def test_two_people_of_one_name_are_never_guessed(course: Course) -> None:
    done = course.collect(course.zip({"liwei_31_901_ps2_uct.py": "x", "lovelaceada_11_902_ps2_uct.py": "y"}))
    assert done.code == 1 and "'liwei' (number 31) may be 's4' or 's5'" in done.out
    assert set(course.submitted()) == {"s1/ps2_uct/ps2_uct.py"}


def test_two_accounts_for_one_line_of_the_roster_are_never_guessed(course: Course) -> None:
    done = course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "x", "lovelaceada_12_902_ps2_uct.py": "y",
                                      "müllerlüdenscheidtjörg_29_903_ps2_uct.py": "another Jörg: his number is 22"}))
    assert done.code == 1 and course.submitted() == {}
    assert done.out.count("lovelaceada 11 and lovelaceada 12 may both be 's1'") == 2
    assert "no 'müllerlüdenscheidtjörg' (number 29) in roster.csv" in done.out


def test_anonymous_and_typed_work_on_canvas(course: Course) -> None:
    done = course.collect(course.zip({
        "anon_aB3xZ_901_ps2_uct.py": "x", "lovelaceada_11_text.html": "y", "müllerlüdenscheidtjörg_22_link.html": "",
        "müllerlüdenscheidtjörg_22_902_ps2_uct.py": "z"}))
    assert done.code == 1 and set(course.submitted()) == {"s2/ps2_uct/ps2_uct.py"}
    table = course.table()
    assert "hides the name" in table["anon_aB3xZ_901_ps2_uct.py"][2]
    assert table["lovelaceada_11_text.html"] == ("s1", "left over", "a text on Canvas itself, and no file")
    assert table["müllerlüdenscheidtjörg_22_link.html"][1] == "ignored"


@pytest.mark.parametrize("end", ["/", "_/", "_"])
def test_moodle_in_its_three_forms(course: Course, end: str) -> None:
    form = "{}_{}_assignsubmission_file" + end + "{}"
    done = course.collect(course.zip([
        (form.format("Ada Lovelace", 501, "ps2_uct.ipynb"), "a", ONE_DAY["s1"]),
        (form.format("MÜLLER LÜDENSCHEIDT Jorg", 502, "ps2_uct.py"), "b", ONE_DAY["s2"]),
        (form.format("Wei Li", 702, "ps2_uct.py"), "c", ONE_DAY["s2"]),
        ("Ada Lovelace_501_assignsubmission_onlinetext/onlinetext.html", "", ONE_DAY["s2"]),
    ]), ps=None)
    assert done.code == 0 and ": Moodle, ps2_uct" in done.out and "of the download" not in done.out
    assert course.submitted() == {
        "s1/ps2_uct/ps2_uct.ipynb": "a", "s1/ps2_uct/timestamp.txt": "2026-10-04 12:00:00", "s2/ps2_uct/ps2_uct.py": "b",
        "s2/ps2_uct/timestamp.txt": "2026-10-05 23:59:00", "s5/ps2_uct/ps2_uct.py": "c",
        "s5/ps2_uct/timestamp.txt": "2026-10-05 23:59:00"}


def test_a_submission_of_several_files_is_as_late_as_its_last_one(course: Course) -> None:
    done = course.collect(course.zip([
        (moodle("Ada Lovelace", 501, "ps2_uct.ipynb"), "a", ONE_DAY["s1"]),
        (moodle("Ada Lovelace", 501, "tree.png"), "b", ONE_DAY["s2"]),
    ]))
    assert done.code == 0 and course.submitted()["s1/ps2_uct/timestamp.txt"] == "2026-10-05 23:59:00"


def test_a_zip_that_was_packed_for_the_download_dates_nobody(course: Course) -> None:
    names = [moodle("Ada Lovelace", 5, "ps2_uct.py"), moodle("Søren Ó Briain", 6, "ps2_uct.py")]
    done = course.collect(course.zip({names[0]: "x", names[1]: ""}))
    assert done.code == 0 and "the dates in this zip seem to be those of the download" in done.out and "0 bytes" in done.out
    assert not any("timestamp" in name for name in course.submitted())


def test_participants_and_groups_on_moodle(course: Course) -> None:
    done = course.collect(course.zip({"Participant_701_assignsubmission_file/ps2_uct.py": "x",
                                      "Participant_999_assignsubmission_file/ps2_uct.py": "y",
                                      "Group 3_12_assignsubmission_file/ps2_uct.py": "z"}))
    assert done.code == 1 and set(course.submitted()) == {"s4/ps2_uct/ps2_uct.py"}  # by the Identifier of the worksheet
    assert "Moodle hides the name of number 999" in done.out and "no 'Group 3' (number 12)" in done.out


def test_blackboard(course: Course) -> None:
    first, last = "2026-10-05-23-59-00", "2026-10-06-00-01-30"
    done = course.collect(course.zip({
        blackboard("adal", first): "Date Submitted: ...", blackboard("adal", first, "ps2_uct.ipynb"): "old",
        blackboard("adal", first, "extra.png"): "old", blackboard("adal", last): "",
        blackboard("adal", last, "ps2_uct.ipynb"): "new",
        blackboard("SOREN_O", first): "", blackboard("SOREN_O", first, "ps2_uct.zip"): "PK",
        blackboard("jml", first).replace("attempt", "poging"): "no file",
    }))
    assert done.code == 1 and "'ps2_uct.zip' is put there as it is, and never unpacked" in done.out
    assert course.submitted() == {
        "s1/ps2_uct/ps2_uct.ipynb": "new", "s1/ps2_uct/timestamp.txt": "2026-10-06 00:01:30", "s3/ps2_uct/ps2_uct.zip": "PK",
        "s3/ps2_uct/timestamp.txt": "2026-10-05 23:59:00"}
    assert course.table()[blackboard("jml", first).replace("attempt", "poging")][1] == "left over"


def test_blackboard_without_a_roster(course: Course) -> None:
    (course.folder / "roster.csv").unlink()
    (course.folder / "submitted").mkdir()

    def collect(*users: str) -> Done:
        return course.collect(course.zip({blackboard(user, "2026-10-05-23-59-00", "ps2_uct.py"): user for user in users}))

    assert collect("ada", "adb").code == 0
    done = collect("ada_l", "bob_l")
    assert done.code == 1 and done.out.count("add a roster.csv with a column username") == 2
    assert {name.partition("/")[0] for name in course.submitted()} == {"ada", "adb"}
    assert course.submitted()["ada/ps2_uct/timestamp.txt"] == "2026-10-05 23:59:00"


def test_plain_folders_and_names_with_an_id(course: Course) -> None:
    course.roster("id,username\nada,\nada-l,\nbob,b.ob\ncleo,\ndan,\n")
    done = course.collect(course.zip({
        "ada/ps2_uct/ps2_uct.ipynb": "a", "ada/ps2_uct/img/tree.png": "p", "ada/ps3_connect_four/ps3_connect_four.py": "other",
        "B.OB\\ps2_uct.py": "b", "ada-l_ps2_uct.py": "l", "ps2_uct (cleo).ipynb": "c", "ada and bob.py": "2", "nobody.py": "0",
        "eve/ps2_uct.py": "e", "dan/": "",
    }))
    assert done.code == 1
    assert course.submitted() == {
        "ada/ps2_uct/ps2_uct.ipynb": "a", "ada/ps2_uct/img/tree.png": "p", "bob/ps2_uct/ps2_uct.py": "b",
        "ada-l/ps2_uct/ps2_uct.py": "l", "cleo/ps2_uct/ps2_uct.ipynb": "c"}
    table = course.table()
    assert table["ada/ps3_connect_four/ps3_connect_four.py"][1:] == (
        "ignored", "part of ps3_connect_four: collect it with --ps ps3_connect_four")
    left = {name for name, row in table.items() if row[1] == "left over"}
    assert left == {"ada and bob.py", "nobody.py", "eve/ps2_uct.py", "dan/"}


def test_plain_folders_without_a_roster(course: Course) -> None:
    (course.folder / "roster.csv").unlink()
    (course.folder / "submitted").mkdir()
    assert course.collect(course.zip({"ada/ps2_uct.py": "a", "bob/ps2_uct.py": "b"})).code == 0
    assert set(course.submitted()) == {"ada/ps2_uct/ps2_uct.py", "bob/ps2_uct/ps2_uct.py"}
    done = course.collect(course.zip({"class/ada/ps2_uct.py": "a", "class/bob/ps2_uct.py": "b"}))
    assert done.code == 2 and "'class' may be a student, or a folder around" in done.err


def test_a_folder_around_all_members_is_no_part_of_their_names(course: Course) -> None:
    assert course.collect(course.zip({"submissions/lovelaceada_11_901_ps2_uct.py": "x", "submissions/.DS_Store": "",
                                      "__MACOSX/submissions/._lovelaceada_11_901_ps2_uct.py": ""})).code == 0
    assert set(course.submitted()) == {"s1/ps2_uct/ps2_uct.py"}


# ---- a second download

def test_newer_work_replaces_older_work_which_is_kept(course: Course) -> None:
    ada, soren = moodle("Ada Lovelace", 1, "ps2_uct.py"), moodle("Søren Ó Briain", 2, "ps2_uct.py")
    first = course.zip({ada: "old", soren: "same"}, "1.zip")
    second = course.zip({ada: "new", soren: "same"}, "2.zip", date=(2026, 11, 2, 8, 0, 0))
    assert course.collect(first).code == 0
    untouched = (course.folder / "submitted/s3/ps2_uct/ps2_uct.py").stat()
    (course.folder / "submitted/s1/notes.txt").write_text("the instructor's")
    done = course.collect(second)
    assert "newer work of s1 (Ada Lovelace): the older submissions are in collected/" in done.out
    assert "1 student placed, 1 unchanged" in done.out
    assert course.submitted()["s1/ps2_uct/ps2_uct.py"] == "new" and course.submitted()["s1/notes.txt"] == "the instructor's"
    assert [path.read_text() for path in course.folder.glob("collected/*/s1/ps2_uct/ps2_uct.py")] == ["old"]
    assert (course.folder / "submitted/s3/ps2_uct/ps2_uct.py").stat() == untouched
    assert course.collect(second).out.startswith("2.zip: Moodle, ps2_uct, 2 files: 0 students placed, 2 unchanged")
    assert len(list((course.folder / "collected").glob("*/"))) == 1


def test_the_newest_of_several_zips_counts_in_any_order(course: Course) -> None:
    old, new = (course.zip({"lovelaceada_11_901_ps2_uct.py": f"{day}"}, f"{day}.zip", date=(2026, 11, day, 8, 0, 0))
                for day in (1, 2))
    assert course.collect(new, old).code == 0
    assert course.submitted() == {"s1/ps2_uct/ps2_uct.py": "2"}
    assert "two of the zips have the same name" in course.collect(old, old).err


def test_downloads_of_one_name_keep_a_list_for_each_set(course: Course) -> None:
    for ps in (PS, "ps1_games"):  # Canvas calls both submissions.zip
        assert course.collect(course.zip({f"lovelaceada_11_901_{ps}.py": "x = 1"}, "submissions.zip"), ps=ps).code == 0
    assert [[*course.table("submissions", ps)] for ps in (PS, "ps1_games")] == [
        [f"lovelaceada_11_901_{ps}.py"] for ps in (PS, "ps1_games")]


def test_an_older_attempt_replaces_nothing(course: Course) -> None:
    for day, text in ((6, "new"), (5, "old")):
        done = course.collect(course.zip({blackboard("adal", f"2026-10-0{day}-23-59-00", "ps2_uct.py"): text}))
    assert done.code == 0 and "older than what is in submitted/" in done.out
    assert course.submitted()["s1/ps2_uct/ps2_uct.py"] == "new"


# ---- what to solve first

@pytest.mark.parametrize("files, ps, sentence", [
    ({}, PS, "is empty"),
    ({"a/b": "", "lovelaceada_11_901_work.py": ""}, None, "contain no problem set: give the set, such as --ps ps1_games"),
    ({"lovelaceada_11_901_ps2_uct.py": "", "x_1_902_ps3_connect_four.py": ""}, None, "ps2_uct (1) and ps3_connect_four (1)"),
    ({"lovelaceada_11_901_ps3_connect_four.py": ""}, PS, "no file name in it contains ps2_uct, but 1 contain ps3_connect_four"),
    ({"readme.txt": ""}, PS, "has a name as Canvas, Moodle or Blackboard write it"),
    ({"__MACOSX/x": ""}, PS, "has a name as Canvas, Moodle or Blackboard write it"),
    ({"lovelaceada_11_901_ps2_uct.py": ""}, "ps9", "no problem set is called 'ps9'"),
])
def test_a_zip_that_cannot_be_collected_is_one_sentence(course: Course, files: dict, ps: str | None, sentence: str) -> None:
    done = course.collect(course.zip(files), ps=ps)
    assert done.code == 2 and sentence in done.err and len(done.err.splitlines()) == 1
    assert os.listdir(course.folder) == ["roster.csv"]


def test_no_zip_no_course_and_no_roster(course: Course, tmp_path: Path) -> None:
    assert "no such zip" in course.collect(tmp_path / "nowhere.zip").err
    (tmp_path / "page.zip").write_text("<html>log in</html>")
    assert "is not a zip" in course.collect(tmp_path / "page.zip").err
    download = course.zip({"lovelaceada_11_901_ps2_uct.py": ""})
    course.roster("id\ns1\n")
    assert "roster.csv has none: it needs first_name and last_name" in course.collect(download).err
    (course.folder / "roster.csv").unlink()
    assert "is not a course folder" in course.collect(download).err
    (course.folder / "submitted").mkdir()
    done = course.collect(download)
    assert done.code == 2 and "Canvas writes names and not ids: put a roster.csv" in done.err


def test_an_encrypted_zip(course: Course) -> None:
    download = course.zip({"lovelaceada_11_901_ps2_uct.py": "x"})
    data = bytearray(download.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag in the directory of the zip
    download.write_bytes(data)
    assert "is encrypted" in course.collect(download).err


def test_a_grader_at_work_is_waited_for(course: Course) -> None:
    with course_lock(course.folder):
        assert course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "x"})).code == 3


# ---- hostile zips

def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def test_nothing_is_written_outside_of_the_course(course: Course, tmp_path: Path) -> None:
    names = [moodle("Ada Lovelace", 1, name) for name in (
        "../../../../out.py", "..\\..\\out.py", "a\u202egnp.py", "a\x1b[2J.py", "x" * 200 + ".py", "b\nleft over: c.py",
        "/".join("abcdefghij"), "timestamp.txt", "clash", "clash/inside.py", "ps2_uct.py")]
    outside = ["/etc/out.py", "C:\\out.py", "../out.py"]
    download = course.zip([*((name, "evil") for name in (*names, *outside)), (names[-1], "x = 1"),
                           (link(moodle("Ada Lovelace", 1, "l.py")), "/etc/passwd")])
    before = sorted(tmp_path.iterdir())
    done = course.collect(download)
    assert done.code == 1 and sorted(tmp_path.iterdir()) == before and not Path("/etc/out.py").exists()
    assert course.submitted() == {"s1/ps2_uct/clash": "evil", "s1/ps2_uct/ps2_uct.py": "x = 1"}
    assert "\x1b" not in done.out and "\nleft over" not in done.out and "\u202e" not in done.out
    with (course.folder / "collected/ps2_uct-download.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 16  # a row for each member
    assert (course.folder / "submitted/s1/ps2_uct/ps2_uct.py").stat().st_mode & 0o111 == 0


def test_a_link_in_submitted_is_not_written_through(course: Course, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (course.folder / "submitted").mkdir()
    (course.folder / "submitted/s1").symlink_to(tmp_path / "elsewhere")
    (course.folder / "submitted/s3").write_text("a file")
    done = course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "x", "óbriainsøren_3_902_ps2_uct.py": "x"}))
    assert done.code == 1 and "is a link to another place" in done.out and "submitted/s3 is a file" in done.out
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_large_or_damaged_file_takes_its_submission_with_it(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    download = course.zip({
        "lovelaceada_11_901_ps2_uct.ipynb": "0" * 5000, "lovelaceada_11_902_tree.png": "p",
        "müllerlüdenscheidtjörg_22_903_ps2_uct.py": os.urandom(500), "óbriainsøren_3_904_ps2_uct.py": "y",
        "óbriainsøren_3_905_film.mp4": "0" * 5000})
    data = bytearray(download.read_bytes())
    data[data.index(b"_22_903_ps2_uct.py") + 60] ^= 0xFF
    download.write_bytes(data)
    done = course.collect(download)
    assert done.code == 1 and set(course.submitted()) == {"s3/ps2_uct/ps2_uct.py"}
    table = course.table()
    assert "'ps2_uct.ipynb' of the same submission is larger than" in table["lovelaceada_11_902_tree.png"][2]
    assert "cannot be read from the zip" in table["müllerlüdenscheidtjörg_22_903_ps2_uct.py"][2]
    assert "larger than" in table["óbriainsøren_3_905_film.mp4"][2]


def test_a_zip_that_would_fill_the_disk(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES_OF_ALL", 1000)
    assert "is too large when unpacked" in course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "0" * 5000})).err


def test_names_without_the_flag_for_utf_8(course: Course) -> None:
    """As Canvas writes them; and cp437, as old programs do."""
    download = course.zip({"m__ller_22_901_ps2_uct.py": "x", "l@velaceada_11_902_ps2_uct.py": "y"})
    data = download.read_bytes().replace(b"m__ller", "müller".encode()).replace(b"l@ve", b"l\x94ve")  # an ö of cp437
    download.write_bytes(data)
    assert course.collect(download).code == 0
    assert {"müller_22_901_ps2_uct.py", "lövelaceada_11_902_ps2_uct.py"} == set(course.table())


# ---- the machine

def test_a_refusal_of_nbgrader_is_said_in_its_words(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nbgrader_steps.NumberedCollector, "collect", lambda self, file: {"student_id": "s1"})
    done = course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "x"}))
    assert done.code == 2
    assert "nbgrader's zip_collect refuses: Expected collector NumberedCollector to provide the file_id" in done.err


def test_a_full_disk_is_a_sentence_and_loses_nothing(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    assert course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "old"})).code == 0

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "submitted")

    monkeypatch.setattr(nbgrader_steps, "unpack", full)
    done = course.collect(course.zip({"lovelaceada_11_902_ps2_uct.py": "new"}))
    assert done.code == 2 and "the disk is full" in done.err and course.submitted() == {"s1/ps2_uct/ps2_uct.py": "old"}


@pytest.mark.usefixtures("repetition")
def test_ctrl_c_stops_it_and_the_same_command_ends_as_an_undisturbed_one(course: Course) -> None:
    download = course.zip({f"lovelaceada_11_{number}_f{number}.bin": os.urandom(2**19) for number in range(900, 960)})
    command = [sys.executable, "-m", "autograder", "collect", str(course.folder), str(download), "--ps", PS]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    extracted = course.folder / ".work" / "collect" / "0" / "extracted"
    deadline = time.monotonic() + 60
    while not (extracted.exists() and any(extracted.iterdir())) and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    if running.returncode != 0:  # a fast machine may have been done
        assert running.returncode == 130 and "Traceback" not in err and "stopped" in err
    assert course.collect(download).code == 0 and len(list(course.folder.glob("submitted/s1/ps2_uct/*"))) == 60
    assert not (course.folder / ".work" / "collect").exists()


def test_the_decision_is_in_the_log(course: Course) -> None:
    course.collect(course.zip({"lovelaceada_11_901_ps2_uct.py": "x"}))
    line = (course.folder / "log.jsonl").read_text()
    assert '"command": "collect"' in line and '"placed": ["s1"]' in line and '"left_over": 0' in line


@pytest.mark.usefixtures("repetition")
def test_a_collected_class_is_graded_with_its_times(course: Course) -> None:
    stub = (ROOT / "assignments" / PS / f"{PS}.py").read_text()
    course.collect(course.zip({blackboard(user, f"2026-10-0{day}-23-59-00", "ps2_uct.py"): stub
                               for user, day in (("adal", 5), ("jml", 6))}))
    assert "graded 2 of 2 submissions" in output_of("grade", course.folder, "--ps", PS, "--no-feedback")
    with sqlite3.connect(course.folder / "gradebook.db") as gradebook:
        times = gradebook.execute("select student_id, timestamp from submitted_assignment order by student_id").fetchall()
    assert times == [("s1", "2026-10-05 23:59:00.000000"), ("s2", "2026-10-06 23:59:00.000000")]


@pytest.mark.parametrize("names", [
    ["Ada Lovelace_1_assignsubmission_file_../out.py", "Ada Lovelace_1_assignsubmission_file_..", moodle("Ada Lovelace", 1, "a")],
    ["lovelaceada_11_901_..", "lovelaceada_11_902_..\\out.py", "lovelaceada_11_903_."],
    [blackboard("adal", "2026-10-05-23-59-00", ".."), blackboard("adal", "2026-10-05-23-59-00", ".")],
    ["s1/./", "s1/.", "s1//", "s1/.. /../out.py"],
])
def test_a_prefix_hides_no_way_out(course: Course, names: list[str]) -> None:
    done = course.collect(course.zip(dict.fromkeys(names, "evil")))
    assert done.code in (1, 2) and not any("out.py" in path.name for path in course.folder.parent.rglob("*"))
    assert set(course.submitted()) <= {"s1/ps2_uct/.. "}


# ---- through make

@pytest.mark.usefixtures("processes")
def test_for_make_a_left_over_file_is_no_error_and_a_missing_zip_is_one(course: Course) -> None:
    path = course.zip({"lovelaceada_11_901_ps2_uct.ipynb": "x", "nobody_33_902_ps2_uct.ipynb": "y"})
    collect, no_zip = (subprocess.run(["make", "-C", ROOT, "collect", f"COURSE={course.folder}", f"ZIP={zip}"],
                                      capture_output=True, text=True) for zip in (path, path.with_name("none.zip")))
    assert collect.returncode == 0 and "left over: nobody_33" in collect.stdout
    assert collect.stderr == "autograder: 1 file is left over, and everything else is done: look at the lines above\n"
    assert no_zip.returncode == 2 and "Error 2" in no_zip.stderr and "none.zip" in no_zip.stderr
    assert course.collect(path).code == 1  # without make the code says it
