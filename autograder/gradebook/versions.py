"""The version of this project that graded last in a course, and a copy of the gradebook before another version writes into it."""
from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.engine import make_url

from arena.errors import UserError
from arena.version import number
from autograder.gradebook.course_python import FILE, NOTE
from autograder.grading.config import PYTHON
from autograder.grading.fingerprint import RECORDING, code_fingerprint, suite_fingerprint
from autograder.json_files import read_state, write_state

KEPT = 3  # copies, the newest ones
Version = dict[str, str]  # see `this_version`


@cache
def this_version() -> Version:
    """Return what tells two versions apart: the number, our files that decide grades, the hidden checks, and the Python."""
    return {
        "number": number(),
        "code": f"{code_fingerprint()[:16]} {code_fingerprint(RECORDING)[:16]}",
        "suite": suite_fingerprint()[:16],
        NOTE: PYTHON,
    }


def is_other_code(before: Version, now: Version) -> bool:
    """Whether two versions differ in their number or in our files. Other hidden checks or another Python alone do not count."""
    return any(before.get(key) != now[key] for key in ("number", "code"))


def is_full_disk(reason: str) -> bool:
    """Whether SQLite's message means that the disk is full."""
    return "full" in reason or "disk I/O" in reason


def keep_gradebook(course: Path, db_url: str, say: Callable[[str], None]) -> None:
    """Copy the gradebook beside itself if another version of this project wrote into it last, and say so in one line.

    Called before anything is written into the gradebook. A new course has nothing to copy. If the version before is unknown, a
    copy is made. Of a gradebook on a server, the line has the command that copies it. The note of the course's Python stays.

    Raises:
        UserError: there is no room for the copy, or the gradebook cannot be read; nothing has been changed.
    """
    before = read_state(course / FILE)
    now = {key: value for key, value in {**this_version(), NOTE: before.get(NOTE)}.items() if value is not None}
    if before == now:
        return
    if is_other_code(before, now):
        url = make_url(db_url)
        if url.get_backend_name() != "sqlite":
            if (course / "autograded").exists():
                say(f"{_another(before)}. The gradebook is on a server, so copy it yourself: {_dump(db_url)}")
        elif url.database and (gradebook := course / url.database).is_file() and gradebook.stat().st_size:
            copy = _copied(gradebook)
            say(f"{_another(before)}. A copy of the gradebook as that version left it is now in {copy}")
            for old in _copies(gradebook)[KEPT:]:
                old.unlink(missing_ok=True)
    write_state(course / FILE, now)


def _another(before: Version) -> str:
    known = f"version {before['number']}" if before.get("number", number()) != number() else "another version"
    return f"{known} of this project graded this course before"


def _dump(db_url: str) -> str:
    """Return the command that copies a database on a server; a password is not in it."""
    url = make_url(db_url)
    if url.get_backend_name() != "postgresql":
        return "the server's own programs do it"
    asked = [*(["-h", url.host] if url.host else []), *(["-p", str(url.port)] if url.port else []),
             *(["-U", url.username] if url.username else []), url.database or ""]
    return f"pg_dump {' '.join(asked)} > gradebook.before-{number()}.sql"


def _copies(gradebook: Path) -> list[Path]:
    """Return the copies of a gradebook, the newest one first."""
    copies = gradebook.parent.glob(f"{gradebook.name}.before-*")
    return sorted(copies, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def _copied(gradebook: Path) -> Path:
    """Return a new copy, whole or absent; an earlier copy of the same day stays."""
    draft = gradebook.with_name(f"{gradebook.name}.before.tmp")  # of a killed run too: the course's lock lets one make it
    try:
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o660)  # SQLite itself would let no group write
        copy_gradebook(gradebook, draft)
        return _named(draft, f"{gradebook.name}.before-{number()}-{date.today().isoformat()}")
    except sqlite3.Error as error:
        if is_full_disk(str(error)):
            mib = gradebook.stat().st_size / 2**20
            raise UserError(
                f"the disk is full: there is no room for the copy of {gradebook} ({mib:.1f} MiB) that is made before another "
                "version of this project writes into it; make room and run again, nothing was changed"
            ) from error
        raise UserError(f"{gradebook} cannot be read ({error}), and a copy is made before another version of this project writes "
                        "into it: put back an undamaged copy, for example a backup") from error
    finally:
        draft.unlink(missing_ok=True)


def copy_gradebook(gradebook: Path, to: Path) -> None:
    """Let SQLite copy a gradebook: the copy is one state of it, also while formgrader writes.

    Raises:
        sqlite3.Error: the gradebook cannot be read, or the copy cannot be written.
    """
    source = sqlite3.connect(f"file:{quote(str(gradebook.resolve()))}?mode=ro", uri=True)
    copy = sqlite3.connect(to)
    try:
        source.backup(copy)
    finally:
        copy.close()
        source.close()


def _named(draft: Path, name: str) -> Path:
    """Give a finished copy its name, or the first free name after it."""
    tried = 1
    while True:
        place = draft.with_name(name if tried == 1 else f"{name}-{tried}")
        try:
            os.link(draft, place)  # fails if there is such a file
            return place
        except FileExistsError:
            tried += 1
