"""The names that a submission defines at its top level; its code is read, not run."""

from __future__ import annotations

import symtable

from autograder.limited_child import OverLimit, within
from autograder.sandbox.inside.cell_text import NOT_PYTHON, without_magics
from autograder.submission.read import Submission

PARSE_CPU_S, PARSE_MIB = 5.0, 512


def defines(submission: Submission, name: str) -> bool:
    """Say whether a submission's code binds this name at its top level: by def, class, an assignment or an import of the name.

    Below `if`, `try` and the like a name counts too; an import of `*` does not.
    """
    try:
        return within(PARSE_CPU_S, PARSE_MIB, _defines, submission, name)
    except OverLimit:  # text that was written to slow down a parser
        return False


def _defines(submission: Submission, name: str) -> bool:
    return any(_binds(source, name) for _, source in submission.code())


def _binds(source: str, name: str) -> bool:
    """Say whether a cell binds a name at its top level; a cell that is not Python binds none."""
    for text in (source, without_magics(source)):
        try:
            found = symtable.symtable(text, "cell", "exec").lookup(name)
        except KeyError:
            return False
        except NOT_PYTHON:
            continue
        return found.is_assigned() or found.is_imported()
    return False
