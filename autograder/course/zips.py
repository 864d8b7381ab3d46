"""Zips that depend on their contents alone: the same files give the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_SAME_TIME = (1980, 1, 1, 0, 0, 0)  # of each file
_UNIX = 3
FILE = 0o100644  # a file that everybody may read


def zip_of(files: Mapping[str, bytes], mode: int = FILE) -> bytes:
    """Return a zip with these files by their names.

    Args:
        mode: of each file, as Unix writes it.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(entry_of(name, mode), content)
    return packed.getvalue()


def entry_of(name: str, mode: int) -> zipfile.ZipInfo:
    """Return the header of a file in such a zip, which is still to be written."""
    entry = zipfile.ZipInfo(name, _SAME_TIME)
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, _UNIX, mode << 16
    return entry
