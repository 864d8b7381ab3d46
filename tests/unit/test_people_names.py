"""Names beside ids: where a roster has one, in sentences, lines and tables for staff, and nowhere else."""

import csv
from pathlib import Path

import pytest

from autograder.course.similarity import _table as similarity_table
from autograder.gradebook.policy.people_names import Names, read_names
from autograder.gradebook.tables import Change, write_changes, write_grades
from autograder.selftest.endurance.invented_class import invented_reports
from autograder.similarity.pairs import Pair, Work

PS, OTHER = "ps2_uct", "ps1_games"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """ada has a whole name, bob a last name, cyd none; dan's has what turns a line round, and begins like a formula."""
    rows = ["ada,Ada,Lovelace", "bob,,Bär", "cyd,,", "dan,=1+\u202e1,x", "o'neil,Oh,Neil"]
    (tmp_path / "roster.csv").write_text("id,first_name,last_name\n" + "\n".join(rows), encoding="utf-8")
    return tmp_path


def test_those_with_a_name_in_the_roster_have_it_beside_the_id(course: Path, tmp_path: Path) -> None:
    names = read_names(course)
    assert [names.beside(id) for id in ("ada", "bob", "cyd", "eve")] == ["ada (Ada Lovelace)", "bob (Bär)", "cyd", "eve"]
    assert names.of("dan") == "=1+\ufffd1 x"
    assert names.at_start("ada  2.5  10 -> 0", "ada") == "ada (Ada Lovelace)  2.5  10 -> 0"
    (course / "roster.csv").unlink()
    assert not read_names(course) and read_names(course).beside("ada") == "ada"


def test_sentences_have_the_name_after_a_quoted_id(course: Path) -> None:
    names = read_names(course)
    assert names.in_sentence("it's 'ada' and 'cyd', not 'bob': 'adam' ada") == (
        "it's 'ada' (Ada Lovelace) and 'cyd', not 'bob' (Bär): 'adam' ada")
    assert names.in_sentence('"o\'neil" is late') == '"o\'neil" (Oh Neil) is late'
    assert names.in_sentence("it's ada's") == "it's ada's"


def rows_of(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_tables_have_a_column_of_names_for_all_sets_also_for_rows_from_before(course: Path) -> None:
    roster = (course / "roster.csv").read_text(encoding="utf-8")
    (course / "roster.csv").unlink()
    write_grades(course, invented_reports(OTHER, ["ada", "dan"]))
    write_changes(course, OTHER, [Change("ada", "1.1", 5.0, 0.0, "suite")])
    assert "name" not in rows_of(course / "grades.csv")[0] + rows_of(course / "changes.csv")[0]
    (course / "roster.csv").write_text(roster, encoding="utf-8")
    write_grades(course, invented_reports(PS, ["bob", "cyd"]))
    write_changes(course, PS, [Change("bob", "2.1", 5.0, 0.0, "suite")])
    expected = [["student", "name"], ["ada", "Ada Lovelace"], ["dan", "'=1+\ufffd1 x"], ["bob", "Bär"], ["cyd", ""]]
    assert [row[:2] for row in rows_of(course / "grades.csv")] == expected
    assert [row[:2] for row in rows_of(course / "changes.csv")] == [expected[0], expected[1], expected[3]]
    assert rows_of(course / "grades.csv")[1][2] == OTHER


def test_the_table_of_similar_pairs_has_both_names(course: Path) -> None:
    pair = Pair(Work("ada", ()), Work("cyd", ()), 3.0, 0.5, frozenset())
    assert similarity_table([pair], read_names(course)).splitlines() == [
        "student,other,score,shared,share,name,other_name", "ada,cyd,2,3,0.50,Ada Lovelace,"]
    assert similarity_table([pair], Names()).splitlines()[0] == "student,other,score,shared,share"
