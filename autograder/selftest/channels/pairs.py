"""The pairs: for each channel the code of a sender and of a receiver, which runs in the sandbox and outside of it.

Outside it shows that the pair works. A pair that carries nothing there proves nothing about the sandbox.

A pair of the kind *after* has `leave(bits)`, and later, in another process, `find(many)`: a number for each bit. A pair of the
kind *beside* has `act(end)`, called for a 1 until `end`, and `look(end)`, which returns a number when `end` has come. Both sides
know the first bits; from these, `trial.py` finds out which numbers mean a 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """One channel. `open_because`: why it stays open, and "" if it must be closed; `slot_s`: the time of one bit beside."""

    name: str
    code: str
    beside: bool = False
    slot_s: float = 0.02
    open_because: str = ""


def _pages(name: str, measure: str, helper: str = "") -> Pair:
    return Pair(name, f"{helper}\nleave = leave_pages\ndef find(many): return ask_pages(many, {measure})\n")


def _difference(measure: str, what: str) -> str:
    return f"lambda descriptor, place: difference({measure}, {what})"


READ, TOUCH, USAGE = "os.pread, descriptor, 1, place", "touched, descriptor, place", "resource.getrusage(resource.RUSAGE_SELF)"
AFTER = (
    _pages("page cache: read without waiting", "at_once", """
def at_once(descriptor, place):
    try: return os.preadv(descriptor, [bytearray(1)], place, os.RWF_NOWAIT)
    except BlockingIOError: return 0
"""),
    _pages("page cache: time of a read", _difference("time.perf_counter", READ)),
    _pages("page cache: time of a page fault", _difference("time.perf_counter", TOUCH)),
    _pages("page cache: major faults", _difference(f"lambda: {USAGE}.ru_majflt", TOUCH)),
    _pages("page cache: blocks read", _difference(f"lambda: {USAGE}.ru_inblock", READ)),
    _pages("page cache: /proc/self/io", _difference("lambda: int(open('/proc/self/io').read().split()[9])", READ)),
    _pages("page cache: mincore", "resident", """
def resident(descriptor, place):
    page, answer = LIBC.mmap(None, ctypes.c_long(PAGE), 1, 2, descriptor, ctypes.c_long(place)), ctypes.create_string_buffer(1)
    if LIBC.syscall(MINCORE, ctypes.c_void_p(page), ctypes.c_long(PAGE), answer) == -1: raise OSError("mincore")
    return answer.raw[0] & 1
"""),
    _pages("page cache: cachestat", "cached", """
def cached(descriptor, place):
    part, answer = (ctypes.c_uint64 * 2)(place, PAGE), (ctypes.c_uint64 * 5)()
    if LIBC.syscall(451, descriptor, part, answer, 0) == -1: raise OSError("cachestat")
    return answer[0]
"""),
    Pair("pages pushed out of memory", """
def leave(bits):
    leave_pages([1] * len(bits))
    for (path, place), bit in zip(pages(len(bits)), bits):
        descriptor = os.open(path, os.O_RDONLY)
        page = LIBC.mmap(None, ctypes.c_long(PAGE), 1, 2, descriptor, ctypes.c_long(place))
        ctypes.string_at(page, 1)
        if not bit and LIBC.madvise(ctypes.c_void_p(page), ctypes.c_long(PAGE), 21) == -1: raise OSError("madvise")
def find(many): return ask_pages(many, lambda descriptor, place: difference(time.perf_counter, os.pread, descriptor, 1, place))
"""),
    Pair("reclaim under memory pressure", """
def leave(bits):
    leave_pages(bits)
    hog = []
    try:
        while len(hog) < 64: hog.append(mmap.mmap(-1, 1 << 24)); hog[-1][::PAGE] = bytes(1 << 12)
    except OSError: pass
def find(many): return ask_pages(many, lambda descriptor, place: difference(time.perf_counter, os.pread, descriptor, 1, place))
"""),
    Pair("inode times", """
def leave(bits):
    numbers = [sum(bit << n for n, bit in enumerate(part)) for part in (bits[:60], bits[60:])]
    os.utime(FILE, ns=tuple(numbers))
def find(many):
    state = os.stat(FILE)
    return [state.st_atime_ns >> n & 1 for n in range(60)] + [state.st_mtime_ns >> n & 1 for n in range(many - 60)]
"""),
    Pair("names of files", """
def leave(bits):
    for number, bit in enumerate(bits):
        if bit: made(lambda folder: open(f"{folder}/name-{number}", "w").close())
