"""The demo class is made, graded and compared with the grades that are written down in tests/demo/."""

import hashlib
import importlib.util
import shutil
import time
from pathlib import Path

import pytest

from autograder.demo import build_demo
from autograder.demo.course import demo_files
from autograder.grading.classroom import grade_course
from autograder.trouble import Trouble

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"


def expectations():
    spec = importlib.util.spec_from_file_location("demo_expectations", ROOT / "tests" / "demo" / f"{PS}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.EXPECTED


EXPECTED = expectations()


def digest(folder: Path) -> dict[str, str]:
    """Every file under a folder with the hash of its bytes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The demo class after one run with two workers, and the state of the hidden tests before it."""
    hidden = digest(ROOT / "tests" / "hidden")
    course = build_demo(tmp_path_factory.mktemp("demo") / "course", PS)
    submitted = digest(course / "submitted")
    summary = grade_course(course, PS, workers=2)
    return course, summary, hidden, submitted


def test_thirty_students_are_written_down():
    assert len(EXPECTED) == 30
    assert {name.partition("/")[0] for name in demo_files(PS)} == set(EXPECTED)


def test_the_demo_is_the_same_every_time():
    assert demo_files(PS) == demo_files(PS)


def test_nobody_meets_a_grader_fault(graded):
    _, summary, _, _ = graded
    assert summary.faults == 0
    assert len(summary.reports) == 30


@pytest.mark.parametrize("student", EXPECTED)
def test_the_grade_is_the_expected_one(graded, student):
    _, summary, _, _ = graded
    report, expected = summary.reports[student], EXPECTED[student]
    lost = {exercise.id: exercise.outcome for exercise in report.exercises if exercise.outcome != "passed"}
    assert (report.points, report.form) == (expected.points, expected.form), lost
    if expected.lost is not None:
        assert lost == expected.lost
    said = [f"{check.line} {check.hint}" for exercise in report.exercises for check in exercise.checks]
    assert any(expected.says in text for text in [report.note, *said]), report.note


def test_no_submission_touched_a_file_of_ours(graded):
    course, _, hidden, submitted = graded
    assert digest(ROOT / "tests" / "hidden") == hidden
    assert digest(course / "submitted") == submitted


def test_a_second_run_changes_nothing_and_takes_seconds(graded):
    course, summary, _, _ = graded
    before, begin = digest(course / "reports"), time.monotonic()
    again = grade_course(course, PS, workers=2)
    assert again.nothing_changed
    assert again.reports == summary.reports
    assert digest(course / "reports") == before
    assert time.monotonic() - begin < 30  # a guard; it is about 2 s on an idle machine


@pytest.mark.parametrize("workers", [1, 4])
def test_the_number_of_workers_changes_no_byte(graded, tmp_path, workers):
    course = graded[0]
    other = tmp_path / "course"
    shutil.copytree(course / "submitted", other / "submitted")
    shutil.copy(course / "edition.secret", other)
    grade_course(other, PS, workers)
    assert digest(other / "reports") == digest(course / "reports")
    assert (other / "grades.csv").read_bytes() == (course / "grades.csv").read_bytes()


def test_a_real_course_is_never_taken_for_the_demo(tmp_path):
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    with pytest.raises(Trouble, match="is not a demo class"):
        build_demo(tmp_path, PS)
    assert (tmp_path / "submitted" / "ada").is_dir()


def test_a_demo_that_was_cut_short_or_is_old_is_made_anew(tmp_path):
    course = build_demo(tmp_path / "course", PS)
    first = digest(course / "submitted")
    (course / ".demo").write_text("from another version\n")
    (course / "submitted" / "left over").mkdir()
    assert digest(build_demo(course, PS) / "submitted") == first
    assert not (course / "submitted" / "left over").exists()
