"""A submission with an unknown reading error: the class continues, and its student and staff read a sentence."""

import shutil
from pathlib import Path

import pytest

from autograder.course.pipeline import grade_course
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.stamp import read_side_files
from autograder.submission import payload as payload
from autograder.submission.read import CANNOT_BE_READ
from tests.students import hand_in, solved

pytestmark = pytest.mark.usefixtures("processes")

PS = "ps2_uct"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for student in ("ada", "bela", "cora"):
        hand_in(tmp_path, student, PS, solved(PS))
    return tmp_path


@pytest.mark.usefixtures("repetition")
def test_a_class_goes_on_with_its_pages_and_exports_and_says_so(course: Path, monkeypatch) -> None:
    whole = payload.read_item

    def broken_for_bela(folder: Path, name: str, unread: bool = False) -> payload.Item | None:
        if "bela" in folder.parts:
            raise RecursionError("nobody thought of that")
        return whole(folder, name, unread)

    monkeypatch.setattr(payload, "read_item", broken_for_bela)
    (course / "submitted" / "cora" / PS / "timestamp.txt").write_text("2026-11-22 11:" + "1" * 60)
    summary = grade_course(course, PS, 1)
    assert {student: report.points for student, report in summary.reports.items()} == {"ada": 100, "bela": 0, "cora": 100}
    assert summary.faults == 0 and ReportStore(course, PS).get("bela").note == CANNOT_BE_READ
    [remark] = summary.remarks
    assert remark.startswith("'bela': this submission could not be read and got no points: raised RecursionError in ")
    page = summary.set_page.read_text()
    assert "RecursionError" in page and "nobody thought of that" not in page
    assert [line.split(",")[0] for line in (course / "grades.csv").read_text().splitlines()[1:]] == ["ada", "bela", "cora"]
    assert CANNOT_BE_READ[:60] in (course / "feedback" / "bela" / PS / f"{PS}.html").read_text()
    # nothing of it is kept: the next run gives the points when the submission can be read
    monkeypatch.setattr(payload, "read_item", whole)
    again = grade_course(course, PS, 1)
    assert again.reports["bela"].points == 100 and again.remarks == [] and len(again.changes) > 1


@pytest.mark.parametrize("text", [b"2026-11-22 11:" + b"1" * 60, b"\xff\xfe", b"9" * 4000, b"2026-W1" + b"\0" * 40, b""])
def test_a_time_of_submission_that_is_none_is_left_out(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "timestamp.txt").write_bytes(text)
    assert set(read_side_files(tmp_path)) <= {"timestamp.txt"}
    shutil.rmtree(tmp_path)


@pytest.mark.usefixtures("repetition")
def test_unreadable_work_is_told_even_of_a_student_whom_another_remark_names(course: Path) -> None:
    (course / "roster.csv").write_text("id\nada\ncora\n")
    (course / "submitted" / "bela" / PS / f"{PS}.py").unlink()
    summary = grade_course(course, PS, 1)
    assert "'bela' is not in roster.csv, but was graded" in summary.remarks
    assert any(remark.startswith("'bela' could not be graded; the report says: ") for remark in summary.remarks)
