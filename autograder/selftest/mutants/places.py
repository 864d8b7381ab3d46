"""The places of a function where a mistake can be put: its statements and expressions, except parts that no check can see."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Replacement = ast.AST | list[ast.stmt]
# Fields that are notes for the reader or that no caller can see; two options that do not change right answers.
_NOTES = frozenset({"annotation", "returns", "decorator_list", "type_comment", "type_params", "ctx"})
IDLE_OPTIONS = frozenset({"strict", "stacklevel"})
_INNER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.FunctionDef)


@dataclass(frozen=True, eq=False)
class Place:
    """The place of a node: `owner.field` or `owner.field[index]`; a list without an index is a block of statements.

    inner: names that exist only in this part of the function, such as a comprehension's variables.
    """

    owner: ast.AST
    field: str
    index: int | None
    inner: frozenset[str]

    @property
    def node(self) -> ast.AST | list[ast.stmt]:
        """The node, or the block of statements, at this place."""
        value: Any = getattr(self.owner, self.field)
        node: ast.AST | list[ast.stmt] = value if self.index is None else value[self.index]
        return node

    @property
    def is_called(self) -> bool:
        """Whether the node is the function of a call."""
        return isinstance(self.owner, ast.Call) and self.field == "func"

    @property
    def is_last_step(self) -> bool:
        """Whether the node is not called and no attribute of it is read, like `.state` in `node.parent.state`."""
        return not self.is_called and not isinstance(self.owner, ast.Attribute)

    @contextmanager
    def holding(self, replacement: Replacement) -> Iterator[None]:
        """Replace the node inside this block; a list of nodes can replace one entry of a list."""
        before = getattr(self.owner, self.field)
        after = replacement
        if self.index is not None:
            new = replacement if isinstance(replacement, list) else [replacement]
            after = [*before[: self.index], *new, *before[self.index + 1 :]]
            if not after and self.field == "body":
                after = [ast.Pass()]
        setattr(self.owner, self.field, after)
        try:
            yield
        finally:
            setattr(self.owner, self.field, before)


def places(function: ast.FunctionDef) -> Iterator[Place]:
    """Yield all places of a function, in the order of the text."""
    yield from _below(function, frozenset())


def _below(node: ast.AST, inner: frozenset[str]) -> Iterator[Place]:
    for field, value in ast.iter_fields(node):
        if field in _NOTES:
            continue
        if isinstance(value, list):
            statements = [entry for entry in value if isinstance(entry, ast.stmt)]
            if statements:
                yield Place(node, field, None, inner)
            for index, entry in enumerate(value):
                if isinstance(entry, ast.AST) and not unseen(entry):
                    yield from _here(Place(node, field, index, inner), entry)
        elif isinstance(value, ast.AST):
            yield from _here(Place(node, field, None, inner), value)


def _here(place: Place, node: ast.AST) -> Iterator[Place]:
    inner = place.inner
    if isinstance(node, _INNER):
        inner |= bound_in(node)
        place = Place(place.owner, place.field, place.index, inner)
    yield place
    if not _is_message(node):
        yield from _below(node, inner)


def bound_in(node: ast.AST) -> frozenset[str]:
    """Return the names that a node binds, including the arguments of a function or lambda."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    return frozenset(names | {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)})


def is_text(node: ast.AST) -> bool:
    """Return whether a node is a docstring or another unused string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def unseen(node: ast.AST) -> bool:
    """Return whether a node is not graded: print calls, docstrings, and options without effect."""
    if isinstance(node, ast.If) and not node.orelse:
        return all(unseen(statement) for statement in node.body)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return isinstance(node.value.func, ast.Name) and node.value.func.id == "print"
    return is_text(node) or isinstance(node, ast.keyword) and node.arg in IDLE_OPTIONS


def _is_message(node: ast.AST) -> bool:
    """Return whether a node is an error, a warning or a text for a reader."""
    if isinstance(node, ast.Raise):
        return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn"
