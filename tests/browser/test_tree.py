"""The tree viewer in Chromium: by mouse, by keyboard, phase by phase, and with thousands of nodes."""

import random
import re

import pytest
from playwright.sync_api import expect

from arena.board.tree_page import tree_html
from arena.board.tree_view import TreeView
from arena.games import FIVE_SIMULATIONS, ConnectFour, TicTacToe
from arena.show.step import Phases
from solutions import ps2_uct, ps3_connect_four
from tests.browser.looks import fits, no_serious_fault, screenshot

pytestmark = pytest.mark.usefixtures("processes")

GAME = TicTacToe()
MANY = 5000
STEP_MS = 350  # of tree_phases.js
SLOWEST_FPS = 5  # the machine may be busy; what it reached is printed

FRAMES = """
async () => {  // frames in one second and a half
  const times = [];
  await new Promise((done) => {
    const tick = (now) => { times.push(now); now - times[0] < 1500 ? requestAnimationFrame(tick) : done(); };
    requestAnimationFrame(tick);
  });
  return 1000 * (times.length - 1) / (times[times.length - 1] - times[0]);
}
"""
# Every frame one step of a drag, or one turn of the wheel, as a hand and a driver would send them.
GESTURE = """
({ kind }) => {
  const box = document.querySelector(".mcts-tree .picture"), frame = box.getBoundingClientRect();
  const middle = { clientX: frame.x + frame.width / 2, clientY: frame.y + frame.height / 2, pointerId: 1, button: 0,
    bubbles: true };
  box.setPointerCapture = () => {};  // a made-up pointer cannot be captured
  if (kind === "pan") box.dispatchEvent(new PointerEvent("pointerdown", middle));
  let turn = 0;
  const tick = () => {
    turn++;
    if (kind === "pan") {
      box.dispatchEvent(new PointerEvent("pointermove", { ...middle, clientX: middle.clientX + 250 * Math.sin(turn / 20) }));
    } else {
      const deltaY = turn % 80 < 40 ? -40 : 40;
      box.dispatchEvent(new WheelEvent("wheel", { ...middle, deltaY, ctrlKey: true, cancelable: true }));
    }
    if (turn < 120) requestAnimationFrame(tick);
    else if (kind === "pan") box.dispatchEvent(new PointerEvent("pointerup", middle));
  };
  requestAnimationFrame(tick);
}
"""


def searched(simulations=300):
    return ps2_uct.search(GAME, GAME.parse("X.O/.X./..O"), simulations, 1.0, random.Random(5))[1]


def opened(page, folder, view, **options):
    """Write the page of a tree, and open it from its folder."""
    path = folder / "tree.html"
    path.write_text(tree_html(view, title="A tree", **options), encoding="utf-8")
    page.goto(path.as_uri())
    page.get_by_role("treeitem", selected=True).wait_for()
    return page


def rows(page):
    return page.get_by_role("treeitem")


@pytest.mark.first_shows
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_fault_and_fits_a_phone(new_page, tmp_path, scheme):
    page = opened(new_page(color_scheme=scheme), tmp_path, TreeView(GAME, searched()))
    page.get_by_role("button", name="open the most visited line").click()
    no_serious_fault(page)
    fits(page)
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.get_by_role("button", name="show the whole tree").click()
        page.wait_for_timeout(100)
        screenshot(page, f"tree_{scheme}_{width}", whole=True)


def test_a_node_shows_the_two_terms_of_its_bound_under_the_mouse_and_in_focus(browser_page, tmp_path):
    tree = searched()
    page = opened(browser_page, tmp_path, TreeView(GAME, tree))
    best = max(tree.children.values(), key=lambda child: child.num_visits)
    details = page.get_by_role("group", name="the node")
    card = page.locator(f".card[data-id]:has(text.turn:text('{best.action} ·'))")
    box = card.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    bound = f"{ps2_uct.ucb(best, 1.0):.2f}".replace("-", "−")
    assert re.search(rf"UCB = .* = {bound}, for X", details.inner_text())
    assert "exploitation" in details.inner_text() and f"ln {tree.num_visits} / {best.num_visits}" in details.inner_text()
    page.mouse.move(5, 5)
    assert "root" in details.inner_text()
    rows(page).first.focus()
    page.keyboard.press("ArrowDown")
    assert "X plays" in details.inner_text()


