"""A student is erased: from files, tables, logs, states, archives and every copy of the gradebook, and nobody else is touched."""

import csv
import gzip
import hashlib
import json
import pickle
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest

from arena.errors import Busy, UserError
from autograder.course.erase import check_known, erase, known_person, search
from autograder.course.feedback import feedback
from autograder.course.roster import list_submissions
from autograder.course.storage.lock import course_lock
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import prepare
from autograder.gradebook.extension import extend
from autograder.gradebook.marks.final_marks import write_final
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.tables import write_changes, write_grades
from autograder.log import log
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass

ROSTER = ("id,first_name,last_name,email,sis_login_id,section\nada,Ada,Lovelace,ada@uni.example,lov815x,A\n"
          "ada-2,Ada,Byron,ada2@uni.example,byr007x,A\nbob,Bob,\"Quoted, \"\"B\"\"\",,,A\nmax,Max,Planck,,,\n")
STUDENTS = ("ada", "ada-2", "bob", "max")


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    """Four have handed in, are graded and have pages; two have nearly the same id, and one a word of Python."""
    folder = small_class.folder
    (folder / "course.toml").write_text(f"[course]\nsets = ['{PS}']\n[due]\n{PS} = 2026-02-03T12:00:00\n")
    (folder / "roster.csv").write_bytes(b"\xef\xbb\xbf" + ROSTER.replace("\n", "\r\n").encode())
    prepare(folder, PS)
    reports = {}
    for student in STUDENTS:
        small_class.hand_in(student, {"ex2_13": f"the answer of {student} alone"}, timestamp="2026-02-04 13:00:00 UTC")
        reports[student] = small_class.report(student)
        ReportStore(folder, PS).put(student, reports[student], {"note": student})
    small_class.record(**reports)
    extend(folder, PS, {"ada": 24, "bob": 24})
    small_class.record(**reports)
    write_grades(folder, reports)
    write_changes(folder, PS, [])
    with small_class.gradebook() as gradebook:
        write_final(folder, read_marks(folder, gradebook))
    feedback(folder, PS)
    for student in ("ada", "bob"):
        log(folder, "extend", ps=PS, student=student, hours=24)
    log(folder, "return", ps=PS, students=list(STUDENTS))
    log(folder, "excuse", ps=PS, check="test_x", why="ada found that it is wrong")
    return small_class


def add_everything(folder: Path) -> None:
    """What else may hold a student: kept names, answers, exports, pages, archives, a copy of the gradebook, what a cache has."""
    (folder / "collected").mkdir()
    kept = {PS: {"ada": [{"platform": "Canvas", "beginning": "lovelaceada_48_951_", "account": "48"}], "bob": []}}
    (folder / "collected" / "names.json").write_text(json.dumps(kept, indent=2))
    (folder / "collected" / "w1.csv").write_text("file,student\nlovelaceada_48_951_ps2.py,ada\nbob_1_2_ps2.py,bob\n")
    (folder / "collected" / "2026-01-01" / "ada" / PS).mkdir(parents=True)
    (folder / "attempts.json").write_text(json.dumps({PS: {"ada": ["0" * 64], "bob": ["1" * 64]}}))
    (folder / "canvas.csv").write_text("Student,SIS Login ID\n\"Lovelace, Ada\",lov815x\n")
    (folder / "weights.csv").write_text("student,nearest,distance\nbob,ada,0.1\nada-2,bob,0.2\n")
    returned = folder / "returned" / PS
    returned.mkdir(parents=True)
    with zipfile.ZipFile(returned / "canvas.zip", "w") as packed:
        packed.writestr("lovelaceada_48_951_ps2_uct.html", "<bdi>ada</bdi>")
        packed.writestr("bob_49_952_ps2_uct.html", "<bdi>bob</bdi>")
    (returned / "mail.csv").write_text("id,page\nada,/x/ada.html\nbob,/x/bob.html\n")
    last = {"ada": ["0" * 32, "90", "2026-11-02 08:00:00 UTC"], "bob": ["1" * 32, "80", "2026-11-02 08:00:00 UTC"]}
    (returned / "canvas.json").write_text(json.dumps({"students": last}))
    (returned / "table.csv").write_bytes("Username\tMark\nada\t5\nbob\t6\n".encode("utf-16"))
    (folder / "report").mkdir(exist_ok=True)
    (folder / "report" / f"{PS}.html").write_text("<bdi>ada</bdi> and <bdi>bob</bdi>")
    (folder / ".cache" / "ab").mkdir(parents=True)
    sha = json.loads((folder / "reports" / "ada" / f"{PS}.json").read_text())["sha256"]
    (folder / ".cache" / "ab" / "1.json").write_text(json.dumps({"report": json.dumps({"sha256": sha})}))
    (folder / ".cache" / "ab" / "2.json").write_text(json.dumps({"report": json.dumps({"sha256": "2" * 64})}))
    (folder / ".work" / "nbgrader.log").write_text("ada is 5 seconds late\nbob is late\n")
    shutil.copy(folder / "gradebook.db", folder / "gradebook.db.before-0.9-2026-01-01")


