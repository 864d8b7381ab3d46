"""Each student's own due date: what moves it, who is told, and that no run, in whatever order, counts anything twice."""

import csv
import json
from datetime import UTC, datetime

import pytest

from autograder.course.class_times import hand_in_days
from autograder.course.feedback import feedback
from autograder.course.storage.report_store import ReportStore
from autograder.gradebook.course import prepare
from autograder.gradebook.due_dates import DueDates, own_due_dates
from autograder.gradebook.extension import extend
from autograder.gradebook.marks.final_marks import final_text
from autograder.gradebook.marks.read_marks import read_marks
from autograder.gradebook.policy.more_time import FILE, hours_text
from autograder.pages.course.hand_in_days import HandInDays
from tests.commands import autograder_here
from tests.gradebook.conftest import PS, SmallClass
from tests.speeds import again

OTHER = "ps1_games"
COURSE = f"""
[course]
sets = ["{OTHER}", "{PS}"]
[due]
{OTHER} = 2026-01-20T12:00:00
{PS} = 2026-02-03T12:00:00
[late]
grace_minutes = 15
percent_per_day = 10
most_percent = 50
"""
TOKENS = "[tokens]\neach = 3\nhours = 24\n"
ROSTER = "id,first_name,last_name,more_days\nada,Ada,Lovelace,2\nbob,Bob,Noyce,\ncyd,Cyd,,0.5\n"


@pytest.fixture
def course(small_class: SmallClass) -> SmallClass:
    (small_class.folder / "course.toml").write_text(COURSE)
    (small_class.folder / "roster.csv").write_text(ROSTER)
    prepare(small_class.folder, PS)
    return small_class


def run(course: SmallClass, *students: str) -> dict[str, tuple[float, float | None]]:
    """Record the students as a run does; return the hours of extension and the penalty of each."""
    course.record(**{student: course.report(student) for student in students})
    return {student: (entry["extension"].total_seconds() / 3600 if entry["extension"] else 0.0, entry["penalty"])
            for student, entry in course.standings().items()}


def logged(course: SmallClass, command: str) -> list[dict]:
    path = course.folder / "log.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [entry for entry in entries if entry["command"] == command]


def final(course: SmallClass, now: str = "2026-06-01") -> dict[str, dict[str, str]]:
    with course.gradebook() as gradebook:
        marks = read_marks(course.folder, gradebook, datetime.fromisoformat(now).replace(tzinfo=UTC))
    return {row["student"]: row for row in csv.DictReader(final_text(marks).splitlines())}


def late_by(days: float) -> str:
    """A hand-in so many days, and half an hour, after the due date of the set."""
    day, rest = divmod(days, 1)
    return f"2026-02-{3 + int(day):02} {12 + int(rest * 24):02}:30:00 UTC"


def test_a_standing_accommodation_holds_without_a_word_from_anybody(course: SmallClass) -> None:
    for student in ("ada", "bob", "cyd"):
        course.hand_in(student, timestamp=late_by(1))
    assert run(course, "ada", "bob", "cyd") == {"ada": (48.0, None), "bob": (0.0, 20.0), "cyd": (12.0, 10.0)}
    said = [(entry["student"], entry["standing_hours"]) for entry in logged(course, "accommodation")]
    assert said == [("ada", 48), ("cyd", 12)]
    for _ in range(2):  # nothing is counted twice, nor logged
        assert run(course, "ada", "bob", "cyd")["ada"] == (48.0, None)
    assert len(logged(course, "accommodation")) == 2
    rows = final(course)
    assert f"{PS}: due later (2 days more in every set)" in rows["ada"]["note"]
    assert "due later" not in rows["bob"]["note"] and "tokens_left" not in rows["ada"]


def test_percents_are_of_the_time_of_each_set(course: SmallClass) -> None:
    """a quarter of two weeks, and of ten days and an hour; a part of an hour counts as a whole one"""
    folder = course.folder
    (folder / "roster.csv").write_text("id,more_days,more_percent\nada,,25\nbob,1,50 %\ncyd,,\n")
    assert f"does not say when {OTHER} was handed out: write {OTHER} = " in refused("course", folder)
    (folder / "course.toml").write_text(f"{COURSE}[released]\n{PS} = 2026-01-20T12:00:00\n{OTHER} = 2026-01-10T11:00:00\n")
    for student in ("ada", "bob", "cyd"):
        course.hand_in(student, timestamp=late_by(3))
    assert run(course, "ada", "bob", "cyd") == {"ada": (84.0, None), "bob": (192.0, None), "cyd": (0.0, 40.0)}
    assert run(course, "ada", "bob", "cyd")["bob"] == (192.0, None)  # nothing is counted twice
    assert f"{PS}: due later (1 day more in every set, 7 days more for the time of this set)" in final(course)["bob"]["note"]
    with course.gradebook() as gradebook:
        dates = DueDates(folder, gradebook)
        assert [dates.of(student, OTHER).hours for student in ("ada", "bob", "cyd")] == [61, 145, 0]
        assert list(own_due_dates(dates, PS)) == ["ada", "bob"]
    (folder / "roster.csv").write_text("id,more_percent\nada,a quarter\n")
    assert "line 2: more_percent is 'a quarter': write how many percent more time 'ada'" in refused("staff", "due", folder)
    (folder / "roster.csv").unlink()
    (folder / "course.toml").write_text(f"{COURSE}[released]\n{PS} = 2026-02-04T12:00:00\n")
    assert f"[released] {PS} must be before its due date, 2026-02-03 12:00" in refused("staff", "due", folder)


