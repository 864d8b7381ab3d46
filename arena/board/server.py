"""The board as a page on this machine: HTTP on the loopback address, for the reader's own browser and for nobody else.

Another page in the same browser could send requests to this address too. So the path begins with a random token, the name in
`Host` must be the loopback address (a foreign name that was made to point here has another `Host`), and a request that changes
something must come from this very page (`Origin`). `known_address.py` says how a link without the token leads to the page.

HTTP runs in threads of its own, because a browser opens connections that it does not use. All thinking is done by the thread
that called `serve`: a player in the sandbox ends with the thread that began it.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from arena.board import known_address
from arena.board.known_address import CLOSED, LOOPBACK, has_cookie, set_cookie
from arena.board.session import Session

NAMES = (LOOPBACK, "localhost")  # in `Host`; the port may differ, as through a tunnel of ssh
STATIC = {
    "": ("index.html", "text/html; charset=utf-8"),
    **{f"{name}.js": (f"{name}.js", "text/javascript; charset=utf-8")
       for name in ("page", "whole_page", "board", "viewer", "mind_words", "elements")},
    **{name: (name, "text/css; charset=utf-8") for name in ("viewer.css", "board.css")},
}
LONGEST_REQUEST = 65_536  # bytes
LONGEST_TAB = 64
MOST_TABS = 8  # games side by side; the oldest is forgotten
EVERY_S = 0.5
SILENT_S = 30.0  # a connection on which nothing comes is closed
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass
class Question:
    """A request on its way from a thread of HTTP to the thread that thinks; `answered` is set with the answer."""

    tab: str
    request: Any
    answer: dict[str, Any] = field(default_factory=dict)
    answered: threading.Event = field(default_factory=threading.Event)


class BoardServer(ThreadingHTTPServer):
    """The server: `url` is the page's address; `serve` answers until Ctrl-C.

    Args:
        new_session: makes the session of a tab.
        port: 0 takes any free port.

    Raises:
        OSError: the port is taken.
    """

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # Windows would let two programs have one port
    allow_reuse_port = False

    def __init__(self, new_session: Callable[[], Session], port: int = 0) -> None:
        super().__init__((LOOPBACK, port), Handler)
        self.token, self.cookie = secrets.token_urlsafe(18), secrets.token_urlsafe(18)
        self.questions: queue.Queue[Question | None] = queue.Queue()  # None ends `serve`
        self.ended = threading.Event()
        self._new_session = new_session
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._http = threading.Thread(target=self.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """The address of the page, token included."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"

    @property
    def is_known(self) -> bool:
        """Whether links of other pages lead to this board."""
        return self.server_port == known_address.PORT

    def serve(self) -> None:
        """Answer requests until `KeyboardInterrupt`, or until `stop` is called from another thread."""
        self._http.start()
        try:
            while question := self._next():
                question.answer = self._answer(question)
                question.answered.set()
        finally:
            self.ended.set()
            self.shutdown()
            self.server_close()

    def stop(self) -> None:
        """End `serve`."""
        self.questions.put(None)

    def _next(self) -> Question | None:
        while True:
            try:
                return self.questions.get(timeout=EVERY_S)
            except queue.Empty:  # on Windows, Ctrl-C is noticed only between two waits
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep silent about a connection that the browser has closed; show any other error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def _answer(self, question: Question) -> dict[str, Any]:
        try:
            return self._session(question.tab).answer(question.request)
        except Exception:  # a mistake of ours: the page says so, the terminal shows where
            traceback.print_exc(file=sys.stderr)
            return {}

    def _session(self, tab: str) -> Session:
        if tab not in self._sessions:
            if len(self._sessions) >= MOST_TABS:
                self._sessions.popitem(last=False)
            self._sessions[tab] = self._new_session()
        self._sessions.move_to_end(tab)
        return self._sessions[tab]


class Handler(BaseHTTPRequestHandler):
    """One connection: the files of the page by GET, questions to the session by POST."""

    server: BoardServer
    protocol_version = "HTTP/1.1"
    timeout = SILENT_S

    def do_GET(self) -> None:
        """Send a file of the page, or send the board's own browser on from the known address to the page."""
        if self.path.partition("?")[0] == "/" and self._is_here():
            self._send_on()
            return
        name = self._name()
        if name is None:
            return
        if name not in STATIC:
            self._refuse(HTTPStatus.NOT_FOUND, "file not found")
            return
        file, kind = STATIC[name]
        more = {}
        if name == "" and self.server.is_known:
            more["Set-Cookie"] = set_cookie(self.server.server_port, self.server.cookie)
        self._send(HTTPStatus.OK, kind, (files("arena.board") / "static" / file).read_bytes(), more)

    def _send_on(self) -> None:
        """Answer the known address; a page that loads the address as a part of itself gets no more than a stranger."""
        server, opened = self.server, self.headers.get("Sec-Fetch-Dest", "document") == "document"
        if opened and has_cookie(self.headers.get_all("Cookie", []), server.server_port, server.cookie):
            self._send(HTTPStatus.SEE_OTHER, "text/plain; charset=utf-8", b"", {"Location": f"/{server.token}/"})
        else:
            self._refuse(HTTPStatus.FORBIDDEN, CLOSED)

    def do_POST(self) -> None:
        """Answer a question of the page."""
        self.close_connection = True  # a refused body is never read
        name = self._name()
        if name is None:
            return
        if name != "ask":
            self._refuse(HTTPStatus.NOT_FOUND, "this address answers no requests")
        elif self.headers.get("Origin") != f"http://{self.headers.get('Host')}":
            self._refuse(HTTPStatus.FORBIDDEN, "only the board's own page may ask")
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a request must be JSON")
        elif not (length := self.headers.get("Content-Length", "")).isdecimal() or int(length) > LONGEST_REQUEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {LONGEST_REQUEST:,} bytes")
        else:
            self._ask(self.rfile.read(int(length)))

    def _ask(self, body: bytes) -> None:
        tab = parse_qs(urlsplit(self.path).query).get("tab", [""])[0]
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "the request is not valid JSON")
            return
        if not 0 < len(tab) <= LONGEST_TAB:
            self._refuse(HTTPStatus.BAD_REQUEST, "the request does not name its tab")
            return
        question = Question(tab, request)
        self.server.questions.put(question)
        while not question.answered.wait(EVERY_S):
            if self.server.ended.is_set():  # it came too late: the page notices the end of the connection
                return
        if question.answer:
            self._send(HTTPStatus.OK, "application/json", json.dumps(question.answer).encode())
        else:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, "an error in the program; its terminal shows more")

    def _name(self) -> str | None:
        """Return the name behind the token; None, and a refusal is sent, if Host or token are not ours."""
        token, _, rest = self.path.partition("?")[0].removeprefix("/").partition("/")
        if not self._is_here():
            self._refuse(HTTPStatus.FORBIDDEN, "this board answers this machine only")
        elif not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN, "the address lacks its token: open the address that the terminal shows")
        else:
            return rest
        return None

    def _is_here(self) -> bool:
        return self.headers.get("Host", "").partition(":")[0] in NAMES

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        self._send(status, "text/plain; charset=utf-8", sentence.encode())

    def _send(self, status: HTTPStatus, kind: str, content: bytes, more: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(content)), **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # the name is that of http.server
        """Keep silent: the terminal is for what a person must read."""
