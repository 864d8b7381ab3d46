"""The text of a cell: its statements without IPython's own lines, and its definitions. Grader and sandbox both use it."""

from __future__ import annotations
import __future__ as future

import ast
import re

GIVEN = "given"  # the label of a note, not of a problem: names that the set hands out were missing, and were put back
FUTURE = sum({getattr(future, name).compiler_flag for name in future.all_feature_names})  # flags that hold in later cells
NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
# No backtracking (`*+`), or a long line of blanks would take quadratic time.
_MAGIC = re.compile(
    r"^([ \t]*+)(?:(?:[\w, ]++=[ \t]*+)?+[%!].*+|\?{1,2}+[\w.*]++[ \t]*+|[%\w.*]++\?{1,2}+[ \t]*+)$", re.M
)
_CELL_MAGICS_KEPT = ("%%time", "%%timeit", "%%capture")
_CONTAINERS = (ast.Tuple, ast.List, ast.Set, ast.Dict)
_PARTS = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.UnaryOp, ast.BinOp, *_CONTAINERS)
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parsed(source: str, label: str) -> list[ast.stmt]:
    """Return the statements of a cell; raise one of NOT_PYTHON if it has none even without its magics."""
    try:
        return ast.parse(source, label).body
    except SyntaxError:
        plain = without_magics(source)
        if plain == source:
            raise
        return ast.parse(plain, label).body


def without_magics(source: str) -> str:
    """Return a notebook cell's text without IPython's `%`, `!` and `?` lines; the line numbers stay.

    Only cells that do not parse as they are come here, so that a `%` inside a string of a correct cell is safe.
    """
    lines = source.splitlines(keepends=True)
    if lines and lines[0].startswith("%%") and not lines[0].startswith(_CELL_MAGICS_KEPT):
        return "\n" * len(lines)  # %%bash, %%html: not Python at all
    return _MAGIC.sub(lambda match: match[1] + "pass", source)


def is_definition(statement: ast.stmt) -> bool:
    """Say whether a statement only imports, defines, or assigns names and constants."""
    if isinstance(statement, _DEFINITIONS):
        return True
    try:
        return isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None and _only_names(statement.value)
    except RecursionError:
        return False


def _only_names(value: ast.expr) -> bool:
    """Say whether an expression only combines names and constants (`5`, `[1, 2]`, `Callable[[State], float] | None`)."""
    if isinstance(value, ast.Lambda):
        return True
    if isinstance(value, ast.BinOp) and not isinstance(value.op, ast.BitOr):
        return False
    parts = (part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr))
    return isinstance(value, _PARTS) and all(map(_only_names, parts))