def refused(*words: object) -> str:
    done = autograder_here(*words, *(["--ps", PS] if words[0] == "staff" else []))
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stdout + done.stderr
    return done.stderr


def test_an_extension_comes_on_top_and_is_all_that_its_end_takes_away(course: SmallClass) -> None:
    extend(course.folder, PS, {"ada": 24, "bob": 24})  # before the hand-in
    for student in ("ada", "bob"):
        course.hand_in(student, timestamp=late_by(2))
    assert run(course, "ada", "bob") == {"ada": (72.0, None), "bob": (24.0, 20.0)}
    extend(course.folder, PS, {"ada": 1, "bob": 48})
    assert run(course, "ada", "bob") == {"ada": (49.0, None), "bob": (48.0, 10.0)}
    extend(course.folder, PS, {"ada": 0})
    assert run(course, "ada", "bob")["ada"] == (48.0, 10.0)
    (course.folder / "roster.csv").write_text(ROSTER.replace("Lovelace,2", "Lovelace,"))
    assert run(course, "ada", "bob")["ada"] == (0.0, 30.0)
    extend(course.folder, PS, {"ada": 5})
    assert run(course, "ada", "bob")["ada"][0] == 5.0


def test_an_extension_of_an_older_course_stays_below_an_accommodation_that_comes_later(course: SmallClass) -> None:
    (course.folder / "roster.csv").unlink()
    course.hand_in("ada", timestamp=late_by(2))
    run(course, "ada")
    extend(course.folder, PS, {"ada": 24})
    assert run(course, "ada")["ada"] == (24.0, 20.0) and not (course.folder / FILE).exists()
    (course.folder / "roster.csv").write_text(ROSTER)
    assert run(course, "ada")["ada"] == (72.0, None)
    with course.gradebook() as gradebook:  # by nbgrader's own means
        gradebook.grant_extension(PS, "ada", hours=3)
    assert run(course, "ada")["ada"] == (51.0, None)


def test_a_run_that_ends_between_file_and_gradebook_counts_nothing_twice(course: SmallClass) -> None:
    course.hand_in("ada", timestamp=late_by(0))
    (course.folder / "roster.csv").write_text(ROSTER.replace("Lovelace,2", "Lovelace,"))
    run(course, "ada")
    extend(course.folder, PS, {"ada": 10})
    (course.folder / "roster.csv").write_text(ROSTER)
    run(course, "ada")
    with course.gradebook() as gradebook:  # as it was before
        gradebook.grant_extension(PS, "ada", hours=10)
    assert run(course, "ada")["ada"] == (58.0, None)


def test_a_set_is_open_for_those_who_have_more_days(course: SmallClass) -> None:
    course.hand_in("bob", timestamp=late_by(-1))
    run(course, "bob")
    rows = final(course, "2026-02-04")
    assert rows["ada"]["note"] == f"{PS}: open until 2026-02-05 12:00 UTC, not in the total"
    assert rows["cyd"]["note"] == f"{PS}: nothing handed in"


@pytest.mark.parametrize("rest, late, spent, penalty", [
    again("", 0, {PS: 1}, None), again("", 1, {PS: 2}, None), ("", 4, {PS: 3}, 20.0),
    again("", 9, {}, 50.0),  # 10 days begun; 7 with all three: half the points all the same
    ("last_day = 7\n", 9, {PS: 3}, 50.0)])
def test_tokens_are_taken_as_few_as_save_most(course: SmallClass, rest: str, late: int, spent: dict, penalty: float) -> None:
    (course.folder / "course.toml").write_text(COURSE + rest + TOKENS)
    course.hand_in("bob", timestamp=late_by(late))
    hours = 24.0 * sum(spent.values())
    assert run(course, "bob") == {"bob": (hours, penalty)} == run(course, "bob")
    with course.gradebook() as gradebook:
        assert dict(DueDates(course.folder, gradebook).spent("bob")) == spent
    row = final(course)["bob"]
    assert (row["tokens_used"], row["tokens_left"]) == (str(sum(spent.values())), str(3 - sum(spent.values())))
    assert [(entry["tokens"], entry["old"]) for entry in logged(course, "tokens")] == [(number, 0) for number in spent.values()]


def test_the_set_that_is_due_first_takes_its_tokens_first(course: SmallClass) -> None:
    """also if it is handed in, graded and noticed last"""
    (course.folder / "course.toml").write_text(COURSE + TOKENS)
    course.hand_in("bob", timestamp=late_by(1))
    assert run(course, "bob")["bob"] == (48.0, None)
    first = course.folder / "submitted" / "bob" / OTHER
    first.mkdir()
    (first / "timestamp.txt").write_text("2026-01-21 13:00:00 UTC")
    assert run(course, "bob")["bob"] == (24.0, 10.0)
    (first / "timestamp.txt").write_text("2026-01-20 12:14:00 UTC")  # in the minutes of grace
    assert run(course, "bob")["bob"] == (48.0, None)
    (course.folder / "course.toml").write_text(COURSE)  # no tokens any more
    assert run(course, "bob")["bob"] == (0.0, 20.0)
    assert [entry["tokens"] for entry in logged(course, "tokens")] == [2, 1, 2, 0]


