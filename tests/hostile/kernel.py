"""Attacks on the kernel of a notebook and on its output, for graders that run notebooks; and attacks on the host's kernel:
traces that one sandbox could leave there for the next one, or signals to the one beside it."""

from autograder.selftest.attack.bank import SOLVED, Attack

NOTHING = '''


def forged(*args, **kwargs):
    return None
'''

TRANSFORMER = '''
import ast


class NoAsserts(ast.NodeTransformer):
    """Drops every assertion, and every call of a check, from the cells that come after this one."""

    def visit_Assert(self, node):
        return ast.Pass()

    def visit_FunctionDef(self, node):
        if node.name.startswith("check_"):
            node.decorator_list, node.body = [], [ast.Pass()]
        return node


get_ipython().ast_transformers.append(NoAsserts())
''' + NOTHING

DISPLAY = '''
shell = get_ipython()
for event in ("post_run_cell", "pre_run_cell"):
    shell.events.register(event, lambda *args: shell.displayhook(1.0))
shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: shell.displayhook(1.0)
''' + NOTHING

SHOWTRACEBACK = '''
import sys

sys.excepthook = lambda *args: None
try:
    get_ipython().set_custom_exc((BaseException,), lambda *args, **kwargs: None)
except NameError:
    pass
''' + NOTHING

SWALLOW = '''
try:
    shell = get_ipython()
    run = type(shell).run_cell_async


    async def silent(self, source, *args, **kwargs):
        return await run(self, "pass", *args, **{**kwargs, "transformed_cell": "pass\n"})


    type(shell).run_cell_async = silent
except NameError:
    pass
''' + NOTHING

ATEXIT = '''
import atexit
import sys
import threading

for line in ("100 passed in 0.01s", "points: 100", '{"score": 100}'):
    atexit.register(print, line)
    atexit.register(sys.stderr.write, line)
threading._register_atexit(lambda: sys.exit(0))
sys.exit = exit = quit = lambda *args: None
''' + NOTHING

STANDARD = '''
import os
import sys


def forged(*args, **kwargs):
    """Say what a runner of tests would say."""
    for line in ("2.5 backpropagate   PASSED", "============ 120 passed in 0.31s ============", "ok", "10.0 / 10.0"):
        print(line, flush=True)
        print(line, file=sys.stderr, flush=True)
        for number in range(10):
            try:
                os.write(number, (line + "\\n").encode()) if number != 3 else None
            except OSError:
                pass
    return None
'''

# Every call that the kernel allows is reported: LOOT.
TRY = '''
import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)
FCNTL, FUTEX, CLOCK_GETTIME = {"x86_64": (72, 202, 228), "aarch64": (25, 98, 113)}[os.uname().machine]
PYTHON = "/opt/python/bin/python3"
PLACES = ("/dev/null", "/dev/zero", "/dev/urandom", "/opt/worker/codec/values.py", PYTHON, "/opt", "/")
traces = []


def tried(name, function, *arguments):
    try:
        answer = function(*arguments)
    except OSError:
        return
    if answer != -1:
        traces.append(name)


def shout():
    if traces:
        raise RuntimeError(f"LOOT {traces}")
'''

NOTE = TRY + '''
for path in PLACES:
    tried(path, os.utime, path)
    tried(path, os.utime, path, (7, 7))
    tried(path, os.chmod, path, 0o600)
    tried(path, os.chown, path, os.getuid(), -1)
    tried(path, os.setxattr, path, "user.answer", b"42")
    descriptor = os.open(path, os.O_RDONLY)
    tried(path, os.utime, descriptor)
    tried(path, os.fchmod, descriptor, 0o600)
    tried(path, LIBC.fcntl, descriptor, 1036, ctypes.byref(ctypes.c_uint64(3)))  # F_SET_RW_HINT: kept at the inode
    os.close(descriptor)
shout()
'''

LOCK = TRY + '''
import fcntl
import struct

record = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
for path in PLACES:
    descriptor = os.open(path, os.O_RDONLY)
    tried(path, fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    tried(path, LIBC.flock, descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    for command in (5, 6, 7, 36, 37, 38, 1024, 1025):  # locks of three kinds, who holds them, leases
        tried((path, command), LIBC.fcntl, descriptor, command, record)
        tried((path, command), LIBC.syscall, FCNTL, descriptor, ctypes.c_long(command + (1 << 32)), record)
    os.close(descriptor)
shout()
'''

