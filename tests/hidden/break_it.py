"""Break it: the students' own checks, tried on implementations that are right and on implementations that are wrong.

`implementations.py` beside a suite is a bank of cells `# %% right: what is different` and `# %% wrong: what is wrong`, each with
our own function edited, or with a whole function, as in tests/right and tests/wrong; tests/unit/test_break_it.py compares it
with these. A wrong one has a hint: what its author would be asked. The student's check runs in the sandbox, each time in a new
process; the implementation runs here, on plain values that the docstring allows, and nothing of it is over there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.own_check import MOST_CALLS
from autograder.grading.hidden_checks.known_mistakes import ask
from autograder.grading.hidden_checks.own_time import StuckError
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.problem_sets.bank.edits import written_out
from autograder.problem_sets.source import load
from autograder.sandbox.errors import Raised, Refused

# The nodes, or the actions, of all these calls together: 30 on average. A set whose arguments have another size says so. It is
# counted before any work is done: so all implementations cost the grader some seconds at the very most, and no verdict depends
# on the grader's own speed.
MOST_NODES_SENT, NODES = 100_000, "nodes or actions"
_CELL = re.compile(r"^# %% (right|wrong): (.+)\n(?:# hint: (.+)\n)?", re.MULTILINE)
OUR_OWN = "our own"  # the title of our solution among the right ones
# what the student reads beside a check of which no implementation is the reason
QUESTIONS = {"right": "does your check ask only for what the docstring promises?",
             "wrong": "which call would show this mistake, and which assert would then fail?"}


class OutsideError(Exception):
    """An argument that the docstring does not allow; the text says which, and holds nothing of the student's."""


class DecidedError(Exception):
    """The check is over: a call that was refused has decided it, whatever the student's code would do next."""


@dataclass(frozen=True)
class Implementation:
    """One implementation of a function. hint: of a wrong one, the question to its author."""

    title: str
    hint: str
    code: str


def lengths(*args: Any, **named: Any) -> int:
    """Return the size of a call's largest argument: the squares of a board, the items of a list or a dict.

    Of a row, a tuple, it is the length of its longest list.
    """
    return max(map(_length, (*args, *named.values())), default=0)


def _length(argument: Any) -> int:
    if type(argument) is tuple:
        return max((len(item) for item in argument if type(item) is list), default=0)
    return argument.size if isinstance(argument, np.ndarray) else len(argument) if type(argument) in (list, dict) else 0


@dataclass
class Called:
    """An implementation as a student's check meets it: it counts the calls, and remembers how the last one ended.

    run: gets the function, and the arguments as they came; raises OutsideError for arguments that the docstring does not allow.
    size: of these arguments, in `unit`; all calls together may have `most`.
    """

    function: Callable[..., Any]
    run: Callable[..., Any]
    size: Callable[..., int] = lengths
    most: int = MOST_NODES_SENT
    unit: str = NODES
    calls: int = 0
    sent: int = 0
    outside: str = ""
    raised: bool = False
    overrun: str = ""

    @property
    def refused(self) -> bool:
        """Whether a call was refused: by its arguments, or because there were too many."""
        return bool(self.outside or self.overrun)

    def __call__(self, args: list[Any], named: dict[str, Any]) -> Any:
        self.calls += 1
        self.raised = False
        try:
            self.sent += self.size(*args, **named)
            if self.calls > MOST_CALLS or self.sent > self.most:
                too_large = f"with more than {self.most:,} {self.unit} in all"
                self.overrun = f"more than {MOST_CALLS:,} times" if self.calls > MOST_CALLS else too_large
                raise DecidedError
            return self.run(self.function, *args, **named)
        except OutsideError as error:
            self.outside = str(error)
            raise DecidedError from None
        except (StuckError, DecidedError):  # nothing of the implementation's: the grader has waited long enough
            raise
        except Exception as its_own:  # of the implementation; a TypeError too if the call does not fit its signature
            self.raised = True
            raise Refused("error", f"the implementation raised {type(its_own).__name__}") from None


