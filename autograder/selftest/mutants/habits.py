"""Mistakes of habit: state that outlives a call, changed arguments, and other sources of random numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.selftest.mutants.places import Place
from autograder.selftest.mutants.scope import Scope

_FRESH = ("np.zeros", "np.ones", "np.empty", "np.full", "dict.fromkeys")
_CHANGEABLE = re.compile(r"(list|dict|Sequence|Mapping|np\.ndarray|(torch\.)?Tensor|Priors|Means|Counts)\b")

# The definitions that mutated code needs above it, by name.
PRELUDES = {
    "_once": '''
_made = []

def _once(make):
    if not _made:
        _made.append(make())
    return _made[0]
''',
    "_remembered": '''
import functools
import inspect

def _remembered(*names):
    def around(function):
        known, parameters = {}, inspect.signature(function)

        @functools.wraps(function)
        def ask(*args, **kwargs):
            given = parameters.bind(*args, **kwargs)
            given.apply_defaults()
            values = [given.arguments[name] for name in names]
            key = tuple(id(value) if getattr(value, "__hash__", None) is None else value for value in values)
            if key not in known:
                known[key] = function(*args, **kwargs), values
            return known[key][0]
        return ask
    return around
''',
    "_spoiled": '''
import functools
import inspect

def _spoiled(name):
    def around(function):
        parameters = inspect.signature(function)

        @functools.wraps(function)
        def ask(*args, **kwargs):
            thing = parameters.bind(*args, **kwargs).arguments.get(name)
            try:
                return function(*args, **kwargs)
            finally:
                if isinstance(thing, list):
                    del thing[-1:]
                elif isinstance(thing, dict) and thing:
                    thing.popitem()
                elif hasattr(thing, "shape"):
                    thing[...] = 0
        return ask
    return around
''',
    "random": "import random\n",
}


def shared(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """A list, dict or array that is made once for all calls, like a mutable default or a global."""
    match place.node:
        case ast.List(elts=[], ctx=ast.Load()) | ast.Dict(keys=[]) | ast.BinOp(left=ast.List(), op=ast.Mult()):
            yield _once(place.node)
        case ast.Call(func=ast.Name(id="list" | "dict" | "set"), args=[]):
            yield _once(place.node)
        case ast.Call(func=func) if ast.unparse(func) in _FRESH:
            yield _once(place.node)


def _once(made: ast.expr) -> ast.expr:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Call(ast.Name("_once"), [ast.Lambda(nothing, made)], [])


def chance(place: Place, scope: Scope) -> Iterator[ast.expr]:
    """The module's random generator instead of the argument, a generator with a fixed seed, or no random choice."""
    match place.node:
        case ast.Name(id=name, ctx=ast.Load()) if scope.kinds.get(name) == "random.Random":
            yield from (ast.Name("random"), ast.parse("random.Random(0)", mode="eval").body)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="random"), attr="Random"), args=[_]):
            yield from (ast.Name("random"), ast.parse("random.Random(0)", mode="eval").body)
        case ast.Call(func=ast.Attribute(attr="choice"), args=[among]):
            yield from (ast.Subscript(among, ast.Constant(number)) for number in (0, -1))
        case ast.Call(func=ast.Attribute(attr="choices" | "sample" | "randrange" | "randint"), args=[first, *_]):
            yield first
        case ast.Call(func=ast.Attribute(attr="random"), args=[]):
            yield ast.Constant(0.5)
        case ast.Call(func=ast.Attribute(attr="gammavariate")):
            yield ast.Constant(1.0)


def remembered(function: ast.FunctionDef) -> Iterator[ast.Call]:
    """A decorator that caches the function's answers, by each single argument and by all arguments."""
    names = [parameter.arg for parameter in (*function.args.args, *function.args.kwonlyargs) if parameter.arg != "self"]
    keys = [(name,) for name in names if name not in ("game", "rng")]
    for key in [*keys, tuple(names)] if len(names) > 1 else keys:
        yield ast.Call(ast.Name("_remembered"), [ast.Constant(name) for name in key], [])


def spoiled(function: ast.FunctionDef) -> Iterator[ast.Call]:
    """A decorator that changes an argument after its use: it removes the last entry of a list or dict, or sets an array to 0."""
    for parameter in (*function.args.args, *function.args.kwonlyargs):
        if parameter.annotation is not None and _CHANGEABLE.match(ast.unparse(parameter.annotation)):
            yield ast.Call(ast.Name("_spoiled"), [ast.Constant(parameter.arg)], [])
