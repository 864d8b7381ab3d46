"""The picture of the days on which a set was handed in."""

import re
from pathlib import Path

from autograder.pages.course.class_page import Background, class_page
from autograder.pages.course.hand_in_days import MOST_BARS, HandInDays, picture
from tests.unit.test_items import report

DAYS = (0.5, 1.5, 1.9, *[6.5] * 6, 8.2)


def drawn(times: HandInDays) -> str:
    return str(picture(times))


def bars(text: str) -> list[tuple[float, float]]:
    """Of each bar its place and its height."""
    return [(float(x), float(height)) for x, height in re.findall(r'<rect class="dot" x="([\d.]+)".*?height="([\d.]+)"/>', text)]


def test_each_day_has_a_bar_and_the_due_date_a_line() -> None:
    text = drawn(HandInDays(DAYS, 12, 7.0, from_release=True))
    assert 'aria-label="day 0: 1; day 1: 2; day 6: 6; day 8: 1"' in text and "at most 6 in 1 day" in text
    places, heights = zip(*bars(text), strict=True)
    assert [round(height / max(heights), 2) for height in heights] == [0.17, 0.33, 1.0, 0.17]
    line = float(re.search('class="due" x1="([0-9.]+)"', text)[1])
    assert places[2] < line < places[3]
    assert HandInDays(DAYS, 12, 7.0, from_release=True).in_words == (
        "Hand-ins by days since students got the set; the line is the due date. Half of them were there after 6.5 days. "
        "Of 2 hand-ins no time is known.")


def test_without_a_first_day_the_due_date_is_the_beginning() -> None:
    times = HandInDays(tuple(day - 7 for day in DAYS), 10, 0.0, from_release=False)
    assert 'aria-label="7 days before: 1; 6 days before: 2; 1 day before: 6; 1 day after: 1"' in drawn(times)
    assert times.in_words.endswith("the line is the due date. Half of them were there 0.5 days before it.")


def test_few_times_and_less_than_half_of_them_show_nothing() -> None:
    assert picture(None) is None and picture(HandInDays(DAYS[:9], 9, 7.0, from_release=True)) is None
    assert picture(HandInDays(DAYS, 21, 7.0, from_release=True)) is None
    assert picture(HandInDays(DAYS, 20, 7.0, from_release=True)) is not None


def test_many_days_share_bars_and_no_due_date_has_no_line() -> None:
    text = drawn(HandInDays((*DAYS, 300.0), 11, None, from_release=True))
    assert "in 8 days" in text and 'class="due"' not in text and len(bars(text)) <= MOST_BARS + 1
    assert len(bars(drawn(HandInDays([2.0] * 10, 10, 2.0, from_release=True)))) == 1


def test_it_stands_on_the_page_of_the_class(tmp_path: Path) -> None:
    reports = {"ada": report(True, False)}
    page = class_page(tmp_path, "ps2_uct", "Set 2", reports, [], None, Background(times=HandInDays(DAYS, 10, 7.0, True)))
    assert page.count("Hand-ins by days since students got the set") == 1
    assert "Hand-ins by days" not in class_page(tmp_path, "ps2_uct", "Set 2", reports, [], None, Background())
