"""A course is graded with the Python of its first run: another one is refused, or accepted for all sets."""

import json
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.course.explain import settings_in
from autograder.gradebook.course_python import FILE, NOTE, check_accepted, check_python, note_python, python_of
from autograder.grading.config import PYTHON
from autograder.grading.edition import SECRET_NAME
from autograder.json_files import read_state, write_state
from tests.commands import autograder, output_of
from tests.students import hand_in, stub

PS = "ps1_games"
OTHER = "3.99"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    hand_in(tmp_path / "course", "ada", PS, stub(PS))
    return tmp_path / "course"


def files(course: Path) -> dict[str, bytes]:
    return {str(path.relative_to(course)): path.read_bytes() for path in course.rglob("*") if path.is_file()}


def test_a_new_course_takes_the_python_of_its_first_run_without_a_word(course: Path) -> None:
    lines: list[str] = []
    check_python(course)
    note_python(course, lines.append)
    assert (lines, python_of(course)) == ([], PYTHON)
    check_python(course)


@pytest.mark.parametrize("before", [{}, {"number": "0.0.1"}, {"number": "0.0.1", NOTE: 3.11}])
def test_an_older_course_takes_the_python_of_its_next_run_and_says_so_once(course: Path, before: dict[str, object]) -> None:
    (course / "autograded").mkdir()
    write_state(course / FILE, before)
    lines: list[str] = []
    check_python(course)
    for _ in range(2):
        note_python(course, lines.append)
    assert lines == [f"no run has noted the Python of this course yet: from now on it is graded with Python {PYTHON}"]
    assert read_state(course / FILE) == {**before, NOTE: PYTHON}


def test_a_damaged_note_is_as_none(course: Path) -> None:
    (course / FILE).write_text('{"python": "3.')
    check_python(course)
    assert python_of(course) is None


def test_another_python_is_refused_with_both_ways_on(course: Path) -> None:
    write_state(course / FILE, {NOTE: OTHER})
    with pytest.raises(UserError) as refused:
        check_python(course)
    assert str(refused.value) == (
        f"{course} is graded with Python {OTHER}, and this is Python {PYTHON}, which may give the same work other points: go "
        f"back with `PYTHON=python{OTHER} make setup`, or change the course to {PYTHON} with `python -m autograder grade "
        f"{course} --accept-python`, which grades everything again and lists what changes"
    )
    note_python(course, print)
    assert python_of(course) == OTHER


@pytest.mark.parametrize("noted, verb", [({}, "will be graded with"), ({NOTE: PYTHON}, "is graded with")])
def test_there_must_be_another_python_to_accept(course: Path, noted: dict[str, str], verb: str) -> None:
    write_state(course / FILE, noted)
    with pytest.raises(UserError, match=f"no other Python to change from: .*{verb} Python {PYTHON}; leave out --accept-python"):
        check_accepted(course, None)


def test_a_python_is_accepted_for_a_whole_course(course: Path) -> None:
    write_state(course / FILE, {NOTE: OTHER})
    with pytest.raises(UserError, match="every set of the course again: leave out --ps"):
        check_accepted(course, PS)
    with pytest.raises(UserError, match="name its folder too"):
        check_accepted(None, None)
    check_accepted(course, None)


@pytest.mark.usefixtures("processes")
def test_the_command_refuses_before_anything_is_written(course: Path) -> None:
    write_state(course / FILE, {NOTE: OTHER})
    before = files(course)
    done = autograder("grade", course)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert f"is graded with Python {OTHER}, and this is Python {PYTHON}" in done.stderr
    assert files(course) == before and not (course / ".cache").exists()


def test_explain_is_refused_too(course: Path) -> None:
    """under another Python a check may pass that the grade has lost"""
    write_state(course / FILE, {NOTE: OTHER})
    (course / SECRET_NAME).write_text("x")
    folder = course / "submitted" / "ada" / PS
    with pytest.raises(UserError, match=f"is graded with Python {OTHER}, and this is Python {PYTHON}"):
        settings_in(folder, PS)


@pytest.mark.usefixtures("whole_world")
def test_an_accepted_python_grades_every_set_and_is_then_the_courses(course: Path) -> None:
    """what another Python changes is shown with another Python, in tests/classroom/test_other_python.py"""
    first = output_of("grade", course, "--no-feedback", "--workers", "1")
    assert "Python" not in first and python_of(course) == PYTHON
    write_state(course / FILE, {**read_state(course / FILE), NOTE: OTHER})
    assert autograder("grade", course).returncode == 2
    again = output_of("grade", course, "--no-feedback", "--workers", "1", "--accept-python")
    assert f"no points of {PS} are others than before" in again.splitlines()
    log = [json.loads(line) for line in (course / "log.jsonl").read_text().splitlines()]
    steps = [(line["command"], line.get("old"), line.get("new"), line.get("sets"), line.get("changes")) for line in log[1:]]
    assert steps[0] == ("accept-python", OTHER, PYTHON, [PS], None) and steps[2] == ("accept-python", None, None, None, [])
    assert (len(steps), steps[1][0], python_of(course)) == (3, "grade", PYTHON)
    check_python(course)