def of_others(folder: Path) -> dict[str, str]:
    """The digests of everything in the folders of other students."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and set(path.parts) & {"ada-2", "bob", "max"}]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
            if "returned" not in path.parts}


def test_nothing_is_left_of_one_and_nothing_is_gone_of_the_others(course: SmallClass) -> None:
    folder = course.folder
    add_everything(folder)
    before, standings = of_others(folder), course.standings()
    found = search(folder, known_person(folder, "ada"))
    assert len(found) > 25 and {"gradebook.db", "roster.csv", "log.jsonl", "submitted/ada", "more_time.json"} & {
        path for path, _ in found} >= {"gradebook.db", "roster.csv", "log.jsonl", "submitted/ada"}
    done = erase(folder, known_person(folder, "ada"))
    assert done.left == [] and not done.refused
    assert [path for path in folder.rglob("*") if path.name == "ada"] == []
    every = b"".join(path.read_bytes() for path in folder.rglob("*")
                     if path.is_file() and path.relative_to(folder).parts[0] not in ("release", "source", "handout"))
    assert b"Lovelace" not in every and b"lovelaceada" not in every and b"lov815x" not in every and b"ada@uni" not in every
    assert b"the answer of ada alone" not in every
    assert of_others(folder) == before
    standings.pop("ada")
    assert course.standings() == standings
    assert (folder / "roster.csv").read_bytes() == b"\xef\xbb\xbf" + ROSTER.replace("\n", "\r\n").encode().replace(
        b"ada,Ada,Lovelace,ada@uni.example,lov815x,A\r\n", b"")
    for table, whose in (("final.csv", "student"), ("grades.csv", "student")):
        with (folder / table).open(newline="") as file:
            assert [row[whose] for row in csv.DictReader(file)] == ["ada-2", "bob", "max"]
    assert (folder / "weights.csv").read_text() == "student,nearest,distance\nada-2,bob,0.2\n"
    assert (folder / "collected" / "w1.csv").read_text() == "file,student\nbob_1_2_ps2.py,bob\n"
    assert (folder / "returned" / PS / "table.csv").read_bytes().decode("utf-16") == "Username\tMark\nbob\t6\n"
    assert json.loads((folder / "attempts.json").read_text()) == {PS: {"bob": ["1" * 64]}}
    assert list(json.loads((folder / "returned" / PS / "canvas.json").read_text())["students"]) == ["bob"]
    with zipfile.ZipFile(folder / "returned" / PS / "canvas.zip") as packed:
        assert packed.namelist() == ["bob_49_952_ps2_uct.html"]
    assert [path.name for path in (folder / ".cache").rglob("*.json")] == ["2.json"]
    assert (folder / ".work" / "nbgrader.log").read_text() == "bob is late\n"
    assert not (folder / "canvas.csv").exists() and not (folder / "report" / f"{PS}.html").exists()
    for copy in folder.glob("gradebook.db*"):
        assert [row[0] for row in sqlite3.connect(copy).execute("select id from student order by id")] == ["ada-2", "bob", "max"]
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert [entry.get("student") for entry in entries if entry["command"] == "extend"] == ["bob"]
    assert entries[-3]["students"] == ["ada-2", "bob", "max"] and entries[-2]["why"] == "[erased] found that it is wrong"
    assert entries[-1]["command"] == "erase" and "ada" not in json.dumps(entries[-1])
    with pytest.raises(UserError, match="nothing in .* is about 'ada', and nothing was changed"):
        check_known(folder, known_person(folder, "ada"), search(folder, known_person(folder, "ada")))


def test_what_another_person_wrote_stays_and_is_named(course: SmallClass) -> None:
    folder = course.folder
    (folder / "submitted" / "bob" / PS / "notes.txt").write_text("Ada Lovelace has helped me")
    with zipfile.ZipFile(folder / "backup.zip", "w") as outer:
        outer.writestr("reports/ada/x.json", "{}")
        outer.writestr("other.txt", gzip.compress(b"bob"))
    (folder / "mine.pickle").write_bytes(pickle.dumps({"student": "ada"}))
    (folder / "mine.gz").write_bytes(gzip.compress("Ada Lovelace".encode("utf-16-le")))
    done = erase(folder, known_person(folder, "ada"))
    assert done.left == [("mine.gz", "the text"), ("mine.pickle", "the text"), (f"submitted/bob/{PS}/notes.txt", "the text")]
    with zipfile.ZipFile(folder / "backup.zip") as packed:
        assert packed.namelist() == ["other.txt"]


def test_an_id_that_is_a_word_of_the_course_is_looked_for_where_it_names_somebody(course: SmallClass) -> None:
    folder = course.folder
    person = known_person(folder, "max")
    assert person.is_a_word
    work = (folder / "submitted" / "bob" / PS / f"{PS}.ipynb").read_bytes()
    assert b"max" in work
    final = (folder / "final.csv").read_text()
    done = erase(folder, person)
    assert done.left == [] and not (folder / "submitted" / "max").exists()
    assert (folder / "submitted" / "bob" / PS / f"{PS}.ipynb").read_bytes() == work
    assert (folder / "final.csv").read_text().splitlines() == [line for line in final.splitlines() if not line.startswith("max")]
    assert "max" in final.splitlines()[0]


def test_the_other_member_of_a_team_keeps_work_and_mark(course: SmallClass) -> None:
    folder = course.folder
    (folder / "teams.csv").write_text("id,team\nada,red\nbob,red\n")
    shutil.rmtree(folder / "submitted" / "bob")
    work = (folder / "submitted" / "ada" / PS / f"{PS}.ipynb").read_bytes()
    done = erase(folder, known_person(folder, "ada"))
    assert done.moved == [f"submitted/bob/{PS}"] and (folder / "submitted" / "bob" / PS / f"{PS}.ipynb").read_bytes() == work
    assert (folder / "teams.csv").read_text() == "id,team\n"
    assert [entry.student for entry in list_submissions(folder, PS).entries] == ["ada-2", "bob", "max"]
    assert [path for path, _ in done.left] == [f"submitted/bob/{PS}/{PS}.ipynb"]  # the answer that ada signed


def test_a_grading_run_is_waited_for_and_a_typing_error_changes_nothing(course: SmallClass) -> None:
    folder = course.folder
    with course_lock(folder), pytest.raises(Busy):
        erase(folder, known_person(folder, "ada"))
    assert (folder / "submitted" / "ada").exists()
    for id in ("", "..", "a/b", PS, "students"):
        with pytest.raises(UserError, match="cannot be erased"):
            known_person(folder, id)
    done = autograder_here("staff", "erase", folder, "adda")
    assert done.returncode == 2 and "nothing in" in done.stderr and "Traceback" not in done.stderr and len(
        done.stderr.splitlines()) == 1
    done = autograder_here("staff", "erase", folder, "ada")
    assert done.returncode == 0 and "ada (Ada Lovelace) is in" in done.stdout and "nothing was changed" in done.stdout
    assert (folder / "submitted" / "ada").exists()
    done = autograder_here("staff", "erase", folder, "ada", "--yes")
    assert done.returncode == 0 and "gone: submitted/ada/\n" in done.stdout, done.stdout + done.stderr
    assert "the search finds nothing; run grade" in done.stdout
