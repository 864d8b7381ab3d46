"""Parse Python text, with errors that name file and line."""

import ast
from collections.abc import Callable, Iterator
from typing import TypeGuard

from arena.errors import UserError

Place = Callable[[int], str]  # line of a cell, counted from 1 -> "file:line"


class SourceError(UserError):
    """A problem set's source breaks a rule; the text begins with file:line."""


def parse(text: str, place: Place, what: str) -> ast.Module:
    """Return the syntax tree of a cell, or say in one sentence where `what` does not parse."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise SourceError(f"{place(line)}: {what} does not parse: {getattr(error, 'msg', error)}") from None


def functions_of(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield (qualified name, node) for a module's functions and its classes' methods ("TreeNode.is_terminal").

    A function under @method_of(TreeNode) is a method too: a class may grow from cell to cell.
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield qualified(node), node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{inner.name}", inner) for inner in node.body if isinstance(inner, ast.FunctionDef))


def qualified(function: ast.FunctionDef) -> str:
    """Return the name of a function at top level, after the name of its class if @method_of names one."""
    owners = [decorator.args[0] for decorator in function.decorator_list if is_method_of(decorator)]
    return ".".join([owner.id for owner in owners if isinstance(owner, ast.Name)] + [function.name])


def is_method_of(decorator: ast.expr) -> TypeGuard[ast.Call]:
    """Return whether this is @method_of(SomeClass)."""
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "method_of" and len(decorator.args) == 1
