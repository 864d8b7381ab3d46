"""`arena play`: the board in the browser."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.board.known_address import PORT
from arena.board.opponents import LADDER_GAME, Opponent, bots
from arena.board.positions import GAMES, open_position
from arena.board.server import BoardServer
from arena.board.session import Session
from arena.challenge.ladder import load_ladder
from arena.errors import UserError, explain_os_error
from arena.work import as_typed

MORE = Callable[[str], Sequence[Opponent]]
OWNER = f"netstat -ano | findstr :{PORT}" if os.name == "nt" else f"lsof -i :{PORT}"
TAKEN = (f"port {PORT} is in use, so links of challenge pages do not open this board; if another board is there, Ctrl-C in its "
         f"terminal stops it (`{OWNER}` shows which program has the port)")


def play(game: str, moves: str, more: MORE, *, port: int | None = None, browser: bool = True,
         tell: Callable[[str], None] = print) -> None:
    """Serve the board until Ctrl-C.

    Args:
        game: the first game; "" opens Connect Four, and without `moves` the page shows its puzzle first.
        moves: the position that opens first, as text; "" is the start.
        more: opponents besides the bots of the ladder and those that are on every board.
        port: None takes the port to which links of challenge pages lead, or a free one if it is in use; 0 takes a free one.
        tell: takes what the terminal shows.

    Raises:
        UserError: the game or the position does not exist, or the port is taken.
    """
    fragment = f"#{game or LADDER_GAME}/{moves}" if moves else f"#{game}" if game else ""
    game = open_position(game or LADDER_GAME, moves).name
    climbed = bots(load_ladder())
    server = open_server(lambda: Session(lambda name: [*more(name), *(climbed if name == LADDER_GAME else [])], game=game), port)
    try:
        tell(f"the board: {server.url}{fragment}")
        if port is None and not server.is_known:
            tell(TAKEN)
        tell("Ctrl-C ends it")
        if browser and not webbrowser.open(f"{server.url}{fragment}"):
            tell("no browser was found: open the address yourself")
        server.serve()
    except KeyboardInterrupt:
        tell("\nthe board is closed")


def first_game(game: str, has_player: bool) -> str:
    """Return the game that opens first; without a wish, that of the ladder for who brings a player and wants to play."""
    return game or (LADDER_GAME if has_player else "")


def open_server(new_session: Callable[[], Session], port: int | None) -> BoardServer:
    """Return the server of a board that does not answer yet; see `play` for the port.

    Raises:
        UserError: the port is taken, or is none.
    """
    if port is None:
        try:
            return BoardServer(new_session, PORT)
        except OSError:  # in use, or reserved by the system
            port = 0
    try:
        return BoardServer(new_session, port)
    except (OSError, OverflowError) as error:
        reason = explain_os_error(error) if isinstance(error, OSError) else "a port is a number from 0 to 65535"
        raise UserError(f"the board cannot use port {port}: {reason}") from None


def main(arguments: list[str]) -> int:
    """Run `arena play` with these arguments; return the exit code."""
    parser = argparse.ArgumentParser(prog="arena play", description="Play against a search, and watch it think.")
    parser.add_argument("game", nargs="?", default="", choices=["", *GAMES], metavar="{" + ",".join(GAMES) + "}",
                        help="default: Connect Four, with a puzzle first")
    parser.add_argument("--moves", default="", help="open the position after these moves, such as 4435")
    parser.add_argument("--player", type=Path, help="your own search: ps2_uct, ps3_connect_four or ps5_alphazero")
    parser.add_argument("--port", type=int,
                        help=f"the page's port, 0 for any free one; default: {PORT}, to which links lead, if it is free")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    given = parser.parse_args(arguments)
    try:
        own = _own(as_typed(given.player) if given.player else None)
        play(first_game(given.game, bool(own)), given.moves, own or (lambda name: []), port=given.port,
             browser=not given.no_browser)
    except UserError as error:
        print(f"arena: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _own(path: Path | None) -> MORE | None:
    if path is None:
        return None
    from arena.board.own import own_opponents

    print(f"your player: {path}, in this Python and without a sandbox: open no file that you do not trust", file=sys.stderr)
    return own_opponents(path, lambda sentence: print(sentence, file=sys.stderr))
