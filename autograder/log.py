"""The decisions of staff in a course, one line of JSON each, so that a grade can be traced to a decision."""

import errno
import getpass
import json
import os
from datetime import UTC, datetime
from pathlib import Path


def log(course: Path, command: str, **details: object) -> None:
    """Append a line to COURSE/log.jsonl. One write of a short line is never mixed with the writes of another process.

    Raises:
        OSError: the line cannot be written; no part of it stays.
    """
    entry = {"when": datetime.now(UTC).isoformat(timespec="seconds"), "who": _who(), "command": command, **details}
    line = json.dumps(entry, ensure_ascii=False) + "\n"
    descriptor = os.open(course / "log.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o660)
    try:
        written = os.write(descriptor, line.encode())
        if written < len(line.encode()):  # the disk became full
            os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(course / "log.jsonl"))
    finally:
        os.close(descriptor)


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name
        return str(os.getuid())
