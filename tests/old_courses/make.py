"""Make the small graded course of an older version, with that version's own commands.

    python make.py FOLDER ARCHIVE.tar.xz

Run it in a checkout of that version, with that version's Python; README.md beside this file says what the course holds.
"""

import json
import lzma
import sqlite3
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

SETS = ("ps2_uct", "ps4_puct")
PEOPLE = """id,first_name,last_name,email,canvas_id,sis_user_id
ada,Ada,Example,ada@example.org,11,s11
bob,Bob,Example,bob@example.org,12,s12
cyd,Cyd,Example,cyd@example.org,13,s13
dan,Dan,Example,dan@example.org,14,s14
eve,Eve,Example,eve@example.org,15,s15
fox,Fox,Example,fox@example.org,16,s16
"""
SETTINGS = """[course]
sets = ["ps2_uct", "ps3_connect_four", "ps4_puct"]
timezone = "UTC"

[due]
ps2_uct = 2026-03-02T12:00:00
ps4_puct = 2026-04-06T12:00:00

[late]
grace_minutes = 15
percent_per_day = 10
most_percent = 50

[points]
ps2_uct = 40

[cpu_s]
"2.9" = 20

[challenge]
highest = "Random"
student_simulations = 25
attempts = 3
"""
ON_TIME, TWO_DAYS_LATE = "2026-03-02 11:00:00 UTC", {"ps2_uct": "2026-03-04 11:00:00 UTC", "ps4_puct": "2026-04-08 11:00:00 UTC"}
ANSWER = "I varied c from 0 to 3. With c = 0 the search stays with its first luck; above 2 it is nearly uniform."
# made from the rest, or of no use to a regrade
LEFT_OUT = ("feedback", "source", "handout", ".lock", ".work/nbgrader.log")


def run(*arguments: str) -> None:
    """Run a command of the project, whatever its status: the unreadable hand-in is not a fault."""
    subprocess.run([sys.executable, "-m", "autograder", *arguments], check=True)


def hand_in(course: Path, student: str, ps: str, notebook: str | None, module: str | None, time: str = ON_TIME) -> None:
    """Put work into submitted/, in the place of what was there."""
    folder = course / "submitted" / student / ps
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((f"{ps}.ipynb", notebook), (f"{ps}.py", module)):
        (folder / name).unlink(missing_ok=True)
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    (folder / "timestamp.txt").write_text(time)


def partly(ps: str, solved: str) -> str:
    """Return the solution with one exercise wrong."""
    old, new = {"ps2_uct": ("node, value = node.parent, -value", "node, value = node.parent, value"),
                "ps4_puct": ("math.sqrt(", "math.cbrt(")}[ps]
    assert old in solved, (ps, old)
    return solved.replace(old, new, 1)


def answered(notebook: str) -> str:
    """Return the notebook with the free answer written: the last cell with points."""
    content = json.loads(notebook)
    cells = [cell for cell in content["cells"] if cell["cell_type"] == "markdown" and "nbgrader" in cell["metadata"]]
    cells[-1]["source"] = ANSWER
    return json.dumps(content)


def mark_by_hand(course: Path) -> None:
    """What an instructor types into formgrader: marks of a free answer and of an exercise, and a comment."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course}/gradebook.db", course.name) as gradebook:
        for grade_id, student, score in (("ex2_13", "ada", 4.0), ("ex2_5", "cyd", 3.0), ("ex2_13", "eve", 2.5)):
            grade = gradebook.find_grade(grade_id, "ps2_uct", "ps2_uct", student)
            grade.manual_score, grade.needs_manual_grade = score, False
        comment = gradebook.find_comment("ex2_13", "ps2_uct", "ps2_uct", "ada")
        comment.manual_comment = "A clear answer."
        gradebook.db.commit()


def make(course: Path) -> None:
    """Make the course and grade it twice, as a class lives."""
    from autograder.problem_sets import build
    from autograder.problem_sets.source import load

    people = course.with_name("people.csv")
    people.write_text(PEOPLE)
    course.mkdir()
    (course / "course.toml").write_text(SETTINGS)
    run("course", str(course), "--roster", str(people))
    for ps in SETS:
        problem_set = load(ps)
        (stub, stub_module), (solved, module) = build(problem_set, solution=False), build(problem_set, solution=True)
        hand_in(course, "ada", ps, answered(solved), stub_module)
        hand_in(course, "bob", ps, stub, None)
        hand_in(course, "cyd", ps, stub, None, TWO_DAYS_LATE[ps])
        hand_in(course, "dan", ps, '{"cells": [', None)
        hand_in(course, "eve", ps, stub, module)
    run("staff", "extend", str(course), "fox", "--hours", "48", "--ps", "ps2_uct")
    for ps in SETS:
        run("grade", str(course), "--ps", ps)
    mark_by_hand(course)
    run("staff", "extend", str(course), "cyd", "--hours", "24", "--ps", "ps2_uct")
    run("staff", "excuse", str(course), "test_the_value_changes_its_sign_at_every_ply", "--why", "an example", "--ps", "ps2_uct")
    for ps in SETS:
        hand_in(course, "cyd", ps, None, partly(ps, build(load(ps), solution=True)[1]), TWO_DAYS_LATE[ps])
        run("grade", str(course), "--ps", ps)
    hand_in(course, "ada", "ps3_connect_four", None, build(load("ps3_connect_four"), solution=True)[1])
    run("grade", str(course), "--ps", "ps3_connect_four")
    run("tournament", str(course), "--minutes", "0.1", "--workers", "1")
    for name in ("canvas", "moodle", "csv", "json"):
        run("export", str(course), name)


def pack(course: Path, archive: Path) -> None:
    """Pack the course without what its version makes again, and without the names of this machine and its user."""
    database = course / "gradebook.db"
    with sqlite3.connect(database) as connection:
        connection.execute("vacuum")
    with lzma.open(archive, "wb", preset=9 | lzma.PRESET_EXTREME) as compressed:
        with tarfile.open(fileobj=compressed, mode="w") as tar:
            for path in sorted(path for path in course.rglob("*") if path.is_file()):
                name = path.relative_to(course)
                if str(name).startswith(LEFT_OUT) or path.suffix == ".html":
                    continue
                content = path.read_bytes()
                if path.suffix in (".json", ".jsonl"):  # a traceback for staff names files of the project
                    content = content.replace(str(Path.cwd()).encode(), b"/repository")
                if str(name) == "log.jsonl":
                    content = _without_people(content)
                entry = tarfile.TarInfo(str(name))
                entry.size, entry.mode = len(content), 0o644
                tar.addfile(entry, BytesIO(content))


def _without_people(log: bytes) -> bytes:
    lines = [json.dumps({**json.loads(line), "who": "staff"}, ensure_ascii=False) for line in log.decode().splitlines()]
    return "".join(f"{line}\n" for line in lines).encode()


if __name__ == "__main__":
    folder, to = Path(sys.argv[1]), Path(sys.argv[2])
    sys.path.insert(0, str(Path.cwd()))
    if not folder.exists():
        make(folder.resolve())
    pack(folder, to)
