"""The zygote: the first process inside the sandbox. It forks one worker per exercise and never runs student code.

Started as root, it is process 1 of its namespace and keeps CAP_SETUID, CAP_SETGID and CAP_KILL. It gives each worker a user
id that no other process on the host has, and the process number 2 (with CAP_CHECKPOINT_RESTORE). Only the zygote has the
host's /proc, as an open folder; the /proc inside is read-only, and covered where it shows other processes. The grader sends
requests over a socket, as JSON lines:

    {"op": "open", "uid": 64001 | null, "cpu": 3, "cpu_s": 30, "memory_mib": 1024, "processes": 16}   + the worker's socket
    {"op": "cpu"}      CPU time of the worker and of all that it started
    {"op": "close"}    kill the remaining processes and wait until the namespace is empty
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import random
import resource
import select
import signal
import socket
import sys
from contextlib import suppress

TYPE_CHECKING = False  # as in `typing`, whose import would take time
if TYPE_CHECKING:
    from typing import Any

ADDR_NO_RANDOMIZE = 0x0040000
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 4, 24, 38
OOM_SCORE = b"1000"  # a worker's: the kernel kills it first when memory is used up, whatever the others hold
AGAIN, WORKER = "again", "worker"
TICKS = os.sysconf("SC_CLK_TCK")
SEED = 20_261_120
# Made here, not in a worker: a worker pays a page of memory for an object that it makes or first writes to.
LIBC = ctypes.CDLL(None, use_errno=True)
CAPABILITY_VERSION_3 = (ctypes.c_uint32 * 2)(0x20080522, 0)
NO_CAPABILITIES = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, twice 32 bits of each


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    proc = int(sys.argv[2])
    for path in reversed(sys.argv[3].split(":")):
        sys.path.insert(0, path)
    _fixed_addresses()
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # a worker of the same user cannot open /proc/1/mem
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # else Python handles it, and a worker of the same user could end us with it
    _import_ahead(sys.argv[4].split(","))
    Zygote(control, proc).serve()
    os._exit(0)


def _fixed_addresses() -> None:
    """Start again without address randomisation: the order of a set of objects depends on addresses.

    The kernel randomises again when an exec gains capabilities. Root's exec gains none: its bounding set is reduced first.
    """
    if sys.argv[-1] == AGAIN:
        return
    for capability in set(range(64)) - _capabilities():
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    LIBC.personality(ADDR_NO_RANDOMIZE)
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:], AGAIN])


def _capabilities() -> set[int]:
    """Return the numbers of the capabilities that this process has."""
    data = type(NO_CAPABILITIES)()
    LIBC.capget(CAPABILITY_VERSION_3, data)
    return {number for number in range(64) if data[3 * (number // 32) + 1] >> number % 32 & 1}


def _import_ahead(names: list[str]) -> None:
    for name in (*filter(None, names), WORKER):  # our own modules too are read before any change of uid
        __import__(name)
    if "numpy" in sys.modules:  # nothing here draws random numbers: every worker begins with these states
        sys.modules["numpy"].random.seed(SEED)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(SEED)
        sys.modules["torch"].set_num_threads(1)
    gc.collect()
    gc.freeze()  # else the first collection in a worker would write into every page that it shares with the zygote


class Zygote:
    """Forks, watches and ends the workers, one at a time."""

    def __init__(self, control: socket.socket, proc: int) -> None:
        self.control = control
        self.proc = proc
        self.child = 0
        self.reaped_cpu_s = 0.0
        self.ended: dict[str, int] | None = None
        self.alone = True

    def serve(self) -> None:
        control = self.control
        self.reply({"ready": True, "pid": int(os.readlink("self", dir_fd=self.proc)), "renumbers": self.renumber()})
        pending = b""
        while True:
            readable, _, _ = select.select([control], [], [], 0.2)
            self.reap()
            if not readable:
                continue
            data, descriptors, _, _ = socket.recv_fds(control, 65536, 1)
            if not data:
                break
            pending += data
            while b"\n" in pending:
                line, _, pending = pending.partition(b"\n")
                self.obey(json.loads(line), descriptors)
        self.close()

    def obey(self, request: dict[str, Any], descriptors: list[int]) -> None:
        living_cpu_s = 0.0  # right after the fork, and after all have ended
        if request["op"] == "open":
            self.open(request, descriptors[0])
        elif request["op"] == "close":
            self.alone = self.last_pid() == self.child
            self.close()
            self.renumber()
        else:
            self.reap()
            living_cpu_s = self.living_cpu_s()
        self.reply({"cpu_s": self.reaped_cpu_s + living_cpu_s, "ended": self.ended, "alone": self.alone})

    def reply(self, message: dict[str, Any]) -> None:
        self.control.sendall(json.dumps(message).encode() + b"\n")

    def open(self, request: dict[str, Any], descriptor: int) -> None:
        if self.child:
            self.close()
        self.reaped_cpu_s, self.ended, self.alone = 0.0, None, True
        with suppress(OSError):  # the grader's CPU, unless the grader has lost it meanwhile; the worker inherits it
            os.sched_setaffinity(0, {request["cpu"]})
        self.child = os.fork()
        if self.child == 0:
            try:
                _volunteer(self.proc)
                _become_worker(request, descriptor, self.control)
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(99)
        os.close(descriptor)

    def reap(self, wait: bool = False) -> None:
        """Record the children that have ended; with `wait`, wait for all children."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, 0 if wait else os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.reaped_cpu_s += usage.ru_utime + usage.ru_stime
            if pid == self.child:
                how = "signal" if os.WIFSIGNALED(status) else "exit"
                self.ended = {how: os.WTERMSIG(status) if how == "signal" else os.WEXITSTATUS(status)}

    def living_cpu_s(self) -> float:
        total = 0
        for pid in _others():
            try:
                with open(f"/proc/{pid}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            total += sum(map(int, fields[11:15]))  # utime, stime, and those of its own reaped children
        return total / TICKS

    def last_pid(self) -> int:
        """Return the latest process number of this namespace; one above the worker's means: a process or thread was started."""
        descriptor = os.open("loadavg", os.O_RDONLY, dir_fd=self.proc)  # the file shows each reader its own namespace
        try:
            return int(os.read(descriptor, 100).split()[-1])
        finally:
            os.close(descriptor)

    def renumber(self) -> bool:
        """Give the next process the number 2 again, like the first; return False if that is not allowed."""
        if os.getpid() != 1:
            return False
        try:
            descriptor = os.open("sys/kernel/ns_last_pid", os.O_WRONLY, dir_fd=self.proc)  # of the writer's own namespace
            try:
                return os.write(descriptor, b"1") == 1
            finally:
                os.close(descriptor)
        except OSError:
            return False

    def close(self) -> None:
        """Kill every process but this one, and return only when no other is left."""
        while True:
            if os.getpid() == 1:
                try:
                    os.kill(-1, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            elif self.child:
                _kill_group(self.child)
            self.reap(wait=os.getpid() == 1)  # process 1 inherits every orphan: without a child it is alone
            if os.getpid() != 1 or not _others():
                break
        self.child = 0


def _volunteer(proc: int) -> None:
    """Let the kernel kill this process first when memory is used up, which cannot be undone; close the host's /proc."""
    LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else the file belongs to root, not to its owner
    with suppress(OSError):
        descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=proc)
        os.write(descriptor, OOM_SCORE)
        os.close(descriptor)
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.close(proc)


def _others() -> list[int]:
    """Return the processes of this namespace without the zygote (outside a namespace: its descendants)."""
    me = os.getpid()
    if me == 1:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != me]
    try:
        with open(f"/proc/{me}/task/{me}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass


def _become_worker(request: dict[str, Any], descriptor: int, control: socket.socket) -> None:
    control.close()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if request["root"]:
        os.chroot(request["root"])  # the same files, without /proc
        os.chdir("/")
    os.setsid()
    connection = socket.socket(fileno=os.dup2(descriptor, 3) if descriptor != 3 else 3)
    os.closerange(4, 4096)
    memory, cpu_s = request["memory_mib"] * 2**20, int(request["cpu_s"])
    for limit, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NPROC, request["processes"]),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_FSIZE, 2**20),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    if request["uid"] is not None:
        os.setgroups([])
        os.setresgid(*[request["uid"]] * 3)
        os.setresuid(*[request["uid"]] * 3)
    if request["root"]:
        _drop_capabilities()
        if os.getuid() == 0 or _has_capabilities():
            os._exit(98)
    random.seed(SEED)  # Python seeds the generator again in every fork
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):  # last: until here the grader sees our own errors
        os.dup2(null, standard)
    os.close(null)
    sys.modules[WORKER].run(connection)


def _drop_capabilities() -> None:
    """Empty the inheritable set too; a change of user does not empty it."""
    LIBC.capset(CAPABILITY_VERSION_3, NO_CAPABILITIES)


def _has_capabilities() -> bool:
    data = type(NO_CAPABILITIES)(*[1] * 6)
    return LIBC.capget(CAPABILITY_VERSION_3, data) != 0 or any(data)  # only an inheritable capability can be ambient


if __name__ == "__main__":
    main()
