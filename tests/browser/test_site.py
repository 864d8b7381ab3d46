"""The site of everything, of real parts: no dead link, and no request that leaves it, from a folder and below a prefix."""

import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from arena.challenge.ladder import load_ladder
from autograder.course.pipeline import grade_course
from autograder.pages.student.challenge_page import challenge_page
from autograder.selftest.leaks import leaks
from scripts import chromium, lite
from scripts.site import Parts, assemble
from scripts.static_server import Served, serving
from tests.browser.looks import SCHEMES, fits, no_serious_fault, screenshot
from tests.browser.test_feedback_pages import played
from tests.once import once

pytestmark = pytest.mark.usefixtures("whole_world")

ADDRESS = "https://example.org/you/mcts"
SIZES = {390: 844, 1440: 900}
# What a browser loads by itself; where a reader may go by a click is everything else.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset")}
NOT_LOADED = {"canonical", "next", "prev", "search", "index", "author"}  # links that only say how pages belong together


@pytest.fixture(scope="module")
def site(documentation: Path, demo_class: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All parts, and a folder in the place of the board."""
    room = tmp_path_factory.mktemp("site")
    course, board = room / "course", room / "board"
    shutil.copytree(demo_class, course)
    grade_course(course, "ps2_uct", workers=2)
    (course / "feedback" / "ada" / "challenge").mkdir()
    page = challenge_page("ada", played(), None, load_ladder())
    (course / "feedback" / "ada" / "challenge" / "challenge.html").write_text(page, encoding="utf-8")
    board.mkdir()
    (board / "index.html").write_text("<!DOCTYPE html><html lang=en><title>Board</title><link rel=icon href=data:,></html>")
    tab = once(tmp_path_factory, "tab", lambda folder: lite.build(to=folder / "site")) / "site"
    assemble(Parts(documentation, {"ps2_uct": course}, tab, board), room / "made", ADDRESS)
    return room / "made"


@pytest.fixture(scope="module", params=["", "/name"])
def served(site: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    with serving(site, request.param) as server:
        yield server


@pytest.fixture(scope="module")
def browser(site: Path) -> Iterator[Browser]:
    """What the pages and their workers ask of another machine goes nowhere; `elsewhere` of a server would have it."""
    with serving(site) as nowhere, sync_playwright() as playwright:
        browser = chromium.started(playwright, chromium.proxy(nowhere.address))
        yield browser
        browser.close()
        assert nowhere.elsewhere == []


class Links(HTMLParser):
    """The addresses in a page: (tag, attribute, address)."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        value_of = dict(attributes)
        relation = (value_of.get("rel") or "").split()
        for name in ("href", "src", "srcset"):
            if value_of.get(name) and not (tag == "link" and NOT_LOADED & {*relation}):
                self.found.append((tag, name, value_of[name] or ""))


@pytest.fixture(scope="module")
def links(site: Path) -> list[tuple[Path, str, str, str]]:
    """Every address of every page, the pages of JupyterLite too."""
    return [(page, *link) for page in sorted(site.rglob("*.html")) for link in Links(page).found]


def test_each_link_of_each_page_leads_somewhere(site: Path, links: list[tuple[Path, str, str, str]]) -> None:
    lost = []
    for page, _, _, address in links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            continue
        target = page.parent / unquote(parts.path)
        if parts.path.startswith("/") or not target.resolve().is_relative_to(site.resolve()) or not target.exists():
            lost.append(f"{page.relative_to(site)}: {address}")
    assert lost == []
    assert len({page for page, *_ in links}) > 80


def test_no_page_loads_anything_from_elsewhere(site: Path, links: list[tuple[Path, str, str, str]]) -> None:
    asked = [f"{page.relative_to(site)}: {address}" for page, tag, name, address in links
             if (tag, name) in LOADED and urlsplit(address).scheme not in ("", "data")]
    assert asked == []


def of_the_front_page(site: Path) -> list[str]:
    """Where the front page leads, within the site."""
    addresses = (urlsplit(address) for tag, _, address in Links(site / "index.html").found if tag == "a")
    return [address.geturl() for address in addresses if address.path and not address.scheme]


def test_the_front_page_leads_to_each_part(site: Path) -> None:
    addresses = [address for tag, _, address in Links(site / "index.html").found if tag == "a"]
    assert {address.partition("/")[0] for address in of_the_front_page(site)} == {"board", "class", "docs", "tab"}
    assert {"tab/notebooks/index.html?path=ps2_uct.ipynb", "board/index.html", f"{ADDRESS}/releases"} <= {*addresses}
    assert any(address.startswith("class/") and address.endswith("/challenge.html") for address in addresses)
    text = (site / "index.html").read_text(encoding="utf-8")
    assert [address for address in addresses if address.startswith("#") and f'id="{address[1:]}"' not in text] == []
    assert "matplotlib" in text and not {*site.rglob("*secret*")}


def test_the_demo_class_shows_no_line_of_a_hidden_check_and_no_whole_solution(site: Path) -> None:
    assert [line for line in leaks(site / "class") if "tests/hidden" in line] == []
    of_students = [*(site / "class").glob("*/feedback/*/*/*")]
    assert len(of_students) > 20
    assert {path.name for path in of_students} == {"index.html", "challenge.html"}


def test_from_a_server_each_part_opens_and_asks_for_nothing_else(new_page: Callable[..., Page], served: Served, site: Path):
    page = new_page(reduced_motion="reduce")
    for address in ("index.html", *of_the_front_page(site)):
        page.goto(f"{served.address}/{address}")
        page.wait_for_load_state("networkidle")
        assert page.title()
    assert (served.elsewhere, [path for path in served.missing if not path.endswith("all.json")]) == ([], [])


def test_from_a_folder_too_but_for_the_tab_which_needs_a_server(new_page: Callable[..., Page], site: Path):
    page = new_page(reduced_motion="reduce")
    for address in ("index.html", *of_the_front_page(site)):
        if not address.startswith("tab/"):
            page.goto(f"{site.as_uri()}/{address}")
            assert page.title()


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_front_page_is_without_fault(new_page: Callable[..., Page], site: Path, width: int, scheme: str) -> None:
    page = new_page(width=width, height=SIZES[width], color_scheme=scheme, reduced_motion="reduce")
    page.goto((site / "index.html").as_uri())
    fits(page, (width,))
    no_serious_fault(page)
    screenshot(page, f"look_site_{width}_{scheme}")


def test_a_part_that_was_not_built_is_left_out(site: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    assemble(Parts(tmp_path / "docs", {"ps2_uct": site / "class" / "ps2_uct"}), tmp_path / "made")
    text = (tmp_path / "made" / "index.html").read_text(encoding="utf-8")
    assert not any(word in text for word in ("board/", "tab/", "matplotlib", "https://example.org"))
    assert "docs/docs/instructors.html" in text and "class/ps2_uct/report/ps2_uct.html" in text
