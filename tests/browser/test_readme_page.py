"""The README in a real browser, in GitHub's sizes: a column of 850 pixels beside 32 pixels of margin, or a phone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Page

from tests.browser.looks import fits, screenshot

ROOT = Path(__file__).resolve().parents[2]
WIDTHS = (390, 1440)
LOOK = """
:root { color-scheme: light dark; --ink: #1f2328; --page: #fff; --soft: #f6f8fa; --line: #d1d9e0; --link: #0969da }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f6fc; --page: #0d1117; --soft: #151b23; --line: #3d444d; --link: #4493f8 } }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif }
main { max-width: 850px; margin: 0 auto; padding: 32px } @media (max-width: 767px) { main { padding: 16px } }
a { color: var(--link) } img { max-width: 100% } p, ul, table, pre, blockquote { margin: 0 0 16px }
blockquote { padding: 0 1em; border-left: .25em solid var(--line) }
code { font: 85% "DejaVu Sans Mono", monospace; background: var(--soft); padding: .2em .4em }
pre { background: var(--soft); padding: 16px; overflow: auto; font-size: 85%; line-height: 1.45 }
pre code { padding: 0; font-size: 100% }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }
th, td { padding: 6px 13px; border: 1px solid var(--line) }
"""
CUT = "[...document.querySelectorAll('pre')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"


def readme_html() -> str:
    """The README as a page; its pictures are loaded from the repository."""
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render((ROOT / "README.md").read_text(encoding="utf-8"))
    head = f'<title>README</title><meta name="viewport" content="width=device-width"><base href="{ROOT.as_uri()}/">'
    return f'<!doctype html><html lang="en"><head>{head}<style>{LOOK}</style></head><body><main>{shown}</main></body></html>'


@pytest.fixture(scope="module")
def readme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("readme") / "readme.html"
    page.write_text(readme_html(), encoding="utf-8")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_readme_fits_a_phone_and_a_desk_and_cuts_no_code(
    readme: Path, new_page: Callable[..., Page], scheme: str
) -> None:
    page = new_page(color_scheme=scheme)
    page.goto(readme.as_uri())
    fits(page, WIDTHS)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        screenshot(page, f"readme_{width}_{scheme}", whole=True)
        assert page.evaluate(CUT) == []
    assert page.evaluate("[...document.images].filter(image => !image.naturalWidth || !image.alt).map(image => image.src)") == []


@pytest.mark.parametrize("motion, name", [("no-preference", "search.svg"), ("reduce", "search_still.svg")])
def test_the_picture_moves_unless_the_reader_wants_no_motion(
    readme: Path, new_page: Callable[..., Page], motion: str, name: str
) -> None:
    page = new_page(reduced_motion=motion)
    page.goto(readme.as_uri())
    picture = page.locator("picture img")
    assert picture.evaluate("image => image.currentSrc").endswith(f"/{name}")
    first = picture.screenshot()
    if motion == "no-preference":
        page.wait_for_timeout(2_700)  # the first frame ends after 2.5 s
        assert picture.screenshot() != first
