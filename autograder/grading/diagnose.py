"""Advice on mistakes outside of any check: a name, a place, a signature, a cell. It comes from the text alone.

A check can only say that a function is missing. After a loss of exercises, this module looks at the submission's text: the
text is parsed, never run, and the student's own names appear only in the student's report. A text can make Python's parser
slow, or crash it: all of this runs in a child process, and if the child fails, the report has no advice.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from autograder.grading.report import Outcome
from autograder.limited_child import OverLimit, within
from autograder.plain_text import plain_text
from autograder.problem_sets.source import ProblemSet
from autograder.problem_sets.syntax import functions_of
from autograder.sandbox.inside.cell_text import NOT_PYTHON, without_magics
from autograder.submission.parse import MERGE
from autograder.submission.read import Submission

MOST_SENTENCES = 6
MOST_LETTERS = 300_000  # characters of code to parse; the reference has 20,000
LONGEST_NAME = 40
MOST_NAMES = 200  # names to compare with a missing one; the work grows with the square of their length
ADVICE_CPU_S, ADVICE_MIB = 2.0, 512  # our solution takes hundredths of a second
NEAR = 0.75  # minimum likeness of two names, from 0 to 1

# Names of parameters that may be given by place, how many of them are required, and whether more arguments are allowed.
Parameters = tuple[tuple[str, ...], int, bool]


@dataclass
class _Text:
    """The definitions in a submission's cells: by qualified name cells and nodes, nested functions, unparsed cells."""

    functions: dict[str, list[tuple[str, ast.FunctionDef]]] = field(default_factory=dict)
    inner: dict[str, str] = field(default_factory=dict)  # a function inside a function -> the outer one
    bound: dict[str, str] = field(default_factory=dict)  # a name that is assigned at top level -> the cell
    unread: list[tuple[str, str]] = field(default_factory=list)  # (label, source) of cells that are not Python
    texts: list[tuple[str, str]] = field(default_factory=list)  # markdown and raw cells


def advice(submission: Submission, outcomes: dict[str, str], not_loaded: Collection[str] = ()) -> list[str]:
    """Return advice for the exercises that are lost; `outcomes` by exercise.

    not_loaded: the functions whose last definition failed; the note on loading says which one counts.
    """
    lost = any(outcomes.get(exercise.id, Outcome.PASSED) != Outcome.PASSED for exercise in submission.problem_set.exercises)
    code = submission.code()
    if not lost or sum(len(source) for _, source in code) > MOST_LETTERS:
        return []
    if not any(source.strip() for _, source in code):
        return [f"There is no code in your {submission.form}: its code cells are gone, or have become text."]
    try:
        return [plain_text(line) for line in within(ADVICE_CPU_S, ADVICE_MIB, _sentences, submission, outcomes, not_loaded)]
    except (OverLimit, OSError):
        return []


def _sentences(submission: Submission, outcomes: dict[str, str], not_loaded: Collection[str]) -> list[str]:
    problem_set = submission.problem_set
    text = _read(submission)
    lost = [exercise for exercise in problem_set.exercises if outcomes.get(exercise.id, Outcome.PASSED) != Outcome.PASSED]
    lines = [*_merges(submission), *_overwritten(text)]
    for exercise in lost:
        written = outcomes[exercise.id] != Outcome.NOT_WRITTEN
        for name in (name for name in exercise.functions if name not in not_loaded):
            lines += [f"{exercise.id}: {line}" for line in _of_function(name, written, text, problem_set)]
    return lines[:MOST_SENTENCES]


def _read(submission: Submission) -> _Text:
    text = _Text()
    for cell in submission.cells:
        if cell.role == "markdown":
            text.texts.append((cell.label, cell.source))
        elif cell.role == "code":
            tree = _tree(cell.source)
            if tree is None:
                text.unread.append((cell.label, cell.source))
            else:
                _add(text, cell.label, tree)
    return text


