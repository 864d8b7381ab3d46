"""A semester of forty people with odd names, on two platforms, in teams, with four markers: from the roster to the archive.

`semester` plays it once, with the commands of docs/instructors.md; then each test asks one thing of what is left, and those that
change something work on a copy. What each person does, and must get for it, is in forty.py.
"""

import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import forty as people
import pytest
from forty import CHECK, DISPUTED, DISPUTES, DUE, ERASED, MARKERS, PS1, PS2, ROSTER, SETS
from nbgrader.api import Gradebook

from autograder.log import read_log
from autograder.paths import REPOSITORY
from scripts import install
from tests.commands import autograder, autograder_here
from tests.formgrader_server import TOKEN, jupyter_server
from tests.pythons import program_of, python_with_packages
from tests.tables import rows_of

pytestmark = pytest.mark.usefixtures("whole_world")

TWICE = 4  # answers that two people mark
SECOND_IS_LESS = 0.5  # points, of each second mark


@dataclass
class Course:
    """A course folder in a room of its own, and what its commands say."""

    folder: Path
    said: dict[str, str] = field(default_factory=dict)

    @property
    def room(self) -> Path:
        return self.folder.parent

    def run(self, *words: object, status: int = 0) -> str:
        return output(autograder_here(*words), status)

    def staff(self, command: str, *words: object, status: int = 0) -> str:
        return self.run("staff", command, self.folder, *words, status=status)

    def grade(self, *options: object) -> str:
        """Grade all sets in a process of its own, as `make grade` does."""
        return output(autograder("grade", self.folder, "--workers", "2", *options, timeout=1800))

    def final(self) -> dict[str, dict[str, str]]:
        return {row["student"]: row for row in rows_of(self.folder / "final.csv")}

    def text(self, *path: str) -> str:
        return self.folder.joinpath(*path).read_text(encoding="utf-8")


def output(done: subprocess.CompletedProcess[str], status: int = 0) -> str:
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout + done.stderr


