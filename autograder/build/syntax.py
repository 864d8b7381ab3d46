"""Read Python text as a syntax tree, with errors that name file and line."""

import ast
from collections.abc import Callable, Iterator

from autograder.trouble import Trouble

Place = Callable[[int], str]  # line of a cell, counted from 1 -> "file:line"


class SourceError(Trouble):
    """A problem set's source is not as it must be; the text begins with file:line."""


def parse(text: str, place: Place, what: str) -> ast.Module:
    """Return the syntax tree of a cell, or say in one sentence where `what` does not parse."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise SourceError(f"{place(line)}: {what} does not parse: {getattr(error, 'msg', error)}") from None


def functions_of(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield (qualified name, node) of a module's functions and of its classes' methods ("TreeNode.is_terminal")."""
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef):
                yield (inner.name if inner is node else f"{node.name}.{inner.name}"), inner
