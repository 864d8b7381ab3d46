"""Problem sets in a browser's tab: JupyterLite is really built, and a student solves whole sets in it, with no other server."""

import json
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from arena.show.guess import SKIP
from arena.tab import SENTENCE
from autograder.grading.edition import public_secret
from autograder.grading.grade import Settings, grade_submission
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from scripts import chromium, lite
from scripts.static_server import Served, serving
from tests.browser.looks import screenshot
from tests.browser.test_jupyter import play_by_clicks
from tests.once import once

pytestmark = pytest.mark.usefixtures("whole_world")

SETS = ["ps2_uct", "ps3_connect_four"]
PREFIX = "/a/course"  # a site may lie anywhere on its server
READY_MS, CELL_MS = 180_000, 300_000
MOST_MB = 30  # sent to a browser that comes for the first time, by a server that compresses nothing


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "tab", lambda folder: lite.build(to=folder / "site")) / "site"


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[Served]:
    with serving(site, PREFIX) as server:
        yield server


@pytest.fixture(scope="module")
def browser(served: Served) -> Iterator[Browser]:
    """Here the pages' workers too ask our server for everything that is elsewhere, and it refuses."""
    with sync_playwright() as playwright:
        browser = chromium.started(playwright, chromium.proxy(served.address))
        yield browser
        browser.close()


def test_numpy_is_the_same_in_a_tab_at_home_and_in_grading(site: Path):
    """Pyodide's distribution, which only `make lite PUBLISHED=1` asks, has one numpy: a newer Pyodide must fit our pin."""
    with tarfile.open(lite.BUILD / f"pyodide-{lite.PYODIDE}.tgz") as archive:
        listed = json.load(archive.extractfile("package/pyodide-lock.json"))["packages"]
    assert f"numpy=={listed['numpy']['version']}" in (lite.REPOSITORY / "requirements.lock").read_text().split()
    assert {"numpy", "pillow", "contourpy"} < {*lite._with_needs(lite.DRAWING, listed)}


def opened(page: Page, served: Served, ps: str) -> None:
    """Open a problem set, and wait until Python itself answers."""
    page.set_default_timeout(CELL_MS)
    page.goto(f"{served.address}/notebooks/index.html?path={ps}.ipynb")
    page.locator("#hand-in[data-python=ready]").wait_for(timeout=READY_MS, state="attached")


def run(page: Page, number: int, source: str | None = None) -> Locator:
    """Run a code cell as a student does, with `source` typed in place of what is in it; return the cell when it has run."""
    cell = page.locator(".jp-CodeCell").nth(number)
    cell.scroll_into_view_if_needed()
    cell.locator(".jp-InputPrompt").click()  # a check is folded: there is nothing to click but this
    if source is not None:
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(source)
    page.keyboard.press("Shift+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"), timeout=CELL_MS)
    return cell


def typed(source: str, solution: str) -> str | None:
    """Return what a student types into a cell; None: nothing."""
    if source != solution:
        return solution
    return re.sub(r"^guess = .*", f'guess = "{SKIP}"', source) if source.startswith("guess = ") else None


def notebooks(ps: str) -> Iterator[tuple[nbformat.NotebookNode, nbformat.NotebookNode]]:
    """The code cells of the stub and of the solution."""
    pairs = (nbformat.reads(build(load(ps), solution=solved)[0], as_version=4).cells for solved in (False, True))
    return ((stub, solved) for stub, solved in zip(*pairs, strict=True) if stub.cell_type == "code")


@pytest.mark.first_shows
@pytest.mark.parametrize("ps", SETS)
def test_a_whole_set_is_solved_and_kept_and_handed_in(new_page: Callable[..., Page], served: Served, ps: str, tmp_path: Path):
    page = new_page(height=1200, reduced_motion="reduce")
    opened(page, served, ps)
    assert served.num_bytes < MOST_MB * 1e6
    passed, drawing, checks, own_board = [], [], [], 0
    for number, (stub, solved) in enumerate(notebooks(ps)):
        cell = run(page, number, typed(stub.source, solved.source))
        if "@check(" in stub.source:
            checks.append(stub.id)
            words = cell.locator(".jp-OutputArea").inner_text()
            passed += [stub.id] if re.search(r"   (passed$|form only   )", words, re.M) else [words]
        if "plt." in stub.source:
            drawing.append(cell.locator(".jp-OutputArea-output").last.inner_text())
        if stub.source.startswith("from arena.board.widgets import step_widget"):
            watch_a_simulation(cell.locator(".mcts-tree"))
        own_board = number if "play_widget(" in stub.source else own_board
    assert len(checks) > 10
    assert page.locator(".jp-RenderedMarkdown a[href*='.md']").count() == 0  # no page beside the sets is here
    assert passed == checks
    assert drawing
    assert {*drawing} == {SENTENCE}
    board = page.locator(".jp-CodeCell").nth(own_board).locator(".arena-board")
    board.scroll_into_view_if_needed()
    play_by_clicks(board)
    screenshot(page, f"tab_{ps}")

    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")  # it saves by itself
    opened(page, served, ps)
    folder = tmp_path / ps
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the file to hand in").click()
    assert download.value.suggested_filename == f"{ps}.ipynb"
    download.value.save_as(folder / f"{ps}.ipynb")
    graded = grade_submission(folder, ps, Settings(public_secret()))
    assert graded.report.points == 100.0, graded.report
    assert (served.elsewhere, [path for path in served.missing if not path.endswith("all.json")]) == ([], [])


def watch_a_simulation(tree: Locator) -> None:
    tree.scroll_into_view_if_needed()
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        tree.get_by_role("button", name="next phase").click()
        tree.locator("li[aria-current]", has_text=phase).wait_for()
    assert re.search(r"n \d+ → \d+", tree.get_by_role("status").inner_text())
