"""Traces that one exercise could leave for a later one, for another sandbox or a later run: at files, in counters, in numbers."""

import ctypes
import errno
import os
import stat

import pytest

from autograder.sandbox import bubblewrap
from autograder.sandbox.errors import StudentError
from autograder.sandbox.host import seccomp
from autograder.sandbox.sandbox import Sandbox
from tests.unit.in_the_sandbox import SMALL, ask, call, root, student_code

pytestmark = pytest.mark.usefixtures("processes")


def number_of(call_name: str) -> int:
    return ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name(call_name.encode())


# -- the host's files -----------------------------------------------------------------------------


def test_the_devices_are_five_that_keep_nothing_and_are_the_same_afterwards():
    code = """
import os
def f(names):
    for name in names:
        for change in (lambda: os.utime("/dev/" + name), lambda: os.chmod("/dev/" + name, 0o600),
                       lambda: os.setxattr("/dev/" + name, "user.note", b"1")):
            try: change()
            except OSError: pass
        for flags in (os.O_RDONLY, os.O_WRONLY):
            descriptor = os.open("/dev/" + name, flags)
            try:
                os.read(descriptor, 10) if flags == os.O_RDONLY else os.write(descriptor, b"x")
                os.utime(descriptor)
            except OSError: pass
    return sorted(os.listdir("/dev"))
"""
    states = [{name: os.stat(f"/dev/{name}") for name in bubblewrap.DEVICES}]
    assert ask(code, list(bubblewrap.DEVICES)) == sorted(bubblewrap.DEVICES)
    states.append({name: os.stat(f"/dev/{name}") for name in bubblewrap.DEVICES})
    kept = [{name: (status.st_mode, status.st_uid, status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns)
             for name, status in state.items()} for state in states]
    assert kept[0] == kept[1] and all(stat.S_ISCHR(status.st_mode) for status in states[0].values())


def test_a_descriptor_can_be_copied_and_nothing_else_be_asked_of_it():
    """no lock, lease, watch or hint that stays; also not by a command number that only looks different to a filter"""
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def f(number, commands):
    answers = {}
    descriptor = os.open("/opt/worker/codec/values.py", os.O_RDONLY)
    for command in commands:
        for high in (0, 1 << 32):
            ctypes.set_errno(0)
            libc.syscall(number, descriptor, ctypes.c_long(command + high), None)  # as flags: none of them
            answers.setdefault(command, []).append(ctypes.get_errno())
    return answers
"""
    commands = [*range(2, 60), *range(1024, 1050), 2048, 1 << 20]
    answers = ask(code, number_of("fcntl"), commands)
    allowed = {command for command, (plain, _) in answers.items() if plain != errno.EPERM}
    assert allowed == {2, 3, 4, 1030, 1031}
    assert all(high == errno.EPERM for _, high in answers.values())


def test_python_can_do_with_descriptors_what_it_does():
    code = """
import concurrent.futures, fcntl, os, threading
def f():
    null = os.open("/dev/null", os.O_RDONLY)
    copies = [os.dup(null), fcntl.fcntl(null, fcntl.F_DUPFD, 10), fcntl.fcntl(null, fcntl.F_DUPFD_CLOEXEC, 10)]
    os.set_blocking(null, False)
    os.set_inheritable(null, True)
    with open(os.devnull, "w") as nowhere:
        print("lost", file=nowhere)
    print("lost too")
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        squares = list(pool.map(lambda x: x * x, range(4)))
    if (child := os.fork()) == 0: os._exit(7)
    return len(copies), os.get_blocking(null), squares, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""
    assert ask(code) == (3, False, [0, 1, 4, 9], 7)


def test_files_are_mapped_for_oneself_alone():
    """a futex in a shared page of a file is the same for all who map the file: a waiting process is woken from elsewhere"""
    code = """
import mmap
def f():
    with open("/opt/worker/codec/values.py", "rb") as file:
        own = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
        try: mmap.mmap(file.fileno(), 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
        except PermissionError: return bytes(own[:3]).decode(), len(mmap.mmap(-1, 4096))
"""
    assert ask(code) == ('"""', 4096)


def test_calls_that_came_after_the_list_are_not_there():
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def f(first, end):
    answers = set()
    for number in range(first, end):
        libc.syscall(number, -100, b"/dev/null", None, 0, 0, 0)
        answers.add(ctypes.get_errno())
    return sorted(answers)
