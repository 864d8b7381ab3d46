"""How a conversation with student code can fail, and what may be believed of an exception over there."""

from __future__ import annotations

from typing import Any

from autograder.plain_text import plain_text

MAX_STAFF_TEXT = 4000
MAX_NAMES = 12  # of an exception's built-in classes
MAX_NAME = 200  # of an exception, or of a cell


class StudentError(Exception):
    """The student's code gave no value. `staff` is for staff only; it may hold what came out of the sandbox."""

    staff = ""


class Raised(StudentError):
    """An exception in the student's code.

    `names`: its built-in classes, most special first ("" for a class of their own); `cell`, `line`: where, in their file.
    """

    def __init__(self, names: list[str], cell: str, line: int, staff: str) -> None:
        super().__init__(names[0] or "an exception of your own")
        self.names, self.cell, self.line, self.staff = names, cell, line, staff


class NotWritten(StudentError):
    """The function is missing, or is still the stub."""


class TooSlow(StudentError):
    """The exercise's CPU time is used up."""


class Asleep(StudentError):
    """The wall guard fired although little CPU time was used: asleep, or a very busy host."""


class Died(StudentError):
    """The student's process ended by itself: an exit, a crash, or a kill from inside."""


class HostKill(StudentError):
    """The host's kernel killed the process for want of memory: nobody's wrong answer."""


class Overdrawn(HostKill):
    """The same, where the student's code had started processes or threads: a second time it is its own doing."""


class OutOfMemory(Died):
    """The student's process asked for more memory than there is."""


class Unsendable(StudentError):
    """The answer does not fit the wire: too large, too deep, or not its language."""


class Refused(Exception):
    """A callback's refusal: what the student's code gets to see instead of a value."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.reply = (kind, value)


def raised(value: Any) -> StudentError:
    """Read a worker's description of an exception; whatever does not fit it is dropped, not believed."""
    kinds = [list, str, int, bool, str]
    if not (type(value) is list and list(map(type, value)) == kinds and all(type(name) is str for name in value[0])):
        return Unsendable("an answer in another language")
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
    """Return what staff may see of a text from the sandbox: not too much, and nothing that a terminal obeys."""
    return plain_text(text[-MAX_STAFF_TEXT:]) if isinstance(text, str) else ""


def label(text: Any) -> str:
    """Return a name from the sandbox, such as a cell's, in one line that is not too long."""
    return plain_text(text, MAX_NAME).replace("\n", "\ufffd").replace("\t", "\ufffd") if isinstance(text, str) else ""


class WrongType(StudentError):
    """An answer of another kind than the docstring promises: `expected` and `found` are such kinds, for the student."""

    def __init__(self, expected: str, described: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {described}")
        self.staff = str(self)
        self.expected, self.found = expected, found
