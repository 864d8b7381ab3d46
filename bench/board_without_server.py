"""AlphaZero in a page, without a server, against the same search with our compiled player and torch."""

import base64
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING

from arena import nets
from arena.board.bundle import IN_PAGE, bundle
from arena.board.offline import board_page
from arena.board.positions import Position, start
from arena.players.network import NetworkPlayer, asking, load_net
from arena.players.rules import compiled
from bench import LIMIT, Row, must
from scripts import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAMES, SIMULATIONS, POSITIONS, TURNS = ("tic_tac_toe", "connect_four", "othello"), 200, 10, 3
SLOWER = 2  # times as long as the compiled player: then a move on the board takes less than a second
LEAST_SAME = 0.95  # of the moves
LOAD = """async ([game, file]) => {
  const rules = openPosition(game, "").game;
  globalThis.net = new Network(rules, await readArchive(bytesOf(file)));
}"""
SEARCH = """([game, lines, simulations]) => {
  const positions = lines.map(moves => openPosition(game, moves)), began = performance.now();
  const moves = positions.map(({game, state}) => {
    const search = new PUCT(game, net, state);
    search.step(simulations);
    return search.thought().best;
  });
  return [moves, (performance.now() - began) / 1000];
}"""


def rows() -> list[Row]:
    """Searches a second in each game; one thread each, the same positions for both, nothing remembered between searches."""
    import torch

    torch.set_num_threads(1)
    with _page() as page:
        return [_row(game, page) for game in GAMES]


@contextmanager
def _page() -> Iterator["Page"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = chromium.started(playwright)
        page = browser.new_page()
        page.add_script_tag(content=bundle("archive.js", "network.js", "puct.js", "positions.js", folder=IN_PAGE))
        yield page
        browser.close()


def _row(game: str, page: "Page") -> Row:
    rules, file = compiled(game), nets.find(game)
    player = NetworkPlayer(rules, asking(load_net(rules, file)))
    page.evaluate(LOAD, [game, base64.b64encode(file.read_bytes()).decode()])
    positions = _positions(game)
    asked = [game, [position.moves for position in positions], SIMULATIONS]
    player.choose(positions[0].state, SIMULATIONS, random.Random(1))  # compile before the clock starts, on both sides
    page.evaluate(SEARCH, asked)
    ours, theirs, same = [], [], 0
    for _ in range(TURNS):
        moves, seconds = page.evaluate(SEARCH, asked)
        ours.append(seconds / POSITIONS)
        began = time.perf_counter()
        chosen = [player.choose(position.state, SIMULATIONS, random.Random(1)) for position in positions]
        theirs.append((time.perf_counter() - began) / POSITIONS)
        same += sum(a == b for a, b in zip(moves, chosen, strict=True))
    must(same >= LEAST_SAME * TURNS * POSITIONS, f"{game}: only {same} of {TURNS * POSITIONS} moves are the player's")
    how = (f"peer: the compiled player with torch, one thread, and the page may take {SLOWER} times as long; {SIMULATIONS} "
           f"simulations of AlphaZero at {POSITIONS} positions of random games, {1000 * median(ours):.3g} ms in Chromium and "
           f"{1000 * median(theirs):.3g} ms in Python, median of {TURNS} turns; {same} of {TURNS * POSITIONS} moves are the "
           f"same; the whole page has {len(board_page()) / 1e6:.2f} MB")
    return Row(f"board_without_server: {game}", 1 / median(ours), 1 / median(theirs), "searches/s", 1 / SLOWER, how, LIMIT)


def _positions(game: str) -> list[Position]:
    """Return positions early in random games, so that a search has its whole budget to spend."""
    rng, drawn = random.Random(1), list[Position]()
    while len(drawn) < POSITIONS:
        position = start(game)
        for _ in range(rng.randrange(2 if game == "tic_tac_toe" else 12)):
            position = position.play(rng.choice(position.legal))
            if position.over:
                break
        else:
            drawn.append(position)
    return drawn
