"""The roster: the columns of nbgrader's import and any others, as the spreadsheets of the world write them."""

from pathlib import Path

import pytest

from arena.errors import UserError
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
