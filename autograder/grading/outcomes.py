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

from autograder.grading.report import Outcome
from autograder.plain_text import plain_text
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
    WrongType,
)
from autograder.submission.read import Submission

# Exceptions of arena's, and what they mean.
MEANING = {"IllegalMove": "The game refuses this action: it is not legal in that state, or the game was over there"}
MOST_STATEMENT = 100  # characters of a statement that are quoted
SPOILT = "the grader could not work with what your code does or returns; with the course's own solution it can"
_SENTENCES: tuple[tuple[Any, str], ...] = (
    ((OutOfMemory, Overdrawn), "your code needed more memory than a submission may use"),
    (Died, ""),
    (Unsendable, "the answer is too large or of a kind that cannot be read"),
    (Asleep, "your code waited instead of working"),
    (TooSlow, "your code used up its time"),
)


MAX_STAFF_TEXT = 20_000


@dataclass(frozen=True)
class Finding:
    """What came of one check. `hint` is for the student; `staff` may hold what came out of the sandbox.

    recognised: the hint belongs to a mistake that gives the very value that came.
    """

    name: str
    line: str
    outcome: Outcome
    hint: str | None
    staff: str = ""
    recognised: bool = False


def finding(
    name: str, line: str, question: str | None, error: BaseException | None, staff: str, submission: Submission,
    sound: Callable[[], bool] = lambda: False, recognised: bool = False,
) -> Finding:
    """Return what a check's end means.

    What stopped the code is told as it is, and a value that is wrong by a question: a question beside an exception would lead
    away from it.

    Args:
        question: the hint to the value.
        recognised: whether it is that of a mistake which gives this very value.
        error: the exception that ended the check, None when it passed.
        staff: the check's traceback here, for staff.
        sound: asked where the error looks like a fault of the grader's: whether the control passes.
    """
    if error is None:
        return Finding(name, line, Outcome.PASSED, None)
    if isinstance(error, StudentError) and error.staff:
        staff = f"{staff}\n\nIn the sandbox:\n{error.staff}"
    if len(staff) > MAX_STAFF_TEXT:  # an explanation of two long values that differ
        staff = f"{staff[: MAX_STAFF_TEXT // 2]}\n[...]\n{staff[-MAX_STAFF_TEXT // 2 :]}"
    outcome = outcome_of(error)
    said = sentence(error, submission) if outcome in (Outcome.NOT_YET, Outcome.TOO_SLOW) else ""
    if outcome == Outcome.GRADER_FAULT and sound():
        outcome, said = Outcome.NOT_YET, SPOILT
    asks = outcome == Outcome.NOT_YET and (not said or _is_placeless(error, submission))
    hint = ". ".join(part[:1].upper() + part[1:] for part in (said, question if asks else "") if part)
    return Finding(name, line, outcome, hint or None, staff, recognised and not said)


def speaking(findings: list[Finding]) -> Finding | None:
    """Return the one finding of an exercise whose hint the student reads; None where there is no hint.

    One mistake fails several checks. The first that recognises it speaks, else the first that has something to say.
    """
    spoken = [one for one in findings if one.hint and one.outcome != Outcome.PASSED]
    return next((one for one in spoken if one.recognised), spoken[0] if spoken else None)


def outcome_of(error: BaseException) -> Outcome:
    """Return what an error by itself means; GRADER_FAULT for all that no rule knows."""
    if isinstance(error, NotWritten):
        return Outcome.NOT_WRITTEN
    if isinstance(error, (TooSlow, Asleep)):
        return Outcome.TOO_SLOW
    if isinstance(error, HostKill) and not isinstance(error, Overdrawn):
        return Outcome.GRADER_FAULT
    return Outcome.NOT_YET if isinstance(error, (StudentError, AssertionError, Failed)) else Outcome.GRADER_FAULT


def sentence(error: BaseException, submission: Submission, quoting: bool = True) -> str:
    """Return what a student may read of an error that came of their code; "" when nothing is to be said.

    Args:
        quoting: whether the statement is quoted that raised it; not where others than its student may read the sentence.
    """
    if isinstance(error, WrongType):
        return f"the docstring promises {error.expected}, and your code gives {error.found}"
    if isinstance(error, Raised):
        tell = raised_sentence if quoting else raised_place
        return tell(error.names[0], error.cell, error.line, submission)
    for kind, words in _SENTENCES:
        if isinstance(error, kind):
            return words or str(error)
    return ""


def raised_sentence(name: str, cell: str, line: int, submission: Submission) -> str:
    """Return what a student may read of an exception: its place, what stands there, and what it means where it is arena's."""
    statement = _statement(cell, line, submission)
    said = raised_place(name, cell, line, submission) + (f": `{statement}`" if statement else "")
    return f"{said}. {MEANING[name]}" if name in MEANING else said


def raised_place(name: str, cell: str, line: int, submission: Submission) -> str:
    """Return what may be said of an exception: a name that we know, and the line in their file.

    All come from the sandbox, so all are held against what we know: Python's and arena's own names, and the file. Nothing else
    that the sandbox says is told.
    """
    known = getattr(builtins, name, None)
    is_known = name in MEANING or isinstance(known, type) and issubclass(known, BaseException)
    said = name if is_known else "an exception of your own"
    return said if _statement(cell, line, submission) is None else f"{said} in {cell}, line {line}"


def _is_placeless(error: BaseException, submission: Submission) -> bool:
    """Say whether an exception names no line of the file: what came back was of a kind that could not be worked with."""
    return isinstance(error, Raised) and _statement(error.cell, error.line, submission) is None


def _statement(cell: str, line: int, submission: Submission) -> str | None:
    """Return the line of a cell, cut where it is long; None where there is no such line."""
    sources = [own.source.split("\n") for own in submission.cells if own.label == cell]
    lines = next((source for source in sources if 0 < line <= len(source)), None)
    if lines is None:
        return None
    statement = plain_text(lines[line - 1].strip(), 2 * MOST_STATEMENT)
    return statement if len(statement) <= MOST_STATEMENT else f"{statement[: MOST_STATEMENT - 3]}..."


def outcome(findings: list[Finding]) -> Outcome:
    """Return an exercise's outcome: passed when every check is; a fault of ours is shown, whatever else is."""
    outcomes = {finding.outcome for finding in findings}
    for one in (Outcome.GRADER_FAULT, Outcome.TOO_SLOW):
        if one in outcomes:
            return one
    if outcomes == {Outcome.PASSED}:
        return Outcome.PASSED
    return Outcome.NOT_WRITTEN if outcomes == {Outcome.NOT_WRITTEN} else Outcome.NOT_YET


def earned(findings: list[Finding]) -> bool:
    """Say whether the exercise has its points: every check passed, and there was one."""
    return {finding.outcome for finding in findings} == {Outcome.PASSED}


def rank(findings: list[Finding]) -> tuple[int, int]:
    """Order two attempts at an exercise, the better one first: by outcome, then by checks not passed."""
    # a fault stands second: what is undecided may pass yet
    order = (Outcome.PASSED, Outcome.GRADER_FAULT, Outcome.NOT_YET, Outcome.TOO_SLOW, Outcome.NOT_WRITTEN)
    return order.index(outcome(findings)), sum(finding.outcome != Outcome.PASSED for finding in findings)
