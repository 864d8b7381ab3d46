"""Whatever happens in a course: final.csv, exports, pages and nbgrader's gradebook have the same marks, and the right ones."""

import csv
import io
import json
import re
import shutil
from html import unescape
from pathlib import Path
from random import Random

import pytest
from nbgrader.plugins import CsvExportPlugin

from autograder.gradebook.course import prepare
from autograder.gradebook.marks.exports import EXPORTS
from autograder.gradebook.marks.final_marks import FINAL, FinalMarks, Mark
from autograder.gradebook.policy.roster_file import Person
from tests.gradebook.drawn_courses import NOW, SETS, DrawnCourse, as_numbers
from tests.once import once
from tests.speeds import again

ROUNDS = 3
SEEDS = [9, *(again(seed) for seed in range(200) if seed != 9)]  # in course 9 a student leaves after an exercise is dropped


@pytest.fixture(scope="session")
def released(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that has released two sets, and nobody has handed in; it is copied, and never used itself."""
    def build(folder: Path) -> None:
        for ps in SETS:
            prepare(folder / "course", ps)

    return once(tmp_path_factory, "released-two", build) / "course"


def text_of(page: Path) -> str:
    return as_text(page.read_text().split("<body>")[1])


def part_of(page: Path, heading: str) -> str:
    """The text below a heading of a page, up to the next one."""
    return as_text(re.split(r"<h2|</main>", page.read_text().split(f">{heading}</h2>")[1])[0])


def as_text(markup: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", markup)))


def table(text: str, key: str) -> dict[str, dict[str, str]]:
    return {row[key]: row for row in csv.DictReader(io.StringIO(text))}


def agree(course: DrawnCourse) -> None:
    """Compare every place with what must come out."""
    final = table((course.folder / FINAL).read_text(), "student")
    canvas, moodle = (table(EXPORTS[name]().table(course.marks).text, key)
                      for name, key in (("canvas", "SIS Login ID"), ("moodle", "Username")))
    entries = {entry["id"]: entry for entry in json.loads(EXPORTS["json"]().table(course.marks).text)["students"]}
    assert EXPORTS["csv"]().table(course.marks).text == (course.folder / FINAL).read_text()
    assert list(final) == sorted(course.people()) == sorted(entries)
    assert list(course.marks.assignments.items()) == [(ps, course.most(ps)) for ps in course.sets()]
    for student in course.people():
        assert as_numbers([final[student]["total"], final[student]["max"]]) == pytest.approx(course.total(student), abs=1e-5)
        assert (entries[student]["total"], entries[student]["max"]) == pytest.approx(course.total(student))
        for ps in course.sets():
            one_mark(course, ps, student, [tables[student] for tables in (final, canvas, moodle)], entries[student])
    nbgraders_own_export(course)
    for ps in course.sets():
        marks = {student: entries[student]["marks"].get(ps, {}).get("to_be_marked") for student in course.people()}
        waiting = [f"{student} ({', '.join(cells)})" for student, cells in marks.items() if cells]
        part = part_of(course.folder / "report" / f"{ps}.html", "To be marked by hand")
        assert part.count("(") == len(waiting) and all(words in part for words in waiting)
    front = (course.folder / "report" / "index.html").read_text()
    for student in course.people():
        row = re.search(rf'<tr><th scope="row">(?:<a[^>]*>)?<bdi>{student}</bdi>.*?</tr>', front, re.S)
        if row:
            shown = re.search(r'class="total">([\d.]+)<small>of ([\d.]+)', row[0])
            assert as_numbers(shown.groups()) == pytest.approx(course.total(student), abs=1e-5)
            for ps, cell in zip(course.sets(), re.findall(r"<td[^>]*>(.*?)</td>", row[0], re.S), strict=False):
                if (ps, student) in course.recorded and student not in course.gone:
                    assert float(re.match(r"[\d.]+", cell)[0]) == pytest.approx(course.mark(ps, student), abs=1e-5)


def nbgraders_own_export(course: DrawnCourse) -> None:
    with course.gradebook() as gradebook:
        CsvExportPlugin(to=str(course.folder / "export.csv")).export(gradebook)
    for row in csv.DictReader((course.folder / "export.csv").read_text().splitlines()):
        ps, student = row["assignment"], row["student_id"]
        if (ps, student) in course.recorded:
            assert float(row["score"]) == pytest.approx(course.mark(ps, student), abs=1e-5)
            assert float(row["max_score"]) == course.most(ps)


def one_mark(course: DrawnCourse, ps: str, student: str, rows: list[dict[str, str]], entry: dict) -> None:
    wanted, place = course.mark(ps, student), f"{ps} of {student}"
    shown = as_numbers(row[ps] for row in rows)
    assert all(mark == pytest.approx(wanted, abs=1e-5) for mark in shown), place
    note = rows[0]["note"]
    assert (f"{ps}: open until" in note) == course.is_open(ps, student), place
    if (ps, student) not in course.recorded:
        assert (f"{ps}: nothing handed in" in note) == (wanted is not None) and ps not in entry["marks"], place
        return
    automatic, score = course.score(ps, student)
    penalty = course.penalty(ps, student)
    parts = as_numbers(rows[0][f"{ps}_{part}"] for part in ("automatic", "by_hand", "late"))
    assert parts == pytest.approx([automatic, score - automatic, -penalty], abs=1e-5), place
    assert entry["marks"][ps]["final"] == pytest.approx(wanted), place
    with course.gradebook() as gradebook:
        submission = gradebook.find_submission(ps, student)
        theirs = [submission.score, submission.max_score, submission.late_submission_penalty or 0.0]
        asked = [grade.name for notebook in submission.notebooks for grade in notebook.grades if grade.needs_manual_grade]
    assert theirs == pytest.approx([score, course.most(ps), penalty], abs=1e-5), place
    assert entry["marks"][ps]["to_be_marked"] == asked and bool(asked) == (f"{ps}: {len(asked)} to be marked" in note), place
    if student in course.gone:
        return  # nobody hands back a page to them
    unmarked = {cell for cell, points in course.work[ps, student].points.items() if points is None and cell not in course.out(ps)
                and course.by_hand.get((ps, student), {}).get(cell, (None, None))[0] is None}
    assert unmarked <= set(asked), place
    assert (f"{ps}: nothing could be read" in note) == course.work[ps, student].unread, place
    page = text_of(course.folder / "feedback" / student / ps / "index.html")
    theirs = re.search(r"\(Score: ([\d.]+) / ([\d.]+)\)", (course.folder / "feedback" / student / ps / f"{ps}.html").read_text())
    assert as_numbers(theirs.groups()) == pytest.approx([wanted, course.most(ps)], abs=0.006), place  # nbgrader shows two digits
    counted = re.search(r"([\d.]+) points: ([\d.]+) of ([\d.]+)|([\d.]+) of ([\d.]+) points", page)
    assert float(counted[1] or counted[4]) == pytest.approx(wanted, abs=1e-4), place
    assert float(counted[3] or counted[5]) == course.most(ps) - 5, place  # without the free answer
    grades = [row for row in csv.DictReader((course.folder / "grades.csv").read_text().splitlines())
              if (row["student"], row["problem_set"]) == (student, ps)]
    assert float(grades[0]["max"]) == course.most(ps) - 5, place
    total, extra = float(grades[0]["total"].split(" +")[0]), float(grades[0]["extra"])
    assert total + extra == pytest.approx(automatic), place


@pytest.mark.parametrize("seed", SEEDS)
def test_all_places_have_the_same_marks(released: Path, tmp_path: Path, seed: int) -> None:
    course = DrawnCourse(Path(shutil.copytree(released, tmp_path / "course")), Random(seed))
    course.begin()
    for _ in range(ROUNDS):
        course.happen()
        if not course.work:
            course.hand_in()
        course.run()
        if not course.sets():
            continue
        agree(course)


@pytest.mark.parametrize("seed", range(20))
def test_all_tables_of_drawn_marks_have_the_same_numbers(seed: int) -> None:
    rng = Random(seed)
    names = [*SETS, "challenge"][: rng.randint(1, 3)]
    most = {name: rng.choice([0.0, 40.0, 105.0]) for name in names}
    ids = ("=s1", "ada", "o'brien", "søren")[: rng.randint(0, 4)]
    people = tuple(Person(id, "", rng.choice(["", "=Noyce", "Li"]), "") for id in ids)
    drawn = {person.id: {name: Mark(rng.uniform(0, 100), rng.choice([0.0, -3.5, 5.0]), rng.choice([0.0, 1 / 3, 200.0]))
                         for name in names if rng.random() < 0.7} for person in people}
    open = {person.id: {name: NOW for name in names if rng.random() < 0.3} for person in people}
    marks = FinalMarks(most, people, drawn, {name: 20.0 for name in names if rng.random() < 0.5}, open)
    tables = [list(csv.DictReader(io.StringIO(EXPORTS[name]().table(marks).text))) for name in ("csv", "canvas", "moodle")]
    tables[1] = tables[1][1:]  # without the row of the points possible
    entries = json.loads(EXPORTS["json"]().table(marks).text)["students"]
    assert [len(rows) for rows in tables] == [len(people)] * 3
    assert [entry["id"] for entry in entries] == [person.id for person in people]
    for place, person in enumerate(people):
        wanted = {name: mark.final if (mark := drawn[person.id].get(name)) else None if name in open[person.id] else 0.0
                  for name in names}
        for rows in tables:
            assert as_numbers(rows[place][name] for name in names) == pytest.approx(list(wanted.values()), abs=1e-5)
        assert {name: mark["final"] for name, mark in entries[place]["marks"].items()} == pytest.approx(
            {name: wanted[name] for name in drawn[person.id]})
        closed = [name for name in names if name not in open[person.id]]
        scale = {name: marks.counts[name] / most[name] if name in marks.counts and most[name] else 1.0 for name in closed}
        total = sum(wanted[name] * scale[name] for name in closed)
        largest = sum(marks.counts.get(name, most[name]) for name in closed)
        assert as_numbers([tables[0][place]["total"], tables[0][place]["max"]]) == pytest.approx([total, largest], abs=1e-5)
        assert [entries[place]["total"], entries[place]["max"]] == pytest.approx([total, largest])
