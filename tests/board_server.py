"""A board's server in a thread, for the tests that ask it and those that open it in a browser."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from arena.board.server import BoardServer
from arena.board.session import Session


@contextmanager
def running_server() -> Iterator[BoardServer]:
    """Serve the board on a free port until the block ends."""
    server = BoardServer(lambda: Session(seed=1))
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
