"""A copy of the files of a sandbox, where no page of them is ever cold: in the memory of this host.

A file on a disk remembers who read it: a page that was read is in memory, and a page that nobody read is not. One exercise
could leave bits in this way, and a later one read them. In a `tmpfs` every page is in memory from the beginning. Graders of one
user share a copy, and it stays until the next start of the host, or until a grader with other files (another working copy,
another Python) finds it unused for ten minutes. A new copy takes seconds, and memory is scarce.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder.sandbox import contents
from autograder.sandbox.bubblewrap import DEVICES, JAIL, REPOSITORY, SandboxUnavailable
from autograder.sandbox.host.locks import NAME, lock_folder, open_lock, unsafe
from autograder.sandbox.profiles import SandboxProfile

TMPFS_MAGIC = 0x01021994
MARGIN_BYTES = 64 * 2**20
MEMORY_SHARE = 3  # a copy takes at most this part of the memory that is free
UNUSED_S = 600.0
LONGEST_MAKING_S = 300.0  # until another place is taken; a disk may be slow, and PyTorch's files have 800 MB
# No page may go to the swap file: it would be cold there. Older kernels know fewer of these options.
MOUNTS = ("mode=0700,nosuid,nodev,noswap,huge=never", "mode=0700,nosuid,nodev,huge=never", "mode=0700,nosuid,nodev")


@dataclass(frozen=True)
class Tree:
    """A complete copy. `doubt`: why a page of it may be cold, unless it is read again (`warm`); "" if none can be."""

    folder: Path
    doubt: str

    @property
    def whole(self) -> bool:
        """Whether the copy is still there: at a user's last logout some hosts clear the user's files in /dev/shm."""
        return (self.folder / "opt").is_dir() and (self.folder.parent / f"{self.folder.name}.done").exists()


def tree_of(profile: SandboxProfile) -> Tree:
    """Return the copy for `profile`, made now if it is missing; nobody removes it while this process lives.

    Raises:
        SandboxUnavailable: the host has no room for it, or a package is missing; the text says what to do.
    """
    tree = _tree(profile)
    if not tree.whole:
        _tree.cache_clear()
        with suppress(KeyError):
            os.close(_held.pop(tree.folder))  # we make it again, and nobody may be using it then
        tree = _tree(profile)
    return tree


def warm(tree: Tree) -> None:
    """Read all pages of a copy that may have cold ones.

    So each exercise finds every page in memory, whatever an earlier one has read. What remains is the memory that the host takes
    back while two exercises run side by side.
    """
    for path in _regular_files(tree.folder) if tree.doubt else ():
        with suppress(OSError), open(path, "rb", buffering=0) as file:
            while file.readinto(_BUFFER):
                pass


_BUFFER = bytearray(2**20)


@lru_cache(maxsize=8)
def _regular_files(folder: Path) -> tuple[Path, ...]:
    return tuple(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


_held: dict[Path, int] = {}  # a lock for each copy that this process uses, until it ends


@lru_cache(maxsize=8)
def _tree(profile: SandboxProfile) -> Tree:
    sources = contents.sources_of(profile)
    kind = hashlib.sha256(repr((profile.arena, profile.packages, str(REPOSITORY))).encode()).hexdigest()[:8]
    name = f"{kind}-{contents.fingerprint(sources)[:16]}"
    refused = []
    for place in _places():
        problem = unsafe(place) or _not_for_programs(place)
        tree, latest = Tree(place / name, problem or _doubt(place)), time.monotonic() + LONGEST_MAKING_S
        while not problem:
            _held[tree.folder] = _locked(place / f"{name}.lock", fcntl.LOCK_SH)
            if tree.whole:
                os.utime(place / f"{name}.done")  # when it was used last
                _clear_away(place, kind)
                return tree
            os.close(_held.pop(tree.folder))
            problem = _made_here(tree, sources) if time.monotonic() < latest else f"{place}: another grader uses a part of a copy"
        refused.append(problem)
    raise SandboxUnavailable(f"no place for the files of a sandbox was found: {'; '.join(refused)}")


def _made_here(tree: Tree, sources: list[tuple[Path, str]]) -> str:
    """Make the copy, unless another process has it; return why it cannot be there, or "".

    Never wait for the lock: a process that has made the copy meanwhile keeps it in use until its own end.
    """
    try:
        lock = _locked(tree.folder.parent / f"{tree.folder.name}.lock", fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(0.05)
        return ""
    try:
        return "" if tree.whole else _made(tree, sources)
    finally:
        os.close(lock)


def _places() -> Iterator[Path]:
    """Yield the folders where a copy could be, the best one first: in memory, then on a disk."""
    if os.geteuid() == 0 and (mounted := _mounted(lock_folder() / "files")):
        yield mounted
    given, home = os.environ.get("XDG_RUNTIME_DIR", ""), os.path.expanduser("~")
    for folder in ("/dev/shm", given, f"{home}/.cache", tempfile.gettempdir()):
        if folder.startswith("/") and os.access(folder, os.W_OK):
            yield Path(folder) / f"{NAME}-files-{os.geteuid()}-{os.uname().nodename}"


def _mounted(folder: Path) -> Path | None:
    """Return the folder of root's own `tmpfs`, mounted now if it is not; None if that is not allowed."""
    lock = open_lock("files.mount")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for options in () if os.path.ismount(folder) else MOUNTS:
            done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, NAME, str(folder)], capture_output=True)
            if done.returncode == 0:
                break
        return folder if os.path.ismount(folder) else None
    except OSError:
        return None
    finally:
        os.close(lock)


