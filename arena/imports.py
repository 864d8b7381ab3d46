"""What graded code imports and grading does not have: named at home, while there is time to write it in another way."""

import ast
import builtins
import copy
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from arena.set_facts import SetFacts, facts_of, set_of
from arena.symbols import IMPORTS, bound_names, global_names

Statements = Iterable[tuple[str, Sequence[ast.stmt]]]  # of each cell: its label, and its statements
_IMPORTERS = ("import_module", "__import__")


@dataclass(frozen=True)
class Absent:
    """A module that grading does not have: where it is imported, and the exercises that use it there."""

    module: str
    label: str
    line: int
    exercises: tuple[str, ...]
    own_file: bool  # a file of the student, which is not handed in

    @property
    def sentence(self) -> str:
        """What the student reads."""
        place = f"{self.label}, line {self.line}"
        who = f"{', '.join(self.exercises)}: {place}, imports" if self.exercises else f"{place}, imports"
        if self.own_file:
            return f"{who} {self.module}, a file of your own, and grading reads this file alone: copy what you need into it"
        other = "what it does yourself" if self.module.startswith("arena.") else "it with numpy or Python's own modules"
        return (f"{who} {self.module}, which is not available in grading: leave it out, or write {other} "
                '(docs/students.md, "What you may import")')


def absent_in_grading(cells: Statements, ps: str, facts: SetFacts, folder: Path = Path()) -> list[Absent]:
    """Return each import of something that is installed here, and is not there when this set is graded, in order.

    Args:
        cells: the code that counts. Of two definitions of a name, the last one counts.
        folder: where the student's files are.
    """
    pieces = [(label, statement) for label, statements in cells for whole in statements for statement in _pieces(whole)]
    users = _users(pieces, facts)
    absent = {}
    for number, (label, statement) in enumerate(pieces):
        for line, name, level in _imports(statement):
            if module := _absent(name, level, ps, facts):
                absent[module, label, line] = Absent(module, label, line, users.get(number, ()), _is_own(module, folder))
    return list(absent.values())


def of_exercise(exercise: str, inputs: Sequence[str]) -> list[str]:
    """Return a sentence for each import that this exercise uses and grading does not have, in a notebook.

    inputs: the cells that have run, as IPython keeps them in `In`. What no exercise uses may be of an experiment.
    """
    ps = set_of(exercise)
    facts = facts_of(ps)
    if facts is None:
        return []
    cells = []
    for number, source in enumerate(inputs):
        with suppress(SyntaxError, ValueError):
            cells.append((f"the cell that ran as [{number}]", ast.parse(source).body))
    return [replace(absent, exercises=(exercise,)).sentence for absent in absent_in_grading(cells, ps, facts)
            if exercise in absent.exercises]


def _pieces(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement; for an import of several names, one statement for each of them."""
    if not isinstance(statement, IMPORTS):
        yield statement
        return
    for alias in statement.names:
        single = copy.copy(statement)
        single.names = [alias]
        yield single


def _users(pieces: Sequence[tuple[str, ast.stmt]], facts: SetFacts) -> dict[int, tuple[str, ...]]:
    """Return, by the number of a piece, the exercises whose functions use it, directly or through helpers."""
    by_name = {name: number for number, (_, statement) in enumerate(pieces) for name in bound_names(statement)}
    stars = {number for number, (_, statement) in enumerate(pieces) if bound_names(statement) == {"*"}}
    own = {exercise: {by_name[name] for function in functions for name in (function, function.partition(".")[0])
                      if name in by_name} for exercise, functions in facts.functions.items()}
    owned = set().union(*own.values())  # by exercises: while one is graded, the others that it calls are ours
    users: dict[int, tuple[str, ...]] = {}
    for exercise, functions in own.items():
        todo, seen = list(functions), set(functions)
        while todo:
            statement = pieces[todo.pop()][1]
            used = set() if isinstance(statement, IMPORTS) else global_names(ast.unparse(statement))
            new = {by_name[name] for name in used if name in by_name} - owned - seen
            if any(name not in by_name and not hasattr(builtins, name) for name in used):
                new |= stars - seen
            todo += new
            seen |= new
        users |= {number: (*users.get(number, ()), exercise) for number in seen}
    return users


def _imports(statement: ast.stmt) -> Iterator[tuple[int, str, int]]:
    """Yield the line, the dotted name and the level of each module that a statement imports, also within functions."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            whole = node.module if node.module not in (None, "arena") else None
            parts = [f"arena.{alias.name}" if node.module else alias.name for alias in node.names if alias.name != "*"]
            yield from ((node.lineno, name, node.level) for name in ([whole] if whole else parts or [node.module or ""]))
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if function in _IMPORTERS and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value, 0


def _absent(name: str, level: int, ps: str, facts: SetFacts) -> str:
    """Return the package or the part of arena that an import needs and grading does not have; "" if nothing is absent there."""
    package, *rest = name.split(".")
    if package == ps:
        return ""
    if level:
        return package
    if package == "arena":
        return f"arena.{rest[0]}" if rest and rest[0] not in facts.arena else ""
    if package in facts.packages or package in sys.stdlib_module_names and package not in facts.lacks:
        return ""
    try:  # what is not installed here fails here too, and loading names it
        return package if package in sys.modules or find_spec(package) else ""
    except (ImportError, ValueError):
        return ""


def _is_own(module: str, folder: Path) -> bool:
    return any((folder / f"{module}{ending}").exists() for ending in (".py", "/__init__.py"))
