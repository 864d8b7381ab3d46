"""The key of each exercise's findings: a hash over everything that can change them, and over nothing that cannot.

A report as a whole has one key (fingerprint.py). Where that key has changed, most exercises have nothing to do with the change,
and their findings are taken from the store (stored_findings.py). Of the hidden suite, an exercise depends on its own checks in
their order, on the statements of their files whose names they use, and on the files that these import or name. Of the solution,
it depends on its own functions, on those that replace the student's while it is graded, and on what these need. Everything else
that a grading uses is in all keys. What cannot be assigned to an exercise counts for each of them.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from autograder.grading.config import Settings, versions
from autograder.grading.fingerprint import ENGINE, hash_of, inside, sources
from autograder.grading.import_closure import files_behind, files_named_in
from autograder.grading.stored_findings import TREE
from autograder.paths import REPOSITORY
from autograder.problem_sets.rules import JOINT
from autograder.problem_sets.source import ProblemSet, load
from autograder.submission.given import bindings, given_statements

_IMPORT = re.compile(r"from (?P<module>tests\.hidden\.[\w.]+) import (?P<name>\w+)\b")  # as `statements` writes one
_FOR_ALL = ("tests/hidden/PS/conftest.py", "tests/hidden/PS/__init__.py")  # of the suite, what the checks of all exercises use


def exercise_keys(ps: str, settings: Settings) -> dict[str, str]:
    """Return the key of the findings of each exercise, of the joint check, and of the tree that a report shows."""
    problem_set, limits, suite = load(ps), dict(settings.cpu_s), _checks(ps)
    shared = f"{versions()} {_engine(ps)} {replace(settings, cpu_s=()).key()}"
    keys = {id: f"{suite.get(id, '')} {_ours(problem_set, id)} {limits.get(id)}" for id in problem_set.ids}
    keys[TREE] = hash_of(files_behind(REPOSITORY, sources(["tests/hidden/PS/shown.py"], ps), without=_engine_files(ps)))
    return {id: hashlib.sha256(f"{shared} {id} {parts}".encode()).hexdigest() for id, parts in keys.items()}


@cache
def _engine(ps: str) -> str:
    """Return a hash over what every exercise of a set uses: the grader, the sandbox, the types of answers, the given code."""
    problem_set = load(ps)
    given = (problem_set.facts, given_statements(problem_set), problem_set.program.parameters(),
             [(exercise.id, exercise.functions) for exercise in problem_set.exercises])
    return f"{hash_of(_engine_files(ps))} {given}"


@cache
def _engine_files(ps: str) -> frozenset[Path]:
    begin = [*sources(ENGINE), *inside(ps), *sources(_FOR_ALL, ps)]
    return frozenset(files_behind(REPOSITORY, begin).union(sources(["requirements.lock", "tests/hidden/pytest.ini"])))


def _ours(problem_set: ProblemSet, id: str) -> str:
    """Return our code that the checks of an exercise may run: its own functions, and those that replace the student's."""
    ids = [exercise.id for exercise in problem_set.exercises]
    if id != JOINT:
        ids = [*problem_set.ours_for(problem_set.exercise(id)), id]
    return f"{ids} {problem_set.reference(tuple(ids))}"


@cache
def _checks(ps: str) -> dict[str, str]:
    """Return, for each exercise, a hash over its checks and over all that they use of the suite."""
    files = sorted(sources(["tests/hidden/PS/test_*.py"], ps))
    parsed = {file: statements(file.read_text(encoding="utf-8")) for file in files}
    data = set(sources(["tests/hidden/PS/**/*"], ps)).difference(files, sources([*_FOR_ALL, "tests/hidden/PS/shown.py"], ps))
    texts, behind = dict[str, str](), dict[str, set[Path]]()
    for id in {id for in_file in parsed.values() for statement in in_file for id in statement.exercises} - {EVERY}:
        texts[id], behind[id] = _used_by(id, parsed, _engine_files(ps))
        behind[id] |= _named_in([texts[id], *map(_text, behind[id])], data)
    nobody_s = data.difference(*behind.values())
    return {id: hashlib.sha256(f"{text} {hash_of(behind[id] | nobody_s)}".encode()).hexdigest() for id, text in texts.items()}


