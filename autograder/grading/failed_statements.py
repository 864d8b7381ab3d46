"""What a failed statement took along: an import, the statements that fail only without it, and the functions that were lost.

The text of the cells is parsed, never run; the caller does it in a child process. Places from the sandbox are only compared.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from arena.symbols import DEFINITIONS, IMPORTS, bound_names, global_names
from autograder.problem_sets.syntax import functions_of, qualified
from autograder.sandbox.inside.cell_text import NOT_PYTHON, parsed

Place = tuple[str, int]  # label of a cell, line in it
STAR = "*"


@dataclass(frozen=True)
class Failed:
    """A statement that failed while it was loaded.

    echo_of: the place of the failed import without which it fails; None if it fails by itself.
    name: the function or class that it defines, which is not loaded; "" for another statement.
    instead: the place of the definition of that name that is loaded; None if there is none.
    needed_by: of an import, the set's functions that were loaded and use one of its names.
    """

    place: Place
    echo_of: Place | None = None
    name: str = ""
    instead: Place | None = None
    needed_by: tuple[str, ...] = ()


def failed_statements(
    cells: Iterable[tuple[str, str]], problems: Sequence[tuple[Place, str]], functions: Iterable[str]
) -> list[Failed]:
    """Return what each problem of loading means, in order; a problem without a statement in the text is left out.

    Args:
        cells: (label, source) of each cell of code.
        problems: the place of each error while the cells were loaded, and its name.
        functions: qualified names of the set's functions.
    """
    statements = [(label, statement) for label, source in cells for statement in _statements(source, label)]
    at = {place: number for place, _ in problems if (number := _number_at(place, statements)) is not None}
    failed = set(at.values())
    there = {name for number, (_, statement) in enumerate(statements) if number not in failed for name in bound_names(statement)}
    missing: dict[str, Place] = {}  # a name that a failed import, or an echo of it, does not bind: the place of the import
    results = []
    for place, error in problems:
        if place not in at:
            continue
        statement = statements[at[place]][1]
        is_import = isinstance(statement, IMPORTS)
        echo_of = _cause(statement, missing, there) if error == "NameError" and not is_import else None
        if cause := place if is_import else echo_of:
            missing |= dict.fromkeys(bound_names(statement) - there, cause)
        name, instead = _lost(at[place], statements, failed)
        results.append(Failed(place, echo_of, name, instead))
    users: dict[Place, list[str]] = {}
    wanted = set(functions)
    for number, (_, statement) in enumerate(statements):
        for name, node in functions_of(ast.Module([statement], [])) if number not in failed else ():
            used = global_names(ast.unparse(node)) - wanted if name in wanted else set()  # another exercise is ours in grading
            causes = {missing[each] for each in used if each in missing}
            for cause in causes:
                users.setdefault(cause, []).append(name)
    return [replace(each, needed_by=tuple(dict.fromkeys(users.get(each.place, ())))) for each in results]


def _lost(number: int, statements: Sequence[tuple[str, ast.stmt]], failed: set[int]) -> tuple[str, Place | None]:
    """Return the name that a failed definition does not define, and the place of the one that is loaded instead.

    The name is "" for another statement, and where a later definition counts anyway.
    """
    name = _name(statements[number][1])
    others = [other for other, (_, statement) in enumerate(statements) if other not in failed and _name(statement) == name]
    if not name or others and others[-1] > number:
        return "", None
    label, statement = statements[others[-1]] if others else ("", None)
    return name, (label, statement.lineno) if statement else None


def _name(statement: ast.stmt) -> str:
    """Return the qualified name that a definition defines; "" for another statement."""
    if isinstance(statement, ast.FunctionDef):
        return qualified(statement)
    return statement.name if isinstance(statement, DEFINITIONS) else ""


def _statements(source: str, label: str) -> list[ast.stmt]:
    try:
        return parsed(source, label)
    except NOT_PYTHON:
        return []


def _number_at(place: Place, statements: Sequence[tuple[str, ast.stmt]]) -> int | None:
    """Return the number of the statement at top level that has this line."""
    label, line = place
    return next((number for number, (own, statement) in enumerate(statements)
                 if own == label and _first_line(statement) <= line <= (statement.end_lineno or 0)), None)


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _cause(statement: ast.stmt, missing: dict[str, Place], there: set[str]) -> Place | None:
    """Return the place of the failed import that binds a name which this statement lacks."""
    lacks = sorted(name for name in global_names(ast.unparse(statement)) - there if not hasattr(builtins, name))
    return next((missing[name] for name in (*lacks, *([STAR] if lacks else [])) if name in missing), None)
