"""One exercise's conversation with its worker: requests, answers, callbacks, and the CPU time that the kernel counts."""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Callable
from types import MethodType
from typing import Any

from autograder.sandbox import codec, ending
from autograder.sandbox.errors import Costly, Died, Refused, StudentError, TooSlow, Unsendable, WallClockTimeout, raised
from autograder.sandbox.sandbox import Sandbox, SandboxDied, Usage

# The wall-clock limit: the grader waits this long for a worker, and WALL_FACTOR times its CPU time in addition, because on a
# busy host other processes work in between. It holds whatever the worker does: sleep, send, or send a byte now and then.
WALL_TIMEOUT_S = 20.0
WALL_FACTOR = 10.0
SIGXCPU_SLACK_S = 2.0
LOOK_S = 0.1  # how often the account is read; no verdict depends on it
SLICE_BYTES = 2**16
LATE_S = 1.0  # a look that comes so late was held up: the grader itself had no processor, or was stopped for a while
MOST_HEARD_BYTES = 64 * 2**20  # in one conversation; a check may keep them all, and ours hear less than a hundredth
_CPUS = os.cpu_count() or 1
MOST_OF_OURS_S = 20.0  # CPU time that an exercise may cost the grader itself; less than the limit of a hidden check


class Session:
    """Sends requests to one worker and returns their values.

    Args:
        sandbox: runs the worker; it has one worker at a time.
        cpu_s: CPU seconds after which the exercise is too slow; `allow` sets a new limit (loading has its own).
        wall_timeout_s: how long the grader waits for the worker, until the next `allow`.
    """

    def __init__(self, sandbox: Sandbox, *, cpu_s: float, hard_cpu_s: float, wall_timeout_s: float = WALL_TIMEOUT_S) -> None:
        self._sandbox = sandbox
        self._wall_timeout_s = wall_timeout_s
        self._begun = time.monotonic()
        self._oom_kills = ending.oom_kills()
        self._socket = sandbox.open(cpu_s=hard_cpu_s + SIGXCPU_SLACK_S)
        self.open = True  # False once the worker is gone
        for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # no call on it ever blocks for longer
            self._socket.setsockopt(socket.SOL_SOCKET, direction, struct.pack("ll", 0, int(LOOK_S * 1e6)))
        self._rest = bytearray()
        self._heard_bytes = 0
        self._number = 0
        self._before: list[list[Any]] = []
        self._callbacks: list[Callable[..., Any]] = []
        self._raw: set[int] = set()  # callbacks that get their arguments as they came over the connection
        self._from_handle: Callable[[int], Any] = codec.HandleId
        self._read_argument: Callable[[Any], Any] = _as_it_is
        self.cpu_used_s = 0.0
        self._ours_s = MOST_OF_OURS_S
        self.allow(cpu_s)

    def allow(self, cpu_s: float, wall_timeout_s: float | None = None) -> None:
        """Let the worker use `cpu_s` more CPU seconds from now on, and wait `wall_timeout_s` for it (None: as before)."""
        self.cpu_limit_s = cpu_s
        self._wall_timeout_s = self._wall_timeout_s if wall_timeout_s is None else wall_timeout_s
        self._cpu_from_s = self._usage().cpu_s if self._number else 0.0
        self._own_cpu_from_s = time.process_time()
        self._from = self._allowed_at = now = time.monotonic()
        self._look_at = now + LOOK_S

    def spend(self, ours_s: float) -> None:
        """Let the conversation cost `ours_s` CPU seconds of the grader's own from the last `allow` on."""
        self._ours_s = ours_s

    @property
    def wall_s(self) -> float:
        """The duration of the conversation so far, or until its end, in wall-clock time."""
        return (time.monotonic() if self.open else self._ended) - self._begun

    def handles_become(self, make: Callable[[int], Any]) -> None:
        """Let `make(number)` replace the objects that stay in the sandbox."""
        self._from_handle = make

    def arguments_become(self, read: Callable[[Any], Any]) -> None:
        """Let `read` convert the arguments that student code passes to a callback; it may raise a StudentError."""
        self._read_argument = read

    def callback(self, function: Callable[..., Any], names: tuple[str, ...] = ()) -> codec.Special:
        """Return an argument in place of `function`: the student's code calls it, and the function runs here, in the grader.

        Args:
            names: names of its parameters; student code may pass them by these names, and `function` gets them by place.
        """
        return codec.Special("callback", (self.callback_number(function), names))

    def callback_number(self, function: Callable[..., Any], raw: bool = False) -> int:
        """Return the number under which student code calls `function`; with `raw`, arrays stay arrays."""
        for number, known in enumerate(self._callbacks):
            if known is function or isinstance(function, MethodType) and known == function:
                return number
        self._callbacks.append(function)
        if raw:
            self._raw.add(len(self._callbacks) - 1)
        return len(self._callbacks) - 1

    def request(self, operation: str, *arguments: Any) -> Any:
        """Send a request to the worker and return its value.

        Raises:
            StudentError: one of the classes in errors.py.
        """
        if not self.open:
            raise Died("your code ended its own process")
        self._number += 1
        number = self._number
        before, self._before = self._before, []
        self._send([number, operation, before, list(arguments)])
        while True:
            answer = self._receive()
            # compare exact types first: an array would answer == with an array
            if not (type(answer) is tuple and len(answer) == 3 and type(answer[0]) is int and type(answer[1]) is str):
                raise Unsendable("an answer in another format")
            echo, kind, value = answer
            if kind == "callback" and type(value) is list:
                self._call_back(echo, value)
            elif echo != number:
                raise Unsendable("an answer to another question")
            elif kind == "ok":
                if operation == "load":
                    self._sandbox.look_after_files()
                return value
            elif kind == "error":
                self._sandbox.look_after_files()
                raise raised(value)
            else:
                raise Unsendable("an answer that does not fit the protocol")

    def later(self, operation: str, *arguments: Any) -> None:
        """Let the worker execute an operation just before the next request; that answer reports the operation's errors too."""
        self._before.append([operation, list(arguments)])

    def settle(self) -> None:
        """Execute the operations of `later`, and raise TooSlow if the CPU limit was passed unnoticed."""
        if self._before and self.open:
            self.request("read", None)
        self.check_time()

    def _call_back(self, which: Any, arguments: list[Any]) -> None:
        if type(which) is not int or not 0 <= which < len(self._callbacks):
            raise Unsendable("a call of an unknown callback")
        try:
            given = arguments if which in self._raw else map(self._read_argument, arguments)
            answer = self._callbacks[which](*given)
            reply = ("return", codec.packed(answer) or answer)
        except Refused as refusal:
            reply = refusal.reply
        except (TypeError, LookupError, ValueError, AttributeError, ArithmeticError, MemoryError, RecursionError):
            reply = ("error", "an argument that does not fit")  # the student's code passed it, and sees a ValueError
        except BaseException:
            self.close()  # the check is over; the process still waits for an answer, and is of no more use
            raise
        self._send(reply)

    def _send(self, message: Any) -> None:
        """Send a message; if the worker does not read it, the time limit ends the wait."""
        data = codec.framed(message)
        sent = 0
        while sent < len(data):
            try:
                sent += self._socket.send(memoryview(data)[sent:sent + SLICE_BYTES])  # one call may wait for each buffer it fills
                if sent < len(data) and time.monotonic() > self._look_at:
                    self._look()  # the worker may read a byte now and then
            except BlockingIOError:
                self._look()
            except OSError as error:
                raise self._why_it_ended() from error

    def _receive(self) -> Any:
        try:
            data = self._frame()
            self._heard_bytes += len(data)
            if self._heard_bytes > MOST_HEARD_BYTES:
                raise codec.ProtocolError(f"more than {MOST_HEARD_BYTES} bytes of answers and questions")
            return codec.decode(data, self._from_handle, start=4)
        except codec.ProtocolError as error:
            self.close()  # nobody knows where the next frame begins
            raise Unsendable(str(error)) from error

    def _frame(self) -> bytes:
        """Return the next frame with its length in front; bytes after it wait."""
        if not self._rest:
            data = self._more()
            if len(data) >= 4 and len(data) == 4 + codec.frame_size(data):
                return data  # nearly always
            self._rest += data
        while len(self._rest) < 4 or len(self._rest) < 4 + codec.frame_size(self._rest):
            self._rest += self._more()
        size = 4 + codec.frame_size(self._rest)
        data = bytes(self._rest[:size])
        del self._rest[:size]
        return data

    def _more(self) -> bytes:
        while True:
            try:
                piece = self._socket.recv(65536)
            except BlockingIOError:
                self._look(idle=True)
                continue
            except OSError as error:
                raise self._why_it_ended() from error
            if not piece:
                raise self._why_it_ended()
            if time.monotonic() > self._look_at:
                self._look()  # the worker may send without end
            return piece

    def _look(self, idle: bool = False) -> None:
        """Check the clock and the kernel's account of the worker; raise if its time is used up.

        Args:
            idle: nothing has come for a while; the worker may have ended and left a child that keeps the connection open.
        """
        now = time.monotonic()
        if now - self._look_at > LATE_S:  # nobody waited in this time, so the worker is not to blame for it
            self._from += now - self._look_at
            self._begun += now - self._look_at
        usage = self._usage()
        self._look_at = time.monotonic() + LOOK_S
        if idle and usage.ended is not None:
            raise self._why_it_ended()
        used_s = usage.cpu_s - self._cpu_from_s
        if used_s > self.cpu_limit_s:
            raise TooSlow(f"more than {self.cpu_limit_s:g} s of CPU time")
        if time.process_time() - self._own_cpu_from_s > self._ours_s:
            raise Costly(f"the grader spent more than {self._ours_s:g} s of its own CPU time on it")
        at_work_s = min(used_s + time.process_time() - self._own_cpu_from_s, self.cpu_limit_s)
        if now - self._from > self._wall_timeout_s + WALL_FACTOR * at_work_s:
            raise (TooSlow if used_s > self.cpu_limit_s / 2 else WallClockTimeout)("the time limit passed without an answer")

    def _usage(self) -> Usage:
        try:
            usage = self._sandbox.usage()
        except SandboxDied as died:
            if died.starved:
                raise self._why_it_ended() from died
            raise
        self.cpu_used_s = usage.cpu_s
        return usage

    def check_time(self) -> None:
        """Raise TooSlow if many short answers have passed the CPU limit; the account is read only if that is possible."""
        possible_s = (time.monotonic() - self._allowed_at) * _CPUS  # it may have worked while nobody looked
        if self.open and possible_s > self.cpu_limit_s and self._usage().cpu_s - self._cpu_from_s > self.cpu_limit_s:
            raise TooSlow(f"more than {self.cpu_limit_s:g} s of CPU time")

    def _why_it_ended(self) -> StudentError:
        usage = self.close()
        out_of_time = usage.cpu_s - self._cpu_from_s > self.cpu_limit_s
        starved = self._sandbox.starved
        return ending.why_it_ended(usage, starved=starved, out_of_time=out_of_time, oom_kills_before=self._oom_kills)

    def close(self) -> Usage:
        """End the worker; return its usage. The session answers no more requests.

        Raises:
            SandboxDied: on the first call, if the sandbox itself is gone; not if this worker used up its memory.
        """
        if self.open:
            self._socket.close()
            self.open = False
            self._ended = time.monotonic()
            self._final = Usage(self.cpu_used_s, None)  # for a sandbox that no longer answers
            try:
                self._final = self._sandbox.end_worker()
            except SandboxDied as died:
                if not died.starved:
                    raise
            self.cpu_used_s = self._final.cpu_s
        return self._final


def _as_it_is(value: Any) -> Any:
    return value
