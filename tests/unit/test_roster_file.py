"""The roster: the columns of nbgrader's import and any others, as the spreadsheets of the world write them."""

from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.gradebook.policy.canvas_roster import people_of_canvas, roster_text
from autograder.gradebook.policy.roster_file import Person, read_people, read_roster


def people(tmp_path: Path, content: str | bytes) -> tuple[Person, ...]:
    path = tmp_path / "roster.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_people(path)


@pytest.mark.parametrize("content", [
    "id,first_name,last_name,email\nada,Ada,Lovelace,ada@uni.example\n",
    "\ufeffid;first_name;last_name;email\r\nada;Ada;Lovelace;ada@uni.example\r\n",
    "ID\tFirst Name\tLast Name\tEmail\nada\tAda\tLovelace\tada@uni.example",
    'email,id,last_name,first_name\n"ada@uni.example", ada ,Lovelace,Ada\n\n,,,\n',
])
def test_a_person_is_read_from_what_spreadsheets_write(tmp_path, content):
    (ada,) = people(tmp_path, content)
    assert (ada.id, ada.first_name, ada.last_name, ada.email) == ("ada", "Ada", "Lovelace", "ada@uni.example")
    assert ada.full_name == "Ada Lovelace"


def test_further_columns_are_kept_for_the_platforms(tmp_path):
    ada, bela = people(tmp_path, "id,sis_login_id,Section\nada,al12,A\nbela\n")
    assert (ada.cell("sis_login_id"), ada.cell("section"), ada.cell("canvas_id")) == ("al12", "A", "")
    assert (bela.cell("section"), bela.full_name) == ("", "bela")


@pytest.mark.parametrize("content, sentence", [
    ("name\nada\n", "one of them 'id'; it names name"),
    ("", "it names nothing"),
    ("id\nada\nbela\nada\n", "lines 2 and 4 have the same id 'ada'"),
    ("id\n../ada\n", "line 2: the id '../ada' is not a valid folder name"),
    ("id\n.ada\n", "is not a valid folder name"),
    ("id,more_days\nada,2\nbela,two\n", "line 3: more_days is 'two': write how many days later every set is due for 'bela'"),
    ("id,more_days\nada,-1\n", "line 2: more_days is '-1'"),
    ("id,more_days\nada,nan\n", "line 2: more_days is 'nan'"),
    ("id,more_days\nada,367\n", "line 2: more_days is '367'"),
    (b"id\n\xff\xfe\n", "not a table of comma-separated values in UTF-8"),
])
def test_a_roster_that_cannot_be_used_is_one_sentence(tmp_path, content, sentence):
    with pytest.raises(UserError, match=sentence):
        people(tmp_path, content)


def test_days_more_may_be_parts_of_a_day(tmp_path):
    read = people(tmp_path, "id;More Days\nada;0,5\nbela;2\ncyd;\ndan\neve;1.25\n")
    assert [person.more_hours for person in read] == [12, 48, 0, 0, 30]


def test_a_course_needs_no_roster_but_a_named_one_must_be_there(tmp_path):
    assert read_roster(tmp_path) is None
    with pytest.raises(UserError, match="cannot be read .No such file"):
        read_people(tmp_path / "people.csv")


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,ps2_uct (11),Current Score
    Points Possible,,,,,105,(read only)
"Lovelace, Ada",7,S7,ada@uni.example,Autumn,,
"=cmd, Li",8,,li,"Autumn, late",,
Pelé,9,,pele,Autumn,,
"Student, Test",99,,0f3a,Autumn,,
"""


@pytest.mark.parametrize("content", [
    CANVAS,
    "\ufeff" + CANVAS.replace(",", ";").replace("Lovelace; ", "Lovelace, ").replace("=cmd; ", "=cmd, ")
    .replace("Student; Test", "Student, Test").replace("Autumn; late", "Autumn, late"),
    CANVAS.replace("Student,ID", "LastName,FirstName,ID").replace('"Lovelace, Ada"', "Lovelace,Ada").replace("Pelé,", "Pelé,,")
    .replace('"=cmd, Li"', "=cmd,Li").replace('"Student, Test"', "Student,Test")
    .replace("    Points Possible,", ",Points Possible,"),
], ids=["commas", "semicolons", "two names"])
def test_the_table_of_canvas_s_gradebook_becomes_a_roster(tmp_path, content):
    """its rows that are no people are left out; the login is the id, and Canvas's number is kept"""
    (tmp_path / "grades.csv").write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match="is the table of Canvas's gradebook: make course ROSTER="):
        read_people(tmp_path / "grades.csv")
    read = people_of_canvas(tmp_path / "grades.csv")
    (tmp_path / "roster.csv").write_text(roster_text(read), encoding="utf-8")
    assert read_roster(tmp_path) == read
    assert [(person.id, person.first_name, person.last_name, person.cell("canvas_id")) for person in read] == [
        ("ada@uni.example", "Ada", "Lovelace", "7"), ("li", "Li", "'=cmd", "8"), ("pele", "", "Pelé", "9")]
    assert [read[0].cell(column) for column in ("sis_user_id", "sis_login_id", "section")] == ["S7", "ada@uni.example", "Autumn"]


def test_canvas_s_number_is_the_id_where_the_logins_are_hidden(tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text('Student,ID,Section\n"Lovelace, Ada",7,A\n"Li, Bo",8,A\n')
    assert [person.id for person in people_of_canvas(path)] == ["7", "8"]
    path.write_text('Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",7,S7,,A\n"Li, Bo",8,S8,bo,A\n')
    assert [person.id for person in people_of_canvas(path)] == ["S7", "S8"]
    path.write_text('Student,ID,Section\n    Points Possible,,\n"Student, Test",7,A\n')
    with pytest.raises(UserError, match="no student is in it"):
        people_of_canvas(path)


def test_another_table_with_a_student_is_none_of_canvas_s(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("id,student,section\nada,Ada Lovelace,A\n")
    assert people_of_canvas(path) is None and [person.id for person in read_people(path)] == ["ada"]
