"""The names that a submission defines at its top level; its code is read, not run."""

from __future__ import annotations

import ast

from autograder.limited_child import OverLimit, within
from autograder.sandbox.inside.cell_text import NOT_PYTHON, parsed
from autograder.submission.read import Submission

PARSE_CPU_S, PARSE_MIB = 5.0, 512


def defines(submission: Submission, name: str) -> bool:
    """Say whether a submission's code defines a function of this name at its top level, by def, class or a plain assignment."""
    try:
        return within(PARSE_CPU_S, PARSE_MIB, _defines, submission, name)
    except OverLimit:  # text that was written to slow down a parser
        return False


def _defines(submission: Submission, name: str) -> bool:
    return any(name == found for _, source in submission.code() for found in _names(source))


def _names(source: str) -> list[str]:
    try:
        statements = parsed(source, "cell")
    except NOT_PYTHON:
        return []
    names = [node.name for node in statements if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    targets = [target for node in statements if isinstance(node, ast.Assign) for target in node.targets]
    return names + [target.id for target in targets if isinstance(target, ast.Name)]
