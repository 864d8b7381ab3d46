"""The edits of a bank: a wrong answer as our own function with a few words changed.

    swap("backpropagate", "-value", "value")                          # replace words by other words
    put("ucb1", "log_total =", "exploration = exploration or 2.0")    # insert lines above the line with these words

An edit reads our solution's function without docstring and comments. The words must appear there exactly once: in the body, or
in the signature if the body does not contain them. Edits of one function apply one after the other. A text may have several
lines; all lines after the first are indented like the line that contains the words.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from autograder.problem_sets.source import load, module_text, names
from autograder.problem_sets.syntax import functions_of

_WORDS = ("swap", "put")


class EditError(ValueError):
    """An edit does not apply; the text says why, and what to do."""


@dataclass(frozen=True)
class Function:
    """A function of our solution as text: decorators and signature, body, and the line that makes it a method."""

    name: str
    head: str
    body: str
    tail: str

    @property
    def text(self) -> str:
        """The whole function."""
        return f"{self.head}\n{self.body}\n{self.tail}"


@cache
def written_out(ps: str, code: str) -> str:
    """Return a cell's code with its edits replaced by the whole functions, each at the place of its first edit.

    Args:
        ps: the set whose solution is edited.

    Raises:
        EditError: an edit names an unknown function, does not apply, could apply twice, or changes nothing.
    """
    calls = ((statement, statement.value) for statement in ast.parse(code).body if isinstance(statement, ast.Expr))
    edits = [(statement, call) for statement, call in calls if isinstance(call, ast.Call) and ast.unparse(call.func) in _WORDS]
    if not edits:
        return code
    edited: dict[str, Function] = {}
    for _, call in edits:
        word, (name, old, new) = ast.unparse(call.func), _texts(call)
        before = edited.get(name) or _ours(ps, name)
        edited[name] = _edited(before, word, old, new)
        if _tree(edited[name].text) == _tree(before.text):
            raise EditError(f"{word} {old!r} in {name} changes nothing: write the mistake")
    lines: list[str | None] = list(code.splitlines())
    for edit, call in edits:
        function = edited.pop(_texts(call)[0], None)
        last = edit.end_lineno or edit.lineno
        text: list[str | None] = [function.text if function else None]
        lines[edit.lineno - 1 : last] = text + [None] * (last - edit.lineno)
    return "\n".join(line for line in lines if line is not None).strip("\n") + "\n"


@lru_cache(maxsize=64)
def _tree(text: str) -> str:
    """Return what Python reads in a text; many edits of a bank begin with the same function."""
    return ast.dump(ast.parse(text))


def _texts(call: ast.Call) -> list[str]:
    texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant) and isinstance(argument.value, str)]
    if len(texts) != 3 or len(call.args) != 3 or call.keywords:
        raise EditError(f"{ast.unparse(call)}: an edit has three texts: a function, words in it, and the new words or lines")
    return texts


def _edited(function: Function, word: str, old: str, new: str) -> Function:
    """Return the function after one edit."""
    head, body = function.head, function.body
    inside = list(_places(body, old))
    places = inside or list(_places(head, old))
    if not old or len(places) != 1:
        fault = "appears more than once" if places else "does not appear"
        raise EditError(f"{word}: {old!r} {fault} in {function.name} of our solution: write words that appear there exactly once")
    text = _replaced(body if inside else head, word, new, *places[0])
    after = Function(function.name, *((head, text) if inside else (text, body)), function.tail)
    try:
        ast.parse(after.text)
    except SyntaxError as error:
        raise EditError(f"{word} {old!r} in {function.name} gives invalid Python: {error.msg}") from None
    return after


def _places(text: str, old: str) -> Iterator[tuple[int, int, str]]:
    """Yield (begin, end, indentation of the line) for each place of some words in a text."""
    for match in re.finditer(re.escape(old.partition("\n")[0]), text):
        line = text[text.rfind("\n", 0, match.start()) + 1 :]
        indent = line[: len(line) - len(line.lstrip(" "))]
        whole = old.replace("\n", "\n" + indent)
        if text.startswith(whole, match.start()):
            yield match.start(), match.start() + len(whole), indent


def _replaced(text: str, word: str, new: str, begin: int, end: int, indent: str) -> str:
    new = new.replace("\n", "\n" + indent)
    if word == "swap":
        return text[:begin] + new + text[end:]
    above = text.rfind("\n", 0, begin) + 1
    return f"{text[:above]}{indent}{new}\n{text[above:]}"


def _ours(ps: str, name: str) -> Function:
    """Return one of our functions, `TreeNode.expand` for a method."""
    if name not in _functions(ps):
        raise EditError(f"our solution has no function {name!r}: write its present name")
    return _functions(ps)[name]


@cache
def _functions(ps: str) -> dict[str, Function]:
    """Every function of our solution, by name."""
    if ps not in names():
        raise EditError(f"{ps} is not a problem set: only a bank with the name of a problem set can have edits")
    text = module_text(load(ps), solution=True)
    return {name: _function(name, node, text) for name, node in functions_of(ast.parse(text))}


def _function(name: str, node: ast.FunctionDef, text: str) -> Function:
    begin = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    written = isinstance(node.body[0], ast.Expr) and len(node.body) > 1  # a docstring
    first = node.body[0].end_lineno if written else node.body[0].lineno - 1
    lines, indent = _without_comments(text), node.col_offset
    head, body = ("\n".join(line[indent:] for line in part if line.strip())
                  for part in (lines[begin : node.body[0].lineno - 1], lines[first : node.end_lineno]))
    owner = name.rpartition(".")[0]
    if not indent:  # a function, or a method marked by a decorator
        return Function(name, head, body, "")
    return Function(name, head, body.replace("super()", f"super({owner}, self)"), f"\n\n{name} = {node.name}\n")


@cache
def _without_comments(text: str) -> list[str]:
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return lines
