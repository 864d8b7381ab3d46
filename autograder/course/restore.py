"""Unpack the archive of a course, and check every file of it.

    python restore.py NEW_FOLDER        with any Python from 3.8 on

The file lies in each archive as restore.py, and needs nothing but Python itself. It never writes outside of the new folder, and
never over a file.
"""

import csv
import hashlib
import io
import os
import sys
import zipfile
from pathlib import Path

COURSE, FILES = "course/", "files.csv"
HEADER = ["path", "bytes", "sha256", "modified_ns", "mode"]
AT_ONCE = 2**20


class WrongArchive(Exception):
    """The archive cannot be unpacked; the text says why."""


def listed(archive: zipfile.ZipFile) -> "dict[str, list[str]]":
    """Return the lines of files.csv by path: bytes, sha256, time and mode.

    Raises:
        WrongArchive: it is no archive of a course, a path leads out of the folder, or a file is missing.
    """
    try:
        rows = list(csv.reader(io.StringIO(archive.read(FILES).decode("utf-8"), newline="")))
    except (KeyError, UnicodeDecodeError, csv.Error, zipfile.BadZipFile) as error:
        raise WrongArchive(f"this is no archive of a course: it has no {FILES} that can be read ({error})") from None
    if not rows or rows[0] != HEADER or any(len(row) != len(HEADER) for row in rows):
        raise WrongArchive(f"{FILES} of this archive is not the list of its files")
    there = set(archive.namelist())
    for path, *_ in rows[1:]:
        parts = path.split("/")
        if "" in parts or "." in parts or ".." in parts or "\\" in path or ":" in parts[0] or "\0" in path:
            raise WrongArchive(f"a path in the archive leads out of the folder: {path!r}")
        if COURSE + path not in there:
            raise WrongArchive(f"a file is missing in the archive: {path!r}")
    return {path: about for path, *about in rows[1:]}


def unpack(archive_path: "str | os.PathLike[str]", folder: "str | os.PathLike[str]") -> int:
    """Write the course of an archive into a new or empty folder; return the number of files.

    Every file is compared with its sha256, and gets its time and its mode. Folders are for their owner alone.

    Raises:
        WrongArchive: it is no such archive, a file differs from its sha256, or the folder is not empty.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise WrongArchive(f"{target} is not empty: give a new folder")
    try:
        with zipfile.ZipFile(archive_path) as archive:
            files = listed(archive)
            target.mkdir(mode=0o700, parents=True, exist_ok=True)
            for path, (_, sha256, modified, mode) in files.items():
                parts = path.split("/")
                for depth in range(1, len(parts)):
                    target.joinpath(*parts[:depth]).mkdir(mode=0o700, exist_ok=True)
                place = target.joinpath(*parts)
                _copy(archive, path, place, sha256)
                os.chmod(place, int(mode, 8) & 0o777)
                os.utime(place, ns=(int(modified), int(modified)))
    except (zipfile.BadZipFile, ValueError) as error:
        raise WrongArchive(f"{archive_path} is damaged: {error}") from None
    except OSError as error:
        raise WrongArchive(f"{archive_path} cannot be unpacked into {target}: {error}") from None
    return len(files)


def _copy(archive: zipfile.ZipFile, path: str, place: Path, sha256: str) -> None:
    digest = hashlib.sha256()
    with archive.open(COURSE + path) as packed, place.open("xb") as file:
        for part in iter(lambda: packed.read(AT_ONCE), b""):
            digest.update(part)
            file.write(part)
    if digest.hexdigest() != sha256:
        place.unlink()
        raise WrongArchive(f"a file of the archive is damaged: {path!r}")


def main() -> None:
    """Unpack the archive beside this file, or the one that is named: python restore.py NEW_FOLDER [ARCHIVE.zip]."""
    if len(sys.argv) not in (2, 3):
        raise SystemExit("python restore.py NEW_FOLDER [ARCHIVE.zip]")
    beside = sorted(Path(__file__).resolve().parent.glob("*.zip"))
    if len(sys.argv) == 2 and len(beside) != 1:
        raise SystemExit("name the archive: python restore.py NEW_FOLDER ARCHIVE.zip")
    try:
        number = unpack(sys.argv[2] if len(sys.argv) == 3 else beside[0], sys.argv[1])
    except WrongArchive as error:
        raise SystemExit(str(error)) from None
    print(f"{number} files are in {sys.argv[1]}, and each is as it was")


if __name__ == "__main__":
    main()
