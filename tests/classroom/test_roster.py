"""The list of students who handed in: folder names are data, links are not followed, and the roster is used."""

import os

import pytest

from arena.errors import UserError
from autograder.course.roster import handed_in, list_submissions

PS = "ps2_uct"


def hand_in(course, *students):
    for student in students:
        (course / "submitted" / student / PS).mkdir(parents=True)


def test_students_come_in_alphabetical_order_and_other_sets_do_not_count(tmp_path):
    hand_in(tmp_path, "bela", "ada")
    (tmp_path / "submitted" / "chidi" / "ps1_games").mkdir(parents=True)
    (tmp_path / "submitted" / "notes.txt").write_text("not a student")
    listed = list_submissions(tmp_path, PS)
    assert [entry.student for entry in listed.entries] == ["ada", "bela"]
    assert listed.remarks == ()


def test_a_folder_name_is_data(tmp_path):
    odd = ["$(reboot)", "<script>alert(1)</script>".replace("/", "|"), "[bold]x", "o'hara; drop table student", "{{7*7}}"]
    hand_in(tmp_path, *odd)
    assert sorted(entry.student for entry in list_submissions(tmp_path, PS).entries) == sorted(odd)


def test_links_are_named_and_not_followed(tmp_path):
    hand_in(tmp_path, "ada")
    (tmp_path / "submitted" / "mallory").symlink_to("ada")
    (tmp_path / "submitted" / "bela").mkdir()
    (tmp_path / "submitted" / "bela" / PS).symlink_to("../ada/" + PS)
    listed = list_submissions(tmp_path, PS)
    assert [entry.student for entry in listed.entries] == ["ada"]
    assert listed.remarks == ("'bela': ps2_uct is a link and was not followed", "'mallory' is a link and was not followed")


def test_names_that_no_page_can_show_are_named_and_left_out(tmp_path):
    hand_in(tmp_path, "ada", "line\nbreak")
    os.makedirs(os.fsencode(tmp_path) + b"/submitted/\xff\xfe/" + PS.encode())
    listed = list_submissions(tmp_path, PS)
    assert [entry.student for entry in listed.entries] == ["ada"]
    assert [remark.partition(": ")[2] for remark in listed.remarks] == [
        "this folder name contains control characters; rename it to grade it",
        "this folder name is not UTF-8 text; rename it to grade it",
    ]


def test_the_roster_tells_unknown_folders_and_missing_students(tmp_path):
    hand_in(tmp_path, "ada", "mallory")
    (tmp_path / "roster.csv").write_text("id,first_name\nada,Ada\nbela,Bela\n")
    assert list_submissions(tmp_path, PS).remarks == (
        "'mallory' is not in roster.csv, but was graded",
        "no submission from 'bela'",
    )


def test_a_roster_without_the_column_is_an_error_that_says_so(tmp_path):
    hand_in(tmp_path, "ada")
    (tmp_path / "roster.csv").write_text("name\nada\n")
    with pytest.raises(UserError, match="must name the columns, one of them 'id'"):
        list_submissions(tmp_path, PS)


@pytest.mark.parametrize("make, sentence", [
    (lambda course: None, "no such course folder"),
    (lambda course: course.mkdir(), "it has no folder 'submitted'"),
    (lambda course: (course / "submitted").mkdir(parents=True), "nobody has handed in ps2_uct"),
])
def test_a_folder_that_is_no_course_is_one_sentence(tmp_path, make, sentence):
    course = tmp_path / "course"
    make(course)
    with pytest.raises(UserError, match=sentence):
        list_submissions(course, PS)


@pytest.mark.parametrize("names", [
    ("ada", "\u0430da"), ("\u0410da", "Ada"), ("ada", "Ada"), ("ann", "ann."), ("ann", "a\u2800nn"), ("bo", "b\u03bf"),
    ("\ufb01ona", "fiona"), ("jose\u0301", "jos\u00e9"), ("s1", "sl"), ("a b", "a  b"), ("\uff41da", "ada"), ("a\ufe0fda", "ada"),
])
def test_names_that_look_alike_are_named_together(tmp_path, names):
    hand_in(tmp_path, *names)
    listed = list_submissions(tmp_path, PS)
    assert len(listed.entries) == 2
    [remark] = [remark for remark in listed.remarks if "look alike" in remark and "mixes" not in remark]
    assert all(repr(name) in remark for name in names) and "are they one student" in remark


def test_a_name_of_the_roster_that_somebody_elses_looks_like_is_named(tmp_path):
    hand_in(tmp_path, "\u0430\u0430")
    (tmp_path / "roster.csv").write_text("id\naa\n")
    assert list_submissions(tmp_path, PS).remarks[0].startswith("'\u0430\u0430' (\\u0430\\u0430) and 'aa' look alike")


