"""The playable board in a browser: whole games by mouse and by keyboard, the four minds, positions by address."""

import random
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from arena.board.bundle import bundle
from arena.board.positions import open_position
from arena.board.server import BoardServer
from arena.board.session import Session
from tests.board_server import running_server
from tests.browser.looks import fits, no_serious_fault, screenshot

pytestmark = pytest.mark.usefixtures("processes")

LONG_MS = 120_000  # the first network on a machine is compiled first


@pytest.fixture(scope="module")
def server() -> Iterator[BoardServer]:
    with running_server() as made:
        yield made


@pytest.fixture
def play(server: BoardServer, new_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that opens the board at an address."""
    def open_board(address: str, **settings: Any) -> Page:
        page = new_page(reduced_motion="reduce", **settings)
        page.goto(f"{server.url}#{address}")
        expect(page.locator(".status")).to_contain_text(re.compile("to move|won|draw|pass"), timeout=LONG_MS)
        return page

    return open_board


def new_game(page: Page, opponent: str, you: str = "X") -> None:
    """Begin a game and wait for it: a click on the board of the game before would not count."""
    page.get_by_label("opponent", exact=True).select_option(opponent)
    page.get_by_label("you play").select_option(you)
    with page.expect_response(lambda answer: '"do":"new"' in (answer.request.post_data or "")):
        page.get_by_role("button", name="new game").click()
    wait_until_ready(page)


def wait_until_ready(page: Page) -> None:
    """Wait until the page has drawn the answer: before that it takes no move, for the move would be one of the old board."""
    expect(page.get_by_role("group", name="board")).to_have_attribute("aria-busy", "false")


def moves_of(page: Page) -> list[int]:
    """The actions so far, from the page's address."""
    moves = page.url.partition("#")[2].partition("/")[2]
    return [int(word) for word in (moves.split(".") if "." in moves or "othello" in page.url else moves) if word]


def wait_for_turn(page: Page, plies: int) -> None:
    """Wait until this many moves have been made (a script that waits in the page would need `eval`, which the page forbids)."""
    form = rf"^\d+(\.\d+){{{plies - 1},}}$" if "othello" in page.url else rf"^\d{{{plies},}}$"
    expect(page.get_by_label("moves so far")).to_have_value(re.compile(form))


def whole_game(page: Page, game: str, move: Callable[[Page, int, list[int]], None]) -> str:
    """Play both sides at random to the end; return the last words."""
    rng, position = random.Random(5), open_position(game, "")
    while not position.over:
        action = rng.choice(position.legal)
        move(page, action, position.legal)
        position = position.play(action)
        wait_for_turn(page, len(position.actions))
        assert moves_of(page) == list(position.actions)
    return page.locator(".status").inner_text()


def by_mouse(page: Page, action: int, legal: list[int]) -> None:
    if action == 36:
        page.get_by_role("button", name="pass").click()
    else:
        page.locator(".square").nth(action).click()


def by_keys(page: Page, action: int, legal: list[int]) -> None:
    """Go to the square with the arrows, as a reader without a mouse does, and press Enter; a pass is the key p."""
    if action == 36:
        page.keyboard.press("p")
        return
    width = 7 if "connect_four" in page.url else 6 if "othello" in page.url else 3
    if page.locator(".square:focus").count() == 0:
        page.locator(".square[tabindex='0']").focus()
    at = page.evaluate("[...document.querySelectorAll('.square')].indexOf(document.activeElement)")
    rows = 0 if width == 7 else action // width - at // width
    for key, times in (("ArrowRight", action % width - at % width), ("ArrowDown", rows)):
        for _ in range(abs(times)):
            page.keyboard.press(key if times > 0 else {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}[key])
    page.keyboard.press("Enter")


@pytest.mark.first_shows
@pytest.mark.parametrize("move", [by_mouse, by_keys])
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "othello"])
def test_a_whole_game_is_played(play: Callable[..., Page], game: str, move: Callable[[Page, int, list[int]], None]) -> None:
    page = play(game)
    new_game(page, "nobody")
    expect(page.locator(".soft").first).to_contain_text("Nobody")
    assert re.search(r"has won|draw", whole_game(page, game, move))
    assert page.locator(".square.open").count() == 0


