"""A folder becomes an nbgrader course that has released the problem set."""

import datetime
import os
import shutil
from pathlib import Path

import pytest

from autograder.gradebook import course as courses
from autograder.gradebook.course import CourseError
from autograder.gradebook.settings import EXPORT
from autograder.problem_sets import build
from autograder.problem_sets.source import load

PS = "ps2_uct"


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_the_release_is_what_the_build_gives(small_class):
    notebook, module = build(load(PS), solution=False)
    release = small_class.folder / "release" / PS
    assert (release / f"{PS}.ipynb").read_text(encoding="utf-8") == notebook
    assert (release / f"{PS}.py").read_text(encoding="utf-8") == module
    assert "BEGIN SOLUTION" not in (release / f"{PS}.py").read_text(encoding="utf-8")


def test_the_gradebook_knows_every_exercise_and_its_points(small_class):
    with small_class.gradebook() as gradebook:
        cells = {cell.name: cell.max_score for cell in gradebook.find_notebook(PS, PS).grade_cells}
    problem_set = load(PS)
    wanted = {problem_set.grade_id(exercise.id): 0 if exercise.extra else exercise.points for exercise in problem_set.exercises}
    wanted |= {"ex2_joint": problem_set.joint_points, "ex2_13": 5}
    assert cells == wanted


def test_preparing_again_writes_nothing(small_class):
    before = times(small_class.folder)
    courses.prepare(small_class.folder, PS)
    assert times(small_class.folder) == before


def test_a_due_date_goes_when_course_toml_loses_it_and_formgrader_s_stays(small_class):
    def due(line):
        (small_class.folder / "course.toml").write_text(f"[course]\ntimezone = 'UTC'\n\n[due]\n{line}\n")
        courses.prepare(small_class.folder, PS)
        with small_class.gradebook() as gradebook:
            return gradebook.find_assignment(PS).duedate

    assert due("") is None
    assert due(f"{PS} = 2026-02-03T12:00:00") == datetime.datetime(2026, 2, 3, 12)
    assert due("") is None
    with small_class.gradebook() as gradebook:
        gradebook.update_or_create_assignment(PS, duedate=datetime.datetime(2026, 3, 1))
    assert due("") == datetime.datetime(2026, 3, 1)
    assert due(f"{PS} = 2026-02-03T12:00:00") == datetime.datetime(2026, 2, 3, 12)
    with small_class.gradebook() as gradebook:
        gradebook.update_or_create_assignment(PS, duedate=datetime.datetime(2026, 3, 1))  # a later hand than course.toml's
    assert due("") == datetime.datetime(2026, 3, 1)


@pytest.mark.usefixtures("processes")
def test_a_course_folder_may_hold_submissions_before_it_is_prepared(tmp_path):
    work = tmp_path / "course" / "submitted" / "ada" / PS
    work.mkdir(parents=True)
    courses.prepare(tmp_path / "course", PS)
    assert (tmp_path / "course" / "gradebook.db").is_file()
    assert list(work.iterdir()) == []


def test_a_release_that_was_deleted_comes_back(small_class):
    shutil.rmtree(small_class.folder / "release")
    courses.prepare(small_class.folder, PS)
    assert (small_class.folder / "release" / PS / f"{PS}.ipynb").is_file()


def changed_build(monkeypatch: pytest.MonkeyPatch, old: str, new: str, solved_only: bool = False) -> None:
    """Let the build give another problem set from now on."""

    def other(problem_set: object, *, solution: bool) -> tuple[str, str]:
        notebook, module = build(problem_set, solution=solution)
        if solved_only and not solution:
            return notebook, module
        assert not solution or old in notebook
        return notebook.replace(old, new), module

    monkeypatch.setattr(courses, "build", other)
    monkeypatch.setattr(courses, "code_fingerprint", lambda work: f"with {new}")


def test_a_set_that_changed_before_anybody_was_graded_is_released_again(small_class, monkeypatch):
    changed_build(monkeypatch, "import math", "import math  # and more")
    courses.prepare(small_class.folder, PS)
    assert "and more" in (small_class.folder / "release" / PS / f"{PS}.ipynb").read_text()


