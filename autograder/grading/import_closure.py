"""The files that a module imports, directly or through others; found in the text, without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

_DOTTED = re.compile(r"\w+(\.\w+)+")  # the name of a module in a text: for a server's preload, in nbgrader's settings


def files_behind(repository: Path, files: Iterable[Path], without: Collection[Path] = ()) -> set[Path]:
    """Return these Python files and every file in `repository` that they may import; leave out `without` and its imports.

    An import inside a function counts; an import only for type checkers does not. A string that is the name of one of our
    modules counts as an import. A package counts with its __init__.py, which runs first.
    """
    seen = set(files)
    waiting, known = list(seen), set[str]()
    while waiting:
        file = waiting.pop()
        for name in _named_in(file.read_bytes(), file.relative_to(repository).parent.parts) - known:
            known.add(name)
            new = [found for found in _files_of(repository, name) if found not in seen and found not in without]
            seen.update(new)
            waiting += new
    return seen


def _files_of(repository: Path, name: str) -> list[Path]:
    """Return the files that run when `name` is imported, a module of ours or a name in one: packages first."""
    found, place = [], repository
    for part in name.split("."):
        place /= part
        found += [file for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file()]
    return found


@cache  # most files behind one module are also behind the next one
def _named_in(text: bytes, package: tuple[str, ...]) -> frozenset[str]:
    """Return the name of everything that a file of `package` imports, or names in a string."""
    names: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        names.update(_names(node, package))
        waiting += ast.iter_child_nodes(node)
    return frozenset(names)


def _names(node: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else ()
        base = ".".join([*above, *([node.module] if node.module else [])])
        yield from (f"{base}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _DOTTED.fullmatch(node.value):
        yield node.value
