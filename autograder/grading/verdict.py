"""From what happened in a check to what the student reads: the five outcomes, never mixed up.

    missing function, or the stub's own error                                 not written
    wrong value, exception, wrong signature, exit, crash, out of its memory   not yet
    out of CPU time                                                           too slow
    an exception of ours, a broken sandbox, the host's kill                   grader fault, or not yet

The last line is decided by a control: the same check in the same edition over our own solution. Where that passes, grader and
host are sound, and what happened is the submission's doing.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from _pytest.outcomes import Failed

from autograder.grading.report import GRADER_FAULT, NOT_WRITTEN, NOT_YET, PASSED, TOO_SLOW
from autograder.grading.submission import Submission
from autograder.grading.types import WrongType
from autograder.sandbox.errors import (
    Asleep,
    Died,
    HostKill,
    NotWritten,
    OutOfMemory,
    Overdrawn,
    Raised,
    StudentError,
    TooSlow,
    Unsendable,
)

KIND = "the answer is of another kind than the docstring says"
SPOILT = "the grader could not work with what your code does or returns; with the course's own solution it can"
_SENTENCES: tuple[tuple[Any, str], ...] = (
    ((OutOfMemory, Overdrawn), "your code needed more memory than a submission may use"),
    (Died, ""),
    (WrongType, KIND),
    (Unsendable, "the answer is too large or of a kind that cannot be read"),
    (Asleep, "your code waited instead of working"),
    (TooSlow, "your code used up its time"),
)


MAX_STAFF_TEXT = 20_000


@dataclass(frozen=True)
class Finding:
    """What came of one check. `hint` is for the student; `staff` may hold what came out of the sandbox."""

    name: str
    line: str
    outcome: str
    hint: str | None
    staff: str = ""


def finding(
    name: str, line: str, question: str | None, error: BaseException | None, staff: str, submission: Submission,
    sound: Callable[[], bool] = lambda: False,
) -> Finding:
    """Return what a check's end means.

    Args:
        question: the check's own hint.
        error: the exception that ended the check, None when it passed.
        staff: the check's traceback here, for staff.
        sound: asked where the error looks like a fault of the grader's: whether the control passes.
    """
    if error is None:
        return Finding(name, line, PASSED, None)
    if isinstance(error, StudentError) and error.staff:
        staff = f"{staff}\n\nIn the sandbox:\n{error.staff}"
    if len(staff) > MAX_STAFF_TEXT:  # an explanation of two long values that differ
        staff = f"{staff[: MAX_STAFF_TEXT // 2]}\n[...]\n{staff[-MAX_STAFF_TEXT // 2 :]}"
    outcome = outcome_of(error)
    said = sentence(error, submission) if outcome in (NOT_YET, TOO_SLOW) else ""
    if outcome == GRADER_FAULT and sound():
        outcome, said = NOT_YET, SPOILT
    hint = ". ".join(part[:1].upper() + part[1:] for part in (said, question if outcome == NOT_YET else "") if part)
    return Finding(name, line, outcome, hint or None, staff)


def outcome_of(error: BaseException) -> str:
    """Return what an error by itself means; GRADER_FAULT for all that no rule knows."""
    if isinstance(error, NotWritten):
        return NOT_WRITTEN
    if isinstance(error, (TooSlow, Asleep)):
        return TOO_SLOW
    if isinstance(error, HostKill) and not isinstance(error, Overdrawn):
        return GRADER_FAULT
    return NOT_YET if isinstance(error, (StudentError, AssertionError, Failed)) else GRADER_FAULT


def sentence(error: BaseException, submission: Submission) -> str:
    """Return what a student may read of an error that came of their code; "" when nothing is to be said."""
    if isinstance(error, WrongType) and error.is_none:
        return f"{KIND}: None, as when a branch does not return"
    if isinstance(error, Raised):
        return raised_sentence(error.names[0], error.cell, error.line, submission)
    for kind, words in _SENTENCES:
        if isinstance(error, kind):
            return words or str(error)
    return ""


def raised_sentence(name: str, cell: str, line: int, submission: Submission) -> str:
    """Return what may be said of an exception: a built-in name, and the line in their file; nothing else of theirs.

    Both come from the sandbox, so both are held against what we know: Python's own names, and their file.
    """
    known = getattr(builtins, name, None)
    named = name if isinstance(known, type) and issubclass(known, BaseException) else "an exception of your own"
    sources = [own.source for own in submission.cells if own.label == cell]
    if sources and 0 < line <= max(source.count("\n") + 1 for source in sources):
        return f"{named} in {cell}, line {line}"
    return named


def outcome(findings: list[Finding]) -> str:
    """Return an exercise's outcome: passed when every check is; a fault of ours is shown, whatever else is."""
    outcomes = {finding.outcome for finding in findings}
    for one in (GRADER_FAULT, TOO_SLOW):
        if one in outcomes:
            return one
    if outcomes == {PASSED}:
        return PASSED
    return NOT_WRITTEN if outcomes == {NOT_WRITTEN} else NOT_YET


def earned(findings: list[Finding]) -> bool:
    """Say whether the exercise has its points: every check passed, and there was one."""
    return {finding.outcome for finding in findings} == {PASSED}


def rank(findings: list[Finding]) -> tuple[int, int]:
    """Order two attempts at an exercise, the better one first: by outcome, then by checks not passed."""
    order = (PASSED, GRADER_FAULT, NOT_YET, TOO_SLOW, NOT_WRITTEN)  # what is undecided may pass yet
    return order.index(outcome(findings)), sum(finding.outcome != PASSED for finding in findings)
