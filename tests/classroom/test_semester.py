"""A whole semester, with the commands of docs/instructors.md as they are written there, and three students with Unix accounts."""

import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from unix_user import USERS, as_user

from autograder.problem_sets import build
from autograder.problem_sets.source import load
from tests.formgrader_server import TOKEN, jupyter_server
from tests.ladders import quick_ladder
from tests.tables import by_student

ROOT = Path(__file__).resolve().parents[2]
PS, PS3 = "ps2_uct", "ps3_connect_four"
ROSTER = """id,first_name,last_name,email
daemon,Dae,Mon,
games,Gam,Es,
nobody,No,Body,
cana,Ada,Lovelace,ada@uni.example
moob,Bob,Noyce,bob@uni.example
cy,Cy,Twombly,
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,ps2_uct (11)
    Points Possible,,,,,105
"Lovelace, Ada",7,,cana,Autumn,
"Twombly, Cy",8,,cy,Autumn,
"""
WRONG = "def backpropagate(node, value):\n    node.num_visits += 1\n"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="three Unix users hand in")


def documented() -> list[str]:
    """The commands of the chapter "A semester in ten commands", in their order."""
    text = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    chapter = text.split("## A semester in ten commands")[1].split("\n## ")[0]
    return re.findall(r"^    (\S.*)$", chapter, flags=re.M)


class Semester:
    """The room of a semester: the course, the exchange, the homes of three students; and the documented commands."""

    def __init__(self, room: Path) -> None:
        self.room, self.course = room, room / "autumn"
        self.steps = {name: next(line for line in documented() if name in line) for name in (
            "make course", "install -d", "release_assignment", "staff extend", "nbgrader collect", "make collect", "make grade",
            "release_feedback", "make export")}
        for user in USERS:
            (room / user).mkdir()
            (room / user / "nbgrader_config.py").write_text(
                f"c = get_config()\nc.CourseDirectory.course_id = 'autumn'\nc.Exchange.root = {str(room / 'exchange')!r}\n")
            shutil.chown(room / user, user)

    def staff(self, name: str, **words: str) -> str:
        """Run a documented command, with the folder of this course and other files, and return what it says."""
        line = self.steps[name].replace("../.venv/bin/nbgrader", f"{ROOT}/.venv/bin/nbgrader")
        line = re.sub(r"\bautumn\b", str(self.course), line)
        for old, new in words.items():
            assert old in line, line
            line = line.replace(old, new)
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=600,
                              env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160"})
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def student(self, user: str, *arguments: str) -> str:
        """Run nbgrader as a student, in the student's home."""
        done = as_user(user, self.room / user, "-m", "nbgrader", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def mark(self, student: str, cell: str, score: float) -> None:
        """Save a mark in formgrader, with the request of its page."""
        with Gradebook(f"sqlite:///{self.course}/gradebook.db", "autumn") as gradebook:
            id = gradebook.find_grade(cell, PS, PS, student).id
        with jupyter_server(self.course, self.room / "grader") as address:
            saved = saved_by(f"{address}/formgrader/api/grade/{id}", {"manual_score": score})
        assert saved["manual_score"] == score

    def final(self) -> dict[str, dict[str, str]]:
        return by_student(self.course / "final.csv")

    def nbgraders(self) -> dict[tuple[str, str], float]:
        """nbgrader's own totals, by student and assignment."""
        scores = {}
        with Gradebook(f"sqlite:///{self.course}/gradebook.db", "autumn") as gradebook:
            for assignment in gradebook.assignments:
                for submission in gradebook.assignment_submissions(assignment.name):
                    penalty = submission.late_submission_penalty or 0.0
                    scores[submission.student.id, assignment.name] = max(0.0, submission.score - penalty)
        return scores


def saved_by(address: str, content: dict[str, float]) -> dict[str, float]:
    """Put a value into formgrader, and return its answer."""
    request = urllib.request.Request(address, json.dumps(content).encode(), method="PUT", headers={
        "Authorization": f"token {TOKEN}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def solved(ps: str) -> str:
    return build(load(ps), solution=True)[0]


def with_cell(notebook: str, source: str) -> str:
    """The notebook with one more cell at its end, such as a function that is written again, wrongly."""
    made = nbformat.reads(notebook, as_version=4)
    made.cells.append(nbformat.v4.new_code_cell(source))
    return nbformat.writes(made)


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 10, 6, 8, 0, 0)), content)
    return path


@pytest.fixture(scope="module")
def semester() -> Iterator[Semester]:
    room = Path(tempfile.mkdtemp(prefix="semester-"))  # not in pytest's own folder, which other users may not enter
    room.chmod(0o755)
    try:
        yield Semester(room)
    finally:
        shutil.rmtree(room)