def write_table(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    rows = list(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(dict.fromkeys(column for row in rows for column in row)))
        table.writeheader()
        table.writerows(rows)
    return path


# ---- the semester

@pytest.fixture(scope="module")
def semester(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = Course(tmp_path_factory.mktemp("semester") / "autumn")
    begin(course)
    for ps in SETS:
        hand_in(course, ps)
    course.said["first"] = course.grade()
    deal_and_mark(course)
    course.staff("dispute", DISPUTES, "--exercise", DISPUTED, "--open", "the docstring does not say it", "--ps", PS1)
    course.said["marked"] = course.grade()
    agree(course)
    excuse(course)
    course.said["excused"] = course.grade()
    course.staff("dispute", DISPUTES, "--exercise", DISPUTED, "--answer", "you are right", "--ps", PS1)
    course.said["last"] = course.grade()
    hand_back(course)
    return course


def begin(course: Course) -> None:
    """The roster with accommodations, the late rule, tokens, teams; an extension before anybody has handed in."""
    table = write_table(course.room / "people.csv", ({**person, "more_days": people.MORE_DAYS.get(id, "")}
                                                     for id, person in ROSTER.items()))
    due = ",".join(f"{ps}={DUE[ps]:%Y-%m-%dT%H:%M}" for ps in SETS)
    course.run("course", course.folder, "--roster", table, "--sets", ",".join(SETS), "--due", due, "--timezone", "UTC")
    settings = course.folder / "course.toml"
    settings.write_text(settings.read_text() + "\n[late]\npercent_per_day = 10\n\n[tokens]\neach = 3\nhours = 24\n")
    write_table(course.folder / "teams.csv", (
        {"id": member, "team": " and ".join(members), "set": ps} for ps, teams in (
            ("", people.TEAMS), (PS2, [people.TEAM_OF_SET_2])) for members in teams for member in members))
    course.run("course", course.folder)
    for student, ps in people.EXEMPT:
        course.staff("exempt", student, "--ps", ps, "--why", "ill for a month")
    course.staff("extend", "p10", "--hours", 48, "--ps", PS1)
    for ps, name, students in ((PS1, "ill-1.csv", ["p30"]), (PS2, "ill-2.csv", ["p01"])):
        ill = write_table(course.room / name, ({"id": id, "hours": people.EXTENDED[ps][id]} for id in students))
        course.staff("extend", "--table", ill, "--ps", ps)


def hand_in(course: Course, ps: str) -> None:
    """Two downloads of each platform, and the times of late work, which Canvas does not give."""
    for path in people.downloads(course.room, ps):
        said = course.said[path.stem] = course.run("collect", course.folder, path, "--ps", ps, status=1)  # the stranger is left
        assert said.count("left over: ") == 1, said
    late = [{"id": student, "time": f"{people.time_of(student, ps):%Y-%m-%d %H:%M}"} for student, set_ in people.LATE
            if set_ == ps and people.platform(student, ps) == "canvas"]
    if late:
        course.staff("times", write_table(course.room / f"late-{ps}.csv", late), "--ps", ps)


def deal_and_mark(course: Course) -> None:
    """Each marker marks the dealt answers in formgrader, and writes second marks into the table, without having seen a name."""
    for ps in SETS:
        course.said[f"deal {ps}"] = course.staff("deal", "--among", ",".join(MARKERS), "--twice", TWICE, "--ps", ps)
    for marker in MARKERS:
        with jupyter_server(course.folder, course.room / f"home-{marker}", LOGNAME=marker) as address:
            formgrader = Formgrader(address)
            for ps in SETS:
                path = course.folder / "dealt" / f"{ps}-{marker}.csv"
                table = rows_of(path)
                for row in table:
                    notebook = row["page"].rpartition("/")[2]
                    student = whose(course, notebook, ps)
                    if row["mark"] == "second":
                        assert words_in(formgrader.read(notebook), "answer") == {(student, ps)}
                        row["score"] = f"{people.score(student, ps) - SECOND_IS_LESS:g}"
                    else:
                        formgrader.mark(notebook, row["question"], people.score(student, ps))
                        formgrader.comment(notebook, row["question"], f"Read by {marker}: {people.word(student, ps, 'comment')}")
                write_table(path, table)
            if marker == MARKERS[-1]:
                formgrader.mark(*disputed_answer(course), 0.0)  # the last one gives another mark to an answer of the first one
    for ps in SETS:
        for marker in MARKERS:
            path = course.folder / "dealt" / f"{ps}-{marker}.csv"
            if any(row["mark"] for row in rows_of(path)):
                course.staff("second", path, "--ps", ps)


class Formgrader:
    """The requests of formgrader's page."""

    def __init__(self, address: str) -> None:
        self.address = f"{address}/formgrader"

    def _ask(self, path: str, content: dict[str, object] | None = None) -> str:
        body = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"{self.address}/{path}", body, method="GET" if body is None else "PUT", headers={
            "Authorization": f"token {TOKEN}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read().decode()

    def read(self, notebook: str) -> str:
        """The page of an answer."""
        return self._ask(f"submissions/{notebook}")

    def mark(self, notebook: str, cell: str, score: float | None) -> None:
        grades = json.loads(self._ask(f"api/grades?submission_id={notebook}"))
        id = next(grade["id"] for grade in grades if grade["name"] == cell)
        assert json.loads(self._ask(f"api/grade/{id}", {"manual_score": score}))["manual_score"] == score

    def comment(self, notebook: str, cell: str, text: str) -> None:
        comments = json.loads(self._ask(f"api/comments?submission_id={notebook}"))
        id = next(comment["id"] for comment in comments if comment["name"] == cell)
        self._ask(f"api/comment/{id}", {"manual_comment": text})


def whose(course: Course, notebook: str, ps: str) -> str:
    """Who has written what a page of formgrader shows."""
    with Gradebook(f"sqlite:///{course.folder}/gradebook.db", course.folder.name) as gradebook:
        return people.author(gradebook.find_submission_notebook_by_id(notebook).student.id, ps)


def disputed_answer(course: Course) -> tuple[str, str]:
    """The first answer of the second set that was dealt to the first marker."""
    row = next(row for row in rows_of(course.folder / "dealt" / f"{PS2}-{MARKERS[0]}.csv") if not row["mark"])
    return row["page"].rpartition("/")[2], row["question"]


def agree(course: Course) -> None:
    """Two people gave two marks to one answer: the box is emptied, and what they agree on is entered."""
    notebook, cell = disputed_answer(course)
    with jupyter_server(course.folder, course.room / "home-again", LOGNAME=MARKERS[0]) as address:
        formgrader = Formgrader(address)
        student = whose(course, notebook, PS2)
        formgrader.mark(notebook, cell, None)
        formgrader.mark(notebook, cell, people.score(student, PS2))


def excuse(course: Course) -> None:
    """The complaint is explained; it is right, so the check counts for nobody."""
    folder = course.folder / "submitted" / DISPUTES / PS1
    course.said["explained"] = course.run("explain", folder, "--check", CHECK)
    course.staff("excuse", CHECK, "--ps", PS1, "--why", "asked more than the docstring")
    course.said["differences"] = course.staff("differences", "--ps", PS1)


def hand_back(course: Course) -> None:
    """The zips for both platforms, a table for a mail merge, and the marks of all sets."""
    for ps in SETS:
        for way in ("canvas", "moodle"):
            course.said[f"{way} {ps}"] = course.run("return", course.folder, way, "--ps", ps, status=1)
        course.said[f"mail {ps}"] = course.run("return", course.folder, "mail", "--ps", ps)
    for way in ("canvas", "moodle", "csv", "json"):
        course.run("export", course.folder, way)


# ---- nothing is lost

def test_every_hand_in_is_with_its_student_or_named(semester: Course) -> None:
    """also the earlier one of two, and those of strangers"""
    folder = semester.folder
    kept = {path.read_bytes(): path for top in ("collected", "submitted") for path in folder.joinpath(top).rglob("*.ipynb")}
    for path in sorted(semester.room.glob("*.zip")):
        (table,) = (folder / "collected").glob(f"*-{path.stem}.csv")
        listed = {row["file"]: row for row in rows_of(table)}
        with zipfile.ZipFile(path) as packed:
            assert len(packed.namelist()) == len(listed)
            strangers = [name for name in packed.namelist() if name.startswith(tuple(people.STRANGER.values()))]
            assert [row["file"] for row in listed.values() if row["outcome"] == "left over"] == strangers
            for name in {*packed.namelist()} - {*strangers}:
                assert packed.read(name) in kept, name
    there = {(path.parts[-3], path.parts[-2]): path.read_bytes() for path in folder.glob("submitted/*/*/*.ipynb")}
    assert there == {(student, ps): people.work(student, ps) for ps in SETS for student in people.authors(ps)}
    earlier = {(path.parts[-3], path.parts[-2]): path.read_bytes() for path in folder.glob("collected/*/*/*/*.ipynb")}
    assert earlier == {(student, ps): people.work(student, ps, first=True) for student, ps in people.AGAIN}


def test_every_mark_is_everywhere_the_same_and_the_right_one(semester: Course) -> None:
    folder, final = semester.folder, semester.final()
    assert list(final) == list(ROSTER) and semester.text("marks.csv") == semester.text("final.csv")
    canvas = {row["ID"]: row for row in rows_of(folder / "canvas.csv")}
    moodle = {row["Username"]: row for row in rows_of(folder / "moodle.csv")}
    entries = {entry["id"]: entry for entry in json.loads(semester.text("marks.json"))["students"]}
    assert (len(canvas), len(moodle), len(entries)) == (41, 40, 40)  # Canvas has a line with the points possible
    scores = nbgraders(folder)
    for student, person in ROSTER.items():
        total, most = 0.0, 0
        for ps in SETS:
            is_exempt, work = (student, ps) in people.EXEMPT, people.mark(student, ps, people.LOST_IN_THE_END)
            wanted = pytest.approx(work, abs=1e-5)
            total, most = (total, most) if is_exempt else (total + work, most + 105)
            shown = [final[student][ps], moodle[person["username"]][ps], canvas[person["canvas_id"]][ps]]
            assert shown == ["", "", "EX"] if is_exempt else [*map(float, shown)] == [wanted] * 3, (student, ps, final[student])
            assert (ps in entries[student]["marks"]) == ((student, ps) in scores) == people.has_work(student, ps)
            if people.has_work(student, ps):
                assert scores[student, ps] == wanted
                assert entries[student]["marks"][ps]["final"] == (None if is_exempt else wanted)
                page = semester.text("feedback", student, ps, "index.html")
                assert points_of(page) == wanted and ("You need not do this set" in page) == is_exempt
            of_canvas = {row["ID"]: row[ps] for row in rows_of(folder / "returned" / ps / "canvas.csv")}
            assert of_canvas[person["canvas_id"]] == "EX" if is_exempt else float(of_canvas[person["canvas_id"]]) == wanted
            of_moodle = {row["Identifier"]: row["Grade"] for row in rows_of(folder / "returned" / ps / "moodle.csv")}
            is_there = student in people.authors(ps) and people.platform(student, ps) == "moodle"  # with a number of this set
            number = f"Participant {person['moodle_id']}"
            assert (number in of_moodle) == is_there
            assert not is_there or (of_moodle[number] == "" if is_exempt else float(of_moodle[number]) == wanted)
            said = semester.said[f"moodle {ps}"].partition("not in moodle.csv")[2].partition("; give")[0]
            assert (student in said) == (people.has_work(student, ps) and not is_there)
            letters = {row["id"]: row for row in rows_of(folder / "returned" / ps / "mail.csv")}
            assert (student in letters) == people.has_work(student, ps)
            assert student not in letters or (
                letters[student]["mark"] == "" if is_exempt else float(letters[student]["mark"]) == wanted)
        assert float(final[student]["total"]) == pytest.approx(total, abs=1e-5) == entries[student]["total"]
        assert float(final[student]["max"]) == most == entries[student]["max"]


def nbgraders(course: Path) -> dict[tuple[str, str], float]:
    """nbgrader's own marks, by student and set."""
    with Gradebook(f"sqlite:///{course}/gradebook.db", course.name) as gradebook:
        return {(submission.student.id, ps): max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
                for ps in SETS for submission in gradebook.assignment_submissions(ps)}


def points_of(page: str) -> float:
    """The mark on a student's page."""
    text = re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", page.split("<body>")[1])))
    found = re.search(r"([\d.]+) points: [\d.]+ of|([\d.]+) of [\d.]+ points", text)
    assert found is not None, text[:500]
    return float(found[1] or found[2])


def test_lateness_costs_what_time_of_their_own_and_tokens_leave_of_it(semester: Course) -> None:
    final = semester.final()
    lost = {(student, ps) for student in ROSTER for ps in SETS if final[student][f"{ps}_late"].startswith("-")}
    assert lost == set(people.LOST_BY_LATENESS)
    assert {student: row["tokens_used"] for student, row in final.items() if row["tokens_used"] != "0"} == {
        student: str(number) for student, number in people.TOKENS.items()}
    assert all(int(row["tokens_used"]) + int(row["tokens_left"]) == 3 for row in final.values())
    assert f"{PS1}: due later (2 days more in every set)" in final["p14"]["note"]
    page = semester.text("feedback", "p15", PS2, "index.html")
    assert "Late-day tokens of 1 day: 0 of 3 left (2 for ps1_games, 1 for ps2_uct)." in page
    for ps in SETS:
        for student in ROSTER:
            mates = [mate for mate in sorted(people.team(student, ps)) if mate != student]
            assert (f"{ps}: in a team with" in final[student]["note"]) == bool(mates)
            assert all(f"{ps}: in a team with {mate}" in final[student]["note"] for mate in mates)


# ---- nothing is at the wrong person

def words_in(text: str | bytes, *whats: str) -> set[tuple[str, str]]:
    """Whose words, and of which sets, a text has."""
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return {(student, ps) for student in ROSTER for ps in SETS for what in whats if people.word(student, ps, what) in text}


def student_of(page: str) -> str:
    found = re.search('<p class="lead"><bdi>(.*?)</bdi>', page)
    return found[1] if found else ""


def test_each_page_is_of_its_own_student_and_of_nobody_else(semester: Course) -> None:
    """by the words of the answer and of the marker's comment, which nothing else has; a team has one page's words"""
    pages = {(path.parts[-3], path.parts[-2]): path.parent for path in semester.folder.glob("feedback/*/*/index.html")}
    assert set(pages) == {(student, ps) for student in ROSTER for ps in SETS if people.has_work(student, ps)}
    for (student, ps), folder in pages.items():
        first, notebook = ((folder / name).read_text(encoding="utf-8") for name in ("index.html", f"{ps}.html"))
        own = set() if (student, ps) in people.UNREAD else {(people.author(student, ps), ps)}
        assert student_of(first) == student and words_in(first, "comment", "answer", "first") == own, (student, ps)
        assert words_in(notebook, "answer") == words_in(notebook, "comment") == own, (student, ps)


def test_each_page_goes_back_under_the_name_that_leads_to_its_student(semester: Course) -> None:
    for ps in SETS:
        for way in ("canvas", "moodle"):
            with zipfile.ZipFile(semester.folder / "returned" / ps / f"{way}.zip") as packed:
                pages = {name: packed.read(name).decode() for name in packed.namelist()}
            uploads = {student: int((student, ps) in people.AGAIN) for student in people.authors(ps)}
            wanted = {people.name_of(student, ps, f"{ps}.html", upload): student for student, upload in uploads.items()
                      if people.platform(student, ps) == way}
            said = semester.said[f"{way} {ps}"]
            if (way, ps) == ("canvas", PS2):  # a name of digits alone, which Canvas itself misreads
                assert wanted.pop("902901_113_1013_ps2_uct.html") == "p13" and "left out: p13" in said
            assert {name: student_of(page) for name, page in pages.items()} == wanted
            assert [words_in(page, "comment") for page in pages.values()] == [
                set() if (student, ps) in people.UNREAD else {(student, ps)} for student in map(student_of, pages.values())]
            for student in {id for id in ROSTER if people.has_work(id, ps)} - {*wanted.values()}:
                assert re.search(rf"  left out: .*\b{student} \(", said), (student, said)
        letters = rows_of(semester.folder / "returned" / ps / "mail.csv")
        assert {row["id"]: student_of(Path(row["page"]).read_text()) for row in letters} == {
            student: student for student in ROSTER if people.has_work(student, ps)}
        assert all(row["email"] == ROSTER[row["id"]]["email"] for row in letters)


# ---- markers, a dispute, an excused check

def test_who_marked_what_is_told_and_two_marks_for_one_answer_are_too(semester: Course) -> None:
    disagreement = re.compile(r"note: '(p\d\d)' \(.*\) ex2_13: .*ann gave [\d.]+ \(.*dot gave 0 \(.*the last one counts")
    assert len(disagreement.findall(semester.said["marked"])) == 1
    assert "gave" not in semester.said["excused"] and "gave" not in semester.said["last"]
    text = "".join(path.read_text() for path in semester.folder.glob("dealt/*.csv"))
    assert not [id for id in ROSTER if re.search(rf"\b{id}\b", text)]
    assert not [name for person in people.PEOPLE for name in (person["first_name"], person["last_name"])
                if len(name) > 4 and name in text]
    for ps in SETS:
        dealt = json.loads(semester.text("dealt.json"))[ps]
        answered = [student for student in people.authors(ps) if (student, ps) not in people.UNREAD]
        assert sorted(people.author(student, ps) for student in dealt) == answered  # of a team one answer
        page = semester.text("report", f"{ps}.html")
        both = f"{TWICE} of {TWICE} answers that two people mark have both marks"
        assert f"{both}: the second mark is -0.50 points from the first on average" in page
        assert all(f"<bdi>{marker}</bdi>" in page for marker in MARKERS)
    assert {entry["who"] for entry in read_log(semester.folder, "mark")} == set(MARKERS)


def test_the_excused_check_gives_the_points_to_whoever_lost_them_by_it(semester: Course) -> None:
    concerned = [student for student, ps in people.LOST if (student, ps) not in people.LOST_IN_THE_END]
    assert CHECK in semester.said["explained"] and "nothing was recorded" in semester.said["differences"]
    assert set(re.findall(r"^(p\d\d) \(.*\)  1\.1  0 -> 2", semester.said["differences"], re.M)) == set(concerned)
    changed = re.findall(r"^  (p\d\d) \(.*\) (\w+) .* \(automatic 98 -> 105\)$", semester.said["excused"], re.M)
    assert changed == [(student, PS1) for student in sorted(concerned)]
    texts = {path.parent.name: path.read_text() for path in semester.folder.glob(f"changes/{PS1}/*/*.txt")}
    assert set(texts) == set(concerned)
    assert all("Reason: asked more than the docstring" in text for text in texts.values())
    page = semester.text("report", f"{PS1}.html")
    assert "the docstring does not say it" in page and "you are right" in page
    assert "nothing changed since the last run" in semester.said["last"]


# ---- a student is erased

def copy_of(course: Course, room: Path) -> Course:
    return Course(Path(shutil.copytree(course.folder, room / course.folder.name)))


def everything_in(course: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a course, and every member of its zips."""
    for path in sorted(path for path in course.rglob("*") if path.is_file()):
        yield str(path), path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                yield from ((f"{path}: {name}", packed.read(name)) for name in packed.namelist())


def test_of_an_erased_student_nothing_is_left_and_of_the_others_nothing_is_gone(semester: Course, tmp_path: Path) -> None:
    course = copy_of(semester, tmp_path)
    said = course.staff("erase", ERASED, "--yes")
    assert "the search finds nothing" in said and "left, because" not in said
    person = ROSTER[ERASED]
    signs = [people.word(ERASED, ps, what) for ps in SETS for what in ("answer", "comment")]
    signs += [person["email"], person["username"] + ",", f"_{person['canvas_id']}_", f"_{person['moodle_id']}_"]
    for place, content in everything_in(course.folder):
        assert f"/{ERASED}/" not in f"{place}/"
        assert not [sign for sign in signs if sign.encode() in content], place
    before, after = semester.final(), course.final()
    assert before.pop(ERASED) and before == after
    assert "0 grader faults" in course.grade() and course.final() == before
    marks = nbgraders(semester.folder)
    assert nbgraders(course.folder) == {place: mark for place, mark in marks.items() if place[0] != ERASED}
    for ps in SETS:
        course.run("return", course.folder, "mail", "--ps", ps)
        pages = [{path.name: path.read_bytes() for path in (folder / "returned" / ps / "pages").iterdir()}
                 for folder in (semester.folder, course.folder)]
        assert pages[0].pop(f"{ERASED}.html") and pages[0] == pages[1]


# ---- an archive

def test_what_another_python_restores_elsewhere_is_the_same_course(semester: Course, tmp_path: Path) -> None:
    """by the zip's own program, which needs no package; then tables and pages by this Python"""
    program = next(filter(None, map(program_of, [(3, 13), (3, 12), (3, 8)])), None)
    if program is None:
        pytest.skip("no other Python on this machine")
    again = restored(semester, program, tmp_path)
    before, after = contents(semester.folder), contents(again)
    assert after.pop("gradebook.db") and before.pop("gradebook.db")  # the same rows, not the same bytes
    assert after == before and nbgraders(again) == nbgraders(semester.folder)
    same_tables_and_pages(semester, again, lambda *words: output(autograder_here(*words)))


def test_another_python_with_our_packages_writes_the_same_from_it(semester: Course, tmp_path: Path) -> None:
    version = next((version for version in install.PYTHONS if version != sys.version_info[:2] and program_of(version)), None)
    if version is None:
        pytest.skip("no other Python with which this project works on this machine")
    python = python_with_packages(version, tmp_path)
    again = restored(semester, python, tmp_path)

    def run(*words: object) -> str:
        command = [str(python), "-m", "autograder", *map(str, words)]
        return output(subprocess.run(command, cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
                                     capture_output=True, text=True, timeout=600))

    same_tables_and_pages(semester, again, run)


def restored(semester: Course, program: Path, room: Path) -> Path:
    """Archive the course, and restore it in another folder with the program in the zip."""
    said = semester.staff("archive", "--to", room / "autumn-2025.zip")
    assert "left out" not in said
    with zipfile.ZipFile(room / "autumn-2025.zip") as packed:
        (room / "restore.py").write_bytes(packed.read("restore.py"))
        index = packed.read("index.html").decode()
    assert all(id in index for id in ROSTER)
    again = room / "somewhere else" / "autumn"
    done = subprocess.run([program, "-I", room / "restore.py", again], capture_output=True, text=True, timeout=300)
    assert "and each is as it was" in output(done)
    return again


def contents(folder: Path) -> dict[str, str]:
    """The digest of every file that an archive has."""
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {name.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()
            if not {".cache", ".work", ".lock"} & set(name.parts)}


def same_tables_and_pages(semester: Course, again: Path, run: Callable[..., str]) -> None:
    kept = {name: (again / name).read_bytes() for name in ("canvas.csv", "moodle.csv", "marks.csv", "marks.json")}
    for way in ("canvas", "moodle", "csv", "json"):
        run("export", again, way)
    assert {name: (again / name).read_bytes() for name in kept} == kept
    for ps in SETS:
        shutil.rmtree(again / "returned" / ps / "pages")
        run("return", again, "mail", "--ps", ps)
        pages = [{path.name: path.read_bytes() for path in (folder / "returned" / ps / "pages").iterdir()}
                 for folder in (semester.folder, again)]
        assert pages[0] == pages[1] and len(pages[0]) > 30
