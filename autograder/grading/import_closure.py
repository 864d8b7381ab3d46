"""The files that a module imports, directly or through others; found in the text, without running it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

# Our files in the forms that ruff lets pass; every run waits for this, and a parser would take eight times as long.
# tests/unit/test_fingerprint.py compares with Python's own parser.
_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)*", re.M)
_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;(]+)", re.M)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n#;]+)", re.M)
_NAME = re.compile(r"([\w.]+)(?:\s+as\s+\w+)?\s*(?:,|\Z)")
_COMMENT = re.compile(r"#.*")
_QUOTED = re.compile(r"""["'](\w+(?:\.\w+)+)["']""")  # the name of a module in a text: a server's preload, nbgrader's settings


def files_behind(repository: Path, files: Iterable[Path], without: Collection[Path] = ()) -> set[Path]:
    """Return these Python files and every file in `repository` that they may import; leave out `without` and its imports.

    An import inside a function counts; an import only for type checkers does not. A string that is the name of one of our
    modules counts as an import. A package counts with its __init__.py, which runs first.
    """
    seen = set(files)
    waiting, known = list(seen), set[str]()
    while waiting:
        file = waiting.pop()
        for name in named_in(file.read_bytes(), file.relative_to(repository).parent.parts) - known:
            known.add(name)
            new = [path for path in _files_of(repository, name) if path not in seen and path not in without]
            seen.update(new)
            waiting += new
    return seen


def files_named_in(repository: Path, text: bytes, package: tuple[str, ...]) -> set[Path]:
    """Return our files that a piece of code in a file of `package` imports or names; not what these import."""
    return {file for name in named_in(text, package) for file in _files_of(repository, name)}


def _files_of(repository: Path, name: str) -> list[Path]:
    """Return the files that run when `name` is imported, a module of ours or a name in one: packages first."""
    files, place = [], str(repository)  # a text: every run waits for thousands of these, and a Path is slow
    for part in name.split("."):
        place = f"{place}/{part}"
        files += [Path(file) for file in (f"{place}/__init__.py", f"{place}.py") if os.path.isfile(file)]
        if not os.path.isdir(place):  # so nothing is below it; most names are not ours
            break
    return files


@cache  # most files behind one module are also behind the next one
def named_in(text: bytes, package: tuple[str, ...]) -> frozenset[str]:
    """Return the name of everything that a file of `package` imports, or names in a string."""
    code = _FOR_TYPES.sub("", text.decode())
    names = set(_QUOTED.findall(code))
    for imported in _IMPORT.findall(code):
        names.update(_NAME.findall(imported))
    for dots, module, imported in _FROM.findall(code):
        above = package[: len(package) - len(dots) + 1] if dots else ()
        base = ".".join([*above, *([module] if module else [])])
        names.update(f"{base}.{name}" for name in _NAME.findall(_COMMENT.sub("", imported).strip("() \t\n")))
    return frozenset(names)