def test_a_whole_game_is_played_by_touch(play: Callable[..., Page]) -> None:
    """against an opponent on a phone, then looked through, with taps alone"""
    page = play("connect_four", has_touch=True, is_mobile=True, width=390, height=844)
    new_game(page, "random")
    plies = play_to_the_end(page, lambda square: square.tap())
    page.get_by_role("button", name="one move back").tap()
    expect(page.locator(".square:not(.empty)")).to_have_count(plies - 1)
    page.locator(".moves button").first.tap()
    expect(page.locator(".square:not(.empty)")).to_have_count(1)
    page.locator(".chart > svg").scroll_into_view_if_needed()
    box = page.locator(".chart > svg").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 12, box["y"] + 60)
    expect(page.locator(".square:not(.empty)")).to_have_count(plies)


def play_to_the_end(page: Page, move: Callable[[Locator], None]) -> int:
    """Play the first free square whenever it is the reader's turn; return the number of moves of the game."""
    while True:
        wait_until_ready(page)
        over, free = re.search("has won|draw", page.locator(".status").inner_text()), page.locator(".square.open")
        if over:
            return page.locator(".moves button").count()
        if free.count():
            move(free.first)


def test_a_whole_game_is_played_by_keys_alone(play: Callable[..., Page]) -> None:
    """from the first Tab to the last move, against an opponent: no element is given the focus by anything but the keyboard"""
    page = play("connect_four")
    reach(page, "opponent")
    page.keyboard.type("random")
    reach(page, "new game")
    with page.expect_response(lambda answer: '"do":"new"' in (answer.request.post_data or "")):
        page.keyboard.press("Enter")
    wait_until_ready(page)
    expect(page.locator(".soft").first).to_contain_text("Random")
    reach(page, "column 3", "Shift+Tab")
    plies = play_to_the_end(page, lambda square: page.keyboard.press((square.get_attribute("aria-label") or "")[len("column ")]))
    for key, stones in ((",", plies - 1), (".", plies), ("Home", 0), ("End", plies)):
        page.keyboard.press(key)
        expect(page.locator(".square:not(.empty)")).to_have_count(stones)
    reach(page, "move 1:")
    page.keyboard.press("Enter")
    expect(page.locator(".square:not(.empty)")).to_have_count(1)


def reach(page: Page, name: str, key: str = "Tab") -> None:
    """Press a key until the element with a name that begins so has the focus."""
    said = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
    for _ in range(60):
        if page.evaluate(said).startswith(name):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {name!r}")


def test_digits_play_and_u_takes_back(play: Callable[..., Page]) -> None:
    page = play("connect_four")
    new_game(page, "nobody")
    page.locator(".square[tabindex='0']").focus()
    for plies, key in enumerate("334", 1):
        page.keyboard.press(key)
        wait_for_turn(page, plies)
    expect(page.locator(".status")).to_have_text("X plays column 4. O to move.")
    page.keyboard.press("u")
    expect(page.get_by_label("moves so far")).to_have_value("33")


def test_the_opponent_answers_and_shows_what_it_thought(play: Callable[..., Page]) -> None:
    page = play("connect_four")
    new_game(page, "uct")
    page.locator(".square").nth(3).click()
    expect(page.locator(".status")).to_have_text(re.compile(r"O plays column \d\. X to move\."))
    expect(page.get_by_role("heading", name="What UCT thought as O: 400 of 400 simulations")).to_be_visible()
    counts = [int(words) for words in page.locator(".thought .bar b").all_inner_texts()]
    assert len(counts) == 7 and sum(counts) == 400
    expect(page.locator(".thought .soft")).to_contain_text("Principal line:")
    expect(page.locator(".legend")).to_contain_text("the opponent's search")


