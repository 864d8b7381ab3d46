"""One sandbox: a bubblewrap process with the zygote in it, and the workers that it starts, one exercise at a time."""

from __future__ import annotations

import json
import os
import resource
import select
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import UserError
from autograder.sandbox.bubblewrap import (
    INSTALL_HINT,
    JAIL,
    SandboxUnavailable,
    bare_command,
    bubblewrap,
    command,
    entered,
    root_mode,
)
from autograder.sandbox.host import one_cpu, seccomp
from autograder.sandbox.host.cgroup import NOTHING_HAPPENED, Group, MemoryEvents
from autograder.sandbox.host.files import tree_of, warm
from autograder.sandbox.host.locks import lock_folder
from autograder.sandbox.host.uids import UidBlock
from autograder.sandbox.profiles import SandboxProfile

START_GUARD_S = 60.0
END_GUARD_S = 20.0
ZYGOTE_MIB, ZYGOTE_PROCESSES = 256, 8  # for the zygote and bubblewrap themselves, beside the student's
# A limit of 1 byte for core files: the kernel then also calls no crash handler, which would run outside, as root, and keep what
# it finds. With a limit of 0 the kernel would call it. The filter prevents student code from changing this limit.
NO_CRASH_REPORT = (1, 1)


class SandboxDied(RuntimeError):
    """The sandbox itself (not the student's process in it) has ended: a fault of the host or of our code.

    An exception is `starved`: the kernel killed a process in it while a worker ran, because together its processes had used
    up the sandbox's memory. The worker alone can cause this, whichever process was killed.
    """

    def __init__(self, text: str, starved: bool = False) -> None:
        super().__init__(text)
        self.starved = starved


@dataclass(frozen=True)
class Usage:
    """The kernel's account of a worker and its children; `ended` is None, {"signal": n} or {"exit": n}.

    `alone`: the worker has started no process and no thread.
    """

    cpu_s: float
    ended: dict[str, int] | None
    alone: bool = True


