"""The percent format: a script whose cells begin with `# %%`; read with line numbers, and written."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from autograder.problem_sets.syntax import SourceError

HEADER = re.compile(r"# %%(?!\S)[ \t]*(\[markdown\])?[ \t]*(.*)")
OPTION = re.compile(r"([a-z_]+)=")


@dataclass(frozen=True)
class PercentCell:
    """One cell of a script: `text` is as in a notebook, without the comment signs of the script."""

    line: int  # of the header, counted from 1
    markdown: bool
    text: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def only_in_notebooks(self) -> bool:
        """Whether the cell is comments in a script, so that a run of the script skips it."""
        return self.options.get("active") == "ipynb"


def read(script: str, file: str) -> list[PercentCell]:
    """Return the cells of a script; SourceError if a line is before the first cell, or a header is wrong.

    A cell with active="ipynb" may be written as code or, as `write` does, as comments.
    """
    lines = script.split("\n")
    heads = [number for number, line in enumerate(lines, 1) if HEADER.fullmatch(line)]
    for number, line in enumerate(lines[: heads[0] - 1] if heads else lines, 1):
        if line.strip():
            raise SourceError(f"{file}:{number}: `{line.strip()}` is before the first cell; a cell begins with a line # %%")
    return [_cell(lines, head, end - 1, file) for head, end in zip(heads, [*heads[1:], len(lines) + 1], strict=False)]


def options_of(header: str, place: str) -> dict[str, Any]:
    """Return the options of a cell's header; {} for a line that is none."""
    match = HEADER.fullmatch(header.rstrip("\n"))
    return dict(_options(match[2], place)) if match else {}


def write(cells: list[PercentCell]) -> str:
    """Return the script of these cells; `read` is the inverse."""
    return "\n\n".join(_script(cell) for cell in cells) + "\n"


def _cell(lines: list[str], head: int, end: int, file: str) -> PercentCell:
    [(markdown, written)] = HEADER.findall(lines[head - 1])
    options = dict(_options(written, f"{file}:{head}"))
    body = lines[head:end]
    while body and not body[-1].strip():
        body.pop()
    if markdown or (options.get("active") == "ipynb" and all(line.startswith("#") for line in body if line.strip())):
        for number, line in enumerate(body, head + 1):
            if line.strip() and not line.startswith("#"):
                raise SourceError(f"{file}:{number}: a line of a markdown cell begins with #")
        body = [line.removeprefix("#").removeprefix(" ") for line in body]
    return PercentCell(head, bool(markdown), "\n".join(body), options)


def _options(written: str, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the name="value" pairs of a header; the values are JSON."""
    at, seen = 0, set()
    while at < len(written):
        name = OPTION.match(written, at)
        if name is None or name[1] in seen:
            raise SourceError(f'{place}: `{written[at:]}` is not name="value", or its name came before')
        seen.add(name[1])
        try:
            value, at = json.JSONDecoder().raw_decode(written, name.end())
        except json.JSONDecodeError:
            raise SourceError(f"{place}: the value of {name[1]} is not a text in quotes, a number or a list") from None
        yield name[1], value
        at += len(written[at:]) - len(written[at:].lstrip())


def _script(cell: PercentCell) -> str:
    options = " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in cell.options.items())
    header = " ".join(part for part in ("# %%", "[markdown]" if cell.markdown else "", options) if part)
    lines = cell.text.split("\n") if cell.text else []
    if cell.markdown or cell.only_in_notebooks:
        lines = [f"# {line}".rstrip() for line in lines]
    return "\n".join([header, *lines])
