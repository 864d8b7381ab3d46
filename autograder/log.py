"""The decisions of staff in a course, one line of JSON each, so that a grade can be traced to a decision."""

import errno
import getpass
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LOG = "log.jsonl"


def log(course: Path, command: str, **details: object) -> None:
    """Append a line to COURSE/log.jsonl. One write of a short line is never mixed with the writes of another process.

    Args:
        details: what was decided; `who`, if it was another person than the user of this process.

    Raises:
        OSError: the line cannot be written; no part of it stays.
    """
    entry = {"when": datetime.now(UTC).isoformat(timespec="seconds"), "who": unix_user(), "command": command, **details}
    line = json.dumps(entry, ensure_ascii=False) + "\n"
    descriptor = os.open(course / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o660)
    try:
        written = os.write(descriptor, line.encode())
        if written < len(line.encode()):  # the disk became full
            os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(course / LOG))
    finally:
        os.close(descriptor)


def read_log(course: Path, *commands: str) -> Iterator[dict[str, Any]]:
    """Yield the decisions of these commands, the first one first; a damaged line, or one of a person's own, is left out."""
    try:
        lines = (course / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        with suppress(ValueError):
            entry = json.loads(line)
            if isinstance(entry, dict) and entry.get("command") in commands and {"who", "when"} <= entry.keys():
                yield entry


def unix_user() -> str:
    """Return the name of the user of this process, or the number of one without a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name
        return str(os.getuid())
