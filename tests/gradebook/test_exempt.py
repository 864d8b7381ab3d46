"""A student who need not do a set has no mark there, in any table or page, and the total is out of fewer points."""

import json
import re
from pathlib import Path

import pytest

from autograder.course.erase import erase, known_person
from autograder.course.feedback import feedback
from autograder.course.roster import list_submissions
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import prepare
from autograder.gradebook.marks.exports import EXPORTS
from autograder.gradebook.marks.final_marks import FinalMarks, Mark, forget_mark_changes, write_final
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.policy.exemptions import exempt_from, read_exempt, write_exempt
from autograder.gradebook.policy.roster_file import Person
from autograder.log import read_log
from autograder.pages.course.class_page import Background, class_page
from autograder.pages.course.course_page import course_page
from autograder.pages.course.set_record import SetRecord
from autograder.pages.short_report import ShortReport
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.tables import by_student

PS3, PS5 = "ps3_connect_four", "ps5_alphazero"


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    """ada and bob have handed in; the due date is over."""
    folder = small_class.folder
    (folder / "course.toml").write_text(f"[course]\nsets = ['{PS}']\n[due]\n{PS} = 2026-02-03T12:00:00\n")
    (folder / "roster.csv").write_text("id,first_name\nada,Ada\nbob,Bob\ncy,Cy\n")
    prepare(folder, PS)
    for student in ("ada", "bob"):
        small_class.hand_in(student, timestamp="2026-02-03 11:00:00 UTC")
    record(small_class)
    return small_class


def record(course: SmallClass) -> list[str]:
    """Record and note the marks as a run does; return the changes."""
    reports = {student: course.report(student) for student in ("ada", "bob")}
    for student, report in reports.items():
        ReportStore(course.folder, PS).put(student, report, {})
    course.record(**reports)
    with course.gradebook() as gradebook:
        changes = write_final(course.folder, read_marks(course.folder, gradebook))
    forget_mark_changes(course.folder)
    feedback(course.folder, PS)
    return [str(change) for change in changes]


def final(course: SmallClass) -> dict[str, dict[str, str]]:
    return by_student(course.folder / "final.csv")


def page_of(course: SmallClass, student: str) -> str:
    return (course.folder / "feedback" / student / PS / "index.html").read_text(encoding="utf-8")


def staff(course: SmallClass, *words: object, status: int = 0) -> str:
    done = autograder_here("staff", "exempt", course.folder, *words)
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_set_does_not_count_with_work_and_without_it_and_can_count_again(course: SmallClass) -> None:
    assert [final(course)[who][PS] for who in ("ada", "bob", "cy")] == ["100", "100", "0"]
    assert list_submissions(course.folder, PS).missing == ("cy",)
    said = staff(course, "ada", "--why", "ill")
    assert said == f"ada (Ada): {PS} does not count from the next run on, neither in the total nor in the maximum\n"
    staff(course, "cy", "--why", "ill")
    assert record(course) == [f"ada {PS} 100 -> no mark (exempt)", f"cy {PS} 0 -> no mark (exempt)"]
    for who in ("ada", "cy"):
        row = final(course)[who]
        assert [row[column] for column in (PS, f"{PS}_automatic", "total", "max", "note")] == [
            "", "", "0", "0", f"{PS}: exempt, not in the total"]
    assert final(course)["bob"]["max"] == "105" and record(course) == []
    assert "You need not do this set: it does not count for you." in page_of(course, "ada")
    assert "You need not" not in page_of(course, "bob")
    assert list_submissions(course.folder, PS).missing == ()
    assert staff(course, "ada", "--why", "well again", "--undo") == f"ada (Ada): {PS} counts again from the next run on\n"
    assert record(course) == [f"ada {PS} no mark -> 100 (counts again)"] and "You need not" not in page_of(course, "ada")
    assert "must do ps2_uct already: nothing was changed" in staff(course, "ada", "--why", "x", "--undo", status=2)
    assert "'nobody' has no folder" in staff(course, "nobody", "--why", "x", status=2)
    assert [(line["student"], line["why"], line.get("undo", False)) for line in read_log(course.folder, "exempt")] == [
        ("ada", "ill", False), ("cy", "ill", False), ("ada", "well again", True)]
    erase(course.folder, known_person(course.folder, "cy"))
    assert json.loads((course.folder / "exempt.json").read_text()) == {PS: {}}


