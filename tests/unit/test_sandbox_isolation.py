"""The things that student code can see and do in the sandbox: only its own.

All tests here run as the user who starts them, and again as an ordinary user if that user is root.
"""

import ctypes
import errno
import os
import signal
from types import SimpleNamespace

import pytest

from autograder.sandbox import bubblewrap, contents
from autograder.sandbox.errors import Died, OutOfMemory, Raised
from autograder.sandbox.host import seccomp, uids
from autograder.sandbox.profiles import SandboxProfile
from autograder.sandbox.sandbox import Sandbox
from tests.unit.in_the_sandbox import ROOT, SMALL, ask, call, root, status_of_worker, student_code

pytestmark = pytest.mark.usefixtures("processes")


def test_a_host_without_bubblewrap_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        bubblewrap.SandboxUnavailable,
        match="^bubblewrap .* was not found: install the system packages bubblewrap and libseccomp2"
    ):
        Sandbox()


# -- what it can see ------------------------------------------------------------------------------


def test_the_environment_holds_nothing_of_the_graders(monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    environment = ask("import os\ndef f(): return dict(os.environ)")
    assert {name: value for name, value in environment.items() if name != "PWD"} == bubblewrap.ENVIRONMENT


def test_what_every_submission_imports_is_imported_before_it_comes():
    assert ask("import sys\nfound = 'arena.own_check' in sys.modules\ndef f(): return found")


def test_a_function_that_draws_runs_and_draws_nothing():
    code = """
import arena.show.board
from arena.games import TicTacToe
from arena.show import step
from arena.show.board import draw_board, rows
from arena.show.step import Phases
from arena.show.tree import draw_tree

def f():
    game = TicTacToe()
    state = game.play(game.start(), 4)
    print(draw_board(game, state))
    drawn = draw_board(game, state, square=30).svg + f"{draw_tree(game, None)}" + "".join(draw_tree(game, None).pages)
    steps = step.step(game, None, Phases(1, 2, 3, 4)), hasattr(step, "__path__")
    return arena.show.board.rows(game, state) == rows(game, state), rows(game, state), drawn, *map(str, steps)
"""
    assert ask(code) == (True, ["...", ".X.", "..."], "", "", "False")


def test_nothing_of_the_host_is_there_but_libraries():
    paths = ask(
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
    assert paths == []
    assert ask(
        "import os\ndef f(): return {path: sorted(os.listdir(path)) for path in ('/', '/opt', '/opt/worker', '/opt/site')}"
    ) == {
        "/": sorted({"dev", "etc", "jail", "opt", "proc", "usr", *(link[1:] for link in contents.links())}),
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


def test_there_is_no_proc_and_no_way_back_to_the_zygotes():
    """/proc shows processes, paths of the host, addresses, and numbers that the kernel counts for all"""
    code = """
import os
def f():
    ways = os.listdir("/proc") + os.listdir("/jail/proc") if os.path.exists("/jail/proc") else os.listdir("/proc")
    for way in ("/../proc/self", "/jail/../../proc/self", "/dev/fd", "/proc/self/fd/0"):
        if os.path.lexists(way): ways.append(way)
    try: os.chroot("/opt"); ways.append("chroot")
    except PermissionError: pass
    return ways
"""
    assert ask(code) == []


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
        if top.count("/") > 6:
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
    assert changed == [] and seen > 60


def test_its_one_socket_is_all_there_is():
    """no other is made; this one, which is in the host's network, gets no name there, and tells nothing of the host"""
    code = """
import fcntl, os, socket
def f():
    done = []
    def trial(name, what, *arguments):
        try: what(*arguments); done.append(name)
        except OSError: pass
    for family in range(46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            trial(family, socket.socket, family, kind)
    own = socket.socket(fileno=os.dup(3))
    trial("pair", socket.socketpair), trial("pipe", os.pipe)
    trial("bind", own.bind, "\\0name"), trial("connect", own.connect, "\\0name"), trial("listen", own.listen)
    trial("set", own.setsockopt, socket.SOL_SOCKET, socket.SO_SNDBUF, 100_000)
    trial("send a descriptor", socket.send_fds, own, [b"x"], [0])
    for request in (0x8912, 0x8913, 0x8927, 0x8933, 0x8946):
        trial(hex(request), fcntl.ioctl, own, request, b"lo" + bytes(38))
    return done
"""
    assert ask(code) == []


def test_every_forbidden_system_call_is_refused():
    library = ctypes.CDLL("libseccomp.so.2")
    names = (*seccomp.FORBIDDEN, *seccomp.ONE_SOCKET, *seccomp.LEAVING_TRACES, *seccomp.COUNTERS, *seccomp.MISSING)
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
    expected = {name: (-1, errno.ENOSYS if name in seccomp.MISSING else errno.EPERM) for name in numbers}
    assert ask(code, numbers) == expected


def test_no_urgent_byte_is_sent_or_asked_for():
    code = """
import os, socket
def f():
    own = socket.socket(fileno=os.dup(3))
    refused = 0
    for call in (lambda: own.send(b"x", socket.MSG_OOB), lambda: own.sendmsg([b"x"], [], socket.MSG_OOB),
                 lambda: own.recv(1, socket.MSG_OOB), lambda: own.recvmsg(1, 0, socket.MSG_OOB | socket.MSG_DONTWAIT)):
        try: call()
        except PermissionError: refused += 1
        except OSError: pass
    return refused
"""
    assert ask(code) == 4


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
    refused = []
    changes = [(os.setuid, 0), (os.setgid, 0), (os.setgroups, [0]), (os.chroot, "/"), (os.nice, -5)]
    for change, argument in changes:
        try:
            change(argument)
        except OSError:
            refused.append(True)
    return len(refused), os.getgroups()
"""
    with student_code(code) as session:
        refused, groups = call(session, "f")
        status = status_of_worker(session)
    assert [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")] == [0, 0, 0, 0]
    assert (status["NoNewPrivs"], status["Seccomp"], refused) == ("1", "2", 5)
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


def test_the_first_process_of_its_sandbox_is_out_of_reach():
    """as an ordinary user both have one user id: it must not be pinned, slowed, idled, stopped or ended"""
    library = ctypes.CDLL("libseccomp.so.2")
    names = (*seccomp.SCHEDULING, "setpriority", "ioprio_set", "prlimit64")
    numbers = [library.seccomp_syscall_resolve_name(name.encode()) for name in names]
    code = """
import ctypes, os, resource, signal
libc = ctypes.CDLL(None, use_errno=True)
def f(affinity, scheduler, param, attr, priority, ioprio, prlimit):
    zero = ctypes.create_string_buffer(bytes(64))
    everyone = ctypes.create_string_buffer(b"\\xff" * 64)
    attributes = ctypes.create_string_buffer((48).to_bytes(4, "little") + bytes(44))
    done = []
    for pid in (1, (1 << 32) + 1):
        pid = ctypes.c_long(pid)
        for name, *call in (("affinity", affinity, pid, 64, everyone), ("idle", scheduler, pid, 5, zero),
                            ("param", param, pid, zero),
                            ("attr", attr, pid, attributes, 0), ("nice", priority, 0, pid, 5), ("group", priority, 1, pid, 5),
                            ("io", ioprio, 1, pid, 3 << 13), ("limit", prlimit, pid, 0, None, zero)):
            if libc.syscall(*call) != -1: done.append(name)
    for name, *call in (("user", priority, 2, 0, 5), ("user io", ioprio, 3, 0, 3 << 13)):
        if libc.syscall(*call) != -1: done.append(name)
    for number in range(1, 65):
        try: os.kill(1, number)
        except OSError: pass
    return done, os.nice(1)
"""
    with student_code(code) as session:
        assert call(session, "f", *numbers) == ([], os.nice(0) + 1)
        assert call(session, "f", *numbers)[0] == []  # it is still there, and so is the worker


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_worker_that_ends_itself_has_died(how):
    with student_code(f"import os\ndef f(): os.kill(os.getpid(), {int(how)})") as session, pytest.raises(Died) as caught:
        call(session, "f")
    assert type(caught.value) is Died  # never a kill by the host


def test_each_worker_is_a_user_of_its_own():
    code = "import os\ndef f(): return os.getuid()"
    with Sandbox(SMALL) as first, Sandbox(SMALL) as second:
        users = [ask(code, sandbox=first), ask(code, sandbox=second)]
        users += [ask(code, sandbox=first)] if first.reusable else []
    assert first._uids is None or len(set(users)) == 3 and min(users) >= uids.FIRST
    assert 0 not in users


def test_the_libraries_beside_pytorch_come_along_where_they_are(tmp_path, monkeypatch):
    """PyTorch's build for graphics cards does not load without them; its build for processors has none."""
    (tmp_path / "torch").mkdir()
    spec = SimpleNamespace(origin=str(tmp_path / "torch" / "__init__.py"), submodule_search_locations=[str(tmp_path / "torch")])
    monkeypatch.setattr(contents.importlib.util, "find_spec", lambda name: spec)
    torch = SandboxProfile(packages=("torch",), arena=())
    beside = (tmp_path / "nvidia", f"{bubblewrap.SITE}/nvidia")
    assert beside not in contents.sources_of(torch)
    (tmp_path / "nvidia").mkdir()
    assert beside in contents.sources_of(torch)
    assert beside not in contents.sources_of(SandboxProfile(arena=()))
