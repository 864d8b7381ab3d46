"""The table of teams: who works with whom in which set, and one sentence for each mistake in it."""

from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.gradebook.policy.teams_file import Teams, read_teams

PS, OTHER = "ps2_uct", "ps5_alphazero"


def teams(course: Path, table: str, roster: str = "") -> Teams:
    (course / "teams.csv").write_text(table, encoding="utf-8")
    if roster:
        (course / "roster.csv").write_text(roster, encoding="utf-8")
    return read_teams(course)


def test_a_course_without_a_table_has_no_teams(tmp_path: Path) -> None:
    assert not read_teams(tmp_path) and read_teams(tmp_path).members("ada", PS) == ("ada",)


@pytest.mark.parametrize("table", ["id,team\nbob,red\nada,red\n", "\ufeffID;Team;Set\r\nada;red;\r\nbob; red ;\r\n"])
def test_two_are_a_team_in_all_sets(tmp_path: Path, table: str) -> None:
    read = teams(tmp_path, table)
    assert read and [read.members(student, ps) for student in ("ada", "bob") for ps in (PS, OTHER)] == [("ada", "bob")] * 4
    assert read.are_mates("bob", "ada", PS) and not read.are_mates("ada", "ada", PS) and not read.are_mates("ada", "cyd", PS)


def test_a_team_that_ends_half_way_and_one_of_a_single_set(tmp_path: Path) -> None:
    read = teams(tmp_path, f"id,team,set\nada,red,\nbob,red,\nada,,{OTHER}\nbob,blue,{OTHER}\ncyd,blue,{OTHER}\n")
    assert read.members("ada", PS) == ("ada", "bob") and read.members("ada", OTHER) == ("ada",)
    assert read.members("bob", OTHER) == ("bob", "cyd") and read.members("cyd", PS) == ("cyd",)


@pytest.mark.parametrize("table, sentences", [
    ("id,group\nada,red\n", ["line 2: there is no column 'team'"]),
    ("student,team\nada,red\n", ["one of them 'id'"]),
    ("id,team,set\nada,red,ps9\nbob,red,\neve,red,\nada,,\nbob,blue,\n",
     ["line 2: 'ps9' is no problem set: ps1_games", "line 4: 'eve' is not in roster.csv", "line 5: 'ada' has no team",
      "line 6: 'bob' is also in line 3"]),
    ("id,team\nada,red\nbob,rde\n", [f"team 'red' has one member in {PS}, 'ada'", "team 'rde' has one member"]),
    (f"id,team,set\nada,red,\nbob,red,\nada,,{PS}\n", [f"team 'red' has one member in {PS}, 'bob': add the other one, or write "
                                                      f"the line bob,,{PS}"]),
    ("id,team\nada,red\nbob,red\ncyd,red\ndan,red\n", ["team 'red' has 4 members: at most 3"]),
])
def test_every_mistake_of_a_table_is_told(tmp_path: Path, table: str, sentences: list[str]) -> None:
    with pytest.raises(UserError) as told:
        teams(tmp_path, table, "id\nada\nbob\ncyd\ndan\n")
    assert all(sentence in str(told.value) for sentence in sentences), told.value
    assert str(told.value).count("has 4 members") <= 5 and "\n" not in str(told.value)