class Sandbox:
    """A running zygote. `sandboxed=False` runs it without bubblewrap, for the course's own solutions only.

    As root, every worker gets a new user id in the same sandbox. As an ordinary user, whose namespace has only one id, the
    caller needs a fresh Sandbox for each exercise (see `reusable`).
    """

    def __init__(self, profile: SandboxProfile = SandboxProfile(), *, sandboxed: bool = True) -> None:
        self.profile, self.sandboxed = profile, sandboxed
        self._uids = UidBlock() if sandboxed and root_mode() else None
        self._group = Group(profile.memory_mib + ZYGOTE_MIB, profile.processes + ZYGOTE_PROCESSES) if sandboxed else None
        self._tree = tree_of(profile) if sandboxed and bubblewrap() else None
        self._control, inside = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the sandbox
        self._buffer = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._broken = self._opened = False
        self._memory_before = NOTHING_HAPPENED
        try:
            self._process = self._start(inside)
            inside.close()
            ready = self._reply(START_GUARD_S)
            self._renumbers = ready["renumbers"]
            resource.prlimit(ready["pid"], resource.RLIMIT_CORE, NO_CRASH_REPORT)
        except BaseException as error:
            inside.close()
            self.close()
            if isinstance(error, SandboxDied):
                raise SandboxUnavailable(f"the sandbox did not start ({error}). On a fresh host: {INSTALL_HINT}; "
                                f"in a container: docs/container.md") from error
            raise

    @property
    def reusable(self) -> bool:
        """Whether the next exercise may run in this sandbox: it is alive, and no exercise has left a trace in it.

        None has run yet; or each worker has its own user id, and process numbers do not show how many were started before.
        """
        return (self._uids is not None or not self._opened) and not self._broken

    @property
    def files(self) -> Path:
        """The folder of the host with the copy of this sandbox's files."""
        assert self._tree is not None, "a bare sandbox has no files of its own"
        return self._tree.folder

    @property
    def alive(self) -> bool:
        """Whether its process runs and has answered every request so far."""
        return not self._broken and self._process is not None and self._process.poll() is None

    def _start(self, inside: socket.socket) -> subprocess.Popen[bytes]:
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        descriptors = inside.fileno(), proc
        try:
            if self._group is None or self._tree is None:  # without isolation
                return self._popen(bare_command(self.profile, *descriptors), descriptors, {**os.environ, "PYTHONHASHSEED": "0"})
            with tempfile.TemporaryFile() as file:
                file.write(seccomp.filter_bytes())
                file.seek(0)
                line = entered(self._group.doors, command(self.profile, self._tree.folder, *descriptors, file.fileno()))
                return self._popen(line, (*descriptors, file.fileno()), None)
        finally:
            os.close(proc)

    def _popen(
        self, line: list[str], descriptors: tuple[int, ...], environment: dict[str, str] | None
    ) -> subprocess.Popen[bytes]:
        null = subprocess.DEVNULL
        return subprocess.Popen(line, stdin=null, stdout=null, stderr=self._errors, pass_fds=descriptors, env=environment)

    def open(self, *, cpu_s: float) -> socket.socket:
        """Start a worker for one exercise and return the grader's end of its socket.

        Args:
            cpu_s: a hard limit on each process's CPU seconds; the session watches a finer one.
        """
        self._opened = True
        if self._tree is not None:
            warm(self._tree)
        self._memory_before = self._memory()
        ours, theirs = socket.socketpair()
        uid = self._uids.next() if self._uids else None
        limits = {"memory_mib": self.profile.memory_mib, "processes": self.profile.processes if self.sandboxed else 4096}
        request = {"op": "open", "uid": uid, "cpu_s": max(1, round(cpu_s)), "cpu": one_cpu.stay(), **limits}
        request["root"] = JAIL if self.sandboxed else None
        try:
            socket.send_fds(self._control, [json.dumps(request).encode() + b"\n"], [theirs.fileno()])
            self._reply(START_GUARD_S)
        except OSError as error:
            raise self._death() from error
        finally:
            theirs.close()
        return ours

    def usage(self) -> Usage:
        """Return the usage so far of the present worker and of everything that it started."""
        return self._ask("cpu")

    @property
    def starved(self) -> bool:
        """Whether the kernel killed a process in here since the last `open`, because together they used more than a sandbox may.

        A kill alone does not prove that: if the host itself runs out of memory, the kernel counts a kill too, and no process
        in the sandbox is at fault.
        """
        now, before = self._memory(), self._memory_before
        return now.kills > before.kills and now.full > before.full

    def look_after_files(self) -> None:
        """Raise SandboxDied if somebody has removed the files: an import that failed is then not the student's fault."""
        if self._tree and not self._tree.whole:
            self._broken = True
            raise SandboxDied("the files of the sandbox were removed while it ran")

    def _memory(self) -> MemoryEvents:
        return self._group.memory_events() if self._group else NOTHING_HAPPENED

    def end_worker(self) -> Usage:
        """Kill the worker and all that it left behind; return its final account."""
        one_cpu.roam()
        usage = self._ask("close")
        if not usage.alone and not self._renumbers:
            self._broken = True  # the next worker's process number would show how many processes this one has started
        return usage

    def _ask(self, operation: str) -> Usage:
        try:
            self._control.sendall(json.dumps({"op": operation}).encode() + b"\n")
        except OSError as error:
            raise self._death() from error
        reply = self._reply(START_GUARD_S)
        return Usage(reply["cpu_s"], reply["ended"], reply["alone"])

    def _reply(self, guard_s: float) -> dict[str, Any]:
        while b"\n" not in self._buffer:
            readable, _, _ = select.select([self._control], [], [], guard_s)
            try:
                data = self._control.recv(65536) if readable else b""
            except ConnectionError:  # it ended before it had read our request
                data = b""
            if not data:
                raise self._death()
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _death(self) -> SandboxDied:
        self._broken = True
        one_cpu.roam()
        starved = self.starved
        return SandboxDied("out of memory" if starved else self._last_error() or "the sandbox did not answer", starved)

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        """End the sandbox and everything in it; when this returns, nothing of it is left.

        The zygote ends when its socket is closed; bubblewrap ends when the kernel has cleared the whole namespace.
        """
        self._control.close()
        if self._process is not None:
            try:
                self._process.wait(END_GUARD_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._errors.close()
        if self._group:
            self._group.close()
        if self._uids:
            self._uids.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def check_sandbox() -> None:
    """Open a sandbox and close it: a host without a working sandbox gets one sentence here, not a fault for every submission.

    Raises:
        UserError: no sandbox works here; the text says what to do.
    """
    try:
        lock_folder()
        Sandbox().close()
    except SandboxUnavailable as error:
        raise UserError(str(error)) from error