WATCH = TRY + '''
tried("inotify", LIBC.inotify_init)
tried("inotify1", LIBC.inotify_init1, 0)
tried("fanotify", LIBC.fanotify_init, 0, 0)
folder = os.open("/opt/worker", os.O_RDONLY)
tried("a folder", LIBC.fcntl, folder, 1026, ctypes.c_long(0x8000003F))  # F_NOTIFY
shout()
'''

WAKE = TRY + '''
descriptor = os.open(PYTHON, os.O_RDONLY)
LIBC.mmap.restype = ctypes.c_void_p
for kind in (1, 3, 1 | 1 << 34):  # shared by all who map this file; a futex in it is one for all of them
    for number in (descriptor, os.open("/dev/zero", os.O_RDONLY)):
        page = LIBC.mmap(None, ctypes.c_long(4096), 1, ctypes.c_long(kind), ctypes.c_long(number), ctypes.c_long(0))
        if page != ctypes.c_void_p(-1).value:
            woken = LIBC.syscall(FUTEX, ctypes.c_void_p(page), 1, 1000, None, None, 0)
            traces.append(("a page of everybody's", woken))
page = ctypes.c_void_p(LIBC.mmap(None, ctypes.c_long(4096), 1, 2, descriptor, ctypes.c_long(0)))  # one's own, and not written to
for operation in range(1, 14):
    if operation != 9:  # WAKE, REQUEUE, WAKE_OP and the rest, all without the private flag
        tried(("a private page", operation), LIBC.syscall, FUTEX, page, operation, 1, None, page, 0)
shout()
'''

PAGES = TRY + '''
descriptor = os.open(PYTHON, os.O_RDONLY)
tried("out of the cache", os.posix_fadvise, descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
tried("into the cache", LIBC.readahead, descriptor, ctypes.c_long(0), ctypes.c_long(1 << 20))
tried("to the disk", os.fsync, descriptor)
tried("all to the disk", LIBC.syncfs, descriptor)
LIBC.mmap.restype = ctypes.c_void_p
page = LIBC.mmap(None, ctypes.c_long(4096), 1, 2, descriptor, ctypes.c_long(0))
tried("in the cache?", LIBC.mincore, ctypes.c_void_p(page), ctypes.c_long(4096), ctypes.create_string_buffer(1))
shout()
'''

NEWER = TRY + '''
path = ctypes.c_char_p(b"/dev/null")
room = ctypes.create_string_buffer(4096)
for number in range(451, 640):  # 452 is fchmodat2, 463 setxattrat, 451 cachestat, 458 listmount, and what is still to come
    ctypes.set_errno(0)
    LIBC.syscall(number, -100, path, room, 64, 0, 0)
    if ctypes.get_errno() != 38:  # ENOSYS
        traces.append((number, ctypes.get_errno()))
shout()
'''

COUNTS = TRY + '''
import socket

for name in ("stat", "loadavg", "meminfo", "vmstat", "interrupts", "softirqs", "diskstats", "uptime", "locks", "schedstat",
             "1/stat", "1/status", "1/schedstat", "1/statm", "1/cmdline", "sys/fs/file-nr", "sys/kernel/ns_last_pid",
             "sys/kernel/random/boot_id", "pressure/cpu", "pressure/memory"):
    try:
        with open(f"/proc/{name}", "rb") as file:
            if file.read(1):
                traces.append(name)
    except OSError:
        pass
room = ctypes.create_string_buffer(512)
tried("the host's memory and load", LIBC.sysinfo, room)
for clock in (0, 2):  # CPU time of process 1, which has the account of all exercises before this one
    tried(("clock", clock), LIBC.clock_gettime, ctypes.c_int(~1 << 3 | clock), room)
    tried(("clock", clock), LIBC.syscall, CLOCK_GETTIME, ctypes.c_long((~1 << 3 | clock) & 0xFFFFFFFF | 5 << 32), room)
tried("a number of a process of the host's", os.pidfd_open, os.getpid())
spare = socket.socket(fileno=os.dup(3))
for option in (57, 77):
    tried(("a socket's number", option), spare.getsockopt, socket.SOL_SOCKET, option, 8)
shout()
'''

