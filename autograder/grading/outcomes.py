"""From the end of a check to the text for the student: the five outcomes, never confused.

    missing function, or the stub's own error                                 not written
    wrong value, exception, wrong signature, exit, crash, out of its memory   not yet
    out of CPU time                                                           too slow
    an exception of ours, a broken sandbox, the host's kill                   grader fault, or not yet

A reference run decides the last line: the same check in the same edition over our own solution. If it passes, grader and
host are sound, and the submission is the cause.
"""

from __future__ import annotations

import builtins
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from _pytest.outcomes import Failed

from autograder.grading.report import Outcome
from autograder.plain_text import plain_text
from autograder.sandbox.errors import (
    Costly,
    Died,
    HostKill,
    NotWritten,
    OutOfMemory,
    Overdrawn,
    Raised,
    StudentError,
    TooSlow,
    Unsendable,
    WallClockTimeout,
    WrongType,
)
from autograder.submission.read import Submission

# Exceptions of arena, and their meaning.
MEANING = {"IllegalMove": "The game refuses this action: it is not legal in that state, or the game was over there"}
OF_YOUR_OWN = "Your own code raises this error: is this a case for which the docstring asks for it?"
_OF_A_CHECK = re.compile(r'(File "[^"\n]*/tests/hidden/[^"\n]*/test_[^"\n]*"), line \d+')
_OBJECT = re.compile(r"<object (\d+) of the submission>")  # the repr of a RemoteHandle
MOST_STATEMENT = 100  # characters of a statement that are quoted
SPOILT = "the grader could not work with what your code does or returns; with the course's own solution it can"
_SENTENCES: tuple[tuple[Any, str], ...] = (
    ((OutOfMemory, Overdrawn), "your code needed more memory than a submission may use"),
    (Costly, "the grader stopped: reading and answering what your code sends took too long; your own code was not too slow"),
    (Died, ""),
    (Unsendable, "the answer is too large or of a kind that cannot be read"),
    (WallClockTimeout, "your code waited instead of working"),
    (TooSlow, "your code used up its time"),
)

MAX_STAFF_TEXT = 20_000
NOT_TRIED = "not tried yet: every right implementation must pass first"
# The same with no reason. Never the sentences of the check itself: they say "caught", and name the mistake.
UNTRIED = "your check was not tried on this implementation"


@dataclass(frozen=True)
class Finding:
    """The result of one check. `hint` is for the student; `staff` may hold text from the sandbox.

    recognised: the hint is for a mistake that gives exactly the student's value.
    stopped: the hint says what stopped the code: an exception, or a limit.
    partial_credit: the points of its (optional) exercise go by how many of these checks pass.
    """

    name: str
    line: str
    outcome: Outcome
    hint: str | None
    staff: str = ""
    recognised: bool = False
    partial_credit: bool = False
    stopped: bool = False


@dataclass(frozen=True)
class Wording:
    """What a student reads of a check: its sentence, and the question that helps where the value is wrong.

    recognised, partial_credit: as in `Finding`.
    """

    name: str
    line: str
    question: str | None = None
    recognised: bool = False
    partial_credit: bool = False


def finding(
    wording: Wording, error: BaseException | None, submission: Submission, sound: Callable[[], bool] = lambda: False
) -> Finding:
    """Return the meaning of a check's end.

    If an exception stopped the code, the student reads the exception; for a wrong value, the student reads a question. A
    question beside an exception would mislead.

    Args:
        error: the exception that ended the check; None if the check passed. Its traceback in the grader is for staff.
        sound: returns whether the reference run passes; called if the error looks like a fault of the grader.
    """
    if error is None:
        return Finding(wording.name, wording.line, Outcome.PASSED, None, partial_credit=wording.partial_credit)
    # a check's line number would change with another check above it; its name and the statement are there
    staff = _OF_A_CHECK.sub(r"\1", "".join(traceback.format_exception(error, limit=-4)))
    if isinstance(error, StudentError) and error.staff:
        staff = f"{staff}\n\nIn the sandbox:\n{error.staff}"
    if len(staff) > MAX_STAFF_TEXT:  # pytest's explanation of two long values that differ
        staff = f"{staff[: MAX_STAFF_TEXT // 2]}\n[...]\n{staff[-MAX_STAFF_TEXT // 2 :]}"
    staff = _renumbered(staff)
    outcome = outcome_of(error)
    reason = sentence(error, submission) if outcome in (Outcome.NOT_YET, Outcome.TOO_SLOW) else ""
    if outcome == Outcome.GRADER_FAULT and sound():
        outcome, reason = Outcome.NOT_YET, SPOILT
    asks = outcome == Outcome.NOT_YET and (not reason or _is_placeless(error, submission))
    hint = ". ".join(part[:1].upper() + part[1:] for part in (reason, wording.question if asks else "") if part)
    return Finding(wording.name, wording.line, outcome, hint or None, staff, wording.recognised and not reason,
                   wording.partial_credit, stopped=bool(reason))


def _renumbered(text: str) -> str:
    """Number the submission's objects in the order in which a text names them.

    Their own numbers also count what earlier checks made, so they would differ where only some of the checks are run again.
    """
    numbers: dict[str, int] = {}
    return _OBJECT.sub(lambda match: f"<object {numbers.setdefault(match[1], len(numbers) + 1)} of the submission>", text)


def speaking(findings: list[Finding]) -> Finding | None:
    """Return the one finding of an exercise whose hint the student reads; None if no check has a hint.

    One mistake fails several checks. The hint of the first check that recognises it counts, else the first hint. Checks with
    partial credit all ask the same general question: what stopped the code in one of them says more.
    """
    spoken = [finding for finding in findings if finding.hint and finding.outcome != Outcome.PASSED]
    in_part = bool(spoken) and spoken[0].partial_credit
    telling = (finding for finding in spoken if finding.recognised or in_part and finding.partial_credit and finding.stopped)
    return next(telling, spoken[0] if spoken else None)


