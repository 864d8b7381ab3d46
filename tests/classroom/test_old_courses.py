"""A course that an older version graded opens, is graded again and exports, and no mark changes."""

import csv
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from arena.challenge.report import ASSIGNMENT
from autograder.course.challenge.class_exams import read_report
from autograder.course.challenge.tournament import FOLDER
from autograder.course.storage.attempts import read_attempts
from autograder.course.storage.report_store import ReportStore
from autograder.course.storage.set_records import read_record
from autograder.gradebook.marks.final_marks import final_rows
from autograder.gradebook.policy.course_file import read_course_file
from autograder.gradebook.policy.grading_settings import settings_of
from autograder.grading.report import Report
from autograder.json_files import read_decisions
from autograder.tournament.meeting import MeetingResult

REPOSITORY = Path(__file__).resolve().parents[2]
ARCHIVES = sorted((REPOSITORY / "tests" / "old_courses").glob("*.tar.xz"))
SETS, PS3 = ("ps2_uct", "ps4_puct"), "ps3_connect_four"
EXPORTS = {"canvas": "canvas.csv", "moodle": "moodle.csv", "csv": "marks.csv", "json": "marks.json"}
CLASS = ["ada", "bob", "cyd", "dan", "eve"]


@pytest.fixture(params=ARCHIVES, ids=lambda archive: archive.name.partition(".")[0])
def course(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A fresh copy of an old course."""
    with tarfile.open(request.param) as archive:
        archive.extractall(tmp_path / "course", filter="data")
    return tmp_path / "course"


def test_what_it_keeps_can_be_read(course: Path) -> None:
    """reports and their histories, stored reports, records of sets, decisions of staff, the challenge, the tournament"""
    for ps in SETS:
        store = ReportStore(course, ps)
        assert list(store.all()) == CLASS
        assert [report.points for report in store.all().values()][::3] == [100.0, 0.0]
        assert store.before("cyd") is not None and len(store.history("cyd", store.all()["cyd"])) == 2
        record = read_record(course, ps)
        assert record is not None and list(record.students) == CLASS
    stored = [json.loads(path.read_text()) for path in (course / ".cache").rglob("*.json")]
    assert len([Report.from_json(entry["report"]) for entry in stored if "staff" in entry]) >= 2 * len(CLASS)
    late, grading = read_course_file(course).late, settings_of(course, "ps2_uct")
    assert late is not None and late.percent_per_day == 10
    assert grading.cpu_s == (("2.9", 20.0),) and len(grading.excused) == 1
    assert grading.secret == (course / "edition.secret").read_bytes()
    assert read_decisions(course / "extensions.json") == {"ps2_uct": {"fox": 48.0}}
    assert final_rows(course)["ada"]["ps2_uct_by_hand"] == "4"
    played = read_report(course, "ada")
    assert played is not None and played.points > 0
    assert len(read_attempts(course).played[PS3]["ada"]) == 1
    meetings = [MeetingResult.from_json(path.read_text()) for path in (course / FOLDER).rglob("*.json") if len(path.stem) == 64]
    assert meetings and all(len(meeting.games) == 2 for meeting in meetings)


def standings(course: Path, ps: str) -> dict[str, dict]:
    """What the gradebook holds of a set, by student, without our own comments."""
    from nbgrader.api import Gradebook

    from autograder.gradebook.ledger import read_ledger

    with Gradebook(f"sqlite:///{course}/gradebook.db", "old") as gradebook:
        entries = {student: vars(entry) for student, entry in read_ledger(gradebook, ps).items()}
    return {student: {**entry, "comments": {id: by_hand for id, (_, by_hand) in entry["comments"].items()}}
            for student, entry in entries.items()}


def table(course: Path, name: str) -> list[list[str]]:
    return list(csv.reader((course / name).read_text(encoding="utf-8-sig").splitlines()))


def content_of(export: Path) -> object:
    """All that an export tells, in the words of today, but for what only newer versions say: what could not be read."""
    text = export.read_text(encoding="utf-8-sig")
    if export.suffix == ".json":
        for student in (marks := json.loads(text))["students"]:
            for mark in student["marks"].values():
                mark.pop("could_not_be_read", None)
                if "without_a_score" in mark:  # the name before
                    mark["to_be_marked"] = mark.pop("without_a_score")
        return marks
    return [as_recorded_before(row) for row in csv.DictReader(text.splitlines())]


def as_recorded_before(row: dict[str, str]) -> dict[str, str]:
    notes = row.get("note", "").replace("without a score", "to be marked by hand").split("; ")
    return {**row, "note": "; ".join(note for note in notes if "nothing could be read" not in note)}


def marks_of(course: Path) -> dict[str, dict[str, str]]:
    return {student: as_recorded_before(row) for student, row in final_rows(course).items()}


def autograder(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "autograder", *arguments], cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("processes")
def test_its_reports_are_recorded_and_exported_again_and_no_mark_changes(course: Path) -> None:
    """the gradebook by itself, without a grading: `make course`, the recording, the exports"""
    from autograder.course.new_course import Wishes, make_course
    from autograder.gradebook.course import open_course
    from autograder.gradebook.marks.exports import EXPORTS as PLUGINS
    from autograder.gradebook.nbgrader_patches import one_session
    from autograder.gradebook.recording.challenge import record_challenge
    from autograder.gradebook.recording.record import record
    from autograder.progress import Watcher

    before = {ps: standings(course, ps) for ps in (*SETS, PS3, ASSIGNMENT)}
    released = {path: path.read_bytes() for path in (course / "release").rglob("*") if path.is_file()}
    assert before["ps2_uct"]["cyd"]["penalty"] > 0 and before["ps2_uct"]["cyd"]["extension"] is not None
    assert before["ps2_uct"]["ada"]["comments"]["ex2_13"] == "A clear answer."
    make_course(course, Wishes(), Watcher())
    for ps in (*SETS, PS3):
        assert record(course, ps, [(student, None, report) for student, report in ReportStore(course, ps).all().items()]) == []
    played = read_report(course, "ada")
    assert played is not None and record_challenge(course, {"ada": played}) == []
    assert {ps: standings(course, ps) for ps in before} == before
    assert {path: path.read_bytes() for path in released} == released
    assert len(list(course.glob("gradebook.db.before-*"))) == 1
    app = open_course(course, PS3)
    with one_session(app) as gradebook:
        for name, file in EXPORTS.items():
            PLUGINS[name](parent=app, to=str(course / f"again-{file}"), student=[], assignment=[]).export(gradebook)
            assert content_of(course / f"again-{file}") == content_of(course / file), name


@pytest.mark.usefixtures("repetition")
def test_it_is_graded_again_by_the_commands_and_no_mark_changes(course: Path) -> None:
    before = {ps: standings(course, ps) for ps in SETS}
    final, exported = marks_of(course), {file: content_of(course / file) for file in EXPORTS.values()}
    changes = {ps: autograder("staff", "differences", str(course), "--ps", ps) for ps in SETS}
    assert changes == dict.fromkeys(SETS, "0 changes of points; nothing was recorded\n")
    assert not list(course.glob("gradebook.db.before-*"))
    outputs = [autograder("grade", str(course), "--ps", ps) for ps in SETS]
    copied = ["A copy of the gradebook as that version left it is now in" in " ".join(output.split()) for output in outputs]
    assert copied == [True, False]
    assert {ps: standings(course, ps) for ps in SETS} == before
    assert marks_of(course) == final
    assert [row for row in table(course, "changes.csv")[1:] if row[1] in SETS] == []
    for name in ("canvas", "json"):
        autograder("export", str(course), name)
        assert content_of(course / EXPORTS[name]) == exported[EXPORTS[name]], name
    pages = [
        course / "feedback" / student / ps / page for student in CLASS for ps in SETS for page in ("index.html", f"{ps}.html")
    ]
    assert all(page.stat().st_size > 5_000 for page in (*pages, course / "report" / "index.html"))
