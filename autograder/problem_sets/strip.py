"""Turn a solved cell into its stub: signature, docstring and TODO stay, and one `raise` replaces the solution.

Strict on purpose: if a stub cannot be proved clean, the build stops with file and line.
"""

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from autograder.problem_sets.syntax import Place, SourceError, functions_of, parse

MARKER = re.compile(r"[ \t]*### (BEGIN|END) SOLUTION (\S+)")
NEARLY_A_MARKER = re.compile(r"#.*\b(BEGIN|END)\b.*\bSOLUTION\b", re.IGNORECASE)


@dataclass(frozen=True)
class Stub:
    """The rest of a cell; `functions` are the removed solutions, `removed` the removed lines."""

    text: str
    functions: tuple[str, ...] = ()
    removed: tuple[int, ...] = ()


def strip(text: str, exercise: str | None, known: Set[str], place: Place) -> Stub:
    """Return the stub of one cell; SourceError in every doubtful case.

    Args:
        text: the cell, solved.
        exercise: the exercise of the cell; None if the cell must not have a solution.
        known: the ids of all exercises of the set.
        place: place(3) is "file:line" of the cell's third line.
    """
    regions = list(_regions(text.split("\n"), exercise, known, place))
    if exercise is None:
        return Stub(text)
    if not regions:
        raise SourceError(f"{place(1)}: the cell of exercise {exercise} has no solution region")
    tree, lines, names = parse(text, place, "the solution"), text.split("\n"), list[str]()
    for begin, end in reversed(regions):  # from the bottom: the line numbers above stay valid
        name, node = next(((n, f) for n, f in functions_of(tree) if f.lineno < begin <= (f.end_lineno or 0)), ("", None))
        if node is None or name in names:
            problem = f"a second solution region in {name}" if name in names else "this solution region is in no function"
            raise SourceError(f"{place(begin)}: {problem}")
        names.insert(0, name)
        error = f'raise NotImplementedError("exercise {exercise} ({node.name}) is not written yet")'
        indent = lines[begin - 1].partition("#")[0]
        lines[begin - 1 : end] = [indent + error]
        node.body = node.body[: ast.get_docstring(node) is not None] + ast.parse(error).body  # the tree that the stub must have
    stub = "\n".join(lines)
    _compare(tree, parse(stub, lambda line: place(1), f"the stub of exercise {exercise}"), place)
    return Stub(stub, tuple(names), tuple(n for begin, end in regions for n in range(begin + 1, end)))


def _regions(lines: list[str], exercise: str | None, known: Set[str], place: Place) -> Iterator[tuple[int, int]]:
    """Yield the line numbers of each BEGIN and its END; check that they form pairs and belong to this cell."""
    begin = 0
    for number, line in enumerate(lines, 1):
        marker = MARKER.fullmatch(line)
        if marker is None and NEARLY_A_MARKER.search(line):
            raise SourceError(f"{place(number)}: `{line.strip()}` is not a marker: write one alone on its line, such as "
                              "### BEGIN SOLUTION 2.5")
        if marker is None:
            continue
        verb, named = marker.groups()
        if named not in known:
            raise SourceError(f"{place(number)}: {verb} SOLUTION names exercise {named}, which this set does not have")
        if named != exercise:
            raise SourceError(f"{place(number)}: {verb} SOLUTION {named} is in a cell of {exercise or 'no exercise'}")
        if (verb == "BEGIN") == bool(begin):
            problem = "inside another region" if begin else "without BEGIN"
            raise SourceError(f"{place(number)}: {verb} SOLUTION {named} {problem}")
        code = {text.partition("#")[0].strip() for text in lines[begin : number - 1]}
        if verb == "END" and code <= {"", "pass", "..."}:
            raise SourceError(f"{place(begin)}: the solution region of exercise {named} is empty")
        if verb == "END":
            yield begin, number
        begin = number if verb == "BEGIN" else 0
    if begin:
        raise SourceError(f"{place(begin)}: BEGIN SOLUTION {exercise} without END")


def _compare(wanted: ast.Module, stub: ast.Module, place: Place) -> None:
    """Raise unless the stub is as expected: each signature and docstring, and the raise as the only code."""
    kept = dict(functions_of(stub))
    for name, node in functions_of(wanted):
        if name not in kept or ast.dump(kept[name].args) != ast.dump(node.args):
            raise SourceError(f"{place(node.lineno)}: the stub loses the signature of {name}")
        if ast.get_docstring(kept[name]) != ast.get_docstring(node):
            raise SourceError(f"{place(node.lineno)}: the stub loses the docstring of {name}")
        if ast.dump(kept[name]) != ast.dump(node):
            raise SourceError(f"{place(node.lineno)}: {name} has code outside its solution region")
    if ast.dump(wanted) != ast.dump(stub):
        raise SourceError(f"{place(1)}: the stub loses code that is outside the solution regions")
