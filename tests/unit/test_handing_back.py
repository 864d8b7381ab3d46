"""Names on the way back, without a class: whatever a person is called, a page goes to the right account or to none."""

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.cli.return_command import WAYS as NAMED_WAYS
from autograder.course.zips import zip_of
from autograder.handing_back.addressees import addressees
from autograder.handing_back.files import put
from autograder.handing_back.last_return import note_return, read_last
from autograder.handing_back.uploads import UPLOADS, WAYS, canvas_reads, moodle_reads
from autograder.paths import REPOSITORY
from tests.gradebook.odd_people import NAMED, NAMES

PS = "ps2_uct"
UNKNOWN = "changed: everybody, because no earlier return of this kind is known"
PIECES = st.sampled_from([*"_ -.'12LATE", "anon", "_4242_", "_file", "é", "ק", "李", "assignsubmission", "attempt"])
WORDS = st.one_of(st.sampled_from([word for name in NAMES for word in name]),
                  st.lists(PIECES, min_size=1, max_size=6).map("".join))


def test_the_command_names_every_way() -> None:
    assert NAMED_WAYS == WAYS
    assert f"FOR={'|'.join(WAYS)}" in (REPOSITORY / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name, number", [
    ("lovelaceada_11_901_ps2_uct.html", "11"), ("lovelaceada_LATE_11_901_p.html", "11"), ("x_4242_99_z_66_901_p.html", "4242"),
    ("anon_aB3_901_p.html", "aB3"), ("LATE_anon_aB3_901_p.html", "aB3"), ("902901_113_1013_p.html", "902901"),
    ("ada_11_link.html", ""), ("ada.html", ""), ("._ada_11_901_p.html", ""), ("submissions/ada_11_901_p.html", "11")])
def test_how_canvas_reads_a_name(name: str, number: str) -> None:
    assert canvas_reads(name) == number


@pytest.mark.parametrize("name, number", [
    ("Ada Lovelace_501_assignsubmission_file/p.html", "501"), ("Ada_501_assignsubmission_file_/p.html", "501"),
    ("Ada_501_assignsubmission_file_p.html", "501"), ("12_501_assignsubmission_file/p.html", "501"),
    ("x_77_501_assignsubmission_file/p.html", ""), ("Ada_501_assignsubmission_onlinetext/p.html", ""),
    ("Ada_501_assignsubmission_file/.p.html", ""), ("a/Ada_501_assignsubmission_file/p.html", "501")])
def test_how_moodle_reads_a_name(name: str, number: str) -> None:
    assert moodle_reads(name) == number


@pytest.mark.parametrize("way", UPLOADS)
@given(names=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8), seed=st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_a_page_goes_to_the_right_account_or_to_none(way: str, names: list[tuple[str, str]], seed: int) -> None:
    """numbers of people are near those of uploads here, and names hold both"""
    people = [{"id": f"p{number}", "first_name": first, "last_name": last, "canvas_id": str(number + 20 + seed),
               "moodle_id": str(number + 70), "username": f"user{number}"} for number, (first, last) in enumerate(names)]
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        columns = list(people[0])
        rows = ["\t".join(columns), *("\t".join(person[column] for column in columns) for person in people)]
        (course / "roster.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        (course / "collected").mkdir()
        accounts = {"canvas": "canvas_id", "moodle": "moodle_id", "blackboard": "username"}
        title = "gradebook_CS-101_Problem set 2_" if way == "blackboard" else ""
        kept = {person["id"]: [{"platform": UPLOADS[way].platform.name, "beginning": NAMED[way](person, ""),
                                "account": title + person[accounts[way]]}] for person in people}
        (course / "collected" / "names.json").write_text(json.dumps({PS: kept}), encoding="utf-8")
        found = addressees(course, PS, UPLOADS[way])
        of_challenge = addressees(course, PS, UPLOADS[way], file="challenge.html")
    assert of_challenge.accounts == found.accounts
    for other, own in ((of_challenge.names, found.names), (of_challenge.refused, found.refused)):
        assert other == {student: text.replace(f"{PS}.html", "challenge.html") for student, text in own.items()}
    assert found.names.keys() | found.refused.keys() == kept.keys() and not found.names.keys() & found.refused.keys()
    for student, name in found.names.items():
        assert name == kept[student][0]["beginning"] + f"{PS}.html"
        if reads := UPLOADS[way].reads:
            assert reads(name) == kept[student][0]["account"]
    plain = [person["id"] for person in people if re.fullmatch("[a-z]+", person["first_name"] + person["last_name"])]
    assert set(plain) <= found.names.keys() | {id for id, why in found.refused.items() if "may" in why or "same" in why}


def test_a_zip_depends_on_its_contents_alone_and_no_file_is_lost(tmp_path: Path) -> None:
    files = {"b/ä.html": b"2", "a.html": b"1"}
    assert zip_of(files) == zip_of(dict(reversed(files.items())))
    path = tmp_path / "returned" / "canvas.zip"
    assert (put(path, b"1").changed, put(path, b"1").changed) == (True, False)
    before = [put(path, text).before.read_bytes() for text in (b"2", b"3", b"4")]
    assert before == [b"1", b"2", b"3"] and path.read_bytes() == b"4" and len(list(path.parent.iterdir())) == 4


def test_what_each_student_got_last_is_known_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "returned" / PS / "canvas.json"
    students = [" ".join(name) for name in NAMES] + ["students", "=1+1", '"', "🎓", "constructor"]
    assert read_last(path).sentence(3, 3) == UNKNOWN
    note_return(path, read_last(path), {}, {})
    assert not path.exists()
    note_return(path, read_last(path), dict.fromkeys(students, b"page"), dict.fromkeys(students, "90"))
    last = read_last(path)
    assert all(last.has(student, b"page", "90") for student in students) and last.pages == len(set(students))
    assert not last.has("nobody", b"page", "90") and not last.has("=1+1", b"page", "91") and not last.has("=1+1", b"pages", "90")
    entries = {student: [entry.page, entry.points, "2026-01-02 03:04:05 UTC"] for student, entry in last.students.items()}
    path.write_text(json.dumps({"students": entries}), encoding="utf-8")
    note_return(path, read_last(path), {"=1+1": b"new"}, {"=1+1": "91"})
    last = read_last(path)
    assert last.has("=1+1", b"new", "91") and last.has("students", b"page", "90") and last.pages == 1
    assert re.fullmatch(r"changed: 2 of 46 since the return of [\d-]{10} [\d:]{8} UTC \(1 page\)", last.sentence(2, 46))


@pytest.mark.parametrize("content", [
    "", "{", "[]", "{}", "\0\xff", '{"students": 1}', '{"students": [1]}', '{"students": {"ada": 1}}',
    '{"students": {"ada": ["x"]}}'])
def test_of_a_damaged_record_nothing_is_known(tmp_path: Path, content: str) -> None:
    path = tmp_path / "canvas.json"
    path.write_text(content, encoding="latin-1")
    last = read_last(path)
    assert not last.students and last.sentence(3, 3).startswith("changed: everybody, because canvas.json")
    note_return(path, last, {"ada": b"page"}, {"ada": ""})
    assert read_last(path).has("ada", b"page", "")
