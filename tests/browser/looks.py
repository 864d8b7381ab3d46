"""What every page must show in a browser: no serious fault of access, and no page wider than its window."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SCREENSHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"
WIDTHS = (360, 1440)                # CSS pixels: a small phone, a desk
SCHEMES = ("light", "dark")
screenshots_wanted = False          # a screenshot costs more than the rest of a test: conftest.py asks for the option
SERIOUS = {"serious", "critical"}   # axe's words for what keeps people out


def no_serious_fault(page: Page) -> None:
    """Fail if axe-core finds a fault that it calls serious or critical."""
    faults = [fault for fault in Axe().run(page).response["violations"] if fault["impact"] in SERIOUS]
    sentences = [f"{fault['id']}: {fault['help']}: {[node['html'][:120] for node in fault['nodes'][:3]]}" for fault in faults]
    assert not sentences, "\n".join(sentences)


def fits(page: Page, widths: tuple[int, ...] = WIDTHS) -> None:
    """Fail if the page, at one of these widths in CSS pixels, is wider than the window."""
    before = page.viewport_size
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        wide, shown = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= shown, f"at {width} px the page is {wide} px wide"
    if before:
        page.set_viewport_size(before)


def screenshot(page: Page, name: str, *, whole: bool = False) -> None:
    """With the option --screenshots: save the page as build/screenshots/<name>.png; `whole`: also what is below the fold."""
    if screenshots_wanted:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)