def test_undo_and_the_other_side(play: Callable[..., Page]) -> None:
    page = play("tic_tac_toe")
    new_game(page, "random", you="O")
    wait_for_turn(page, 1)
    page.locator(".square.open").first.click()
    wait_for_turn(page, 3)
    page.get_by_role("button", name="undo").click()
    expect(page.locator(".square.x")).to_have_count(1)
    expect(page.locator(".square.o")).to_have_count(0)


def test_four_minds_think_about_one_position_step_by_step(play: Callable[..., Page]) -> None:
    page = play("connect_four/5545140640001140")
    page.get_by_text("One position, four minds").click()
    expect(page.locator(".minds tbody tr")).to_have_count(7, timeout=LONG_MS)
    expect(page.locator(".minds td .fate")).to_have_count(7)
    expect(page.locator(".minds .fate").last).to_contain_text(re.compile("wins|draws|loses"), timeout=LONG_MS)
    expect(page.locator(".minds tbody tr").first.locator("td").nth(2)).to_contain_text("%", timeout=LONG_MS)
    for name, total in (("1", 1), ("10", 11), ("100", 111)):
        page.get_by_role("button", name=f"{name} more simulations", exact=True).click()
        expect(page.locator(".minds thead")).to_contain_text(re.compile(rf"UCT\s*{total} simulations"))
        for column in (1, 3):
            cells = page.locator(f".minds tbody tr td:nth-of-type({column + 1}) .bar b").all_inner_texts()
            assert sum(int(words) for words in cells) == total
    priors = page.locator(".minds tbody tr td:nth-of-type(3) .bar b").all_inner_texts()
    assert sum(float(words.removesuffix(" %")) for words in priors) == pytest.approx(100, abs=4)
    expect(page.locator(".minds .star")).to_have_count(4)


# By mind, the move that it would play, its value and its simulations; for the solver, the results of columns 0, 1, ...
DIFFERING = {
    "the network's move, where no solver is asked": (
        {"uct": (3, 0.4, 30), "network": (5, -0.3, 0), "alphazero": (3, 0.6, 30)},
        "The network would play column 5, and UCT and AlphaZero would play column 3. "
        "This may be because the network answers without looking ahead."),
    "its value": (
        {"uct": (3, 0.4, 30), "network": (3, -0.3, 0), "alphazero": (3, 0.6, 30)},
        "UCT, the network and AlphaZero would all play column 3, but the network expects O to win (−0.30 for X), "
        "and UCT and AlphaZero expect X to win. "
        "This may be because the network answers without looking ahead."),
    "a search with few simulations": (
        {"uct": (0, 0.4, 1), "network": (3, 0.3, 0), "alphazero": (3, 0.6, 1)},
        "UCT would play column 0, and the network and AlphaZero would play column 3. "
        "This may be because UCT has made only 1 simulation."),
    "a search with many": (
        {"uct": (0, 0.4, 5000), "network": (3, 0.3, 0), "alphazero": (3, 0.6, 5000)},
        "UCT would play column 0, and the network and AlphaZero would play column 3. "
        "This may be because UCT judges positions by random games."),
    "three moves": (
        {"uct": (0, 0.4, 5000), "network": (1, 0.3, 0), "alphazero": (2, 0.6, 5000)},
        "UCT would play column 0, the network would play column 1, and AlphaZero would play column 2. "
        "This may be because UCT judges positions by random games, the network answers without looking ahead, "
        "and AlphaZero takes its values from the network."),
    "a move that the solver knows to be worse": (
        {"solver": (-1, 0, 1), "uct": (0, 0.4, 30), "network": (1, 0.3, 0), "alphazero": (2, 0.6, 30)},
        "UCT would play column 0, which loses, and the network would play column 1, which draws; column 2 wins. "
        "This may be because UCT has made only 30 simulations, and the network answers without looking ahead."),
    "a value that the solver knows to be wrong": (
        {"solver": (-1, -1, -1), "uct": (0, 0.4, 30), "network": (1, -0.3, 0), "alphazero": (2, -0.6, 30)},
        "UCT expects X to win (+0.40 for X); with perfect play O wins. This may be because UCT has made only 30 simulations."),
    "nothing: another move is as good": (
        {"solver": (-1, 1, 1), "uct": (1, 0.4, 30), "network": (2, 0.3, 0), "alphazero": (1, 0.6, 30)}, ""),
    "nothing: a value near 0 expects nobody to win": (
        {"uct": (3, 0.4, 30), "network": (3, -0.05, 0), "alphazero": (3, 0.6, 30)}, ""),
    "nothing: one mind alone": ({"network": (3, -0.05, 0)}, ""),
}


