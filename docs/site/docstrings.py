"""Our docstrings are plain text with `code` and indented examples; Sphinx reads reStructuredText. This is the way between."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sphinx.application import Sphinx

SECTION = re.compile(r"(Args|Arguments|Raises|Returns|Yields|Fields|Attributes|Example|Examples|Note|Source):.*")
FIELD = re.compile(r"\w+(, \w+)*: \S.*")
ITEM = re.compile(r"(\s*)(- |\* |\d+\. )")
CODE = re.compile(r"(`[^`]+`)")
MARKUP = re.compile(r"\*\*[^*]+\*\*|[*|]|(?<=\w)_(?!\w)")  # **words** stay what they are


def to_rst(lines: Sequence[str]) -> list[str]:
    """Return a docstring as reStructuredText: examples become literal blocks, and only backticks mark up."""
    result: list[str] = []
    for block in _blocks(lines):
        margin = min(_indent(line) for line in block)
        if margin and not _within_section(result):
            result += ["::", "", *block, ""]
            continue
        result += [*(_escaped(line) for line in _flush(block)), ""]
    return result


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the paragraphs; indented ones that follow each other are one block."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""]):
        if line.strip():
            block.append(line.rstrip())
            continue
        following = next((later for later in lines[number:] if later.strip()), "")
        if block and _indent(block[0]) and _indent(following):
            block.append("")
        elif block:
            yield block
            block = []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 1000


def _within_section(result: Sequence[str]) -> bool:
    """Whether the text so far ends in a section such as Args, whose further paragraphs are indented too."""
    last = next((line for line in reversed(result) if line and not line.startswith(" ")), "")
    return bool(SECTION.fullmatch(last))


def _flush(block: Sequence[str]) -> Iterator[str]:
    """Yield a paragraph; a list within it gets the empty line that reStructuredText wants before it.

    Fields that are described one below the other, `name: what it is`, become a list.
    """
    if FIELD.fullmatch(block[0]) and not SECTION.fullmatch(block[0]):
        yield from (f"- {line}" if FIELD.fullmatch(line) else f"  {line.strip()}" for line in block)
        return
    listed = False
    for number, line in enumerate(block):
        item = ITEM.match(line)
        if number and item and not listed:
            yield ""
        listed = bool(item) or (listed and line.startswith(" "))
        yield line


def _escaped(line: str) -> str:
    """Return a line in which nothing but `code` is markup."""
    if mark := ITEM.match(line):
        return mark[0] + _escaped(line[mark.end() :])
    parts = CODE.split(line)
    for place, part in enumerate(parts):
        if place % 2:  # code; a letter right after it would keep reStructuredText from seeing its end
            parts[place] = f"`{part}`" + ("\\ " if parts[place + 1][:1].isalnum() else "")
        else:
            plain = part.replace("\\", "\\\\")
            parts[place] = MARKUP.sub(lambda match: match[0] if match[0].startswith("**") else f"\\{match[0]}", plain)
    return "".join(parts)


def _process(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = to_rst(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Translate each docstring before napoleon reads its sections."""
    app.connect("autodoc-process-docstring", _process, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
