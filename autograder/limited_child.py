"""Work on a stranger's text in a child process, with limits of time and memory: a failure there does not harm the parent.

    from autograder.limited_child import OverLimit, within

    try:
        html = within(2.0, 256, safe_markdown, source)
    except OverLimit as error:
        html = f"<p>This text cannot be shown ({error}).</p>"

`function` is ours and is trusted; its input is not. Unlimited time and memory, nesting that breaks Python's stack, and an
unexpected exception all become `OverLimit`; nothing else is raised. An answer that the caller expects, such as a complaint
about the text, is therefore returned and not raised.

A child costs a few milliseconds. Short texts under patterns that are known to be linear need no child; texts for a parser
that is not ours (Python's parser, a lexer, markdown) do. Many texts of one student go into one call.
"""

from __future__ import annotations

import faulthandler
import gc
import math
import os
import pickle
import resource
import signal
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar, cast

Answer = TypeVar("Answer")
# A child that waits for a lock of another thread of the parent uses no CPU time and never ends.
WALL_S, WALL_FACTOR = 20.0, 30.0
TIME, MEMORY, CRASH = "time", "memory", "crash"
_HEAD_BYTES = 8
_HERE = str(Path(__file__).resolve().parent)


class OverLimit(Exception):
    """The work was not done; the text says why, in words for a student: "took more than 2 s of CPU time".

    kind: TIME, MEMORY, CRASH, or the class name of the exception. place: for staff, the place of the exception in our code,
    or the signal that ended the child, or "".
    """

    def __init__(self, kind: str, message: str, place: str = "") -> None:
        super().__init__(message)
        self.kind, self.place = kind, place


def within(cpu_s: float, mib: int, function: Callable[..., Answer], *arguments: object) -> Answer:
    """Return `function(*arguments)`, computed in a child process; changes that the function makes stay in the child.

    Args:
        cpu_s: its limit of CPU time. mib: its limit of memory, beyond the present memory of this process.
        function, arguments: not pickled; the answer is.

    Raises:
        OverLimit: it passed a limit, ended the child, or raised any exception.
        OSError: this host has no room for another process.
    """
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if child == 0:
        _work(writing, cpu_s, mib, function, arguments)
    os.close(writing)
    try:
        with open(reading, "rb") as pipe:
            message = _message(pipe)
    except BaseException:  # Ctrl-C
        _end(child, at_once=True)
        raise
    status = _end(child)
    if message is None:
        raise _ended_early(status, cpu_s)
    kind, answer = pickle.loads(message)  # our own code wrote it, in our own child
    if kind is not None:
        raise OverLimit(kind, _sentence(kind, cpu_s), answer)
    return cast(Answer, answer)


def place_of(error: BaseException) -> str:
    """Return the place in our code where an exception was raised ("read.py, line 221, _joined"), without its message."""
    places = [(step.f_code, line) for step, line in traceback.walk_tb(error.__traceback__)]
    places = places[1:] or places  # the first is the place where it was caught
    ours = [place for place in places if place[0].co_filename.startswith(_HERE)] or places
    return f"{Path(ours[-1][0].co_filename).name}, line {ours[-1][1]}, {ours[-1][0].co_name}" if ours else ""


def failure_text(error: BaseException) -> str:
    """Return for staff the failure and its place in our code; of an exception only its class: its text may be a stranger's."""
    parts = (str(error), error.place) if isinstance(error, OverLimit) else (f"raised {type(error).__name__}", place_of(error))
    return (" by " if parts[1].startswith("signal") else " in ").join(filter(None, parts))


def _work(writing: int, cpu_s: float, mib: int, function: Callable[..., Any], arguments: tuple[object, ...]) -> NoReturn:
    """Do the work in the child, send the answer, and end without the parent's cleaning up."""
    try:
        _limit(cpu_s, mib)
        try:
            answer = pickle.dumps((None, function(*arguments)))
        except MemoryError:
            answer = pickle.dumps((MEMORY, ""))
        except BaseException as error:
            answer = pickle.dumps((type(error).__name__, place_of(error)))
        with open(writing, "wb") as pipe:
            pipe.write(len(answer).to_bytes(_HEAD_BYTES, "little") + answer)
    finally:
        os._exit(0)


def _limit(cpu_s: float, mib: int) -> None:
    gc.freeze()  # no garbage lies among the parent's objects, and a page that is not looked at is not copied
    faulthandler.disable()  # the parent reports a crash
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends the child
    for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower(resource.RLIMIT_CPU, math.ceil(cpu_s) + 1)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + mib * 2**20)
    # the kernel ends the process at these two limits, without any Python code
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    signal.setitimer(signal.ITIMER_REAL, WALL_S + WALL_FACTOR * cpu_s)


def _lower(what: int, most: int) -> None:
    """Set a limit, unless a lower one is set already."""
    _, hard = resource.getrlimit(what)
    lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (lowest, lowest))


def _message(pipe: BinaryIO) -> bytes | None:
    """Return a child's message, or None if the child ended before its last byte.

    The message begins with its length: the end of the pipe may come later, if a child of another thread holds its writing end.
    """
    head = pipe.read(_HEAD_BYTES)
    size = int.from_bytes(head, "little")
    message = pipe.read(size) if len(head) == _HEAD_BYTES else b""
    return message if message and len(message) == size else None


def _end(child: int, at_once: bool = False) -> int:
    """Wait for the child and return its status."""
    try:
        if at_once:
            os.kill(child, signal.SIGKILL)
        return os.waitpid(child, 0)[1]
    except (ProcessLookupError, ChildProcessError):  # another part of the program has waited for it
        return 0


def _ended_early(status: int, cpu_s: float) -> OverLimit:
    """Return the error for a child that ended without an answer."""
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    known: dict[int, str] = {signal.SIGPROF: TIME, signal.SIGXCPU: TIME, signal.SIGALRM: TIME, signal.SIGKILL: MEMORY}
    kind = known.get(number, CRASH)
    return OverLimit(kind, _sentence(kind, cpu_s), f"signal {number}" if number and kind == CRASH else "")


def _sentence(kind: str, cpu_s: float) -> str:
    known = {TIME: f"took more than {cpu_s:g} s of CPU time", MEMORY: "took too much memory", CRASH: "ended the reader's process"}
    return known.get(kind, f"raised {kind}")
