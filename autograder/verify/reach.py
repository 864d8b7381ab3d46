"""How far a wrong answer reaches: whether anything outside its own exercise can be another for it.

While an exercise is graded, the functions of all others are ours. So an answer that binds nothing but the functions of its own
exercise, and new names, cannot cost another exercise, and its own checks alone tell everything about it.
"""

from __future__ import annotations

import ast
from functools import cache

from autograder.build.module import module_text
from autograder.build.source import ProblemSet, load
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
        case ast.FunctionDef(name=name, decorator_list=[ast.Call(ast.Name("method_of"), [ast.Name(owner)])]):
            return f"{owner}.{name}" in own
        case ast.Assign([ast.Attribute(ast.Name(owner), name)], ast.Name() | ast.Constant()):
            return f"{owner}.{name}" in own
    return False


@cache
def _names(ps: str) -> frozenset[str]:
    """Every name that our solution binds at its top level: by a definition, an assignment or an import."""
    found = set()
    for statement in ast.parse(module_text(load(ps), solution=True)).body:
        for node in ast.walk(statement) if not isinstance(statement, ast.FunctionDef | ast.ClassDef) else (statement,):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
                case ast.alias(name=name, asname=asname):
                    found.add(asname or name.partition(".")[0])
    return frozenset(found)
