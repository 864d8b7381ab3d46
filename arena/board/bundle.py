"""Scripts that import each other, as one script: a notebook and a page of its own take only one."""

import re
from importlib.resources import files

IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.M)
NOT_RUN = re.compile(r"^[ \t]*(?://.*)?\n?", re.M)
EXPORT = re.compile(r"^export (?=function|const|class|async )", re.M)


def static(name: str) -> str:
    """Return the text of a file of `arena/board/static`."""
    return (files("arena.board") / "static" / name).read_text(encoding="utf-8")


def bundle(name: str) -> str:
    """Return the script `name` with all that it imports in front of it, and without exports: what it declares is one scope."""
    order: list[str] = []
    _visit(name, order)
    return "\n".join(EXPORT.sub("", IMPORT.sub("", static(each))) for each in order)


def _visit(name: str, order: list[str]) -> None:
    for needed in IMPORT.findall(static(name)):
        _visit(needed, order)
    if name not in order:
        order.append(name)


def compact(text: str) -> str:
    """Return a script or a style without indentation and without lines that are comments: every page of a class carries it."""
    return NOT_RUN.sub("", text)
