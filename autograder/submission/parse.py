"""Split the two forms of a submission into cells. Students may have changed anything, so nothing is trusted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from arena.work import without_guard
from autograder.problem_sets.percent import HEADER
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet

# The reference has about 60 cells and 1,500 lines. Every cell of a module includes empty lines for the lines above it.
MOST_CELLS = 2_000
MOST_LINES = 50_000
MOST_PICTURES, MOST_KINDS, LONGEST_NAME = 50, 5, 200
MAX_CODE_BYTES = 2 * 2**20
MERGE = re.compile(r"^<{7} ", re.MULTILINE)
_ARCHIVES = (b"PK\x03\x04", b"7z\xbc\xaf", b"Rar!", b"\x1f\x8b")
_OPTION = re.compile(r'(exercise|check|answer|active)="([^"]*+)"')


class Unreadable(Exception):
    """A file that cannot be split into cells; the text continues a sentence that begins with the file's name."""


@dataclass(frozen=True)
class Cell:
    """One cell. `label` is its name in a report; `exercise` is the id of its exercise or free answer, or None.

    `role`: "code" is loaded, "experiment" and "check" are not, "markdown" is text. An experiment that students write has the id
    of its answer.
    `pictures`: the pictures of a text cell, (name, kind, content in base64), as handed in.
    """

    label: str
    source: str
    exercise: str | None
    role: str
    pictures: tuple[tuple[str, str, str], ...] = ()


def _text(data: bytes) -> str:
    """Decode a file: UTF-8, or UTF-16 as shells on Windows write it.

    Raises:
        UnicodeDecodeError: the file is neither.
    """
    return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")


def not_the_file(data: bytes) -> str | None:
    """Return the complaint about a file that is not a submission under any name; None for all others."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start and not data.strip():
        return "is empty: save your work and hand it in again"
    if start.startswith(_ARCHIVES):
        return "is an archive: hand in the file that is in it"
    if start.startswith(b"%PDF") or start.lower().startswith((b"<!doctype html", b"<html")):
        return "is an export (a web page or a PDF): hand in the notebook itself"
    return None


def holds_notebook(data: bytes) -> bool:
    """Whether a file begins like the JSON of a notebook; a module cannot begin like this."""
    return re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:cells|metadata|nbformat|worksheets)', data[:1000]) is not None


def holds_module(data: bytes) -> bool:
    """Whether a file is Python in cells, as our modules are; JSON has no such line."""
    return re.search(rb"^# %%", data, re.MULTILINE) is not None and not data.lstrip().startswith(b"{")


def notebook_cells(data: bytes, problem_set: ProblemSet) -> list[Cell]:
    """Return the cells of a notebook, of any nbformat since 3.

    Raises:
        Unreadable: not JSON, or not the JSON of a notebook.
    """
    try:
        content = json.loads(_text(data), parse_int=float)  # `int` refuses 5,000 digits, and we need none of its numbers
    except UnicodeDecodeError as error:
        raise Unreadable("is not UTF-8 text, as every notebook is") from error
    except (ValueError, RecursionError) as error:
        if merge := MERGE.search(_text(data)):
            line = _text(data).count("\n", 0, merge.start()) + 1
            reason = f"line {line} has marks of an unfinished merge (<<<<<<<); keep one of the two versions"
            raise Unreadable(f"is not a readable notebook: {reason}") from error
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
    """Yield possible cells: `cells` of nbformat 4, or those of the worksheets of nbformat 3."""
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
    """Yield the pictures of a text cell (nbformat's `attachments`), limited in number and with valid names."""
    attachments = raw.get("attachments")
    for name, kinds in list(attachments.items() if isinstance(attachments, dict) else ())[:MOST_PICTURES]:
        for kind, content in list(kinds.items() if isinstance(kinds, dict) else ())[:MOST_KINDS]:
            content = "".join(filter(_is_text, content)) if isinstance(content, list) else content
            if len(name) <= LONGEST_NAME and kind.startswith("image/") and _is_text(content):
                yield name, kind, content


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _notebook_claim(raw: dict[str, Any], known: _Known) -> tuple[str, str | None]:
    """Return (role, exercise id) from a cell's metadata; they choose the place in the report, never the points."""
    metadata = raw.get("metadata")
    if not isinstance(metadata, dict):
        return "code", None
    tags = metadata.get("tags")
    if isinstance(tags, list) and "experiment" in tags:
        answer = metadata.get("answer")
        return "experiment", answer if isinstance(answer, str) and answer in known.answers else None
    nbgrader = metadata.get("nbgrader")
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return known.grade_ids.get(grade_id, ("code", None)) if isinstance(grade_id, str) else ("code", None)


def module_cells(data: bytes, problem_set: ProblemSet) -> list[Cell]:
    """Return the cells of a module; empty lines in front keep the line numbers of the file.

    Raises:
        Unreadable: not text.
    """
    try:
        text = _text(data)
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # latin-1 decodes every byte; a cell that is not Python fails later
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
    """Refuse code of this size."""
    raise Unreadable(f"holds {size / 2**20:.0f} MiB of code; at most {MAX_CODE_BYTES // 2**20} MiB are read")


def _limit(number: int, most: int, what: str) -> None:
    if number > most:
        raise Unreadable(f"has more than {most:,} {what}, so it was not read; hand in the file that you were given, filled in")


def _module_cell(header: str, body: list[str], above: int, known: _Known, label: str) -> Cell:
    options = dict(_OPTION.findall(header))
    if "[markdown]" in header:
        answer = options.get("answer")
        source = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body).strip("\n")
        return Cell(label, source, answer if answer in known.answers else None, "markdown")
    if "experiment" in header and "tags" in header:
        answer = options.get("answer")
        if answer not in known.answers:
            return Cell(label, "\n".join(body).strip("\n"), None, "experiment")
        if all(line.startswith("#") for line in body if line.strip()):
            body = [line.removeprefix("#").removeprefix(" ") for line in body]
        return Cell(label, "\n".join(body).strip("\n"), answer, "experiment")
    role = "check" if "check" in options else "code"
    exercise = options.get("exercise", options.get("check"))
    return known.code(label, "\n" * above + "\n".join(body), role, exercise if exercise in known.ids else None)


class _Known:
    """What identifies a submission's cells: our ids, and the text of the checks and experiments that we handed out."""

    def __init__(self, problem_set: ProblemSet) -> None:
        self.ids = {exercise.id for exercise in problem_set.exercises} | {JOINT}
        self.answers = {cell.id for cell in problem_set.cells if cell.role == "answer"}
        self.grade_ids: dict[str, tuple[str, str | None]] = {}
        for id in self.ids:
            self.grade_ids[problem_set.code_id(id)] = ("code", id)
            self.grade_ids[problem_set.grade_id(id)] = ("check", id)
        for id in self.answers:
            self.grade_ids[problem_set.grade_id(id)] = ("markdown", id)
        self.not_run = {cell.stub.strip(): cell.role for cell in problem_set.cells if cell.role in ("check", "experiment")}

    def code(self, label: str, source: str, role: str, exercise: str | None) -> Cell:
        """Return a code cell; one without its metadata is recognised by the text that we handed out."""
        role = self.not_run.get(source.strip(), role if role != "markdown" else "code")
        return Cell(label, source, exercise, role)
