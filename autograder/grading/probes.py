"""Probes: the code of a submission with a probe at each statement and each condition, so that a run can tell which ones were run.

The syntax tree of each cell gets the probes and is compiled with its own lines, so that tracebacks stay as they are. The result
takes the place of the code that the sandbox's first process compiles otherwise, and a cell in front defines what the probes use:
the sandbox needs nothing for it. No ordinary grading does this.
"""

from __future__ import annotations

import ast
import marshal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import CodeType
from typing import TypeVar

from arena.symbols import DEFINITIONS
from autograder.problem_sets.syntax import qualified
from autograder.sandbox.inside.cell_text import FUTURE, NOT_PYTHON, parsed
from autograder.submission.parse import Cell
from autograder.submission.read import Submission

RAN, TOOK = "__ran__", "__took__"
NEVER_RUN, NEVER_TRUE, NEVER_FALSE = "never run", "never true", "never false"
# `value` is asked for its truth once more than without a probe; nothing in Python forbids that.
_FRONT = Cell("front", f"""{RAN} = {{}}
def {TOOK}(number, value):
    {RAN}[number if value else number + 1] = True
    return value
""", None, "code")
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Tree = TypeVar("Tree", bound=ast.AST)


@dataclass(frozen=True)
class Branch:
    """One statement, or one side of a condition, in a function of a submission.

    number: of its probe. kind: what it is if no check runs it. text: the statement's line, or the condition.
    after: the number of the branch without which this one cannot be run, or None.
    loaded: the number that is noted when its definition was loaded with probes.
    """

    number: int
    label: str
    exercise: str | None
    function: str
    line: int
    kind: str
    text: str
    after: int | None
    loaded: int


@dataclass(frozen=True)
class Probes:
    """The code of cells with probes, as data of `marshal`, and the branches whose probes it has."""

    code: bytes
    branches: tuple[Branch, ...]


def with_front(submission: Submission) -> Submission:
    """Return a submission that can be run with `Probes`: its code, behind the cell that the probes need."""
    return replace(submission, cells=(_FRONT, *(cell for cell in submission.cells if cell.role == "code")))


def probes(cells: Sequence[Cell]) -> Probes:
    """Return the code of the cells of `with_front`. A stranger's text is parsed here: for that, call it in a limited child."""
    codes: list[CodeType | None] = []
    branches: list[Branch] = []
    flags = 0
    for cell in cells:
        known = len(branches)
        try:
            tree = ast.Module(parsed(cell.source, cell.label), [])
            if cell is not _FRONT:
                tree.body = list(_Prober(cell, branches).top(tree.body))
            code = compile(ast.fix_missing_locations(tree), cell.label, "exec", flags=flags, dont_inherit=True)
        except NOT_PYTHON:  # as a whole: the sandbox loads it statement by statement, without probes
            codes.append(None)
            del branches[known:]
            continue
        flags |= code.co_flags & FUTURE
        codes.append(code)
    return Probes(marshal.dumps(codes), tuple(branches))