@pytest.mark.parametrize("minds, words", DIFFERING.values(), ids=DIFFERING)
def test_a_sentence_says_which_mind_differs_and_why(browser_page: Page, minds: dict[str, tuple[Any, ...]], words: str) -> None:
    known: dict[str, Any] = {name: {"missing": "it needs something"} for name in ("solver", "uct", "network", "alphazero")}
    for name, (best, value, simulations) in minds.items():
        known[name] = {"best": best, "value": value, "simulations": simulations}
    if "solver" in minds:
        moves = [{"action": action, "value": value} for action, value in enumerate(minds["solver"])]
        top = max(moves, key=lambda move: move["value"])
        known["solver"] = {"done": True, "best": top["action"], "value": top["value"], "moves": moves}
    now = {"mover": "X", "stones_fall": True, "pass_action": None}
    said = browser_page.evaluate(f"([now, minds]) => {{ {bundle('mind_words.js')}; return [true, false].map(solved => "
                                 "differing(now, minds, solved)); }", [now, known])
    assert said[0] == words
    assert "solver" in minds or said[1] == words, "without the solver's word it makes no difference whether it may be quoted"


def test_the_board_says_what_differs_and_does_not_tell_the_puzzle_s_answer(server, new_page) -> None:
    page = new_page(reduced_motion="reduce")
    page.goto(server.url)
    expect(page.locator(".differs")).to_contain_text("the network expects O to win", timeout=LONG_MS)
    expect(page.locator(".minds thead")).to_contain_text("30 simulations", timeout=LONG_MS)
    assert "with perfect play" not in page.locator(".differs").inner_text()
    page.get_by_role("button", name="show the solver's answer").click()
    expect(page.locator(".differs")).to_contain_text("with perfect play X wins. This may be because", timeout=LONG_MS)


def test_before_the_opponent_thinks_the_page_says_how_one_gets_to_see_it(play: Callable[..., Page]) -> None:
    page = play("connect_four")
    thinks = page.get_by_role("heading", name="What the opponent thinks")
    expect(thinks.locator("..")).to_contain_text("Play a move, and you see here how UCT chooses its answer.")
    new_game(page, "nobody")
    expect(thinks).to_be_hidden()
    new_game(page, "uct")
    expect(thinks).to_be_visible()
    page.goto(f"{page.url.partition('#')[0]}#connect_four/0101010")     # a game that is over
    expect(page.locator(".status")).to_contain_text("X has won")
    expect(thinks).to_be_hidden()


def test_each_number_of_simulations_says_whose_it_is(play: Callable[..., Page]) -> None:
    page = play("connect_four")
    expect(page.get_by_label("opponent's simulations")).to_have_value("400")
    expect(page.locator(".minds p.buttons")).to_contain_text("more simulations for UCT and AlphaZero: +1")
    assert page.get_by_label("simulations", exact=True).count() == 0


