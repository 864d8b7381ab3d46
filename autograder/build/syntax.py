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
    """Yield (qualified name, node) of a module's functions and of its classes' methods ("TreeNode.is_terminal").

    A function under @method_of(TreeNode) is a method too: so a class grows from cell to cell.
    """
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef):
                yield (qualified(inner) if inner is node else f"{node.name}.{inner.name}"), inner


def qualified(function: ast.FunctionDef) -> str:
    """Return the name of a function at top level, with that of its class where @method_of names one."""
    owners = [decorator.args[0] for decorator in function.decorator_list if is_method_of(decorator)]
    return ".".join([owner.id for owner in owners if isinstance(owner, ast.Name)] + [function.name])


def is_method_of(decorator: ast.expr) -> bool:
    """Return whether this is @method_of(SomeClass)."""
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "method_of" and len(decorator.args) == 1
