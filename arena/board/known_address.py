"""The address of the board that is always the same, so that a page in a file can have links to positions.

A link cannot hold the secret path of a board. So the board's page gives its browser a cookie, and the known address sends a
browser with this cookie on to the secret path. The fragment of a link, which names the position, goes along.

A browser sends cookies of 127.0.0.1 to every port. So the cookie's name holds the port, and only the board at `PORT` gives one:
a foreign program cannot wait at the address of our links while a board at another port has a valid cookie.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

LOOPBACK = "127.0.0.1"
PORT = 24435  # registered for nothing, and below the ports that systems give to programs by themselves
CLOSED = ("This board answers only the browser that it opened itself. Open the address that `arena play` shows in the "
          "terminal; after that, links to positions work in that browser.\n")


def position_link(game: str, moves: str) -> str:
    """Return the address of a position; it works in the browser that has opened the board at the known address."""
    return f"http://{LOOPBACK}:{PORT}/#{game}/{moves}".removesuffix("/")


def cookie_name(port: int) -> str:
    """Return the name of the cookie of a board at this port."""
    return f"board-{port}"


def set_cookie(port: int, secret: str) -> str:
    """Return the value of `Set-Cookie`: no script can read the cookie, and it ends with the browser."""
    return f"{cookie_name(port)}={secret}; HttpOnly; SameSite=Lax; Path=/"


def has_cookie(headers: Iterable[str], port: int, secret: str) -> bool:
    """Return whether one of the request's cookies is ours.

    `http.cookies` would stop reading at the first cookie of another program that is not written by the rules.

    Args:
        headers: the values of all `Cookie` headers.
    """
    pairs = (pair.strip().partition("=") for header in headers for pair in header.split(";"))
    given = (value for name, _, value in pairs if name == cookie_name(port))
    return any(hmac.compare_digest(value.encode(), secret.encode()) for value in given)
