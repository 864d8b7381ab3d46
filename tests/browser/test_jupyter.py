"""The widgets where students use them: JupyterLab and Notebook 7 are really started, and a browser clicks in their cells."""

import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import TimeoutError, expect

from arena.show.guess import ASK, SKIP
from autograder.problem_sets import build
from autograder.problem_sets.source import load, names
from tests.browser.looks import screenshot
from tests.formgrader_server import free_port

pytestmark = pytest.mark.usefixtures("whole_world")

ROOT = Path(__file__).resolve().parents[2]
START_S, ANSWER_MS = 120, 60_000
OVER = re.compile("won|draw")
# Notebook 7 itself, with nbgrader's extension, on a page without any of our cells
OF_JUPYTER = ["exception: Cannot read properties of undefined (reading 'schema')"]

# What a student of problem set 2 has in the cells above, in short.
PREPARE = """
import math, random
from arena.board.widgets import play_widget, step_widget, tree_widget
from arena.games import TicTacToe
from arena.show.step import Phases

game, rng = TicTacToe(), random.Random(5)

class TreeNode:
    def __init__(self, state, parent=None, action=None):
        self.state, self.parent, self.action = state, parent, action
        self.children, self.num_visits, self.total_value = {}, 0, 0.0

def ucb(node, c):
    return -node.total_value / node.num_visits + c * math.sqrt(math.log(node.parent.num_visits) / node.num_visits)

def select(game, node, c, rng):
    while node.children and len(node.children) == len(game.legal_actions(node.state)):
        node = max(node.children.values(), key=lambda child: ucb(child, c))
    return node

def expand(game, node, rng):
    action = rng.choice([a for a in game.legal_actions(node.state) if a not in node.children])
    node.children[action] = TreeNode(game.play(node.state, action), node, action)
    return node.children[action]

def evaluate(state):
    outcome = game.outcome(state)
    return -evaluate(game.play(state, rng.choice(game.legal_actions(state)))) if outcome is None else outcome

def backpropagate(node, value):
    while node is not None:
        node.num_visits, node.total_value = node.num_visits + 1, node.total_value + value
        node, value = node.parent, -value

def search(state, simulations):
    root = TreeNode(state)
    for _ in range(simulations):
        leaf = select(game, root, 1.0, rng)
        leaf = leaf if game.outcome(leaf.state) is not None else expand(game, leaf, rng)
        backpropagate(leaf, evaluate(leaf.state))
    return root

class MySearch:
    def choose(self, state, simulations, rng):
        children = search(state, simulations).children
        return max(children, key=lambda action: children[action].num_visits)
"""
PLAY = 'play_widget(game, MySearch(), you="X", simulations=50)'
WATCH = """
phases = Phases(select, expand, evaluate, backpropagate)
step_widget(game, search(game.parse("X.O/.X./..O"), 6), phases, rng=rng)
"""
LOOK = "tree_widget(game, search(game.start(), 3000))"
CELLS = [PREPARE, PLAY, WATCH, LOOK]

# The last cells of three problem sets over the official solutions, as a student runs them. No program `dot` is there.
SOLVED = {
    "ps2_uct": """
import os
os.environ["PATH"] = ""
from solutions.ps2_uct import TicTacToe, search
from arena.board.widgets import play_widget
class MySearch:
    def choose(self, state, simulations, rng):
        action, self.root = search(TicTacToe(), state, simulations, 1.0, rng)
        return action
play_widget(TicTacToe(), MySearch(), you="X", simulations=100)
""",
    "ps3_connect_four": """
from arena.board.widgets import play_widget
from solutions.ps3_connect_four import ConnectFour, Searcher
play_widget(ConnectFour(), Searcher(ConnectFour()), you="X", simulations=100)
""",
    "ps5_alphazero": """
from arena.board.widgets import play_widget
from arena.games import ConnectFour
from solutions.ps5_alphazero import AlphaMCTS, make_net
play_widget(ConnectFour(), AlphaMCTS(ConnectFour(), make_net(ConnectFour())), you="X", simulations=100)
""",
}