def _tree(source: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for plain in (source, without_magics(source)):
            try:
                tree = ast.parse(plain)
                return tree if tree.body or not source.strip() else None
            except NOT_PYTHON:
                pass
    return None


def _add(text: _Text, label: str, tree: ast.Module) -> None:
    for name, node in functions_of(tree):
        text.functions.setdefault(name, []).append((label, node))
        inner = (statement for statement in node.body if isinstance(statement, ast.FunctionDef))
        text.inner |= {statement.name: name for statement in inner}
    for statement in tree.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            for part in ast.walk(target) if isinstance(target, (ast.Name, ast.Tuple)) else ():
                if isinstance(part, ast.Name):
                    text.bound[part.id] = label
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                text.bound[f"{target.value.id}.{target.attr}"] = label


# -- mistakes in one function -------------------------------------------------------------------------


def _of_function(name: str, written: bool, text: _Text, problem_set: ProblemSet) -> Iterator[str]:
    short = name.rpartition(".")[2]
    places = text.functions.get(name, [])
    if not places and name not in text.bound:
        yield _missing(name, short, text, problem_set)
        return
    if len(places) > 1:
        yield f"{short} is defined more than once, last in {places[-1][0]}: the last one counts."
    elif places and not written and _still_raises(places[-1][1]):
        yield f"{short} still raises NotImplementedError, as the stub does: delete that line."
    if places and written:
        ours, theirs = _signatures(problem_set)[name], _parameters(places[-1][1])
        if not _fits(ours, theirs) and len(theirs[0]) <= 10 and all(len(parameter) <= LONGEST_NAME for parameter in theirs[0]):
            yield f"{short} takes ({', '.join(ours[0])}) in the assignment and ({', '.join(theirs[0])}) in yours."


def _missing(name: str, short: str, text: _Text, problem_set: ProblemSet) -> str:
    """Say where the function may be instead."""
    begins = re.compile(rf"^[ \t]*+(?:async[ \t]++)?+def[ \t]++{short}[ \t]*+\(", re.MULTILINE)
    if short in text.inner:
        return f"{short} is inside {text.inner[short]}: move it to the left margin."
    if short != name and short in text.functions:
        return f"{short} is outside class {name.partition('.')[0]}: indent it."
    for label, source in text.texts:
        if begins.search(source):
            return f"{short} is in {label}, which is a text cell: make it a code cell."
    for label, source in text.unread:
        if begins.search(source):
            where = "" if label.endswith(".py") else f" of {label}"
            return f"{short} is in code{where} that could not be run."
    ours = {function.rpartition(".")[2] for exercise in problem_set.exercises for function in exercise.functions}
    own = [other for other in text.functions if "." not in other and other not in ours and len(other) <= LONGEST_NAME]
    plain = {_plain(other): other for other in own[:MOST_NAMES]}
    near = difflib.get_close_matches(_plain(short), plain, n=1, cutoff=NEAR)
    return f"the function {short} is missing" + (f"; is it the one that you call {plain[near[0]]}?" if near else ".")


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def _still_raises(function: ast.FunctionDef) -> bool:
    """Whether the student has written code, but left the stub's raise below it."""
    *body, end = function.body
    raised = end.exc if isinstance(end, ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    docstring = body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError" and len(body) > bool(docstring)


def _parameters(function: ast.FunctionDef) -> Parameters:
    given = function.args
    names = tuple(argument.arg for argument in (*given.posonlyargs, *given.args))
    must = len(names) - len(given.defaults) + sum(default is None for default in given.kw_defaults)
    return names, must, given.vararg is not None


def _fits(ours: Parameters, theirs: Parameters) -> bool:
    """Whether a call by place that fits our function also fits the student's, with the same meaning."""
    (names, must, _), (own, own_must, any_number) = ours, theirs
    if any_number:
        return True
    same = [parameter for parameter in own if parameter in names]
    return own_must <= must and len(own) >= len(names) and same == [parameter for parameter in names if parameter in own]


@lru_cache(maxsize=8)
def _signatures(problem_set: ProblemSet) -> dict[str, Parameters]:
    """Return the parameters of every function of a set."""
    stubs = (cell.stub for cell in problem_set.cells if cell.role == "exercise")
    return {name: _parameters(node) for stub in stubs for name, node in functions_of(ast.parse(stub))}


# -- mistakes in a cell -------------------------------------------------------------------------------


def _merges(submission: Submission) -> list[str]:
    places = {cell.label for cell in submission.cells if cell.role == "code" and MERGE.search(cell.source)}
    return [f"Marks of an unfinished merge (<<<<<<<) are in {place}: keep one of the two versions." for place in sorted(places)]


def _overwritten(text: _Text) -> list[str]:
    """Return sentences on names of Python's own functions that the student has assigned."""
    own = [name for name in text.bound if name.islower() and callable(getattr(builtins, name, None))]
    return [f"{name} is one of Python's own names, and is overwritten in {text.bound[name]}: take another." for name in own[:2]]
