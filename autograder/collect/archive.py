"""The members of a downloaded zip: their names and dates, and their bytes. Nothing in it is trusted, unpacked or executed."""

from __future__ import annotations

import hashlib
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from arena.errors import UserError
from autograder.plain_text import plain_text
from autograder.submission.gate import DEEPEST, LONGEST_NAME, SECRET, TIMESTAMP

MOST_MEMBERS = 200_000
MOST_BYTES = 64 * 2**20  # of one file: the grader reads no larger notebook
MOST_BYTES_OF_ALL = 32 * 2**30  # of one zip: a thousand students with 32 MiB each
LONGEST_PATH = 1000
_UTF8, _ENCRYPTED = 0x800, 0x1  # flags of a member, APPNOTE.TXT of PKWARE, section 4.4.4
_JUNK_FOLDERS = frozenset({"__MACOSX", "__pycache__", ".ipynb_checkpoints"})
_JUNK_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_NBGRADERS = frozenset({TIMESTAMP, SECRET})  # they decide on lateness, so no student may hand them in


@dataclass(frozen=True)
class Member:
    """One member of a zip.

    path: its name as text, with / between folders; not safe to write to.
    date: as it is in the zip, without a time zone; None if it is not a date.
    """

    info: zipfile.ZipInfo
    path: str
    date: datetime | None


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip for reading.

    Raises:
        UserError: the file does not exist, is not a zip, or is damaged.
    """
    if not path.is_file():
        raise UserError(f"no such zip: {path}")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:  # ValueError: a name that is not UTF-8
        reason = "is not a zip, or is not complete" if not zipfile.is_zipfile(path) else f"is damaged ({error})"
        raise UserError(f"{path} {reason}: download it again") from error
    with archive:
        yield archive


def members_of(archive: zipfile.ZipFile, path: Path) -> list[Member]:
    """Return the members in their order; only empty folders are included.

    Raises:
        UserError: the zip is empty, encrypted or too large.
    """
    infos = archive.infolist()
    if not infos:
        raise UserError(f"{path} is empty: download it again")
    if any(info.flag_bits & _ENCRYPTED for info in infos):
        raise UserError(f"{path} is encrypted: unpack it with its password, and give a zip without one")
    if len(infos) > MOST_MEMBERS or sum(info.file_size for info in infos if info.file_size <= MOST_BYTES) > MOST_BYTES_OF_ALL:
        raise UserError(f"{path} is too large when unpacked ({len(infos)} files; at most {MOST_MEMBERS} and 32 GiB): divide it")
    members = [Member(info, _name(info), _date(info)) for info in infos]
    filled = {str(parent) for member in members if len(member.path) <= LONGEST_PATH
              for parent in PurePosixPath(member.path).parents}
    return [member for member in members if not (member.path.endswith("/") and member.path.rstrip("/") in filled)]


def _name(info: zipfile.ZipInfo) -> str:
    """The name as text. Canvas and macOS write UTF-8 without the flag for it; Python then reads it as cp437."""
    name = info.orig_filename  # `filename` ends at a null character
    if not info.flag_bits & _UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass  # it is cp437
    return name.replace("\\", "/")  # some programs on Windows write backslashes


def _date(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)
    except ValueError:
        return None


def is_junk(path: str) -> bool:
    """Whether an operating system or an editor made this file beside the student's."""
    folders, name = PurePosixPath(path).parts[:-1], PurePosixPath(path).name
    return not _JUNK_FOLDERS.isdisjoint(folders) or name in _JUNK_FILES or name.startswith("._") or name in _JUNK_FOLDERS


def refusal(member: Member) -> str | None:
    """Return why a member is not read at all; None if it may be."""
    kind = stat.S_IFMT(member.info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "a link: only files are collected"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "neither a file nor a folder"
    if len(member.path) > LONGEST_PATH:
        return f"its path is longer than {LONGEST_PATH} characters"
    parts = member.path.split("/")
    if ".." in parts or member.path.startswith("/") or parts[0][1:2] == ":":
        return "its path leads out of the zip"
    return None


def settled(name: str) -> str:
    """Return the form of a path in which two paths are equal if some disks would take them for one file.

    On such disks names have one case and one form of each letter (NFKC), and lose dots and blanks at their ends.
    """
    parts = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split("/")
    return "/".join(part.rstrip(". ") for part in parts)


def refused_name(name: str) -> str | None:
    """Return why a file is not written under this path within its submission; None if it may be."""
    parts = name.split("/")
    if not name or ".." in parts:  # the part after a platform's prefix may be "..", although no folder of the zip is
        return "its path leads out of the submission"
    if not name.isprintable() or plain_text(name) != name:
        return "its name contains invisible or control characters"
    if max(len(part.encode(errors="surrogatepass")) for part in parts) > LONGEST_NAME or len(parts) > DEEPEST:
        return f"its name is longer than {LONGEST_NAME} bytes, or it is more than {DEEPEST} folders deep"
    if not _NBGRADERS.isdisjoint(part.strip() for part in settled(name).split("/")):
        return "nbgrader keeps the time of the submission in a file of this name: copy it by hand if it is yours"
    if parts[-1] != parts[-1].rstrip(". "):
        return "its name ends in a dot or a blank, which many programs drop: copy it by hand if it is work"
    return None


def unpack(archive: zipfile.ZipFile, member: Member, to: Path) -> tuple[bytes, str | None]:
    """Write the bytes of one member to a new file; return their SHA-256, and why they cannot be read, or None.

    Raises:
        OSError: the machine refuses to write.
    """
    if member.info.file_size > MOST_BYTES:
        return b"", f"larger than {MOST_BYTES // 2**20} MiB"
    try:
        source = archive.open(member.info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError) as error:
        return b"", f"cannot be read from the zip ({error})"
    hashed = hashlib.sha256()
    with source, to.open("xb") as target:
        while True:
            try:
                block = source.read(2**20)  # never more than `file_size` in all
            except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
                return b"", f"cannot be read from the zip ({error or 'it ends too early'})"
            if not block:
                return hashed.digest(), None
            hashed.update(block)
            target.write(block)