@dataclass(frozen=True)
class Server:
    """A running server of notebooks: its module and page, its address and token, and the folder that it serves."""

    module: str
    page: str
    address: str
    token: str
    folder: Path

    def notebook(self, cells: Sequence[str], name: str) -> str:
        """Write a notebook of these cells; return the address of its page."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip()) for source in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        return self.shown(notebook, name)

    def shown(self, notebook: nbformat.NotebookNode, name: str) -> str:
        """Write a notebook; return the address of its page."""
        nbformat.write(notebook, self.folder / f"{name}.ipynb")
        return f"{self.address}/{self.page}/{name}.ipynb?token={self.token}&reset"  # JupyterLab opens nothing from before


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


SERVERS = {"JupyterLab": ("jupyterlab", "LabApp", "lab/tree"), "Notebook 7": ("notebook", "JupyterNotebookApp", "notebooks")}


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Jupyter on this machine alone: nothing of the user's settings, and no question that leaves the machine."""
    module, app, page = SERVERS[request.param]
    home = tmp_path_factory.mktemp("home")
    folder, log = home / "work", home / "log"
    folder.mkdir()
    asks = home / "config/lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    asks.parent.mkdir(parents=True)
    asks.write_text('{"fetchNews": "false", "checkForUpdates": false}')  # otherwise it asks, over the notebook
    port, token = free_port(), secrets.token_hex(16)
    started = Server(module, page, f"http://127.0.0.1:{port}", token, folder)
    command = [
        sys.executable, "-m", module, "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}",
        f"--{app}.news_url=None", f"--{app}.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        f"--{app}.extension_manager=readonly", "--ServerApp.terminals_enabled=False",
        # if the test itself is killed, the server ends by itself
        "--MappingKernelManager.cull_idle_timeout=600", "--ServerApp.shutdown_no_activity_timeout=600",
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
    dialog = page.locator("dialog.jp-Dialog")  # on a busy machine Jupyter may ask something, and a person would answer
    page.add_locator_handler(dialog, lambda: dialog.locator(".jp-mod-accept").click())
    page.goto(address)
    until_idle(page)
    for number in range(cells):
        cell = page.locator(".jp-CodeCell").nth(number)
        done = cell.locator(".jp-InputPrompt", has_text=re.compile(r"\[[\d*]+\]"))
        for _ in range(5):  # a notebook may forget a cell that is run while it is still getting ready
            cell.locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
            with contextlib.suppress(TimeoutError):
                done.wait_for(timeout=ANSWER_MS / 10)
                break
        expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]"))


def watch_a_simulation(watched):
    """Step a tree's widget through one simulation, phase by phase."""
    watched.scroll_into_view_if_needed()
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        watched.get_by_role("button", name="next phase").click()
        watched.locator("li[aria-current]", has_text=phase).wait_for()


def without_faults_of_jupyter(page):
    """Forget the messages that are Jupyter's own; what is left fails the test."""
    page.faults[:] = [fault for fault in page.faults if fault not in OF_JUPYTER]


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


def test_in_one_notebook_a_game_is_played_a_simulation_is_watched_and_a_tree_is_walked(new_page, server):
    """The keys of the tree stay in the tree: elsewhere in a notebook the arrow keys choose a cell, and Enter edits it."""
    page = new_page(height=1200, reduced_motion="reduce")
    run_all(page, server.notebook(CELLS, "widgets"), len(CELLS))

    board = page.locator(".arena-board")
    board.scroll_into_view_if_needed()
    play_by_clicks(board)
    screenshot(page, f"notebook_play_{server.module}")

    watched, walked = page.locator(".mcts-tree").first, page.locator(".mcts-tree").last
    watch_a_simulation(watched)
    assert "n 6 → 7" in watched.get_by_role("status").inner_text()
    screenshot(page, f"notebook_watch_{server.module}")

    walked.get_by_role("treeitem").first.click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_have_attribute("aria-level", "3")
    screenshot(page, f"notebook_tree_{server.module}")
    without_faults_of_jupyter(page)


@pytest.mark.parametrize("ps", SOLVED)
def test_one_s_own_search_thinks_beside_the_board_in_each_set_that_has_one(new_page, server, ps):
    page = new_page(height=1200, reduced_motion="reduce")
    run_all(page, server.notebook([SOLVED[ps]], ps), 1)
    board = page.locator(".arena-board")
    board.scroll_into_view_if_needed()
    board.locator(".square.open").first.click()
    thought = board.locator(".thought")
    expect(thought).to_contain_text("Value for O: ")
    expect(thought).to_contain_text("Principal line: ")
    visits = [int(words) for words in re.findall(r"\b\d+\b", " ".join(thought.locator("td.wide").all_inner_texts()))]
    assert 90 <= sum(visits) <= 100, visits
    screenshot(page, f"notebook_thinks_{ps}_{server.module}")
    without_faults_of_jupyter(page)


def until_idle(page):
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(timeout=ANSWER_MS)


def run_cell(page, cell):
    """Run a cell by keyboard, to its end. JupyterLab may take the focus away while it opens: then the keys run nothing."""
    for _ in range(5):
        cell.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        with contextlib.suppress(AssertionError):
            expect(cell.locator(".jp-InputPrompt").first).not_to_have_text("[ ]:", timeout=5_000)
            return until_idle(page)
    raise AssertionError("the cell did not run")


