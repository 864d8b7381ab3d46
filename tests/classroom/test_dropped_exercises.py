"""An exercise that staff drop counts for nobody: no points and no maximum in a report, and the reports' checks stay."""

import json
from dataclasses import replace

import pytest
from made import report
from typer.testing import CliRunner

from arena.errors import UserError
from autograder.cli.app import app
from autograder.course.change_texts import change_texts, write_change_texts
from autograder.course.decisions import decisions, log_corrections, since_last_run
from autograder.course.summary import Summary
from autograder.gradebook.marks.final_marks import FinalMarks, Mark, MarkChange
from autograder.gradebook.policy.roster_file import Person
from autograder.gradebook.tables import Change, write_grades
from autograder.grading.config import Settings
from autograder.grading.dropped_exercises import decided, drop, read_dropped, write_dropped
from autograder.grading.report import FAULT_NOTE, UNDECIDED, Report
from autograder.log import log
from autograder.pages.course.class_counts import lesson, lost_properties
from autograder.pages.course.class_page import Background, class_page
from autograder.pages.short_report import ShortReport

PS = "ps2_uct"


@pytest.fixture
def course(tmp_path):
    (tmp_path / "submitted" / "ada" / PS).mkdir(parents=True)
    return tmp_path


def test_no_points_and_no_maximum_and_the_checks_stay():
    before = report({"2.0": "passed", "2.5": "not yet", "2.6": "passed", "joint": "not yet"})
    assert drop(before, frozenset()) is before
    after = drop(before, {"2.5", "2.6"})
    assert (after.points, after.max_points) == (10, 20)
    assert [(exercise.points, exercise.max_points, exercise.dropped) for exercise in after.exercises] == [
        (10, 10, False), (0, 0, True), (0, 0, True), (0, 10, False)]
    assert [exercise.checks for exercise in after.exercises] == [exercise.checks for exercise in before.exercises]
    assert Report.from_json(after.to_json()) == after
    assert decided(before, Settings(b"s", excused=frozenset({"test_2_5_in_general"}), dropped=frozenset({"2.6"}))).points == 20


def test_a_fault_of_the_grader_in_a_dropped_exercise_leaves_nothing_undecided():
    before = replace(report({"2.0": "passed", "2.5": "grader fault"}), note=f"Mind this. {FAULT_NOTE}")
    after = drop(before, {"2.5"})
    assert not after.has_fault and not ShortReport.of(after).has_fault and after.note == "Mind this."
    other = replace(report({"2.0": "grader fault", "2.5": "grader fault"}), note=FAULT_NOTE)
    assert drop(other, {"2.5"}).has_fault and drop(other, {"2.5"}).note == FAULT_NOTE


def test_no_table_and_no_page_counts_it(tmp_path):
    reports = {"ada": drop(report({"2.0": "passed", "2.5": "not yet", "joint": "not yet"}), {"2.5"})}
    write_grades(tmp_path, reports)
    assert "0,10,20," in (tmp_path / "grades.csv").read_text().replace("ada,ps2_uct,10,0,", "")  # joint, total, max
    page = class_page(tmp_path, PS, "", reports, [])
    assert page.count(">dropped<") == 2 and "2.5" not in " ".join(lesson(reports, lost_properties(reports), None, None))


def test_the_command_drops_an_exercise_and_brings_it_back(course):
    def staff(*words: str) -> str:
        done = CliRunner().invoke(app, ["staff", "drop", str(course), "--ps", PS, *words])
        assert done.exit_code == 0 or isinstance(done.exception, UserError), done.output
        return done.output or str(done.exception)

    assert "did you mean 2.9?" in staff("--exercise", "2.99", "--why", "x") and not (course / "log.jsonl").exists()
    assert "counts already" in staff("--exercise", "2.5", "--why", "x", "--undo")
    assert "the joint check still needs it" in staff("--exercise", "2.5", "--why", "not taught")
    assert staff("--exercise", "joint", "--why", "it needs 2.5").count("\n") == 1
    assert read_dropped(course, PS) == {"2.5", "joint"} and read_dropped(course, "ps1_games") == frozenset()
    assert "counts again" in staff("--exercise", "joint", "--why", "a slip", "--undo")
    assert read_dropped(course, PS) == {"2.5"}
    log = [json.loads(line) for line in (course / "log.jsonl").read_text().splitlines()]
    assert [(entry["exercise"], entry["why"], entry.get("undo")) for entry in log] == [
        ("2.5", "not taught", None), ("joint", "it needs 2.5", None), ("joint", "a slip", True)]