@pytest.mark.first_shows
@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("game", ["connect_four", "tic_tac_toe", "othello"])
def test_no_name_is_cut_on_a_phone(play: Callable[..., Page], game: str, width: int) -> None:
    """each list is as wide as the list by itself would be"""
    page = play(game, width=width, height=844)
    for box in page.locator("select").all():
        own, shown = box.evaluate("""box => {
            const alone = box.cloneNode(true);
            alone.style.cssText = "width: auto; max-width: none; position: absolute";
            box.after(alone);
            const widths = [alone.offsetWidth, box.offsetWidth];
            alone.remove();
            return widths;
        }""")
        assert own <= shown + 1, box.get_attribute("aria-label")
    fits(page, (width,))


@pytest.mark.first_shows
@pytest.mark.parametrize("width", [390, 1440])
def test_no_number_lies_on_its_bar_and_no_star_on_a_number(play: Callable[..., Page], width: int) -> None:
    page = play("connect_four/5545140640001140", width=width, height=900)
    page.get_by_text("One position, four minds").click()
    page.get_by_role("button", name="1000 more simulations", exact=True).click()
    expect(page.locator(".minds thead")).to_contain_text(re.compile(r"UCT\s*1000 simulations"), timeout=LONG_MS)
    overlaps = page.locator(".bar").evaluate_all("""bars => bars.flatMap(bar => {
        const boxes = [...bar.children].map(child => {
            const range = document.createRange();
            range.selectNodeContents(child);
            return (child.className === "track" ? child : range).getBoundingClientRect();
        });
        const meet = (one, other) => one.left < other.right && other.left < one.right
            && one.top < other.bottom - 3 && other.top < one.bottom - 3;     // a line of text is higher than its letters
        return boxes.some((one, i) => boxes.slice(i + 1).some(other => meet(one, other))) ? [bar.textContent] : [];
    })""")
    assert page.locator(".bar").count() == 21 and overlaps == []
    expect(page.locator(".minds .star")).to_have_count(4, timeout=LONG_MS)
    hidden = page.locator(".star").evaluate_all("""stars => stars.filter(star => {
        const range = document.createRange(), {left, bottom} = star.getBoundingClientRect();
        range.selectNodeContents(star.parentNode.querySelector("b") ?? star.parentNode.querySelector(".fate"));
        return [...range.getClientRects()].some(line => line.right > left && line.top < bottom - 3);
    }).length""")
    assert hidden == 0


def test_the_search_runs_until_it_is_stopped(play: Callable[..., Page]) -> None:
    page = play("tic_tac_toe/04")
    page.get_by_text("One position, four minds").click()
    expect(page.locator(".minds tbody tr")).to_have_count(7, timeout=LONG_MS)
    run = page.get_by_role("button", name="run")
    run.click()
    expect(page.locator(".minds thead")).to_contain_text(re.compile(r"UCT\s*\d{4,} simulations"), timeout=LONG_MS)
    page.get_by_role("button", name="stop").click()
    expect(page.get_by_role("button", name="run")).to_have_attribute("aria-pressed", "false")


def test_a_position_opens_by_address_and_by_its_moves(play: Callable[..., Page]) -> None:
    page = play("connect_four/4435")
    expect(page.locator(".square.x")).to_have_count(2)
    expect(page.get_by_label("moves so far")).to_have_value("4435")
    page.evaluate("location.hash = 'othello/13.9.10'")
    expect(page.locator(".square.x, .square.o")).to_have_count(7)
    page.get_by_label("moves so far").fill("13")
    page.get_by_role("button", name="open position").click()
    expect(page.locator(".square.x, .square.o")).to_have_count(5)
    expect(page).to_have_url(re.compile("#othello/13$"))


@pytest.mark.first_shows
@pytest.mark.parametrize("moves", ["9", "3333333", "<img src=x onerror=alert(1)>", "\u202e44"])
def test_moves_that_are_none_are_answered_in_words(play: Callable[..., Page], moves: str) -> None:
    page = play("connect_four")
    page.get_by_label("moves so far").fill(moves)
    page.get_by_role("button", name="open position").click()
    expect(page.locator(".status.wrong")).to_contain_text(re.compile("not legal|digits"))
    assert page.locator("main img").count() == 0


