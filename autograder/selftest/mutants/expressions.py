"""Mistakes in an expression. Each function gets a place and the names around it, and yields wrong expressions for the place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from autograder.selftest.mutants.places import IDLE_OPTIONS, Place
from autograder.selftest.mutants.scope import Scope

_ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
               ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}
_ONE_WAY = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)  # operators for which the order of the operands matters
_COMPARISONS = {ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
                ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
                ast.In: (ast.NotIn,), ast.NotIn: (ast.In,)}
_NEIGHBOURS = [("min", "max"), ("any", "all"), ("argmin", "argmax"), ("zeros", "ones"), ("fliplr", "flipud"), ("eval", "train"),
               ("sum", "mean"), ("tanh", "sigmoid"), ("log_softmax", "softmax"), ("sqrt", "log"), ("append", "extend")]
_MISTAKEN = {a: b for pair in _NEIGHBOURS for a, b in (pair, pair[::-1])}
_MODULES = ("math", "np", "torch", "copy")
_WRAPPERS = ("list", "dict", "set", "tuple", "sorted", "reversed", "float", "int", "abs", "bytes")
_NOT_UNWRAPPED = ("values", "items", "keys", "eval", "train", "step", "backward", "zero_grad", "start", "new_game", "random")
LARGE = 1000.0


def arithmetic(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """Another operator, only one operand, the operands in reversed order, a lost sign."""
    match place.node:
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _ARITHMETIC:
                yield ast.BinOp(left, _ARITHMETIC[type(op)](), right)
            yield from (left, right)
            if isinstance(op, _ONE_WAY):
                yield ast.BinOp(right, op, left)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand


def minus_zero(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """`-x` instead of `0.0 - x`: it turns 0.0 into -0.0."""
    match place.node:
        case ast.BinOp(left=ast.Constant(value=0.0), op=ast.Sub(), right=right):
            yield ast.UnaryOp(ast.USub(), right)


def comparison(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """Another result for equal values, or the opposite comparison; a truth test instead of a test for None."""
    match place.node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for number, op in enumerate(ops):
                for other in _COMPARISONS[type(op)]:
                    yield ast.Compare(left, [*ops[:number], other(), *ops[number + 1 :]], others)
            if isinstance(others[0], ast.Constant) and others[0].value is None:
                yield left if isinstance(ops[0], ast.IsNot) else ast.UnaryOp(ast.Not(), left)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() as name):
            yield ast.Compare(name, [ast.Is()], [ast.Constant(None)])


def boolean(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """`or` instead of `and`, only one part, a lost `not`."""
    match place.node:
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for number in range(len(values)):
                rest = [*values[:number], *values[number + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand


def constant(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """A neighbour of the right number, the other truth value, an infinity with the other sign."""
    match place.node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(value=float(value)):
            near = (1.0,) if abs(value) >= LARGE else (value + 1, value - 1, value / 2, float(round(value)))
            yield from (ast.Constant(other) for other in dict.fromkeys(near) if other != value)
        case ast.Attribute(value=ast.Name(id="math"), attr="inf"):
            yield from (ast.UnaryOp(ast.USub(), place.node), ast.Constant(0.0))


def one_off(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """A range or a slice that is one too long or too short, or without one of its ends."""
    match place.node:
        case ast.Call(func=ast.Name(id="range"), args=[*before, end]):
            if not isinstance(end, ast.Constant):
                for op in (ast.Add(), ast.Sub()):
                    yield ast.Call(ast.Name("range"), [*before, ast.BinOp(end, op, ast.Constant(1))], [])
            yield ast.Call(ast.Name("range"), [ast.Constant(1), end] if not before else [end], [])
        case ast.Slice(lower=lower, upper=upper, step=step):
            if lower is not None:
                yield ast.Slice(None, upper, step)
            if upper is not None:
                yield ast.Slice(lower, None, step)
            if step is not None:
                yield ast.Slice(lower, upper, None)


def arguments(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """Two swapped arguments or tuple entries; an option left out."""
    match place.node:
        case ast.Call(func=func, args=args, keywords=keywords):
            for swapped in _swapped(args, scope):
                yield ast.Call(func, swapped, keywords)
            for number, keyword in enumerate(keywords):
                if keyword.arg not in IDLE_OPTIONS:
                    yield ast.Call(func, args, [*keywords[:number], *keywords[number + 1 :]])
        case ast.Tuple(elts=entries, ctx=ast.Load()):
            for swapped in _swapped(entries, scope):
                yield ast.Tuple(swapped, ast.Load())


def _swapped(entries: list[ast.expr], scope: Scope) -> Iterator[list[ast.expr]]:
    for number, (first, second) in enumerate(pairwise(entries)):
        kinds = {scope.kinds.get(entry.id) if isinstance(entry, ast.Name) else None for entry in (first, second)}
        starred = any(isinstance(entry, ast.Starred) for entry in (first, second))
        if not starred and (None in kinds or len(kinds) == 1):  # swapped values of different kinds would end every program
            yield [*entries[:number], second, first, *entries[number + 2 :]]


def unwrapped(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """`x` instead of `list(x)`, `x.copy()`, `abs(x)`, `math.log(x)`; `a` or `b` instead of `max(a, b)`."""
    match place.node:
        case ast.Call(func=ast.Name(id="max" | "min"), args=[left, right], keywords=[]):
            yield from (left, right)
        case ast.Call(args=[ast.GeneratorExp() | ast.Starred()]):
            return
        case ast.Call(func=ast.Name(id=name), args=[only], keywords=[]) if name in _WRAPPERS:
            yield only
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[first, *_]) if name in _MODULES:
            yield first
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args) if name not in _NOT_UNWRAPPED:
            if len(args) <= (name in ("reshape", "flatten", "squeeze")) and ast.unparse(value) not in (*_MODULES, "super()"):
                yield value


def neighbour(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """A function that is easily confused with the right one: `min` for `max`, `train` for `eval`."""
    if place.is_called:
        match place.node:
            case ast.Name(id=name) if name in _MISTAKEN:
                yield ast.Name(_MISTAKEN[name])
            case ast.Attribute(value=value, attr=name) if name in _MISTAKEN:
                yield ast.Attribute(value, _MISTAKEN[name])


def branch(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """The two values of `a if test else b` swapped, or always the same one."""
    match place.node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
            yield from (body, orelse)


def variable(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """Another name of the same kind, another field of the same object, or a field of the object one step earlier."""
    match place.node:
        case ast.Name(ctx=ast.Load()):
            yield from (ast.Name(other) for other in scope.others(place.node, place.inner))
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if place.is_last_step:
            base = ast.unparse(value)
            yield from (ast.Attribute(value, other) for other in scope.attributes.get(base, ()) if other != name)
            if isinstance(value, ast.Attribute) and ast.unparse(value.value) not in ("self", *_MODULES):
                yield ast.Attribute(value.value, name)
