"""The gate: everything in a folder that students can fill is opened here, and judged by what was opened, never by its name.

A student may put a link, a pipe or somebody else's file where work is expected, and may replace one thing by another between
a look and a copy. So nothing is looked at by its path. Each name is opened below a folder that is open already, without
following a link; the open thing is judged; and the bytes come from that same thing. A thing that is neither a file nor a folder
is never opened for reading.

    opened, read_below      submitted/: the folders and files of the grader's own copy
    take                    nbgrader's exchange: a hand-in in a folder of the student's, copied to one of our folders
"""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

from arena.files import read_regular
from autograder.plain_text import plain_text

SUBMITTED = "submitted"  # below a folder of this name, which is nbgrader's word, no link is followed
MOST_FILE_BYTES = 64 * 2**20  # of one file that is collected
MOST_BYTES = 128 * 2**20  # of all files of one hand-in that is collected
MOST_ENTRIES, DEEPEST, LONGEST_NAME = 500, 8, 150  # files and folders; folders above a file; bytes of a name
TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"  # nbgrader's own files beside the work
_FOLDER = sum(getattr(os, name, 0) for name in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK"))
_LOOK = sum(getattr(os, name, 0) for name in ("O_PATH", "O_NOFOLLOW", "O_CLOEXEC"))  # opens nothing for reading
_READ = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC"))
_KINDS = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device",
          stat.S_IFBLK: "a device", stat.S_IFREG: "a file", stat.S_IFDIR: "a folder"}


class Refused(Exception):
    """A hand-in is not taken; the text gives the reason, and is safe to show."""


@contextmanager
def opened(folder: Path, *inside: str) -> Iterator[int]:
    """Open a folder, and yield its descriptor: no link is followed below a folder called `submitted`, nor to `inside`.

    Raises:
        OSError: the folder does not exist, or a link is on the way.
    """
    parts = folder.parts
    last = max((place for place, part in enumerate(parts) if part == SUBMITTED), default=len(parts) - 1) + 1
    descriptor = os.open(Path(*parts[:last]), os.O_RDONLY | _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for part in (*parts[last:], *inside):
            outer, descriptor = descriptor, os.open(part, os.O_RDONLY | _FOLDER, dir_fd=descriptor)
            os.close(outer)
        yield descriptor
    finally:
        os.close(descriptor)


def read_below(folder: Path, name: str, limit: int) -> bytes | None:
    """Read a regular file of at most `limit` bytes; None if it is absent, larger, a link, a pipe, unreadable or behind a link.

    Args:
        name: its path within the folder, with / between folders.
    """
    *inside, last = name.split("/")
    try:
        with opened(folder, *inside) as descriptor:
            return read_regular(last, limit, dir_fd=descriptor)
    except (OSError, ValueError):  # ValueError: a name with a null character
        return None


def status_below(folder: Path, name: str) -> os.stat_result | None:
    """Return the status of a name, without following a link; None if the name does not exist."""
    *inside, last = name.split("/")
    try:
        with opened(folder, *inside) as descriptor:
            return os.stat(last, dir_fd=descriptor, follow_symlinks=False)
    except (OSError, ValueError):
        return None


def is_students_own(folder: Path, name: str) -> bool:
    """Whether a file in `<student>/<set>/` belongs to the account of this student, as after `cp -a` from the exchange."""
    status = status_below(folder, name)
    if status is None or status.st_uid in (0, os.geteuid()):
        return False
    try:
        return status.st_uid == pwd.getpwnam(folder.parent.name).pw_uid
    except (KeyError, ValueError):
        return False


def kind_of(status: os.stat_result) -> str:
    """Return the kind of a thing, in words."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "neither a file nor a folder")


@contextmanager
def held(name: str, folder: int) -> Iterator[int]:
    """Hold the thing with this name in an open folder, of any kind, without opening it for reading.

    Raises:
        Refused: something is mounted there, and the person who mounted it decides about the owner and times of its files.
    """
    thing = os.open(name, _LOOK, dir_fd=folder)
    try:
        if _mount(thing) != _mount(folder):
            raise Refused(f"{_shown(name)} is another file system")
        yield thing
    finally:
        os.close(thing)


def _mount(descriptor: int) -> str:
    """The kernel's number of the mount; unlike `fstat`, it does not ask the file system, which may never answer."""
    lines = Path(f"/proc/self/fdinfo/{descriptor}").read_text().splitlines()
    return next(line for line in lines if line.startswith("mnt_id:"))


def reopened(thing: int, flags: int = 0) -> int:
    """Open what is held for reading: the same thing, even if its name is another thing's by now."""
    return os.open(f"/proc/self/fd/{thing}", os.O_RDONLY | _READ | flags)


def entries_of(thing: int, most: int) -> list[str]:
    """Return at most `most` names in a folder that is held, sorted."""
    folder = reopened(thing, getattr(os, "O_DIRECTORY", 0))
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name for entry in islice(entries, most)), key=os.fsencode)
    finally:
        os.close(folder)


@dataclass(frozen=True)
class Rules:
    """What may be taken from a student's folder.

    student: the user id of the student; trusted: those of the grader and of root, whose files count if everybody may read
    them and they have only one name. A student can give a file of others a second name, but cannot read more than before.
    asked: the names that the assignment asks for; without them there is no hand-in. ignored: patterns of names to pass over.
    """

    student: int
    trusted: frozenset[int]
    asked: tuple[str, ...]
    ignored: Sequence[str] = ()

    def refusal(self, status: os.stat_result) -> str | None:
        """Return why a file or folder is not the student's, by its owner; None if it is."""
        if status.st_uid == self.student:
            return None
        if status.st_uid not in self.trusted:
            return f"belongs to user id {status.st_uid}, not to the student"
        if not status.st_mode & stat.S_IROTH:
            return "belongs to the grader or to root, and the student may not read it"
        if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            return "belongs to the grader or to root, and has a second name"
        return None


