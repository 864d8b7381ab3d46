"""The demo classes are made, graded and compared with the grades in tests/demo/."""

import csv
import hashlib
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from arena.challenge.ladder import LADDER
from arena.challenge.report_text import in_short
from arena.errors import UserError
from autograder.course.pipeline import grade_course
from autograder.course.summary import Summary
from autograder.pages.causes import Kind, causes
from autograder.problem_sets.rules import JOINT
from autograder.selftest.demo import build_demo, demo_sets
from autograder.selftest.demo.course import demo_files, demo_ladder
from autograder.selftest.demo.members import Expected, expected_of

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).resolve().parents[2]
PS = "ps2_uct"  # the class for everything that does not depend on the problem set
PLAYERS = "ps3_connect_four"  # the class whose players climb the ladder
# Of each kind in the class one or two: no student waits for another, so a smaller class shows the same.
SOME = ("ada", "bela", "freya", "gita", "ines", "nadia", "otto", "petra", "quinn", "rosa", "samir", "tove", "umar", "vera",
        "wanda", "zeno", "abel", "dorn")


def digest(folder: Path) -> dict[str, str]:
    """Every file under a folder with the hash of its bytes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def quick_ladder() -> str:
    """The demo class's ladder with a sixth of the simulations on both sides, and a twelfth of the positions.

    Both players are weaker, and the verdicts stay; how good a move is shows in test_challenge_quality.py.
    """
    ladder = re.sub(r"^each = \d+", "each = 6", demo_ladder(), flags=re.M)
    weak = re.sub(r"^((?:student_)?simulations = )(\d+)", lambda match: f"{match[1]}{int(match[2]) // 6}", ladder, flags=re.M)
    assert weak != ladder != demo_ladder()
    return weak


@dataclass
class Graded:
    """A demo class, or some of it, after one run with two workers, and the files of ours and of the students before it."""

    summary: Summary
    hidden: dict[str, str]
    submitted: dict[str, str]

    @property
    def course(self) -> Path:
        return self.summary.course


@pytest.fixture(scope="module")
def grading(demo_class, tmp_path_factory) -> Callable[..., Graded]:
    """A function that grades the demo class of a set, or some of its students, once."""
    @lru_cache
    def grade(ps: str, some: tuple[str, ...] = ()) -> Graded:
        hidden = digest(ROOT / "tests" / "hidden")
        course = tmp_path_factory.mktemp("demo") / "course"
        shutil.copytree(demo_class, course) if ps == PS else build_demo(course, ps)
        if (course / LADDER.name).exists():
            (course / LADDER.name).write_text(quick_ladder())
        for folder in (course / "submitted").iterdir():
            if some and folder.name not in some:
                shutil.rmtree(folder)
        submitted = digest(course / "submitted")
        summary = grade_course(course, ps, workers=2, feedback=ps in (PS, PLAYERS))  # no test opens other pages
        return Graded(summary, hidden, submitted)
    return grade


@pytest.fixture
def graded(grading) -> Graded:
    return grading(PS, SOME)


@pytest.fixture
def players(grading, repetition) -> Graded:
    return grading(PLAYERS)


@pytest.mark.first_shows
@pytest.mark.parametrize("ps", demo_sets())
def test_thirty_students_are_written_down(ps):
    assert len(expected_of(ps)) == 30
    assert {name.partition("/")[0] for name in demo_files(ps)} == set(expected_of(ps))


def test_the_demo_is_the_same_every_time():
    assert demo_files(PS) == demo_files(PS)


def test_every_grade_is_the_expected_one(graded):
    everybody_has_what_is_expected(graded.summary, SOME)


@pytest.mark.parametrize("ps", demo_sets())
def test_every_grade_of_the_whole_classes_is_the_expected_one(grading, repetition, ps):
    everybody_has_what_is_expected(grading(ps).summary, expected_of(ps))
    nothing_was_touched(grading(ps))


def everybody_has_what_is_expected(summary: Summary, everybody: Iterable[str]) -> None:
    assert summary.faults == 0
    assert summary.reports.keys() == {*everybody}
    wrong = {student: reason for student in everybody
             if (reason := difference(summary.reports[student], expected_of(summary.ps)[student]))}
    assert wrong == {}
    for student in everybody:
        kind, ids = cause_of(expected_of(summary.ps)[student])
        found = causes(summary.reports[student])
        assert kind is None or kind in {cause.kind for cause in found}, student
        assert ids is None or (found[0].kind, [exercise.id for exercise in found[0].exercises]) == (kind, [ids]), student


# How what a student of the cast reads begins, and the kind of the cause on the pages.
BEGINNINGS = {
    "Your code used up": Kind.TIME, "Your code needed more memory": Kind.LIMIT, "Your code ended": Kind.CRASH,
    "The docstring promises": Kind.TYPE, "Skipped while loading": Kind.NOTE, "Nothing was found": Kind.NOTE,
    "this check waits": Kind.UNWRITTEN,
}


def cause_of(expected: Expected) -> tuple[Kind | None, str | None]:
    """The kind of a cause that an invented student has, and the one exercise that the first cause costs, as far as it is said."""
    kind = next((kind for begin, kind in BEGINNINGS.items() if expected.says.startswith(begin)), None)
    lost = [id for id in expected.lost or () if id != JOINT]
    if len(lost) == 1:
        return kind or Kind.MISTAKE, lost[0]
    return None if expected.lost else kind, None


def test_the_challenge_stands_in_tables_pages_and_gradebook(players):
    course, summary = players.course, players.summary
    points = {student: report.points for student, report in summary.challenge.reports.items()}
    tables = {name: list(csv.DictReader((course / name).open(newline=""))) for name in ("grades.csv", "changes.csv")}
    assert {row["student"]: float(row["challenge"]) for row in tables["grades.csv"]} == points
    assert {change.student: change.new for change in summary.changes if change.exercise == "challenge"} == points
    assert all(row["old"] for row in tables["changes.csv"])  # first points are not a change
    page = summary.set_page.read_text()
    assert all(f"../feedback/{student}/challenge/challenge.html" in page for student in points)
    assert all((course / "feedback" / student / "challenge" / "challenge.html").is_file() for student in points)
    with Gradebook(f"sqlite:///{course}/gradebook.db", course.name) as gradebook:
        recorded = {submission["student"]: submission["score"] for submission in gradebook.submission_dicts("challenge")}
    assert recorded == points


def test_every_player_comes_as_far_as_expected(players):
    summary = players.summary
    reached = {student: in_short(report) for student, report in summary.challenge.reports.items()}
    assert reached == {student: expected.challenge for student, expected in expected_of(summary.ps).items()}


def difference(report, expected):
    """The sentences of a report that are not written down for this student; "" if there are none."""
    required = (exercise for exercise in report.exercises if not exercise.extra)
    lost = {exercise.id: exercise.outcome for exercise in required if exercise.outcome != "passed"}
    if (report.points, report.form) != (expected.points, expected.form):
        return f"{report.points} points, {report.form}, {lost}, {report.note}"
    if expected.lost not in (None, lost):
        return f"lost {lost}"
    sentences = [f"{check.line} {check.hint}" for exercise in report.exercises for check in exercise.checks]
    return "" if any(expected.says in text for text in [report.note, *sentences]) else f"said {report.note}"


def test_no_submission_touched_a_file_of_ours(graded):
    nothing_was_touched(graded)


def nothing_was_touched(graded: Graded) -> None:
    assert digest(ROOT / "tests" / "hidden") == graded.hidden
    assert digest(graded.course / "submitted") == graded.submitted


def test_copies_of_the_published_solution_are_named_to_staff_and_to_no_student(graded):
    """the right answers of the cast are our solution with one exercise in another style"""
    identical, words = graded.summary.identical, "published solution"
    assert identical.sound and identical.works + len(identical.unread) == len(SOME) and 3 < len(identical.by_student) < 15
    assert words in graded.summary.set_page.read_text()
    pages = [path for folder in ("feedback", "reports") for path in (graded.course / folder).rglob("*") if path.is_file()]
    tables = list(graded.course.glob("*.csv"))
    assert len(pages) > 2 * len(SOME) - 1 and len(tables) > 2
    assert [path for path in (*pages, *tables) if words in path.read_text(errors="replace")] == []


def test_a_second_run_changes_nothing(graded):
    course, summary = graded.course, graded.summary
    before = digest(course / "reports")
    again = grade_course(course, PS, workers=2)
    assert again.nothing_changed
    assert again.reports == summary.reports
    assert digest(course / "reports") == before


@pytest.mark.first_shows
@pytest.mark.parametrize("workers, some", [(1, ("gita", "petra", "umar")), (4, SOME)])
def test_the_number_of_workers_changes_no_byte(graded, tmp_path, workers, some):
    course = graded.course
    other = tmp_path / "course"
    for student in some:
        shutil.copytree(course / "submitted" / student, other / "submitted" / student)
    shutil.copy(course / "edition.secret", other)
    grade_course(other, PS, workers, feedback=False)
    there = digest(course / "reports")
    assert digest(other / "reports") == {name: there[name] for name in there if name.partition("/")[0] in some}
    rows = (course / "grades.csv").read_text().splitlines()
    assert (other / "grades.csv").read_text().splitlines() == [
        row for row in rows if row.partition(",")[0] in ("student", *some)]


def test_a_real_course_is_never_taken_for_the_demo(tmp_path):
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    with pytest.raises(UserError, match="is not a demo class"):
        build_demo(tmp_path, PS)
    assert (tmp_path / "submitted" / "ada").is_dir()


@pytest.mark.usefixtures("repetition")
def test_a_demo_that_was_cut_short_or_is_old_is_made_anew(tmp_path):
    course = build_demo(tmp_path / "course", PS)
    first = digest(course / "submitted")
    (course / ".demo").write_text("from another version\n")
    (course / "submitted" / "left over").mkdir()
    assert digest(build_demo(course, PS) / "submitted") == first
    assert not (course / "submitted" / "left over").exists()