def _not_for_programs(place: Path) -> str:
    return f"{place}: programs may not be started there (noexec)" if os.statvfs(place).f_flag & os.ST_NOEXEC else ""


def _doubt(place: Path) -> str:
    if not _in_memory(place):
        return "no room in memory (/dev/shm)"
    swaps, mounts = (Path(f"/proc/{name}").read_text() for name in ("swaps", "self/mounts"))
    own = [options.split(",") for _, folder, _, options, *_ in map(str.split, mounts.splitlines()) if folder == str(place)]
    return "" if len(swaps.splitlines()) < 2 or any("noswap" in options for options in own) else "the host may swap them out"


def _in_memory(place: Path) -> bool:
    answer = (ctypes.c_long * 64)()  # the first field of a `struct statfs` is the kind of file system
    return ctypes.CDLL(None).statfs(os.fsencode(place), answer) == 0 and answer[0] == TMPFS_MAGIC


def _made(tree: Tree, sources: list[tuple[Path, str]]) -> str:
    """Make the copy; return why it cannot be there, or ""."""
    files = contents.files_of(sources)
    files |= contents.libraries_of(files)
    size = sum(os.stat(file).st_size + 4096 for file in files.values()) + MARGIN_BYTES
    place = tree.folder.parent
    state = os.statvfs(place)
    if size > state.f_bavail * state.f_frsize or _in_memory(place) and size * MEMORY_SHARE > _free_memory():
        return f"{place}: no room for {size >> 20} MiB"
    shutil.rmtree(tree.folder, ignore_errors=True)
    try:
        _copy(files, tree.folder)
        (place / f"{tree.folder.name}.done").touch(0o600)
    except OSError as error:
        shutil.rmtree(tree.folder, ignore_errors=True)
        return f"{place}: {error.strerror or error}"
    return ""


def _copy(files: dict[str, Path], top: Path) -> None:
    """Copy the files with their times, by which Python knows whether its bytecode fits; add places for what is mounted."""
    empty = [f"/dev/{name}" for name in DEVICES]
    folders = {top, top / "proc", top / JAIL[1:], *(top / target[1:] for target in ("/usr/lib", "/etc"))}
    for target in (*files, *empty, *contents.links()):
        folders.update((top / target[1:]).parents)
    for folder in sorted(folder for folder in folders if folder == top or top in folder.parents):
        folder.mkdir()
        folder.chmod(0o755)
    for target, source in files.items():
        copy = f"{top}{target}"
        shutil.copyfile(source, copy)
        status = os.stat(source)
        os.chmod(copy, 0o755 if status.st_mode & 0o100 else 0o644)
        os.utime(copy, ns=(status.st_mtime_ns, status.st_mtime_ns))
    for target in empty:
        os.close(os.open(f"{top}{target}", os.O_CREAT | os.O_WRONLY, 0o644))
    for target, where in contents.links().items():
        os.symlink(where, f"{top}{target}")


def _free_memory() -> int:
    """Return the memory in bytes that the host can give without swapping."""
    return int(Path("/proc/meminfo").read_text().partition("MemAvailable:")[2].split()[0]) * 1024


def _clear_away(place: Path, kind: str) -> None:
    """Remove the copies that nobody uses any more: of older files of ours, or unused for long."""
    for mark in place.glob("*.done"):
        name = mark.stem
        with suppress(OSError):
            if not name.startswith(kind) and time.time() - mark.stat().st_mtime < UNUSED_S:
                continue
            lock = _locked(place / f"{name}.lock", fcntl.LOCK_EX | fcntl.LOCK_NB)  # not while a grader has it
            mark.unlink()
            shutil.rmtree(place / name, ignore_errors=True)
            (place / f"{name}.lock").unlink()
            os.close(lock)


def _locked(path: Path, how: int) -> int:
    """Open and lock a file that others may remove meanwhile."""
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, how)
            if os.path.exists(path) and os.path.samestat(os.fstat(lock), os.stat(path)):
                return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)
