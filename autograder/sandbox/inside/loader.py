"""Load a student's cells, statement by statement, inside the sandbox.

A statement that fails is skipped and reported, and the others still run: a stray `import matplotlib` or
`open(..., "w")` costs nothing.
"""

from __future__ import annotations
import __future__ as future

import ast
import builtins
import linecache
import marshal
import sys
import traceback
import types
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.sandbox.inside import cell_text
else:
    import cell_text  # in the sandbox it is beside this file, in a folder of any name

MODULE_NAME = "submission"
_OURS = __file__.rpartition("/")[0] + "/"  # the folder of our own files in the sandbox
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Cells = Sequence[Sequence[str]]  # (label, source) pairs
Problem = tuple[str, int, str, str]  # cell label, line in the cell, built-in exception name, traceback for staff


def new_module() -> types.ModuleType:
    """Return the empty module for a submission; it is registered, because dataclasses need that."""
    module = types.ModuleType(MODULE_NAME)
    sys.modules[MODULE_NAME] = module
    return module


def compiled(cells: Cells) -> bytes:
    """Return the code of all cells for `load`, without running it.

    Only a process of the same student may read it: `marshal` does not check its input.
    """
    return marshal.dumps(_codes(cells))


def load(
    module: types.ModuleType,
    cells: Cells,
    definitions_only: bool,
    given: Cells = (),
    name: str = MODULE_NAME,
    code: bytes | None = None,
) -> list[Problem]:
    """Run the statements of `cells` in `module` and return the problems.

    Args:
        cells: (label, source) pairs; the label is the file name in tracebacks.
        definitions_only: run only imports, definitions and assignments of constants.
        given: names that the problem set hands out, with a statement for each; they replace missing names.
        name: the name of the set, under which a submission may import itself.
        code: the result of `compiled` for these cells, if there is one.

    A definition that failed because of a missing name is tried again at the end: cells may be in another order.
    """
    sys.modules[name] = module
    if definitions_only:
        codes: list[types.CodeType | None] = [None] * len(cells)
    else:
        codes = _codes(cells) if code is None else marshal.loads(code)
    flags, problems = _run_cells(module, cells, codes, definitions_only)
    lost = {own: source for own, source in given if own not in module.__dict__}
    for source in lost.values():
        _run_one(ast.parse(source).body[0], cell_text.GIVEN, module, flags)
    again = _try_again(module, cells, problems, flags, set(lost))
    problems = [problem for problem in problems if problem not in again]
    return [*problems, (cell_text.GIVEN, 0, "", "")] if lost and again else problems


def _run_cells(
    module: types.ModuleType, cells: Cells, codes: list[types.CodeType | None], definitions_only: bool
) -> tuple[int, list[Problem]]:
    """Run all cells, statement by statement if a cell was not compiled; return the compiler's last flags, and the problems."""
    problems: list[Problem] = []
    flags = 0
    for (label, source), whole in zip(cells, codes, strict=False):
        _remember(label, source)
        if whole is not None:
            flags |= whole.co_flags & cell_text.FUTURE
            problems += _run(whole, source, label, module, flags)
            continue
        try:
            statements = cell_text.parsed(source, label)
        except cell_text.NOT_PYTHON as error:
            line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
            problems.append((label, line, builtin_names(error)[0], traceback.format_exc(limit=0)))
            continue
        for statement in statements:
            if not definitions_only or cell_text.is_definition(statement):
                flags |= _future_flags(statement)
                problems += _run_one(statement, label, module, flags)
    return flags, problems


def _try_again(
    module: types.ModuleType, cells: Cells, problems: list[Problem], flags: int, filled: set[str]
) -> list[Problem]:
    """Run definitions that failed because of a missing name again, in rounds, as long as one of them succeeds.

    Names that exist by now are not replaced. Returns the solved problems, also those that names in `filled` solved.
    """
    failed = [(problem, _statement_at(problem, cells)) for problem in problems if problem[2] == "NameError"]
    solved = [problem for problem, statement in failed if _bound(statement) in filled]
    waiting = [(problem, statement) for problem, statement in failed if isinstance(statement, _NAMED) and problem not in solved]
    progress = True
    while waiting and progress:
        # a decorated definition, such as a method that is added to its class, may share its name with another
        waiting = [(problem, named) for problem, named in waiting if named.decorator_list or named.name not in module.__dict__]
        done = [problem for problem, named in waiting if not _run_one(named, problem[0], module, flags)]
        solved += done
        waiting = [later for later in waiting if later[0] not in done]
        progress = bool(done)
    return solved


def _statement_at(problem: Problem, cells: Cells) -> ast.stmt | None:
    """Return the statement at top level that failed."""
    label, line, *_ = problem
    for own, source in cells:
        if own == label:
            try:
                statements = cell_text.parsed(source, label)
            except cell_text.NOT_PYTHON:
                continue
            for statement in statements:
                if _first_line(statement) <= line <= (statement.end_lineno or 0):
                    return statement
    return None


