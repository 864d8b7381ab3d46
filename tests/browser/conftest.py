"""A real Chromium for the tests of pages, which reports console errors and requests that leave the machine."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, expect, sync_playwright

from scripts import chromium
from tests.browser import looks
from tests.browser.documentation import BUILT, build
from tests.once import once

HERE = {"127.0.0.1", "localhost", "::1", None, ""}     # "": files, data and blobs
expect.set_options(timeout=60_000)     # five seconds, its own choice, are short on a machine that runs other tests as well


def pytest_configure(config: pytest.Config) -> None:
    looks.screenshots_wanted = config.getoption("--screenshots")


@pytest.fixture(scope="session")
def documentation(whole_world: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built documentation. Two tests at once must not build it: they would write the same files."""
    once(tmp_path_factory, "documentation", build)
    return BUILT


@pytest.fixture(scope="module")
def browser(processes: None) -> Iterator[Browser]:
    """One browser for the tests of a file. Its event loop must end with them: a notebook could not run beside it."""
    with sync_playwright() as playwright:
        try:
            browser = chromium.started(playwright)
        except FileNotFoundError as error:
            pytest.fail(str(error), pytrace=False)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page in a context of its own, `new_page(color_scheme="dark")`.

    At the end of the test every page must have been silent: no error in the console, no exception in a script, no request
    that leaves the machine. What a test itself provokes it takes out of `page.faults`.
    """
    contexts: list[BrowserContext] = []
    pages: list[Page] = []

    def open_page(width: int = 1440, height: int = 900, **settings: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)     # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.faults = []     # type: ignore[attr-defined]
        _listen(page)
        pages.append(page)
        return page

    yield open_page
    faults = [fault for page in pages for fault in page.faults]     # type: ignore[attr-defined]
    for context in contexts:
        context.close()
    assert not faults, faults


def _listen(page: Page) -> None:
    faults: list[str] = page.faults     # type: ignore[attr-defined]

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text}")

    def on_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in HERE:
            faults.append(f"request leaves the machine: {request.url}")

    def on_error(error: Error) -> None:
        faults.append(f"exception: {error}")

    page.on("console", on_console)
    page.on("request", on_request)
    page.on("pageerror", on_error)


@pytest.fixture
def browser_page(new_page: Callable[..., Page]) -> Page:
    """A light page, 1440 pixels wide."""
    return new_page()