def test_canvas_is_told_and_no_other_table_has_a_mark(tmp_path: Path) -> None:
    people = (Person("ada", "Ada", "Lovelace"), Person("bob", "Bob", "Noyce"))
    marks = FinalMarks({PS: 105.0, PS3: 105.0}, people, {id: {PS: Mark(90, 0, 0), PS3: Mark(80, 0, 0)} for id in ("ada", "bob")},
                       {PS3: 50.0}, exempt={"ada": {PS}})
    header = f"Student,ID,SIS Login ID,Section,{PS} (7),{PS3} (8)"
    (tmp_path / "grades.csv").write_text(f'{header}\n"L, A",1,ada,A,,\n"N, B",2,bob,A,,\n')
    template = EXPORTS["canvas"]()
    template.template = str(tmp_path / "grades.csv")
    for table in (EXPORTS["canvas"]().table(marks), template.table(marks)):
        ada, bob = (line.split(",") for line in table.text.splitlines()[-2:])
        assert (ada[-2:], bob[-2:]) == (["EX", "80"], ["90", "80"])
    for name in ("moodle", "blackboard"):
        ada, bob = (line.split(",") for line in EXPORTS[name]().table(marks).text.splitlines()[-2:])
        assert (ada[-2:], bob[-2:]) == (["", "80"], ["90", "80"])
    ada, bob = json.loads(EXPORTS["json"]().table(marks).text)["students"]
    assert ada["exempt"] == [PS] and ada["marks"][PS]["final"] is None and "exempt" not in bob
    assert (ada["total"], ada["max"]) == (pytest.approx(80 / 105 * 50), 50)


def test_the_challenge_does_not_count_without_a_set_that_has_a_player(tmp_path: Path) -> None:
    write_exempt(tmp_path, PS3, "ada", "ill")
    everybody, sets = ("ada", "bob"), (PS, PS3, PS5)
    assert exempt_from(tmp_path, everybody, sets, {PS3, PS5}, "challenge") == {"ada": {PS3}}
    assert exempt_from(tmp_path, everybody, sets, {PS3}, "challenge") == {"ada": {PS3, "challenge"}}
    assert exempt_from(tmp_path, everybody, sets, set(), "challenge") == {"ada": {PS3}}
    write_exempt(tmp_path, PS3, "ada", "", undo=True)
    assert read_exempt(tmp_path, PS3) == {} and exempt_from(tmp_path, everybody, sets, {PS3}, "challenge") == {}


def test_the_class_page_names_them_without_a_reason(course: SmallClass) -> None:
    page = class_page(course.folder, PS, "Set 2", {"bob": course.report("bob")}, [], None, Background(exempt=("ada",)))
    assert "it does not count for them: <bdi>ada</bdi>." in page
    assert 'id="exempt"' not in class_page(course.folder, PS, "Set 2", {"bob": course.report("bob")}, [], None, Background())


def test_the_front_page_says_it_in_the_place_of_points(course: SmallClass) -> None:
    reports = {student: ShortReport.of(course.report(student)) for student in ("ada", "bob")}
    record = SetRecord(PS, "Set 2", 100.0, reports, (), 0, {}, {})
    final = {"ada": {PS: "", "total": "0", "max": "0"}, "bob": {PS: "100", "total": "100", "max": "105"}}
    cells = {student: re.sub("<[^>]*>", " ", re.search(rf"<bdi>{student}</bdi>.*?</tr>", page, re.S)[0]).split()
             for page in [course_page(course.folder, [record], {}, {}, final)] for student in final}
    assert "exempt" in cells["ada"] and "exempt" not in cells["bob"]
