"""Decisions of staff: a check excused, a due date extended, a look before the grading; all of it in the log."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.commands import autograder_here

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"
CHECK = "test_random_moves_come_from_rng_alone"  # the check that kenji's random_policy fails


def lines_of(*arguments: object) -> list[str]:
    """The lines of a successful command."""
    done = autograder_here(*arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def refused(*arguments: object) -> str:
    """The one sentence of a failed command."""
    done = autograder_here(*arguments)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr.removeprefix("autograder: ").strip()


@pytest.fixture(scope="module")
def course(prepared, demo_class, tmp_path_factory):
    """A class of two, graded once."""
    course = shutil.copytree(prepared, tmp_path_factory.mktemp("staff") / "course")
    for student in ("kenji", "tove"):
        shutil.copytree(demo_class / "submitted" / student, course / "submitted" / student)
    lines_of("grade", course)
    return course


def points(course: Path, student: str) -> float:
    return json.loads((course / "reports" / student / f"{PS}.json").read_text())["points"]


def test_before_anything_is_graded_there_is_nothing_to_compare(tmp_path):
    (tmp_path / "submitted" / "ada" / PS).mkdir(parents=True)
    assert "has not been graded yet" in refused("staff", "differences", tmp_path)


def test_a_check_that_nobody_met_cannot_be_excused(course):
    assert "a check 'test_nonsense'" in refused("staff", "excuse", course, "test_nonsense", "--why", "a slip")


def test_an_excused_check_shows_as_a_difference_and_then_counts(course):
    """with this exercise the joint check, which waited only for it, is run and passes"""
    assert points(course, "kenji") == 93
    assert lines_of("staff", "differences", course)[-1] == "0 changes of points; nothing was recorded"
    lines_of("staff", "excuse", course, CHECK, "--why", "the docstring promises less")
    assert lines_of("staff", "differences", course)[-3:] == [
        "kenji  2.1  0 -> 2  (suite)", "kenji  joint  0 -> 5  (suite)", "2 changes of points; nothing was recorded",
    ]
    assert points(course, "kenji") == 93
    lines_of("grade", course)
    assert points(course, "kenji") == 100
    with (course / "changes.csv").open(newline="") as file:
        changes = [(row["student"], row["exercise"], row["old"], row["new"]) for row in csv.DictReader(file)]
    assert changes == [("kenji", "2.1", "0", "2"), ("kenji", "joint", "0", "5")]
    (text,) = (course / "changes" / PS).rglob("*.txt")
    words = text.read_text()
    assert text.parent.name == "kenji" and "0 points before, 2 points now" in words and "the docstring promises less" in words
    assert "Your mark for this problem set: 98 before, 105 now, of 105 points." in words
    page = (course / "report" / f"{PS}.html").read_text()
    assert f"the check {CHECK} counts as passed for everybody: the docstring promises less" in page

    undo = ("staff", "excuse", course, CHECK, "--why", "it asks what the docstring says", "--undo")
    assert lines_of(*undo) == [f"{CHECK} of {PS} decides again from the next run on"]
    assert lines_of("staff", "differences", course)[-1] == "2 changes of points; nothing was recorded"
    assert "is not excused: nothing was changed" in refused(*undo)
    lines_of("staff", "excuse", course, CHECK, "--why", "the docstring promises less")
    assert lines_of("staff", "differences", course)[-1] == "0 changes of points; nothing was recorded"


@pytest.mark.usefixtures("repetition")
def test_a_student_can_be_graded_afresh(course):
    assert lines_of("grade", course, "--afresh", "tove")[0] == "2 submissions, 1 known from before"


@pytest.mark.usefixtures("repetition")
def test_a_student_can_be_graded_afresh_who_handed_in_some_of_the_sets_only(course, tmp_path):
    other = shutil.copytree(course, tmp_path / "course")
    shutil.copytree(other / "submitted/kenji/ps2_uct", other / "submitted/kenji/ps1_games")
    lines = lines_of("grade", other, "--afresh", "tove")
    assert lines[0].startswith("1 submission") and "2 submissions, 1 known from before" in lines


def test_a_due_date_is_extended_only_for_who_is_known(course):
    assert lines_of("staff", "extend", course, "tove", "--hours", "48") == ["tove: 48 hours more for ps2_uct"]
    assert "'nobody' has no folder with ps2_uct in" in refused("staff", "extend", course, "nobody", "--hours", "1")


@pytest.mark.parametrize("hours", ["-48", "-0.5", "many", "nan"])
def test_hours_that_are_no_hours_are_refused(course, hours):
    sentence = refused("staff", "extend", course, "kenji", "--hours", hours)
    assert "--hours" in sentence and "staff extend --help says more" in sentence


def test_the_roster_is_read(course):
    (course / "roster.csv").write_text("id\nkenji\ntove\nzoe\n")
    assert lines_of("staff", "roster", course) == [
        "no submission from 'zoe'",
        "'tove' could not be graded; the report says: Nothing was found to grade: the folder needs ps2_uct.ipynb or ps2_uct.py.",
        "2 submissions of ps2_uct",
    ]


def test_the_roster_names_what_lies_in_a_folder_in_the_place_of_the_set(course, tmp_path):
    """of two students: another set's notebook under this set's name, and a PDF alone"""
    other = tmp_path / "other"
    for student in ("ada", "bela"):
        (other / "submitted" / student / "ps2_uct").mkdir(parents=True)
    shutil.copy(ROOT / "assignments/ps3_connect_four/ps3_connect_four.ipynb", other / "submitted/ada/ps2_uct/ps2_uct.ipynb")
    (other / "submitted/bela/ps2_uct/work.pdf").write_text("%PDF")
    assert lines_of("staff", "roster", other) == [
        "the report of 'ada' says: ps2_uct.ipynb holds exercises of ps3_connect_four, and none of ps2_uct: "
        "hand in the right file.",
        "'bela' could not be graded; the report says: Nothing was found to grade: the folder needs ps2_uct.ipynb or ps2_uct.py. "
        "work.pdf is neither a notebook nor a module.",
        "2 submissions of ps2_uct",
    ]


def test_every_decision_is_in_the_log(course):
    log = [json.loads(line) for line in (course / "log.jsonl").read_text().splitlines()]
    assert {entry["command"] for entry in log} == {"grade", "excuse", "extend", "correction"}
    assert next(entry for entry in log if entry["command"] == "excuse")["why"] == "the docstring promises less"
    assert all(entry["when"] and entry["who"] for entry in log)
