"""A course judges the first three different answers to "find the bug in this tree", and the same submission keeps its mark."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.course.grade_class import Means, mark
from autograder.course.pipeline import grade_course, preview
from autograder.course.roster import list_submissions
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.policy.judged_answers import FILE, MOST, NOT_JUDGED, JudgedAnswers
from autograder.grading.config import ANSWERS, Graded
from autograder.grading.edition import public_secret
from autograder.grading.grade import Settings, grade_read
from autograder.grading.reference import our_submission
from autograder.grading.report import Outcome, Report
from autograder.modes import in_course
from autograder.problem_sets.bug_trees import FAMILIES, drawn
from autograder.problem_sets.source import load
from tests.students import hand_in, stub

pytestmark = pytest.mark.usefixtures("processes")

PS, ID = "ps2_uct", "2.14"
NODE, KIND = drawn(PS).answer
WRONG = [(NODE, kind) for kind in FAMILIES[PS].kinds if kind != KIND]
RIGHT = (NODE, KIND)
WHO = "kim"


def answered(course: Path, answer: tuple[str, str], more: str = "") -> None:
    """Hand in the stub with this answer: it is quick to grade."""
    hand_in(course, WHO, PS, stub(PS, f"{more}\ndef first_wrong_node():\n    return {answer!r}"))


def graded(course: Path, **how: object) -> Report:
    """The report that a run without gradebook and pages yields and stores."""
    means = Means(1, **how)
    with in_course(course):
        ((entry, _, kept),) = mark(course, PS, list_submissions(course, PS), means)
        if means.published:
            ReportStore(course, PS).put(entry.student, kept.report, kept.staff)
    return kept.report


def of(report: Report) -> tuple[Outcome, float | None, str]:
    (judged,) = [exercise for exercise in report.exercises if exercise.id == ID]
    return judged.outcome, judged.points, judged.checks[0].hint or ""


@pytest.fixture(scope="module")
def used_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which three wrong answers were judged; the comment shows that the answer counts, not the file."""
    course = tmp_path_factory.mktemp("course")
    for place, answer in enumerate(WRONG[:MOST]):
        for more in ("", "# again") if place == 1 else ("",):
            answered(course, answer, more)
            outcome, points, hint = of(graded(course))
            assert (outcome, points) == (Outcome.NOT_YET, 0.0)
            assert f"your {('first', 'second', 'third')[place]} answer; a course judges 3" in hint
    return course


def copy_of(course: Path, room: Path) -> Path:
    return Path(shutil.copytree(course, room / "copy"))


