"""The picture of the tree viewer for docs/students.md: `python -m scripts.tree_figure` takes it from a real page."""

import random
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from arena.board.tree_page import tree_html
from arena.board.tree_view import TreeView
from arena.games import TicTacToe
from arena.show.step import PHASES, Phases
from scripts import chromium
from solutions import ps2_uct

FIGURE = Path("docs/figures/tree_viewer.png")
POSITION = "X.O/.X./..O"
SIMULATIONS = 14


def main() -> None:
    """Search, show one more simulation phase by phase, and save what the viewer shows after its last phase."""
    game, rng = TicTacToe(), random.Random(5)
    _, root = ps2_uct.search(game, game.parse(POSITION), SIMULATIONS, 1.0, rng)
    phases = Phases(ps2_uct.select, ps2_uct.expand, lambda state: ps2_uct.simulate(game, state, ps2_uct.random_policy, rng),
                    ps2_uct.backpropagate)
    page_text = tree_html(TreeView(game, root, phases=phases, rng=rng), title="A tree", num_simulations=1)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "tree.html"
        path.write_text(page_text, encoding="utf-8")
        browser = chromium.started(playwright)
        page = browser.new_page(viewport={"width": 1180, "height": 900}, reduced_motion="reduce")
        page.goto(path.as_uri())
        for phase in PHASES:
            page.get_by_role("button", name="next phase").click()
            page.locator("li[aria-current]", has_text=phase).wait_for()
        page.mouse.move(5, 5)  # else the node under the button's place is shown
        page.locator(".mcts-tree").screenshot(path=FIGURE)
    print(f"wrote {FIGURE}")


if __name__ == "__main__":
    main()
