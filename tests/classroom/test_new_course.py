"""`make course`: an empty folder becomes a course, and a course that is there is brought up to date, never replaced."""

import zipfile
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.selftest.leaks import leaks
from tests.commands import autograder, autograder_here

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
ROSTER = "id;first_name;last_name;email\nada;Ada;Lovelace;ada@uni.example\nbob;Bob;;\n<b>;X;;\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A course that the command made, in a path with a blank, and what it said."""
    folder = tmp_path_factory.mktemp("autumn term")
    (folder / "people.csv").write_text(ROSTER)
    done = autograder("course", folder / "my course", "--roster", folder / "people.csv", "--sets", "ps1_games,ps2_uct",
                      "--due", "2026-10-05 23:59", "--timezone", "Europe/Zurich")
    assert done.returncode == 0, done.stderr
    return folder / "my course", done.stdout


def test_it_is_a_course_of_nbgrader_with_sets_dates_and_people(made):
    course, output = made
    with Gradebook(f"sqlite:///{course}/gradebook.db", "my-course") as gradebook:
        assert {assignment.name: str(assignment.duedate) for assignment in gradebook.assignments} == {
            "ps1_games": "2026-10-05 21:59:00", "ps2_uct": "2026-10-05 21:59:00"}
        assert {student.id: (student.first_name, student.last_name, student.email) for student in gradebook.students} == {
            "ada": ("Ada", "Lovelace", "ada@uni.example"), "bob": ("Bob", None, None)}
    assert "3 students" in output and "due 2026-10-05 23:59" in output and "late work loses nothing" in output
    assert (course / "roster.csv").read_text() == ROSTER and not list((course / "submitted").iterdir())


@pytest.mark.usefixtures("repetition")
def test_a_zip_of_each_set_holds_what_is_released_and_no_solution(made):
    course, _ = made
    for ps in ("ps1_games", "ps2_uct"):
        with zipfile.ZipFile(course / "handout" / f"{ps}.zip") as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
        released = {f"{ps}/{name}": (ROOT / "assignments" / ps / name).read_bytes()  # facts.json comes with arena
                    for name in (f"{ps}.ipynb", f"{ps}.py", "pytest.ini")}
        assert held == released and f"{ps}/{ps}.ipynb" in held
    assert leaks(course / "handout") == leaks(course / "release") == []


@pytest.mark.usefixtures("repetition")
def test_again_it_changes_nothing_and_after_an_edit_the_gradebook_follows(made):
    course, _ = made
    zips = {path: path.read_bytes() for path in (course / "handout").iterdir()}
    assert autograder_here("course", course).returncode == 0
    text = (course / "course.toml").read_text()
    (course / "course.toml").write_text(text.replace("ps2_uct = 2026-10-05T23:59:00", "ps2_uct = 2026-11-05T23:59:00"))
    (course / "roster.csv").write_text(ROSTER + "cy;Cy;Twombly;\n")
    done = autograder_here("course", course)
    assert done.returncode == 0 and {path: path.read_bytes() for path in (course / "handout").iterdir()} == zips
    with Gradebook(f"sqlite:///{course}/gradebook.db", "my-course") as gradebook:
        assert str(gradebook.find_assignment("ps2_uct").duedate) == "2026-11-05 22:59:00"  # winter time
        assert gradebook.find_student("cy").last_name == "Twombly"


@pytest.mark.usefixtures("repetition")
def test_other_options_than_the_file_says_are_refused_and_nothing_is_lost(made):
    course, _ = made
    before = (course / "course.toml").read_bytes()
    for options in (("--sets", "ps3_connect_four"), ("--due", "2020-01-01 12:00"), ("--timezone", "UTC")):
        done = autograder_here("course", course, *options)
        assert done.returncode == 2 and "edit this file" in done.stderr and len(done.stderr.splitlines()) == 1
    assert (course / "course.toml").read_bytes() == before


def test_nobody_has_handed_in_yet(made):
    course, _ = made
    done = autograder_here("grade", course)
    assert done.returncode == 2 and "nobody has handed in anything yet: put the submissions into" in done.stderr
    (course / "submitted" / "kim" / "PS2 UCT").mkdir(parents=True)
    done = autograder_here("grade", course)
    assert "'kim': the folder 'PS2 UCT' was not graded: rename it to 'ps2_uct' if that is meant" in done.stderr


@pytest.mark.first_shows
@pytest.mark.parametrize("options, sentence", [
    (["--sets", "ps9"], "no problem set is called"),
    (["--due", "tomorrow"], "is not a valid due date: write a day and a time"),
    (["--due", "2026-10-05"], "is not a valid due date"),
    (["--due", "ps1_games=2026-10-05 23:59", "--sets", "ps2_uct"],
     "--due: 'ps1_games' is not a set of the course; choose from ps2_uct"),
    (["--timezone", "Atlantis"], "is not a time zone"),
    (["--roster", "missing.csv"], "missing.csv cannot be read"),
])
def test_a_wrong_option_is_one_sentence_and_leaves_no_half_course(tmp_path, options, sentence):
    done = autograder_here("course", tmp_path / "c", *options)
    assert done.returncode == 2 and sentence in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "c" / "course.toml").exists() and not (tmp_path / "c" / "gradebook.db").exists()


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    done = autograder_here("course", tmp_path)
    assert done.returncode == 2 and "is not a course folder, and it is not empty" in done.stderr
    assert len(list(tmp_path.iterdir())) == 1
    done = autograder_here("course", tmp_path / "thesis.tex")
    assert done.returncode == 2 and "is a file" in done.stderr


def test_a_roster_that_is_there_keeps_its_lines(tmp_path):
    """`more_days`, which is written into roster.csv alone, would be lost with a new copy; and an erased student would be back"""
    (tmp_path / "people.csv").write_text("id,first_name\nada,Ada\nbob,Bob\n")
    asked = ("course", tmp_path / "c", "--sets", "ps2_uct", "--roster", tmp_path / "people.csv")
    assert autograder_here(*asked).returncode == 0
    roster = tmp_path / "c" / "roster.csv"
    roster.write_text("id,first_name,email,more_days\nbob,Bob,,\nada,Ada,ada@uni.example,2\n")
    assert autograder_here(*asked).returncode == 0, "it says the same, and less"
    before = roster.read_bytes()
    for lines, ids in (("ada,Ada\nbob,Bob\ncy,Cy\n", "'cy'"), ("ada,Ada\n", "'bob'"), ("ada,Eda\nbob,Bob\n", "'ada'")):
        (tmp_path / "people.csv").write_text(f"id,first_name\n{lines}")
        done = autograder_here(*asked)
        assert done.returncode == 2 and f"says something else about {ids}: edit roster.csv" in done.stderr
    assert roster.read_bytes() == before


def test_a_course_is_made_of_canvas_s_own_table(tmp_path):
    (tmp_path / "grades.csv").write_text('Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",7,,ada,A\n')
    asked = ("course", tmp_path / "c", "--sets", "ps2_uct", "--roster", tmp_path / "grades.csv")
    assert autograder_here(*asked).returncode == autograder_here(*asked).returncode == 0
    assert (tmp_path / "c" / "roster.csv").read_text().splitlines()[1] == "ada,Ada,Lovelace,,7,,ada,A"
    with Gradebook(f"sqlite:///{tmp_path / 'c'}/gradebook.db", "c") as gradebook:
        assert [(student.id, student.last_name) for student in gradebook.students] == [("ada", "Lovelace")]
