"""Scripts that import each other, as one script: a notebook and a page of its own take only one."""

import re
from importlib.resources import files

IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.M)
STATIC, IN_PAGE = "static", "in_page"  # folders of scripts: what draws, and what thinks without a server
NOT_RUN = re.compile(r"^[ \t]*(?://.*)?\n?", re.M)
EXPORT = re.compile(r"^export (?=function|const|class|async )", re.M)


def static(name: str, folder: str = STATIC) -> str:
    """Return the text of a file of `arena/board/static`, or of another folder beside it."""
    return (files("arena.board") / folder / name).read_text(encoding="utf-8")


def bundle(*names: str, folder: str = STATIC) -> str:
    """Return these scripts with all that they import in front of them, and without exports: what they declare is one scope."""
    order: list[str] = []
    for name in names:
        _visit(name, folder, order)
    return "\n".join(EXPORT.sub("", IMPORT.sub("", static(each, folder))) for each in order)


def _visit(name: str, folder: str, order: list[str]) -> None:
    for needed in IMPORT.findall(static(name, folder)):
        _visit(needed, folder, order)
    if name not in order:
        order.append(name)


def compact(text: str) -> str:
    """Return a script or a style without indentation and without lines that are comments: every page of a class carries it."""
    return NOT_RUN.sub("", text)