class _Prober:
    """Puts the probes into the tree of one cell, and adds a Branch to `branches` for each; a number is a place in this list."""

    def __init__(self, cell: Cell, branches: list[Branch]) -> None:
        self.cell, self.branches = cell, branches
        self.lines = cell.source.split("\n")
        self.function, self.loaded = "", 0

    def top(self, statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """Yield the statements of a cell with probes in all functions, and one probe in front of each definition."""
        for statement in statements:
            if isinstance(statement, DEFINITIONS) or _names_a_lambda(statement):
                self.loaded = len(self.branches)
                self._add(statement, NEVER_RUN, None)
                yield _probe(self.loaded, statement)
                self._definition(statement, "")
            yield statement

    def _definition(self, statement: ast.stmt, owner: str) -> None:
        """Put probes into the functions of a definition, or of a lambda in an assignment."""
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                self._definition(inner, f"{statement.name}.")
        elif isinstance(statement, _FUNCTIONS):
            plain = qualified(statement) if isinstance(statement, ast.FunctionDef) else statement.name
            self.function = f"{owner}{plain}"
            statement.body = self._block(statement.body, None, docstring=True)
        elif _names_a_lambda(statement):
            self.function = f"{owner}{ast.unparse(statement).partition(' = ')[0]}"
            self._expressions(statement, None)

    def _block(self, statements: Sequence[ast.stmt], after: int | None, docstring: bool = False) -> list[ast.stmt]:
        """Return the statements of a block, each behind its probe; each can only be run after the one before."""
        done: list[ast.stmt] = []
        for place, statement in enumerate(statements):
            if place == 0 and docstring and ast.get_docstring(ast.Module(list(statements), []), clean=False) is not None:
                done.append(statement)
                continue
            if not isinstance(statement, (ast.Global, ast.Nonlocal, ast.Pass)):
                after = self._add(statement, NEVER_RUN, after)
                done.append(_probe(after, statement))
                after = self._inside(statement, after)
            done.append(statement)
        return done

    def _inside(self, statement: ast.stmt, number: int) -> int | None:
        """Put probes into a statement whose own number is `number`; return the branch without which the next one is not run."""
        following: int | None = number
        match statement:
            case ast.If() | ast.While():
                statement.test, yes, no = self._condition(statement.test, number)
                if isinstance(statement, ast.If):
                    following = no if isinstance(statement.body[-1], _LEAVES) else number
                statement.body = self._block(statement.body, yes)
                statement.orelse = self._block(statement.orelse, no)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                statement.body = self._block(statement.body, number, docstring=True)
            case ast.ClassDef():
                for inner in statement.body:
                    if isinstance(inner, _FUNCTIONS):
                        self._inside(inner, number)
            case _:
                for name in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(statement, name, None), list):
                        setattr(statement, name, self._block(block, number))
                for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                    inner.body = self._block(inner.body, number)
                self._expressions(statement, number)
        return following

    def _expressions(self, node: ast.AST, after: int | None) -> None:
        """Put probes into the conditions among a node's expressions, not into statements below it."""
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [self._expression(item, after) if isinstance(item, _PARTS) else item for item in value])
            elif isinstance(value, _PARTS):
                setattr(node, name, self._expression(value, after))

    def _expression(self, node: Tree, after: int | None) -> Tree:
        """Return an expression whose conditions have probes."""
        match node:
            case ast.IfExp():
                node.test, yes, no = self._condition(node.test, after)
                node.body, node.orelse = self._expression(node.body, yes), self._expression(node.orelse, no)
            case ast.BoolOp():
                *first, last = node.values
                tests, after = self._operands(node.op, first, after)
                node.values = [*tests, self._expression(last, after)]
            case ast.comprehension():
                node.iter = self._expression(node.iter, after)
                node.ifs, _ = self._operands(ast.And(), node.ifs, after)
            case _:
                self._expressions(node, after)
        return node

    def _operands(self, op: ast.boolop, values: Sequence[ast.expr], after: int | None) -> tuple[list[ast.expr], int | None]:
        """Return operands with probes, and the number of the branch behind the last one."""
        done = []
        for value in values:
            test, yes, no = self._condition(value, after)
            after = yes if isinstance(op, ast.And) else no
            done.append(test)
        return done, after

    def _condition(self, node: ast.expr, after: int | None) -> tuple[ast.expr, int | None, int | None]:
        """Return a condition with probes, and the numbers of its two sides; `after` where a side has none of its own."""
        match node:
            case ast.Constant():
                return node, after, after
            case ast.UnaryOp(ast.Not()):
                node.operand, yes, no = self._condition(node.operand, after)
                return node, no, yes
            case ast.BoolOp():
                node.values, last = self._operands(node.op, node.values, after)
                return (node, last, after) if isinstance(node.op, ast.And) else (node, after, last)
        yes = self._add(node, NEVER_TRUE, after)
        no = self._add(node, NEVER_FALSE, after)
        call = ast.Call(ast.Name(TOOK, ast.Load()), [ast.Constant(yes), self._expression(node, after)], [])
        return ast.copy_location(call, node), yes, no

    def _add(self, node: ast.stmt | ast.expr, kind: str, after: int | None) -> int:
        is_test = isinstance(node, ast.expr)
        text = ast.unparse(node) if is_test else self.lines[node.lineno - 1].strip()
        self.branches.append(Branch(len(self.branches), self.cell.label, self.cell.exercise, self.function, node.lineno, kind,
                                    " ".join(text.split()), after, self.loaded))
        return len(self.branches) - 1


_PARTS = (ast.expr, ast.comprehension, ast.keyword, ast.withitem, ast.arguments)


def _names_a_lambda(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and any(isinstance(part, ast.Lambda) for part in ast.walk(statement.value))


def _probe(number: int, at: ast.stmt) -> ast.stmt:
    """Return the probe that notes a number; tracebacks show the line of `at`."""
    (probe,) = ast.parse(f"{RAN}[{number}] = True").body
    for part in ast.walk(probe):
        if isinstance(part, (ast.stmt, ast.expr)):
            ast.copy_location(part, at)
    return probe


def outermost(branches: Iterable[Branch], ran: frozenset[int]) -> list[Branch]:
    """Return the branches that were not run although the one in front of them was: what is behind them follows from it."""
    return [branch for branch in branches if branch.number not in ran and (branch.after is None or branch.after in ran)]
