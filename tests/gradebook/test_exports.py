"""Final marks for Canvas, Moodle, CSV and JSON: by nbgrader's own command, by ours, and filled into the platforms' downloads."""

import csv
import io
import json
from dataclasses import replace

import pytest

from arena.errors import UserError
from autograder.cli.export_command import FORMATS
from autograder.gradebook.marks.exports import EXPORTS
from autograder.gradebook.marks.final_marks import FinalMarks, Mark, final_text
from autograder.gradebook.marks.platforms import CANVAS, MOODLE, canvas_table, filled_template, moodle_table
from autograder.gradebook.policy.course_file import Tokens
from autograder.gradebook.policy.more_time import MoreTime
from autograder.gradebook.policy.roster_file import Person
from autograder.gradebook.policy.teams_file import Teams
from autograder.paths import REPOSITORY
from tests.commands import autograder, output_of
from tests.gradebook.canvas_import import canvas_import
from tests.gradebook.conftest import PS, SmallClass

PEOPLE = (
    Person("ada", "Ada", "Lovelace", "ada@uni.example", {"canvas_id": "901", "moodle_id": "Participant 77"}),
    Person("ana", "Ana", "Núñez", "", {"section": "B, late"}),
    Person("bo1", "Bo", "Li", "bo1@uni.example"),
    Person("bo2", "Bo", "Li", "bo2@uni.example"),
    Person("eve", "=cmd()", "", ""),
)
MARKS = FinalMarks(
    {PS: 105.0, "challenge": 100.0}, PEOPLE,
    {"ada": {PS: Mark(90, 4.5, 18.9), "challenge": Mark(40, 0, 0)}, "bo1": {PS: Mark(50, 0, 0)}, "bo2": {PS: Mark(60, 0, 0)}},
)
# As Canvas writes it: a mark of bytes, a row of posting policies, the row of points, its own read-only columns, a test student.
CANVAS_DOWNLOAD = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,ps2_uct (48813),Quiz (48814),Current Score,Final Score
,,,,,Manual Posting,,,
    Points Possible,,,,,105.0,10.0,(read only),(read only)
