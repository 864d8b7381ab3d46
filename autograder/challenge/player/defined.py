"""The functions that a submission defines; its code is read, not run."""

from __future__ import annotations

import ast

from autograder.limited_child import OverLimit, within
from autograder.sandbox.inside.cell_text import NOT_PYTHON
from autograder.submission.read import Submission

PARSE_CPU_S, PARSE_MIB = 5.0, 512


def defines(submission: Submission, name: str) -> bool:
    """Say whether a submission's code has a function of this name at its top level."""
    try:
        return within(PARSE_CPU_S, PARSE_MIB, _defines, submission, name)
    except OverLimit:  # text that was written to slow down a parser
        return False


def _defines(submission: Submission, name: str) -> bool:
    return any(name == found for _, source in submission.code() for found in _functions(source))


def _functions(source: str) -> list[str]:
    try:
        return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    except NOT_PYTHON:
        return []  # a notebook's magics, or text that is not Python
