"""The two forms of a submission, taken apart into cells. Students may have changed anything, so nothing is taken on trust."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from arena.work import without_guard
from autograder.problem_sets.percent import HEADER
from autograder.problem_sets.source import ProblemSet

# The reference has some 60 cells and 1,500 lines. Every cell of a module carries the empty lines above it.
MOST_CELLS = 2_000
MOST_LINES = 50_000
MOST_PICTURES, MOST_KINDS, LONGEST_NAME = 50, 5, 200
MAX_CODE_BYTES = 2 * 2**20
MERGE = re.compile(r"^<{7} ", re.MULTILINE)
_ARCHIVES = (b"PK\x03\x04", b"7z\xbc\xaf", b"Rar!", b"\x1f\x8b")
_OPTION = re.compile(r'(exercise|check|answer|active)="([^"]*+)"')


class Unreadable(Exception):
    """A file that cannot be taken apart; the text goes on from its name: "is no notebook: ..."."""


@dataclass(frozen=True)
class Cell:
    """One cell. `label` is how a report calls it; `exercise` the id of the exercise or free answer it belongs to, or None.

    `role`: "code" is loaded, "experiment" and "check" are not, "markdown" is text.
    `pictures`: what was pasted into a text, (name, kind, content in base64), as it was handed in.
    """

    label: str
    source: str
    exercise: str | None
    role: str
    pictures: tuple[tuple[str, str, str], ...] = ()


def _text(data: bytes) -> str:
    """Decode a file: UTF-8, or UTF-16 as shells of Windows write it.

    Raises:
        UnicodeDecodeError: it is neither.
    """
    return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")


def not_the_file(data: bytes) -> str | None:
    """Return what is to be said of a file that is no submission whatever it is called, None of all others."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start and not data.strip():
        return "is empty: save your work and hand it in again"
    if start.startswith(_ARCHIVES):
        return "is an archive: hand in the file that is in it"
    if start.startswith(b"%PDF") or start.lower().startswith((b"<!doctype html", b"<html")):
        return "is an export (a web page or a PDF): hand in the notebook itself"
    return None


def holds_notebook(data: bytes) -> bool:
    """Whether a file is the JSON of a notebook, as far as its first letters tell; a module cannot begin like that."""
    return re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:cells|metadata|nbformat|worksheets)', data[:1000]) is not None


def holds_module(data: bytes) -> bool:
    """Whether a file is Python in cells, as our modules are; no JSON has such a line."""
    return re.search(rb"^# %%", data, re.MULTILINE) is not None and not data.lstrip().startswith(b"{")


def notebook_cells(data: bytes, problem_set: ProblemSet) -> list[Cell]:
    """Return the cells of a notebook, of any nbformat since 3.

    Raises:
        Unreadable: not JSON, or not the JSON of a notebook.
    """
    try:
        content = json.loads(_text(data), parse_int=float)  # `int` refuses 5,000 digits; no number in it says anything to us
    except UnicodeDecodeError as error:
        raise Unreadable("is not UTF-8 text, as every notebook is") from error
    except (ValueError, RecursionError) as error:
        if merge := MERGE.search(_text(data)):
            line = _text(data).count("\n", 0, merge.start()) + 1
            said = f"marks of an unfinished merge (<<<<<<<) stand in line {line}; keep one of the two versions"
            raise Unreadable(f"is not a readable notebook: {said}") from error
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"is not a readable notebook: its JSON breaks off or is damaged{where}") from error
    known = _Known(problem_set)
    cells = []
    for number, raw in enumerate(_raw_cells(content), 1):
        _limit(number, MOST_CELLS, "cells")
        source = _source(raw)
        if raw.get("cell_type") == "code":
            cells.append(known.code(f"cell {number}", source, *_notebook_claim(raw, known)))
        else:
            _, exercise = _notebook_claim(raw, known)
            belongs = exercise if exercise in known.answers else None
            cells.append(Cell(f"cell {number}", source, belongs, "markdown", tuple(_pictures(raw))))
    if not cells:
        raise Unreadable("is a notebook without cells")
    return cells


def _raw_cells(content: Any) -> Iterator[dict[str, Any]]:
    """Yield what may be a cell: `cells` of nbformat 4, or those of the worksheets of nbformat 3."""
    if not isinstance(content, dict):
        raise Unreadable("is JSON, but not a notebook")
    holders = [content, *(content["worksheets"] if isinstance(content.get("worksheets"), list) else [])]
    for holder in holders:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        yield from (cell for cell in (cells if isinstance(cells, list) else []) if isinstance(cell, dict))


