"""The names of a function and their kinds, so that a mutant can use another name of the same kind."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.selftest.mutants.places import bound_in

NUMBER = "number"
_NUMBERS = frozenset({"int", "float", "bool"})
_BUILTIN = {"len": NUMBER, "sum": NUMBER, "float": NUMBER, "int": NUMBER, "abs": NUMBER, "range": "list", "list": "list",
            "sorted": "list", "dict": "dict"}
_OF_A_GAME = {"outcome": NUMBER, "player": NUMBER, "play": "State", "start": "State", "legal_actions": "list[int]"}


@dataclass(frozen=True)
class Scope:
    """The names of a function.

    kinds: the kind of each name that the function binds, if it is known.
    bound: for each name of the whole function, the lines that bind it; 0 for an argument.
    attributes: for each object (as text), its fields that the function reads.
    """

    kinds: Mapping[str, str]
    bound: Mapping[str, tuple[int, ...]]
    attributes: Mapping[str, tuple[str, ...]]

    def known(self, name: str, line: int) -> bool:
        """Return whether a line above this one, or the signature, binds the name."""
        return min(self.bound.get(name, (line,))) < line

    def others(self, name: ast.Name, inner: frozenset[str]) -> list[str]:
        """Return the other names of the same kind that can be read at a place; `inner` are the names that only exist there."""
        kind = self.kinds.get(name.id)
        if kind is None:
            return []
        return [other for other in self.kinds if other != name.id and self.kinds[other] == kind
                and (other in inner or self.known(other, name.lineno))]


def scope_of(function: ast.FunctionDef, returns: Mapping[str, str]) -> Scope:
    """Return the scope of a function.

    Args:
        returns: the return annotations of the problem set's functions, as text, by name.
    """
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    annotated = {parameter.arg: parameter.annotation for parameter in parameters if parameter.annotation is not None}
    kinds = {name: _annotated(ast.unparse(annotation)) for name, annotation in annotated.items()}
    for node in ast.walk(function):
        for target, value in _bindings(node):
            if target not in kinds and (kind := _kind(value, kinds, returns)) is not None:
                kinds[target] = kind
    _by_use(function, kinds)
    inner = {name for node in ast.walk(function) for name in _only_inside(node, function)}
    bound = {parameter.arg: (0,) for parameter in parameters}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in inner:
            bound[node.id] = (*bound.get(node.id, ()), node.lineno)
    attributes: dict[str, dict[str, None]] = {}
    called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and id(node) not in called:
            attributes.setdefault(ast.unparse(node.value), {})[node.attr] = None
    return Scope(kinds, bound, {base: tuple(names) for base, names in attributes.items()})


def _annotated(text: str) -> str:
    kind = text.strip("'\"").removesuffix(" | None")
    return NUMBER if kind in _NUMBERS else kind


def _bindings(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """Return (name, value) of an assignment, entry by entry if both sides are tuples."""
    if isinstance(node, ast.NamedExpr):
        return [(node.target.id, node.value)]
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return []
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
        return [(name.id, value) for name, value in zip(target.elts, node.value.elts, strict=True) if isinstance(name, ast.Name)]
    return [(target.id, node.value)] if isinstance(target, ast.Name) else []


def _kind(value: ast.expr, kinds: Mapping[str, str], returns: Mapping[str, str]) -> str | None:
    match value:
        case ast.Constant(value=int() | float()) | ast.BinOp() | ast.UnaryOp():
            return NUMBER
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Name(id=name):
            return kinds.get(name)
        case ast.Call(func=ast.Name(id=name)):
            return _BUILTIN.get(name) or (_annotated(returns[name]) if name in returns else name if name[0].isupper() else None)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"))):
            return NUMBER
        case ast.Call(func=ast.Attribute(attr=name)):
            return _OF_A_GAME.get(name) or (_annotated(returns[name]) if name in returns else None)
        case ast.IfExp(body=body):
            return _kind(body, kinds, returns)
    return None


def _by_use(function: ast.FunctionDef, kinds: dict[str, str]) -> None:
    """Set the kind of names to number if the function calculates with them or compares them."""
    for node in ast.walk(function):
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq)):
            parts = [node.left, *node.comparators]
        for part in parts:
            if isinstance(part, ast.Name):
                kinds.setdefault(part.id, NUMBER)


def _only_inside(node: ast.AST, function: ast.FunctionDef) -> frozenset[str]:
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return frozenset(name for part in node.generators for name in bound_in(part.target))
    if isinstance(node, ast.Lambda) or isinstance(node, ast.FunctionDef) and node is not function:
        return bound_in(node.args)
    return frozenset()
