"""Who handed in: folder names are data, links are not followed, the roster is looked at."""

import os

import pytest

from autograder.grading.roll import call_roll
from autograder.trouble import Trouble

PS = "ps2_uct"


def hand_in(course, *students):
    for student in students:
        (course / "submitted" / student / PS).mkdir(parents=True)


def test_students_come_in_alphabetical_order_and_other_sets_do_not_count(tmp_path):
    hand_in(tmp_path, "bela", "ada")
    (tmp_path / "submitted" / "chidi" / "ps1_games").mkdir(parents=True)
    (tmp_path / "submitted" / "notes.txt").write_text("not a student")
    roll = call_roll(tmp_path, PS)
    assert [entry.student for entry in roll.entries] == ["ada", "bela"]
    assert roll.remarks == ()


def test_a_folder_name_is_data(tmp_path):
    odd = ["$(reboot)", "<script>alert(1)</script>".replace("/", "|"), "[bold]x", "o'hara; drop table student", "{{7*7}}"]
    hand_in(tmp_path, *odd)
    assert sorted(entry.student for entry in call_roll(tmp_path, PS).entries) == sorted(odd)


def test_links_are_named_and_not_followed(tmp_path):
    hand_in(tmp_path, "ada")
    (tmp_path / "submitted" / "mallory").symlink_to("ada")
    (tmp_path / "submitted" / "bela").mkdir()
    (tmp_path / "submitted" / "bela" / PS).symlink_to("../ada/" + PS)
    roll = call_roll(tmp_path, PS)
    assert [entry.student for entry in roll.entries] == ["ada"]
    assert roll.remarks == ("'bela': ps2_uct is a link and was not followed", "'mallory' is a link and was not followed")


def test_names_that_no_page_can_show_are_named_and_left_out(tmp_path):
    hand_in(tmp_path, "ada", "line\nbreak")
    os.makedirs(os.fsencode(tmp_path) + b"/submitted/\xff\xfe/" + PS.encode())
    roll = call_roll(tmp_path, PS)
    assert [entry.student for entry in roll.entries] == ["ada"]
    assert [remark.partition(": ")[2] for remark in roll.remarks] == [
        "this folder name holds control characters; rename it to grade it",
        "this folder name is not UTF-8 text; rename it to grade it",
    ]


def test_the_roster_tells_unknown_folders_and_missing_students(tmp_path):
    hand_in(tmp_path, "ada", "mallory")
    (tmp_path / "roster.csv").write_text("id,first_name\nada,Ada\nbela,Bela\n")
    assert call_roll(tmp_path, PS).remarks == (
        "'mallory' is not in roster.csv; graded all the same",
        "no submission from 'bela'",
    )


def test_a_roster_without_the_column_is_an_error_that_says_so(tmp_path):
    hand_in(tmp_path, "ada")
    (tmp_path / "roster.csv").write_text("name\nada\n")
    with pytest.raises(Trouble, match="must name the columns, one of them 'id'"):
        call_roll(tmp_path, PS)


@pytest.mark.parametrize("make, sentence", [
    (lambda course: None, "no such course folder"),
    (lambda course: course.mkdir(), "it has no folder 'submitted'"),
    (lambda course: (course / "submitted").mkdir(parents=True), "nobody has handed in ps2_uct"),
])
def test_a_folder_that_is_no_course_is_one_sentence(tmp_path, make, sentence):
    course = tmp_path / "course"
    make(course)
    with pytest.raises(Trouble, match=sentence):
        call_roll(course, PS)
