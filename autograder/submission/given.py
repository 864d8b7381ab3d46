"""The code that a problem set hands out: imports, constants and functions, which a student may have deleted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from autograder.problem_sets.source import ProblemSet


@cache
def given_statements(problem_set: ProblemSet) -> list[list[str]]:
    """Return [name, a statement that binds it] for every name that the given cells bind, in order."""
    given = []
    for cell in problem_set.cells:
        for statement in ast.parse(cell.stub).body if cell.role == "given" else ():
            given += [[name, ast.unparse(own)] for name, own in bindings(statement)]
    return given


def bindings(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that a statement binds at top level, each with a statement that binds only this name."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            alone = {**dict(ast.iter_fields(statement)), "names": [alias]}
            yield (alias.asname or alias.name).partition(".")[0], type(statement)(**alone)
    elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name, statement
    else:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        yield from ((target.id, statement) for target in targets if isinstance(target, ast.Name))