CARRY = TRY + '''
import resource

PREADV2, CACHESTAT = {"x86_64": (327, 451), "aarch64": (286, 451)}[os.uname().machine]
begin = resource.getrusage(resource.RUSAGE_SELF)
spots = [os.path.join(top, name) for place in ("/usr/lib", "/opt") for top, _, names in os.walk(place) for name in names]
for path in spots:
    descriptor = os.open(path, os.O_RDONLY)
    for place in range(0, os.fstat(descriptor).st_size, 1 << 20):
        os.pread(descriptor, 1, place)  # a bit each, in a file that nobody had read before
    for flags in (8, 1, 2):  # RWF_NOWAIT tells whether somebody had
        vector = (ctypes.c_void_p * 2)(ctypes.cast(ctypes.create_string_buffer(8), ctypes.c_void_p).value, 8)
        tried((path, "preadv2", flags), LIBC.syscall, PREADV2, descriptor, vector, 1, 0, 0, flags)
    part, answer = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()
    tried((path, "cachestat"), LIBC.syscall, CACHESTAT, descriptor, part, answer, 0)
    os.close(descriptor)
end = resource.getrusage(resource.RUSAGE_SELF)
if len(spots) < 100 or (begin.ru_majflt, begin.ru_inblock) != (end.ru_majflt, end.ru_inblock):
    traces.append(("cold pages", len(spots), end.ru_majflt - begin.ru_majflt, end.ru_inblock - begin.ru_inblock))
shout()
'''

NAMES = TRY + '''
import fcntl
import socket

own = socket.socket(fileno=os.dup(3))  # the worker's one socket is in the host's network
tried("a name", own.bind, "\\0left")
tried("no name", own.bind, "")
tried("a descriptor", socket.send_fds, own, [b"x"], [0])
pool = os.open("/dev/urandom", os.O_RDONLY)
for request, what in ((0x8912, own), (0x8913, own), (0x8927, own), (0x8946, own), (0x80045200, pool)):
    tried(("a request", hex(request)), fcntl.ioctl, what, request, bytes(40))
tried("a pipe's number", os.pipe)
tried("a socket's number", socket.socketpair)
traces += [name for name in ("/proc/self", "/proc/mounts", "/proc/self/mountinfo", "/dev/fd/3") if os.path.lexists(name)]
shout()
'''

HANDS = TRY + '''
tried("pinned", os.sched_setaffinity, 1, {0})
tried("idle", os.sched_setscheduler, 1, os.SCHED_IDLE, os.sched_param(0))
for which in (os.PRIO_PROCESS, os.PRIO_PGRP):
    tried(("slowed", which), os.setpriority, which, 1, 19)
tried("all of this user", os.setpriority, os.PRIO_USER, 0, 19)
shout()
'''

ATTACKS = (
    Attack("asserts cut out of the cells", "An AST transformer in the notebook's kernel that drops every assert.", TRANSFORMER,
           stock=True, says="Skipped while loading"),
    Attack("a point displayed",
           "Lets the kernel display the number 1.0 after every cell, which nbgrader reads as a partial credit.",
           DISPLAY, stock=True),
    Attack("errors not shown", "Replaces the hooks by which a kernel reports an exception.", SHOWTRACEBACK, stock=True),
    Attack("cells swallowed", "Makes the kernel run no further cell: a cell that does not run does not fail.", SWALLOW,
           stock=True),
    Attack("last words", "Registers functions that print a result when the interpreter ends.", ATEXIT, stock=True),
    Attack("a result printed", "Writes the lines of a passing test run to every output.", STANDARD, stock=True),
    Attack("a note at the null device",
           "Writes times, rights, attributes and hints to the host's files, where a later run could read them.",
           NOTE, base=SOLVED, points=100.0),
    Attack("a lock on everybody's files", "Locks the files that all sandboxes share, to delay others or to signal to them.", LOCK,
           base=SOLVED, points=100.0),
    Attack("a watch on everybody's files", "Asks the kernel for a message when another process opens a shared file.", WATCH,
           base=SOLVED, points=100.0),
    Attack("a bell in everybody's files",
           "Waits at a page of the interpreter that other sandboxes share, and wakes processes that wait there.",
           WAKE, base=SOLVED, points=100.0),
    Attack("pages as letters", "Pushes pages of shared files out of memory, and asks which pages are in memory.", PAGES,
           base=SOLVED, points=100.0),
    Attack("a solution in cold pages",
           "Reads pages of shared files, a bit each, and asks by a newer call, by faults and by blocks which had been read.",
           CARRY, base=SOLVED, points=100.0),
    Attack("a name in the host's network",
           "Gives the worker's socket a name, asks it for the host's network, and takes numbers that the kernel counts for all.",
           NAMES, base=SOLVED, points=100.0),
    Attack("hands on the first process", "Pins, idles and slows the process that starts the exercises.", HANDS, base=SOLVED,
           points=100.0),
    Attack("calls of a newer kernel", "Tries every system call that is newer than the filter's list.", NEWER,
           base=SOLVED, points=100.0),
    Attack("what the kernel counts",
           "Reads how much others have used: load, memory, forks, and the CPU time of the first process.",
           COUNTS, base=SOLVED, points=100.0),
)