def test_ten_commands_are_enough() -> None:
    assert 0 < len(documented()) <= 10


@pytest.mark.usefixtures("whole_world")
def test_a_semester(semester: Semester) -> None:
    """One student late with an extension, one late and wrong, one under a wrong name, one by Canvas, one by Moodle, one never."""
    room, course = semester.room, semester.course
    (room / "people.csv").write_text(ROSTER)
    semester.staff("make course", **{"people.csv": str(room / "people.csv")})
    text = (course / "course.toml").read_text()
    rule = re.sub(r"^# (\[late\]|grace|percent|most|last)", r"\1", text, flags=re.M)
    (course / "course.toml").write_text(rule.replace("last_day = 7 ", "last_day = 0 "))
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(f"c.Exchange.root = {str(room / 'exchange')!r}\n")
    (course / "rungs.toml").write_text(quick_ladder("Random"))

    # the exchange: fetch, work, submit
    semester.staff("install -d", **{"/usr/local/share/nbgrader/exchange": str(room / "exchange")})
    semester.staff("release_assignment")
    semester.staff("staff extend", kim="daemon", **{"--hours 48": "--hours 80000"})
    for user in USERS:
        assert f"autumn {PS}" in semester.student(user, "list")
        semester.student(user, "fetch_assignment", PS)
        work = room / user / PS / f"{PS}.ipynb"
        assert "NotImplementedError" in work.read_text()
        work.write_text(with_cell(solved(PS), WRONG) if user == "games" else solved(PS))
        if user == "nobody":
            work.rename(work.with_name("PS2 UCT - my copy.ipynb"))
        semester.student(user, "submit", PS)
    semester.staff("nbgrader collect")

    # the platforms
    canvas = zipped(room / "canvas.zip", {f"lovelaceada_7_501_{PS}.ipynb": solved(PS), "thumbs.db": ""})
    moodle = zipped(room / "moodle.zip", {f"Bob Noyce_99_assignsubmission_file/{PS3}.ipynb": solved(PS3),
                                          f"Stranger_98_assignsubmission_file/{PS3}.ipynb": solved(PS3)})
    for path, ps in ((canvas, PS), (moodle, PS3)):
        line = semester.steps["make collect"].replace("autumn", str(course)).replace("download.zip", str(path))
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True)
        assert "Traceback" not in done.stderr and (course / "collected" / f"{ps}-{path.stem}.csv").exists(), done.stderr
        assert path is canvas or "Stranger" in done.stdout

    # everything that was handed in, one command
    output = semester.staff("make grade")
    assert "graded 4 of 4 submissions, 0 grader faults" in output and "graded 1 of 1 submission, 0 grader faults" in output
    rows, totals = semester.final(), semester.nbgraders()
    assert set(rows) == {*USERS, "cana", "moob", "cy"}
    assert {(student, ps): float(rows[student][ps]) for student, ps in totals} == pytest.approx(totals)
    # 100, and 5 extra points for the check of one's own
    assert (rows["daemon"][PS], rows["cana"][PS], rows["moob"][PS3]) == ("105", "105", "105")
    assert (rows["nobody"][PS], rows["nobody"][f"{PS}_late"]) == ("52.5", "-52.5")  # late without an extension: half
    assert 0 < float(rows["games"][f"{PS}_automatic"]) < 100
    assert float(rows["moob"]["challenge"]) > 0 and rows["cy"]["total"] == "0" and rows["cy"]["note"].count("nothing") == 3

    # a mark by hand in formgrader; the run says which mark it changed, and nothing is lost
    semester.mark("daemon", "ex2_13", 4)
    output = semester.staff("make grade")
    assert "1 final mark has changed" in output and f"daemon (Dae Mon) {PS} 105 -> 109 (by hand 0 -> 4)" in output
    after = semester.final()
    assert {student: row for student, row in after.items() if student != "daemon"} == {
        student: row for student, row in rows.items() if student != "daemon"}

    # feedback through the exchange, each student only the own
    semester.staff("release_feedback")
    for user in USERS:
        semester.student(user, "fetch_feedback", PS)
        (page,) = (room / user / PS / "feedback").rglob("*.html")
        assert ("NOT YET" in page.read_text()) is (user == "games")

    # Canvas's own table comes back with the marks
    (room / "gradebook.csv").write_text(CANVAS)
    semester.staff("make export", **{"gradebook.csv": str(room / "gradebook.csv")})
    with (course / "canvas.csv").open(newline="") as file:
        table = list(csv.reader(file))
    assert [row[:6] for row in table[2:]] == [["Lovelace, Ada", "7", "", "cana", "Autumn", "105"],
                                              ["Twombly, Cy", "8", "", "cy", "Autumn", "0"]]
    assert "nothing changed since the last run" in semester.staff("make grade") and semester.final() == after
