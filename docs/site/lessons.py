"""A lesson as a page: the student's notebook, stubs and all, with what the solved one prints and draws below its cells."""

import base64
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.problem_sets.notebook import cell_ids
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import Cell, ProblemSet
from docs.site.outputs import Outputs

CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
ACTS = re.compile(r"<script|\bon\w+\s*=|\b(?:src|href)\s*=", re.IGNORECASE)
TOP = """---
myst:
  enable_extensions: [dollarmath]
---
"""
HOW = """```{{admonition}} This page is for reading
:class: note

It is the notebook that students get. The functions are stubs, and the results below the cells come from a solved notebook.
To work, open `assignments/{name}/{name}.ipynb` or `{name}.py` in the same folder, or take a file from here:
[{name}.ipynb]({name}.ipynb), [{name}.py]({name}.py).
```
"""


def lesson_page(ps: ProblemSet, outputs: Outputs) -> tuple[str, dict[str, bytes]]:
    """Return the page of a lesson as Markdown, and its pictures by their paths beside the page."""
    parts, pictures, section = [TOP], dict[str, bytes](), ps.title
    for number, (id, cell) in enumerate(zip(cell_ids(ps), ps.cells, strict=True)):
        if cell.markdown:
            section = _last_heading(cell.stub) or section
            text = cell.stub.replace("](../../docs/", "](../docs/")  # lessons/NAME for assignments/NAME/NAME
            title, _, rest = text.partition("\n") if number == 0 else ("", "", text)
            parts += [title, HOW.format(name=ps.name), rest] if title else [rest]
            continue
        parts.append(_code(cell, ps))
        if cell.role != "exercise":  # the cell of an exercise only defines functions
            shown, drawn = _shown(f"pictures/{ps.name}/{id}", outputs.get(id, []), section)
            parts += shown
            pictures |= drawn
    return "\n\n".join(parts) + "\n", pictures


def _last_heading(text: str) -> str:
    headings = re.findall(r"^#{1,4} (.+)$", text, re.MULTILINE)
    return headings[-1] if headings else ""


def _code(cell: Cell, ps: ProblemSet) -> str:
    """Return a cell of code: an exercise under its name, a check folded, as it is long and says what it wants when it runs."""
    fence = "`" * (3 + max((len(ticks) for ticks in re.findall("`+", cell.stub)), default=0))
    if cell.role == "exercise":
        exercise = ps.exercise(cell.id)
        points = f"{exercise.points} {'extra ' if exercise.extra else ''}points"
        options = [f":caption: {exercise.id} {exercise.title}, {points}", f":name: {ps.grade_id(cell.id)}"]
        return "\n".join([f"{fence}{{code-block}} python", *options, "", cell.stub, fence])
    code = "\n".join([f"{fence}{{code-block}} python", "", cell.stub, fence])
    if cell.role != "check":
        return code
    title = "The joint check" if cell.id == JOINT else f"The visible check of {cell.id}"
    return "\n\n".join([_raw(f'<details class="check"><summary>{title}</summary>'), code, _raw("</details>")])


def _shown(stem: str, outputs: Sequence[dict[str, Any]], section: str) -> tuple[list[str], dict[str, bytes]]:
    """Return the parts of the page that show a cell's outputs, and the pictures."""
    parts, pictures, printed = [], dict[str, bytes](), ""
    count = Counter[str]()
    for output in outputs:
        if output["output_type"] == "stream":
            printed += output["text"]
            continue
        parts += _printed(printed)
        printed = ""
        for kind, content in _best(output.get("data", {})):
            if kind == "text/html":
                parts.append(_raw(f'<div class="drawn">{content}</div>'))
            elif kind.startswith("image/"):
                count["pictures"] += 1
                path = f"{stem}-{count['pictures']}.{'svg' if 'svg' in kind else 'png'}"
                pictures[path] = content.encode() if "svg" in kind else base64.b64decode(content)
                alt = f"Picture {count['pictures']} of the cell above, in {re.sub('[$`*]', '', section)}"
                parts.append(f"```{{image}} {path}\n:alt: {alt}\n:class: output\n```")
            else:
                parts += _printed(content)
    return [*parts, *_printed(printed)], pictures


def _best(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the kind of an output that a page can show: a picture, harmless HTML, or text."""
    for kind in ("image/svg+xml", "image/png", "text/html", "text/plain"):
        content = data.get(kind)
        text = "".join(content) if isinstance(content, list) else content
        if text and not (kind == "text/html" and ACTS.search(text)):
            yield kind, text
            return


def _printed(text: str) -> list[str]:
    """Return what was printed as a block; of a line that was drawn over itself, the last state."""
    lines = [line.rpartition("\r")[2].rstrip() for line in CONTROL.sub("", text).rstrip("\n").split("\n")]
    return ["\n".join(["``````{code-block} text", ":class: output", "", *lines, "``````"])] if any(lines) else []


def _raw(html: str) -> str:
    return f"``````{{raw}} html\n{html}\n``````"
