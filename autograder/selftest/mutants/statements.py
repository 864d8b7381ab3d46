"""Mistakes in statements and in blocks. A list of statements replaces one statement, or a whole block at a block's place."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from itertools import pairwise

from autograder.selftest.mutants.places import Place, Replacement, bound_in, unseen
from autograder.selftest.mutants.scope import Scope

FEW, MANY = 7, 20  # turns of a loop over actions, arms or examples; turns of a loop over plies
_ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}


def dropped(place: Place, scope: Scope) -> Iterator[Replacement]:
    """A missing statement, part of a multiple assignment, `with` around a block, or value of a `return`."""
    match place.node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            for number in range(len(targets) if len(targets) == len(values) else 0):
                pairs = enumerate(zip(targets, values, strict=True))
                kept = [(target, value) for other, (target, value) in pairs if other != number]
                yield [ast.Assign([target], value, lineno=0) for target, value in kept]
        case ast.With(body=body):
            yield body
        case ast.Return(value=value) if value is not None:
            yield ast.Return(ast.Constant(None))
    kept_anyway = (ast.Return, ast.FunctionDef, ast.Pass)
    if isinstance(place.node, ast.stmt) and not isinstance(place.node, kept_anyway) and not _brings_in(place.node, scope):
        yield []


def _brings_in(statement: ast.stmt, scope: Scope) -> bool:
    """Whether a statement is the only one that binds a name; without it the function cannot run."""
    once = (len(scope.bound.get(name, ())) == 1 for name in bound_in(statement))
    return isinstance(statement, (ast.Assign, ast.AnnAssign)) and any(once)


def condition(place: Place, scope: Scope) -> Iterator[Replacement]:
    """A negated condition; swapped branches; always the same branch; a comprehension without its condition."""
    match place.node:
        case ast.If(test=test, body=body, orelse=orelse):
            if not _is_negated_elsewhere(test):
                yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
            if orelse:
                yield ast.If(test, orelse, body)
                yield orelse
            if not isinstance(body[-1], ast.Raise):
                yield body
        case ast.While(test=test, body=body) if not _is_negated_elsewhere(test):
            yield ast.While(ast.UnaryOp(ast.Not(), test), body, [])
        case ast.comprehension(target=target, iter=over, ifs=[test]):
            yield ast.comprehension(target, over, [], 0)
            if not _is_negated_elsewhere(test):
                yield ast.comprehension(target, over, [ast.UnaryOp(ast.Not(), test)], 0)


def _is_negated_elsewhere(test: ast.expr) -> bool:
    """Whether the operators for expressions negate this test already: a single comparison or a `not`."""
    return isinstance(test, ast.Compare) and len(test.ops) == 1 or isinstance(test, ast.UnaryOp)


def loop(place: Place, scope: Scope) -> Iterator[Replacement]:
    """A loop that ends after its first turn; `continue` instead of `break`, and the reverse."""
    match place.node:
        case ast.For() | ast.While():
            once = copy.copy(place.node)
            once.body = [*once.body, ast.Break()]
            yield once
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def cut_short(place: Place, scope: Scope) -> Iterator[Replacement]:
    """Code that is right for small inputs only: a loop over the first FEW elements, or with at most MANY turns."""
    match place.node:
        case ast.For(iter=over) | ast.comprehension(iter=over) if _is_short(over):
            return
        case ast.For(target=target, iter=over, body=body, orelse=orelse):
            yield ast.For(target, _first_of(over), body, orelse, lineno=0)
        case ast.comprehension(target=target, iter=over, ifs=ifs):
            yield ast.comprehension(target, _first_of(over), ifs, 0)
        case ast.While(test=test, body=body):
            left, (start, turn) = ast.Name("_left"), ast.parse(f"_left = {MANY}\n_left -= 1").body
            yield [start, ast.While(ast.BoolOp(ast.And(), [left, test]), [turn, *body], [])]


def _is_short(over: ast.expr) -> bool:
    """Whether the text shows that the loop has at most FEW elements."""
    match over:
        case ast.Tuple(elts=entries) | ast.List(elts=entries):
            return len(entries) <= FEW
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(number))]):
            return number <= FEW
    return False


def _first_of(over: ast.expr) -> ast.expr:
    return ast.Subscript(ast.Call(ast.Name("list"), [over], []), ast.Slice(upper=ast.Constant(FEW)))


def assignment(place: Place, scope: Scope) -> Iterator[Replacement]:
    """`=` or `-=` instead of `+=`."""
    match place.node:
        case ast.AugAssign(target=target, op=op, value=value):
            yield ast.Assign([target], value, lineno=0)
            if type(op) in _ARITHMETIC:
                yield ast.AugAssign(target, _ARITHMETIC[type(op)](), value)


def order(place: Place, scope: Scope) -> Iterator[Replacement]:
    """Two swapped statements that follow each other and depend on each other."""
    block = place.node
    if not isinstance(block, list):
        return
    for number, (first, second) in enumerate(pairwise(block)):
        if not (_stays(first) or _stays(second) or _needs(second, first, scope)) and _depend(first, second):
            yield [*block[:number], second, first, *block[number + 2 :]]


def _stays(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.FunctionDef)) or unseen(statement)


def _needs(second: ast.stmt, first: ast.stmt, scope: Scope) -> bool:
    """Whether the second statement reads a name that is first bound in the first statement."""
    new = {name for name in bound_in(first) if not scope.known(name, first.lineno)}
    return any(isinstance(node, ast.Name) and node.id in new and isinstance(node.ctx, ast.Load) for node in ast.walk(second))


def _depend(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether one statement changes a value that the other reads, judged by names, fields and calls without a used result."""
    if isinstance(first, ast.Expr) and isinstance(second, ast.Expr):
        return True
    changed = [_changed(statement) for statement in (first, second)]
    read = [{ast.unparse(node) for node in ast.walk(statement) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))}
            for statement in (first, second)]
    return bool(changed[0] & read[1] or changed[1] & read[0])


def _changed(statement: ast.stmt) -> set[str]:
    stores = {ast.unparse(node) for node in ast.walk(statement)
              if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store)}
    calls = [node.value for node in ast.walk(statement) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    given = {part.id for call in calls for part in ast.walk(call) if isinstance(part, ast.Name)}
    return stores | given | set(bound_in(statement))


def error(place: Place, scope: Scope) -> Iterator[Replacement]:
    """Another exception than the documented one."""
    match place.node:
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=args, keywords=keywords)):
            other = "RuntimeError" if name == "ValueError" else "ValueError"
            yield ast.Raise(ast.Call(ast.Name(other), args, keywords), None)


def default(place: Place, scope: Scope) -> Iterator[Replacement]:
    """An argument without its default value."""
    match place.node:
        case ast.arguments(defaults=defaults, kw_defaults=kw_defaults):
            if defaults:
                fewer = copy.copy(place.node)
                fewer.defaults = defaults[1:]
                yield fewer
            for number, value in enumerate(kw_defaults):
                if value is not None:
                    fewer = copy.copy(place.node)
                    fewer.kw_defaults = [*kw_defaults[:number], None, *kw_defaults[number + 1 :]]
                    yield fewer
