"""How far a wrong answer reaches: whether anything outside its own exercise can be another for it.

While an exercise is graded, the functions of all others are ours. So an answer that binds nothing but the functions of its own
exercise, and new names, cannot cost another exercise, and its own checks alone tell everything about it.
"""

from __future__ import annotations

import ast
from functools import cache

from autograder.build.module import module_text
from autograder.build.source import ProblemSet, load
from autograder.build.syntax import is_method_of, qualified
from autograder.grading.given import bindings
from autograder.verify.bank import Answer


def stays_inside(ps: ProblemSet, answer: Answer) -> bool:
    """Say whether an answer's cell is made of functions only, and binds none that another exercise has anything of.

    Methods count in both forms of the course: `@method_of(Game)` above them, and `Game.play = play` below.
    """
    own = next((set(exercise.functions) for exercise in ps.exercises if exercise.id == answer.exercise), None)
    if own is None:
        return False
    return all(_is_own(statement, own, _names(ps.name) - own) for statement in ast.parse(answer.code).body)


def _is_own(statement: ast.stmt, own: set[str], others: frozenset[str]) -> bool:
    match statement:
        case ast.FunctionDef(name=name, decorator_list=[]):
            return name not in others
        case ast.FunctionDef(decorator_list=[decorator]) if is_method_of(decorator):
            return qualified(statement) in own
        case ast.Assign([ast.Attribute(ast.Name(owner), name)], ast.Name() | ast.Constant()):
            return f"{owner}.{name}" in own
    return False


@cache
def _names(ps: str) -> frozenset[str]:
    """Every name that our solution binds at its top level."""
    solution = ast.parse(module_text(load(ps), solution=True))
    return frozenset(name for statement in solution.body for name, _ in bindings(statement))
