"""The board as a folder that opens without a server and without Python: `python -m arena.board.offline --to FOLDER`.

One page holds all: what draws the board (`static`), what thinks in its place (`in_page`), the networks and the opening book as
they ship. It asks nobody: its policy forbids every request.
"""

from __future__ import annotations

import argparse
import base64
import sys
from html import escape
from pathlib import Path

from arena import nets
from arena.board.bundle import IN_PAGE, bundle, static
from arena.board.engines import SHIPPED
from arena.board.inline import allowed, data_text
from arena.board.opponents import LADDER_GAME, NOBODY, bots
from arena.board.positions import GAMES
from arena.board.session import Answer, Session
from arena.challenge.ladder import load_ladder
from arena.errors import UserError, explain_os_error
from arena.shipped import shipped

PAGE = "index.html"
TITLE = "The playable board"
ASKS_NOBODY = "The rules, the searches and the networks run in this page. It sends nothing and loads nothing."
NEEDS = "The board needs scripts; this page loads none from elsewhere."
STYLE = """
footer { box-sizing: border-box; padding: 0 .75rem .5rem; color: light-dark(#56606e, #a7b1be);
  font: .87rem/1.45 system-ui, "Segoe UI", Arial, sans-serif; }
"""


def board_page() -> str:
    """Return the page of the board: the opponents are those of `arena play`.

    Raises:
        OSError: a file that ships cannot be read.
    """
    script, style = bundle("without_server.js"), "\n".join((static("viewer.css"), static("board.css"), STYLE))
    engine = bundle("worker.js", folder=IN_PAGE)
    for text in (script, engine, style):
        assert "</" not in text, "no text may end its element"
    policy = (f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; worker-src blob:; "
              f"script-src {allowed(script)} 'wasm-unsafe-eval'; style-src {allowed(style)}")
    held = "\n".join(f'<script type="application/octet-stream" data-file="{escape(name)}">'
                     f"{base64.b64encode(path.read_bytes()).decode()}</script>" for name, path in shipped_files().items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{TITLE}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body class="arena-page">
<header><h1>{TITLE}</h1></header>
<noscript><p>{NEEDS}</p></noscript>
<main></main>
<footer><p>{ASKS_NOBODY}</p></footer>
<script type="application/json" id="catalogue">{data_text(catalogue())}</script>
<script type="text/plain" id="engine">{engine}</script>
{held}
<script type="module">{script}</script>
</body>
</html>
"""


def shipped_files() -> dict[str, Path]:
    """Return the files that the page holds, by the names of in_page/loading.js."""
    return {"book": shipped("connect_four_book.npz"), **{name: nets.find(name) for game in GAMES for name in SHIPPED[game]}}


def catalogue() -> Answer:
    """Return what a session in a page must know of games and opponents: `list`, `kinds` and `nets` of in_page/session.js."""
    climbed = bots(load_ladder())
    listed = Session(lambda game: climbed if game == LADDER_GAME else []).answer({"do": "games"})["games"]
    kinds = {each["game"]: {opponent["key"]: kind for opponent in each["opponents"]
                            if (kind := _kind(each["game"], opponent["key"], [bot.key for bot in climbed]))} for each in listed}
    return {"list": listed, "kinds": kinds, "nets": {game: next(iter(SHIPPED[game])) for game in GAMES}}


def _kind(game: str, key: str, climbed: list[str]) -> list[str] | None:
    """Return how an opponent thinks, by the names of in_page/opponents.js, and its network if it has one."""
    if key == NOBODY:
        return None
    if key in SHIPPED[game]:
        return ["puct", key]
    if key.removesuffix("-alone") in SHIPPED[game]:
        return ["prior", key.removesuffix("-alone")]
    return ["bot"] if key in climbed and game == LADDER_GAME else [key]


def write_board(folder: Path) -> Path:
    """Write the page into a folder, made if it does not exist; return the page's path.

    Raises:
        UserError: the folder cannot be written, or a file that ships cannot be read.
    """
    try:
        page = board_page()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PAGE).write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(explain_os_error(error)) from None
    return folder / PAGE


def main(arguments: list[str]) -> int:
    """Write the page, print its path and size; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m arena.board.offline",
                                     description="The board as one page that needs no server.")
    parser.add_argument("--to", type=Path, default=Path("build/board"), help="the folder; default: build/board")
    try:
        page = write_board(parser.parse_args(arguments).to)
    except UserError as error:
        print(f"arena: {error}", file=sys.stderr)
        return error.exit_code
    print(f"{page}: {page.stat().st_size:,} bytes; it opens in a browser, without a server")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
