"""The names that a submission defines at its top level; its code is read, not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.limited_child import OverLimit, within
from autograder.sandbox.inside.cell_text import NOT_PYTHON, without_magics
from autograder.submission.read import Submission

PARSE_CPU_S, PARSE_MIB = 5.0, 512


def defines(submission: Submission, name: str) -> bool:
    """Say whether a submission's code binds this name at its top level: by def, class, an assignment or an import of the name.

    Below `if`, `try` and the like a name counts too; an import of `*` does not.
    """
    try:
        return within(PARSE_CPU_S, PARSE_MIB, _defines, submission, name)
    except OverLimit:  # text that was written to slow down a parser
        return False


def _defines(submission: Submission, name: str) -> bool:
    return any(_binds(source, name) for _, source in submission.code())


def _binds(source: str, name: str) -> bool:
    """Say whether a cell binds a name at its top level; a cell that is not Python binds none."""
    for text in (source, without_magics(source)):
        try:
            return name in _bound(ast.parse(text))
        except NOT_PYTHON:
            continue
    return False


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module binds at its top level; those of a comprehension are its own, in every version of Python."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.alias):
                yield (node.asname or node.name).partition(".")[0]
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                yield node.name
            waiting += ast.iter_child_nodes(node)
