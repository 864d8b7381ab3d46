"""The ways in which a conversation with student code can fail, and the parts of a student's exception that can be trusted."""

from __future__ import annotations

from typing import Any

from autograder.plain_text import plain_text

MAX_STAFF_TEXT = 4000
MAX_NAMES = 12  # of an exception's built-in classes
MAX_NAME = 200  # of an exception, or of a cell


class StudentError(Exception):
    """The student's code gave no value. `staff` is for staff only; it may hold text from the sandbox."""

    staff = ""


class Raised(StudentError):
    """An exception in the student's code.

    `names`: its built-in classes, most specific first ("" for a class of the student); `cell`, `line`: its place there.
    """

    def __init__(self, names: list[str], cell: str, line: int, staff: str) -> None:
        super().__init__(names[0] or "an exception of your own")
        self.names, self.cell, self.line, self.staff = names, cell, line, staff


class NotWritten(StudentError):
    """The function is missing, or is still the stub."""


class TooSlow(StudentError):
    """The exercise's CPU time is used up."""


class Costly(StudentError):
    """Reading and answering what the code sends has used up the grader's own CPU time: it says nothing about the code's speed."""


class WallClockTimeout(StudentError):
    """The wall-clock limit passed although little CPU time was used: the code sleeps, or the host is very busy."""


class Died(StudentError):
    """The student's process ended by itself: an exit, a crash, or a kill from inside."""


class HostKill(StudentError):
    """The host's kernel killed the process because memory was used up: this is not a wrong answer."""


class Overdrawn(HostKill):
    """The same, but the student's code had started processes or threads: a second time it is the code's own fault."""


class OutOfMemory(Died):
    """The student's process used up its memory."""


class Unsendable(StudentError):
    """The answer does not fit the protocol: too large, too deep, or not in its format."""


class Refused(Exception):
    """A callback's refusal: the student's code gets this instead of a value."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.reply = (kind, value)


def raised(value: Any) -> StudentError:
    """Return the error for a worker's description of an exception; parts that do not fit are dropped, not believed."""
    kinds = [list, str, int, bool, str]
    if not (type(value) is list and list(map(type, value)) == kinds and all(type(name) is str for name in value[0])):
        return Unsendable("an answer in another format")
    names, cell, line, is_stub, staff = value
    error: StudentError
    if is_stub:
        error = NotWritten("the stub's own error")
    elif "MemoryError" in names:
        error = OutOfMemory("out of memory")
    else:
        error = Raised([label(name) for name in names[:MAX_NAMES]] or [""], label(cell), line, "")
    error.staff = readable(staff)
    return error


def readable(text: Any) -> str:
    """Return a text from the sandbox for staff: not too long, and without control sequences for a terminal."""
    return plain_text(text[-MAX_STAFF_TEXT:]) if isinstance(text, str) else ""


def label(text: Any) -> str:
    """Return a name from the sandbox, such as a cell's, as one line that is not too long."""
    return plain_text(text, MAX_NAME).replace("\n", "\ufffd").replace("\t", "\ufffd") if isinstance(text, str) else ""


class WrongType(StudentError):
    """An answer of another kind than the docstring promises: `expected` and `received` name the two kinds for the student."""

    def __init__(self, expected: str, described: str, received: str) -> None:
        super().__init__(f"expected {expected}, found {described}")
        self.staff = str(self)
        self.expected, self.received = expected, received
