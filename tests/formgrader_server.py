"""A Jupyter server in a folder, with nbgrader's formgrader, for the tests that ask it and those that open it in a browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.gradebook.course import tools_on_path
from autograder.paths import REPOSITORY

TOKEN = "of-this-test"  # what the server asks of everybody
START_S = 120


def free_port() -> int:
    """A port of this machine that no server has."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextmanager
def jupyter_server(folder: Path, home: Path, **settings: str) -> Iterator[str]:
    """Run a server in `folder` until the block ends; its address, as soon as it answers.

    Args:
        home: where the server keeps what is its own, and finds no settings of the user's.
        settings: more variables of its environment.
    """
    tools_on_path()
    home.mkdir(exist_ok=True)
    port = free_port()
    command = [sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
               f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"]
    places = {name: str(home) for name in ("HOME", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    environment = {**os.environ, **places, "PYTHONPATH": str(REPOSITORY), **settings}
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}", process, home / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=60).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-3000:]}", pytrace=False)
