"""The widgets where students use them: JupyterLab and Notebook 7 are really started, and a browser clicks in their cells."""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from tests.browser.looks import screenshot

ROOT = Path(__file__).resolve().parents[2]
START_S, ANSWER_MS = 120, 60_000

PREPARE = """
import random
from arena.board.widgets import play_widget, step_widget, tree_widget
from arena.games import TicTacToe
from arena.show.step import Phases
from solutions import ps2_uct as own

game = TicTacToe()

class MySearch:
    def choose(self, state, simulations, rng):
        return own.search(game, state, simulations, 1.0, rng)[0]
"""
PLAY = 'play_widget(game, MySearch(), you="X", simulations=50)'
WATCH = """
rng = random.Random(5)
_, tree = own.search(game, game.parse("X.O/.X./..O"), 6, 1.0, rng)
phases = Phases(own.select, own.expand, lambda state: own.simulate(game, state, own.random_policy, rng), own.backpropagate)
step_widget(game, tree, phases, rng=rng)
"""
LOOK = "tree_widget(game, own.search(game, game.start(), 3000, 1.0, random.Random(1))[1])"


@dataclass(frozen=True)
class Server:
    """A running server of notebooks: its address and token, and the folder that it serves."""

    address: str
    token: str
    folder: Path

    def page_of(self, cells: list[str], name: str, kind: str) -> str:
        """Write a notebook of these cells; return the address of its page."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip()) for source in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, self.folder / name)
        return f"{self.address}/{kind}/{name}?token={self.token}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(process: "subprocess.Popen[bytes]", server: Server, log: Path) -> None:
    """Return when the server answers; fail with its log when it ends or takes too long."""
    limit = time.monotonic() + START_S
    while time.monotonic() < limit and process.poll() is None:
        with contextlib.suppress(urllib.error.URLError, OSError):
            with urllib.request.urlopen(f"{server.address}/api/status?token={server.token}", timeout=5) as answer:
                json.load(answer)
                return
        time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-3000:]}", pytrace=False)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab on this machine alone, which serves Notebook 7 too; nothing of the user's settings, and no question outside."""
    home = tmp_path_factory.mktemp("home")
    folder, log = home / "work", home / "log"
    folder.mkdir()
    port, token = free_port(), secrets.token_hex(16)
    started = Server(f"http://127.0.0.1:{port}", token, folder)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly", "--ServerApp.terminals_enabled=False",
    ]  # fmt: skip
    places = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    settings = {**os.environ, **places, "HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "PYTHONPATH": str(ROOT)}
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=settings, stdout=out, stderr=out, cwd=folder, start_new_session=True)
    try:
        wait_until_ready(process, started, log)
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # the kernels too: they are of its group
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def run_all(page, address, cells):
    """Open a notebook and run its cells one after another, as a student does."""
    page.set_default_timeout(ANSWER_MS)
    page.goto(address)
    page.locator(".jp-CodeCell").first.wait_for()
    page.locator(".jp-CodeCell .cm-content").first.click()
    for _ in cells:
        page.keyboard.press("Shift+Enter")


def clicked_game(page):
    """Play by clicks, each time the first free square, until the game is over; return the board as text."""
    board = page.locator(".arena-board").first
    board.wait_for()
    for _ in range(5):
        page.wait_for_function("""() => {
          const board = document.querySelector(".arena-board");
          return board.querySelector(".square.open") || /won|draw/.test(board.querySelector(".status").textContent);
        }""")
        if not board.locator(".square.open").count():
            break
        board.locator(".square.open").first.click()
        page.wait_for_timeout(100)
    return board.locator(".status").inner_text()


@pytest.mark.parametrize("kind", ["lab/tree", "notebooks"])
def test_a_game_against_ones_own_search_is_played_by_clicks_in_a_cell(new_page, server, kind):
    page = new_page()
    cells = [PREPARE, PLAY]
    run_all(page, server.page_of(cells, f"play_{kind[:3]}.ipynb", kind), cells)
    end = clicked_game(page)
    assert "won" in end or "draw" in end
    screenshot(page, f"notebook_play_{kind[:3]}")


@pytest.mark.parametrize("kind", ["lab/tree", "notebooks"])
def test_a_simulation_is_watched_phase_by_phase_in_a_cell(new_page, server, kind):
    page = new_page(reduced_motion="reduce")
    cells = [PREPARE, WATCH]
    run_all(page, server.page_of(cells, f"watch_{kind[:3]}.ipynb", kind), cells)
    tree = page.locator(".mcts-tree")
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        tree.get_by_role("button", name="next phase").click()
        tree.locator("li[aria-current]", has_text=phase).wait_for()
    assert "n 6 → 7" in tree.get_by_role("status").inner_text()
    screenshot(page, f"notebook_watch_{kind[:3]}")


@pytest.mark.parametrize("kind", ["lab/tree", "notebooks"])
def test_the_keys_of_the_tree_do_not_reach_the_notebook(new_page, server, kind):
    """In a notebook the arrow keys choose a cell and Enter edits it: in the tree they walk and open nodes."""
    page = new_page()
    cells = [PREPARE, LOOK, "1 + 1", "2 + 2"]
    run_all(page, server.page_of(cells, f"look_{kind[:3]}.ipynb", kind), cells)
    tree = page.locator(".mcts-tree")
    tree.get_by_role("treeitem").first.wait_for()
    tree.get_by_role("treeitem").first.click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.getAttribute('role') === 'treeitem'")
    page.wait_for_function("document.activeElement.getAttribute('aria-expanded') === 'true'")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "3"
    assert page.locator(".jp-CodeCell").count() >= len(cells)
    screenshot(page, f"notebook_tree_{kind[:3]}")
