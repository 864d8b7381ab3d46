"""Opening the page of a class of a thousand in Chromium, against the two seconds that an instructor will wait."""
import tempfile
import time
from pathlib import Path
from statistics import median

from autograder.selftest.endurance.invented_class import invented_course, names
from bench import LIMIT, Row
from scripts import chromium

PS, STUDENTS, TURNS = "ps2_uct", 1000, 5
LIMIT_S, LIMIT_MB = 2.0, 3.0


def rows() -> list[Row]:
    """Seconds until the table says that every student is shown, and the size of the page."""
    with tempfile.TemporaryDirectory() as room:
        invented_course(Path(room), PS, names(STUDENTS))
        page = Path(room) / "report" / f"{PS}.html"
        seconds, megabytes = _opened(page), page.stat().st_size / 1e6
    how = (f"peer: the limit of {LIMIT_S:g} s; {STUDENTS} invented students, a page of {megabytes:.2f} MB (limit "
           f"{LIMIT_MB:g} MB), opened from a folder in Chromium, median of {TURNS} turns")
    return [Row("class_page", median(seconds), LIMIT_S, "s", 1.0, how, LIMIT)]


def _opened(page: Path) -> list[float]:
    from playwright.sync_api import sync_playwright

    seconds = []
    with sync_playwright() as playwright:
        browser = chromium.started(playwright)
        for _ in range(TURNS):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            tab, begin = context.new_page(), time.perf_counter()
            tab.goto(f"file://{page}")
            tab.get_by_text(f"{STUDENTS} of {STUDENTS} students shown").wait_for()
            seconds.append(time.perf_counter() - begin)
            context.close()
        browser.close()
    return seconds
