"""Find functions of the published solution, whatever their names, comments, docstrings, annotations, layout and order.

Two functions are identical if their syntax trees are the same in normal form. In this form a name that a student may choose is
a number, given in the order of the text. Code that Python allows in two forms is written in one: `x += 1`, `a > b`,
`not a == b`, an `else` after a return, a value that is named only to be returned, `from math import log`. Calls of `print` and
texts of errors do not count.

Only functions of more than SHORT lines are compared: a short answer has one natural form, and everybody finds it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from autograder.problem_sets.source import ProblemSet, module_text

# Of the 281 right answers in tests/right/, one is ours in one exercise, and no other in any (tests/unit/test_identical.py).
LEAST = 3  # exercises; with fewer, nobody is named
SHORT = 6  # lines of a body in normal form
UNSOUND = "the comparison with the published solution does not work, because it does not find that solution in itself"
_OWN = "own_"  # begins the number of a name that its author chose
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_OPPOSITE = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}


@dataclass(frozen=True)
class Identical:
    """The submissions of a class that are identical to the published solution.

    exercises: the ids of the exercises that are compared.
    by_student: student -> the exercises that are ours, LEAST or more; the student with most comes first.
    works: the number of submissions that were compared. unread: the students whose code could not be read.
    sound: whether the comparison has found our own solution in itself.
    """

    exercises: tuple[str, ...]
    by_student: Mapping[str, tuple[str, ...]]
    works: int
    unread: tuple[str, ...] = ()
    sound: bool = True

    def line(self) -> str:
        """Return the result as a part of a line of text."""
        return f"{len(self.by_student)} identical to the published solution" if self.sound else UNSOUND

    def sentence(self, student: str) -> str:
        """Return what staff read about a student."""
        ours = self.by_student[student]
        return f"identical to the published solution in {len(ours)} of {len(self.exercises)} exercises: {', '.join(ours)}"


def identical_exercises(problem_set: ProblemSet, cells: Iterable[str]) -> tuple[str, ...]:
    """Return the exercises whose long functions are ours in these cells, under whatever names, in the order of the set.

    A cell that is not Python is passed over: in a notebook it may be a command of IPython. Python's parser is not made for
    hostile text, so the caller gives it limits.
    """
    trees = [tree for cell in cells if (tree := _parsed(cell)) is not None]
    imported = {**_our_imports(problem_set), **_imported(trees)}  # a notebook may lack the cell with the imports
    theirs = {normal_form(node, imported) for tree in trees for node in ast.walk(tree)
              if isinstance(node, ast.FunctionDef) and _may_be_ours(node, imported, problem_set)}
    return tuple(exercise for exercise, ours in compared(problem_set).items() if theirs.issuperset(ours))


@cache
def compared(problem_set: ProblemSet) -> Mapping[str, tuple[str, ...]]:
    """Return the exercises of a set that are compared, with the normal forms of our long functions."""
    exercises, functions, imported = problem_set.exercises, problem_set.program.functions, _our_imports(problem_set)
    forms = {exercise.id: [normal_form(functions[name], imported) for name in exercise.functions] for exercise in exercises}
    long = {exercise: tuple(form for form in known if form.count("\n") > SHORT) for exercise, known in forms.items()}
    return {exercise: known for exercise, known in long.items() if known}


@cache
def _our_imports(problem_set: ProblemSet) -> dict[str, str]:
    return _imported([ast.parse(module_text(problem_set, solution=True))])


def _may_be_ours(function: ast.FunctionDef, imported: Mapping[str, str], problem_set: ProblemSet) -> bool:
    """Whether a function has all words of one of ours: a quick test before the normal form, which takes ten times as long."""
    words = _words(function)
    words |= {imported[word] for word in words & imported.keys()}
    return any(needed <= words for needed in _needed(problem_set))


@cache
def _needed(problem_set: ProblemSet) -> list[set[str]]:
    forms = [form for forms in compared(problem_set).values() for form in forms]
    return [{word for word in _words(ast.parse(form)) if not word.startswith(_OWN)} for form in forms]


def _words(tree: ast.AST) -> set[str]:
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Attribute, ast.Name))]
    return {node.attr if isinstance(node, ast.Attribute) else node.id for node in nodes}


def normal_form(function: ast.FunctionDef, imported: Mapping[str, str]) -> str:
    """Return a function in normal form, as text: its parameters, and one line for each line of its body.

    Args:
        imported: the names of the file's imports -> the names in their modules; `math.log` and `log` are both `log`.
    """
    plain = _Plain().visit(copy.deepcopy(function))
    return ast.unparse(_Numbered(plain, imported).function(plain))


def _parsed(cell: str) -> ast.Module | None:
    try:
        return ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imported(trees: Sequence[ast.Module]) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
    return names


class _Plain(ast.NodeTransformer):
    """Removes what does not count, and writes code that has two forms in Python in one of them."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list):
                kept = list(_block(block))
                setattr(node, name, kept or ([ast.Pass()] if name == "body" else []))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list, node.returns = [], None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else ast.Pass()

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        return ast.Assign([node.target], ast.BinOp(before, node.op, node.value), lineno=node.lineno)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        turned = _TURNED.get(type(node.ops[0])) if len(node.ops) == 1 else None
        return ast.Compare(node.comparators[0], [turned()], [node.left]) if turned else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            opposite = _OPPOSITE.get(type(inner.ops[0]))
            return ast.Compare(inner.left, [opposite()], inner.comparators) if opposite else node
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.exc, ast.Call):
            node.exc.args = [ast.Constant("") if _is_text(argument) else argument for argument in node.exc.args]
        return ast.Raise(node.exc, None)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        return ast.Assert(node.test, None)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def _block(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a block that count; the `else` of an `if` that leaves the block follows after it."""
    waiting: ast.Assign | None = None  # perhaps a value that is named only to be returned
    for statement in filter(_counts, statements):
        if isinstance(statement, ast.Return) and waiting and _is_name(statement.value, _named(waiting)):
            statement, waiting = ast.Return(waiting.value), None
        if waiting:
            yield waiting
        waiting = statement if isinstance(statement, ast.Assign) and _named(statement) else None
        if isinstance(statement, ast.Return) and isinstance(choice := statement.value, ast.IfExp):
            yield ast.If(choice.test, [ast.Return(choice.body)], [])
            yield ast.Return(choice.orelse)
        elif isinstance(statement, ast.If) and isinstance(statement.body[-1], _LEAVES):
            yield ast.If(statement.test, statement.body, [])
            yield from statement.orelse
        elif not waiting:
            yield statement
    if waiting:
        yield waiting


def _named(statement: ast.Assign) -> str:
    """Return the one name that a statement gives a value; "" if it is not a plain name, or there are several."""
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) and len(statement.targets) == 1 else ""


def _is_name(value: ast.expr | None, name: str) -> bool:
    return isinstance(value, ast.Name) and value.id == name


def _counts(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        value = statement.value
        is_print = isinstance(value, ast.Call) and _is_name(value.func, "print")
        return not is_print and not isinstance(value, ast.Constant)
    return not isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal))


class _Numbered(ast.NodeTransformer):
    """Gives each name that a function binds a number, in the order of the text; a comprehension's names are its own."""

    def __init__(self, function: ast.FunctionDef, imported: Mapping[str, str]) -> None:
        nodes = list(ast.walk(function))
        self.bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.bound |= {node.name or "" for node in nodes if isinstance(node, (ast.FunctionDef, ast.ExceptHandler))}
        self.imported, self.now, self.last = imported, dict[str, str](), 0

    def visit(self, node: ast.AST) -> Any:
        """Visit nodes that bind names in an order of their own; visit all others part by part."""
        if isinstance(node, ast.FunctionDef):
            return self.function(node)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            return self.comprehension(node)
        return super().visit(node)

    def new(self, name: str) -> str:
        self.last += 1
        self.now[name] = f"{_OWN}{self.last}"
        return self.now[name]

    def number(self, name: str) -> str:
        return self.now.get(name) or self.new(name)

    def function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.number(node.name)
        outside = self.now.copy()
        self.visit(node.args)
        node.body = [self.visit(statement) for statement in node.body]
        self.now = outside
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.defaults = [self.visit(default) for default in node.defaults]
        node.kw_defaults = [default and self.visit(default) for default in node.kw_defaults]
        for parameter in filter(None, (*node.posonlyargs, *node.args, node.vararg, *node.kwonlyargs, node.kwarg)):
            parameter.arg = self.new(parameter.arg)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        outside = self.now.copy()
        self.generic_visit(node)
        self.now = outside
        return node

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> ast.AST:
        outside = self.now.copy()
        for target in (name for clause in node.generators for name in ast.walk(clause.target) if isinstance(name, ast.Name)):
            self.new(target.id)
        self.generic_visit(node)
        self.now = outside
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = node.name and self.number(node.name)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id not in self.bound and root.id in self.imported:
            return ast.Name(node.attr, node.ctx)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.bound:
            return ast.Name(self.number(node.id), node.ctx)
        return ast.Name(self.imported.get(node.id, node.id), node.ctx)