def find(many): return [any(os.path.exists(f"{folder}/name-{number}") for folder in ROOM) for number in range(many)]
"""),
    Pair("extended attributes", """
def leave(bits): os.setxattr(FILE, "user.bits", bytes(bits))
def find(many): return list(os.getxattr(FILE, "user.bits"))
"""),
    Pair("shared memory of System V", """
def leave(bits):
    for number, bit in enumerate(bits):
        if bit and LIBC.shmget(0x5eed00 + number, PAGE, 0o1666) == -1: raise OSError("shmget")
def find(many):
    segments = [LIBC.shmget(0x5eed00 + number, PAGE, 0o666) for number in range(many)]
    for segment in segments: LIBC.shmctl(segment, 0, None)
    return [segment != -1 for segment in segments]
"""),
    Pair("keys of the user", """
def leave(bits):
    for number, bit in enumerate(bits):
        if bit and LIBC.syscall(ADD_KEY, b"user", b"bit%d" % number, b"1", 1, -4) == -1: raise OSError("add_key")
def find(many):
    keys = [LIBC.syscall(KEYCTL, 10, -4, b"user", b"bit%d" % number, 0) for number in range(many)]
    for key in keys:
        if key != -1: LIBC.syscall(KEYCTL, 9, key, -4)
    return [key != -1 for key in keys]
"""),
)


HOG = "hog = mmap.mmap(-1, 1 << 27, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x8000); until(end)"


def _counter(name: str, act: str, look: str, slot_s: float = 0.02) -> Pair:
    code = f"def act(end):\n    {act}\ndef look(end):\n    until(end)\n    {look}\n"
    return Pair(name, code, beside=True, slot_s=slot_s)


FORK = "child = os.fork()\n        if child == 0: os._exit(0)\n        os.waitpid(child, 0)"
BESIDE = (
    _counter("numbers of pipes", "for _ in range(1500): [os.close(side) for side in os.pipe()]",
             "ends = os.pipe(); number = os.fstat(ends[0]).st_ino; [os.close(side) for side in ends]; return change(number)"),
    _counter("numbers of sockets", "for _ in range(1500): socket.socket(socket.AF_UNIX).close()",
             "end = socket.socket(socket.AF_UNIX); number = os.fstat(end.fileno()).st_ino; end.close(); return change(number)"),
    _counter("numbers of processes", f"for _ in range(40):\n        {FORK}",
             "child = os.fork()\n    if child == 0: os._exit(0)\n    os.waitpid(child, 0); return change(child)"),
    Pair("numbers of files in /proc", """
def act(end):
    for _ in range(10):
        child = os.fork()
        if child == 0:
            for name in os.listdir("/proc/self"): os.path.exists("/proc/self/" + name)
            os._exit(0)
        os.waitpid(child, 0)
def look(end):
    until(end)
    child = os.fork()
    if child == 0: signal.pause()
    number = os.stat(f"/proc/{child}").st_ino
    os.kill(child, 9), os.waitpid(child, 0)
    return change(number)
""", beside=True),
    _counter("forks in /proc/stat", f"for _ in range(40):\n        {FORK}",
             "return change(int(open('/proc/stat').read().split('processes ')[1].split()[0]))"),
    _counter("memory of the host", HOG,
             "return -int(open('/proc/meminfo').read().split('MemFree:')[1].split()[0])", 0.1),
    _counter("memory of the host: sysinfo", HOG,
             "room = (ctypes.c_ulong * 64)()\n    if LIBC.sysinfo(room): raise OSError('sysinfo')\n    return -room[5]", 0.1),
    _counter("counters of the control group", HOG,
             "for name in ('memory/memory.usage_in_bytes', 'memory.current'):\n        path = '/sys/fs/cgroup/' + name\n"
             "        if os.path.exists(path): return int(open(path).read())\n    raise OSError('no counter')", 0.1),
    _counter("free space of a file system",
             "made(lambda folder: open(folder + '/much', 'wb').write(bytes(1 << 22))); until(end); "
             "[os.remove(folder + '/much') for folder in ROOM if os.path.exists(folder + '/much')]",
             "return -sum(os.statvfs(folder).f_bfree for folder in ROOM)"),
    Pair("a lock on a file", """
def act(end):
    file = os.open(FILE, os.O_RDONLY)
    fcntl.flock(file, fcntl.LOCK_EX)
    until(end)
    os.close(file)
