"""Student code in the real sandbox, for tests: a session with the code, and an ordinary user that a test can become."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.sandbox.codec import Special
from autograder.sandbox.profiles import SandboxProfile
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import WALL_TIMEOUT_S, Session

ROOT = Path(__file__).resolve().parents[2]
NOBODY = "65534"
SMALL = SandboxProfile(memory_mib=400)  # enough for a test, and several tests run at once


@contextmanager
def student_code(
    code: str, *, cpu_s: float = 20.0, wall_timeout_s: float = WALL_TIMEOUT_S, sandbox: Sandbox | None = None
) -> Iterator[Session]:
    """Load `code` in its own worker (in its own sandbox, unless one is given) and yield its session."""
    own = sandbox or Sandbox(SMALL)
    try:
        session = Session(own, cpu_s=20.0, hard_cpu_s=20.0 + cpu_s)
        problems = session.request("load", [["cell 1", code]], False)
        assert problems == [], problems
        session.allow(cpu_s, wall_timeout_s)
        yield session
        session.close()
    finally:
        if sandbox is None:
            own.close()


def call(session: Session, name: str, *arguments: Any) -> Any:
    """Call a function of the student code."""
    return session.request("call", Special("function", name), list(arguments), {})


def status_of_worker(session: Session) -> dict[str, str]:
    """Return what the host's /proc says about the process of this session."""
    process = session._sandbox._process
    assert process is not None
    pid = str(process.pid)
    while below := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        pid = below[0]
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)} | {"pid": pid}


def ask(code: str, *arguments: Any, **options: Any) -> Any:
    """Load `code`, call its `f` with the arguments and return the answer."""
    with student_code(code, **options) as session:
        return call(session, "f", *arguments)


def as_ordinary_user(
    *arguments: str, user: str = NOBODY, groups: str = "", shown: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run this Python with `arguments` as an ordinary user, in a copy of the repository that this user can read.

    Only for root. The copy and the mounts live in a mount namespace and are gone afterwards.

    Args:
        user: a number; the user's own group has the same.
        groups: the numbers of further groups, with commas.
        shown: whether its output goes to the terminal at once; else it is in the result.
    """
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-euc", _script(user, groups), "sh", *arguments]
    return subprocess.run(command, capture_output=not shown, text=True, stdin=subprocess.DEVNULL)


def _script(user: str, groups: str) -> str:
    base, site = Path(sys.base_prefix), Path(sysconfig.get_path("purelib"))
    jupyter = Path(sys.prefix, "share", "jupyter")  # nbconvert's templates
    needed = [
        base,
        site,
        *(ROOT / name for name in ("autograder", "arena", "solutions", "tests", "pyproject.toml", "requirements.lock")),
    ]
    room = next(
        path
        for path in map(Path, ("/mnt", "/media", "/srv", "/home"))
        if path.is_dir() and not any(path in other.parents for other in needed)
    )
    return f"""
        mount -t tmpfs -o mode=0755 tmpfs {room}
        mount -t tmpfs -o mode=1777 tmpfs /dev/shm
        mkdir {room}/python {room}/site {room}/repository {room}/tmp {room}/jupyter
        chmod 1777 {room}/tmp
        cp -r {" ".join(f"'{path}'" for path in needed[2:])} {room}/repository
        chmod -R a+rX {room}/repository
        mount --bind '{base}' {room}/python
        mount --bind '{site}' {room}/site
        [ ! -d '{jupyter}' ] || mount --bind '{jupyter}' {room}/jupyter
        cd {room}/repository
        exec setpriv --reuid {user} --regid {user} {f"--groups {groups}" if groups else "--clear-groups"} \\
            env -i PATH=/usr/bin:/bin TMPDIR={room}/tmp HOME={room}/tmp JUPYTER_PATH={room}/jupyter \\
            PYTHONPATH={room}/repository:{room}/site PYTHONHOME={room}/python LD_LIBRARY_PATH={room}/python/lib \\
            PYTHONDONTWRITEBYTECODE=1 {room}/python/bin/{Path(sys.executable).resolve().name} -P "$@"
    """


def root() -> bool:
    """Whether these tests run as root."""
    return os.geteuid() == 0