def test_the_arrow_keys_walk_the_tree_and_enter_opens_and_closes_a_node(browser_page, tmp_path):
    page = opened(browser_page, tmp_path, TreeView(GAME, searched()))
    rows(page).first.focus()
    assert rows(page).count() == 6  # the root and its five moves
    assert [rows(page).first.get_attribute(f"aria-{name}") for name in ("level", "expanded", "setsize")] == ["1", "true", "1"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "true")
    assert rows(page).count() == 10
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "3"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "false")
    assert rows(page).count() == 6
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.getAttribute('aria-posinset')") == "5"
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "1"


def test_a_click_chooses_a_node_and_a_second_one_opens_it(browser_page, tmp_path):
    page = opened(browser_page, tmp_path, TreeView(GAME, searched()))
    box = page.locator(".card").nth(1).bounding_box()
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(100)
        box = page.locator(".card.chosen").bounding_box()
    assert rows(page).count() == 10


def test_a_drag_moves_the_nodes_and_a_click_still_finds_them(browser_page, tmp_path):
    page = opened(browser_page, tmp_path, TreeView(GAME, searched()))
    card = page.locator(".card").nth(1)
    before, name = card.bounding_box(), card.get_attribute("data-id")
    frame = page.locator(".picture").bounding_box()
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] - 10
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 250, y - 100, steps=5)
    page.mouse.up()
    page.wait_for_timeout(100)
    after = page.locator(f".card[data-id='{name}']").bounding_box()
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (250, -100)
    page.mouse.click(after["x"] + after["width"] / 2, after["y"] + after["height"] / 2)
    expect(page.get_by_role("treeitem", selected=True)).to_have_attribute("data-id", name)


def test_a_simulation_is_shown_phase_by_phase_and_ends_with_the_new_numbers(new_page, tmp_path):
    page = new_page(reduced_motion="reduce")
    toy = FIVE_SIMULATIONS
    phases = Phases(ps2_uct.select, ps2_uct.expand, toy.evaluate, ps2_uct.backpropagate)
    view = TreeView(toy, ps2_uct.TreeNode("s0"), phases=phases, rng=random.Random(1))
    opened(page, tmp_path, view, num_simulations=2)
    status, press = page.get_by_role("status"), page.get_by_role("button", name="next phase")
    for phase, words in [("selection", "ends at s0"), ("expansion", "leads from s0"), ("simulation", "a rollout"),
                         ("backpropagation", "n 0 → 1")]:
        press.click()
        page.locator("li[aria-current]", has_text=phase).wait_for()
        assert words in status.inner_text()
    assert page.locator(".card.path").count() == 2
    screenshot(page, "tree_phases")
    no_serious_fault(page)
    page.get_by_role("button", name="whole simulation").click()
    page.locator(".steps .count", has_text="simulation 2").wait_for()
    page.locator("li[aria-current]", has_text="backpropagation").wait_for()
    page.get_by_role("button", name="next phase").click()
    assert "No more simulations" in page.get_by_role("alert").inner_text()