def test_what_was_decided_since_the_last_run_and_on_the_class_page(course):
    log(course, "excuse", ps=PS, check="test_old", why="wrong")
    log(course, "grade", ps=PS)
    log(course, "grade", ps="ps1_games")
    for entry in ({"exercise": "2.5"}, {"exercise": "2.6"}, {"exercise": "2.6", "undo": True}, {"exercise": "2.7", "undo": True}):
        log(course, "drop", ps=PS, why="\x1b[31m<b>", **entry)
    log(course, "excuse", ps="ps1_games", check="test_other", why="wrong")
    log(course, "excuse", ps=PS, check="test_new", why="wrong again")
    log(course, "excuse", ps=PS, check="test_right", why="right after all", undo=True)
    log_corrections(course, PS, [Change("ada", "2.1", 0, 5, "suite"), Change("bob", "2.1", 0, 5, "suite"),
                                 Change("bob", "2.2", 0, 5, "submission"), Change("cy", "2.2", None, 5, "suite")])
    since = since_last_run(course, PS)
    assert (list(since.excused), list(since.dropped), list(since.brought_back)) == (["test_new"], ["2.5"], ["2.7"])
    assert since.deciding == {"test_right": "right after all"}
    background = Background(decisions=decisions(course, PS))
    page = class_page(course, PS, "", {"ada": report({"2.0": "passed"})}, [], background=background)
    assert page.count("counts as passed for everybody: wrong") == 2 and "test_other" not in page
    assert page.count("the check test_right decides again: right after all") == 1
    assert page.count("2.6 does not count: ") == page.count("2.6 counts again: ") == 1
    assert "<b>" not in page and "\x1b" not in page
    assert "a run changed points of 2 students in 2.1; cause: suite" in page


def texts(course, changes: list[Change], mark_changes: list[MarkChange] = (), exercises=("2.0", "2.5")) -> dict[str, str]:
    reports = {student: report(dict.fromkeys(exercises, "passed")) for student in ("ada", "bob")}
    summary = Summary(course, PS, reports, changes=changes, mark_changes=list(mark_changes))
    people = tuple(Person(id, "", "", "") for id in reports)
    marks = FinalMarks({PS: 105.0}, people, {id: {PS: Mark(95, 0, 0)} for id in reports})
    return change_texts(summary, marks, since_last_run(course, PS))


def test_a_student_whose_points_changed_gets_what_changed_and_why(course):
    log(course, "excuse", ps=PS, check="test_2_5_in_general", why="it asked for\nmore than the docstring")
    by_student = texts(course, [Change("ada", "2.5", 0.0, 10.0, "suite"), Change("ada", "2.0", 5.0, 10.0, "submission"),
                          Change("bob", "2.0", None, 10.0, "submission")], [MarkChange("ada", PS, "85", "95", "")])
    assert list(by_student) == ["ada"]
    assert by_student["ada"].splitlines()[2:] == [
        "2.5 exercise 2.5: 0 points before, 10 points now.",
        "    The checks of this exercise have changed.",
        "    A check of this exercise counts as passed for everybody. Reason: it asked for more than the docstring",
        "",
        "Your mark for this problem set: 85 before, 95 now, of 105 points.",
    ]
    log(course, "grade", ps=PS)
    log(course, "excuse", ps=PS, check="test_2_5_in_general", why="it was right", undo=True)
    back = texts(course, [Change("ada", "2.5", 10.0, 0.0, "suite")])["ada"]
    assert "    A check of this exercise no longer counts as passed for everybody. Reason: it was right\n" in back
    at = write_change_texts(course, PS, by_student)
    (path,) = course.glob(f"changes/{PS}/ada/*.txt")
    assert path.read_text() == by_student["ada"] and at.startswith(str(course)) and path.match(at.rpartition("/")[2])
    assert write_change_texts(course, PS, {}) == "" and texts(course, [Change("ada", "2.5", 0.0, 1.0, "submission")]) == {}


@pytest.mark.parametrize("change, sentence", [
    (Change("ada", "2.5", 10.0, 0.0, "edition"), "10 points before, 0 points now.\n    Your work was graded at new positions"),
    (Change("ada", "2.5", 0.0, 10.0, "version"), "a newer version of the autograder"),
    (Change("ada", "2.5", 0.0, 10.0, "python"), "Your work is graded with Python 3."),
    (Change("ada", "2.5", UNDECIDED, 10.0, "fault"), "undecided before, 10 points now.\n    The grader had failed here"),
    (Change("ada", "2.5", 10.0, UNDECIDED, "fault"), "no points are given or taken"),
    (Change("ada", "2.5", 0.0, 10.0, "suite", 7.0), "A mark by hand counts instead: 7 points."),
])
def test_each_cause_has_its_sentence(course, change, sentence):
    assert sentence in texts(course, [change])["ada"]


def test_everybody_is_told_of_a_dropped_exercise_because_the_maximum_is_another_one(course):
    write_dropped(course, PS, "2.5", "not taught")
    log(course, "drop", ps=PS, exercise="2.5", why="not taught")
    by_student = texts(course, [Change("ada", "2.5", 10.0, 0.0, "dropped")])
    assert "10 points before, 0 points now.\n    This exercise no longer counts in this course, for anybody" in by_student["ada"]
    assert "your own points are the same.\n" in by_student["bob"] and "Reason: not taught" in by_student["bob"]
    log(course, "grade", ps=PS)
    assert texts(course, []) == {}