@pytest.mark.parametrize("without_stamp", [False, True])
@pytest.mark.parametrize("change", [
    ("import math", "import math, json"), ('"grade_id": "ex2_5"', '"grade_id": "ex2_5b"'), ('"points": 10', '"points": 11')])
def test_exercises_that_changed_after_submissions_were_graded_stop_with_one_line(small_class, monkeypatch, change, without_stamp):
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    if without_stamp:
        shutil.rmtree(small_class.folder / courses.WORK)
    changed_build(monkeypatch, *change)
    before = times(small_class.folder / "release")
    with pytest.raises(CourseError, match="changed after 1 submission") as caught:
        courses.prepare(small_class.folder, PS)
    assert "\n" not in str(caught.value)
    assert times(small_class.folder / "release") == before


@pytest.mark.parametrize("without_stamp", [False, True])
def test_other_words_in_a_set_leave_a_graded_class_what_it_was_handed_out(small_class, monkeypatch, without_stamp):
    """a sentence of the lesson, a comment of the code, a docstring of an exercise and one more given cell are not other work"""
    given = '{"cell_type": "code", "execution_count": null, "id": "more", "metadata": {}, "outputs": [], "source": ["MORE = 1"]},'
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    if without_stamp:
        shutil.rmtree(small_class.folder / courses.WORK)
    before = times(small_class.folder / "release")
    for old, new in (("Bandits: what", "Six bandits: what"), ("import math", "import math  # and more"),
                     ("# TODO 2.5: walk", "# TODO 2.5: go"), ("Add the result of one", "Add what came of one"),
                     ('"cells": [', f'"cells": [{given}')):
        changed_build(monkeypatch, old, new)
        courses.prepare(small_class.folder, PS)
    assert times(small_class.folder / "release") == before
    assert small_class.record(ada=small_class.report("ada")) == []


def test_a_better_solution_is_no_change_for_the_students(small_class, monkeypatch):
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada"))
    changed_build(monkeypatch, "import math", "import math  # and more", solved_only=True)
    before = times(small_class.folder / "release")
    courses.prepare(small_class.folder, PS)
    assert times(small_class.folder / "release") == before
    assert "and more" in (small_class.folder / "source" / PS / f"{PS}.ipynb").read_text()


@pytest.mark.usefixtures("processes")
def test_a_configuration_without_ours_is_refused_and_left_alone(tmp_path):
    theirs = "c = get_config()\nc.CourseDirectory.course_id = 'old'\n"
    (tmp_path / "nbgrader_config.py").write_text(theirs)
    with pytest.raises(CourseError, match=r"configure\(c, __file__\)"):
        courses.prepare(tmp_path, PS)
    assert (tmp_path / "nbgrader_config.py").read_text() == theirs


@pytest.mark.usefixtures("processes")
def test_a_broken_configuration_is_one_line(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config(\n")
    with pytest.raises(CourseError, match="nbgrader_config.py cannot be read: SyntaxError"):
        courses.prepare(tmp_path, PS)


def test_the_configuration_of_the_folder_we_stand_in_does_not_count(small_class, tmp_path, monkeypatch):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.db_url = 'sqlite:///wrong.db'\n")
    monkeypatch.chdir(tmp_path)
    app = courses.open_course(Path("course"), PS)
    assert app.coursedir.db_url == f"sqlite:///{small_class.folder}/gradebook.db"


def test_this_pythons_tools_come_first_on_the_path(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    courses.tools_on_path()
    courses.tools_on_path()
    assert os.environ["PATH"].split(os.pathsep)[1:] == ["/usr/bin"]


@pytest.mark.usefixtures("whole_world")
def test_nbgraders_export_keeps_off_our_tables(small_class):
    """nbgrader's own choice of a file is grades.csv, which holds the automatic points"""
    ours = small_class.folder / "grades.csv"
    ours.write_text("student,points\n")
    done = small_class.nbgrader("export")
    assert done.returncode == 0, done.stderr
    assert ours.read_text() == "student,points\n" and (small_class.folder / EXPORT).is_file()
