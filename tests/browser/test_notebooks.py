"""The widgets where students use them: JupyterLab and Notebook 7 are really started, and a browser clicks in their cells."""

import contextlib
import json
import os
import re
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
from playwright.sync_api import expect

from tests.browser.looks import screenshot

ROOT = Path(__file__).resolve().parents[2]
START_S, ANSWER_MS = 120, 60_000
OVER = re.compile("won|draw")
NEWS = "lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"

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
    (home / "config" / NEWS).parent.mkdir(parents=True)
    (home / "config" / NEWS).write_text('{"fetchNews": "false"}')
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
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()  # before that, a cell that is run is forgotten
    page.locator(".jp-CodeCell .cm-content").first.click()
    for _ in cells:
        page.keyboard.press("Shift+Enter")


def play_by_clicks(board):
    """Click the first free square, until the game is over; return the words under the board."""
    status = board.locator(".status")
    for _ in range(5):
        turn_or_end = board.locator(".square.open").first.or_(status.filter(has_text=OVER))
        turn_or_end.first.wait_for()
        if OVER.search(status.inner_text()):
            break
        stones = board.locator(".square:not(.empty)")
        before = stones.count()
        board.locator(".square.open").first.click()
        expect(stones).not_to_have_count(before)
    expect(status).to_have_text(OVER)
    return status.inner_text()


@pytest.mark.parametrize("kind", ["lab/tree", "notebooks"], ids=["JupyterLab", "Notebook 7"])
def test_in_one_notebook_a_game_is_played_a_simulation_is_watched_and_a_tree_is_walked(new_page, server, kind):
    """The keys of the tree stay in the tree: elsewhere in a notebook the arrow keys choose a cell, and Enter edits it."""
    page = new_page(height=1200, reduced_motion="reduce")
    cells = [PREPARE, PLAY, WATCH, LOOK]
    name = kind[:3]
    run_all(page, server.page_of(cells, f"{name}.ipynb", kind), cells)

    board = page.locator(".arena-board")
    board.scroll_into_view_if_needed()
    play_by_clicks(board)
    screenshot(page, f"notebook_play_{name}")

    watched, walked = page.locator(".mcts-tree").first, page.locator(".mcts-tree").last
    watched.scroll_into_view_if_needed()
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        watched.get_by_role("button", name="next phase").click()
        watched.locator("li[aria-current]", has_text=phase).wait_for()
    assert "n 6 → 7" in watched.get_by_role("status").inner_text()
    screenshot(page, f"notebook_watch_{name}")

    walked.get_by_role("treeitem").first.click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_have_attribute("aria-level", "3")
    screenshot(page, f"notebook_tree_{name}")