def test_the_fourth_answer_is_not_judged_right_or_wrong(used_up, tmp_path):
    course = copy_of(used_up, tmp_path)
    for answer in (RIGHT, WRONG[MOST]):
        answered(course, answer)
        report = graded(course)
        assert of(report) == (Outcome.NOT_YET, 0.0, NOT_JUDGED)
        assert report.points == sum(exercise.points or 0 for exercise in report.exercises)
        assert (course / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("repetition")
def test_an_answer_that_was_judged_keeps_its_mark_in_every_later_run(tmp_path):
    course = tmp_path
    for answer in (WRONG[0], RIGHT, WRONG[1], WRONG[2]):
        answered(course, answer)
        graded(course)
    answered(course, RIGHT)
    first = graded(course)
    assert of(first)[:2] == (Outcome.PASSED, 2.0)
    for change in (lambda: None, lambda: shutil.rmtree(course / ".cache"), lambda: shutil.rmtree(course / "reports")):
        change()
        assert graded(course).to_json() == first.to_json()
    assert graded(course, afresh=(WHO,)).to_json() == first.to_json()
    answered(course, WRONG[2])
    assert of(graded(course))[2] == of(graded(course, afresh=(WHO,)))[2] == NOT_JUDGED


@pytest.mark.usefixtures("repetition")
def test_a_run_that_was_killed_after_the_answer_was_written_gives_the_same_report(used_up, tmp_path, monkeypatch):
    for name, place in (("killed", "put"), ("whole", None)):
        course = tmp_path / name
        answered(course, WRONG[0])
        if place:
            with monkeypatch.context() as patch:
                patch.setattr(ReportStore, place, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
                with pytest.raises(KeyboardInterrupt):
                    graded(course)
            assert not (course / "reports").exists() and (course / FILE).exists()
        (course / "edition.secret").write_text("ab" * 32)
        shutil.rmtree(course / ".cache", ignore_errors=True)
    assert graded(tmp_path / "killed").to_json() == graded(tmp_path / "whole").to_json()


@pytest.mark.usefixtures("repetition")
def test_an_impossible_answer_and_a_preview_use_up_nothing(tmp_path):
    for answer in (("Z", KIND), (NODE, "no such kind"), (NODE, KIND * 99)):
        answered(tmp_path, answer)
        assert of(graded(tmp_path))[:2] == (Outcome.NOT_YET, 0.0)
    answered(tmp_path, WRONG[0])
    assert "your first answer" in of(graded(tmp_path, published=False))[2]
    assert not (tmp_path / FILE).exists()


@pytest.mark.usefixtures("repetition")
def test_an_answer_that_changes_by_itself_has_one_guess_a_run(tmp_path):
    code = f"import os\n_ALL = {[RIGHT, *WRONG]!r}\n\n\ndef first_wrong_node():\n    return _ALL[os.urandom(1)[0] % len(_ALL)]\n"
    answered(tmp_path, RIGHT)
    hand_in(tmp_path, WHO, PS, stub(PS, code))
    for runs in range(1, 7):
        graded(tmp_path, afresh=(WHO,))
        (judged,) = json.loads((tmp_path / FILE).read_text())[PS][WHO].values()
        assert len(judged) <= min(runs, MOST)


def test_a_damaged_file_gives_nobody_new_answers(tmp_path):
    for content in ("{", '{"ps2_uct": {"kim": []}}', '{"ps2_uct": {"kim": {"2.14": 3}}}'):
        (tmp_path / FILE).write_text(content)
        with pytest.raises(UserError, match=FILE):
            JudgedAnswers(tmp_path, PS)


def test_a_fault_of_the_grader_uses_up_nothing(tmp_path):
    whole = grade_read(our_submission(load(PS)), Settings(public_secret()))
    (undecided,) = [exercise for exercise in Report.fault(PS, "").exercises if exercise.id == ID]
    exercises = [undecided if exercise.id == ID else exercise for exercise in whole.report.exercises]
    broken = Graded(whole.report.with_exercises(exercises), whole.staff)
    assert whole.staff[ANSWERS] == {ID: ["public edition", f"{NODE}: {KIND}"]}
    assert JudgedAnswers(tmp_path, PS).limited(WHO, broken) == broken and not (tmp_path / FILE).exists()
    assert JudgedAnswers(tmp_path, PS).limited(WHO, whole) == whole and (tmp_path / FILE).exists()


def test_a_course_from_before_keeps_its_marks_and_the_preview_agrees_with_the_run(tmp_path):
    """The whole of a run: gradebook and page; plain nbgrader grades by the same rule."""
    course = tmp_path / "course"
    answered(course, WRONG[0])
    (course / "edition.secret").write_text("cd" * 32)
    grade_course(course, PS, 1)
    (course / FILE).unlink()  # as a course that was graded before there was such a file
    assert grade_course(course, PS, 1).changes == []
    for answer in WRONG[1:MOST]:
        answered(course, answer)
        grade_course(course, PS, 1, feedback=False)
    answered(course, RIGHT)
    assert [change for change in preview(course, PS, 1) if change.exercise == ID] == []
    grade_course(course, PS, 1)
    assert "judges no more" in (course / "feedback" / WHO / PS / f"{PS}.html").read_text(encoding="utf-8")
    from types import SimpleNamespace

    from autograder.gradebook.preprocessors import find_report

    shutil.rmtree(course / "reports")
    where = SimpleNamespace(root=str(course), submitted_directory="submitted",
                            format_path=lambda step, student, ps: str(course / step / student / ps))
    assert of(find_report(SimpleNamespace(coursedir=where), WHO, PS))[2] == NOT_JUDGED
