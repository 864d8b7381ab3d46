"""Hidden checks without a sandbox: a worker's messages are recorded, and a scripted line sends them again, true or changed.

The real Session, Student and TYPES readers are between the script and the check; only the socket is different.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from arena.edition import dice
from autograder.grading.edition import public_secret
from autograder.grading.hidden_checks.collect import HiddenCheck, hidden_suite
from autograder.grading.hidden_checks.student_proxy import Student
from autograder.grading.submission_runner import EXERCISE_CPU_S, NO_BUDGET, OURS, SubmissionRunner
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.sandbox import codec
from autograder.sandbox.profiles import profile_of
from autograder.sandbox.sandbox import Usage
from autograder.sandbox.session import Session
from autograder.submission.parse import module_cells
from autograder.submission.read import Submission

Message = tuple[Any, str, Any]  # number, kind, value


@dataclass
class Turn:
    """A request of the grader, by its kind and its subject, and all messages until its answer."""

    key: tuple[str, str]
    messages: list[Message] = field(default_factory=list)


def key_of(request: list) -> tuple[str, str]:
    """Return the subject of a request: the operation, and the function or field that it names."""
    operation, arguments = request[1], request[3]
    named = [argument.value if isinstance(argument, codec.Special) else argument for argument in arguments]
    return operation, " ".join(str(word) for word in named if isinstance(word, str))


class Frames:
    """Takes bytes and gives the values of the complete frames."""

    def __init__(self) -> None:
        self.data = b""

    def whole(self, more: bytes) -> Iterator[Any]:
        self.data += more
        while len(self.data) >= 4 and len(self.data) >= (end := 4 + codec.frame_size(self.data)):
            frame, self.data = self.data[:end], self.data[end:]
            yield codec.decode(frame, codec.HandleId, codec.Special, start=4)


class Tap:
    """A line to a real worker that writes down all messages, turn by turn."""

    def __init__(self, line: socket.socket, turns: list[Turn]) -> None:
        self.line, self.turns = line, turns
        self.out, self.back = Frames(), Frames()

    def send(self, data: Any) -> int:
        sent = self.line.send(data)
        for message in self.out.whole(bytes(data[:sent])):
            if type(message) is list:
                self.turns.append(Turn(key_of(message)))
        return sent

    def recv(self, size: int) -> bytes:
        piece = self.line.recv(size)
        self.turns[-1].messages.extend(self.back.whole(piece))
        return piece

    def __getattr__(self, name: str) -> Any:
        return getattr(self.line, name)


class Tapped:
    """A sandbox whose lines are tapped."""

    def __init__(self, sandbox: Any, turns: list[Turn]) -> None:
        self.sandbox, self.turns = sandbox, turns

    def open(self, **how: Any) -> Tap:
        return Tap(self.sandbox.open(**how), self.turns)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sandbox, name)


class Recording(SubmissionRunner):
    """Writes down the messages of the workers of our solution."""

    turns: list[Turn]

    def sandbox(self) -> Any:
        return Tapped(super().sandbox(), self.turns)


class Script:
    """Replaces sandbox and line: for each request it sends the recorded messages of an equal request."""

    def __init__(self, turns: list[Turn]) -> None:
        self.turns, self.place = turns, 0
        self.frames, self.ready = Frames(), b""

    def look_after_files(self) -> None:
        """Its files are there: it has none."""

    def send(self, data: Any) -> int:
        for message in self.frames.whole(bytes(data)):
            if type(message) is list:
                self.ready += self._turn(message)
        return len(data)

    def _turn(self, request: list) -> bytes:
        key, later = key_of(request), self.turns[self.place :]
        same = [turn for turn in later if turn.key == key] or [turn for turn in self.turns if turn.key == key]
        alike = same or [turn for turn in self.turns if turn.key[0] == key[0]]
        if not alike:
            return bytes(codec.framed((request[0], "ok", None)))
        if same and same[0] in later:
            self.place += later.index(same[0]) + 1
        *before, (_, kind, value) = alike[0].messages
        return b"".join(bytes(codec.framed(message)) for message in (*before, (request[0], kind, value)))

    def recv(self, size: int) -> bytes:
        piece, self.ready = self.ready[:size], self.ready[size:]
        return piece

    def open(self, **_: Any) -> Script:
        return self

    def usage(self) -> Usage:
        return Usage(0.0, None)

    end_worker = usage

    def setsockopt(self, *_: Any) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Recorded:
    """A check, and the turns of its conversation with our solution."""

    ps: str
    check: HiddenCheck
    turns: tuple[Turn, ...]

    def play(self, turns: list[Turn]) -> None:
        """Run the check over these turns; any exception that ends it is raised."""
        session = Session(Script(turns), cpu_s=EXERCISE_CPU_S, hard_cpu_s=EXERCISE_CPU_S)
        _run(self.ps, self.check, session)


def _run(ps: str, check: HiddenCheck, session: Session) -> None:
    functions = (name for exercise in load(ps).exercises for name in exercise.functions)
    methods = frozenset(name.partition(".")[2] for name in functions if "." in name)
    student = Student(session, hidden_suite(ps).types, methods, OURS, "torch" in profile_of(load(ps).facts).packages)
    given = {"student": student, "edition": dice(public_secret(), f"{ps}/{check.name}")}
    check.function(**check.parameters, **{name: given[name] for name in check.asks_for})
    session.settle()


@cache
def recorded(ps: str) -> tuple[Recorded, ...]:
    """Run every hidden check of a set over our solution, in a separate process, and write down the messages."""
    problem_set = load(ps)
    _, module = build(problem_set, solution=True)
    submission = Submission(problem_set, "module", tuple(module_cells(module.encode(), problem_set)), "", "")
    records = []
    for check in hidden_suite(ps).checks:
        exercise = None if check.exercise == "joint" else problem_set.exercise(check.exercise)
        runner = Recording(submission, budget=NO_BUDGET)
        runner.turns = []
        try:
            session = runner.begin(exercise, OURS, check.cpu_s or EXERCISE_CPU_S)
            runner.turns.clear()
            _run(ps, check, session)
            records.append(Recorded(ps, check, tuple(runner.turns)))
            runner.end(session)
        finally:
            runner.close()
    return tuple(records)
