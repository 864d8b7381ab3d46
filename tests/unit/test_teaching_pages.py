"""The pages of docs/teaching: hours and points by the lessons, mistakes by the banks, pictures by their command."""

import re
import shlex
from pathlib import Path

import pytest

from arena.shipped import set_number
from autograder.gradebook.policy.course_file import read_course_file
from autograder.problem_sets.source import load, names, released
from scripts.slides import FOLDER, QUICK, every

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "teaching"
SYLLABI = (PAGES / "syllabi.md").read_text(encoding="utf-8").split("\n## ")
WEEK = re.compile(r"^\| (\d) \| [^|]+ \| (\w+) \| ([^|]*)\| ([^|]+) \| (\d+) \|", re.M)
HEADLINE = ["2 weeks", "5 weeks", "8 weeks"]


def number(exercise: str) -> int:
    return int(exercise.partition(".")[2])


def parts(ps: str) -> list[tuple[int, int, int]]:
    """The rows of a lesson's table: first and last exercise, minutes; an exercise's number is what follows the point.

    Without the optional exercise: a syllabus leaves it to the students.
    """
    optional = {exercise.id for exercise in load(ps).exercises if exercise.extra}
    text = "\n".join(cell.stub for cell in load(ps).cells)
    rows = re.findall(r"^\| [^|]+ \| (\d+\.[^|]+) \| [^|]+ \| (\d+) min \|$", text, re.M)
    spans = []
    for exercises, minutes in rows:
        if exercises not in optional:
            ids = [number(digits) for digits in re.findall(r"\d+\.\d+", exercises)]
            spans.append((ids[0], ids[-1], int(minutes)))
    return spans


def minutes_of(ps: str, first: int, last: int) -> int:
    whole = [(a, b) for a, b, _ in parts(ps) if first <= a and b <= last]
    touched = [(a, b) for a, b, _ in parts(ps) if first <= b and a <= last]
    assert whole == touched, f"{ps}: a part of the lesson is cut in two"
    return sum(minutes for a, b, minutes in parts(ps) if (a, b) in whole)


def points_of(ps: str, first: int, last: int) -> int:
    """The automatic points of these exercises; the joint check belongs to the weeks that end the set."""
    lesson = load(ps)
    required = [exercise for exercise in lesson.exercises if not exercise.extra]
    total = sum(exercise.points for exercise in required if first <= number(exercise.id) <= last)
    return total + (100 - sum(exercise.points for exercise in required) if last >= parts(ps)[-1][1] else 0)


def titles(ps: str, home: bool) -> list[str]:
    """The titles of a set's wrong answers, with their exercises; with `home` of those alone that are natural mistakes."""
    bank = (ROOT / "tests" / "wrong" / f"{ps}.py").read_text(encoding="utf-8")
    return re.findall(r"^# %% (.+)\n(?:# .+\n)*# home$" if home else r"^# %% (.+)$", bank, re.M)