"""
    assert ask(code, seccomp.UNKNOWN.start, seccomp.UNKNOWN.stop) == [errno.ENOSYS]


# -- accounts and counters ------------------------------------------------------------------------


def test_no_clock_but_ones_own():
    code = """
import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
def f(number):
    room, answers = (ctypes.c_long * 2)(), []
    for pid in (1, os.getpid()):
        for kind in (0, 1, 2):
            clock = ~pid << 3 | kind
            answers += [libc.clock_gettime(ctypes.c_int(clock), room),
                        libc.syscall(number, ctypes.c_long(clock & 0xffffffff | 7 << 32), room)]
    return answers, time.process_time() > 0, time.thread_time() > 0, time.monotonic() > 0
"""
    assert ask(code, number_of("clock_gettime")) == ([-1] * 12, True, True, True)


def test_a_worker_has_the_same_number_whatever_came_before_it():
    """if the kernel does not let us reset the count, a sandbox in which processes were started is not used again"""
    number = "import os, threading\ndef f(): return os.getpid()\n"
    leave = number + """
def leave(many):
    for _ in range(many):
        if os.fork() == 0: os._exit(0)
        os.wait()
"""
    with Sandbox(SMALL) as sandbox:
        first = ask(number, sandbox=sandbox)
        for many in (3, 40):
            with student_code(leave, sandbox=sandbox) as session:
                call(session, "leave", many)
            if sandbox.reusable:
                assert ask(number, sandbox=sandbox) == first
            else:
                assert not sandbox._renumbers


def test_a_sandbox_in_which_numbers_would_tell_is_not_used_again():
    with Sandbox(SMALL) as sandbox:
        sandbox._renumbers = False
        assert sandbox.reusable  # nothing has run in it
        with student_code("def f(): return 1", sandbox=sandbox) as session:
            call(session, "f")
        assert sandbox.reusable == root()
        with student_code("import os\ndef f():\n    if os.fork() == 0: os._exit(0)\n    os.wait()", sandbox=sandbox) as session:
            call(session, "f")
        assert not sandbox.reusable


# -- the host's crash handler ---------------------------------------------------------------------


def test_a_crash_is_not_reported_to_the_host():
    """with the limit 1 the kernel calls no crash handler; with 0 it does, and the handler runs outside"""
    code = """
import ctypes, resource
libc = ctypes.CDLL(None, use_errno=True)
def f(number):
    changed = []
    for limits in ((0, 0), (0, 1), (1, 1), (resource.RLIM_INFINITY,) * 2):
        for change in (lambda: resource.setrlimit(resource.RLIMIT_CORE, limits),
                       lambda: resource.prlimit(0, resource.RLIMIT_CORE, limits)):
            try: changed.append(change())
            except (OSError, ValueError): pass
        room = (ctypes.c_uint64 * 2)(*[limit & 0xffffffffffffffff for limit in limits])
        changed += [1] * (libc.syscall(number, 0, ctypes.c_long(resource.RLIMIT_CORE + (1 << 32)), room, None) == 0)
    resource.setrlimit(resource.RLIMIT_CPU, (50, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    return changed, resource.getrlimit(resource.RLIMIT_CORE)
"""
    assert ask(code, number_of("prlimit64"), cpu_s=60) == ([], (1, 1))


# -- what stays open ------------------------------------------------------------------------------


def test_what_cannot_be_refused_is_at_least_not_shared():
    """each of these works inside, and ends with the process or the sandbox"""
    code = """
import os, signal
def f():
    os.nice(3)
    signal.setitimer(signal.ITIMER_REAL, 1000)
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return g()
def g(): return os.nice(0), signal.getitimer(signal.ITIMER_REAL)[0] > 0
"""
    with Sandbox(SMALL) as sandbox:
        assert _first_answer(code, "f", sandbox) == (os.nice(0) + 3, True)
        assert _first_answer(code, "g", sandbox) == (os.nice(0), False)


def _first_answer(code: str, name: str, sandbox: Sandbox) -> object:
    with student_code(code, sandbox=sandbox) as session:
        try:
            return call(session, name)
        except StudentError as error:
            raise AssertionError(error.staff) from error
