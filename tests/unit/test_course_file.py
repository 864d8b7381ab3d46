"""course.toml: sets, due dates and the late rule, and a sentence about each way to write it wrongly."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from arena.errors import UserError
from autograder.gradebook.policy.course_file import CourseFile, LateRule, read_course_file
from autograder.problem_sets.source import load

WHOLE = """
[course]
sets = ["ps2_uct", "ps1_games"]
timezone = "Europe/Zurich"
[due]
ps2_uct = 2026-10-05T23:59:00
ps1_games = 2026-12-05T23:59:00Z
[late]
grace_minutes = 15
percent_per_day = 10
most_percent = 50
[points]
ps2_uct = 40
challenge = 12.5
[cpu_s]
ps2_uct = 12
"2.9" = 20
"1.4" = 0.5
[challenge]
highest = "Sand"
"""


def read(folder: Path, text: str) -> CourseFile:
    (folder / "course.toml").write_text(text, encoding="utf-8")
    return read_course_file(folder)


def test_a_whole_file(tmp_path):
    course = read(tmp_path, WHOLE)
    assert course.sets == ("ps2_uct", "ps1_games") and course.late == LateRule(15, 10, 50)
    assert course.due_in_utc("ps2_uct") == datetime(2026, 10, 5, 21, 59)  # summer time
    assert course.due_in_utc("ps1_games") == datetime(2026, 12, 5, 23, 59)
    assert course.due_in_utc("ps3_connect_four") is None and course.points == {"ps2_uct": 40.0, "challenge": 12.5}
    assert course.challenge == {"highest": "Sand"}
    limits = dict(course.settings_of(load("ps2_uct"))["cpu_s"])
    assert limits["2.9"] == 20 and limits["2.5"] == limits["joint"] == 12 and len(limits) == len(load("ps2_uct").exercises) + 1
    assert course.settings_of(load("ps1_games"))["cpu_s"] == (("1.4", 0.5),)
    assert course.settings_of(load("ps3_connect_four"))["cpu_s"] == ()


def test_without_a_file_nothing_is_due(tmp_path):
    course = read_course_file(tmp_path)
    assert len(course.sets) == 5 and not course.due and course.late is None


@pytest.mark.parametrize("text, sentence", [
    ("[course", "cannot be read"),
    ("[cpu_s]\nps2_uct = 0", r"\[cpu_s\] ps2_uct = 0 must be a number of seconds, more than 0 and at most 600"),
    ("[cpu_s]\nps2_uct = -3.5", "must be a number of seconds"),
    ("[cpu_s]\nps2_uct = nan", "must be a number of seconds"),
    ("[cpu_s]\nps2_uct = 601", "must be a number of seconds"),
    ("[cpu_s]\nps2_uct = true", "must be a number of seconds"),
    ('[cpu_s]\nps2_uct = "6"', "must be a number of seconds"),
    ('[cpu_s]\n"2.99" = 6', "has '2.99', which is neither a problem set nor an exercise"),
    ("[cpu_s]\nps9 = 6", "has 'ps9', which is neither"),
    ("[cpu_s]\n2.9 = 20", r'\[cpu_s\] 2.9 needs quotes: "2.9" = 20'),
    ("[dates]", "the file has 'dates'; valid names are course, due, released, late, tokens, points, "),
    ("late = 5", "late must be a table"),
    ("[course]\nset = []", r"\[course\] has 'set'; valid names are sets, timezone"),
    ("[course]\nsets = []", "is not a list of problem sets"),
    ('[course]\nsets = ["ps9"]', "sets has 'ps9'; valid names are ps1_games"),
    ('[course]\ntimezone = "Zurich"', "is not a time zone"),
    ('[course]\ntimezone = "../etc"', "is not a time zone"),
    ("[course]\ntimezone = 2", "is not a time zone"),
    ('[due]\nps2_uct = "2026-10-05"', "needs a day and a time, without quotes"),
    ("[due]\nps2_uct = 2026-10-05", "needs a day and a time"),
    ("[due]\nps2 = 2026-10-05T23:59:00", r"\[due\] has 'ps2'"),
    ("[late]\npercent_per_day = -10", "must be a number from 0 to 100"),
    ("[late]\nmost_percent = 150", "must be a number from 0 to 100"),
    ("[late]\ngrace_minutes = true", "must be a number"),
    ("[late]\ngrace_minutes = nan", "must be a number"),
    ("tokens = 3", "tokens must be a table"),
    ("[tokens]", r"\[tokens\] each = None must be a whole number from 0 to 100"),
    ("[tokens]\neach = 2.5", "must be a whole number"),
    ("[tokens]\neach = true", "must be a whole number"),
    ("[tokens]\neach = -1", "must be a whole number"),
    ("[tokens]\neach = 3\nhours = 0", "would move no due date"),
    ("[tokens]\neach = 3\nhours = nan", r"\[tokens\] hours = nan must be a number from 0 to 744"),
    ("[tokens]\neach = 3\ndays = 1", r"\[tokens\] has 'days'; valid names are each, hours"),
    ("[points]\nps2 = 5", r"\[points\] has 'ps2'; valid names are ps1_games"),
    ("[points]\nps2_uct = -5", r"\[points\] ps2_uct = -5 must be a number from 0"),
    ('[points]\nchallenge = "20"', "must be a number"),
    ("[challenge]\nrungs = 3", r"\[challenge\] has 'rungs'; valid names are highest, attempts"),
    ("[late]\ngrace = 5", r"\[late\] has 'grace'; valid names are grace_minutes"),
])
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path, text, sentence):
    with pytest.raises(UserError, match=sentence):
        read(tmp_path, text)


@pytest.mark.parametrize("late_by, lost", [
    (timedelta(0), 0), (timedelta(minutes=15), 0), (timedelta(minutes=15, seconds=1), 8), (timedelta(days=1), 8),
    (timedelta(days=1, seconds=1), 16), (timedelta(days=5), 40), (timedelta(days=10), 40), (timedelta(days=10, seconds=1), 80),
])
def test_each_day_that_has_begun_costs_its_share_of_the_earned_points(late_by, lost):
    assert LateRule(grace_minutes=15, percent_per_day=10, most_percent=50, last_day=10).penalty(80, late_by) == lost


def test_a_rule_without_values_takes_nothing():
    assert LateRule().penalty(80, timedelta(days=400)) == 0