def words(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def weeks(text: str) -> list[tuple[str, str, int, int, str, int]]:
    """The rows of a syllabus: set, week, minutes by the lesson, points by the lesson; and what the page says."""
    table = []
    for week, ps, exercises, hours, points in WEEK.findall(text):
        if ps == "challenge":
            row = re.search(r"^\| \[Final challenge\].*\| (\d+) \| (\d+) \|$", (ROOT / "README.md").read_text(), re.M)
            minutes, right = 60 * int(row[1]), int(row[2])
        else:
            first, last = (number(digits) for digits in re.findall(r"\d+\.\d+", exercises))
            minutes, right = minutes_of(ps, first, last), points_of(ps, first, last)
        table.append((week, ps, minutes, right, hours, int(points)))
    return table


@pytest.mark.parametrize("text", SYLLABI[1:], ids=HEADLINE)
def test_hours_and_points_of_a_syllabus_are_those_of_the_lessons(text: str) -> None:
    rows = weeks(text)
    assert [row[0] for row in rows] == [str(week + 1) for week in range(int(text[0]))]
    assert [(hours, points) for *_, hours, points in rows] == [(words(minutes), right) for _, _, minutes, right, _, _ in rows]
    for ps in {ps for _, ps, *_ in rows}:
        assert sum(points for _, name, *_, points in rows if name == ps) == 100
        if ps != "challenge":
            assert sum(minutes for _, name, minutes, *_ in rows if name == ps) == sum(minutes for *_, minutes in parts(ps))


def test_the_table_above_the_syllabi_adds_up() -> None:
    each = [[minutes for _, _, minutes, *_ in weeks(text)] for text in SYLLABI[1:]]
    totals, longest = (" | ".join(words(of(minutes)) for minutes in each) for of in (sum, max))
    assert f"| hours of a student | {totals} |\n| the longest week | {longest} |" in SYLLABI[0]


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("text", SYLLABI[1:], ids=HEADLINE)
def test_command_and_course_file_of_a_syllabus_fit_its_table(text: str, tmp_path: Path) -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", text, re.S)
    (tmp_path / "course.toml").write_text(toml)
    course = read_course_file(tmp_path)
    sets = tuple(dict.fromkeys(ps for _, ps, *_ in weeks(text) if ps != "challenge"))
    (command,) = re.findall(r"^    (make course .*)$", text, re.M)
    given = dict(word.split("=", 1) for word in shlex.split(command) if "=" in word)
    assert tuple(given["SETS"].split(",")) == course.sets == sets
    due_dates = {ps: f"{due:%Y-%m-%dT%H:%M}" for ps, due in course.due.items()}
    assert dict(entry.split("=") for entry in given["DUE"].split(",")) == due_dates
    assert sum(course.points.values()) == 100 and set(course.points) == {*sets, "challenge"}
    for week, ps, *_ in weeks(text):  # the due date is the Sunday of the set's last week, counted from Monday, October 5
        if f"| Sunday of week {week} |" in text and ps in course.due and ps not in {p for w, p, *_ in weeks(text) if w > week}:
            assert (course.due[ps].date() - course.due[sets[0]].date()).days == 7 * (int(week) - 1)


@pytest.mark.parametrize("ps", names())
def test_each_mistake_is_one_of_the_banks_and_counted_right(ps: str) -> None:
    # the wrong answers of an optional exercise are weak checks
    optional = tuple(f"{exercise.id}: " for exercise in load(ps).exercises if exercise.extra)
    natural, wrong = ([title for title in titles(ps, home) if not title.startswith(optional)] for home in (True, False))
    checks = "\n".join(cell.stub for cell in load(ps).cells if cell.role == "check")
    checks += (ROOT / "arena" / "check.py").read_text(encoding="utf-8")  # where some questions of all sets stand
    asked = re.sub(r'"\s*f?"', "", checks)  # a string that goes on in the next line
    head, *mistakes = (PAGES / f"{ps}.md").read_text(encoding="utf-8").split("\n### Mistake ")
    assert f"\nOur {len(natural)} *natural mistakes* of this set" in head
    listed = [title for text in mistakes for title in re.findall(r"^- (\d+\.\d+: .+)$", text, re.M)]
    assert len(mistakes) == 3 and len(listed) == len(set(listed)) and set(listed) <= set(natural)
    for text in mistakes:
        plain = " ".join(text.split())
        n, of, share = map(int, re.search(r"\*\*(\d+) of (\d+)\*\* natural mistakes \((\d+) %\)", plain).groups())
        assert (n, of) == (len(re.findall(r"^- \d+\.\d+: ", text, re.M)), len(natural)) and share == round(100 * n / of)
        counted_words = re.compile(
            r"\*\*(\d+) %\*\* of the wrong answers in our bank have one of these words in their title: ([^.]+)\.")
        percent, title_words = counted_words.search(plain).groups()
        searched = "|".join(map(re.escape, re.findall(r"`([^`]+)`", title_words)))
        counted = sum(bool(re.search(rf"\b({searched})\b", title.partition(": ")[2])) for title in wrong)
        assert int(percent) == round(100 * counted / len(wrong)), f"docs/teaching/{ps}.md: {title_words}"
        assert re.search(r"> Think about: (.*)", text)[1] in asked


@pytest.mark.parametrize("ps", names())
def test_a_seminar_has_five_questions_and_ninety_minutes(ps: str) -> None:
    text = (PAGES / f"{ps}.md").read_text(encoding="utf-8")
    assert re.findall(r"<summary>(\d)\. ", text) == ["1", "2", "3", "4", "5"]
    assert sum(int(minutes) for minutes in re.findall(r"^\| (\d+) \| ", text.partition("## 90 minutes")[2], re.M)) == 90


def test_every_picture_is_shown_with_its_own_words_and_two_at_least_for_each_set() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(every())
    for ps in released():
        shown = re.findall(r"!\[([^\]]+)\]\(figures/(\w+)\.svg\)", (PAGES / f"{ps}.md").read_text(encoding="utf-8"))
        drawn = {name for name in every() if set_number(name) == set_number(ps)}
        assert {name for _, name in shown} == drawn and len(shown) >= 2
        for words_beside, name in shown:
            assert words_beside in (FOLDER / f"{name}.svg").read_text(encoding="utf-8").replace("&#x27;", "'")


@pytest.mark.parametrize("name", sorted(set(QUICK) - {"ps2_trap"}))
def test_the_command_draws_the_pictures_that_are_checked_in(name: str) -> None:
    """Those without a network, whose last digits may differ between machines, and without the longest search."""
    assert QUICK[name]().svg() == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
