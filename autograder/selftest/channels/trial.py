"""Let a pair try its channel, and count the bits that arrive: outside of the sandbox, and from one sandbox to another."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from autograder.sandbox.codec import Special
from autograder.sandbox.errors import StudentError
from autograder.sandbox.profiles import SandboxProfile
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Session
from autograder.selftest.channels.common import COMMON
from autograder.selftest.channels.pairs import Pair

KNOWN, BITS = (1, 0) * 6, 64  # the first bits tell the receiver how a 1 and a 0 look
STRIDE = 256 * 1024  # as in common.py
BEFORE_START_S = 0.5
CPU_S = 60.0
SMALL = SandboxProfile(memory_mib=400)
DRIVER = """
import json, sys
space = {}
for line in sys.stdin:
    name, arguments = json.loads(line)
    try: answer = [True, exec(arguments[0], space) if name == "exec" else space[name](*arguments)]
    except BaseException as error: answer = [False, type(error).__name__]
    print(json.dumps(answer), flush=True)
"""
# The one channel beside that the trial itself gives: a common clock.
BESIDE = """
def send(bits, start):
    for number, bit in enumerate(bits):
        until(start + number * SLOT)
        if bit: act(start + (number + 0.8) * SLOT)
def receive(many, start):
    seen = []
    for number in range(many):
        until(start + number * SLOT)
        seen.append(float(look(start + (number + 0.9) * SLOT)))
    return seen
"""


class Refused(Exception):
    """A pair could not do what it tries; the text is the name of its error."""


class End(Protocol):
    """One end of a channel: a process with the code of a pair."""

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the pair; Refused if it raises."""


@dataclass(frozen=True)
class Outcome:
    """right: how many of `BITS` bits arrived, half of them by chance; refused: the error if nothing could be tried."""

    right: int
    refused: str = ""
    bits_per_s: float = 0.0

    @property
    def carried(self) -> bool:
        """Whether more arrived than chance explains (49 or more of 64: one in a hundred thousand)."""
        return self.right >= 49

    def __str__(self) -> str:
        return f"refused ({self.refused})" if self.refused else f"{self.right} of {BITS}"


