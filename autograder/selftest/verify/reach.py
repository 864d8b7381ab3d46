"""The reach of a wrong answer: whether it can change anything outside its own exercise.

While an exercise is graded, the functions of all other exercises are ours. So an answer that binds only functions of its own
exercise and new names cannot cost another exercise, and the checks of its own exercise are enough.
"""

from __future__ import annotations

import ast
from functools import cache

from arena.symbols import bound_names
from autograder.problem_sets.bank.answers import Answer
from autograder.problem_sets.source import ProblemSet, module_text
from autograder.problem_sets.syntax import is_method_of, qualified
from autograder.submission.given import bindings


def stays_inside(ps: ProblemSet, answer: Answer) -> bool:
    """Say whether an answer binds only functions of its own exercise and new names."""
    return list(reaches(ps, answer) or ()) == [answer.exercise]


@cache
def reaches(ps: ProblemSet, answer: Answer) -> frozenset[str] | None:
    """Return the exercises whose functions an answer's cell binds; None if the cell may change other exercises too.

    The cell may contain functions, new names, and imports that the solution has too; for anything else the result is None.
    Methods count in both forms of the course: with `@method_of(Game)` above, or with `Game.play = play` below.
    """
    owners = {name: exercise.id for exercise in ps.exercises for name in exercise.functions}
    bound = [_bound(statement) for statement in ast.parse(answer.code).body if ast.unparse(statement) not in _imports(ps)]
    named = {name for names in bound for name in names or ()}
    others = named - owners.keys()
    if None in bound or others & _names(ps) or not all(map(str.isidentifier, others)):  # a foreign method, `import *`
        return None
    return frozenset(owners[name] for name in named & owners.keys())


def touched(ps: ProblemSet, answer: Answer) -> frozenset[str]:
    """Return the exercises of which an answer writes a function anew, or the class of a method; if there are none, all."""
    bound: set[str] = set()
    for statement in ast.parse(answer.code).body:
        bound |= _bound(statement) or bound_names(statement)
    named = [exercise.id for exercise in ps.exercises
             if any(name in bound or name.partition(".")[0] in bound for name in exercise.functions)]
    return frozenset(named or ps.ids)


def _bound(statement: ast.stmt) -> set[str] | None:
    """Return the names that a statement binds, `Game.play` for a method; None if the statement does more than that."""
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
def _names(ps: ProblemSet) -> frozenset[str]:
    """All names that our solution binds at its top level."""
    solution = ast.parse(module_text(ps, solution=True))
    return frozenset(name for statement in solution.body for name, _ in bindings(statement))


@cache
def _imports(ps: ProblemSet) -> frozenset[str]:
    """All imports of our solution, in the form of `ast.unparse`."""
    solution = ast.parse(module_text(ps, solution=True))
    return frozenset(ast.unparse(statement) for statement in solution.body if isinstance(statement, (ast.Import, ast.ImportFrom)))
