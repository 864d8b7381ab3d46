"""Make the mutants of an exercise: our solution with one small mistake each, and a name that survives other edits."""

from __future__ import annotations

import ast
import difflib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autograder.problem_sets.source import Exercise, ProblemSet
from autograder.problem_sets.syntax import functions_of
from autograder.selftest.mutants import expressions, habits, statements
from autograder.selftest.mutants.places import Place, Replacement, is_text, places
from autograder.selftest.mutants.scope import Scope, scope_of

# A new kind of mutant is a function in one of these modules, and its name here.
OPERATORS: tuple[Callable[[Place, Scope], Iterator[Replacement]], ...] = (
    expressions.arithmetic, expressions.minus_zero, expressions.comparison, expressions.boolean, expressions.constant,
    expressions.one_off, expressions.arguments, expressions.unwrapped, expressions.neighbour, expressions.branch,
    statements.dropped, statements.condition, statements.loop, statements.cut_short, statements.assignment, statements.order,
    statements.error, statements.default, habits.shared, habits.chance, expressions.variable,
)  # the order matters: if two operators make the same mistake, it counts for the first one


@dataclass(frozen=True)
class Mutant:
    """One mistake in one function of our solution.

    change: the removed and the added lines without indentation: "- a" and "+ b". Together with the function it is the mutant's
    name; occurrence counts mutants of the same name, from 1.
    context: the change as a diff with surrounding lines, for readers. cell: the exercise's cell with the mistake.
    """

    ps: str
    exercise: str
    function: str
    operator: str
    change: str
    occurrence: int
    context: str
    cell: str

    @property
    def name(self) -> tuple[str, str, str, int]:
        """The name of the mutant in a record."""
        return self.exercise, self.function, self.change, self.occurrence


def mutants_of(ps: ProblemSet, exercise: Exercise) -> list[Mutant]:
    """Return the mutants of an exercise, in the order of its text and without duplicates."""
    cell = next(cell for cell in ps.cells if cell.role == "exercise" and cell.id == exercise.id)
    tree = ast.parse(cell.solution)
    functions = ps.program.functions.items()
    returns = {name.rpartition(".")[2]: ast.unparse(definition.returns) for name, definition in functions if definition.returns}
    mutants: list[Mutant] = []
    for name, function in functions_of(tree):
        if name not in exercise.functions:
            continue
        before, seen, changes = _text(function), {_text(function)}, Counter[str]()
        for operator in _mutated_in_turn(function, scope_of(function, returns)):
            after = _text(function)
            if after in seen or not _compiles(after):
                continue
            seen.add(after)
            change = _change(before, after)
            changes[change] += 1
            code = _prelude(after, before) + ast.unparse(tree)
            mutants.append(Mutant(ps.name, exercise.id, name, operator, change, changes[change], _context(before, after), code))
    return mutants


def unchanged(ps: ProblemSet, exercise: Exercise) -> Mutant:
    """Return the mutant without a mistake: our cell, written from its syntax tree. It must pass."""
    cell = next(cell for cell in ps.cells if cell.role == "exercise" and cell.id == exercise.id)
    return Mutant(ps.name, exercise.id, "", "none", "", 1, "", ast.unparse(ast.parse(cell.solution)))


def _mutated_in_turn(function: ast.FunctionDef, scope: Scope) -> Iterator[str]:
    """Put one mistake after another into the function, and yield the operator's name while the mistake is in it."""
    for place in places(function):
        for operator in OPERATORS:
            for replacement in operator(place, scope):
                with place.holding(replacement):
                    yield operator.__name__
    for habit in (habits.remembered, habits.spoiled):
        for decorator in habit(function):
            function.decorator_list.append(decorator)
            yield habit.__name__
            function.decorator_list.pop()


def _compiles(code: str) -> bool:
    try:
        compile(code, "<mutant>", "exec")
    except SyntaxError:
        return False
    return True


def _prelude(code: str, before: str) -> str:
    """Return the definitions that the mistake needs above its cell."""
    used, known = ({node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} for text in (code, before))
    return "".join(prelude for name, prelude in habits.PRELUDES.items() if name in used - known)


def _text(function: ast.FunctionDef) -> str:
    """Return the function as text from its syntax tree, without its docstring."""
    body = function.body
    if is_text(body[0]) and len(body) > 1:
        function.body = body[1:]
    try:
        return ast.unparse(ast.fix_missing_locations(function))
    finally:
        function.body = body


def _change(before: str, after: str) -> str:
    old, new = ([line.strip() for line in text.split("\n")] for text in (before, after))
    if old == new:  # only the indentation has changed
        old, new = before.split("\n"), after.split("\n")
    lines = difflib.unified_diff(old, new, n=0, lineterm="")
    return "\n".join(f"{line[0]} {line[1:]}" for line in list(lines)[2:] if not line.startswith("@@"))


def _context(before: str, after: str) -> str:
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm=""))[2:]
    return "\n".join("    ..." if line.startswith("@@") else line for line in lines)
