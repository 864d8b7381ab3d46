"""The things that student code can see and do behind the wall: only its own.

All tests here run as the user who starts them, and again as an ordinary user if that user is root.
"""

import ctypes
import errno
import os
import signal
from types import SimpleNamespace

import pytest

from autograder.sandbox import wall
from autograder.sandbox.errors import Died, OutOfMemory, Raised
from autograder.sandbox.host import seccomp, uids
from autograder.sandbox.sandbox import Sandbox
from tests.unit.behind_the_wall import ROOT, SMALL, as_ordinary_user, ask, call, root, student_code


@pytest.mark.skipif(not root(), reason="the tests already run as an ordinary user")
def test_an_ordinary_user_has_the_same_wall():
    run = as_ordinary_user("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/test_sandbox_wall.py")
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]


def test_a_host_without_bubblewrap_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        wall.WallError, match="^bubblewrap .* was not found: install the system packages bubblewrap and libseccomp2"
    ):
        Sandbox()


# -- what it can see ------------------------------------------------------------------------------


def test_the_environment_holds_nothing_of_the_graders(monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    found = ask("import os\ndef f(): return dict(os.environ)")
    assert {name: value for name, value in found.items() if name != "PWD"} == wall.ENVIRONMENT


def test_what_every_submission_imports_is_imported_before_it_comes():
    assert ask("import sys\nfound = 'arena.own_check' in sys.modules\ndef f(): return found")


def test_nothing_of_the_host_is_there_but_libraries():
    found = ask(
        "import os\ndef f(paths): return [path for path in paths if os.path.lexists(path)]",
        [
            str(ROOT),
            "/root",
            "/home",
            "/etc/passwd",
            "/etc/shadow",
            "/tmp",
            "/var",
            "/run",
            "/sys",
            "/boot",
            "/srv",
            "/usr/bin",
            "/bin",
        ],
    )
    assert found == []
    assert ask(
        "import os\ndef f(): return {path: sorted(os.listdir(path)) for path in ('/', '/opt', '/opt/worker', '/opt/site')}"
    ) == {
        "/": sorted({"dev", "etc", "lib", "opt", "proc", "usr", *(name for name in ("lib64",) if os.path.exists(f"/{name}"))}),
        "/opt": ["python", "site", "worker"],
        "/opt/worker": [
            "cell_text.py", "codec", "implementations.py", "loader.py", "stand_ins.py", "table_game.py", "tensors.py",
            "worker.py", "zygote.py",
        ],
        "/opt/site": sorted({"arena", "numpy", *(["numpy.libs"] if _numpy_has_libraries() else [])}),
    }


def _numpy_has_libraries() -> bool:
    import numpy

    return os.path.isdir(os.path.dirname(numpy.__file__) + ".libs")


def test_tests_solutions_and_grader_are_not_there():
    code = """
import os
def f():
    tops = ("/opt/site/arena", "/opt/worker", "/etc")
    names = [name for top in tops for _, folders, files in os.walk(top) for name in folders + files]
    import importlib.util
    modules = ("autograder", "tests", "solutions", "pytest", "worker", "arena")
    return names, [name for name in modules if importlib.util.find_spec(name)]
"""
    names, modules = ask(code)
    assert "games" in names and not [name for name in names if "ps2" in name or "test" in name or "solution" in name]
    assert modules == ["worker", "arena"]


def test_proc_shows_no_process_of_the_host():
    assert (
        ask("import os\ndef f(): return sorted(int(n) for n in os.listdir('/proc') if n.isdigit()) == sorted({1, os.getpid()})")
        is True
    )


def test_it_holds_no_descriptor_but_its_socket():
    code = """
import os
def f():
    held = []
    for number in range(5000):
        try:
            held.append((number, os.fstat(number).st_rdev))
        except OSError:
            pass
    return held, os.stat("/dev/null").st_rdev
"""
    held, null = ask(code)
    assert [number for number, _ in held] == [0, 1, 2, 3] and [device for _, device in held[:3]] == [null] * 3


# -- what it can do -------------------------------------------------------------------------------


def test_no_file_can_be_made_or_changed_anywhere():
    code = """
import os
DEVICES = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
MAKERS = (lambda path: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)), os.mkdir, os.mkfifo, lambda path: os.symlink("/", path))
def f():
    changed, seen = [], 0
    for top, folders, files in os.walk("/"):
        if top == "/proc":
            folders[:] = [name for name in folders if not name.isdigit() and not name.endswith("self")]
        if top.count("/") > 4 and not top.startswith("/proc"):
            folders[:] = []
        seen += 1
        for make in MAKERS:
            try:
                make(top + "/mine")
                changed.append(top)
            except OSError:
                pass
        for name in files[:300]:
            path = top + "/" + name
            if path not in DEVICES and not os.path.islink(path):
                try:
                    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                    changed.append(path)
                except OSError:
                    pass
    return changed, seen
"""
    changed, seen = ask(code)
    assert changed == [] and seen > 100


def test_there_is_no_network_and_no_socket_but_unix():
    code = """
import socket
def f():
    opened = []
    for family in range(46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
                opened.append(family)
            except OSError:
                pass
    with open("/proc/net/dev") as file:
        devices = [line.split(":")[0].strip() for line in file if ":" in line]
    return sorted(set(opened)), devices
"""
    assert ask(code) == ([1], ["lo"])


def test_every_forbidden_system_call_is_refused():
    library = ctypes.CDLL("libseccomp.so.2")
    names = (*seccomp.FORBIDDEN, *seccomp.LEAVING_TRACES, *seccomp.COUNTERS)
    numbers = {name: library.seccomp_syscall_resolve_name(name.encode()) for name in names}
    numbers = {name: number for name, number in numbers.items() if number >= 0}
    assert {
        "keyctl",
        "shmget",
        "ptrace",
        "process_vm_readv",
        "process_vm_writev",
        "memfd_create",
        "io_uring_setup",
        "unshare",
        "setns",
        "flock",
        "utimensat",
        "inotify_init1",
        "mq_open",
        "pidfd_open",
    } <= set(numbers)
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def f(numbers):
    answers = {}
    for name, number in numbers.items():
        ctypes.set_errno(0)
        answers[name] = (libc.syscall(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno())
    return answers
"""
    assert ask(code, numbers) == dict.fromkeys(numbers, (-1, errno.EPERM))


def test_no_urgent_byte_is_sent_or_asked_for():
    code = """
import socket
def f():
    one, other = socket.socketpair()
    refused = 0
    for call in (lambda: one.send(b"x", socket.MSG_OOB), lambda: one.sendmsg([b"x"], [], socket.MSG_OOB),
                 lambda: other.recv(1, socket.MSG_OOB), lambda: other.recvmsg(1, 0, socket.MSG_OOB | socket.MSG_DONTWAIT)):
        try: call()
        except PermissionError: refused += 1
        except OSError: pass
    one.send(b"y")
    return refused, other.recv(2).decode()
"""
    refused, received = ask(code)
    assert (refused, received) == (4, "y")


def test_no_new_user_namespace_by_any_way():
    library = ctypes.CDLL("libseccomp.so.2")
    numbers = [library.seccomp_syscall_resolve_name(name) for name in (b"clone", b"clone3", b"unshare")]
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def f(clone, clone3, unshare):
    arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
    answers = []
    for call in ((clone, 0x10000000 | 17, 0, 0, 0, 0), (clone3, arguments, 88), (unshare, 0x10000000)):
        answer = libc.syscall(*call)
        if answer == 0 and call[0] != unshare:
            libc._exit(0)
        answers.append((answer, ctypes.get_errno()))
    return answers
"""
    assert ask(code, *numbers) == [(-1, errno.EPERM), (-1, errno.ENOSYS), (-1, errno.EPERM)]


def test_it_has_no_capability_and_can_gain_none():
    code = """
import os
def f():
    with open("/proc/self/status") as file:
        status = {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
    refused = []
    changes = [(os.setuid, 0), (os.setgid, 0), (os.setgroups, [0]), (os.chroot, "/"), (os.nice, -5)]
    for change, argument in changes:
        try:
            change(argument)
        except OSError:
            refused.append(True)
    capabilities = [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")]
    return capabilities, status["NoNewPrivs"], status["Seccomp"], len(refused), os.getgroups()
"""
    capabilities, no_new_privileges, filtered, refused, groups = ask(code)
    assert (capabilities, no_new_privileges, filtered, refused) == ([0, 0, 0, 0], "1", "2", 5)
    assert not root() or groups == []


def test_its_limits_are_hard():
    code = """
import resource
def f():
    raised = []
    for name in ("AS", "NPROC", "CPU", "NOFILE", "FSIZE", "CORE", "MSGQUEUE"):
        limit = getattr(resource, "RLIMIT_" + name)
        soft, hard = resource.getrlimit(limit)
        try:
            resource.setrlimit(limit, (hard + 1, hard + 1))
            raised.append(name)
        except (OSError, ValueError):
            pass
    return raised, resource.getrlimit(resource.RLIMIT_NPROC)
"""
    assert ask(code) == ([], (16, 16))


def test_the_number_of_processes_and_threads_is_bound():
    code = """
import os, signal, threading
def f():
    children = []
    try:
        for _ in range(100):
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    except BlockingIOError:
        pass
    try:
        threading.Thread(target=signal.pause).start()
        thread = True
    except RuntimeError:
        thread = False
    return len(children), thread
"""
    children, thread = ask(code)
    assert 4 <= children <= 16 and not thread


def test_memory_is_bound():
    for hog in (
        "x = [bytearray(50 << 20) for _ in range(1000)]",
        "x = bytearray(1 << 40)",
        "x = 'x' * 10**12",
        "x = [0]\n    while True: x += x",
        "import numpy\n    x = numpy.ones(10**10)",
        "import mmap\n    x = [mmap.mmap(-1, 50 << 20) for _ in range(1000)]",
    ):
        with student_code(f"def f():\n    {hog}\n    return 1\ndef g(): return 2") as session:
            with pytest.raises((OutOfMemory, Died, Raised)) as caught:
                call(session, "f")
            assert isinstance(caught.value, (OutOfMemory, Died)) or caught.value.names[0] == "OSError"  # mmap's word for it


# -- the first process ------------------------------------------------------------------------------


def test_the_zygote_cannot_be_ended_or_stopped():
    code = """
import os, resource, signal
def f():
    done = []
    for number in range(1, 65):
        try:
            os.kill(1, number)
        except OSError:
            pass
    for limit in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_STACK):
        try:
            resource.prlimit(1, limit, (0, 0))
            done.append(limit)
        except OSError:
            pass
    return done
"""
    with student_code(code) as session:
        assert call(session, "f") == []
        assert call(session, "f") == []  # it is still there, and so is the worker


def test_the_zygote_cannot_be_read():
    code = """
import os
def f():
    read = []
    for name in ("mem", "maps", "environ", "auxv", "stack", "syscall", "pagemap", "personality", "io", "timerslack_ns"):
        try:
            with open(f"/proc/1/{name}", "rb") as file:
                if file.read(1):
                    read.append(name)
        except OSError:
            pass
    for name in ("fd", "fdinfo", "map_files"):
        try:
            read += os.listdir(f"/proc/1/{name}")
        except OSError:
            pass
    for name in ("root", "cwd", "exe", "ns/net"):
        try:
            read.append(os.readlink(f"/proc/1/{name}"))
        except OSError:
            pass
    return read
"""
    assert ask(code) == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_worker_that_ends_itself_has_died(how):
    with student_code(f"import os\ndef f(): os.kill(os.getpid(), {int(how)})") as session, pytest.raises(Died) as caught:
        call(session, "f")
    assert type(caught.value) is Died  # never a kill by the host


def test_each_worker_is_a_user_of_its_own():
    code = "import os\ndef f(): return os.getuid()"
    with Sandbox(SMALL) as one, Sandbox(SMALL) as other:
        users = [ask(code, sandbox=one), ask(code, sandbox=other)]
        users += [ask(code, sandbox=one)] if one.reusable else []
    assert one._uids is None or len(set(users)) == 3 and min(users) >= uids.FIRST
    assert 0 not in users


def test_the_libraries_beside_pytorch_come_along_where_they_are(tmp_path, monkeypatch):
    """PyTorch's build for graphics cards does not load without them; its build for processors has none."""
    (tmp_path / "torch").mkdir()
    found = SimpleNamespace(origin=str(tmp_path / "torch" / "__init__.py"), submodule_search_locations=[str(tmp_path / "torch")])
    monkeypatch.setattr(wall.importlib.util, "find_spec", lambda name: found)
    torch = wall.Wall(packages=("torch",), arena=())
    beside = (tmp_path / "nvidia", f"{wall.SITE}/nvidia")
    assert beside not in wall._site(torch)
    (tmp_path / "nvidia").mkdir()
    assert beside in wall._site(torch)
    assert beside not in wall._site(wall.Wall(arena=()))
