"""kill -9 in the middle of a recording, and again: the gradebook ends as if nothing had happened."""

import json
from pathlib import Path

import pytest
from nbgrader.api import Grade

from tests.gradebook.tools import run

PS = "ps2_uct"
SCRIPT = Path(__file__).with_name("kill_while_recording.py")


def hand_in_and_mark(small_class):
    """Two students were recorded and marked by hand; now all three hand in (again)."""
    for student in ("ada", "bob"):
        small_class.hand_in(student, {"ex2_5_code": "old", "ex2_13": "My answer."}, timestamp="2026-02-03 10:11:12 UTC")
    small_class.record(**{student: small_class.report(student, failed=("2.5",)) for student in ("ada", "bob")})
    small_class.mark_by_hand("ada", "ex2_13", 4.0)
    small_class.mark_by_hand("bob", "ex2_5", 6.0)
    for student in ("ada", "bob", "cyd"):
        small_class.hand_in(student, {"ex2_5_code": "new", "ex2_13": "My answer."}, timestamp="2026-02-04 10:11:12 UTC")
    return {student: small_class.report(student, failed=("2.9", "joint")) for student in ("ada", "bob", "cyd")}


def outcome(small_class):
    """Everything that must be equal: export rows, scores, comments, flags, words, the table of changes."""
    with small_class.gradebook() as gradebook:
        marks = [vars_of(grade) for grade in gradebook.db.query(Grade)]
    words = {name: [cell.get("outputs") for cell in small_class.autograded(name).cells] for name in ("ada", "bob", "cyd")}
    changes = (small_class.folder / "changes.csv").read_text()
    return small_class.export(), small_class.standings(), sorted(marks), words, changes


def vars_of(grade):
    return grade.student.id, grade.name, str(grade.auto_score), str(grade.manual_score), grade.needs_manual_grade


@pytest.mark.usefixtures("repetition")
@pytest.mark.first_shows
@pytest.mark.parametrize("where, count", [("clean", 2), ("commit", 3), ("commit", 5), ("write", 1), ("write", 2)])
def test_killed_and_run_again(small_class, second_class, where, count, tmp_path):
    reports = hand_in_and_mark(small_class)
    hand_in_and_mark(second_class)
    second_class.record(**reports)
    (tmp_path / "reports.json").write_text(json.dumps({student: report.to_json() for student, report in reports.items()}))
    died = run([str(SCRIPT), str(small_class.folder), str(tmp_path / "reports.json"), where, str(count)], tmp_path)
    assert died.returncode == -9, died.stderr
    small_class.record(**reports)
    assert outcome(small_class) == outcome(second_class)
