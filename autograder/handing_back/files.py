"""Files for the way back, which never replace other contents silently."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.files import write_atomic


@dataclass(frozen=True)
class Written:
    """A file of this run. changed: whether it is new or has other contents. before: where the earlier contents are now."""

    path: Path
    changed: bool
    before: Path | None = None


def put(path: Path, content: bytes) -> Written:
    """Write a file in one step. If it exists with other contents, these stay beside it, under a name with their time."""
    if not path.exists():
        write_atomic(path, content)
        return Written(path, True)
    if path.read_bytes() == content:
        return Written(path, False)
    when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    before, number = path.with_name(f"{path.stem}-{when:%Y-%m-%d-%H%M%S}{path.suffix}"), 1
    while before.exists():
        number += 1
        before = before.with_name(f"{path.stem}-{when:%Y-%m-%d-%H%M%S}-{number}{path.suffix}")
    shutil.copy2(path, before)  # a copy: at no moment is there no file
    write_atomic(path, content)
    return Written(path, True, before)
