"""The board in a folder, opened as a file: whole games against the ladder and the networks, by mouse, keyboard and touch."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.board.minds import UCT
from arena.board.offline import board_page, main, write_board
from arena.board.positions import Position, open_position
from arena.board.session import Session
from arena.errors import UserError
from tests.browser.looks import WIDTHS, fits, no_serious_fault, screenshot
from tests.speeds import again

pytestmark = pytest.mark.usefixtures("processes")

LADDER = ["random", again("sand"), again("pebble"), "stone"]
MOST_BYTES = 4_000_000
REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page."""
    return write_board(tmp_path_factory.mktemp("a folder") / "board").parent


@pytest.fixture
def play(folder: Path, new_page: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the page at an address; at the end, nothing but the file itself was asked for."""
    requests: list[str] = []

    def open_board(address: str = "", **settings: Any) -> Page:
        page = new_page(**{"reduced_motion": "reduce", **settings})
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{(folder / 'index.html').as_uri()}{address and '#'}{address}")
        expect(page.locator(".status")).to_contain_text(re.compile("to move|won|draw|pass"))
        return page

    yield open_board
    assert not [url for url in requests if not url.startswith(("file:", "blob:", "data:"))]
    assert {url.partition("#")[0] for url in requests if url.startswith("file:")} == {(folder / "index.html").as_uri()}


def new_game(page: Page, opponent: str, you: str, simulations: int | None = None) -> None:
    """Begin a game."""
    page.get_by_label("opponent", exact=True).select_option(opponent)
    page.get_by_label("you play").select_option(you)
    if simulations:
        page.get_by_label("opponent's simulations").fill(str(simulations))
    page.get_by_role("button", name="new game").click()


def shown(page: Page) -> Position:
    """Return the position that the page shows, once it waits for the reader: its address names it."""
    expect(page.get_by_role("group", name="board")).to_have_attribute("aria-busy", "false")
    game, _, moves = page.url.partition("#")[2].partition("/")
    return open_position(game, moves)


def play_on(page: Page, you: int, move: Callable[[Page, int], None], seed: int) -> Position:
    """Play to the end of the game, with a small search; return the last position."""
    rng, before = random.Random(seed), -1
    while not (position := shown(page)).over:
        assert len(position.actions) > before, "a move was not taken"
        assert position.mover == you
        before = len(position.actions)
        search = UCT(position.game, position.state, rng)
        search.step(60)
        action = search.thought().best
        assert action is not None
        move(page, action)
        expect(page.get_by_label("moves so far")).not_to_have_value(position.moves)
    return position


def by_mouse(page: Page, action: int) -> None:
    page.get_by_role("group", name="board").get_by_role("button").nth(action).click()


def by_key(page: Page, action: int) -> None:
    page.keyboard.press(str(action))


def by_touch(page: Page, action: int) -> None:
    page.get_by_role("group", name="board").get_by_role("button").nth(action).tap()


@pytest.mark.parametrize("opponent", LADDER)
@pytest.mark.parametrize("you", ["X", again("O")])
def test_a_whole_game_against_each_rung_up_to_stone(play: Callable[..., Page], opponent: str, you: str) -> None:
    page = play("connect_four")
    new_game(page, opponent, you)
    position = play_on(page, "XO".index(you), by_key if you == "X" else by_mouse, seed=3)
    expect(page.locator(".status")).to_contain_text(re.compile("You won|You lost|draw"))
    print(f"{opponent}: {position.moves}, {page.locator('.status').inner_text()}")


@pytest.mark.parametrize("game, you", [("connect_four", "X"), again("connect_four", "O"), ("tic_tac_toe", "O")])
def test_a_whole_game_against_alphazero_at_200_simulations(play: Callable[..., Page], game: str, you: str) -> None:
    page = play(game)
    new_game(page, game, you, 200)
    if you == "O":
        expect(page.get_by_role("heading", name=re.compile("thought as X: (200 of 200|[0-9]+)"))).to_be_visible()
    play_on(page, "XO".index(you), by_mouse, seed=4)
    expect(page.locator(".status")).to_contain_text(re.compile("You lost|draw"))  # its reader has 60 simulations


def test_a_game_of_othello_with_passes_on_a_phone_by_touch(play: Callable[..., Page]) -> None:
    page = play("othello", width=390, has_touch=True)
    new_game(page, "othello", "X", 50)

    def touch(page: Page, action: int) -> None:
        if action == 36:
            page.get_by_role("button", name="pass").tap()
        else:
            by_touch(page, action)

    play_on(page, 0, touch, seed=5)
    expect(page.locator(".status")).to_contain_text(re.compile("You won|You lost|draw"))


def test_one_can_watch_it_think(play: Callable[..., Page]) -> None:
    page = play("connect_four", reduced_motion="no-preference")
    new_game(page, "connect_four", "O", 2000)
    seen = set()
    heading = page.get_by_role("heading", name=re.compile("What AlphaZero"))
    while "thought as" not in (words := heading.inner_text() if heading.count() else ""):
        seen.add(words)
    assert len(seen - {""}) > 3, seen


def test_the_puzzle_comes_first_and_the_solver_answers_it(play: Callable[..., Page]) -> None:
    page = play()
    minds = page.locator(".minds")
    expect(minds).to_contain_text("30 simulations")
    page.get_by_role("button", name="show the solver's answer").click()
    expect(minds.get_by_text("✓ wins in")).to_have_count(1)
    expect(minds.get_by_text("✗ loses in")).to_have_count(6)


@pytest.mark.parametrize("address", ["tic_tac_toe/04", "connect_four/44", again("connect_four/3343322156"),
                                     again("connect_four/325623222565534630606"), "othello"])
def test_exact_values_are_those_of_python_s_solver(play: Callable[..., Page], address: str) -> None:
    """The book, the solver early and late in a game, all lines of Tic-Tac-Toe, and an end that is too far to be seen."""
    game, _, moves = address.partition("/")
    session = Session(seed=1)
    session.answer({"do": "position", "game": game, "moves": moves, "opponent": "nobody"})
    while not (solver := session.answer({"do": "minds"})["minds"].get("solver", {})).get("done"):
        pass
    page = play(address)
    page.get_by_role("heading", name="One position, four minds").click()
    if solver["note"]:
        expect(page.locator(".minds")).to_contain_text(f"Solver: {solver['note']}")
        return
    signs = {1.0: "✓ ", 0.0: "= ", -1.0: "✗ "}
    expect(page.locator(".minds .fate")).to_have_text([f"{signs[move['value']]}{move['note']}" for move in solver["moves"]])


def test_the_move_that_decided_is_marked_at_the_end(play: Callable[..., Page]) -> None:
    page = play("connect_four")
    new_game(page, "perfect", "X")
    for _ in range(40):
        position = shown(page)
        if position.over:
            break
        by_key(page, position.legal[0])
        expect(page.get_by_label("moves so far")).not_to_have_value(position.moves)
    expect(page.locator(".status")).to_contain_text(re.compile(r"You lost(: move \d+ gave it away)?\."))


def test_a_link_and_a_reload_lead_to_the_position(play: Callable[..., Page]) -> None:
    page = play("othello/13.9.10")
    expect(page.get_by_label("moves so far")).to_have_value("13.9.10")
    page.reload()
    expect(page.get_by_label("moves so far")).to_have_value("13.9.10")


def test_a_mistake_of_ours_is_said_and_not_waited_for(folder: Path, new_page: Callable[..., Page]) -> None:
    text = (folder / "index.html").read_text()
    broken = folder.parent / "broken.html"
    broken.write_text(text.replace("return { board: this.board(), ...answer };", "return this.nothing();"))
    page = new_page()
    page.goto(broken.as_uri())
    expect(page.locator(".status")).to_contain_text("this.nothing is not a function")


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_nobody_out_and_fits(play: Callable[..., Page], scheme: str) -> None:
    page = play(color_scheme=scheme)
    expect(page.locator(".minds")).to_contain_text("30 simulations")
    fits(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        no_serious_fault(page)
        screenshot(page, f"offline_board_{scheme}_{width}", whole=True)


def test_the_command_says_where_the_page_is_and_how_large(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--to", str(tmp_path / "new" / "board")]) == 0
    page = tmp_path / "new" / "board" / "index.html"
    size = page.stat().st_size
    assert capsys.readouterr().out == f"{page}: {size:,} bytes; it opens in a browser, without a server\n"
    assert size < MOST_BYTES
    assert f"one page of {size / 1e6:.1f} MB" in (REPOSITORY / "docs" / "students.md").read_text()
    assert page.read_text() == board_page(), "the same files give the same page"


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["--to", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("arena: a file is where a folder is needed")
    with pytest.raises(UserError):
        write_board(tmp_path / "file" / "board")
