"""The search for one person in a course: in names of files, in texts and databases, and inside archives.

An id is looked for as a whole word. Where it is a word of the handed-out files too, such as "max", it counts in free text only
between quotes, tags, or the separators of a table or a path.
"""

from __future__ import annotations

import bz2
import gzip
import html
import io
import json
import lzma
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from autograder.csv_text import neutral
from autograder.plain_text import plain_text

HANDED_OUT = ("release", "source", "handout")  # folders of the course with nothing of any student
SHORTEST = 4  # letters of a name, address or number that is looked for by itself; shorter ones are words of anything
DEEPEST, MOST_UNPACKED = 4, 2**29  # archives inside archives; bytes of one unpacked file
_SUFFIXES = ("html", "json", "csv", "txt", "py", "ipynb", "zip")  # after an id, the end of a file's name and not of a longer id
# Beside one of these, an id is a part of another word; bytes from 0x80 on end a letter of UTF-8, or begin one.
_BEFORE, _AFTER = rb"[0-9A-Za-z_\x80-\xbf]", rb"[0-9A-Za-z_\xc2-\xf4]"
SQLITE = b"SQLite format 3\0"
_TRIED: tuple[Callable[[bytes], bytes], ...] = (gzip.decompress, bz2.decompress, lzma.decompress)
_BEGINS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")


@dataclass(frozen=True)
class Person:
    """What to look for.

    id: the student's.    others: whole texts that are this person's alone, such as name, address, numbers on platforms, and the
        hashes of the hand-ins.    handed_out: the texts of the handed-out files, in which the id may be an ordinary word.
    """

    id: str
    others: frozenset[str] = frozenset()
    handed_out: bytes = b""

    @cached_property
    def is_a_word(self) -> bool:
        """Whether the id is a word of the handed-out files."""
        return bool(_whole(_forms(self.id)).search(self.handed_out))

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """What finds the person in bytes."""
        own = _apart(_forms(self.id)) if self.is_a_word else _whole(_forms(self.id))
        others = [_whole(_forms(text)) for text in sorted(self.others) if len(text) >= SHORTEST]
        return re.compile(b"|".join(part.pattern for part in (own, *others)))

    def is_in_name(self, name: str) -> bool:
        """Whether the name of a file or folder names the person."""
        if self.is_a_word:
            return name in (self.id, *(f"{self.id}.{suffix}" for suffix in _SUFFIXES))
        return bool(_whole(_forms(self.id)).search(name.encode("utf-8", "surrogateescape")))


def _forms(text: str) -> list[bytes]:
    """A text as files write it: as it is, in HTML, JSON, Python, an address, a table, and with two bytes a letter."""
    shown = {text, plain_text(text), html.escape(text), json.dumps(text)[1:-1], repr(text)[1:-1], quote(text), neutral(text)}
    return sorted({form.encode("utf-8", "surrogateescape") for form in shown} | {text.encode("utf-16-le", "surrogatepass")})


def _whole(forms: Iterable[bytes]) -> re.Pattern[bytes]:
    """Find one of these as a whole word; a hyphen or a point between letters makes a longer word."""
    joined = b"|".join(map(re.escape, forms))
    return re.compile(rb"(?<!" + _BEFORE + rb")(?<!" + _BEFORE + rb"[-.])(?:" + joined + rb")(?!-?" + _AFTER + rb")"
                      rb"(?!\.(?!(?:" + "|".join(_SUFFIXES).encode() + rb")\b)" + _AFTER + rb")")


def _apart(forms: Iterable[bytes]) -> re.Pattern[bytes]:
    """Find one of these where a text names somebody: in quotes or tags, or as a cell or a part of a path."""
    joined = b"|".join(map(re.escape, forms))
    return re.compile(rb"(?:(?<=')(?:" + joined + rb")(?=')|(?<=<bdi>)(?:" + joined + rb")(?=<)|(?<=/)(?:" + joined + rb")(?=/))")


def person_in(course: Path, id: str, others: Iterable[str]) -> Person:
    """Return what to look for in a course."""
    texts = [path.read_bytes() for folder in HANDED_OUT for path in sorted((course / folder).rglob("*"))
             if path.is_file() and path.suffix in (".py", ".ipynb", ".ini")]
    return Person(id, frozenset(filter(None, others)), b"\n".join(texts))


def traces(course: Path, person: Person) -> Iterator[tuple[Path, str]]:
    """Yield every file and folder of a course that names a person, and where in it: "" for its name, else a part of an archive.

    Links are not followed; the folders of handed-out files are left out.
    """
    for path in sorted(course.rglob("*")):
        inside = path.relative_to(course)
        if inside.parts[0] in HANDED_OUT or path.is_symlink():
            continue
        if person.is_in_name(path.name):
            yield path, ""
        elif path.is_file():
            yield from ((path, where) for where in found_in(path.read_bytes(), person))


def found_in(content: bytes, person: Person, where: str = "the text", depth: int = 0) -> Iterator[str]:
    """Yield where in the bytes of a file a person is named: in the text, or in a member of an archive."""
    if content.startswith(SQLITE):
        if _is_in_database(content, person):
            yield where
    elif person.pattern.search(content):
        yield where
    if depth == DEEPEST:
        return
    for name, member in unpacked(content):
        if name and any(person.is_in_name(part) for part in Path(name).parts):
            yield f"the name of {name}"
        else:
            yield from found_in(member, person, name or where, depth + 1)


def _is_in_database(content: bytes, person: Person) -> bool:
    """Whether a cell of a database names a person. SQLite writes the cells of a row without anything between them."""
    if any(text.encode() in content for text in person.others if len(text) >= 2 * SHORTEST):
        return True  # also in what was deleted, and is still in the file
    database = sqlite3.connect(":memory:")
    try:
        database.deserialize(content)
        tables = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        return any(person.pattern.search(cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "surrogatepass"))
                   for table in tables for row in database.execute(f'select * from "{table}"') for cell in row
                   if isinstance(cell, str | bytes) and len(cell) < MOST_UNPACKED)
    except sqlite3.Error:  # damaged: look at its bytes
        return person.pattern.search(content) is not None
    finally:
        database.close()


def unpacked(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of what an archive or a compressed file holds; nothing for any other file, or one that is damaged."""
    for begin, decompress in zip(_BEGINS, _TRIED, strict=True):
        if content.startswith(begin):
            try:
                yield "", decompress(content)
            except (OSError, EOFError, lzma.LZMAError, zlib.error, MemoryError):
                return
    if content.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                for member in packed.infolist():
                    if member.file_size <= MOST_UNPACKED:
                        yield member.filename, b"" if member.is_dir() else packed.read(member)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, zlib.error, lzma.LZMAError):
            return