class _Outside:
    def __init__(self, code: str) -> None:
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen([sys.executable, "-c", DRIVER], stdin=pipe, stdout=pipe, stderr=null, text=True)
        self.call("exec", code)

    def call(self, name: str, *arguments: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        print(json.dumps((name, arguments)), file=self.process.stdin, flush=True)
        good, value = json.loads(self.process.stdout.readline() or '[false, "ended"]')
        if not good:
            raise Refused(value)
        return value

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class _Inside:
    def __init__(self, sandbox: Sandbox, code: str) -> None:
        self.session = Session(sandbox, cpu_s=CPU_S, hard_cpu_s=2 * CPU_S)
        problems = self.session.request("load", [["cell 1", code]], False)
        if problems:
            raise Refused(problems[0][0] or problems[0][-1])
        self.session.allow(CPU_S)

    def call(self, name: str, *arguments: Any) -> Any:
        try:
            return self.session.request("call", Special("function", name), list(arguments), {})
        except StudentError as error:
            raise Refused(getattr(error, "names", [type(error).__name__])[0]) from error

    def close(self) -> None:
        self.session.close()


def with_control(pair: Pair, inside: Inside) -> tuple[Outcome, Outcome]:
    """Return how the pair does as two processes and in two sandboxes.

    Where the host is busy and the pair does not work outside, it has four times as long for each bit, and so has the pair in the
    sandboxes.
    """
    for slower in (1, 4):
        slowed = replace(pair, slot_s=pair.slot_s * slower)
        control = outside(slowed)
        if control.carried or not pair.beside:
            break
    return control, inside(slowed)


def outside(pair: Pair, seed: int = 0) -> Outcome:
    """Let the pair try it as two ordinary processes: the positive control."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        for name, size in (("file", 4096), ("pages", (len(KNOWN) + BITS + 2) * STRIDE)):
            with open(Path(folder, name), "wb") as file:
                file.write(random.Random(seed).randbytes(size))
                os.fsync(file.fileno())
        _evict(Path(folder, "pages"))

        @contextmanager
        def end(sends: bool) -> Iterator[End]:
            made = _Outside(_code(pair, folder, sends))
            try:
                yield made
            finally:
                made.close()

        return _trial(pair, end, seed)


class Inside:
    """Lets pairs try it from one sandbox to the next one, or to the one beside it."""

    def __init__(self) -> None:
        self._sandboxes: list[Sandbox] = []

    def __call__(self, pair: Pair, seed: int = 0) -> Outcome:
        """Let the pair try it; as in grading, a sandbox is used again as long as it may be."""
        for path in _large(self._sandbox(0).files):
            _evict(path)

        @contextmanager
        def end(sends: bool) -> Iterator[End]:
            made = _Inside(self._sandbox(int(pair.beside and not sends)), _code(pair, "", sends))
            try:
                yield made
            finally:
                made.close()

        return _trial(pair, end, seed)

    def _sandbox(self, number: int) -> Sandbox:
        while len(self._sandboxes) <= number:
            self._sandboxes.append(Sandbox(SMALL))
        if not self._sandboxes[number].reusable:
            self._sandboxes[number].close()
            self._sandboxes[number] = Sandbox(SMALL)
        return self._sandboxes[number]

    def close(self) -> None:
        """End the sandboxes."""
        for sandbox in self._sandboxes:
            sandbox.close()


def _code(pair: Pair, folder: str, sends: bool) -> str:
    given = {"OUTSIDE": folder, "SENDS": sends, "SLOT": pair.slot_s, "CPUS": sorted(os.sched_getaffinity(0))}
    head = "".join(f"{name} = {value!r}\n" for name, value in given.items())
    return head + COMMON + pair.code + (BESIDE if pair.beside else "")


def _trial(pair: Pair, end: Any, seed: int) -> Outcome:
    drawn = random.Random(f"{pair.name} {seed}")
    bits = [*KNOWN, *(drawn.getrandbits(1) for _ in range(BITS))]
    try:
        begun = time.monotonic()
        seen = (_beside if pair.beside else _after)(end, bits)
        return Outcome(_right(bits, seen), bits_per_s=len(bits) / (time.monotonic() - begun))
    except Refused as refused:
        return Outcome(0, str(refused))


def _after(end: Any, bits: list[int]) -> list[float]:
    with end(True) as sender:
        sender.call("leave", bits)
    with end(False) as receiver:
        return [float(number) for number in receiver.call("find", len(bits))]


def _beside(end: Any, bits: list[int]) -> list[float]:
    problems: list[Refused] = []

    def send(sender: End, start: float) -> None:
        try:
            sender.call("send", bits, start)
        except Refused as refused:
            problems.append(refused)

    with end(True) as sender, end(False) as receiver:
        start = time.monotonic() + BEFORE_START_S
        thread = threading.Thread(target=send, args=(sender, start))
        thread.start()
        try:
            seen: list[float] = receiver.call("receive", len(bits), start)
        finally:
            thread.join()
    if problems:
        raise problems[0]
    return seen


def _right(bits: list[int], seen: list[float]) -> int:
    """Read each number as the bit whose known examples it is nearer to, and count the right ones."""
    known = list(zip(KNOWN, seen, strict=False))
    of_ones, of_zeros = (statistics.median(number for bit, number in known if bit == wanted) for wanted in (1, 0))
    pairs = list(zip(bits, seen, strict=True))[len(KNOWN):]
    return sum((abs(number - of_ones) < abs(number - of_zeros)) == bit for bit, number in pairs)


@lru_cache(maxsize=4)
def _large(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size > STRIDE]


def _evict(path: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)