"Lovelace, Ada",901,,al,Autumn,,7,,
"NUNEZ, Ana",902,,an,Autumn,12,8,,
"Li, Bo",903,,bo2,Autumn,,9,,
"Stranger, Sue",904,,sue,Autumn,3,1,,
"Student, Test",905,,abc,Autumn,,,,
"""
MOODLE_DOWNLOAD = """\
"First name","Last name","ID number","Email address","Assignment: ps2_uct (Real)","Last downloaded from this course"
Ada,Lovelace,,ada@uni.example,-,1790000000
Bo,Li,,BO1@uni.example,-,1790000000
Ana,Nunez,,,-,1790000000
"""
WORKSHEET = '''Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Feedback comments
Participant 77,Ada L.,,Submitted,,105.00,Yes,
Participant 78,Somebody,bo2@uni.example,Submitted,,105.00,Yes,"good, ""really"""
'''


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(text.removeprefix("\ufeff").splitlines()))


def test_every_format_is_an_export_and_named_where_people_look():
    assert tuple(EXPORTS) == FORMATS
    assert f"FORMAT={'|'.join(FORMATS)}" in (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    page = (REPOSITORY / "docs" / "instructors.md").read_text(encoding="utf-8")
    assert all(f"`{plugin.file_name}`" in page for plugin in EXPORTS.values())


def test_marks_csv_has_tokens_and_teams_as_final_csv_does():
    teams = Teams({PS: dict.fromkeys(("ada", "bo1"), ("ada", "bo1"))})
    marks = replace(MARKS, moved={"ada": {PS: MoreTime(tokens=2, token_hours=24)}}, tokens=Tokens(3), teams=teams)
    export = EXPORTS["csv"]()
    text = export.table(export.chosen(marks)).text
    assert text == final_text(marks) and "tokens_left" in text and f"{PS}: in a team with bo1" in text


def test_a_canvas_table_has_the_columns_of_its_import():
    table = rows(canvas_table(MARKS).text)
    assert table[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", PS, "challenge"]
    assert table[1] == ["    Points Possible", "", "", "", "", "105", "100"]
    assert table[2:4] == [
        ["Lovelace, Ada", "901", "", "ada", "", "75.6", "40"],
        ["Núñez, Ana", "", "", "ana", "B, late", "0", "0"],
    ]
    assert table[6][0] == "'=cmd()"


def test_canvas_s_own_download_comes_back_with_the_marks_and_nothing_else_changed(tmp_path):
    (tmp_path / "grades.csv").write_text(CANVAS_DOWNLOAD, encoding="utf-8")
    table = filled_template(MARKS, tmp_path / "grades.csv", CANVAS)
    before, after = rows(CANVAS_DOWNLOAD), rows(table.text)
    marked = {3: "75.6", 4: "0", 5: "60"}  # bo2 by the login, as two people have that name
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        assert [*new[:5], *new[6:9]] == [*old[:5], *old[6:9]]
        assert new[5] == marked.get(number, old[5])
    assert [row[9] for row in after] == ["challenge", "", "100", "40", "0", "0", "", ""]
    assert table.left == ("bo1", "eve") and table.unknown == ("Stranger, Sue",)


def test_a_stranger_of_the_same_name_gets_nobody_s_mark(tmp_path):
    people = (Person("jsmith1", "John", "Smith", ""), Person("j.doe", "Jo", "Doe", ""), Person("kim", "Kim", "Lee", ""))
    marks = FinalMarks({PS: 100.0}, people, {person.id: {PS: Mark(91, 0, 0)} for person in people})
    (tmp_path / "grades.csv").write_text(f"""Student,ID,SIS User ID,SIS Login ID,Section,{PS} (1)
"Smith, John",1,,jsmith1,A,
"Smith, John",2,,jsmith9,B,
"Doe, Jo",3,,j_doe,A,
"Doe, Jo",4,,j.doe,A,
"Lee, Kim",5,,x1,A,
"Lee, Kim",6,,x2,A,
""")
    table = filled_template(marks, tmp_path / "grades.csv", CANVAS)
    assert [row[5] for row in rows(table.text)[1:]] == ["91", "", "", "91", "", ""]
    assert table.left == ("kim",) and table.unknown == ("Smith, John", "Doe, Jo", "Lee, Kim", "Lee, Kim")


ENROLLED = {"901": ("", "ada", "Lovelace, Ada"), "902": ("", "ana", "Núñez, Ana"), "903": ("", "bo1", "Li, Bo"),
            "904": ("", "bo2", "Li, Bo")}


def test_canvas_s_import_reads_every_mark_of_a_table_without_a_template():
    read = canvas_import(canvas_table(MARKS).text, ENROLLED)
    assert read.assignments == {PS: "105", "challenge": "100"} and read.strangers == ["'=cmd()"]
    assert {who: cells[PS] for who, cells in read.marks.items() if who in ENROLLED} == \
        {"901": "75.6", "902": "0", "903": "50", "904": "60"}


SEMICOLONS = """\ufeffLastName;FirstName;ID;SIS Login ID;Section;ps2_uct (48813);Final Score
;;;;;Manual Posting;
    Points Possible;;;;;105,0;(read only)
Lovelace;Ada;901;al;Autumn;12,5;40,0
Nunez;Ana;902;an;"Autumn; late";EX;
Li;Bo;903;bo2;Autumn;N/A;
"""


def test_a_download_with_semicolons_and_two_columns_for_a_name_comes_back_and_an_excused_student_stays_excused(tmp_path):
    (tmp_path / "grades.csv").write_text(SEMICOLONS, encoding="utf-8")
    table = filled_template(FinalMarks({PS: 105.0}, PEOPLE, MARKS.marks), tmp_path / "grades.csv", CANVAS)
    assert table.text == SEMICOLONS.removeprefix("\ufeff").replace("12,5;", "75.6;")
    assert table.excused == (("ana", PS), ("bo2", PS)) and table.left == ("bo1", "eve")
    enrolled = {"901": ("", "al", ""), "902": ("", "an", ""), "903": ("", "bo2", "")}
    read = canvas_import(table.text, enrolled)
    assert read.assignments == {"ps2_uct (48813)": "105.0"} and read.strangers == []
    assert [cells["ps2_uct (48813)"] for cells in read.marks.values()] == ["75.6", "EX", "N/A"]


@pytest.mark.parametrize("separator", ["\t", ";", ":"])
def test_moodle_s_export_may_have_any_of_its_separators(tmp_path, separator):
    text = separator.join(["First name", "Last name", "ID number", "Email address", "ps2_uct (Real)"]) + "\n" \
        + separator.join(["Ada", "Lovelace", "", "ada@uni.example", "-"]) + "\n"
    (tmp_path / "m.csv").write_text(text)
    table = filled_template(FinalMarks({PS: 105.0}, PEOPLE, MARKS.marks), tmp_path / "m.csv", MOODLE)
    assert table.text == text.replace("-", "75.6")


def test_moodle_s_export_and_worksheet_come_back_filled(tmp_path):
    (tmp_path / "m.csv").write_text(MOODLE_DOWNLOAD)
    only = FinalMarks({PS: 105.0}, PEOPLE, MARKS.marks)
    table = filled_template(only, tmp_path / "m.csv", MOODLE)
    assert [row[4] for row in rows(table.text)[1:]] == ["75.6", "50", "0"] and table.unknown == ()
    (tmp_path / "w.csv").write_text(WORKSHEET)
    table = filled_template(only, tmp_path / "w.csv", MOODLE)
    after = rows(table.text)
    assert [row[4] for row in after[1:]] == ["75.6", "60"] and after[2][7] == 'good, "really"'
    assert rows(moodle_table(only).text)[0] == ["Username", "ID number", "Email address", "First name", "Last name", PS]


HOSTILE = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,ps2_uct (48813),-Quiz (48814),Final Score
    Points Possible,,,,,105.0,-10.0,(read only)
"=HYPERLINK(""http://x"",""y"")",901,,al,"@A;=1+1",,-2.5,-
"\u200b=cmd|' /C calc'!A1, Ana",902,,ana,"+\r\n-1",12,+3,–
"Li, Bo",903,,bo1,B-1,,"a,=1",EX
"Li, Bo",904,=2+2,bo2,"x\t=1",,"50 %","-5,5"
"""


def test_a_download_with_formulas_comes_back_without_them_and_canvas_finds_everybody(tmp_path):
    (tmp_path / "grades.csv").write_text(HOSTILE, encoding="utf-8", newline="")
    table = filled_template(FinalMarks({PS: 105.0}, PEOPLE, MARKS.marks), tmp_path / "grades.csv", CANVAS)
    cells = list(csv.reader(io.StringIO(table.text, newline="")))
    assert cells == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "ps2_uct (48813)", "'-Quiz (48814)", "Final Score"],
        ["    Points Possible", "", "", "", "", "105.0", "-10.0", "(read only)"],
        ["'=HYPERLINK(\"http://x\",\"y\")", "901", "", "al", "'@A;'=1+1", "75.6", "-2.5", "-"],
        ["\u200b'=cmd|' /C calc'!A1, Ana", "902", "", "ana", "'+\r\n-1", "0", "+3", "–"],
        ["Li, Bo", "903", "", "bo1", "B-1", "50", "a,=1", "EX"],
        ["Li, Bo", "904", "'=2+2", "bo2", "x\t'=1", "60", "50 %", "-5,5"],
    ]
    assert table.changed == ("'-Quiz (48814)", "'=2+2")
    read = canvas_import(table.text.replace("\r\n", " "), ENROLLED)
    assert {who: cells["ps2_uct (48813)"] for who, cells in read.marks.items()} == \
        {"901": "75.6", "902": "0", "903": "50", "904": "60"}


@pytest.mark.parametrize("separator", ["\t", ";", ":"])
def test_a_cell_is_no_formula_in_a_program_that_expects_commas(tmp_path, separator):
    cells = ["First name", "Last name", "Email address", "ps2_uct (Real)"]
    (tmp_path / "m.csv").write_text(separator.join(cells) + "\n" + separator.join(["Ada", "x,=1", "ada@uni.example", "-"]) + "\n")
    table = filled_template(FinalMarks({PS: 105.0}, PEOPLE, MARKS.marks), tmp_path / "m.csv", MOODLE)
    assert table.text.splitlines()[1] == separator.join(["Ada", "x,'=1", "ada@uni.example", "75.6"])


@pytest.mark.parametrize("content, message", [
    (None, "the file does not exist"), (b"", "its first line has none of the columns"),
    (b"\xff\xfe\x00", "is not a table of comma"), (b"a,b\n1,2\n", "none of the columns ID, SIS User ID"),
])
def test_a_template_that_is_none_is_one_sentence(tmp_path, content, message):
    if content is not None:
        (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(UserError, match=message):
        filled_template(MARKS, tmp_path / "t.csv", CANVAS)


@pytest.fixture
def graded(small_class: SmallClass) -> SmallClass:
    small_class.hand_in("ada")
    small_class.record(ada=small_class.report("ada", failed=("2.5",)))
    small_class.mark_by_hand("ada", "ex2_13", 4.5)
    (small_class.folder / "roster.csv").write_text("id,first_name,last_name\nada,Ada,Lovelace\nbob,Bob,Noyce\n")
    (small_class.folder / "download.csv").write_text(CANVAS_DOWNLOAD, encoding="utf-8")
    return small_class


@pytest.mark.usefixtures("whole_world")
def test_nbgrader_s_own_command_exports_with_our_plugins(graded):
    plugins, folder = "autograder.gradebook.marks.exports", graded.folder
    done = graded.nbgrader("export", f"--exporter={plugins}.CanvasExport", "--CanvasExport.template=download.csv")
    assert done.returncode == 0, done.stderr
    assert rows((folder / "canvas.csv").read_text())[3][5] == "94.5" and "Stranger, Sue" in done.stderr
    for name, options, file in (("CsvExport", [], "marks.csv"), ("JsonExport", ["--to", "j.json", "--student", "ada"], "j.json")):
        done = graded.nbgrader("export", f"--exporter={plugins}.{name}", *options)
        assert done.returncode == 0 and (folder / file).exists(), done.stderr
    (ada,) = json.loads((folder / "j.json").read_text())["students"]
    assert (ada["id"], ada["marks"][PS]["final"], ada["marks"][PS]["by_hand"], ada["total"]) == ("ada", 94.5, 4.5, 94.5)


@pytest.mark.usefixtures("repetition")
def test_our_command_says_who_is_left_out_and_where_the_file_is(graded):
    output = output_of("export", graded.folder, "canvas", "--template", graded.folder / "download.csv")
    assert output.splitlines()[-1] == str(graded.folder / "canvas.csv")
    assert "bob is not in the template" in output and "Stranger, Sue, who is not in the course" in output
    for wrong, message in ((["excel"], "no format is called 'excel'"),
                           (["csv", "--template", "x"], "--template is for canvas, moodle, blackboard, not for csv"),
                        (["canvas", "--template", "nowhere.csv"], "the file does not exist")):
        done = autograder("export", graded.folder, *wrong)
        assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr
