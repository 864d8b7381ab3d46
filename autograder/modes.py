"""Who may read a course on a machine with other users: its owner, and the group of staff that it was opened to.

Two things hold for every command that works in a course, and for nbgrader's own commands there: the course folder is closed to
everybody else, and the process's umask gives new files and folders no more than the course folder has. So no writer of a file
needs to know of this; one that makes a file for students says so (`for_students`).
"""

import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ACCESS_LIST = "system.posix_acl_access"  # of a folder with rights for single users or several groups
_ALONE, _STUDENTS = 0o077, 0o022  # umasks: only the owner; everybody may read


def umask_of(course: Path) -> int:
    """Return the umask for work in a course: what the folder gives its group, new files give it too; others get nothing.

    A group counts if somebody chose it: the group may write and hands itself on (mode 2770, as nbgrader's `groupshared` has it);
    or the folder is closed to others and belongs to another group than its owner's own; or it has an access list. What a
    usual umask leaves on a new folder (0755, 0775, 0750) was nobody's choice.
    """
    status = course.stat()
    group = status.st_mode & stat.S_IRWXG
    handed_on = bool(status.st_mode & stat.S_ISGID)
    chosen = (
        handed_on and group == stat.S_IRWXG
        or not status.st_mode & stat.S_IRWXO and (handed_on or not _is_own_group(status))
        or _has_access_list(course)
    )
    return _ALONE & ~group if chosen else _ALONE


def close_to_others(course: Path) -> str:
    """Close a course folder to everybody but its owner and its staff; return a sentence if it stood open, "" if not."""
    mode = stat.S_IMODE(course.stat().st_mode)
    closed = mode & ~umask_of(course)
    if closed == mode:
        return ""
    try:
        os.chmod(course, closed)
    except OSError:
        return f"{course} is open to others (mode {mode:04o}), and only its owner can close it: chmod {closed:04o} {course}"
    return (f"{course} was open to others (mode {mode:04o}) and is closed now ({closed:04o}); "
            "docs/instructors.md says how a group of staff shares a course")


@contextmanager
def in_course(course: Path) -> Iterator[None]:
    """Give everything that this process writes inside this block to those who may read the course."""
    with _umask(umask_of(course)):
        yield


@contextmanager
def for_students() -> Iterator[None]:
    """Let everybody read what this process writes inside this block, in a folder that is copied to students."""
    with _umask(_STUDENTS):
        yield


@contextmanager
def unchanged() -> Iterator[None]:
    """Put the umask back after code that sets it for good."""
    before = os.umask(_ALONE)
    os.umask(before)
    with _umask(before):
        yield


@contextmanager
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def _is_own_group(status: os.stat_result) -> bool:
    """Whether a file has the first group of its owner, which in many places is that of all users."""
    try:
        return status.st_gid == pwd.getpwuid(status.st_uid).pw_gid
    except KeyError:  # a user id without a name: nobody chose its group
        return True


def _has_access_list(path: Path) -> bool:
    try:
        return _ACCESS_LIST in os.listxattr(path)
    except OSError:  # a file system without such lists
        return False
