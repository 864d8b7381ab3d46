"""The picture of the playable board for docs/students.md: `python -m scripts.play_figure` takes it from a real board."""

from __future__ import annotations

import threading

from playwright.sync_api import expect, sync_playwright

from arena.board.opponents import bots
from arena.board.server import BoardServer
from arena.board.session import Session
from arena.challenge.ladder import load_ladder
from autograder.paths import REPOSITORY
from scripts import chromium

FIGURE = REPOSITORY / "docs" / "figures" / "play.png"
POSITION = "connect_four/3521536661131421"  # one column wins, all others lose
LONG_MS = 120_000


def main() -> None:
    """Open the position, let the searches make 100 simulations, and save what the page shows."""
    ladder = bots(load_ladder())
    server = BoardServer(lambda: Session(lambda game: ladder if game == "connect_four" else [], seed=1))
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = chromium.started(playwright)
            page = browser.new_page(viewport={"width": 1280, "height": 880})
            page.goto(f"{server.url}#{POSITION}")
            # it is the first screen's puzzle
            expect(page.locator(".minds thead")).to_contain_text("30 simulations", timeout=LONG_MS)
            page.get_by_role("button", name="show the solver's answer").click()
            expect(page.locator(".minds .fate").last).to_contain_text("loses", timeout=LONG_MS)
            for _ in range(7):
                page.get_by_role("button", name="10 more simulations", exact=True).click()
            expect(page.locator(".minds thead")).to_contain_text("100 simulations", timeout=LONG_MS)
            expect(page.locator(".chart circle.network")).not_to_have_count(0, timeout=LONG_MS)
            page.screenshot(path=FIGURE, full_page=True)
    finally:
        server.stop()
        thread.join()
    print(FIGURE)


if __name__ == "__main__":
    main()