def test_tokens_do_not_pay_for_what_an_extension_gives(course: SmallClass) -> None:
    (course.folder / "course.toml").write_text(COURSE + TOKENS)
    course.hand_in("ada", timestamp=late_by(2))
    assert run(course, "ada")["ada"] == (72.0, None)  # two days in every set, one token
    extend(course.folder, PS, {"ada": 24})
    assert run(course, "ada")["ada"] == (72.0, None)
    with course.gradebook() as gradebook:
        dates = DueDates(course.folder, gradebook)
        assert dates.spent("ada") == {}
        assert dates.sentence("ada", PS, dates.of("ada", PS)) == (
            "Due 2026-02-03 12:00 UTC, and 2026-02-06 12:00 UTC for you (2 days more in every set, 1 day more by an extension).")


def test_hours_read_as_people_say_them() -> None:
    assert [hours_text(hours) for hours in (1, 12, 24, 36, 48, 72.5)] == [
        "1 hour", "12 hours", "1 day", "36 hours", "2 days", "72.5 hours"]


def test_the_students_page_says_it(course: SmallClass) -> None:
    (course.folder / "course.toml").write_text(COURSE + TOKENS)
    for student, days in (("ada", 2), ("bob", 4), ("cyd", -1)):
        course.hand_in(student, timestamp=late_by(days))
        ReportStore(course.folder, PS).put(student, course.report(student), {})
    run(course, "ada", "bob", "cyd")
    feedback(course.folder, PS)
    pages = {student: (course.folder / "feedback" / student / PS / "index.html").read_text() for student in ("ada", "bob", "cyd")}
    assert ("Due 2026-02-03 12:00 UTC, and 2026-02-06 12:00 UTC for you (2 days more in every set, 1 late-day token of 1 day). "
            f"Late-day tokens of 1 day: 2 of 3 left (1 for {PS}).") in pages["ada"]
    assert "(3 late-day tokens of 1 day); handed in 1 day 30 minutes after that." in pages["bob"]
    assert "late: 20 taken off" in pages["bob"] and "taken off" not in pages["ada"]
    assert 'lead">Due 2026-02-03 12:00 UTC, and 2026-02-04 00:00 UTC for you (12 hours more in every set). Late-day' in (
        pages["cyd"])


def test_staff_see_it_before_the_next_run(course: SmallClass) -> None:
    (course.folder / "course.toml").write_text(COURSE + TOKENS)
    course.hand_in("bob", timestamp=late_by(1))
    extend(course.folder, PS, {"cyd": 24})
    done = autograder_here("staff", "due", course.folder, "--ps", PS)
    assert done.returncode == 0 and done.stdout.splitlines() == [
        "ada (Ada Lovelace): Due 2026-02-03 12:00 UTC, and 2026-02-05 12:00 UTC for this student (2 days more in every set).",
        "bob (Bob Noyce): Due 2026-02-03 12:00 UTC, and 2026-02-05 12:00 UTC for this student (2 late-day tokens of 1 day).",
        "cyd (Cyd): Due 2026-02-03 12:00 UTC, and 2026-02-05 00:00 UTC for this student (12 hours more in every set, "
        "1 day more by an extension).",
        f"bob (Bob Noyce): Late-day tokens of 1 day: 1 of 3 left (2 for {PS}).",
        f"{PS} is due 2026-02-03 12:00 UTC for everybody else"]
    assert not (course.folder / FILE).exists()
    run(course, "bob")
    with course.gradebook() as gradebook:
        assert list(own_due_dates(DueDates(course.folder, gradebook), PS)) == ["ada", "bob", "cyd"]


def test_the_days_of_the_hand_ins_have_a_team_once(course: SmallClass) -> None:
    folder = course.folder
    (folder / "teams.csv").write_text("id,team\nada,red\nbob,red\n")
    course.hand_in("bob", timestamp=late_by(1))
    course.hand_in("cyd")
    for begin, due, days in (("", 0, 1), ("[released]\nps2_uct = 2026-01-31T12:30:00\n", 3 - 1 / 48, 4)):
        (folder / "course.toml").write_text(COURSE + begin)
        with course.gradebook() as gradebook:
            times = hand_in_days(DueDates(folder, gradebook), PS, ["ada", "bob", "cyd"])
        assert times == HandInDays((pytest.approx(days + (0 if begin else 1 / 48)),), 2, pytest.approx(due), bool(begin))
    (folder / "course.toml").write_text(f"[course]\nsets = ['{PS}']\n")
    prepare(folder, PS)
    with course.gradebook() as gradebook:
        assert hand_in_days(DueDates(folder, gradebook), PS, ["cyd"]) is None
