"""final.csv: one truth for points, the gradebook's own, with late penalties, marks by hand, extra points and extensions."""

import csv
import json
from datetime import UTC, datetime, timedelta

import pytest

from arena.challenge.report import ASSIGNMENT as CHALLENGE
from arena.errors import UserError
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import open_course, prepare
from autograder.gradebook.extension import FILE, extend
from autograder.gradebook.marks.exports import EXPORTS
from autograder.gradebook.marks.final_marks import FinalMarks, forget_mark_changes, open_until, write_final
from autograder.gradebook.marks.platforms import canvas_table, moodle_table
from autograder.gradebook.marks.read_marks import read_marks
from autograder.problem_sets.source import load
from tests.gradebook.conftest import PS, SmallClass
from tests.tables import by_student

COURSE = """
[course]
sets = ["ps2_uct"]
timezone = "Europe/Zurich"
[due]
ps2_uct = 2026-02-03T13:00:00
[late]
percent_per_day = 10
"""
ROSTER = "id,first_name,last_name,email\nada,Ada,Lovelace,ada@uni.example\nbob,Bob,=Noyce,\ncy,,,\n"
ON_TIME, LATE = "2026-02-03 11:59:00 UTC", "2026-02-04 13:00:00 UTC"  # the second is more than a day late: 20 %


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    (small_class.folder / "course.toml").write_text(COURSE)
    (small_class.folder / "roster.csv").write_text(ROSTER)
    prepare(small_class.folder, PS)
    return small_class


def marks_at(course: SmallClass, now: datetime | None = None) -> FinalMarks:
    with course.gradebook() as gradebook:
        return read_marks(course.folder, gradebook, now)


