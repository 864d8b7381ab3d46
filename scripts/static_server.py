"""A folder as a web server sends it, for pages that do not work from a folder, and for tests of what a page asks for."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass
class Served:
    """A folder that is being served.

    Attributes:
        address: of the folder, without a slash at its end.
        sent: each path that was sent, with the bytes of its file; a browser that keeps a file asks for it once.
        missing: paths that were asked for and are not there, or that lie outside of the prefix.
        elsewhere: hosts that were asked for through this server as a proxy; nothing of them was sent.
    """

    address: str = ""
    sent: dict[str, bytes] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    @property
    def num_bytes(self) -> int:
        """All that was sent, without headers."""
        return sum(map(len, self.sent.values()))

    @property
    def num_packed(self) -> int:
        """The same, as a server sends it that packs (gzip) what is not packed already, as most servers of pages do."""
        return sum(min(len(data), len(gzip.compress(data, 6))) for data in self.sent.values())


class _Handler(SimpleHTTPRequestHandler):
    """Sends the files of a folder below a prefix, and refuses to be a proxy."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def __init__(self, served: Served, prefix: str, *arguments: Any, **named: Any) -> None:
        self.served, self.prefix = served, prefix
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:  # noqa: N802, D102 (the name is the base class's)
        if not self.path.startswith("/"):
            self._refuse()
        elif self.path.startswith(f"{self.prefix}/"):
            super().do_GET()
        else:
            self.send_error(404)

    def _refuse(self) -> None:
        self.served.elsewhere.append(self.path)
        self.send_error(403)

    do_CONNECT = do_POST = _refuse  # noqa: N815 (the same)

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(self.prefix))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code == 404:
            self.served.missing.append(self.path)
        super().send_error(code, message, explain)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        self.served.sent[self.path] = data
        with suppress(ConnectionError):  # the browser has gone to another page
            outputfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path, prefix: str = "") -> Iterator[Served]:
    """Serve a folder on a free port of this machine until the block ends; `prefix` as "/name" is its place on the server."""
    served = Served()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, served, prefix, directory=str(folder))) as server:
        served.address = f"http://127.0.0.1:{server.server_port}{prefix}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
