"""Files for the way back: zips that depend on their contents alone, and files that never replace other contents silently."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from arena.files import write_atomic

_SAME_TIME = (1980, 1, 1, 0, 0, 0)  # of each file in a zip, so that the same pages give the same bytes
_UNIX, _FILE = 3, 0o100644 << 16


@dataclass(frozen=True)
class Written:
    """A file of this run. changed: whether it is new or has other contents. before: where the earlier contents are now."""

    path: Path
    changed: bool
    before: Path | None = None


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip with these files by their names: the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _SAME_TIME)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, _UNIX, _FILE
            archive.writestr(entry, content)
    return packed.getvalue()


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