def _source(raw: dict[str, Any]) -> str:
    source = raw.get("source", raw.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _pictures(raw: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield what was pasted into a cell of text (nbformat's `attachments`), a reasonable number of reasonable names."""
    attachments = raw.get("attachments")
    for name, kinds in list(attachments.items() if isinstance(attachments, dict) else ())[:MOST_PICTURES]:
        for kind, content in list(kinds.items() if isinstance(kinds, dict) else ())[:MOST_KINDS]:
            content = "".join(filter(_is_text, content)) if isinstance(content, list) else content
            if len(name) <= LONGEST_NAME and kind.startswith("image/") and _is_text(content):
                yield name, kind, content


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _notebook_claim(raw: dict[str, Any], known: _Known) -> tuple[str, str | None]:
    """Return (role, exercise id) that a cell's metadata claim; they choose where it is shown, never its points."""
    metadata = raw.get("metadata")
    if not isinstance(metadata, dict):
        return "code", None
    tags = metadata.get("tags")
    if isinstance(tags, list) and "experiment" in tags:
        return "experiment", None
    nbgrader = metadata.get("nbgrader")
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return known.grade_ids.get(grade_id, ("code", None)) if isinstance(grade_id, str) else ("code", None)


def module_cells(data: bytes, problem_set: ProblemSet) -> list[Cell]:
    """Return the cells of a module; each keeps its line numbers of the file by empty lines in front.

    Raises:
        Unreadable: not text.
    """
    try:
        text = _text(data)
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # every byte is a letter there; a cell that is no Python fails by itself
    if "\0" in text:
        raise Unreadable("is not a text file")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    _limit(len(lines), MOST_LINES, "lines")
    lines = without_guard(lines)
    heads = [number for number, line in enumerate(lines) if HEADER.fullmatch(line)]
    _limit(len(heads), MOST_CELLS, "cells")
    above = sum(heads)
    if above > MAX_CODE_BYTES:
        too_large(above)
    known = _Known(problem_set)
    cells = []
    for start, end in zip([-1, *heads], [*heads, len(lines)], strict=True):
        body = lines[start + 1 : end]
        if start < 0 and not any(line.strip() for line in body):
            continue
        header = lines[start] if start >= 0 else ""
        cells.append(_module_cell(header, body, start + 1, known, f"{problem_set.name}.py"))
    return cells


def too_large(size: int) -> NoReturn:
    """Refuse code of that size."""
    raise Unreadable(f"holds {size / 2**20:.0f} MiB of code; at most {MAX_CODE_BYTES // 2**20} MiB are read")


def _limit(number: int, most: int, what: str) -> None:
    if number > most:
        raise Unreadable(f"has more than {most:,} {what}, and is not read; hand in what you were given, filled in")


def _module_cell(header: str, body: list[str], above: int, known: _Known, label: str) -> Cell:
    options = dict(_OPTION.findall(header))
    if "[markdown]" in header:
        answer = options.get("answer")
        source = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body).strip("\n")
        return Cell(label, source, answer if answer in known.answers else None, "markdown")
    if "experiment" in header and "tags" in header:
        return Cell(label, "\n".join(body).strip("\n"), None, "experiment")
    role = "check" if "check" in options else "code"
    exercise = options.get("exercise", options.get("check"))
    return known.code(label, "\n" * above + "\n".join(body), role, exercise if exercise in known.ids else None)


class _Known:
    """What a submission's cells can be recognised by: our ids, and the text of the checks and experiments we handed out."""

    def __init__(self, problem_set: ProblemSet) -> None:
        self.ids = {exercise.id for exercise in problem_set.exercises} | {"joint"}
        self.answers = {cell.id for cell in problem_set.cells if cell.role == "answer"}
        self.grade_ids: dict[str, tuple[str, str | None]] = {}
        for id in self.ids:
            self.grade_ids[problem_set.code_id(id)] = ("code", id)
            self.grade_ids[problem_set.grade_id(id)] = ("check", id)
        for id in self.answers:
            self.grade_ids[problem_set.grade_id(id)] = ("markdown", id)
        self.not_run = {cell.stub.strip(): cell.role for cell in problem_set.cells if cell.role in ("check", "experiment")}

    def code(self, label: str, source: str, role: str, exercise: str | None) -> Cell:
        """Return a code cell; one that lost its metadata is known by the text that we handed out."""
        role = self.not_run.get(source.strip(), role if role != "markdown" else "code")
        return Cell(label, source, exercise, role)
