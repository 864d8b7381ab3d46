"""The lock files of one user's graders on this host, in a place where no other user can be first.

In a folder that everybody may write to, the first user who takes a name has it. A file, a folder or a link of another
user with our name would stop every grader, or make it open a wrong file.
"""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from pathlib import Path

from autograder.sandbox.bubblewrap import SandboxUnavailable

NAME = "mcts-autograder"
RUN = Path("/run")  # only root can make files here


def open_lock(name: str) -> int:
    """Open a lock file of this user, make it if it is missing, and return its descriptor.

    Raises:
        SandboxUnavailable: see `lock_folder`.
    """
    try:
        return _open(lock_folder() / name)
    except FileNotFoundError:  # the folder is gone: the last logout removes a user's runtime folder
        _safe_one.cache_clear()
        return _open(lock_folder() / name)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SandboxUnavailable(f"the lock file {path} cannot be opened ({error.strerror}): remove it") from error


def lock_folder() -> Path:
    """Return the folder for lock files, made if it is missing; all graders of this user on this host have the same one.

    Raises:
        SandboxUnavailable: no place belongs to this user alone; the text says what is wrong with each place.
    """
    return _safe_one(tuple(_places()))


@lru_cache(maxsize=1)  # checked once: no other user can change a folder that was safe
def _safe_one(places: tuple[Path, ...]) -> Path:
    wrong = []
    for folder in places:
        failure = unsafe(folder)
        if not failure:
            return folder
        wrong.append(failure)
    raise SandboxUnavailable(f"no safe place for lock files was found: {'; '.join(wrong)}")


def _places() -> list[Path]:
    if os.geteuid() == 0:
        return [RUN / NAME]
    given, home = os.environ.get("XDG_RUNTIME_DIR", ""), os.path.expanduser("~")
    places = [Path(given) / NAME] if given.startswith("/") else []
    # hosts may share a home, but they do not share processes
    return places + ([Path(home) / ".cache" / f"{NAME}-{os.uname().nodename}"] if home.startswith("/") else [])


def unsafe(folder: Path) -> str:
    """Make the folder if it is missing; say why it is not this user's alone, or ""."""
    return _made(folder) or _open_to_others(folder)


def _made(folder: Path) -> str:
    """Make the folder and its parent if they are missing; return the failure, or ""."""
    for directory in (folder.parent, folder):
        try:
            os.mkdir(directory, 0o700)
        except FileExistsError:
            pass
        except OSError as error:
            return f"{directory} cannot be made ({error.strerror})"
    return ""


def _open_to_others(folder: Path) -> str:
    """Say how another user can get at the folder; "" if nobody can.

    The folder must belong to this user, nobody else may enter it, and nobody else may be able to replace it.
    """
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder} is not a folder: remove it"
    if status.st_uid != os.geteuid():
        return f"{folder} belongs to another user (number {status.st_uid}): ask this user or root to remove it"
    if status.st_mode & 0o077:
        return f"others may enter {folder}: chmod 700 it"
    for parent in Path(os.path.realpath(folder)).parents:
        status = os.stat(parent)
        if status.st_uid not in (0, os.geteuid()):
            return f"{parent}, above {folder}, belongs to another user (number {status.st_uid})"
        if status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX:
            return f"others may write into {parent}, above {folder}: chmod go-w it"
    return ""
