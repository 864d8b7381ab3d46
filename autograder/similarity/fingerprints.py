"""Fingerprints of a student's code that survive new names, comments, white space and another order of functions.

A piece is a function, or the code between two functions. Its words are Python's keywords and the names of the lesson
(`children`, `legal_actions`, `math.sqrt`). Every name that a student may choose becomes the word V, and every string the word
S. Comments and docstrings are dropped. A fingerprint is K words in a row. Pygments finds the words, because it accepts broken
code.

Source: Schleimer, Wilkerson and Aiken (2003), "Winnowing: local algorithms for document fingerprinting". We keep all
fingerprints instead of one per window: a class is small enough, and then the result does not depend on a choice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pygments.lexers import PythonLexer
from pygments.token import Comment, Name, String, Text

from autograder.problem_sets.source import ProblemSet

# Shorter fingerprints are common idioms; longer ones do not survive a changed line (measured, see docs/instructors.md).
K = 10
ELSEWHERE = ""  # the exercise of a piece that does not belong to any exercise
_FUNCTIONS = re.compile(r"^(?=(?:async )?def |class )", re.MULTILINE)
_NAMED = re.compile(r"(?:async )?(?:def|class) (\w+)")
_GAP = re.compile(r"\n{4,}")
_LEXER = PythonLexer(stripnl=False, ensurenl=False)


Worded = tuple[str, str, tuple[str, ...], tuple[tuple[int, int], ...]]  # a piece: exercise, source, words and their places


@dataclass(frozen=True, eq=False)
class Piece:
    """A function of a submission and its words.

    words: one letter for each word, from the vocabulary's alphabet. places: the place of each word in `source`.
    """

    exercise: str
    source: str
    words: str
    places: tuple[tuple[int, int], ...]

    @cached_property
    def fingerprints(self) -> tuple[str, ...]:
        """One fingerprint for each word, except the last K - 1 words."""
        return tuple(self.words[at : at + K] for at in range(len(self.words) - K + 1))


class Vocabulary:
    """The words of a problem set; each word has its own letter."""

    def __init__(self, problem_set: ProblemSet) -> None:
        self.exercises = {function.rpartition(".")[2]: exercise.id
                          for exercise in problem_set.exercises for function in exercise.functions}
        self.attributes, self.globals = _names(problem_set)
        self.docstrings = _docstrings(problem_set)
        self._letters: dict[str, str] = {}
        self._read = lru_cache(maxsize=50_000)(self._words)  # the handed-out code is the same in every submission

    def pieces(self, cells: Iterable[tuple[str | None, str]]) -> tuple[Piece, ...]:
        """Return the pieces of (exercise or None, source) cells, in order; pieces without a fingerprint are left out."""
        return self.lettered(self.worded(cells))

    def worded(self, cells: Iterable[tuple[str | None, str]]) -> list[Worded]:
        """Return the pieces of cells as words.

        The method does not change the vocabulary, so it can run in another process with limits. Limits are needed because the
        lexer is not ours, and for some texts its time grows with the square of their length.
        """
        return [worded for exercise, source in cells for worded in self._worded(exercise, source)]

    def lettered(self, worded: Iterable[Worded]) -> tuple[Piece, ...]:
        """Return the pieces with their words as letters; pieces without a fingerprint are left out."""
        pieces = (Piece(exercise, text, "".join(map(self._letter, words)), places) for exercise, text, words, places in worded)
        return tuple(piece for piece in pieces if piece.fingerprints)

    def _worded(self, exercise: str | None, source: str) -> Iterator[Worded]:
        for text in _FUNCTIONS.split(_tidy(source)):
            named = _NAMED.match(text)
            own = self.exercises.get(named[1]) if named else None
            for docstring in self.docstrings.get(named[1], ()) if named else ():
                text = text.replace(docstring, '"""..."""')  # the instructor knows the handed-out text
            yield own or exercise or ELSEWHERE, text, *self._read(text)

    def _words(self, text: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
        tokens = [(at, kind, value) for at, kind, value in _LEXER.get_tokens_unprocessed(text)
                  if not (kind in Comment or kind in String.Doc or kind is Text or value.isspace())]
        words: list[str] = []
        places: list[tuple[int, int]] = []
        for number, (at, kind, value) in enumerate(tokens):
            word = value
            if kind in String and kind is not String.Interpol:
                if words and words[-1] == "S":  # the lexer gives quotes, prefix and escapes as separate tokens
                    places[-1] = (places[-1][0], at + len(value))
                    continue
                word = "S"
            elif kind in Name:
                after = tokens[number + 1][2] if number + 1 < len(tokens) else ""
                word = value if self._is_known(kind, value, words[-1] if words else "", after) else "V"
            words.append(word)
            places.append((at, at + len(value)))
        return tuple(words), tuple(places)

    def _is_known(self, kind: object, name: str, before: str, after: str) -> bool:
        """Whether a name is fixed by the lesson or by Python; all other names are a student's free choice."""
        if before == ".":
            return name in self.attributes
        if kind in Name.Exception:
            return True
        is_builtin = kind in Name.Builtin and kind is not Name.Builtin.Pseudo
        return after in ("(", ".") and (is_builtin or name in self.globals)

    def _letter(self, word: str) -> str:
        # there is room for a million words above the surrogates; words beyond that (many numbers) share one letter
        return self._letters.setdefault(word, chr(0xE000 + min(len(self._letters), 0xFFFFF)))


def _tidy(source: str) -> str:
    """Return code without white space at the ends of lines and without long gaps, for which the lexer needs minutes.

    Characters that no font shows, and characters that change a line's direction, are made visible.
    """
    text = "\n".join(line.expandtabs().rstrip() for line in source.splitlines())
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}"
                   for letter in _GAP.sub("\n\n\n", text).strip("\n")) + "\n"


def _names(problem_set: ProblemSet) -> tuple[set[str], set[str]]:
    """Return two sets of names of our own solution: names after a dot; names of functions, classes and modules."""
    attributes, globals_ = set(), set()
    for cell in problem_set.cells:
        for node in ast.walk(ast.parse(cell.solution)) if cell.role in ("given", "exercise") else ():
            if isinstance(node, ast.Attribute):
                attributes.add(node.attr)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                globals_.add(node.name)
            elif isinstance(node, ast.alias):
                globals_.add((node.asname or node.name).partition(".")[0])
    return attributes | globals_, globals_


def _docstrings(problem_set: ProblemSet) -> dict[str, list[str]]:
    """Return the handed-out docstrings, unchanged, by the name of the function or class at top level."""
    by_name: dict[str, list[str]] = {}
    for cell in problem_set.cells:
        statements = ast.parse(cell.stub).body if cell.role in ("given", "exercise") else ()
        for top in (statement for statement in statements if isinstance(statement, (ast.FunctionDef, ast.ClassDef))):
            for node in ast.walk(top):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
                    by_name.setdefault(top.name, []).append(ast.get_source_segment(cell.stub, node.body[0]) or "")
    return by_name
