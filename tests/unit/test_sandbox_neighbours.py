"""Two sandboxes side by side: neither can disturb the other, or read anything of it."""

from contextlib import contextmanager

import pytest

from autograder.sandbox.errors import StudentError
from autograder.sandbox.sandbox import Sandbox
from tests.unit.in_the_sandbox import SMALL, call, student_code

pytestmark = pytest.mark.usefixtures("processes")


@contextmanager
def neighbours(code: str):
    """Two sessions with the same code, each in its own sandbox."""
    with (
        student_code("import ctypes, mmap, os, resource, signal, socket, threading\n" + code) as first,
        student_code("import ctypes, mmap, os, resource, signal, socket, threading\n" + code) as second,
    ):
        yield first, second


def test_a_fork_bomb_next_door_leaves_room_to_fork():
    bomb = """
def bomb():
    if os.fork() == 0:
        while True:
            try: os.fork()
            except OSError: pass
    return 1
def forks():
    children = []
    for _ in range(5):
        children.append(os.fork())
        if children[-1] == 0: os._exit(0)
    return all(os.waitpid(child, 0)[1] == 0 for child in children)
"""
    with neighbours(bomb) as (first, second):
        assert call(first, "bomb") == 1
        assert call(second, "forks") is True
        first.close()  # and it can be ended, although it forks all the time
    with Sandbox(SMALL) as sandbox, student_code(bomb.replace("def bomb", "import os\ndef bomb"), sandbox=sandbox) as session:
        call(session, "bomb")
        session.close()
        with student_code("import os\n" + bomb, sandbox=sandbox) as following:
            assert call(following, "forks") is True


def test_no_signal_reaches_next_door():
    code = """
def kill():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        for pid in (-1, *range(2, 400)):
            if pid != os.getpid():
                try: os.kill(pid, number)
                except OSError: pass
    return os.getpid()
"""
    with neighbours(code) as (first, second):
        assert isinstance(call(first, "kill"), int) and isinstance(call(second, "kill"), int)
        assert isinstance(call(first, "kill"), int)


def test_no_name_is_taken_in_the_hosts_network():
    """a worker's one socket is there: a name that it took would be taken for every other sandbox"""
    code = """
def take():
    taken = []
    for number in range(3, 6):
        try: socket.socket(fileno=os.dup(3)).bind("\\0of the submission"); taken.append(number)
        except PermissionError: pass
    return taken
"""
    with neighbours(code) as (first, second):
        assert call(first, "take") == [] and call(second, "take") == []


def test_no_memory_is_shared():
    code = """
libc = ctypes.CDLL(None, use_errno=True)
def share():
    made = []
    if libc.shmget(0x5eed, 4096, 0o1666) != -1 or libc.msgget(0x5eed, 0o1666) != -1 or libc.semget(0x5eed, 1, 0o1666) != -1:
        made.append("System V")
    if libc.shm_open(b"/of-the-submission", os.O_CREAT | os.O_RDWR, 0o666) != -1:
        made.append("POSIX")
    if hasattr(libc, "mq_open") and libc.mq_open(b"/of-the-submission", os.O_CREAT | os.O_RDWR, 0o666, None) != -1:
        made.append("queue")
    return made
"""
    with neighbours(code) as (first, second):
        assert call(first, "share") in ([], ["queue"])  # a queue would belong to its own IPC namespace
        assert call(second, "share") in ([], ["queue"])


def test_no_keyring_is_shared():
    code = """
libc = ctypes.CDLL(None, use_errno=True)
KEYCTL, ADD_KEY, REQUEST_KEY = {"x86_64": (250, 248, 249), "aarch64": (219, 217, 218)}[os.uname().machine]
def leave():
    return [libc.syscall(ADD_KEY, b"user", b"answer", b"42", 2, ring) for ring in (-1, -2, -3, -4, -5)]
def find():
    numbers = [libc.syscall(KEYCTL, 10, ring, b"user", b"answer", 0) for ring in (-1, -2, -3, -4, -5)]
    return numbers + [libc.syscall(REQUEST_KEY, b"user", b"answer", None, 0)]
"""
    with neighbours(code) as (first, second):
        assert call(first, "leave") == [-1] * 5
        assert call(first, "find") == [-1] * 6 and call(second, "find") == [-1] * 6


def test_no_lock_can_be_had_on_a_file_that_all_have():
    code = """
import fcntl
def lock():
    answers = []
    for path in ("/opt/python/bin/python3", "/opt/worker/worker.py", "/dev/null", "/dev/zero", "/opt"):
        descriptor = os.open(path, os.O_RDONLY)
        for how in (lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB),
                    lambda: fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB),
                    lambda: fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)):
            try: answers.append(how())
            except PermissionError: pass
        os.close(descriptor)
    return answers
"""
    with neighbours(code) as (first, second):
        assert call(first, "lock") == [] and call(second, "lock") == []


def test_nobody_is_told_what_a_neighbour_opens_or_woken_by_him():
    code = """
FILE, libc = "/opt/python/bin/python3", ctypes.CDLL(None, use_errno=True)
def watch():
    watching = libc.inotify_init1(os.O_NONBLOCK)
    return watching, libc.inotify_add_watch(watching, FILE.encode(), 0x21)
def page():
    with open(FILE, "rb") as file:
        try: mmap.mmap(file.fileno(), 4096, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
        except PermissionError: return "refused"
"""
    with neighbours(code) as (first, second):
        assert call(first, "watch") == (-1, -1) and call(second, "page") == call(first, "page") == "refused"


def test_a_memory_hog_next_door_takes_nobodys_memory():
    code = """
def hog():
    x = []
    while True: x.append(bytearray(1 << 20))
def modest():
    return len(bytearray(50 << 20))
"""
    with neighbours(code) as (first, second):
        with pytest.raises(StudentError):
            call(first, "hog")
        assert call(second, "modest") == 50 << 20


def test_the_hosts_processes_are_out_of_reach():
    code = """
def reach(pid):
    reached = []
    for what in (lambda: os.kill(pid, 0), lambda: os.sched_getaffinity(pid),
                 lambda: os.getpriority(os.PRIO_PROCESS, pid), lambda: os.getpgid(pid),
                 lambda: os.pidfd_open(pid), lambda: os.stat(f"/proc/{pid}"), lambda: resource.prlimit(pid, resource.RLIMIT_AS)):
        try:
            what()
            reached.append(what.__code__.co_names)
        except OSError:
            pass
    return reached
"""
    import os

    with neighbours(code) as (first, _):
        high = os.getpid() if os.getpid() > 50 else 10**6  # a small number could belong to the worker itself in there
        assert call(first, "reach", high) == []
