"""Each section and exercise of each page has an address: a link opens it, a reload stays there, and back goes back.

The board's and the games' addresses name positions: test_play.py and test_feedback_pages.py follow them.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.challenge.ladder import load_ladder
from autograder.pages.environment import TEMPLATES
from autograder.pages.student.challenge_page import challenge_page
from autograder.selftest.endurance.invented_class import invented_course, names
from tests.browser.test_feedback_pages import feedback_page, played
from tests.browser.test_staff_pages import leaderboard_in, similar_in
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

PS = "ps2_uct"
# By page, an address in the middle of a section, and whether the section is folded when the page opens.
INNER = {
    "student": ("ex-2-1", True), "class": ("ex-2-4", False), "course": (PS, False), "challenge": ("games-Stone", True),
    "leaderboard": ("player-search-", False), "player": ("player-network-", False), "similarity": ("pair-1", True),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files of the pages."""
    folder = tmp_path_factory.mktemp("addresses")
    invented_course(folder / "course", PS, names(12), missing=("zoe",))
    leaderboard = leaderboard_in(folder / "tournament")
    made = {"student": feedback_page(), "challenge": challenge_page("ada", played(), None, load_ladder())}
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made} | {
        "class": folder / "course" / "report" / f"{PS}.html", "course": folder / "course" / "report" / "index.html",
        "leaderboard": leaderboard, "player": leaderboard.with_name("player-search-.html"),
        "similarity": similar_in(folder / "similar"),
    }


def seen(page: Page, id: str) -> None:
    """Wait until the element with this id is in the window; nothing of a folded box is."""
    expect(page.locator(f"[id='{id}']")).to_be_in_viewport()


@pytest.mark.parametrize("name, width", [*((name, 1440) for name in INNER), *(again(name, 390) for name in INNER)])
def test_a_link_opens_its_section_a_reload_stays_and_back_goes_back(
    pages: dict[str, Path], new_page: Callable[..., Page], name: str, width: int
) -> None:
    page, address, (inner, is_folded) = new_page(width=width, height=500), pages[name].as_uri(), INNER[name]
    page.goto(address)
    if is_folded:
        page.evaluate("document.querySelectorAll('details').forEach(box => { box.open = false })")
        expect(page.locator(f"[id='{inner}']")).to_be_hidden()
    sections = page.eval_on_selector_all("h2", "heads => heads.filter(head => head.checkVisibility()).map(head => head.id)")
    assert sections and "" not in sections
    for section in sections:
        page.goto(f"{address}#{section}")
        seen(page, section)
    page.goto("about:blank")
    page.goto(f"{address}#{inner}")
    seen(page, inner)
    page.reload()
    seen(page, inner)
    page.evaluate("id => { location.hash = id }", sections[0])
    seen(page, sections[0])
    page.go_back()
    seen(page, inner)
    expect(page).to_have_url(f"{address}#{inner}")


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.glob("*.html")))
def test_every_section_of_a_template_has_an_address(template: str) -> None:
    """also those that only some pages have"""
    assert re.findall(r"<h2(?![^>]*\bid=).*", (TEMPLATES / template).read_text(encoding="utf-8")) == []


def test_a_link_to_a_student_who_is_filtered_out_shows_all_again(pages: dict[str, Path], browser_page: Page) -> None:
    browser_page.goto(f"{pages['class'].as_uri()}#find=nobody-has-this-name")
    row = browser_page.locator("table.students tbody tr")
    assert not row.first.is_visible()
    link = browser_page.locator(".help a").first
    to = link.get_attribute("href").removeprefix("#")
    link.click()
    seen(browser_page, to)
    browser_page.go_back()
    expect(row.first).to_be_hidden()
