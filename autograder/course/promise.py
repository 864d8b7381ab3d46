"""The lesson's sentence that promises what a hidden check asks for.

A check whose docstring has a line `Promised: ...` quotes the sentence, and one that asks for several things has several such
lines; tests/unit/test_explain_checks.py finds each quote in the lesson.
For any other check these are the two sentences of the exercise's docstrings and TODO that share most with the check's own words.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from inspect import cleandoc

from autograder.grading.hidden_checks.collect import HiddenCheck
from autograder.problem_sets.source import ProblemSet

QUOTE = "Promised: "
MOST_NEAR = 2
_WORD = re.compile(r"[a-z_][a-z_0-9]*|[0-9]+")
_COMMON = frozenset("a an and are as at be by does do each else every for from has have if in is it its no not of on one or "
                    "other that the their them then they this to what which with you your".split())


def promise(problem_set: ProblemSet, check: HiddenCheck) -> list[str]:
    """Return the lines on what the lesson promises: the sentence, and the docstrings of the exercise in which it stands.

    Without a quote in the check two sentences are offered, because words that are alike may still miss the point.

    The joint check has the docstrings of the exercises that it needs.
    """
    texts = docstrings(problem_set, check)
    if quotes := quoted(check):
        lines = ["The lesson promises:", *(f"    {quote}" for quote in quotes), ""]
    else:
        nearest = _nearest(check, [part for _, text in texts for part in _sentences(text)])
        lines = ["The lesson's sentences nearest to this check:", *(f"    {sentence}" for sentence in nearest), ""]
    for name, text in texts:
        lines += [f"{name} in the lesson:", *(f"    {line}".rstrip() for line in text.splitlines()), ""]
    return lines


def quoted(check: HiddenCheck) -> list[str]:
    """Return the sentences that a check's docstring quotes from the lesson, one for each QUOTE."""
    return [" ".join(part.split()) for part in (check.function.__doc__ or "").split(QUOTE)[1:]]


def docstrings(problem_set: ProblemSet, check: HiddenCheck) -> list[tuple[str, str]]:
    """Return (name, docstring) of the functions of a check's exercise, and its TODO under the name "TODO 2.5"."""
    ids = {check.exercise} & {exercise.id for exercise in problem_set.exercises} or set(check.needs)
    passages = []
    for cell in problem_set.cells:
        if cell.role == "exercise" and cell.id in ids:
            passages += _docstrings(ast.parse(cell.solution), "")
            todo = [line.strip().lstrip("# ") for line in cell.stub.splitlines() if line.strip().startswith("#")]
            passages += [(f"The TODO of {cell.id}", " ".join(todo))] if todo else []
    return passages


def _docstrings(within: ast.AST, prefix: str) -> list[tuple[str, str]]:
    named = []
    for node in ast.iter_child_nodes(within):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if text := ast.get_docstring(node, clean=False):
                named.append((prefix + node.name, cleandoc(text)))
            named += _docstrings(node, f"{prefix}{node.name}.") if isinstance(node, ast.ClassDef) else []
    return named


def _sentences(text: str) -> list[str]:
    """Return the sentences of a docstring; the description of an argument is one piece, with its name in front."""
    joined = re.sub(r"\n(?! *\w+(?:, \w+)*:)(?=\S| {4,}\S)", " ", text)
    pieces = (piece for line in joined.splitlines() for piece in re.split(r"(?<=[.;]) +(?=\S)", line.strip()))
    return [" ".join(piece.split()) for piece in pieces if len(piece.split()) > 2]


def _nearest(check: HiddenCheck, sentences: list[str]) -> list[str]:
    """Return the MOST_NEAR sentences with the most, and the rarest, words of a check's line and hint, the nearest first."""
    number = Counter(word for sentence in sentences for word in _words(sentence))
    own = _words(f"{check.line} {check.question or ''}")
    weight = {word: math.log(1 + len(sentences) / count) for word, count in number.items()}
    scores = [sum(weight[word] for word in _words(sentence) & own) / (4 + len(_words(sentence))) ** 0.5 for sentence in sentences]
    return [sentences[place] for place in sorted(range(len(sentences)), key=lambda place: -scores[place])[:MOST_NEAR]]


def _words(text: str) -> set[str]:
    """Return the words of a text that say something, without the endings of plurals and verbs."""
    words = (re.sub(r"(?<=[a-z]{3})(?:ies|es|s|ed|ing|ly)$", "", word) for word in _WORD.findall(text.lower()))
    return {word for word in words if word not in _COMMON}
