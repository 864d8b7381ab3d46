"""The traps around a class of attacks: checksums, honeypots, listeners, and a search for remaining processes."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import os
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from arena.errors import UserError
from autograder.selftest.attack.bank import MARK, PORTS

PR_SET_CHILD_SUBREAPER = 36
GRACE_S = 10.0  # time for our own helpers to end; no attack's process lives longer than its sandbox
PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/srv", "/mnt", "/opt", "/etc", "/home", "/root")
COMPILING_LOCK = Path(sys.prefix) / "compiling.lock"  # see scripts/install.py
DEEP = 4  # levels of folders below each place in which marked files are searched


def wait_for_setup(say: Callable[[str], None], lock: Path = COMPILING_LOCK) -> None:
    """Wait until the compilation that `make setup` leaves in the background has ended: it changes files of the environment."""
    if not lock.is_file():
        return
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("attack: waiting until setup has compiled everything in the background, at most some minutes")
            fcntl.flock(file, fcntl.LOCK_EX)


class Checksums:
    """Mode and content of all files of a repository outside its build folder, its virtual environment among them.

    Times tell nothing: an installer that shares its files by hard links changes those of every environment on the host.
    We plant one file before the first look and remove it before the second: if no difference is seen, nothing was compared.
    """

    PLANTED = f".removed-by-the-watch-{MARK}"

    def __init__(self, repository: Path, build: Path) -> None:
        self.repository, self.build = repository, build
        planted = repository / self.PLANTED
        planted.write_text("")
        try:
            self.before = self._take()
        finally:
            planted.unlink()

    def changed(self) -> list[str]:
        """Return the files that are new, removed or changed.

        Raises:
            UserError: the comparison did not notice what we changed ourselves.
        """
        now = self._take()
        changed = sorted(path for path in self.before.keys() | now.keys() if self.before.get(path) != now.get(path))
        planted = str(self.repository / self.PLANTED)
        if planted not in changed:
            raise UserError(f"attack: the checksums are blind: {planted} was there for the first look only, and is not missed")
        return [path for path in changed if path != planted]

    def _take(self) -> dict[str, str]:
        by_path = {}
        for top, folders, files in os.walk(self.repository):
            if Path(top) == self.repository:
                folders[:] = [name for name in folders if Path(top, name) != self.build]
            if Path(top) == self.repository / ".git":
                folders[:] = ["hooks"]  # only hooks and config can act; the rest changes even by reading
            own = [name for name in files if name == "config" or Path(top).name != ".git"]
            for name in (*own, *(folder for folder in folders if os.path.islink(os.path.join(top, folder)))):
                path = os.path.join(top, name)
                by_path[path] = f"{_facts(path)} {_content(path)}"
        return by_path

    def __len__(self) -> int:
        return len(self.before) - 1  # without the planted one


def _facts(path: str) -> str:
    try:
        status = os.lstat(path)
    except OSError:
        return "gone"
    return f"{status.st_mode} {status.st_size}"


def _content(path: str) -> str:
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return os.readlink(path) if os.path.islink(path) else ""
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"not read: {error.strerror}"


def marked_files(also: Path) -> list[str]:
    """Return the files on this host whose name shows that an attack made them."""
    return sorted({path for place in (*PLACES, str(also)) for path in _walk(place, DEEP + 4 * (place == str(also)))
                   if MARK in os.path.basename(path)})


def _walk(place: str, deep: int) -> Iterator[str]:
    try:
        entries = list(os.scandir(place))
    except OSError:
        return
    for entry in entries:
        yield entry.path
        if deep and entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, deep - 1)


class Honeypots:
    """Files that no honest process needs: their secret must appear nowhere, and no process may open them."""

    NAMES = ("solutions/ps2_uct.py", "gradebook.db", "edition.secret", ".ssh/id_ed25519", "hidden/ps2_uct/test_them.py")

    def __init__(self, folder: Path) -> None:
        self.secret = f"honey-{os.urandom(12).hex()}"
        self.paths = [folder / name for name in self.NAMES]
        for path in self.paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{self.secret}\n")
        self._probe = folder / "probe"
        self.reset()

    def reset(self) -> None:
        """Forget who has opened the files: an old access time, so that the next access is recorded even under relatime."""
        for path in self.paths:
            os.utime(path, (1, time.time()))

    def opened(self) -> list[str]:
        """Return the files that were opened; empty if this file system does not record it."""
        return [str(path) for path in self.paths if not path.exists() or path.stat().st_atime != 1]

    def tells(self) -> bool:
        """Say whether this file system records access times."""
        self._probe.write_text("x")
        os.utime(self._probe, (1, time.time()))
        self._probe.read_text()
        return self._probe.stat().st_atime != 1


class Listeners:
    """Sockets of the host that wait for connections: TCP on the loopback, UDP, and unix sockets with and without a path.

    unwatched: the addresses that another process uses, so that nobody here would notice a call.
    """

    def __init__(self, folder: Path) -> None:
        self.sockets: dict[str, socket.socket] = {}
        self.unwatched: list[str] = []
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            for port in PORTS:
                self._open(f"tcp {host}:{port}", family, socket.SOCK_STREAM, (host, port))
                self._open(f"udp {host}:{port}", family, socket.SOCK_DGRAM, (host, port))
        self._open("unix, abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{MARK}")
        path = os.path.relpath(folder / "listener")  # the path of a socket must be short
        Path(path).unlink(missing_ok=True)
        self._open("unix, by its path", socket.AF_UNIX, socket.SOCK_STREAM, path)

    def _open(self, name: str, family: int, kind: int, address: tuple[str, int] | str) -> None:
        try:
            listener = socket.socket(family, kind)
        except OSError:
            return  # this host does not have the family
        try:
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen(64)
            listener.setblocking(False)
            self.sockets[name] = listener
        except OSError as error:
            listener.close()
            if error.errno == errno.EADDRINUSE:
                self.unwatched.append(name)  # else this host does not have the address

    def heard(self) -> list[str]:
        """Return the sockets that got a call since the last time."""
        return [name for name, listener in self.sockets.items() if _called(listener)]

    def close(self) -> None:
        """Close all sockets."""
        for listener in self.sockets.values():
            listener.close()


def _called(listener: socket.socket) -> bool:
    """Take all waiting calls from a socket; return whether there was one."""
    called = False
    while True:
        try:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recv(1)
        except BlockingIOError:
            return called
        called = True


def adopt_orphans() -> None:
    """Make this process the parent of all processes that its children leave behind, so that they can be found."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def processes_left(grace_s: float = GRACE_S) -> list[str]:
    """Return the descendants that still run after `grace_s` seconds, each as "number name"."""
    end = time.monotonic() + grace_s
    while (left := descendants(os.getpid())) and time.monotonic() < end:
        _bury()
        time.sleep(0.05)
    return [f"{pid} {name}" for pid, name in left.items()]


def _bury() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def descendants(root: int) -> dict[int, str]:
    """Return the numbers and names of all descendants of a process."""
    children: dict[int, dict[int, str]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat_line = Path(f"/proc/{name}/stat").read_text()
        except OSError:
            continue  # the process has just ended
        parent = int(stat_line.rpartition(")")[2].split()[1])
        children.setdefault(parent, {})[int(name)] = stat_line.partition("(")[2].rpartition(")")[0]
    names, waiting = dict[int, str](), [root]
    while waiting:
        below = children.get(waiting.pop(), {})
        names |= below
        waiting += below
    return names
