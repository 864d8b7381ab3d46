"""Reports in the gradebook: scores, changes, manual grades, late work, odd submissions."""

import csv
import datetime
import os
import shutil
from dataclasses import replace

import pytest

from autograder.course.feedback import feedback
from autograder.course.summary import Summary
from autograder.gradebook.course import CourseError
from autograder.gradebook.recording import planning
from autograder.gradebook.recording.planning import plan, unfit
from autograder.gradebook.recording.record import record
from autograder.gradebook.tables import Change
from autograder.grading.report import UNDECIDED

PS = "ps2_uct"


def test_export_has_one_row_a_student_with_the_reports_points(small_class):
    for student in ("ada", "bob"):
        small_class.hand_in(student, {"ex2_5_code": "pass"}, timestamp="2026-02-03 10:11:12 UTC")
    small_class.record(ada=small_class.report("ada"), bob=small_class.report("bob", failed=("2.5", "joint")))
    done = small_class.nbgrader("export", "--to", "export.csv")
    assert done.returncode == 0, done.stderr
    rows = [(row["student_id"], row["raw_score"], row["max_score"], row["timestamp"]) for row in small_class.exported()]
    assert rows == [("ada", "100.0", "105.0", "2026-02-03 10:11:12"), ("bob", "85.0", "105.0", "2026-02-03 10:11:12")]


def test_the_words_stand_below_the_check(small_class):
    small_class.hand_in("ada", {"ex2_5_code": "pass"})
    small_class.record(ada=small_class.report("ada", failed=("2.5", "joint")))
    text = small_class.cell("ada", "ex2_5").outputs[0].text
    assert "2.5 backpropagate   NOT YET   0 of 10 points" in text
    assert "not yet" in text and "the property of 2.5" in text and "Think about: who is to move?" in text
    assert "joint" in small_class.cell("ada", "ex2_joint").outputs[0].text
    assert small_class.cell("ada", "ex2_5_code").outputs == []


def test_an_untouched_cell_has_nbgraders_comment_and_a_written_one_has_none(small_class):
    small_class.hand_in("ada", {"ex2_5_code": "pass"})
    small_class.record(ada=small_class.report("ada"))
    comments = small_class.standings()["ada"]["comments"]
    assert comments["ex2_5_code"] == (None, None)
    assert comments["ex2_6_code"] == ("No response.", None)


def test_free_text_waits_for_a_person_and_an_untouched_answer_does_not(small_class):
    small_class.hand_in("ada", {"ex2_13": "My answer."})
    small_class.hand_in("bob")
    small_class.record(ada=small_class.report("ada"), bob=small_class.report("bob"))
    ada, bob = small_class.grade_row("ada", "ex2_13"), small_class.grade_row("bob", "ex2_13")
    assert (ada["auto_score"], ada["needs_manual_grade"]) == (None, True)
    assert (bob["auto_score"], bob["needs_manual_grade"]) == (0.0, False)


def test_recording_again_skips_everybody(small_class):
    for student in ("ada", "bob"):
        small_class.hand_in(student)
    reports = {student: small_class.report(student) for student in ("ada", "bob")}
    small_class.record(**reports)
    before = (small_class.folder / "autograded/ada" / PS / f"{PS}.ipynb").stat().st_mtime_ns
    seen = []
    assert record(small_class.folder, PS, [(name, None, report) for name, report in reports.items()], seen.append) == []
    assert seen == []
    assert (small_class.folder / "autograded/ada" / PS / f"{PS}.ipynb").stat().st_mtime_ns == before


