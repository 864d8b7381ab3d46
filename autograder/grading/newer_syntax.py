"""Syntax of a newer Python than the one that grades: where it is, and which version reads it.

Python 3.11 calls an f-string of 3.12 a SyntaxError, like a forgotten parenthesis. A student whose own Python reads it learns
nothing from that. So the constructs that came with 3.12, 3.13 and 3.14 are written in an older form here, and the cell is parsed
again. Only if the whole cell is Python then, its newer constructs are named; any other mistake stays a plain SyntaxError.

Source: PEP 695 (type parameters, `type`), PEP 701 (f-strings), PEP 696 (defaults of type parameters), PEP 750 (t-strings),
PEP 758 (`except` without parentheses).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.grading.config import PYTHON
from autograder.sandbox.inside.cell_text import NOT_PYTHON, without_magics

FSTRING = "quotes, a backslash, a comment or a new line inside the braces of an f-string"
TYPE = "a `type` statement"
GENERIC = "type parameters in brackets after a name"
DEFAULT = "a default of a type parameter"
TSTRING = "a t-string"
EXCEPT = "several exceptions without parentheses after `except`"
SINCE = {FSTRING: "3.12", TYPE: "3.12", GENERIC: "3.12", DEFAULT: "3.13", TSTRING: "3.14", EXCEPT: "3.14"}

# No backtracking, as in cell_text: a long line must not take quadratic time.
_STRING = re.compile(r"((?:[rR]?[bBuUfFtT]?|[bBfFtT][rR]))('''|\"\"\"|'|\")")
_PLAIN = re.compile(r"[^'\"#\w]++|\w++")  # text in which no string and no comment begins
_BEGIN = re.compile(
    r"^[ \t]*+(?:(type)[ \t]++(\w++)|(?:async[ \t]++)?+(?:def|class)[ \t]++\w++|(except)\b[ \t]*+\*?+)[ \t]*+", re.M
)
_WORD = re.compile(r"\w++")
_PARAMETER = re.compile(r"\s*+(?:\*{0,2}+)\s*+[^\W\d]\w*+\s*+")
_OF_ONE_NAME = re.compile(r",\s*+[a-z_]\w*+\s*+\Z")  # Python 2: `except ValueError, error:`
_PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, order=True)
class Newer:
    """A construct, and its line in the cell, counted from 1."""

    line: int
    what: str

    @property
    def since(self) -> str:
        """The first Python that reads it, such as "3.12"."""
        return SINCE[self.what]

    @property
    def version(self) -> tuple[int, ...]:
        """The same as numbers, of which a later one is larger."""
        return _number(self.since)


class _NotThis(Exception):
    """The text is not what it seemed to be."""


def newer_syntax(source: str) -> list[Newer]:
    """Return what in a cell only a newer Python can read, line by line; nothing if the cell has other mistakes too.

    The text is a student's: call this in a child process with limits.
    """
    for text in dict.fromkeys((source, without_magics(source))):
        try:
            older, constructs = _older(text)
            ast.parse(older)
        except (*NOT_PYTHON, _NotThis, IndexError):
            continue
        return [construct for construct in sorted(constructs) if construct.version > _number(PYTHON)]
    return []


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except NOT_PYTHON:
        return False
    return True


def _older(text: str) -> tuple[str, set[Newer]]:
    """Return a text with its newer constructs in an older form, line by line the same, and these constructs.

    Strings become empty and comments vanish: then a `type` at the beginning of a line is never a part of a string.
    """
    text, constructs = _without_strings(text)
    edits: list[tuple[int, int, str]] = []
    for match in _BEGIN.finditer(text):
        line, end = text.count("\n", 0, match.start()) + 1, match.end()
        bracket = _closing(text, end) if text.startswith("[", end) else end
        if match[3]:
            edits += _except_in_parentheses(text, end, constructs, line)
            continue
        if bracket > end:
            constructs.add(Newer(line, DEFAULT if _check_parameters(text[end + 1 : bracket - 1]) else GENERIC))
            edits.append((end, bracket, "\\\n" * text.count("\n", end, bracket)))
        if match[1] and re.match(r"[ \t]*+=(?!=)", text[bracket:]):
            constructs.add(Newer(line, TYPE))
            edits.append((match.start(1), match.start(2), ""))
    for start, stop, instead in sorted(edits, reverse=True):
        text = text[:start] + instead + text[stop:]
    return text, constructs


def _without_strings(text: str) -> tuple[str, set[Newer]]:
    """Return a text with empty strings and without comments, and the newer strings in it."""
    parts, constructs, at = list[str](), set[Newer](), 0
    while at < len(text):
        if text[at] == "#":
            at = _line_end(text, at)
        elif string := _STRING.match(text, at):
            end, newer = _string(text, string)
            line = text.count("\n", 0, at) + 1
            constructs |= {Newer(line + own.line - 1, own.what) for own in newer}
            lines = text.count("\n", at, end)
            kind = "b" if "b" in string[1].lower() else ""
            parts.append(f'{kind}"""{chr(10) * lines}"""' if lines else f'{kind}""')
            at = end
        else:
            plain = _PLAIN.match(text, at)
            end = plain.end() if plain else at + 1
            parts.append(text[at:end])
            at = end
    return "".join(parts), constructs


def _string(text: str, begin: re.Match[str]) -> tuple[int, set[Newer]]:
    """Return the end of a string, and the newer constructs in it by line, counted from 1 at its first line."""
    fields, constructs = list[tuple[int, int]](), set[Newer]()
    end = _string_end(text, begin, fields)
    for start, stop in fields:
        older, inside = _older(text[start:stop])
        if not older.strip() or not _parses(f"({older}\n)"):
            raise _NotThis
        line = text.count("\n", begin.start(), start) + 1
        constructs |= {Newer(line + own.line - 1, own.what) for own in inside if own.what != FSTRING}
    if "t" in begin[1].lower():
        constructs.add(Newer(1, TSTRING))
    elif "f" in begin[1].lower() and not constructs and not _parses(text[begin.start() : end]):
        constructs.add(Newer(1, FSTRING))
    return end, constructs


def _string_end(text: str, begin: re.Match[str], fields: list[tuple[int, int]]) -> int:
    """Return the end of a string, and put the places of the expressions in it into `fields`."""
    at, prefix, quote = begin.end(), begin[1].lower(), begin[2]
    if "f" in prefix or "t" in prefix:
        return _fields(text, at, quote, "r" in prefix, fields)
    while not text.startswith(quote, at):
        if text[at] == "\n" and len(quote) == 1:
            raise _NotThis
        at += 2 if text[at] == "\\" else 1
    return at + len(quote)


def _fields(text: str, at: int, quote: str, raw: bool, fields: list[tuple[int, int]]) -> int:
    """Return the end of an f-string, and put the places of its expressions into `fields`."""
    while not text.startswith(quote, at):
        if text[at] == "\n" and len(quote) == 1:
            raise _NotThis
        if text.startswith(("{{", "}}"), at):
            at += 2
        elif text[at] == "{":
            at = _field(text, at + 1, quote, raw, fields)
        elif text[at] == "}":
            raise _NotThis
        elif text.startswith("\\N{", at) and not raw:
            at = text.find("}", at) + 1 or len(text)
        elif text[at] == "\\" and text[at + 1] not in "{}":
            at += 2
        else:
            at += 1
    return at + len(quote)


def _field(text: str, at: int, quote: str, raw: bool, fields: list[tuple[int, int]]) -> int:
    """Return the end of a field (behind its brace) that begins at `at`: an expression, `=`, a conversion, a format."""
    start, at = at, _expression(text, at)
    shown = re.search(r"(?<![=!<>])=\s*+\Z", text[start:at])
    fields.append((start, start + shown.start() if shown else at))
    if text[at] == "!":
        at = _expression(text, at + 1)
    if text[at] == ":":
        at += 1
        while text[at] != "}":
            if text.startswith(quote, at) or text[at] == "\n" and len(quote) == 1:
                raise _NotThis
            at = _field(text, at + 1, quote, raw, fields) if text[at] == "{" else at + 1
    return at + 1


def _expression(text: str, at: int) -> int:
    """Return where an expression in a field ends: at a brace, a colon or an exclamation mark outside all brackets."""
    closing = list[str]()
    while closing or text[at] not in "}:!" or text.startswith("!=", at):
        letter = text[at]
        if letter == "#":
            at = _line_end(text, at)
        elif string := _STRING.match(text, at):
            at = _string_end(text, string, [])
        elif letter in _PAIRS:
            closing.append(_PAIRS[letter])
            at += 1
        elif letter in ")]}":
            if not closing or closing.pop() != letter:
                raise _NotThis
            at += 1
        elif text.startswith("!=", at):
            at += 2
        else:
            word = _WORD.match(text, at)
            at = word.end() if word else at + 1
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _closing(text: str, at: int) -> int:
    """Return the place behind the bracket that closes the one at `at`; the text has no strings with content."""
    depth = 0
    while True:
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
        if depth == 0:
            return at


def _check_parameters(text: str) -> bool:
    """Say whether one of some type parameters (`T, *Ts, N: int = 3`) has a default; _NotThis if they are none."""
    parameters = list(_split(text, ","))
    if len(parameters) > 1 and not parameters[-1].strip():
        parameters.pop()
    defaults = False
    for parameter in parameters:
        name = _PARAMETER.match(parameter)
        if name is None:
            raise _NotThis
        rest = parameter[name.end() :]
        head, *values = _split(rest, "=")
        bound = head[1:] if head.startswith(":") else None
        if len(values) > 1 or bound is None and head.strip():
            raise _NotThis
        if not all(map(_is_expression, values if bound is None else [bound, *values])):
            raise _NotThis
        defaults |= bool(values)
    return defaults


def _is_expression(text: str) -> bool:
    return bool(text.strip()) and _parses(f"({text}\n)")


def _split(text: str, at: str) -> Iterator[str]:
    """Yield the parts of a text between signs outside all brackets; `==` and its like have no place in these texts."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == at and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _except_in_parentheses(text: str, at: int, constructs: set[Newer], line: int) -> Iterable[tuple[int, int, str]]:
    """Return the edits that put the exceptions of an `except` at `at` into parentheses, if there are several without any."""
    depth, end = 0, at
    while depth or text[end] not in ":\n":
        depth += (text[end] in "([{") - (text[end] in ")]}")
        end += 1
    named = text[at:end]
    if len(list(_split(named, ","))) < 2 or _OF_ONE_NAME.search(named):
        return []
    constructs.add(Newer(line, EXCEPT))
    return [(at, at, " ("), (end, end, ")")]