def test_a_word_of_two_alphabets_is_named_and_honest_names_are_not(tmp_path):
    honest = ["Zo\u00eb \u660e O'Hara", "\u0418\u0432\u0430\u043d Petrov", "\u738b\u5c0f\u660e", "jos\u00e9", "jose",
              "Stra\u00dfe", "\u03a3\u03c9\u03ba\u03c1\u03ac\u03c4\u03b7\u03c2", "anna", "annab", "anna b", "s01", "s02",
              "m\u00fcller", "muller"]
    hand_in(tmp_path, "ad\u0430m", *honest)
    assert list_submissions(tmp_path, PS).remarks == (
        "'ad\u0430m' (ad\\u0430m) mixes letters that look alike, Latin and Cyrillic: whose folder is it?",)


def test_a_class_of_look_alikes_is_told_in_some_sentences(tmp_path):
    hand_in(tmp_path, *(f"{letter}{number:03}" for letter in "aA" for number in range(200)))
    assert len(list_submissions(tmp_path, PS).remarks) == 20


@pytest.mark.parametrize("content", [b"id\n\xff\xfe", b"id\n\"" + b"a" * 200_000, b"\xff\xfei\0d\0"])
def test_a_roster_that_is_no_table_is_one_sentence(tmp_path, content):
    hand_in(tmp_path, "ada")
    (tmp_path / "roster.csv").write_bytes(content)
    with pytest.raises(UserError, match="roster.csv is not a table of comma-separated values in UTF-8"):
        list_submissions(tmp_path, PS)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_nobody_may_enter_costs_its_own_submission(tmp_path):
    hand_in(tmp_path, "ada", "bela")
    (tmp_path / "submitted" / "ada").chmod(0)
    try:
        listed = list_submissions(tmp_path, PS)
        assert [entry.student for entry in listed.entries] == ["bela"]
        assert "'ada': this folder could not be read" in listed.remarks[0]
    finally:
        (tmp_path / "submitted" / "ada").chmod(0o755)


def test_work_beside_its_place_is_named_and_nobody_vanishes(tmp_path):
    hand_in(tmp_path, "ada", PS)
    submitted = tmp_path / "submitted"
    (submitted / PS / PS).rmdir()
    (submitted / PS / "bob").mkdir()
    for folder in ("kim/PS2_UCT", "lea/ps2", "mia/ps2_uct (1)", "noa/homework", "ole/ps1_games", "ada/notes"):
        (submitted / folder).mkdir(parents=True)
    files = ("kim.ipynb", "pia/ps2_uct.ipynb", "rex/work.pdf", "noa/homework/ps2_uct.py", "ada/other.py", "sam/.DS_Store",
             "uma/ps1_games.ipynb", "txt")
    for name in files:
        (submitted / name).parent.mkdir(exist_ok=True)
        (submitted / name).write_text("")
    listed = list_submissions(tmp_path, PS)
    assert [entry.student for entry in listed.entries] == ["ada"]
    assert listed.remarks == (
        "'kim': the folder 'PS2_UCT' was not graded: rename it to 'ps2_uct' if that is meant",
        "'kim.ipynb' is directly in submitted/ and was not graded: move it to submitted/<student>/ps2_uct/",
        "'lea': the folder 'ps2' was not graded: rename it to 'ps2_uct' if that is meant",
        "'mia': the folder 'ps2_uct (1)' was not graded: rename it to 'ps2_uct' if that is meant",
        "'noa': the folder 'homework' was not graded: rename it to 'ps2_uct' if that is meant",
        "'pia': 'ps2_uct.ipynb' is not in the folder of a problem set and was not graded: "
        "if it is ps2_uct, move it to submitted/pia/ps2_uct/",
        "submitted/ps2_uct/ was not graded: the folder of a set must be in a student's, submitted/<student>/ps2_uct/",
        "'rex': 'work.pdf' is not in the folder of a problem set and was not graded: "
        "if it is ps2_uct, move it to submitted/rex/ps2_uct/",
        "'sam' is an empty folder",
    )


def test_where_nobody_has_handed_in_a_set_the_others_are_named(tmp_path):
    (tmp_path / "submitted" / "ada" / "ps1_games").mkdir(parents=True)
    assert handed_in(tmp_path) == ["ps1_games"]
    with pytest.raises(UserError, match="nobody has handed in ps2_uct: .*; there are submissions of ps1_games"):
        list_submissions(tmp_path, PS)