def test_where_the_solver_cannot_see_the_end_it_says_so(play: Callable[..., Page]) -> None:
    page = play("othello")
    page.get_by_text("One position, four minds").click()
    expect(page.locator(".minds")).to_contain_text("Solver: too deep: 32 empty squares", timeout=LONG_MS)


def test_the_curve_tells_how_the_game_went(play: Callable[..., Page]) -> None:
    page = play("connect_four/304050")
    expect(page.locator(".chart circle.network")).to_have_count(7 + 1, timeout=LONG_MS)  # and one in the legend
    expect(page.locator(".chart > svg")).to_have_attribute("aria-label", re.compile(r"after move 6: network [+−]"))


def test_without_an_address_a_puzzle_and_four_minds_are_on_the_first_screen(server, new_page) -> None:
    page = new_page(reduced_motion="reduce", height=900)
    page.goto(server.url)
    expect(page.locator(".intro")).to_contain_text("One column wins", timeout=LONG_MS)
    minds = page.locator(".minds table tbody tr")
    expect(minds).to_have_count(7, timeout=LONG_MS)
    expect(page.locator(".minds thead")).to_contain_text("30 simulations", timeout=LONG_MS)
    assert page.locator(".minds .fate").count() == 0
    expect(page.get_by_role("heading", name="What the opponent thinks")).to_be_hidden()  # before a move there is nothing
    page.get_by_role("button", name="show the solver's answer").click()
    expect(page.locator(".minds .fate.won")).to_have_count(1, timeout=LONG_MS)
    expect(page.locator(".minds .fate.lost")).to_have_count(6, timeout=LONG_MS)
    assert page.locator(".minds table").bounding_box()["y"] < 600
    screenshot(page, "play_puzzle")
    page.locator(".square.open").first.click()
    expect(page.locator(".intro")).to_be_hidden()


def test_one_steps_through_a_game_and_a_click_on_the_curve_goes_to_its_move(play: Callable[..., Page]) -> None:
    page = play("tic_tac_toe/04152")
    for name, plies in (("one move back", 4), ("one move back", 3), ("last position", 5), ("first position", 0),
                        ("one move on", 1)):
        page.get_by_role("button", name=name).click()
        expect(page.locator(".square:not(.empty)")).to_have_count(plies)
    wait_until_ready(page)
    page.locator(".square").first.focus()
    page.keyboard.press(".")
    expect(page.locator(".square:not(.empty)")).to_have_count(2)
    page.keyboard.press(",")
    expect(page.locator(".square:not(.empty)")).to_have_count(1)
    wait_until_ready(page)
    box = page.locator(".chart > svg").bounding_box()
    page.mouse.click(box["x"] + 64 + (box["width"] - 76) * 4 / 10, box["y"] + 60)
    expect(page.locator(".square:not(.empty)")).to_have_count(4)


def test_the_slider_and_the_list_of_moves_step_too(play: Callable[..., Page]) -> None:
    page = play("othello/13.9.10")
    page.get_by_role("slider", name="move").fill("1")
    expect(page.locator(".square:not(.empty)")).to_have_count(5)
    page.get_by_role("button", name="move 2: O row 2, column 4").click()
    expect(page.locator(".square:not(.empty)")).to_have_count(6)
    expect(page.locator(".moves [aria-current=step]")).to_have_text("O9")


def test_the_address_keeps_the_line_and_the_browser_s_back_goes_to_the_game_before(play: Callable[..., Page]) -> None:
    page = play("tic_tac_toe/04152")
    page.keyboard.press("Home")     # no element has the focus yet
    expect(page.locator(".square:not(.empty)")).to_have_count(0)
    page.keyboard.press(".")
    expect(page.locator(".square:not(.empty)")).to_have_count(1)
    expect(page).to_have_url(re.compile("#tic_tac_toe/04152/1$"))
    page.reload()
    expect(page.locator(".square:not(.empty)")).to_have_count(1)
    expect(page.locator(".moves button")).to_have_count(5)
    page.get_by_label("game", exact=True).select_option("connect_four")
    expect(page.locator(".square")).to_have_count(42)
    page.go_back()
    expect(page.locator(".moves button")).to_have_count(5)
    expect(page.locator(".square:not(.empty)")).to_have_count(1)


