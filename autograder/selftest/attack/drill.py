"""A drill of the watch around a class of attacks: a child process does what no attack may do, and each alarm must ring.

Without it, an alarm that is broken prints what an alarm without attacks prints: nothing.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.errors import UserError
from autograder.selftest.attack import stage
from autograder.selftest.attack.bank import MARK, PASSWORD, PWNED
from autograder.selftest.attack.pages import acting_pages, formulas, holding

CHILD_S = 60.0
COURSE = "drill"  # a folder in the room, with outputs of a grading that lets everything through
# It opens the files, calls the sockets, leaves a file and a process behind, and tells the secret of its environment.
INTRUDER = """
import json, os, socket, sys, tempfile, time
from pathlib import Path

orders = json.load(sys.stdin)
for path in orders["files"]:
    Path(path).read_bytes()
for family, kind, address in orders["sockets"]:
    with socket.socket(family, kind) as line:
        address = address if isinstance(address, str) else tuple(address)
        line.connect(address)
        if kind == socket.SOCK_DGRAM:
            line.send(b"x")
tempfile.mkstemp(prefix=orders["mark"])
course, secret = Path(orders["course"]), os.environ[orders["password"]]
for name, text in {
    "feedback/ada/ps/ps.html": f"<script>{orders['pwned']}</script>", "report/ps.html": f"<img src=x onerror={orders['pwned']}>",
    "grades.csv": "student,total\\n=1+1,3\\n", "reports/ada/ps.json": secret, "autograded/ada/ps/ps.ipynb": secret,
    "gradebook.db": secret,
}.items():
    (course / name).parent.mkdir(parents=True, exist_ok=True)
    (course / name).write_text(text)
sleeper = os.fork()
if sleeper == 0:
    os.setsid()
    os.closerange(0, 3)
    time.sleep(60)
    os._exit(0)
print(sleeper)
"""


def drill(
    room: Path, environment: Mapping[str, str], temporary: Path, honeypots: stage.Honeypots, listeners: stage.Listeners
) -> None:
    """Let each alarm ring once, and reset it. The caller has adopted its orphans.

    Args:
        environment: of the grading. temporary: its folder for temporary files.

    Raises:
        UserError: an alarm stayed silent.
    """
    course = room / COURSE
    orders = {"files": list(map(str, honeypots.paths)), "mark": MARK, "course": str(course), "password": PASSWORD, "pwned": PWNED,
              "sockets": [(line.family, line.type, _address(line.getsockname())) for line in listeners.sockets.values()]}
    intruder = subprocess.run([sys.executable, "-c", INTRUDER], input=json.dumps(orders), env=environment, capture_output=True,
                              text=True, timeout=CHILD_S)
    if intruder.returncode:
        raise UserError(f"attack: the drill of its watch failed: {intruder.stderr.strip()[-500:]}")
    silent = list(_silent(room, temporary, honeypots, listeners, environment[PASSWORD], intruder.stdout.strip()))
    if silent:
        raise UserError("attack: nothing was tried, because the watch is blind. A child process did what no attack may do, and "
                        f"this did not notice it: {'; '.join(silent)}")


def _address(name: str | bytes | tuple[object, ...]) -> str | tuple[object, ...]:
    """Return the address of a socket as JSON can hold it; an abstract one is given as bytes."""
    return name.decode() if isinstance(name, bytes) else name


def _silent(
    room: Path, temporary: Path, honeypots: stage.Honeypots, listeners: stage.Listeners, secret: str, sleeper: str
) -> Iterator[str]:
    """Yield each alarm that does not ring, and reset them all."""
    opened = set(honeypots.opened())
    if honeypots.tells():
        yield from (f"the honeypot {path}" for path in map(str, honeypots.paths) if path not in opened)
    honeypots.reset()
    heard = listeners.heard()
    yield from (f"the listener at {name}" for name in listeners.sockets if name not in heard)
    taken = " (another process uses its addresses: does another `make attack` run here?)" if listeners.unwatched else ""
    yield from (f"any listener at {kind}{taken}" for kind in ("tcp 127.0.0.1", "udp 127.0.0.1", "unix")
                if not any(name.startswith(kind) for name in listeners.sockets))
    if not any(process.split()[0] == sleeper for process in stage.processes_left(0.0)):
        yield "the search for processes that are left"
    os.kill(int(sleeper), signal.SIGKILL)
    if sleeper in {process.split()[0] for process in stage.processes_left()}:
        yield f"the search for processes that are left, of the end of process {sleeper}"
    left = list(temporary.iterdir())
    if not left:
        yield "the folder for temporary files"
    if not {str(path) for path in left} & set(stage.marked_files(room)):
        yield "the search for files with an attack's mark"
    for path in left:
        path.unlink()
    course, words = room / COURSE, {"the secret": secret.encode()}
    noticed = [*acting_pages(course), *formulas(course), *holding(course, words)]
    for name in ("feedback/ada/ps/ps.html", "report/ps.html", "grades.csv", "reports/ada/ps.json", "autograded/ada/ps/ps.ipynb",
                 "gradebook.db"):
        if not any(what.startswith(name) for what in noticed):
            yield f"the search of the outputs, of {name}"
        (course / name).unlink()