def _used_by(id: str, parsed: Mapping[Path, Collection[Statement]], known: Collection[Path]) -> tuple[str, set[Path]]:
    """Return the text of an exercise's checks with the statements that they use, file by file, and the files behind them.

    Of another file of checks only what is imported by name counts, with what that uses: its checks are not run from here.

    known: files that count anyway, so that they and what they import need not be looked at.
    """
    taken = {file: text_for(id, in_file) for file, in_file in parsed.items()}
    names, behind = dict[Path, set[str]](), set[Path]()
    waiting = [file for file, text in taken.items() if text]
    while waiting:
        file = waiting.pop()
        asked, rest = _imported_checks(taken[file], parsed)
        package = file.parent.relative_to(REPOSITORY).parts
        whole = files_named_in(REPOSITORY, rest.encode(), package)
        for other, wanted in asked.items():
            names[other] = names.get(other, set()) | wanted
            if not _are_helpers(names[other], parsed[other]):
                whole.add(other)
            elif (text := text_for(id, parsed[other], names[other])) != taken[other]:
                taken[other] = text
                waiting.append(other)
        named = files_named_in(REPOSITORY, taken[file].encode(), package) - (asked.keys() - whole)
        behind |= files_behind(REPOSITORY, named.difference(known), without=known)
    return "\n".join(f"{file.name}\n{text}" for file, text in taken.items() if text), behind


def _imported_checks(text: str, parsed: Collection[Path]) -> tuple[dict[Path, set[str]], str]:
    """Return the names that a text imports from each file of checks at its top level, and the text without these imports."""
    asked, rest = dict[Path, set[str]](), []
    for line in text.splitlines(keepends=True):
        found = _IMPORT.match(line)
        file = (REPOSITORY / found["module"].replace(".", "/")).with_suffix(".py") if found else REPOSITORY
        if found and file in parsed:
            asked.setdefault(file, set()).add(found["name"])
        else:
            rest.append(line)
    return asked, "".join(rest)


def _named_in(texts: Collection[str], data: Iterable[Path]) -> set[Path]:
    return {file for file in data if any(f'"{file.name}"' in text for text in texts)}


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


# -- one file of checks -------------------------------------------------------------------------------

EVERY = "every exercise"  # in place of an exercise's id


@dataclass(frozen=True)
class Statement:
    """A statement at the top level of a file of checks.

    exercises: the id of the exercise, if the statement is a check; EVERY, if nothing says whose it is; empty for a helper.
    binds, uses: the names that it defines, and those that it may read. A statement that defines none always counts.
    """

    text: str
    exercises: frozenset[str]
    binds: frozenset[str]
    uses: frozenset[str]


def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of a file of checks; each imported name has its own."""
    tree, lines = ast.parse(text), text.splitlines(keepends=True)
    of_file = _marked(node for node in tree.body if "pytestmark" in _bound(node))
    in_file = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            of_names = bindings(node) if getattr(node, "module", "") != "__future__" else [("", node)]
            in_file += [Statement(f"{ast.unparse(own)}\n", frozenset(), frozenset(filter(None, [name])), frozenset())
                      for name, own in of_names]
            continue
        bound = _bound(node)
        uses = frozenset(inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
        decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
        is_check = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name.lower().startswith("test")
        whose = (_marked(decorators) or of_file or frozenset({EVERY})) if is_check else frozenset()
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        source = "".join(lines[first - 1 : node.end_lineno])
        in_file.append(Statement(source, whose, bound, uses))
    return tuple(in_file)


def text_for(id: str, in_file: Collection[Statement], names: Collection[str] = ()) -> str:
    """Return the checks of an exercise in one file, and the statements there that they use; "" if the file has none of them.

    Args:
        names: helpers that another file imports from this one.
    """
    taken = {statement for statement in in_file if statement.exercises & {id, EVERY}}
    if not taken and not names:
        return ""
    helpers = {statement for statement in in_file if not statement.exercises}
    taken |= {statement for statement in helpers if not statement.binds or "pytestmark" in statement.binds}  # pytest reads it
    taken |= {statement for statement in helpers if not statement.binds.isdisjoint(names)}
    while new := {statement for statement in helpers - taken if any(statement.binds & user.uses for user in taken)}:
        taken |= new
    return "".join(statement.text for statement in in_file if statement in taken)


def _are_helpers(names: Collection[str], in_file: Collection[Statement]) -> bool:
    return {name for statement in in_file if not statement.exercises for name in statement.binds}.issuperset(names)


def _marked(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the exercises in the marks among these nodes."""
    calls = (inner for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Call))
    marks = (call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "exercise")
    ids = (argument.value for mark in marks for argument in mark.args[:1] if isinstance(argument, ast.Constant))
    return frozenset(id for id in ids if isinstance(id, str))


def _bound(node: ast.stmt) -> frozenset[str]:
    """Return the names that a statement defines, if it does nothing else; of any other statement none."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return frozenset({node.name})
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    parts = [part for target in targets for part in ast.walk(target)]
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in parts):
        return frozenset()
    return frozenset(part.id for part in parts if isinstance(part, ast.Name))
