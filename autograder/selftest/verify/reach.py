"""How far a wrong answer reaches: whether anything outside its own exercise can be another for it.

While an exercise is graded, the functions of all others are ours. So an answer that binds nothing but the functions of its own
exercise, and new names, cannot cost another exercise, and its own checks alone tell everything about it.
"""

from __future__ import annotations

import ast
from functools import cache

from autograder.problem_sets.source import ProblemSet, load, module_text
from autograder.problem_sets.syntax import is_method_of, qualified
from autograder.selftest.bank import Answer
from autograder.submission.given import bindings


def stays_inside(ps: ProblemSet, answer: Answer) -> bool:
    """Say whether an answer binds functions of its own exercise only, and new names."""
    return list(reaches(ps, answer) or ()) == [answer.exercise]


def reaches(ps: ProblemSet, answer: Answer) -> frozenset[str] | None:
    """Return the exercises of which an answer's cell binds functions; None where it may be another one for more than these.

    A cell is understood that is made of functions, new names, and imports that the solution has too. Methods count in both
    forms of the course: `@method_of(Game)` above them, and `Game.play = play` below.
    """
    owners = {name: exercise.id for exercise in ps.exercises for name in exercise.functions}
    bound = [_bound(statement) for statement in ast.parse(answer.code).body if ast.unparse(statement) not in _imports(ps.name)]
    named = {name for names in bound for name in names or ()}
    others = named - owners.keys()
    if None in bound or others & _names(ps.name) or not all(map(str.isidentifier, others)):  # a foreign method, `import *`
        return None
    return frozenset(owners[name] for name in named & owners.keys())


def _bound(statement: ast.stmt) -> set[str] | None:
    """Return the names that a statement binds, `Game.play` for a method; None for one that does more."""
    match statement:
        case ast.FunctionDef(decorator_list=[]) | ast.Import() | ast.ImportFrom():
            return {name for name, _ in bindings(statement)}
        case ast.FunctionDef(decorator_list=[decorator]) if is_method_of(decorator):
            return {qualified(statement)}
        case ast.Assign([ast.Attribute(ast.Name(owner), name)], ast.Name() | ast.Constant()):
            return {f"{owner}.{name}"}
        case ast.Assign([ast.Name(name)], ast.Name() | ast.Constant()):
            return {name}
    return None


@cache
def _names(ps: str) -> frozenset[str]:
    """Every name that our solution binds at its top level."""
    solution = ast.parse(module_text(load(ps), solution=True))
    return frozenset(name for statement in solution.body for name, _ in bindings(statement))


@cache
def _imports(ps: str) -> frozenset[str]:
    """Every import of our solution, as Python writes it."""
    solution = ast.parse(module_text(load(ps), solution=True))
    return frozenset(ast.unparse(statement) for statement in solution.body if isinstance(statement, (ast.Import, ast.ImportFrom)))