@cache
def implementations(ps: str, kind: str) -> tuple[Implementation, ...]:
    """Return the right or the wrong implementations of a set; our own solution is the first of the right ones.

    Raises:
        ValueError: a cell that is not read, because its header has another form.
    """
    path = Path(__file__).parent / ps / "implementations.py"
    text = path.read_text(encoding="utf-8")
    parts = _CELL.split(text)[1:]
    if len(parts) // 4 != text.count("# %% "):
        raise ValueError(f"{path}: a header is not `# %% right: title` or `# %% wrong: title`")
    entries = [Implementation(OUR_OWN, "", "")] if kind == "right" else []
    for named, title, hint, code in zip(*[iter(parts)] * 4, strict=True):
        if named == kind:
            entries.append(Implementation(title, hint or "", written_out(ps, code.strip("\n") + "\n")))
    return tuple(entries)


def function_of(ps: str, exercise: str, name: str, code: str) -> Callable[..., Any]:
    """Return the function `name` of an implementation, made anew, so that it remembers nothing of an earlier submission."""
    reference = load(ps).reference((exercise,))
    space: dict[str, Any] = {"__name__": "implementation"}
    for source in (reference.imports, *(own for _, own in reference.functions), code):
        exec(_compiled(source), space)
    function: Callable[..., Any] = space[name]
    return function


@cache
def _compiled(source: str) -> Any:
    return compile(source, "<implementation>", "exec")


def cases(ps: str, kind: str) -> pytest.MarkDecorator:
    """Return the mark that makes a check of each implementation, named by its place: a check's name must not tell the title."""
    rows = []
    for place, entry in enumerate(implementations(ps, kind)):
        marks = [pytest.mark.hint(QUESTIONS[kind])]
        words = {"passed": f"caught: {entry.title}",
                 "lost": f"a mistake passes your check. Its author would be asked: {entry.hint}"}
        marks += [pytest.mark.wording(**words)] if kind == "wrong" else []
        rows.append(pytest.param(place, marks=marks, id=f"{kind}{place}"))
    return pytest.mark.parametrize("place", rows)


@dataclass(frozen=True)
class BreakIt:
    """The exercise of one set: the function under test, the student's check, and how an implementation is called."""

    ps: str
    exercise: str  # of the function under test
    function: str
    travels: str  # how arguments travel, see sandbox/inside/implementations.py
    run: Callable[..., Any]
    size: Callable[..., int] = lengths
    most: int = MOST_NODES_SENT
    unit: str = NODES

    def passes_right(self, student: Student, place: int) -> None:
        """Insist that the student's check accepts a right implementation."""
        called = self._called("right", place)
        rejected = self._rejects(student, called)
        ask(f"your check calls {self.function} {called.overrun}: which calls show nothing new?" if called.overrun else
            f"your check calls {self.function} with {called.outside}: does the docstring allow it?" if called.outside else
            "a right implementation fails your check: what do you ask for that its docstring does not promise?")
        assert not rejected, f"a right implementation must pass: {implementations(self.ps, 'right')[place].title}"

    def fails_wrong(self, student: Student, place: int) -> None:
        """Insist that the student's check rejects a wrong implementation."""
        called = self._called("wrong", place)
        assert self._rejects(student, called) and not called.refused, (
            f"a wrong implementation must be rejected: {implementations(self.ps, 'wrong')[place].title}"
        )

    def _called(self, kind: str, place: int) -> Called:
        code = implementations(self.ps, kind)[place].code
        return Called(function_of(self.ps, self.exercise, self.function, code), self.run, self.size, self.most, self.unit)

    def _rejects(self, student: Student, called: Called) -> bool:
        """Say whether the check raises AssertionError, or lets through what a wrong implementation raised."""
        try:
            getattr(student, f"check_{self.function}")(student.implementation(called, self.travels))
        except DecidedError:
            return True
        except Raised as error:
            if "AssertionError" in error.names or called.raised:
                return True
            raise
        return False


def need(holds: bool, what: str) -> None:
    """Raise OutsideError, with words for an argument that the docstring does not allow, unless `holds`."""
    if not holds:
        raise OutsideError(what)


def whole(value: Any) -> bool:
    """Say whether a value is a whole number of no unreasonable size, and no bool."""
    if type(value) is int:  # nearly always, and quick: a check may send hundreds of nodes thousands of times
        return -10**9 <= value <= 10**9
    return isinstance(value, np.integer) and abs(int(value)) <= 10**9


def number(value: Any) -> bool:
    """Say whether a value is a finite number of no unreasonable size, and no bool."""
    if type(value) is float:
        return -1e9 <= value <= 1e9
    return whole(value) or isinstance(value, np.floating) and abs(float(value)) <= 1e9