def look(end):
    until(end - SLOT / 2)
    file = os.open(FILE, os.O_RDONLY)
    try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB); return 0
    except BlockingIOError: return 1
    finally: os.close(file)
""", beside=True),
    Pair("a lock on bytes of a file", """
import struct
LOCK = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
def act(end):
    file = os.open(FILE, os.O_RDONLY)
    fcntl.fcntl(file, 37, LOCK)
    until(end)
    os.close(file)
def look(end):
    until(end - SLOT / 2)
    file = os.open(FILE, os.O_RDWR if os.access(FILE, os.W_OK) else os.O_RDONLY)
    state = fcntl.fcntl(file, 36, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
    os.close(file)
    return struct.unpack("hhqqi4x", state)[0] != fcntl.F_UNLCK
""", beside=True),
    Pair("a futex in a mounted file", """
def page():
    file = os.open(FILE, os.O_RDONLY)
    where = LIBC.mmap(None, ctypes.c_long(PAGE), 1, 2, file, ctypes.c_long(0))
    os.close(file)
    return ctypes.c_void_p(where)
HERE = page()
def act(end):
    while time.monotonic() < end:
        if LIBC.syscall(FUTEX, HERE, 1, 100, None, None, 0) == -1: raise OSError("wake")
        time.sleep(0.001)
def look(end):
    woken = 0
    while (rest := end - time.monotonic()) > 0:
        value = ctypes.c_uint32.from_address(HERE.value).value
        if LIBC.syscall(FUTEX, HERE, 0, value, (ctypes.c_long * 2)(0, int(rest * 1e9)), None, 0) == 0: woken += 1
        elif ctypes.get_errno() != 110: time.sleep(0.001)
    return woken
""", beside=True),
    Pair("the end of a thread at a mounted file", """
def page():
    file = os.open(FILE, os.O_RDONLY)
    where = LIBC.mmap(None, ctypes.c_long(PAGE), 1, 2, file, ctypes.c_long(0))
    os.close(file)
    return ctypes.c_void_p(where)
HERE, SET_TID_ADDRESS = page(), {"x86_64": 218, "aarch64": 96}[os.uname().machine]
import threading
def end_at_page(): LIBC.syscall(SET_TID_ADDRESS, HERE); LIBC.syscall({218: 60, 96: 93}[SET_TID_ADDRESS], 0)
def act(end):
    while time.monotonic() < end:
        child = os.fork()
        if child == 0:
            CALL = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda _: end_at_page())
            LIBC.pthread_create(ctypes.byref(ctypes.c_ulong()), None, CALL, None); time.sleep(0.002); os._exit(0)
        os.waitpid(child, 0)
def look(end):
    woken = 0
    while (rest := end - time.monotonic()) > 0:
        value = ctypes.c_uint32.from_address(HERE.value).value
        if LIBC.syscall(FUTEX, HERE, 0, value, (ctypes.c_long * 2)(0, int(rest * 1e9)), None, 0) == 0: woken += 1
        elif ctypes.get_errno() != 110: time.sleep(0.001)
    return woken
""", beside=True),
    Pair("a name in the network", """
def act(end):
    sock = socket.socket(fileno=os.dup(3)) if INSIDE else socket.socket(socket.AF_UNIX)
    sock.bind("\\0left")
    until(end)
    sock.close()
def look(end):
    until(end - SLOT / 2)
    sock = socket.socket(socket.AF_UNIX)
    try: sock.bind("\\0left"); return 0
    except OSError as error:
        if error.errno != 98: raise
        return 1
    finally: sock.close()
""", beside=True),
    Pair("load of one processor", """
os.sched_setaffinity(0, {min(CPUS)})
def act(end):
    while time.monotonic() < end: pass
def look(end):
    rounds = 0
    while time.monotonic() < end: rounds += 1
    return rounds
""", beside=True, slot_s=0.05, open_because="two processes on one processor feel each other"),
    Pair("load of memory and caches", """
os.sched_setaffinity(0, {max(CPUS)} if SENDS else {min(CPUS)})
import numpy
BLOCK = numpy.zeros(1 << 23)
def act(end):
    while time.monotonic() < end: BLOCK[:] = 1.0
def look(end):
    rounds = 0
    while time.monotonic() < end: BLOCK[::64].sum(); rounds += 1
    return rounds
""", beside=True, slot_s=0.05, open_because="processors share caches and memory"),
)
PAIRS = (*AFTER, *BESIDE)