def test_a_released_notebook_shows_no_check_s_code_and_asks_for_a_guess(new_page, server):
    """A check is folded to the line that says what it checks; a cell without a guess says one sentence, without a traceback."""
    page = new_page(height=6000, reduced_motion="reduce")
    notebook = nbformat.reads((ROOT / "assignments/ps2_uct/ps2_uct.ipynb").read_text(encoding="utf-8"), as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    asking = next(number for number, cell in enumerate(code) if cell.source.startswith("guess = "))
    names = next(cell for cell in code if "import compare, predict_first" in cell.source)  # it stands above, and is run first
    notebook.cells = [names, *(cell for cell in code[: asking + 1] if cell is not names)]
    page.goto(server.shown(notebook, "released"))
    until_idle(page)
    folded = page.locator(".jp-CodeCell .jp-InputPlaceholder")
    titles = re.findall(r'^@check\("2.0"', "\n".join(cell.source for cell in notebook.cells), re.MULTILINE)
    expect(folded).to_have_count(len(titles))
    expect(folded.first).to_contain_text('@check("2.0"')
    for number in (0, asking):
        cell = page.locator(".jp-CodeCell").nth(number)  # all cells are on the screen: none is left out of the page
        run_cell(page, cell)
    expect(cell.locator(".jp-OutputArea-output")).to_have_text([ASK])
    screenshot(page, f"notebook_released_{server.module}")
    without_faults_of_jupyter(page)


SETS_WITH_A_GAME = ("ps2_uct", "ps3_connect_four", "ps4_puct")


def test_a_lesson_opens_with_a_game_that_is_played_at_once(new_page, server):
    """The first cells of problem sets 2 to 4: a trap, Stone, and a network without a search."""
    page = new_page(height=1200, reduced_motion="reduce")
    openings = [
        'from arena.board.widgets import play_widget\nfrom arena.games import ConnectFour, Othello, TicTacToe',
        *(next(cell.stub for cell in load(ps).cells if cell.role == "experiment") for ps in SETS_WITH_A_GAME),
    ]
    run_all(page, server.notebook(openings, "openings"), len(openings))
    for number, opponent in enumerate(("Perfect", "Stone", "Network")):
        board = page.locator(".arena-board").nth(number)
        board.scroll_into_view_if_needed()
        stones = board.locator(".square:not(.empty)")
        if opponent == "Perfect":
            expect(stones).to_have_count(3)
        before = stones.count()
        board.locator(".square.open").first.click()
        expect(board).to_contain_text(opponent)
        expect(stones).not_to_have_count(before)
        expect(board.locator(".square.open").first.or_(board.locator(".status").filter(has_text=OVER)).first).to_be_visible()
        screenshot(page, f"notebook_opening_{number}_{server.module}")
    trap = page.locator(".arena-board").first
    trap.get_by_role("button", name="new game").click()
    expect(trap.locator(".square:not(.empty)")).to_have_count(3)  # who lost begins where the lesson began
    without_faults_of_jupyter(page)


@pytest.mark.parametrize("server", ["JupyterLab"], indirect=True)
@pytest.mark.parametrize("ps", names())
def test_a_lesson_shows_its_first_idea_within_two_screens(new_page, server, ps):
    """The cells above the first experiment are run, and it too: what it shows stands on the first two screens of a desk."""
    problem_set = load(ps)
    opening = next(cell for cell in problem_set.cells if cell.role == "experiment")
    notebook = nbformat.reads(build(problem_set, solution=True)[0], as_version=4)
    for cell in notebook.cells:
        cell.source = re.sub(r"^guess = None\b", f'guess = "{SKIP}"', cell.source)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    last = next(number for number, cell in enumerate(code) if cell.source.endswith(opening.stub.strip().splitlines()[-1]))
    page = new_page(height=2 * 900, reduced_motion="reduce")
    page.goto(server.shown(notebook, ps))
    until_idle(page)
    for number in range(last + 1):
        run_cell(page, page.locator(".jp-CodeCell").nth(number))
    shown = page.locator(".jp-CodeCell").nth(last).locator(".jp-OutputArea-output").last
    shown.wait_for(timeout=ANSWER_MS)
    page.locator(".jp-Notebook .jp-WindowedPanel-outer").evaluate("panel => panel.scrollTo(0, 0)")
    place = shown.bounding_box()
    assert place and place["y"] + place["height"] <= 2 * 900
    screenshot(page, f"look_{ps}_1440_light")
    without_faults_of_jupyter(page)


def test_the_tree_of_a_tiny_game_grows_and_a_recorded_search_is_stepped_before_anything_is_written(new_page, server):
    """The opening of problem set 1, and in problem set 2 a search to watch before 2.4."""
    page = new_page(height=1200, reduced_motion="reduce")
    cells = [
        next(cell.stub for cell in load("ps1_games").cells if cell.role == "experiment"),
        "import random",
        next(cell.stub for cell in load("ps2_uct").cells if "recorded_search()" in cell.stub),
    ]
    run_all(page, server.notebook(cells, "watched"), len(cells))
    grown = page.locator(".jp-CodeCell").first
    shown, forward = grown.locator("figure:visible"), grown.get_by_role("button", name="▶")
    for number in range(1, 8):
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(f"step {number} of 7")
        forward.click()
    screenshot(page, f"notebook_grows_{server.module}")
    watched = page.locator(".mcts-tree")
    watch_a_simulation(watched)
    assert "n 0 → 1" in watched.get_by_role("status").inner_text()
    screenshot(page, f"notebook_recorded_{server.module}")
    without_faults_of_jupyter(page)
