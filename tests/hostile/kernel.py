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
found = []


def tried(name, function, *arguments):
    try:
        answer = function(*arguments)
    except OSError:
        return
    if answer != -1:
        found.append(name)


def shout():
    if found:
        raise RuntimeError(f"LOOT {found}")
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
            found.append(("a page of everybody's", woken))
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
        found.append((number, ctypes.get_errno()))
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
                found.append(name)
    except OSError:
        pass
room = ctypes.create_string_buffer(512)
tried("the host's memory and load", LIBC.sysinfo, room)
for clock in (0, 2):  # CPU time of process 1, which has the account of all exercises before this one
    tried(("clock", clock), LIBC.clock_gettime, ctypes.c_int(~1 << 3 | clock), room)
    tried(("clock", clock), LIBC.syscall, CLOCK_GETTIME, ctypes.c_long((~1 << 3 | clock) & 0xFFFFFFFF | 5 << 32), room)
tried("a number of a process of the host's", os.pidfd_open, os.getpid())
one, other = socket.socketpair()
for option in (57, 77):
    tried(("a socket's number", option), one.getsockopt, socket.SOL_SOCKET, option, 8)
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
    Attack("calls of a newer kernel", "Tries every system call that is newer than the filter's list.", NEWER,
           base=SOLVED, points=100.0),
    Attack("what the kernel counts",
           "Reads how much others have used: load, memory, forks, and the CPU time of the first process.",
           COUNTS, base=SOLVED, points=100.0),
)
