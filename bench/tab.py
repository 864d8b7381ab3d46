"""From the click to an answer of Python: problem set 2 in a browser's tab, for a browser that has nothing of it yet."""
import tempfile
import time
from pathlib import Path
from statistics import median

from bench import LIMIT, Row, must
from scripts import chromium, lite
from scripts.static_server import serving

PS, TURNS = "ps2_uct", 3
LIMIT_S = 60.0     # what the page says


def rows() -> list[Row]:
    """Seconds until Python has answered for the first time; in `how` the megabytes that the browser asked for."""
    from playwright.sync_api import sync_playwright

    seconds = []
    with tempfile.TemporaryDirectory() as room, sync_playwright() as playwright:
        lite.build(to=Path(room) / "site")
        for _ in range(TURNS):
            with serving(Path(room) / "site") as served:
                browser = chromium.started(playwright, chromium.proxy(served.address))
                tab, begin = browser.new_page(), time.perf_counter()
                tab.goto(f"{served.address}/notebooks/index.html?path={PS}.ipynb")
                tab.locator("#hand-in[data-python=ready]").wait_for(timeout=300_000, state="attached")
                seconds.append(time.perf_counter() - begin)
                browser.close()
                must(not served.elsewhere, f"the page asked other servers: {served.elsewhere[:3]}")
    (wheel,) = (len(data) for path, data in served.sent.items() if "mcts_to_alphazero" in path)
    each = ", ".join(f"{turn:.1f}" for turn in seconds)
    how = (f"peer: the limit of {LIMIT_S:g} s; {PS} in Chromium on the server's own machine, {len(served.sent)} files, "
           f"{served.num_bytes / 1e6:.1f} MB, {served.num_packed / 1e6:.1f} MB from a server that packs, {wheel / 1e6:.2f} MB of "
           f"them the wheel of arena; median of {TURNS} turns ({each} s)")
    return [Row("tab", median(seconds), LIMIT_S, "s", 1.0, how, LIMIT)]
