"""The way back: the pages of a class under the names that its platform knows, each to its own student or to nobody."""

import json
import os
import re
import shutil
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from autograder.course.challenge.class_exams import read_report
from autograder.course.storage.lock import course_lock
from autograder.pages.student.challenge_page import short_challenge_page
from tests.gradebook.odd_people import NAMED, PEOPLE
from tests.gradebook.returning import Returning, work_of
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

PS = "ps2_uct"
PAGE = f"{PS}.html"
ADA, JOERG = "lovelaceada_11_901_", "müllerlüdenscheidtjörg_LATE_22_902_"
ROSTER = (
    {"id": "ada", "first_name": "Ada", "last_name": "Lovelace", "canvas_id": "", "email": "ada@uni.example"},
    {"id": "joerg", "first_name": "Jörg", "last_name": "Müller-Lüdenscheidt", "canvas_id": "22", "email": ""},
    {"id": "zoe", "first_name": "Zoe", "last_name": "Late", "canvas_id": "", "email": ""},
)


@pytest.fixture(scope="module")
def graded(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of three, of whom two have handed in on Canvas, collected and graded once; it is copied, and never used itself."""
    from tests.gradebook.conftest import SmallClass

    course = Returning(SmallClass(Path(shutil.copytree(prepared, tmp_path_factory.mktemp("graded") / "course"))))
    course.write_roster(*ROSTER)
    course.collect(course.download({f"{ADA}ps2_uct.py": work_of("ada"), f"{JOERG}ps2_uct-1.py": work_of("joerg")}))
    course.grade({"ada": ("2.5",)})
    return course.folder


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Returning:
    from tests.gradebook.conftest import SmallClass

    return Returning(SmallClass(Path(shutil.copytree(graded, tmp_path / "course"))))


def student_of(page: str) -> str:
    return re.search('<p class="lead"><bdi>(.*?)</bdi>', page)[1]


def left_out(said: str) -> dict[str, str]:
    """The students without a page by id, and why; their names stand beside the ids."""
    found = re.findall(r"^  left out: ([^:]+): (.*)$", said, re.M)
    return {student.partition(" (")[0]: why for students, why in found for student in students.split(", ")}


# ---- to each platform

@pytest.mark.usefixtures("repetition")
def test_forty_odd_names_come_back_on_three_platforms(small_class) -> None:
    """collected from each of the three, so that each knows its own names; Canvas itself misreads a name of digits alone"""
    course, expected = Returning(small_class), {}
    course.write_roster(*PEOPLE)
    for way in ("blackboard", "canvas", "moodle"):
        members = {NAMED[way](person, "ps2_uct.py", late=number % 3 == 0): (person["id"], work_of(person["id"]))
                   for number, person in enumerate(PEOPLE)}
        expected[way] = {member.replace("ps2_uct.py", PAGE): student for member, (student, _) in members.items()}
        course.collect(course.download({member: work for member, (_, work) in members.items()}, f"{way}.zip"))
    course.grade({"p03": ("2.5",)})
    for way, names in expected.items():
        said = course.give_back(way, status=int(way == "canvas"))
        if way == "canvas":
            why = "Canvas would read its name, '902901_113_1013_', as that of number 902901"
            assert left_out(said) == {"p13": why} and names.pop("902901_113_1013_" + PAGE) == "p13"
        assert f"{PS}, for {way}: {len(names)} pages, {40 - len(names)} left out, 0 not handed in" in said
        assert {name: student_of(page) for name, page in course.packed(way).items()} == names
        marks = [row[PS] if PS in row else row["Grade"] for row in course.table(way)]
        assert len(marks) == 40 + (way == "canvas") and "90" in marks and marks.count("100") == 39
    numbers = [row["Identifier"] for row in course.table("moodle")]
    assert numbers == [f"Participant {500 + number}" for number in range(40)]


def test_a_page_goes_back_under_the_name_of_the_download_and_stands_alone(course) -> None:
    said = course.give_back("canvas")
    assert f"{PS}, for canvas: 2 pages, 0 left out, 1 not handed in\n  not handed in: zoe (Zoe Late)\n" in said
    packed = course.packed("canvas")
    assert {name: student_of(page) for name, page in packed.items()} == {ADA + PAGE: "ada", JOERG + PAGE: "joerg"}
    original = (course.folder / "feedback" / "ada" / PS / "index.html").read_text()
    assert f'href="{PS}.html"' in original and original.startswith(packed[ADA + PAGE].partition("</main>")[0].rstrip())
    for page in packed.values():
        assert not re.findall(r'(?:href|src)="(?!#)', page) and page.rstrip().endswith("</html>")
    marks = {row["ID"]: row[PS] for row in course.table("canvas")}
    assert marks == {"": "0", "11": "90", "22": "100"}  # the first and the last line have no number
    assert json.loads((course.folder / "log.jsonl").read_text().splitlines()[-1])["students"] == ["ada", "joerg"]


def test_marks_go_into_the_platform_s_own_table(course, tmp_path) -> None:
    (tmp_path / "grades.csv").write_text(
        f'Student,ID,SIS Login ID,{PS} (48813)\n    Points Possible,,,105\n"L., A.",11,x,\n"J",22,y,\n')
    said = course.give_back("canvas", "--template", tmp_path / "grades.csv")
    assert "zoe is not in the template: no mark was exported" in said
    assert [row[f"{PS} (48813)"] for row in course.table("canvas")] == ["105", "90", "100"]


def test_blackboard_s_table_is_tabs_in_utf_16(course, tmp_path) -> None:
    title = f"{PS} [Total Pts: 105 Score] |48813"
    (tmp_path / "grades.xls").write_text(f"Last Name\tFirst Name\tUsername\t{title}\nL\tA\tada\t\n", encoding="utf-16")
    done = course.run("export", course.folder, "blackboard", "--template", tmp_path / "grades.xls")
    assert (course.folder / "blackboard.csv").read_text() == f"Last Name\tFirst Name\tUsername\t{title}\nL\tA\tada\t90\n", done


# ---- nobody reads another student's page

def test_a_page_that_lies_in_the_wrong_folder_goes_to_nobody(course) -> None:
    folder = course.folder / "feedback"
    shutil.copy2(folder / "joerg" / PS / "index.html", folder / "ada" / PS / "index.html")
    said = course.give_back("canvas", status=1)
    assert left_out(said) == {"ada": "the page in this student's folder names another student: delete it, and run grade"}
    assert set(course.packed("canvas")) == {JOERG + PAGE}


def change_names(course: Returning, student: str, ps: str = PS, **fields: str) -> None:
    path = course.folder / "collected" / "names.json"
    content = json.loads(path.read_text())
    content[ps][student][-1].update(fields)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("fields, why", [
    ({"beginning": "latezoe_33_903_", "account": "33"}, "by the roster of today, 'latezoe_33_903_' is 'zoe'"),
    ({"beginning": "latezoe_33_903_"}, "by the roster of today, 'latezoe_33_903_' is 'zoe'"),
    ({"beginning": "../../lovelaceada_11_901"}, "not named as Canvas names files"),
    ({"account": "12"}, "as that of number 11"),
])
def test_a_name_that_may_lead_to_somebody_else_is_not_used(course, fields, why) -> None:
    change_names(course, "ada", **fields)
    said = course.give_back("canvas", status=1)
    assert why in left_out(said)["ada"] and "ada" not in map(student_of, course.packed("canvas").values())


def test_a_name_that_the_platform_reads_as_another_s_is_not_used(course) -> None:
    """our reading leads to joerg by his number and the size of the uploads' numbers; Canvas takes the first two numbers"""
    change_names(course, "joerg", beginning="x_4242_9999_z_22_902_")
    why = left_out(course.give_back("canvas", status=1))["joerg"]
    assert why == "Canvas would read its name, 'x_4242_9999_z_22_902_', as that of number 4242"


def test_two_students_of_one_name_get_nothing(course) -> None:
    change_names(course, "ada", beginning=JOERG, account="22")
    said = course.give_back("canvas", status=2)
    assert "by the roster of today" in left_out(said)["ada"] and "another student has the same name" in left_out(said)["joerg"]


def test_a_roster_that_has_changed_counts(course) -> None:
    """Ada's number is another one now, so the hand-in under number 11 is somebody else's"""
    course.write_roster({**ROSTER[0], "canvas_id": "12"}, *ROSTER[1:])
    assert "no 'lovelaceada' (number 11) in roster.csv" in left_out(course.give_back("canvas", status=1))["ada"]


def test_two_accounts_of_one_student_get_nothing_until_the_roster_knows_the_number(course) -> None:
    course.collect(course.download({"lovelaceada_12_950_ps2_uct.py": work_of("another")}, "second.zip", (2026, 11, 2, 8, 0, 0)))
    course.grade()
    why = left_out(course.give_back("canvas", status=1))["ada"]
    assert "lovelaceada 11 and lovelaceada 12 may both be 'ada'" in why
    assert "ada: several hand-ins on Canvas: 11 and, later, 12" in course.give_back("canvas", status=1)
    for number, upload in (("11", "901"), ("12", "950")):
        course.write_roster({**ROSTER[0], "canvas_id": number}, *ROSTER[1:])
        course.give_back("canvas")
        assert set(course.packed("canvas")) == {f"lovelaceada_{number}_{upload}_{PAGE}", JOERG + PAGE}


def test_work_that_is_newer_than_the_page_is_graded_first(course) -> None:
    course.collect(course.download({"lovelaceada_11_950_ps2_uct-1.py": work_of("new")}, "second.zip", (2026, 11, 2, 8, 0, 0)))
    assert left_out(course.give_back("canvas", status=1)) == {"ada": "has handed in again since the last run: run grade"}
    course.grade()
    course.give_back("canvas")
    assert set(course.packed("canvas")) == {"lovelaceada_11_950_" + PAGE, JOERG + PAGE}


def test_page_and_mark_agree(course) -> None:
    """a mark by hand since the last run is in the table, and not on the page"""
    course.small.mark_by_hand("ada", "ex2_13", 4)
    assert left_out(course.give_back("canvas", status=1)) == {"ada": "the mark has changed since the last run: run grade"}
    os.utime(course.folder / "reports" / "joerg" / f"{PS}.json", (0, 0))
    assert left_out(course.give_back("canvas", status=2))["joerg"] == "the page is older than the report: run grade"


def test_students_without_a_page_are_named(course) -> None:
    (course.folder / "feedback" / "joerg" / PS / "index.html").unlink()
    assert left_out(course.give_back("canvas", status=1)) == {"joerg": "has no feedback page: run grade"}
    shutil.rmtree(course.folder / "feedback")
    said = course.give_back("canvas", status=2)
    assert "left out: ada (Ada Lovelace), joerg (Jörg Müller-Lüdenscheidt): has no feedback page" in said
    assert "no page was returned: the lines above say why" in said


# ---- a course of an older version

def test_the_lists_of_an_older_version_have_the_names(course) -> None:
    """an older version named a list after its zip alone, and not in the log"""
    (course.folder / "collected" / "names.json").unlink()
    (course.folder / "collected" / f"{PS}-download.csv").rename(course.folder / "collected" / "download.csv")
    log = course.folder / "log.jsonl"
    assert log.read_text().count(named := f', "list": "{PS}-download.csv"') == 1
    log.write_text(log.read_text().replace(named, ""))
    course.give_back("canvas")
    assert set(course.packed("canvas")) == {ADA + PAGE, JOERG + PAGE}


def test_a_list_with_a_name_that_was_changed_counts_for_nobody(small_class) -> None:
    course = Returning(small_class)
    course.write_roster({"id": "eve", "first_name": "=Eve", "last_name": "Quick"},
                        {"id": "bob", "first_name": "Bob", "last_name": "O'B"})
    members = {f"{name}_{number}_assignsubmission_file/ps2_uct.py": work_of(name)
               for name, number in (("=Eve Quick", 501), ("Bob O'B", 502))}
    download = course.download(members)
    course.collect(download)
    course.grade()
    (course.folder / "collected" / "names.json").unlink()
    assert list(left_out(course.give_back("moodle", status=1))) == ["eve"]
    course.give_back("moodle", "--zip", download)
    assert set(course.packed("moodle")) == {name.replace("ps2_uct.py", PAGE) for name in members}
    assert [row["Grade"] for row in course.table("moodle")] == ["100", "100"]


def test_without_any_record_the_download_is_given_again(course) -> None:
    shutil.rmtree(course.folder / "collected")
    said = course.give_back("canvas", status=2)
    assert "left out: ada (Ada Lovelace), joerg (Jörg Müller-Lüdenscheidt): no name on Canvas is known" in said
    assert "collect Canvas's download again, or give it here too (ZIP=)" in said
    assert not (course.folder / "returned").exists()
    download = course.download({f"{ADA}ps2_uct.py": "", "stranger_99_950_ps2_uct.py": ""})
    said = course.give_back("canvas", "--zip", download, status=1)
    assert list(left_out(said)) == ["joerg"] and set(course.packed("canvas")) == {ADA + PAGE}
    assert not (course.folder / "collected").exists()  # nothing was collected
    course.collect(course.download({f"{ADA}ps2_uct.py": work_of("ada"), f"{JOERG}ps2_uct-1.py": work_of("joerg")}))
    course.give_back("canvas")


def test_a_zip_of_another_platform_or_set_is_refused(course) -> None:
    other = course.download({"Ada Lovelace_5_assignsubmission_file/ps2_uct.py": ""})
    assert "download.zip is no download of Canvas: its names are Moodle's" in course.give_back("canvas", "--zip", other, status=2)
    wrong = course.download({f"{ADA}ps3_connect_four.py": ""})
    assert "no file name in it contains ps2_uct" in course.give_back("canvas", "--zip", wrong, status=2)


def test_a_damaged_record_is_one_sentence_before_anything_is_placed(course) -> None:
    (course.folder / "collected" / "names.json").write_text('{"ps2_uct": {"ada": [{"name": 1}]}}')
    for words in (("return", course.folder, "canvas"), ("collect", course.folder, course.download({f"{ADA}ps2_uct.py": "new"}))):
        done = course.run(*words, "--ps", PS, status=2)
        assert "names.json cannot be read" in done.stderr and "remove it, and collect the downloads again" in done.stderr
    assert "new" != (course.folder / "submitted" / "ada" / PS / "ps2_uct.py").read_text()


# ---- the files

def test_the_same_pages_give_the_same_bytes_and_others_keep_what_was_there(course) -> None:
    course.give_back("canvas")
    folder = course.folder / "returned" / PS
    before = (folder / "canvas.zip").read_bytes()
    assert course.give_back("canvas").count(", as it was") == 2
    assert {path.name for path in folder.iterdir()} == {"canvas.zip", "canvas.csv", "canvas.json"}
    course.grade({"joerg": ("2.7",)})
    said = course.give_back("canvas")
    kept = re.search(r"canvas\.zip; what was there before is (canvas-\S+\.zip) now", said)[1]
    assert (folder / kept).read_bytes() == before != (folder / "canvas.zip").read_bytes()


# ---- only what has changed

def test_a_second_return_can_have_only_what_has_changed(course) -> None:
    said = course.give_back("canvas", "--changed")
    assert "changed: everybody, because no earlier return of this kind is known" in said and len(course.packed("canvas")) == 2
    folder, table = course.folder / "returned" / PS, course.table("canvas")
    before = (folder / "canvas.zip").read_bytes()
    said = course.give_back("canvas", "--changed")
    assert re.search(r"changed: 0 of 2 since the return of [\d-]{10} [\d:]{8} UTC \(2 pages\); if those never went out", said)
    assert "no page is written" in said and "canvas.zip" not in said and (folder / "canvas.zip").read_bytes() == before
    course.grade({"ada": ("2.5",), "joerg": ("2.7",)})
    said = course.give_back("canvas", "--changed")
    assert f"{PS}, for canvas: 1 page, 0 left out" in said and "changed: 1 of 2 since" in said and "(2 pages)" in said
    assert set(course.packed("canvas")) == {JOERG + PAGE} and json.loads(
        (course.folder / "log.jsonl").read_text().splitlines()[-1])["students"] == ["joerg"]
    marks = {row["ID"]: row[PS] for row in course.table("canvas")}
    assert len(course.table("canvas")) == len(table) and marks["11"] == "90" and marks["22"] != "100"
    assert "changed: 0 of 2" in course.give_back("canvas", "--changed")
    assert len(course.give_back("canvas")) and len(course.packed("canvas")) == 2
    assert "changed: everybody" in course.give_back("mail", "--changed")  # each way has its own


def test_who_was_left_out_is_in_the_next_return(course) -> None:
    page = course.folder / "feedback" / "joerg" / PS / "index.html"
    text = page.read_text()
    page.unlink()
    course.give_back("canvas", status=1)
    assert list(left_out(course.give_back("canvas", "--changed", status=1))) == ["joerg"]
    page.write_text(text)
    assert "changed: 1 of 2" in course.give_back("canvas", "--changed") and set(course.packed("canvas")) == {JOERG + PAGE}


def test_without_a_record_everybody_has_changed(course) -> None:
    course.give_back("canvas")
    (course.folder / "returned" / PS / "canvas.json").write_text('{"students": {"ada')
    said = course.give_back("canvas", "--changed")
    assert "changed: everybody, because canvas.json beside the earlier return is damaged" in said
    assert len(course.packed("canvas")) == 2 and "changed: 0 of 2" in course.give_back("canvas", "--changed")


def test_the_column_of_a_mail_merge_means_the_same(course) -> None:
    course.give_back("mail")
    assert "changed: 0 of 2" in course.give_back("mail")
    assert [row["changed"] for row in course.table("mail")] == ["", ""]
    course.grade({"ada": ("2.5",), "joerg": ("2.7",)})
    said = course.give_back("mail", "--changed")
    (joerg,) = course.table("mail")
    assert "changed: 1 of 2" in said and joerg["id"] == "joerg"
    assert re.fullmatch(r"The mark has changed: 100 before, \d+ now\.", joerg["changed"])
    assert "no page is written" in course.give_back("mail", "--changed") and len(course.table("mail")) == 1


def test_a_grader_at_work_is_waited_for(course) -> None:
    with course_lock(course.folder):
        course.give_back("canvas", status=3)


@pytest.mark.parametrize("words, sentence", [
    (["canvass"], "nothing can be returned to 'canvass': did you mean canvas?"),
    (["mail", "--zip", "x.zip"], "--zip and --template are for a platform, not for mail"),
    (["canvas", "--zip", "x.zip"], "no such zip: x.zip"),
])
def test_what_cannot_be_returned_is_one_sentence(course, words, sentence) -> None:
    assert course.run("return", course.folder, *words, status=2).stderr.startswith(f"autograder: {sentence}")


def test_a_mail_merge_has_marks_pages_and_what_has_changed(course) -> None:
    folder = course.folder / "changes" / PS / "ada"
    folder.mkdir(parents=True)
    (folder / "2026-11-01-080000.txt").write_text("old")
    (folder / "2026-11-02-080000.txt").write_text("The points have changed.\n=2.5: 0 before, 10 now\n")
    said = course.give_back("mail")
    assert "joerg: has no address in roster.csv" in said and "not handed in: zoe" in said
    ada, joerg = course.table("mail")
    assert (ada["id"], ada["first_name"], ada["email"], ada["mark"], ada["max"]) == ("ada", "Ada", "ada@uni.example", "90", "105")
    assert ada["changed"] == "The points have changed.\n'=2.5: 0 before, 10 now"
    assert joerg["changed"] == "The page is new."
    assert [student_of(Path(row["page"]).read_text()) for row in (ada, joerg)] == ["ada", "joerg"]
    assert ada["platform"] == "Canvas"


# ---- the challenge

PS3, PS5 = "ps3_connect_four", "ps5_alphazero"


@pytest.fixture
def examined(course) -> Returning:
    """ada's player of ps3 counts; joerg has two, and that of ps5 counts; zoe took no part"""
    course.collect(course.download({f"{ADA}{PS3}.py": work_of("ada", PS3), f"{JOERG}{PS3}.py": work_of("joerg", PS3)}), ps=PS3)
    course.collect(course.download({JOERG.replace("902", "955") + f"{PS5}.py": work_of("joerg", PS5),
                                    JOERG.replace("902", "956") + "weights.npz": b"weights"}), ps=PS5)
    course.examine({"joerg": (PS3, 10.0)})
    course.examine({"ada": (PS3, 63.5), "joerg": (PS5, 70.0)})
    return course


def test_the_challenge_goes_where_the_player_was_handed_in(examined) -> None:
    said = examined.give_back("canvas", ps="challenge")
    assert "challenge, for canvas: 2 pages, 0 left out, 1 did not take part\n" in said
    assert "did not take part: zoe (Zoe Late)\n" in said and "each zip in Canvas's assignment of the set in its name" in said
    pages = {ps: examined.packed(f"canvas-{ps}", "challenge") for ps in (PS3, PS5)}
    assert {ps: {name: student_of(page) for name, page in packed.items()} for ps, packed in pages.items()} == {
        PS3: {f"{ADA}challenge.html": "ada"}, PS5: {JOERG.replace("902", "955") + "challenge.html": "joerg"}}
    marks = {row["ID"]: row["challenge"] for row in examined.table("canvas", "challenge")}
    assert marks == {"": "0", "11": "63.5", "22": "70"}
    written = (examined.folder / "feedback" / "ada" / "challenge" / "challenge.html").read_text()
    assert pages[PS3][f"{ADA}challenge.html"] == written
    for page in (page for packed in pages.values() for page in packed.values()):  # each is whole without any other file
        assert not re.findall(r'(?:href|src|data|action)="(?!#|http://127)|@import|url\(', page)
        assert "default-src 'none'" in page and 'id="games-data"' in page and "6 X lost 30303060" in page
        script = re.search('<script type="module">(.*?)</script>', page, re.DOTALL)[1].encode()
        assert f"script-src 'sha256-{b64encode(sha256(script).digest()).decode()}'" in page


def test_the_marks_of_the_challenge_are_no_worksheet_of_the_set(examined) -> None:
    """numbers of participants are those of the set's assignment, and so would be its marks"""
    members = {f"{name}_{number}_assignsubmission_file/{PS3}.py": work_of(id, PS3)
               for id, name, number in (("ada", "Ada Lovelace", 501), ("joerg", "Jörg Müller-Lüdenscheidt", 502))}
    examined.collect(examined.download(members, "moodle.zip", (2026, 11, 3, 8, 0, 0)), ps=PS3)
    said = examined.give_back("moodle", ps="challenge", status=1)
    assert left_out(said) == {"joerg": f"no name on Moodle is known: collect Moodle's download of {PS5} again"}
    assert list(examined.packed(f"moodle-{PS3}", "challenge")) == ["Ada Lovelace_501_assignsubmission_file/challenge.html"]
    rows = {row["Username"]: row for row in examined.table("moodle", "challenge")}
    assert rows["ada"]["challenge"] == "63.5" and rows["joerg"]["challenge"] == "70" and "Identifier" not in rows["ada"]
    worksheet = examined.folder.parent / "grades.csv"
    worksheet.write_text("Identifier,Full name,Grade\nParticipant 501,Ada Lovelace,88\n", encoding="utf-8-sig")
    said = examined.give_back("moodle", "--template", worksheet, ps="challenge", status=2)
    assert "grades.csv is the worksheet of a set, whose marks the challenge would replace: leave it out" in said


def test_only_the_pages_of_the_challenge_that_changed(examined) -> None:
    examined.give_back("canvas", ps="challenge")
    examined.examine({"ada": (PS3, 64.0)})
    said = examined.give_back("canvas", "--changed", ps="challenge")
    assert "changed: 1 of 2" in said and f"canvas-{PS5}.zip" not in said and f"canvas-{PS3}.zip; what was there before" in said
    examined.examine({"ada": (PS3, 65.0)})
    assert "changed: everybody" in examined.give_back("mail", "--changed", ps="challenge")
    assert [(row["mark"], row["max"], row["platform"]) for row in examined.table("mail", "challenge")] == [
        ("65", "100", "Canvas"), ("70", "100", "Canvas")]


@pytest.mark.parametrize("ps, file", [(PS3, f"{PS3}.py"), again(PS5, f"{PS5}.py"), again(PS5, "weights.npz")])
def test_a_player_that_is_newer_than_its_exam_is_played_first(examined, ps, file) -> None:
    """also the one of the two that did not count: it may count now"""
    path = examined.folder / "submitted" / "joerg" / ps / file
    path.write_text(path.read_text() + "\n# newer\n" if path.suffix == ".py" else "newer")
    said = examined.give_back("canvas", ps="challenge", status=1)
    assert left_out(said) == {"joerg": "has handed in again since the last run: run grade"}


def test_pages_of_the_challenge_that_cannot_be_returned_are_named(examined) -> None:
    pages = {student: examined.folder / "feedback" / student / "challenge" / "challenge.html" for student in ("ada", "joerg")}
    ada, joerg = (path.read_text() for path in pages.values())

    def why() -> str:
        return left_out(examined.give_back("canvas", ps="challenge", status=1))["ada"]

    short = short_challenge_page("ada", read_report(examined.folder, "ada"))
    for text, reason in ((joerg, "the page in this student's folder names another"), (short, "there is only a short page"),
                         (ada.replace("6 X lost 30303060", "6 X won 30303060"), "the page is older than the report"),
                         (ada.replace("<dd>63.5<", "<dd>60<"), "the page is older than the report")):
        pages["ada"].write_text(text)
        assert why().startswith(reason)
    pages["ada"].unlink()
    assert why() == "has no feedback page: run grade"
    pages["ada"].write_text(ada)
    change_names(examined, "ada", PS3, beginning="latezoe_33_903_", account="33")
    assert "by the roster of today" in why()
    (examined.folder / "reports" / "ada" / "challenge.json").write_text("{")
    assert why() == "has no report of the challenge: run grade"


def test_a_course_without_a_challenge_says_so(course) -> None:
    done = course.run("return", course.folder, "canvas", "--ps", "challenge", status=2)
    assert f"nobody has taken part in the challenge of {course.folder} yet: grade {PS3} or {PS5} first" in done.stderr
    done = course.run("return", course.folder, "canvas", "--ps", "challenge", "--zip", "x.zip", status=2)
    assert "collect the download again instead" in done.stderr


# ---- a large class

@pytest.mark.usefixtures("repetition")
def test_a_class_of_a_thousand(course) -> None:
    """its pages and reports are copies of one student's under other names; nobody of them is in the gradebook"""
    people = [{"id": f"s{number:03}", "first_name": "Kim", "last_name": "Lee", "canvas_id": str(1000 + number), "email": ""}
              for number in range(1000)]
    course.write_roster(*people)
    page = (course.folder / "feedback" / "ada" / PS / "index.html").read_text()
    work = (course.folder / "submitted" / "ada" / PS / "ps2_uct.py").read_text()
    for top in ("submitted", "feedback", "collected"):
        shutil.rmtree(course.folder / top)
    numbers = {f"leekim_{person['canvas_id']}_{9000 + int(person['canvas_id'])}_": person["id"] for person in people}
    course.collect(course.download({f"{name}ps2_uct.py": work for name in numbers}))
    for student in numbers.values():
        own, report = course.folder / "feedback" / student / PS, course.folder / "reports" / student
        own.mkdir(parents=True)
        report.mkdir()
        (own / "index.html").write_text(page.replace("<bdi>ada</bdi>", f"<bdi>{student}</bdi>"))
        shutil.copy2(course.folder / "reports" / "ada" / f"{PS}.json", report / f"{PS}.json")
    course.note_marks()
    assert f"{PS}, for canvas: 1000 pages, 0 left out" in course.give_back("canvas")
    assert {name: student_of(text) for name, text in course.packed("canvas").items()} == {
        name + PAGE: student for name, student in numbers.items()}