@dataclass
class Taken:
    """The content of a student's folder, copied if a place was given.

    sizes: by path. time_ns: the time of the last change, by the kernel's clock; no student can set the change time of a file or
    folder back. left_out: path -> why it was passed over.
    """

    sizes: dict[str, int] = field(default_factory=dict)
    time_ns: int = 0
    left_out: dict[str, str] = field(default_factory=dict)


def take(record: int, rules: Rules, to: Path | None = None) -> Taken:
    """Judge everything in a folder that is held, and copy it to the new folder `to`, if there is one, as our own files.

    Raises:
        Refused: it contains what no honest hand-in does: a link, a pipe, a device, somebody else's file; or it changed while it
            was copied, or nothing in it counts.
        OSError: something cannot be read, or cannot be written.
    """
    taking = _Taking(rules, to)
    taking.folder(record, "")
    if not set(taking.taken.sizes) - {SECRET}:
        raise Refused("nothing in it can be taken" + "".join(
            f"; {_shown(name)}: {why}" for name, why in islice(taking.taken.left_out.items(), 3)))
    return taking.taken


class _Taking:
    """One walk through a folder."""

    def __init__(self, rules: Rules, to: Path | None) -> None:
        self.rules, self.to, self.taken = rules, to, Taken()
        self.room, self.entries = MOST_BYTES, 0

    def folder(self, thing: int, path: str) -> None:
        """Take everything in a folder that is held."""
        before = os.fstat(thing)
        if self.to is not None:
            Path(self.to, path).mkdir(mode=0o770)  # the umask removes the rights that the course does not give its group
        names = entries_of(thing, MOST_ENTRIES + 1)
        if not path:  # first the files of the assignment, so that no other file uses up the limit before them
            names = list(dict.fromkeys((*(name for name in (*self.rules.asked, SECRET) if _is_there(name, thing)), *names)))
        for name in names:
            inner = f"{path}/{name}" if path else name
            if why := self._passed_over(inner, name):
                if why != _SILENTLY:
                    self.taken.left_out[inner] = why
                continue
            self.entries += 1
            with held(name, thing) as entry:
                self._thing(entry, inner)
        after = os.fstat(thing)
        if (before.st_ctime_ns, before.st_mtime_ns) != (after.st_ctime_ns, after.st_mtime_ns):
            raise Refused(f"{_shown(path) or 'it'} changed while it was copied")
        self.taken.time_ns = max(self.taken.time_ns, after.st_ctime_ns)

    def _passed_over(self, path: str, name: str) -> str | None:
        """Return why a name is passed over before anything is opened; None if it is not."""
        if path not in (*self.rules.asked, SECRET):
            # the collection writes nbgrader's own file itself; hidden files come from programs
            own = path.casefold() in (TIMESTAMP, SECRET)
            if own or name.startswith(".") or any(fnmatch(name, pattern) for pattern in self.rules.ignored):
                return _SILENTLY
            if self.entries >= MOST_ENTRIES:
                return f"more than {MOST_ENTRIES} files and folders"
        if not name.isprintable() or plain_text(name) != name:
            return "its name contains invisible or control characters"
        if len(os.fsencode(name)) > LONGEST_NAME or path.count("/") > DEEPEST:
            return f"its name is longer than {LONGEST_NAME} bytes, or it is more than {DEEPEST} folders deep"
        return None

    def _thing(self, thing: int, path: str) -> None:
        status = os.fstat(thing)
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            raise Refused(f"{_shown(path)} is {kind_of(status)}")
        if why := self.rules.refusal(status):
            raise Refused(f"{_shown(path)} {why}")
        if stat.S_ISDIR(status.st_mode):
            self.folder(thing, path)
            return
        if status.st_size > min(MOST_FILE_BYTES, self.room):
            why = (f"larger than {MOST_FILE_BYTES // 2**20} MiB" if status.st_size > MOST_FILE_BYTES
                   else f"all files are larger than {MOST_BYTES // 2**20} MiB")
            if path in self.rules.asked:
                raise Refused(f"{_shown(path)}: {why}")
            self.taken.left_out[path] = why
            return
        if self.to is not None:
            status = _copy(thing, Path(self.to, path), path)
        self.room -= status.st_size
        self.taken.sizes[path] = status.st_size
        self.taken.time_ns = max(self.taken.time_ns, status.st_ctime_ns)


_SILENTLY = "passed over"


def _is_there(name: str, folder: int) -> bool:
    inner = reopened(folder, getattr(os, "O_DIRECTORY", 0))
    try:
        os.stat(name, dir_fd=inner, follow_symlinks=False)
        return True
    except OSError:
        return False
    finally:
        os.close(inner)


def _copy(thing: int, to: Path, path: str) -> os.stat_result:
    """Copy a file that is held; return its state after the last byte was read.

    Raises:
        Refused: it changed meanwhile.
    """
    before = os.fstat(thing)
    source = reopened(thing)
    try:
        with open(to, "xb", opener=lambda name, flags: os.open(name, flags, 0o660)) as target:
            copied = 0
            while copied <= before.st_size and (block := os.read(source, 2**20)):   # at most one block more than its size
                target.write(block)
                copied += len(block)
        after = os.fstat(source)
    finally:
        os.close(source)
    if copied != before.st_size or (before.st_ctime_ns, before.st_mtime_ns) != (after.st_ctime_ns, after.st_mtime_ns):
        raise Refused(f"{_shown(path)} changed while it was copied")
    return after


def _shown(name: str) -> str:
    """A stranger's name as one line."""
    return " ".join(plain_text(name, LONGEST_NAME).split())