def outcome_of(error: BaseException) -> Outcome:
    """Return the outcome for an error alone; GRADER_FAULT for an error without a rule."""
    if isinstance(error, NotWritten):
        return Outcome.NOT_WRITTEN
    if isinstance(error, (TooSlow, WallClockTimeout)):
        return Outcome.TOO_SLOW
    if isinstance(error, HostKill) and not isinstance(error, Overdrawn):
        return Outcome.GRADER_FAULT
    return Outcome.NOT_YET if isinstance(error, (StudentError, AssertionError, Failed)) else Outcome.GRADER_FAULT


def sentence(error: BaseException, submission: Submission, quoting: bool = True) -> str:
    """Return the sentence for a student on an error of their code; "" if there is nothing to say.

    Args:
        quoting: whether to quote the statement that raised it; not where other people may read the sentence.
    """
    if isinstance(error, WrongType):
        return f"the docstring promises {error.expected}, and your code gives {error.received}"
    if isinstance(error, Raised):
        tell = raised_sentence if quoting else raised_place
        return tell(error.names[0], error.cell, error.line, submission)
    for kind, words in _SENTENCES:
        if isinstance(error, kind):
            return words or str(error)
    return ""


def raised_sentence(name: str, cell: str, line: int, submission: Submission) -> str:
    """Return the sentence on an exception for a student: its place, the statement, and a word on what it means.

    A traceback tells little to a student whose own `raise` was executed, or whose action arena's games refused.
    """
    statement = _statement(cell, line, submission)
    place = raised_place(name, cell, line, submission) + (f": `{statement}`" if statement else "")
    meaning = OF_YOUR_OWN if re.match(r"raise\b", statement or "") else MEANING.get(name)
    return f"{place}. {meaning}" if meaning else place


def raised_place(name: str, cell: str, line: int, submission: Submission) -> str:
    """Return the safe part of an exception: a name that we know, and the line in the student's file.

    Both come from the sandbox, and are compared with what we know: Python's and arena's own names, and the file. Other text
    from the sandbox is not shown.
    """
    known = getattr(builtins, name, None)
    is_known = name in MEANING or isinstance(known, type) and issubclass(known, BaseException)
    exception = name if is_known else "an exception of your own"
    return exception if _statement(cell, line, submission) is None else f"{exception} in {cell}, line {line}"


def _is_placeless(error: BaseException, submission: Submission) -> bool:
    """Say whether an exception has no line in the file: the check could not work with the kind of the returned value."""
    return isinstance(error, Raised) and _statement(error.cell, error.line, submission) is None


def _statement(cell: str, line: int, submission: Submission) -> str | None:
    """Return the line of a cell, shortened if it is long; None if the cell has no such line."""
    sources = [source.split("\n") for label, source in submission.code() if label == cell]
    lines = next((source for source in sources if 0 < line <= len(source)), None)
    if lines is None:
        return None
    statement = plain_text(lines[line - 1].strip(), 2 * MOST_STATEMENT)
    return statement if len(statement) <= MOST_STATEMENT else f"{statement[: MOST_STATEMENT - 3]}..."


def outcome(findings: list[Finding]) -> Outcome:
    """Return an exercise's outcome: passed if every check is passed; a fault of ours comes before all other outcomes."""
    outcomes = {finding.outcome for finding in findings}
    for decisive in (Outcome.GRADER_FAULT, Outcome.TOO_SLOW):
        if decisive in outcomes:
            return decisive
    if outcomes == {Outcome.PASSED}:
        return Outcome.PASSED
    return Outcome.NOT_WRITTEN if outcomes == {Outcome.NOT_WRITTEN} else Outcome.NOT_YET


def earned(findings: list[Finding]) -> bool:
    """Say whether the exercise gets its points: every check passed, and there was at least one."""
    return {finding.outcome for finding in findings} == {Outcome.PASSED}


def partial_credit(findings: list[Finding]) -> float:
    """Return the earned part of an optional exercise's points, in [0, 1]: of its checks with partial credit, how many passed.

    It is 0 if a check without partial credit is not passed.
    """
    passed = [finding.outcome == Outcome.PASSED for finding in findings if finding.partial_credit]
    whole = all(finding.outcome == Outcome.PASSED for finding in findings if not finding.partial_credit)
    return sum(passed) / len(passed) if whole and passed else float(earned(findings))


def rank(findings: list[Finding]) -> tuple[int, int]:
    """Order two attempts at an exercise, the better one first: by outcome, then by checks not passed."""
    # a fault comes second: an undecided check may still pass
    order = (Outcome.PASSED, Outcome.GRADER_FAULT, Outcome.NOT_YET, Outcome.TOO_SLOW, Outcome.NOT_WRITTEN)
    return order.index(outcome(findings)), sum(finding.outcome != Outcome.PASSED for finding in findings)


def not_yet_tried(name: str) -> Finding:
    """Return the finding of a check whose turn comes when all right implementations have passed."""
    return Finding(name, NOT_TRIED, Outcome.NOT_YET, None, partial_credit=True)


def not_run(name: str, line: str, outcome: Outcome, hint: str | None = None, partial_credit: bool = False) -> Finding:
    """Return the finding of a check that is not run; it tells nothing of an implementation that the check would have tried."""
    return Finding(name, UNTRIED if partial_credit else line, outcome, hint, partial_credit=partial_credit)