def _bound(statement: ast.stmt | None) -> str | None:
    """Return the name that a definition or an assignment binds."""
    if isinstance(statement, _NAMED):
        return statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


def _codes(cells: Cells) -> list[types.CodeType | None]:
    """Compile each cell with the future imports of the cells before it; None if a part of the cell is not Python."""
    codes: list[types.CodeType | None] = []
    flags = 0
    for label, source in cells:
        try:
            code: types.CodeType = compile(source, label, "exec", flags=flags, dont_inherit=True)
            codes.append(code)
            flags |= code.co_flags & cell_text.FUTURE
        except cell_text.NOT_PYTHON:
            codes.append(None)
            flags |= _future_flags_of(source, label)
    return codes


def _future_flags_of(source: str, label: str) -> int:
    """Return the compiler flags of all `from __future__` imports of a cell with magics."""
    try:
        return reduce(or_, map(_future_flags, cell_text.parsed(source, label)), 0)
    except cell_text.NOT_PYTHON:
        return 0


def _run(code: types.CodeType, source: str, label: str, module: types.ModuleType, flags: int) -> list[Problem]:
    """Run a whole cell, the quick way; if a statement fails, run the statements below it one by one."""
    try:
        exec(code, module.__dict__)
        return []
    except BaseException as error:  # SystemExit and KeyboardInterrupt too: a cell must not end the loading
        statements = ast.parse(source, label).body
        failed = _where_it_stopped(statements, error, label)
        problems = [_problem(error, label, statements[failed])]
    for statement in statements[failed + 1 :]:
        problems += _run_one(statement, label, module, flags)
    return problems


def _run_one(statement: ast.stmt, label: str, module: types.ModuleType, flags: int) -> list[Problem]:
    try:
        exec(compile(ast.Module([statement], []), label, "exec", flags=flags, dont_inherit=True), module.__dict__)
        return []
    except BaseException as error:
        return [_problem(error, label, statement)]


def _where_it_stopped(statements: list[ast.stmt], error: BaseException, label: str) -> int:
    """Return the index of the statement that raised `error`, from the line of the cell's own frame."""
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == label and step.tb_frame.f_code.co_name == "<module>":
            return max(0, sum(_first_line(statement) <= step.tb_lineno for statement in statements) - 1)
        step = step.tb_next
    return 0


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _problem(error: BaseException, label: str, statement: ast.stmt) -> Problem:
    return label, line_of(error, label) or statement.lineno, builtin_names(error)[0], staff_text(error)


def _future_flags(statement: ast.stmt) -> int:
    """Return the compiler flags of a `from __future__` import, which later statements need too; 0 for other statements."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    features = (getattr(future, name.name, None) for name in statement.names)
    return sum({feature.compiler_flag for feature in features if isinstance(feature, future._Feature)})


def _remember(label: str, source: str) -> None:
    """Let tracebacks show the student's lines. Cells of a module share a label: each adds its own lines of the file."""
    above = len(source) - len(source.lstrip("\n"))
    own = source[above:].splitlines(keepends=True)
    known = linecache.cache.get(label, ())
    earlier = known[2] if len(known) == 4 else []
    lines = [*earlier[:above], *["\n"] * (above - len(earlier)), *own, *earlier[above + len(own) :]]
    linecache.cache[label] = (len(source), None, lines, label)


def builtin_names(error: BaseException) -> list[str]:
    """Return the names of the classes of `error`, most specific first: Python's and arena's; "" for the student's own classes."""
    return [kind.__name__ if _is_known(kind) else "" for kind in type(error).__mro__[:-1]] or [""]


def _is_known(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind or getattr(sys.modules.get("arena.games"), kind.__name__, None) is kind


def frames(error: BaseException) -> Iterator[traceback.FrameSummary]:
    yield from traceback.extract_tb(error.__traceback__)


def line_of(error: BaseException, label: str | None = None) -> int:
    """Return the last line of the student's own cells (or of the cell `label`) that `error` passed; 0 for none."""
    return place_of(error, label)[1]


def place_of(error: BaseException, label: str | None = None) -> tuple[str, int]:
    """Return (cell label, line) of the innermost frame of student code in the traceback, or ("", 0)."""
    place = ("", 0)
    try:
        for frame in frames(error):
            of_a_cell = frame.filename in linecache.cache and not frame.filename.startswith(("/", "<"))
            if of_a_cell and label in (None, frame.filename):
                place = (frame.filename, frame.lineno or 0)
    except Exception:  # the student's code has damaged the traceback: the answer is sent without a place
        return ("", 0)
    return place


def staff_text(error: BaseException) -> str:
    """Return the traceback for staff, or only the class of `error` if the student's own __str__ fails.

    It begins where our code calls the student's, or a library, so that nobody reads how the sandbox makes a call.
    """
    try:
        step = error.__traceback__
        while step is not None and step.tb_next is not None and step.tb_frame.f_code.co_filename.startswith(_OURS):
            step = step.tb_next
        return "".join(traceback.format_exception(type(error), error, step, limit=-6))[-4000:]
    except BaseException:
        return type(error).__name__