def final(
    course: SmallClass, to_its_end: bool = True, now: datetime | None = None
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Write final.csv as a run does; return its rows by student, and the changed marks."""
    changes = write_final(course.folder, marks_at(course, now))
    if to_its_end:
        forget_mark_changes(course.folder)
    rows = by_student(course.folder / "final.csv")
    exported = {row["student_id"]: row["score"] for row in course.export()}
    for student, score in exported.items():
        assert float(score) == pytest.approx(float(rows[student][PS])), "nbgrader's own export has another mark"
    return rows, [str(change) for change in changes]


def test_a_change_is_told_until_a_run_reaches_its_end(course):
    course.hand_in("ada", timestamp=ON_TIME)
    course.record(ada=course.report("ada"))
    final(course)
    course.mark_by_hand("ada", "ex2_5", 1)
    first = final(course, to_its_end=False)[1]
    course.mark_by_hand("ada", "ex2_5", 2)
    both = final(course, to_its_end=False)[1]
    assert len(first) == len(both) == 1 and first != both and first[0].split(" -> ")[0] == both[0].split(" -> ")[0]
    assert final(course)[1] == both and final(course)[1] == []


def test_a_mark_is_nbgraders_and_its_parts_stand_beside_it(course):
    course.hand_in("ada", timestamp=ON_TIME)
    course.hand_in("bob", timestamp=LATE)
    course.record(ada=course.report("ada"), bob=course.report("bob", failed=("2.5",)))
    rows, changes = final(course)
    assert changes == [] and list(rows) == ["ada", "bob", "cy"]
    assert [rows["bob"][f"{PS}{part}"] for part in ("", "_automatic", "_by_hand", "_late")] == ["72", "90", "0", "-18"]
    assert (rows["ada"][PS], rows["ada"]["last_name"], rows["bob"]["last_name"]) == ("100", "Lovelace", "'=Noyce")
    assert (rows["cy"][PS], rows["cy"]["total"], rows["cy"]["note"]) == ("0", "0", f"{PS}: nothing handed in")
    assert rows["cy"][f"{PS}_automatic"] == "" and float(rows["ada"]["max"]) > 100


def test_extra_points_are_added_to_the_mark_and_the_most_stays(course):
    course.hand_in("ada", timestamp=ON_TIME)
    course.hand_in("bob", timestamp=ON_TIME)
    course.record(ada=course.report("ada", extra=3.5), bob=course.report("bob", failed=("2.5",), extra=5.0))
    rows, _ = final(course)  # which finds nbgrader's own mark in the set's column
    assert (rows["ada"][PS], rows["bob"][PS]) == ("103.5", "95")
    with course.gradebook() as gradebook:
        assert gradebook.find_assignment(PS).max_score == load(PS).max_points + load(PS).manual_points
    assert rows["ada"]["max"] == f"{load(PS).max_points + load(PS).manual_points}"


def test_the_total_counts_each_set_as_course_toml_says(course):
    (course.folder / "course.toml").write_text(f"{COURSE}[points]\nps2_uct = 40\n")
    course.hand_in("ada", timestamp=ON_TIME)
    course.record(ada=course.report("ada", failed=("2.5",)))
    rows, _ = final(course)  # which finds nbgrader's own mark in the set's column
    with course.gradebook() as gradebook:
        most = gradebook.find_assignment(PS).max_score
    assert rows["ada"][PS] == "90" and rows["ada"]["max"] == "40" and float(rows["ada"]["total"]) == pytest.approx(90 * 40 / most)


def test_each_reason_that_moves_a_mark_is_told(course):
    course.hand_in("bob", timestamp=LATE)
    report = course.report("bob", failed=("2.5",))
    course.record(bob=report)
    final(course)
    extend(course.folder, PS, {"bob": 48})
    course.record(bob=report)
    assert final(course)[1] == [f"bob {PS} 72 -> 90 (late -18 -> 0)"]
    course.mark_by_hand("bob", "ex2_13", 4.5)
    course.record(bob=report)
    rows, changes = final(course)
    assert changes == [f"bob {PS} 90 -> 94.5 (by hand 0 -> 4.5)"] and "by hand" not in rows["bob"]["note"]
    extend(course.folder, PS, {"bob": 0})
    course.record(bob=report)
    assert final(course)[1] == [f"bob {PS} 94.5 -> 75.6 (late 0 -> -18.9)"]
    course.mark_by_hand("bob", "ex2_2", 0)  # an override takes automatic points away
    course.record(bob=report)
    assert "(by hand 4.5 -> " in final(course)[1][0]
    assert final(course)[1] == []


def test_a_first_hand_in_and_a_new_student_change_no_mark(course):
    course.hand_in("ada", timestamp=ON_TIME)
    course.record(ada=course.report("ada"))
    final(course)
    for student in ("cy", "dan"):
        course.hand_in(student, timestamp=ON_TIME)
        course.record(**{student: course.report(student)})
    rows, changes = final(course)
    assert changes == [] and rows["cy"][PS] == rows["dan"][PS] == "100"


def test_an_extension_before_the_hand_in_waits_for_it(course):
    assert not extend(course.folder, PS, {"bob": 24}) and not extend(course.folder, PS, {"ada": 2})
    assert extend(course.folder, PS, {"ada": 0}) == []
    course.hand_in("ada", timestamp=LATE)
    course.hand_in("bob", timestamp=LATE)
    course.record(ada=course.report("ada"), bob=course.report("bob"))
    rows, _ = final(course)
    assert (rows["ada"][PS], rows["bob"][PS]) == ("80", "90")
    assert (course.folder / FILE).read_text().split() == ["{", f'"{PS}":', "{}", "}"]
    assert extend(course.folder, PS, {"bob": 48})  # now the gradebook has it
    course.record(ada=course.report("ada"), bob=course.report("bob"))
    assert final(course)[1] == [f"bob {PS} 90 -> 100 (late -10 -> 0)"]


def test_another_rule_and_another_date_count_from_the_next_run_on(course):
    course.hand_in("bob", timestamp=LATE)
    report = course.report("bob")
    course.record(bob=report)
    assert final(course)[0]["bob"][PS] == "80"
    for text, mark in ((COURSE.replace("= 10", "= 25"), "50"), (COURSE.replace("02-03", "02-08"), "100")):
        (course.folder / "course.toml").write_text(text)
        prepare(course.folder, PS)
        course.record(bob=report)
        assert final(course)[0]["bob"][PS] == mark


@pytest.mark.usefixtures("whole_world")
def test_nbgraders_own_command_takes_the_same_penalty(course):
    course.hand_in("bob", timestamp=LATE)
    done = course.nbgrader("autograde", PS, "--create", "--student", "bob")
    assert done.returncode == 0, done.stderr
    standing = course.standings()["bob"]
    assert standing["penalty"] == pytest.approx(sum(score or 0 for score in standing["auto"].values()) * 0.2)


@pytest.mark.usefixtures("repetition")
def test_a_broken_course_file_stops_nbgraders_commands_too(course):
    course.hand_in("bob", timestamp=LATE)
    (course.folder / "course.toml").write_text("[late]\npercent = 5\n")
    with pytest.raises(UserError, match=r"\[late\] has 'percent'; valid names are grace_minutes"):
        course.record(bob=course.report("bob"))
    done = course.nbgrader("autograde", PS, "--create")
    assert done.returncode != 0 and "[late] has 'percent'" in done.stderr and "Traceback" not in done.stderr
    assert not (course.folder / "autograded").exists()


def of_all(course: SmallClass, now: datetime) -> dict[str, dict[str, object]]:
    """The mark, the total and the largest total of each student in every file that has them; None where there is no mark."""
    marks, (rows, _) = marks_at(course, now), final(course, now=now)
    tables = [rows]
    for table, places in ((canvas_table(marks), 1), (moodle_table(marks), 0)):
        cells = list(csv.reader(table.text.splitlines()))
        ids = cells[0].index("SIS Login ID" if places else "Username")
        tables.append({row[ids]: dict(zip(cells[0], row, strict=True)) for row in cells[1 + places:]})
    of_json = {}
    for entry in json.loads(EXPORTS["json"]().table(marks).text)["students"]:
        points, is_open = entry["marks"].get(PS, {"final": 0}), PS in entry.get("open_until", {}) and PS not in entry["marks"]
        row = {PS: "" if is_open else f"{points['final']:g}"}
        of_json[entry["id"]] = row | {column: f"{entry[column]:g}" for column in ("total", "max")}
    tables.append(of_json)
    for student in rows:
        for column in (PS, "total", "max"):
            assert len({table[student][column] for table in tables if column in table[student]}) == 1, (student, column)
    return {student: {column: row[column] for column in (PS, "total", "max", "note")} for student, row in rows.items()}


def test_until_the_due_date_a_set_is_open_and_not_0_in_every_file(course):
    course.hand_in("ada", timestamp=ON_TIME)
    course.record(ada=course.report("ada"))
    extend(course.folder, PS, {"cy": 48})
    due = datetime(2026, 2, 3, 12, tzinfo=UTC)  # 13:00 in Zurich
    before = of_all(course, due - timedelta(minutes=1))
    assert [list(before[who].values())[:3] for who in ("ada", "bob", "cy")] == [["100", "0", "0"], ["", "0", "0"], ["", "0", "0"]]
    assert before["bob"]["note"] == f"{PS}: open until 2026-02-03 12:00 UTC, not in the total"
    after = of_all(course, due)
    assert [list(after[who].values())[:3] for who in ("ada", "bob", "cy")] == [
        ["100", "100", "105"], ["0", "0", "105"], ["", "0", "0"]]
    assert (after["bob"]["note"], after["cy"]["note"]) == (
        f"{PS}: nothing handed in", f"{PS}: open until 2026-02-05 12:00 UTC, not in the total")
    assert of_all(course, due + timedelta(hours=48))["cy"]["note"] == f"{PS}: nothing handed in"


def test_a_date_of_formgrader_is_the_one_that_the_front_page_tells(course):
    course.hand_in("ada", timestamp=ON_TIME)
    course.record(ada=course.report("ada"))
    with course.gradebook() as gradebook:
        gradebook.find_assignment(PS).duedate = datetime(2999, 1, 1, 12)
        gradebook.db.commit()
    extend(course.folder, PS, {"cy": 48})
    final(course)
    assert open_until(course.folder) == {PS: "2999-01-01 12:00 UTC for 2 students, 2999-01-03 12:00 UTC for 1 student"}
    with course.gradebook() as gradebook:
        gradebook.find_assignment(PS).duedate = datetime(2001, 1, 1, 12)
        gradebook.db.commit()
    final(course)
    assert open_until(course.folder) == {}


def test_the_challenge_is_open_until_the_last_set_with_a_player_is_due(course):
    dates = "ps3_connect_four = 2026-03-01T12:00:00\nps5_alphazero = 2026-06-01T12:00:00"
    text = COURSE.replace('["ps2_uct"]', '["ps2_uct", "ps3_connect_four", "ps5_alphazero"]')
    (course.folder / "course.toml").write_text(text.replace("[late]", f"{dates}\n[late]"))
    with course.gradebook() as gradebook:
        for name in (CHALLENGE, "ps3_connect_four", "ps5_alphazero"):
            gradebook.update_or_create_assignment(name)
        gradebook.update_or_create_notebook(CHALLENGE, CHALLENGE)
        gradebook.update_or_create_grade_cell(CHALLENGE, CHALLENGE, CHALLENGE, max_score=100, cell_type="code")
        gradebook.update_or_create_student("ada")
        gradebook.update_or_create_submission(CHALLENGE, "ada")
        gradebook.find_grade(CHALLENGE, CHALLENGE, CHALLENGE, "ada").auto_score = 40.0
        gradebook.db.commit()
    for month, bob, total in ((4, None, 0), (7, 0, 40)):
        marks = marks_at(course, datetime(2026, month, 1, tzinfo=UTC))
        assert (marks.final("ada", CHALLENGE), marks.final("bob", CHALLENGE), marks.total("ada")) == (40, bob, total)


def test_a_score_above_its_maximum_is_told_in_the_table_the_run_and_the_export(course):
    course.hand_in("ada", {"ex2_13": "My experiment."}, timestamp=ON_TIME)
    course.hand_in("bob", timestamp=ON_TIME)
    course.record(ada=course.report("ada"), bob=course.report("bob", extra=1.0))
    course.mark_by_hand("ada", "ex2_13", 9)
    course.mark_by_hand("bob", "ex2_13", 5)
    course.mark_by_hand("bob", "ex2_15", 5)  # optional: worth 0 in the gradebook, and 5 in the set
    rows, _ = final(course)
    assert (rows["ada"][PS], rows["ada"]["note"]) == ("109", f"{PS}: ex2_13 has 9 of 5 points by hand")
    assert (rows["bob"][PS], rows["bob"]["note"]) == ("110", "")
    assert [line.split(", which")[0] for line in marks_at(course).above] == [f"'ada' {PS}: ex2_13 has 9 of 5 points by hand"]
    course.mark_by_hand("bob", "ex2_15", 5.5)
    app = open_course(course.folder, PS)
    with course.gradebook() as gradebook:
        EXPORTS["json"](parent=app, to=str(course.folder / "m.json"), student=[], assignment=[]).export(gradebook)
    assert [line.split(":")[0] for line in app.records.lines] == [f"'ada' {PS}", f"'bob' {PS}"]
    ada, bob, _ = (student["marks"].get(PS, {}) for student in json.loads((course.folder / "m.json").read_text())["students"])
    assert (ada["above_the_maximum"], bob["above_the_maximum"]) == (["ex2_13 has 9 of 5"], ["ex2_15 has 5.5 of 5"])


def test_work_that_could_not_be_read_says_so_in_the_table(course):
    store, everything = ReportStore(course.folder, PS), tuple(exercise.id for exercise in load(PS).exercises) + ("joint",)
    for student, form, note in (("ada", "none", "ps2_uct.ipynb is not a notebook:\n=broken; JSON"), ("bob", "notebook", "")):
        course.hand_in(student, timestamp=ON_TIME)
        store.put(student, course.report(student, failed=everything, form=form, note=note), {})
    course.record(**store.all())
    rows, _ = final(course)
    assert (rows["ada"][PS], rows["bob"][PS], rows["bob"]["note"]) == ("0", "0", "")
    assert rows["ada"]["note"] == f"{PS}: nothing could be read (ps2_uct.ipynb is not a notebook: =broken; JSON)"