def test_with_motion_the_path_grows_node_by_node(new_page, tmp_path):
    page = new_page(reduced_motion="no-preference")
    rng = random.Random(2)
    phases = Phases(ps2_uct.select, ps2_uct.expand, lambda state: 0.0, ps2_uct.backpropagate)
    opened(page, tmp_path, TreeView(GAME, searched(100), phases=phases, rng=rng), num_simulations=1)
    page.evaluate("""() => {
      window.lengths = [];
      const look = () => window.lengths.push(document.querySelectorAll(".row.path").length);
      new MutationObserver(look).observe(document.querySelector(".rows"), { childList: true });
    }""")
    page.get_by_role("button", name="next phase").click()
    path = page.locator(".row.path")
    expect(path).not_to_have_count(0)
    page.wait_for_timeout(STEP_MS * 12)  # the path is at most ten nodes long
    seen = sorted(set(page.evaluate("window.lengths")) - {0})
    assert seen == list(range(1, path.count() + 1)) and len(seen) > 2


def test_several_viewers_on_a_page_do_not_know_of_each_other(browser_page, tmp_path):
    """One script, three elements, and nothing left in the window or in an element that has ended."""
    page = opened(browser_page, tmp_path, TreeView(GAME, searched()))
    text = (tmp_path / "tree.html").read_text(encoding="utf-8")
    begin = 'tree(document.getElementById("tree"), async (request) => {'
    twice = text.replace(begin, "const answer = async (request) => {").replace(
        "});\n</script>", "};\nconst more = document.createElement('div');\ndocument.querySelector('main').append(more);\n"
        "tree(document.getElementById('tree'), answer);\ntree(more, answer).end();\ntree(more, answer);\n</script>")
    twice = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", twice)  # its hash is that of the one script
    (tmp_path / "twice.html").write_text(twice, encoding="utf-8")
    before = set(page.evaluate("Object.keys(window)"))
    page.goto((tmp_path / "twice.html").as_uri())
    page.get_by_role("tree").nth(1).wait_for()
    assert page.get_by_role("tree").count() == 2
    first, second = page.locator(".mcts-tree").all()
    second.get_by_role("treeitem").first.focus()
    page.keyboard.press("ArrowDown")
    assert first.get_by_role("treeitem", selected=True).get_attribute("aria-level") == "1"
    assert second.get_by_role("treeitem", selected=True).get_attribute("aria-level") == "2"
    assert set(page.evaluate("Object.keys(window)")) == before


def test_odd_text_is_shown_as_text(browser_page, tmp_path):
    tree = searched()
    tree.children[5].state = "<img src=x onerror=alert(1)>" * 400
    page = opened(browser_page, tmp_path, TreeView(GAME, tree))
    bad = page.get_by_role("treeitem", name="cannot be read")
    bad.click()
    assert "the game cannot show the node" in page.get_by_role("group", name="the node").inner_text()
    assert page.locator("img").count() == 0
    fits(page)


@pytest.mark.usefixtures("repetition")
def test_five_thousand_nodes_are_panned_and_zoomed_smoothly(browser_page, tmp_path, capsys):
    game = ConnectFour()
    tree = ps3_connect_four.uct(game, game.start(), random.Random(1), simulations=9000)[1]
    page = opened(browser_page, tmp_path, TreeView(game, tree), max_nodes=MANY + 1500)
    count = page.locator(".bar .count")
    for _ in range(40):
        shown = int(count.inner_text().split()[0])
        if shown >= MANY:
            break
        page.get_by_role("button", name="open one more level").click()
        expect(count).not_to_have_text(re.compile(rf"^{shown} nodes"))
    assert shown >= MANY
    assert page.locator(".row").count() < 60 and page.locator(".card").count() <= 150  # only what the window shows
    rates = {}
    page.get_by_role("button", name="show the whole tree").click()
    for zoom in ("far", "near"):
        if zoom == "near":
            page.get_by_role("button", name="open the most visited line").click()
        screenshot(page, f"tree_many_{zoom}")
        for kind in ("pan", "zoom"):
            page.evaluate(GESTURE, {"kind": kind})
            rates[f"{kind} {zoom}"] = page.evaluate(FRAMES)
    with capsys.disabled():
        print(f"\n{shown} nodes, frames per second:", {name: round(rate, 1) for name, rate in rates.items()})
    assert min(rates.values()) > SLOWEST_FPS
