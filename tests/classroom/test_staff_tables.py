"""Extensions and hand-in times of many students at once: a wrong line changes nothing, and each wrong line is named."""

import json
from pathlib import Path

import pytest

from tests.commands import autograder_here
from tests.students import hand_in

PS = "ps2_uct"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course in Zurich that was not graded yet; ada and bob have handed in, cyd is in the roster."""
    course = tmp_path / "course"
    for student in ("ada", "bob"):
        hand_in(course, student, PS, "x = 1")
    (course / "roster.csv").write_text("id\nada\nbob\ncyd\n")
    (course / "course.toml").write_text(f'[course]\nsets = ["{PS}"]\ntimezone = "Europe/Zurich"\n')
    return course


def run(course: Path, command: str, table: str, status: int = 0, encoding: str = "utf-8") -> str:
    path = course.parent / "table.csv"
    path.write_text(table, encoding=encoding)
    done = autograder_here("staff", command, course, *(["--table"] if command == "extend" else []), path, "--ps", PS)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    assert status == 0 or len(done.stderr.splitlines()) == 1
    return done.stdout if status == 0 else done.stderr


def log_of(course: Path) -> list[dict]:
    path = course / "log.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_many_due_dates_are_extended_at_once(course: Path) -> None:
    """as a spreadsheet in another country saves it"""
    said = run(course, "extend", "id;name;hours\nada;Ada;48\ncyd;Cyd;0.5\n", encoding="utf-8-sig")
    assert said == "".join(f"{whose} hours more for {PS}, from the first submission on\n" for whose in ("ada: 48", "cyd: 0.5"))
    assert json.loads((course / "extensions.json").read_text()) == {PS: {"ada": 48, "cyd": 0.5}}
    run(course, "extend", "id,hours\nada,0\n")
    assert json.loads((course / "extensions.json").read_text()) == {PS: {"ada": 0, "cyd": 0.5}}
    assert [(entry["student"], entry["hours"]) for entry in log_of(course)] == [("ada", 48), ("cyd", 0.5), ("ada", 0)]


def test_every_wrong_line_of_extensions_is_named_and_nothing_is_changed(course: Path) -> None:
    said = run(course, "extend", "id,hours\nada,48\neve,1\nbob,-1\ncyd,many\nada,2\nbo\n", status=2)
    for why in ("line 3: 'eve' has no folder", "line 4: '-1' is not a number of hours", "line 5: 'many' is not a number of hours",
                "line 6: 'ada' is also in line 2", "line 7: 'bo' has no folder"):
        assert why in said
    assert "nothing was changed, because of 5 wrong lines" in said
    assert not (course / "extensions.json").exists() and log_of(course) == []


@pytest.mark.parametrize("words", [
    [], ["ada"], ["--hours", "2"], ["ada", "--table", "x.csv"], ["ada", "--hours", "1", "--table", "x.csv"]])
def test_one_student_or_a_table_is_named(course: Path, words: list[str]) -> None:
    done = autograder_here("staff", "extend", course, *words, "--ps", PS)
    assert (done.returncode, done.stderr) == (2, "autograder: name one STUDENT with --hours, or many students with --table\n")


def test_many_hand_in_times_are_set_at_once(course: Path) -> None:
    """01:30 in Zurich is 23:30 UTC the day before; 02:30 comes twice when the clocks go back, and the earlier one counts"""
    (course / "submitted" / "ada" / PS / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC")
    said = run(course, "times", "id,time\nada,2025-10-06 01:30\nbob,2025-10-26T02:30:00\n")
    assert said == "2 hand-in times of ps2_uct, 2 of them new: they count from the next run of grade on\n"
    stamps = {student: (course / "submitted" / student / PS / "timestamp.txt").read_text() for student in ("ada", "bob")}
    assert stamps == {"ada": "2025-10-05 23:30:00", "bob": "2025-10-26 00:30:00"}
    assert ", 0 of them new" in run(course, "times", "id,time\nada,2025-10-05 23:30:00 UTC\nbob,2025-10-26 00:30+00:00\n")
    assert [entry["time"] for entry in log_of(course)][:2] == ["2025-10-05 23:30:00", "2025-10-26 00:30:00"]


def test_every_wrong_line_of_times_is_named_and_nothing_is_changed(course: Path) -> None:
    (course / "submitted" / "dan").symlink_to(course / "submitted" / "ada")
    rows = "ada,2025-10-06 01:30\ncyd,2025-10-06 01:30\nbob,6.10.2025\ndan,2025-10-06 01:30\nfay,\n"
    said = run(course, "times", f"id,time\n{rows}ada,2999-01-01 00:00\n", status=2)
    assert "because of 5 wrong lines: line 3: 'cyd' has not handed in ps2_uct; line 4: '6.10.2025' is not a time" in said
    assert "line 5: 'dan' has not handed in" in said and "line 6: 'fay'" in said and "line 7: 'ada' is also in line 2" in said
    assert "'2999-01-01 00:00' is in the future" in run(course, "times", "id,time\nada,2999-01-01 00:00\n", status=2)
    assert "'2025-10-06' is not a time" in run(course, "times", "id,time\nada,2025-10-06\n", status=2)
    assert not list(course.rglob("timestamp.txt")) and log_of(course) == []


@pytest.mark.parametrize("table, why", [
    ("student,time\nada,2025-10-06 01:30\n", "one of them 'id'"), ("id,time\n", "has no students"),
    ("id,when\nada,2025-10-06 01:30\n", "'' is not a time")])
def test_a_table_of_another_kind_is_refused(course: Path, table: str, why: str) -> None:
    assert why in run(course, "times", table, status=2)
