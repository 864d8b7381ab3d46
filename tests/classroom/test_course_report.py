"""A course of several sets: each keeps its page, its grades and its changes when another set is graded."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from made import report

from arena.challenge.report import PLAYED, ChallengeReport
from autograder.course.class_report import lost_grades, write_class_report, write_front_page
from autograder.course.storage.history import MOST
from autograder.course.storage.report_store import ReportStore
from autograder.course.storage.set_records import all_records, read_record, record_path
from autograder.course.summary import Summary
from autograder.gradebook.marks.final_marks import FinalMarks, Mark, write_final
from autograder.gradebook.policy.roster_file import Person
from autograder.gradebook.tables import Change, write_changes, write_grades
from autograder.pages.course.class_counts import gained, lesson, lost_properties, resubmissions
from autograder.pages.course.class_page import Background, class_page
from autograder.pages.course.set_record import MOST_RUNS, SetRecord
from autograder.pages.short_report import ShortReport
from tests.tables import rows_of

PS, OTHER = "ps2_uct", "ps1_games"
PASSED, FAILED, OPEN = "passed", "not yet", "not written"


def run(course, ps, reports, **more):
    """What a grading run of a set writes, without the grading and the gradebook."""
    reports = {student: replace(report, problem_set=ps) for student, report in sorted(reports.items())}
    changed = sum([ReportStore(course, ps).put(student, report, {}) for student, report in reports.items()])
    write_changes(course, ps, [Change(student, "2.0", 0.5, report.points, "submission") for student, report in reports.items()])
    write_grades(course, reports, lost=lost_grades(course, ps))
    write_class_report(Summary(course, ps, reports, reports_changed=changed, **more))


def table(course, name):
    return rows_of(course / name)


@pytest.fixture
def course(tmp_path):
    run(tmp_path, OTHER, {"ada": report({"1.9": PASSED, "1.10": FAILED, "joint": FAILED}), "=1+1": report({"1.9": PASSED})})
    return tmp_path


def test_a_run_leaves_everything_of_another_set_as_it_is(course):
    before = {name: (course / "report" / name).read_bytes() for name in (f"{OTHER}.html", f"{OTHER}.json")}
    rows = {name: table(course, name) for name in ("grades.csv", "changes.csv")}
    for _ in range(2):
        run(course, PS, {"ada": report({"2.0": PASSED}), "bela": report({"2.0": FAILED})})
        assert {name: (course / "report" / name).read_bytes() for name in before} == before
        for name, kept in rows.items():
            there = table(course, name)
            assert [{column: row[column] for column in kept[0]} for row in there if row["problem_set"] == OTHER] == kept
            assert [row["student"] for row in there if row["problem_set"] == PS] == ["ada", "bela"]
    assert list(table(course, "grades.csv")[0])[2:6] == ["1.9", "1.10", "2.0", "joint"]
    front = (course / "report" / "index.html").read_text()
    assert f'href="{OTHER}.html"' in front and f'href="{PS}.html"' in front


def test_the_challenge_of_a_student_is_the_same_in_the_rows_of_all_sets(tmp_path):
    def played(points):
        return {"=a": ChallengeReport("ps3_connect_four", "a" * 64, PLAYED, "", points)}

    write_grades(tmp_path, {"=a": replace(report({"3.1": PASSED}), problem_set="ps3_connect_four")}, played(40.0))
    write_grades(tmp_path, {"=a": replace(report({"5.1": PASSED}), problem_set="ps5_alphazero")}, played(75.0))
    write_grades(tmp_path, {"=a": report({"2.1": PASSED})})
    assert [(row["student"], row["problem_set"], row["challenge"]) for row in table(tmp_path, "grades.csv")] == [
        ("'=a", "ps2_uct", ""), ("'=a", "ps3_connect_four", "75"), ("'=a", "ps5_alphazero", "75")]


def test_a_set_alone_has_the_columns_of_its_exercises(course):
    assert list(table(course, "grades.csv")[0]) == [
        "student", "problem_set", "1.9", "1.10", "joint", "total", "max", "extra", "outcomes", "note"]
    assert [row["student"] for row in table(course, "grades.csv")] == ["'=1+1", "ada"]


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"student;total\nada;1\n", b'"', None])
def test_rows_of_another_set_that_are_lost_are_made_again_from_its_reports(course, damage):
    whole = table(course, "grades.csv")
    path = course / "grades.csv"
    path.unlink() if damage is None else path.write_bytes(damage)
    run(course, PS, {"ada": report({"2.0": PASSED})})
    there = [row for row in table(course, "grades.csv") if row["problem_set"] == OTHER]
    assert [{column: row[column] for column in whole[0]} for row in there] == whole


@pytest.mark.parametrize("damage", [
    "", "{", "[]", '{"ps": 3}', "null", '{"students": {"ada": [1]}}', '{"students": {"ada": ["x", 0, "p", ""]}}',
    '{"ps": "ps1_games", "title": "T", "max_points": NaN, "students": {}, "missing": 3, "runs": 1}',
])
def test_a_damaged_record_of_another_set_stops_nobody_and_is_made_from_its_reports(course, damage):
    record_path(course, OTHER).write_text(damage)
    run(course, PS, {"ada": report({"2.0": PASSED})})
    assert [record.ps for record in all_records(course)] == [OTHER, PS]
    assert all_records(course)[0].students["ada"].points == 10
    (course / "reports" / "ada" / f"{OTHER}.json").write_text("{")
    write_front_page(course)
    assert list(all_records(course)[0].students) == ["=1+1"]


def test_a_table_of_changes_without_a_column_of_the_set_is_replaced(course):
    (course / "changes.csv").write_text("student,exercise,old,new,cause,hidden_by_manual_score\nada,2.0,,1,submission,\n")
    run(course, PS, {"bela": report({"2.0": PASSED})})
    assert [row["student"] for row in table(course, "changes.csv")] == ["bela"]


def test_the_front_page_says_what_is_open_and_of_how_much_a_total_is(course):
    run(course, PS, {"ada": report({"2.0": PASSED})})
    people, first, later = [Person(id, "", "", "") for id in ("ada", "bob", "cy")], *(
        datetime(2999, 10, day, 23, 59, tzinfo=UTC) for day in (5, 7))
    alike = {person.id: {PS: first} for person in people}
    for dates, text in ((alike, "2999-10-05 23:59 UTC"), ({"bob": {PS: later}}, "2999-10-07 23:59 UTC for 1 student"),
                        (alike | {"cy": {PS: later}}, "2999-10-05 23:59 UTC for 2 students, 2999-10-07 23:59 UTC for 1 student")):
        marks = {"ada": {PS: Mark(7, 0, 0)}}
        write_final(course, FinalMarks({PS: 100.0, OTHER: 100.0}, tuple(people), marks, {OTHER: 95}, dates))
        write_front_page(course)
        page = (course / "report" / "index.html").read_text()
        assert page.count("open until") == page.count(f"open until {text}<") == 1, text
    assert '<td class="total">0<small>of 95</small></td>' in page


def test_the_front_page_tells_faults_and_who_has_not_handed_in(course):
    run(course, PS, {"bela": report({"2.0": "grader fault"})}, missing=("carl",))
    front = (course / "report" / "index.html").read_text()
    assert "Grader faults:" in front and "<bdi>carl</bdi>" in front and "0 + 10 undecided" in front


def test_a_record_is_read_as_it_was_written(course):
    record = read_record(course, OTHER)
    assert record is not None and SetRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    many = replace(record, runs=record.runs * (2 * MOST_RUNS))
    assert len(SetRecord.from_dict(many.to_dict()).runs) == MOST_RUNS


def test_a_run_that_changes_nothing_is_not_counted_as_one(course):
    reports = {"ada": report({"2.0": PASSED})}
    for _ in range(3):
        run(course, PS, reports)
    assert len(read_record(course, PS).runs) == 1
    assert "Nothing has changed since the run before" in (course / "report" / f"{PS}.html").read_text()
    run(course, PS, {"ada": report({"2.0": FAILED}, sha256="1" * 64)})
    assert [run.mean for run in read_record(course, PS).runs] == [10.0, 0.0]


def test_times_are_kept_while_the_submission_stays_the_same(course):
    run(course, PS, {"ada": report({"2.0": PASSED}), "bela": report({"2.0": PASSED})}, cpu_s={"ada": 2.5, "bela": 1.0})
    run(course, PS, {"ada": report({"2.0": PASSED}), "bela": report({"2.0": PASSED}, sha256="1" * 64)})
    assert read_record(course, PS).cpu_s == {"ada": 2.5}
    assert "The slowest submissions" in (course / "report" / f"{PS}.html").read_text()


def test_a_history_has_every_submission_once_and_the_last_grading_of_it(tmp_path):
    store = ReportStore(tmp_path, PS)
    for sha256, outcome in (("a", FAILED), ("a", FAILED), ("b", FAILED), ("b", PASSED), ("c", FAILED), ("c", FAILED)):
        now = report({"2.0": outcome}, sha256=sha256)
        store.put("ada", now, {})
    assert [(entry.sha256, entry.points, entry.letters) for entry in store.history("ada", now)] == [
        ("a", 0.0, "n"), ("b", 10.0, "p"), ("c", 0.0, "n")]


def test_a_student_who_handed_in_once_has_no_file_of_a_history(tmp_path):
    store = ReportStore(tmp_path, PS)
    store.put("ada", report({"2.0": PASSED}), {})
    assert not list(tmp_path.rglob("*.history.json")) and len(store.history("ada", store.get("ada"))) == 1


def test_a_history_is_bounded_and_keeps_the_first_submission(tmp_path):
    store = ReportStore(tmp_path, PS)
    for number in range(2 * MOST):
        store.put("ada", report({"2.0": PASSED}, sha256=str(number)), {})
    history = store.history("ada", store.get("ada"))
    assert [entry.sha256 for entry in history] == ["0", *map(str, range(MOST + 1, 2 * MOST))]


@pytest.mark.parametrize("damage", [
    "", "{", '{"submissions": [[1, 2]]}', '{"submissions": 3}', '{"submissions": [[0, 0, "z", ""]]}',
    '{"submissions": [["1", 0, "p", ""]]}',
])
def test_a_damaged_history_begins_anew(tmp_path, damage):
    store = ReportStore(tmp_path, PS)
    for sha256 in "abc":
        store.put("ada", report({"2.0": PASSED}, sha256=sha256), {})
    next(tmp_path.rglob("*.history.json")).write_text(damage)
    store.put("ada", report({"2.0": PASSED}, sha256="d"), {})
    assert [entry.sha256 for entry in store.history("ada", store.get("ada"))][-1] == "d"


CLASS = {
    "ada": report({"2.1": FAILED, "2.2": FAILED, "joint": FAILED}),
    "bela": report({"2.1": FAILED, "2.2": PASSED, "joint": OPEN}),
    "cora": report({"2.1": OPEN, "2.2": OPEN, "joint": OPEN}),
    "dora": report({"2.1": "too slow", "2.2": PASSED, "joint": PASSED}),
}


def record_of(reports, **more):
    return SetRecord(PS, "T", 30.0, {student: ShortReport.of(report) for student, report in reports.items()}, **more)


def test_the_sentences_say_what_to_teach_what_is_missing_and_what_has_changed():
    before = record_of({"ada": report({"2.1": PASSED}, sha256="1" * 64), "bela": report({"2.1": FAILED})})
    now = record_of(CLASS, missing=("emil",))
    assert lesson(CLASS, lost_properties(CLASS), now, before) == [
        "2 of 4 fail 2.1 exercise 2.1 (worth 10). Required: “whatever the position”.",
        "Apart from mistakes: too slow (1 student: 2.1).",
        "1 of 4 has written nothing; 1 student of the roster has not handed in.",
        "Since the run before: 2 students handed in for the first time, 1 student handed in again, 1 student gained points, "
        "1 student lost points.",
    ]


def test_an_exercise_that_is_not_written_is_counted_for_those_who_have_written_another_one():
    reports = CLASS | {"emil": report({"2.1": PASSED, "2.2": OPEN, "joint": OPEN})}
    assert lesson(reports, lost_properties(reports), None, None)[2] == (
        "1 of 5 has written nothing; the exercises that the others have not written: 2.2 exercise 2.2 (1).")


def test_where_nothing_fails_the_sentences_say_so():
    reports = {"ada": report({"2.1": PASSED})}
    assert lesson(reports, lost_properties(reports), None, None) == [
        "No exercise that was written fails.", "Everybody has written every exercise.",
        "This is the first run, so there is no earlier one to compare with.",
    ]


def test_a_lost_property_names_the_students_who_lose_it_and_not_those_who_have_written_nothing():
    lost = lost_properties(CLASS)
    assert [(loss.exercise.id, loss.line, loss.students, loss.mistaken) for loss in lost[:2]] == [
        ("2.1", "whatever the position", ["ada", "bela"], ["ada", "bela"]), ("2.2", "whatever the position", ["ada"], ["ada"])]


def test_resubmissions_are_counted_by_their_number():
    first, second = (ShortReport.of(report({"2.0": outcome})) for outcome in (FAILED, PASSED))
    rows = resubmissions([(first, second), (first,), (second, first)])
    assert [(row.number, row.students, row.mean) for row in rows] == [(1, 3, pytest.approx(10 / 3)), (2, 2, 5.0)]
    assert gained([(first, second), (first,), (second, first)]) == (
        "2 students handed in more than once: 1 with more points than for the first submission, 1 with fewer; "
        "+0.0 points on average.")


def test_the_page_has_the_links_that_it_is_given_and_a_policy_that_allows_its_own_script_alone(tmp_path):
    page = class_page(tmp_path, PS, "T", CLASS, [], background=Background(links={"similarity-ps2_uct.html": "similar"}))
    assert '<a href="similarity-ps2_uct.html">similar</a>' in page
    policy = re.search(r"script-src ([^;\"]*)", page)
    assert page.count("<script") == 1 and re.fullmatch(r"'sha256-[A-Za-z0-9+/=]{44}'", policy[1])