@pytest.mark.first_shows
@pytest.mark.parametrize("damage", ["notebook gone", "notebook torn", "score changed", "submission removed"])
def test_what_was_damaged_is_recorded_again(small_class, damage):
    small_class.hand_in("ada")
    small_class.hand_in("bob")
    reports = {student: small_class.report(student, failed=("2.9",)) for student in ("ada", "bob")}
    small_class.record(**reports)
    whole, notebook = small_class.standings(), small_class.folder / "autograded/ada" / PS / f"{PS}.ipynb"
    if damage == "notebook gone":
        shutil.rmtree(notebook.parent)
    elif damage == "notebook torn":
        text = notebook.read_text()
        notebook.chmod(0o644)
        notebook.write_text(text[: len(text) // 2])
    else:
        with small_class.gradebook() as gradebook:
            if damage == "score changed":
                gradebook.find_grade("ex2_9", PS, PS, "ada").auto_score = 14.0
                gradebook.db.commit()
            else:
                gradebook.remove_submission(PS, "ada")
    seen = []
    record(small_class.folder, PS, [(name, None, report) for name, report in reports.items()], seen.append)
    assert seen == ["ada"]
    assert small_class.standings() == whole
    assert small_class.cell("ada", "ex2_9").outputs


def changes_file(small_class):
    with (small_class.folder / "changes.csv").open(newline="") as file:
        return [list(row.values()) for row in csv.DictReader(file)]


def test_changes_name_the_cause(small_class, monkeypatch):
    small_class.hand_in("ada", {"ex2_5_code": "one"})
    first = small_class.record(ada=small_class.report("ada", failed=("2.5",)))
    assert len(first) == 15 and {(change.old, change.cause) for change in first} == {(None, "submission")}
    assert changes_file(small_class) == [] and Summary(small_class.folder, PS, changes=first).changes_of_points == 0
    suite = small_class.record(ada=small_class.report("ada", failed=("2.6",)))
    assert suite == [Change("ada", "2.5", 0.0, 10.0, "suite"), Change("ada", "2.6", 10.0, 0.0, "suite")]
    monkeypatch.setattr(planning, "course_secret", lambda course: b"next year's")
    assert small_class.record(ada=small_class.report("ada")) == [Change("ada", "2.6", 0.0, 10.0, "edition")]
    small_class.hand_in("ada", {"ex2_5_code": "two"})
    assert small_class.record(ada=small_class.report("ada", failed=("2.6",))) == [
        Change("ada", "2.6", 10.0, 0.0, "submission")
    ]
    assert changes_file(small_class) == [["ada", PS, "2.6", "10", "0", "submission", ""]]
    small_class.record(ada=small_class.report("ada", failed=("2.6",)))
    assert changes_file(small_class) == []


def test_a_plan_tells_the_changes_and_writes_nothing(small_class):
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    before = small_class.standings()
    changes, _ = plan(small_class.folder, PS, {"ada": small_class.report("ada", failed=("2.5",))})
    assert changes == [Change("ada", "2.5", 10.0, 0.0, "suite")]
    assert small_class.standings() == before


def test_manual_grades_and_comments_survive_a_regrade(small_class):
    small_class.hand_in("ada", {"ex2_13": "My answer."})
    small_class.record(ada=small_class.report("ada", failed=("2.5",)))
    small_class.mark_by_hand("ada", "ex2_13", 4.0)
    small_class.mark_by_hand("ada", "ex2_9", 11.0)
    with small_class.gradebook() as gradebook:
        gradebook.find_comment("ex2_13", PS, PS, "ada").manual_comment = "Well said."
        gradebook.db.commit()
    small_class.record(ada=small_class.report("ada", failed=("2.6",)))
    standing = small_class.standings()["ada"]
    assert (standing["manual"]["ex2_13"], standing["manual"]["ex2_9"]) == (4.0, 11.0)
    assert standing["comments"]["ex2_13"] == (None, "Well said.")
    assert not small_class.grade_row("ada", "ex2_13")["needs_manual_grade"]  # the same answer needs no second look
    assert small_class.export()[0]["raw_score"] == "91.0"  # 100 - 10 (2.6) - 14 + 11 (2.9) + 4 (2.13)


def test_a_manual_score_that_hides_a_new_automatic_one_is_listed(small_class):
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada", failed=("2.5",)))
    small_class.mark_by_hand("ada", "ex2_5", 7.0)
    small_class.mark_by_hand("ada", "ex2_6", 10.0)
    changes = small_class.record(ada=small_class.report("ada"))
    assert changes == [Change("ada", "2.5", 0.0, 10.0, "suite", hidden_by=7.0)]
    row = small_class.grade_row("ada", "ex2_5")
    assert (row["manual_score"], row["auto_score"], row["needs_manual_grade"]) == (7.0, 10.0, True)
    assert not small_class.grade_row("ada", "ex2_6")["needs_manual_grade"]


def test_a_changed_answer_is_looked_at_again(small_class):
    small_class.hand_in("ada", {"ex2_13": "My answer."})
    small_class.record(ada=small_class.report("ada"))
    small_class.mark_by_hand("ada", "ex2_13", 4.0)
    small_class.hand_in("ada", {"ex2_13": "Another answer."})
    small_class.record(ada=small_class.report("ada"))
    row = small_class.grade_row("ada", "ex2_13")
    assert (row["manual_score"], row["needs_manual_grade"]) == (4.0, True)


def test_late_penalties_are_nbgraders_and_follow_the_due_date(small_class):
    with (small_class.folder / "nbgrader_config.py").open("a") as file:
        file.write("c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    due = datetime.datetime(2026, 2, 3, 12, 0)
    with small_class.gradebook() as gradebook:
        gradebook.update_or_create_assignment(PS, duedate=due)
    small_class.hand_in("ada", timestamp="2026-02-03 11:59:00 UTC")
    small_class.hand_in("bob", timestamp="2026-02-03 12:01:00 UTC")
    reports = {student: small_class.report(student, failed=("2.5",)) for student in ("ada", "bob")}
    small_class.record(**reports)
    assert [row["score"] for row in small_class.export()] == ["90.0", "0.0"]
    with small_class.gradebook() as gradebook:
        gradebook.grant_extension(PS, "bob", hours=1)
    seen = []
    record(small_class.folder, PS, [(name, None, report) for name, report in reports.items()], seen.append)
    assert seen == ["bob"]
    assert [row["score"] for row in small_class.export()] == ["90.0", "90.0"]


LATE = """
from nbgrader.plugins import BasePlugin


class PointsAnHour(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return min(score, POINTS * total_seconds_late / 3600)
"""


def test_a_late_plugin_beside_the_configuration_counts_and_a_changed_one_is_recorded_again(small_class, second_class):
    small_class.hand_in("ada", timestamp="2026-02-03 14:00:00 UTC")
    report = small_class.report("ada")
    for place, points, score in ((small_class, 5, "90.0"), (small_class, 7, "86.0"), (second_class, 1, "98.0")):
        (place.folder / "late.py").write_text(LATE.replace("POINTS *", f"{points} *"))
        os.utime(place.folder / "late.py", (points, points))  # Python knows a changed file of the same size by its second
        with (place.folder / "nbgrader_config.py").open("a") as file:
            file.write("c.AssignLatePenalties.plugin_class = 'late.PointsAnHour'\n")
        with place.gradebook() as gradebook:
            gradebook.update_or_create_assignment(PS, duedate=datetime.datetime(2026, 2, 3, 12, 0))
        if place is second_class:
            place.hand_in("ada", timestamp="2026-02-03 14:00:00 UTC")
        place.record(ada=report)
        assert [row["score"] for row in place.export()] == [score]


@pytest.mark.parametrize("text, message", [
    ("1 / 0", "ZeroDivisionError"), ("class Another: pass", "PointsAnHour"), ("def x(:", "SyntaxError"),
])
def test_a_late_plugin_that_cannot_be_loaded_is_one_sentence(small_class, text, message):
    (small_class.folder / "late.py").write_text(text)
    with (small_class.folder / "nbgrader_config.py").open("a") as file:
        file.write("c.AssignLatePenalties.plugin_class = 'late.PointsAnHour'\n")
    small_class.hand_in("ada")
    with pytest.raises(CourseError, match=f"names the late plugin late.PointsAnHour, which cannot be loaded: .*{message}"):
        small_class.record(ada=small_class.report("ada"))


def test_a_timestamp_that_is_none_is_left_out(small_class):
    broken = ["", "soon", "2026-99-99 10:11:12 UTC", "\udcff", "x" * 10_000]
    for number, timestamp in enumerate(broken):
        work = small_class.hand_in(f"s{number}")
        (work / "timestamp.txt").write_bytes(timestamp.encode("utf-8", "surrogateescape"))
    small_class.record(**{f"s{number}": small_class.report(f"s{number}") for number in range(len(broken))})
    assert [standing["timestamp"] for standing in small_class.standings().values()] == [None] * len(broken)


def test_a_timestamp_that_was_taken_away_leaves_the_gradebook_too(small_class):
    with small_class.gradebook() as gradebook:
        gradebook.update_or_create_assignment(PS, duedate=datetime.datetime(2026, 2, 3, 12, 0))
    work = small_class.hand_in("ada", timestamp="2026-02-05 12:00:00 UTC")
    small_class.record(ada=small_class.report("ada"))
    assert small_class.standings()["ada"]["timestamp"] is not None
    (work / "timestamp.txt").unlink()
    small_class.record(ada=small_class.report("ada"))
    assert small_class.standings()["ada"]["timestamp"] is None


def test_module_only_missing_and_broken_work_is_recorded(small_class):
    for student in ("broken", "missing", "module"):
        (small_class.folder / "submitted" / student / PS).mkdir(parents=True)
    (small_class.folder / "submitted/broken" / PS / f"{PS}.ipynb").write_text("{")
    shutil.copy(small_class.folder / "release" / PS / f"{PS}.py", small_class.folder / "submitted/module" / PS)
    everything = (*(f"2.{k}" for k in range(12)), "2.14", "joint")
    reports = {
        "broken": small_class.report("broken", everything, form="none", note="no JSON"),
        "missing": small_class.report("missing", everything, form="none"),
        "module": small_class.report("module", form="module"),
    }
    small_class.record(**reports)
    assert [(row["student_id"], row["raw_score"]) for row in small_class.export()] == [
        ("broken", "0.0"), ("missing", "0.0"), ("module", "100.0")
    ]
    assert "no JSON" in small_class.autograded("broken").cells[0].source


@pytest.mark.usefixtures("repetition")
def test_a_students_name_is_only_a_name(small_class):
    names = ["o'brien", "a b", "x[1]*?", "{student_id}", "..hidden", "%s", "=1+1", "zoë", "a,b", "+", "-f", "$HOME", "a\\b", "x1"]
    for name in names:
        small_class.hand_in(name)
    reports = {name: small_class.report(name, failed=("2.5",) if index % 2 else ()) for index, name in enumerate(names)}
    small_class.record(**reports)
    scores = {name: standing["auto"]["ex2_5"] for name, standing in small_class.standings().items()}
    assert scores == {name: 0.0 if index % 2 else 10.0 for index, name in enumerate(names)}
    assert small_class.record(**reports) == []
    assert feedback(small_class.folder, PS) == sorted(names)


def test_a_name_that_formgrader_would_run_stays_out_of_the_gradebook(small_class):
    names = ["<img src=x onerror=alert(1)>", 'a"b', "a\tb"]
    for name in [*names, "ada"]:
        small_class.hand_in(name)
    small_class.record(**{name: small_class.report(name) for name in [*names, "ada"]})
    assert list(small_class.standings()) == ["ada"]
    assert all("rename the folder" in unfit(name) for name in names)


def test_links_in_a_submission_are_not_followed(small_class, tmp_path):
    work = small_class.hand_in("ada")
    (tmp_path / "private").write_text("2026-01-01 00:00:00 UTC")
    (work / "timestamp.txt").symlink_to(tmp_path / "private")
    (work / "picture.png").symlink_to(tmp_path / "private")
    small_class.record(ada=small_class.report("ada"))
    assert small_class.standings()["ada"]["timestamp"] is None
    assert not (small_class.folder / "autograded/ada" / PS / "picture.png").exists()


def with_fault(report, id):
    """The report of a run in which the grader failed at one exercise."""
    return report.with_exercises(
        replace(exercise, outcome="grader fault", points=None) if exercise.id == id else exercise for exercise in report.exercises
    )


def test_a_grader_fault_leaves_no_score_not_an_older_one_either_and_asks_for_a_person(small_class):
    small_class.hand_in("ada", {"ex2_5_code": "one"})
    small_class.hand_in("bob")
    reports = {student: small_class.report(student) for student in ("ada", "bob")}
    small_class.record(ada=reports["ada"])
    changes = small_class.record(**{student: with_fault(report, "2.5") for student, report in reports.items()})
    assert [(change.student, change.old, change.new, change.cause) for change in changes if change.exercise == "2.5"] == [
        ("ada", 10.0, UNDECIDED, "fault"), ("bob", None, UNDECIDED, "fault")]
    for student in ("ada", "bob"):
        row = small_class.grade_row(student, "ex2_5")
        assert (row["auto_score"], row["needs_manual_grade"]) == (None, True)
        assert "undecided" in small_class.cell(student, "ex2_5").outputs[0].text
    changes = small_class.record(**reports)
    assert [(change.student, change.old, change.new, change.cause) for change in changes] == [
        ("ada", UNDECIDED, 10.0, "fault"), ("bob", UNDECIDED, 10.0, "fault")]
    assert not small_class.grade_row("bob", "ex2_5")["needs_manual_grade"]
    assert {row["raw_score"] for row in small_class.export()} == {"100.0"}


def test_work_in_progress_is_removed(small_class):
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    assert not list((small_class.folder / ".work").glob("clean*"))
    assert not (small_class.folder / ".work" / f"recording-{PS}.json").exists()
