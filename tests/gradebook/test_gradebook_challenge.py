"""The challenge in the real gradebook: nbgrader's export and formgrader's listing show it, and manual marks stay."""

from dataclasses import replace
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI

from arena.challenge.report import ASSIGNMENT, NOT_READY, PLAYED, ChallengeReport
from autograder.gradebook.course import open_course
from autograder.gradebook.recording import challenge as recording
from autograder.gradebook.recording.challenge import UNDECIDED, finished, plan_challenge, record_challenge


def played(points: float, sha256: str = "a" * 64) -> ChallengeReport:
    return ChallengeReport("ps3_connect_four", sha256, PLAYED, "", points, simulations=400)


NOBODY = ChallengeReport("ps3_connect_four", "b" * 64, NOT_READY, "Not entered yet: the joint check.")


def record(course: Path, **reports: ChallengeReport) -> list:
    changes = record_challenge(course, reports)
    finished(course)
    return [(change.student, change.old, change.new, change.cause, change.hidden_by) for change in changes]


def scores(small_class) -> dict[str, tuple[float, float]]:
    """The challenge in `nbgrader export`: score and maximum by student."""
    rows = [row for row in small_class.export() if row["assignment"] == ASSIGNMENT]
    return {row["student_id"]: (float(row["score"]), float(row["max_score"])) for row in rows}


def test_points_are_exported_and_shown(small_class) -> None:
    assert record(small_class.folder, ada=played(63.5), bob=NOBODY) == [
        ("ada", None, 63.5, "submission", None), ("bob", None, 0.0, "submission", None)]
    assert scores(small_class) == {"ada": (63.5, 100.0), "bob": (0.0, 100.0)}
    app = open_course(small_class.folder, ASSIGNMENT)
    api = NbGraderAPI(app.coursedir)
    listed = {assignment["name"]: assignment for assignment in api.get_assignments()}
    assert listed[ASSIGNMENT]["max_score"] == 100.0
    submissions = api.get_submissions(ASSIGNMENT)
    assert [(submission["student"], submission["score"]) for submission in submissions] == [("ada", 63.5), ("bob", 0.0)]
    assert [notebook["name"] for notebook in api.get_notebook_submissions(ASSIGNMENT, ASSIGNMENT)] == [ASSIGNMENT] * 2


def test_a_run_that_does_not_reach_its_end_leaves_its_changes_to_the_next(small_class) -> None:
    record(small_class.folder, ada=played(60))
    for sha256 in ("c" * 64, "c" * 64, "d" * 64):
        (change,) = record_challenge(small_class.folder, {"ada": played(35, sha256)})
        assert (change.old, change.new, change.cause) == (60.0, 35.0, "submission")
    assert record(small_class.folder, ada=played(35, "d" * 64)) == [("ada", 60.0, 35.0, "submission", None)]
    assert record(small_class.folder, ada=played(35, "d" * 64)) == []


def test_the_same_again_changes_nothing(small_class) -> None:
    record(small_class.folder, ada=played(60))
    path = small_class.folder / "autograded" / "ada" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    before = path.stat().st_mtime_ns
    assert record(small_class.folder, ada=played(60)) == []
    assert path.stat().st_mtime_ns == before


def test_another_submission_another_suite_another_edition(small_class) -> None:
    record(small_class.folder, ada=played(60))
    assert record(small_class.folder, ada=played(35, "c" * 64)) == [("ada", 60.0, 35.0, "submission", None)]
    assert record(small_class.folder, ada=played(36, "c" * 64)) == [("ada", 35.0, 36.0, "suite", None)]
    (small_class.folder / "edition.secret").write_bytes(b"another")
    assert record(small_class.folder, ada=played(37, "c" * 64)) == [("ada", 36.0, 37.0, "edition", None)]


def mark(small_class, score: float) -> None:
    with small_class.gradebook() as gradebook:
        grade = gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, "ada")
        grade.manual_score, grade.needs_manual_grade = score, False
        gradebook.db.commit()


def test_a_mark_by_hand_stays_and_asks_for_a_look(small_class) -> None:
    record(small_class.folder, ada=played(60))
    mark(small_class, 77.0)
    assert record(small_class.folder, ada=played(60)) == []
    assert scores(small_class)["ada"][0] == 77.0
    assert record(small_class.folder, ada=played(70, "c" * 64)) == [("ada", 60.0, 70.0, "submission", 77.0)]
    assert scores(small_class)["ada"][0] == 77.0
    with small_class.gradebook() as gradebook:
        assert gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, "ada").needs_manual_grade


FAULT = ChallengeReport.fault("ps3_connect_four", "a" * 64)


def grade_of(small_class) -> tuple[float | None, bool]:
    with small_class.gradebook() as gradebook:
        grade = gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, "ada")
        return grade.auto_score, bool(grade.needs_manual_grade)


def test_where_the_grader_could_not_judge_no_older_verdict_stands_in(small_class) -> None:
    record(small_class.folder, ada=played(60))
    assert plan_challenge(small_class.folder, {"ada": FAULT})[0].new == UNDECIDED
    assert record(small_class.folder, ada=FAULT) == [("ada", 60.0, UNDECIDED, "fault", None)]
    assert grade_of(small_class) == (None, True)
    assert record(small_class.folder, ada=FAULT) == []
    assert record(small_class.folder, ada=played(60)) == [("ada", UNDECIDED, 60.0, "fault", None)]
    assert grade_of(small_class) == (60.0, False) and scores(small_class)["ada"][0] == 60.0


def test_undecided_from_the_first_a_mark_by_hand_stays_and_is_told(small_class) -> None:
    assert record(small_class.folder, ada=FAULT) == [("ada", None, UNDECIDED, "fault", None)]
    assert grade_of(small_class) == (None, True)
    mark(small_class, 77.0)
    assert record(small_class.folder, ada=played(60, "c" * 64)) == [("ada", UNDECIDED, 60.0, "fault", 77.0)]
    assert record(small_class.folder, ada=FAULT) == [("ada", 60.0, UNDECIDED, "fault", 77.0)]
    assert scores(small_class)["ada"][0] == 77.0 and grade_of(small_class) == (None, True)


def test_a_killed_recording_tells_the_next_one_what_it_changed(small_class, monkeypatch: pytest.MonkeyPatch) -> None:
    record(small_class.folder, ada=played(60), bob=played(15))

    def kill(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(recording, "_notebook", kill)  # after ada's points, before her notebook
        patch.setattr(recording, "_prepare", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            record_challenge(small_class.folder, {"ada": played(70), "bob": played(20)})
    assert scores(small_class) == {"ada": (70.0, 100.0), "bob": (15.0, 100.0)}
    assert record(small_class.folder, ada=played(70), bob=played(20)) == [
        ("ada", 60.0, 70.0, "suite", None), ("bob", 15.0, 20.0, "suite", None)]
    assert record(small_class.folder, ada=played(70), bob=played(20)) == []


def test_the_notebook_says_what_the_report_says(small_class) -> None:
    record(small_class.folder, bob=NOBODY, ada=replace(played(60), simulations=400))
    notebooks = {student: (small_class.folder / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text()
            for student in ("ada", "bob")}
    assert "60 of 100 points" in notebooks["ada"] and "Not entered yet: the joint check." in notebooks["bob"]


def test_a_name_that_formgrader_cannot_show_is_left_out(small_class) -> None:
    assert record(small_class.folder, **{"<b>eve</b>": played(60)}) == []
    with (small_class.folder / "gradebook.db").open("rb") as file:
        assert b"<b>eve" not in file.read()