def test_at_the_end_the_page_says_which_move_gave_it_away_and_marks_it(play: Callable[..., Page]) -> None:
    page = play("tic_tac_toe")
    new_game(page, "perfect")
    page.goto(f"{page.url.partition('#')[0]}#tic_tac_toe/0482")     # O threatens 2 4 6
    expect(page.locator(".square:not(.empty)")).to_have_count(4)
    wait_until_ready(page)
    page.locator(".square").nth(3).click()
    expect(page.locator(".status")).to_contain_text("You lost: move 5 gave it away.")
    expect(page.locator(".moves .mistake")).to_have_text("X3 ✗")
    expect(page.locator(".chart > svg .slip")).to_have_count(1)
    page.get_by_role("button", name="move 4: O row 1, column 3").click()
    expect(page.locator(".square.slip")).to_have_attribute("aria-label", "row 2, column 1: empty, the mistake")
    expect(page.locator(".square.better")).to_have_attribute("aria-label", "row 3, column 1: empty, a better move")
    no_serious_fault(page)


def test_a_game_that_was_won_has_no_mark(play: Callable[..., Page]) -> None:
    page = play("tic_tac_toe")
    new_game(page, "uct")
    page.goto(f"{page.url.partition('#')[0]}#tic_tac_toe/0315")     # O has not blocked; X is to move and wins with 2
    expect(page.locator(".square:not(.empty)")).to_have_count(4)
    wait_until_ready(page)
    page.locator(".square").nth(2).click()
    expect(page.locator(".status")).to_contain_text("You won.")
    expect(page.locator(".moves .mistake")).to_have_count(0)


def test_a_program_that_has_ended_is_told(new_page: Callable[..., Page]) -> None:
    short = BoardServer(Session)
    thread = threading.Thread(target=short.serve)
    thread.start()
    page = new_page()
    page.goto(f"{short.url}#tic_tac_toe")
    expect(page.locator(".status")).to_contain_text("to move", timeout=LONG_MS)
    page.get_by_label("opponent", exact=True).select_option("nobody")
    short.stop()
    thread.join()
    page.get_by_role("button", name="new game").click()
    expect(page.locator(".status.wrong")).to_contain_text("Is it still running?")
    page.faults[:] = [fault for fault in page.faults if "net::ERR_" not in fault]  # type: ignore[attr-defined]


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["tic_tac_toe/04", "connect_four/5545140640001140", "othello/13.9.10"])
def test_the_board_is_readable_for_all_and_on_a_phone(play: Callable[..., Page], address: str, scheme: str) -> None:
    page = play(address, color_scheme=scheme)
    page.get_by_text("One position, four minds").click()
    expect(page.locator(".minds tbody tr").first.locator("td").nth(2)).to_contain_text("%", timeout=LONG_MS)
    page.get_by_role("button", name="100 more simulations", exact=True).click()
    expect(page.locator(".minds thead")).to_contain_text(re.compile(r"UCT\s*100 simulations"))
    fits(page)
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        no_serious_fault(page)
        screenshot(page, f"play_{address.partition('/')[0]}_{scheme}_{width}", whole=True)


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme, light", [("light", "false"), ("dark", "true")])
def test_in_a_notebook_the_notebook_s_theme_decides(play: Callable[..., Page], scheme: str, light: str) -> None:
    page = play("tic_tac_toe", color_scheme=scheme)
    shown = "getComputedStyle(document.querySelector('main')).backgroundColor"
    before = page.evaluate(shown)
    page.evaluate("light => document.body.setAttribute('data-jp-theme-light', light)", light)
    assert {before, page.evaluate(shown)} == {"rgb(255, 255, 255)", "rgb(20, 24, 30)"}
    no_serious_fault(page)
