"""The end of a worker, and the messages that it can send before: nothing harms the grader, and no process survives."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.sandbox import bubblewrap, codec, ending
from autograder.sandbox import session as sessions
from autograder.sandbox.errors import (
    Died,
    HostKill,
    NotWritten,
    OutOfMemory,
    Overdrawn,
    Raised,
    Refused,
    StudentError,
    TooSlow,
    Unsendable,
    WallClockTimeout,
)
from autograder.sandbox.host import cgroup
from autograder.sandbox.host.cgroup import NOTHING_HAPPENED, PREFIX, Group, Place, places
from autograder.sandbox.sandbox import Sandbox, SandboxDied
from tests.unit.in_the_sandbox import ROOT, SMALL, ask, call, status_of_worker, student_code

pytestmark = pytest.mark.usefixtures("processes")

# Code of a worker that has found its own end of the connection.
LIAR = """
import os, signal, socket, struct, sys, time, threading
import numpy as np
import codec
connection = socket.socket(fileno=os.dup(3))
def frame(*message): return codec.frame(codec.encode(message, lambda value: 0))
def number():
    frame = sys._getframe()
    while "number" not in frame.f_locals: frame = frame.f_back
    return frame.f_locals["number"]
"""


def ended_by(code: str, error: type[StudentError], **limits: float) -> StudentError:
    """Call `f` of this code, compare the error that ends it with its type, and check that the sandbox still works."""
    with Sandbox(SMALL) as sandbox:
        with student_code(LIAR + code, **limits, sandbox=sandbox) as session:
            with pytest.raises(StudentError) as caught:
                call(session, "f")
            session.close()
        assert ask("def f(): return 'still here'", sandbox=sandbox) == "still here"
    assert type(caught.value) is error, (caught.value, caught.value.staff)
    return caught.value


def test_grader_and_worker_share_a_cpu_while_an_exercise_lasts():
    before = os.sched_getaffinity(0)
    with Sandbox(SMALL) as sandbox:
        for _ in range(2):
            with student_code("import os\ndef f(): return sorted(os.sched_getaffinity(0))", sandbox=sandbox) as session:
                (shared,) = call(session, "f")
                assert os.sched_getaffinity(0) == {shared}
            assert os.sched_getaffinity(0) == before


# -- time -----------------------------------------------------------------------------------------


@pytest.fixture
def busy_neighbour():
    """A process that works without a pause, beside the worker."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    yield
    process.kill()
    process.wait()


@pytest.mark.first_shows
@pytest.mark.parametrize(
    "loop",
    [
        "def f():\n    while True: pass",
        "def f():\n    import re\n    re.match(r'(a+)+$', 'a' * 60 + 'b')",
        "def f():\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        "def f():\n    if os.fork() == 0:\n        while True: pass\n    signal.pause()",
        "def f():\n    threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()\n    signal.pause()",
        "def f():\n    for n in range(1, 65):\n"
        "        try: signal.signal(n, signal.SIG_IGN)\n        except (OSError, ValueError): pass\n    while True: pass",
    ],
    ids=[
        "plain",
        "inside a regular expression",
        "that catches everything",
        "in a child",
        "in a thread",
        "that ignores all signals",
    ],
)
@pytest.mark.usefixtures("busy_neighbour")
def test_an_endless_loop_is_too_slow_by_its_cpu_time(loop):
    ended_by(loop, TooSlow, cpu_s=0.3)


def test_short_answers_without_end_are_too_slow():
    with student_code("def f():\n    for _ in range(100_000): pass", cpu_s=0.2) as session, pytest.raises(TooSlow):
        for _ in range(1_000_000):
            call(session, "f")


@pytest.mark.parametrize(
    "nap", ["time.sleep(10**6)", "signal.pause()", "os.kill(os.getpid(), signal.SIGSTOP)", "signal.sigwait([signal.SIGUSR1])"]
)
def test_who_waits_is_asleep(nap):
    ended_by(f"def f(): {nap}", WallClockTimeout,
             wall_timeout_s=0.5)


DRIPS = """
def f():
    for byte in frame(number(), 'ok', 'x' * 10**6):
        connection.sendall(bytes([byte]))
        time.sleep(0.02)
"""
TALKS = """
def f(ask):
    while True:
        ask(1)
        time.sleep(0.02)
"""
TAKES = """
def f():
    for _ in range(10**6):
        connection.recv(1)
        time.sleep(0.02)
"""


def test_a_grader_that_was_stopped_for_a_while_does_not_blame_the_worker():
    pause = f"read go; sleep 1; kill -STOP {os.getpid()}; sleep 4; kill -CONT {os.getpid()}"
    began = time.monotonic()
    with student_code("import time\ndef f():\n    time.sleep(2)\n    return 7", wall_timeout_s=4.5) as session:
        with subprocess.Popen(["sh", "-c", pause], start_new_session=True, stdin=subprocess.PIPE) as stopper:
            stopper.stdin.write(b"go\n")  # the shell runs by now: it will stop us while we wait for the answer
            stopper.stdin.close()
            assert call(session, "f") == 7
        assert session.wall_s < time.monotonic() - began - 2  # of the four seconds of the pause at least two are not counted


def test_who_answers_byte_by_byte_keeps_us_waiting():
    ended_by(DRIPS, WallClockTimeout, wall_timeout_s=1.0)


def test_who_asks_and_sleeps_in_turn_keeps_us_waiting():
    with student_code(LIAR + TALKS, wall_timeout_s=1.0) as session, pytest.raises(WallClockTimeout):
        call(session, "f", session.callback(lambda number: number))


def test_who_takes_our_question_byte_by_byte_keeps_us_waiting():
    with student_code(LIAR + TAKES + "threading.Thread(target=f, daemon=True).start()", wall_timeout_s=1.0) as session:
        with pytest.raises((WallClockTimeout, Unsendable, Died)):  # its own worker may read half a question
            for _ in range(100):
                call(session, "len", "x" * 4 * 2**20)


def test_who_works_is_waited_for_as_long_as_its_work_lasts():
    code = "def f():\n    begin = time.process_time()\n    while time.process_time() < begin + 1.0: pass\n    return 7"
    assert ask("import time\n" + code, wall_timeout_s=0.2) == 7


def test_a_clock_of_the_students_decides_nothing():
    with student_code(
        "import time\ntime.process_time = time.thread_time = time.monotonic = lambda: 0.0\ndef f():\n    while True: pass",
        cpu_s=0.2,
    ) as session, pytest.raises(TooSlow):
        call(session, "f")


# -- ends -----------------------------------------------------------------------------------------


@pytest.mark.first_shows
@pytest.mark.parametrize(
    "end",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",  # not the kernel's, which kills for memory
        "os._exit(0)",
        "os._exit(99)",
        "os.killpg(0, signal.SIGKILL)",
        "os.abort()",
        "os.close(3)",
        "os.closerange(0, 100)",
        "os.execv('/opt/python/bin/python3', ['python3'])",
        "connection.shutdown(2)",
    ],
)
def test_an_end_of_its_own_making_is_its_own(end):
    ended_by(f"def f(): {end}", Died)


def test_a_worker_that_ends_while_a_child_holds_the_line_is_not_waited_for():
    ended_by("def f():\n    if os.fork():\n        os._exit(0)\n    time.sleep(10**6)", Died, wall_timeout_s=10**6)


def test_a_crash_of_the_interpreter_is_its_own():
    assert "crashed" in str(ended_by("import ctypes\ndef f(): ctypes.string_at(0)", Died))


def test_recursion_without_end_is_an_exception():
    error = ended_by("def f(): return f()", Raised)
    assert error.names[0] == "RecursionError" and error.cell == "cell 1"


def test_an_exit_is_an_exception_like_any_other():
    assert ended_by("def f(): sys.exit(0)", Raised).names[0] == "SystemExit"


def test_the_stubs_own_error_is_not_written():
    ended_by("def f(): raise NotImplementedError('exercise 2.5 (backpropagate) is not written yet')", NotWritten)


@pytest.mark.parametrize(
    "hog",
    [
        "def f():\n    x = []\n    while True: x.append(bytearray(1 << 20))",
        "def f():\n    x = []\n    while True:\n"
        "        try: x.append(bytearray(1 << 20))\n        except MemoryError: raise MemoryError from None",
    ],
)
def test_a_memory_hog_is_out_of_memory(hog):
    ended_by(hog, OutOfMemory)


def test_a_hog_of_many_processes_is_stopped_as_a_whole():
    """if the host gives no control group, only the limits for each process remain"""
    if "memory" not in {place.kind for place in places()}:
        return
    hog = """
def f():
    for _ in range(6):
        if os.fork() == 0:
            x = bytearray(300 << 20)
            signal.pause()
    x = bytearray(300 << 20)
    signal.pause()
"""
    with student_code(LIAR + hog, cpu_s=3) as session:
        with pytest.raises((OutOfMemory, WallClockTimeout)) as caught:
            call(session, "f")
        assert type(caught.value) is OutOfMemory or session._sandbox.starved
        session.close()


# Memory that belongs to no process: shared pages that were given back one by one stay while somebody could ask for them.
NOBODYS = """
import mmap
def hold():
    room = mmap.mmap(-1, 150 << 20)
    for at in range(0, len(room), 1 << 20):
        room[at : at + (1 << 20)] = bytes(1 << 20)
        room.madvise(mmap.MADV_DONTNEED)
    return room
def f():
    for _ in range(6):
        if os.fork() == 0:
            os.closerange(3, 64)
            room = hold()
            while True: signal.pause()
    room = hold()
    os.wait()
    os._exit(0)
"""


def with_memory_groups() -> bool:
    return "memory" in {place.kind for place in places()}


def test_memory_that_is_nobodys_is_its_makers():
    """the kernel ends the worker, although the zygote has more memory; the sandbox still works"""
    if with_memory_groups():
        ended_by(NOBODYS, OutOfMemory)


def test_a_sandbox_that_was_killed_for_memory_is_the_workers_doing(monkeypatch):
    """the case in which the kernel ends the zygote: here it is made to look like the worker"""
    if not with_memory_groups():
        return
    monkeypatch.setattr(bubblewrap, "ZYGOTE_OOM_SCORE", 1000)
    with Sandbox(SMALL) as sandbox:
        with student_code(LIAR + NOBODYS, sandbox=sandbox) as session:
            with pytest.raises(OutOfMemory):
                call(session, "f")
            session.close()
        assert not sandbox.reusable


def test_a_kill_for_the_memory_of_others_is_not_the_workers_doing(monkeypatch):
    """a sandbox that is killed because a group above it, or the host, is full has not used up its own memory"""
    if not with_memory_groups():
        return
    place = next(place for place in places() if place.kind == "memory")
    above = place.folder / f"{PREFIX}{os.getpid()}-above"
    above.mkdir()
    try:
        if place.version == 2:
            (above / "cgroup.subtree_control").write_text("+memory")
        (above / ("memory.max" if place.version == 2 else "memory.limit_in_bytes")).write_text(str(150 << 20))
        monkeypatch.setattr(cgroup, "places", lambda: (Place("memory", place.version, above),))
        with Sandbox(SMALL) as sandbox:
            with student_code("def f(): return len(bytearray(200 << 20))", sandbox=sandbox) as session:
                with pytest.raises(HostKill):
                    call(session, "f")
                assert sandbox._memory().kills > 0 and not sandbox.starved
                session.close()
    finally:
        above.rmdir()


def test_without_a_group_each_process_has_its_limit(monkeypatch):
    monkeypatch.setattr(cgroup, "places", lambda: ())
    ended_by("def f():\n    x = []\n    while True: x.append(bytearray(1 << 20))", OutOfMemory)
    ended_by("import mmap\ndef f(): return [mmap.mmap(-1, 100 << 20) for _ in range(100)]", Raised)


def test_the_worker_is_the_first_to_be_killed_for_memory():
    code = "def f(): return 1"
    with Sandbox(SMALL) as sandbox:
        assert ask(code, sandbox=sandbox) == 1
        with student_code(code, sandbox=sandbox):
            pids = [sandbox._process.pid, *_below(sandbox._process.pid)]
            scores = sorted(int(Path(f"/proc/{pid}/oom_score_adj").read_text()) for pid in pids)
    assert scores == [bubblewrap.ZYGOTE_OOM_SCORE] * (len(scores) - 1) + [1000] and len(scores) >= 3


def test_killing_oneself_is_no_kill_of_the_hosts(monkeypatch):
    """even if the host has just killed another process, a worker that had children is suspected itself"""
    kills = iter(range(1000))
    monkeypatch.setattr(ending, "oom_kills", lambda: next(kills))
    fork = "pid = os.fork()\n    if pid == 0: os._exit(0)\n    os.waitpid(pid, 0)"
    for start in (fork, "threading.Thread(target=int).start()"):
        ended_by(f"def f():\n    {start}\n    os.kill(os.getpid(), signal.SIGKILL)".replace("os.waitpid(pid, 0)", ""), Overdrawn)
    ended_by("def f(): os.kill(os.getpid(), signal.SIGKILL)", HostKill)


def test_the_sandboxs_own_end_is_no_answer_of_the_students():
    with Sandbox(SMALL) as sandbox:
        with student_code("def f(): return 1", sandbox=sandbox) as session:
            for pid in reversed(_below(sandbox._process.pid)):
                os.kill(pid, signal.SIGKILL)
            with pytest.raises(SandboxDied):
                call(session, "f")
            session.close()
        assert not sandbox.reusable


# -- answers --------------------------------------------------------------------------------------


def test_a_flood_of_output_harms_nobody():
    assert (
        ask("import os, sys\ndef f():\n    for _ in range(100): print('x' * 2**20); os.write(2, b'y' * 2**20)\n    return 1") == 1
    )


@pytest.mark.parametrize("large", ["[0] * 10**6", "'x' * 9 * 2**20", "2**200", "b'x'", "{1.5: 2}", "{(1, None): 2}", "3j"])
def test_what_does_not_travel_is_unsendable_or_a_handle(large):
    with student_code(f"def f(): return {large}\ndef g(): return 1") as session:
        try:
            assert isinstance(call(session, "f"), codec.HandleId)
        except Unsendable:
            pass
        if session.open:
            assert call(session, "g") == 1


def test_an_endless_list_is_unsendable():
    ended_by("def f():\n    x = []\n    x.append(x)\n    return x", Unsendable)


@pytest.mark.first_shows
@pytest.mark.parametrize(
    "lie",
    [
        "connection.sendall(b'garbage' * 1000)",
        "connection.sendall(b'\\xff\\xff\\xff\\xff')",
        "connection.sendall(frame(number() + 1, 'ok', 1))",
        "connection.sendall(frame(number() - 1, 'ok', 1))",
        "connection.sendall(frame(True, 'ok', 1))",
        "connection.sendall(frame('1', 'ok', 1))",
        "connection.sendall(frame(number(), 'passed', True))",
        "connection.sendall(frame(number(), 1, True))",
        "connection.sendall(frame(1, 2))",
        "connection.sendall(codec.frame(b'N'))",
        "connection.sendall(codec.frame(b''))",
        "connection.sendall(codec.frame(codec.encode((number(), 'ok', codec.Special('function', 'f')))))",
        "connection.sendall(frame(0, 'callback', []))",
        "connection.sendall(frame(10**9, 'callback', []))",
        "connection.sendall(frame(-1, 'callback', []))",
        "connection.sendall(frame(None, 'callback', []))",
        "connection.sendall(frame(number(), 'callback', None))",
        "connection.sendall(frame(number(), 'error', 'ValueError'))",
        "connection.sendall(frame(number(), 'error', [1, 2, 3, 4, 5]))",
        "connection.sendall(frame(number(), 'error', [['ok'], 'x', 1, False]))",
    ],
)
def test_a_lie_on_the_connection_is_not_an_answer(lie):
    ended_by(f"def f():\n    {lie}\n    time.sleep(10**6)", Unsendable, cpu_s=5)


def test_half_a_frame_is_waited_for_no_longer_than_any_answer():
    ended_by("def f():\n    connection.sendall(b'\\x10\\0\\0\\0half')\n    time.sleep(10**6)", WallClockTimeout,
             wall_timeout_s=0.5)


def test_what_a_liar_says_of_an_error_is_held_against_what_there_is():
    description = "[['Passed'] * 99, '', 7, False, '\\x1b[2J']"
    error = ended_by(f"def f(): connection.sendall(frame(number(), 'error', {description}))", Raised, cpu_s=5)
    assert (error.names, error.cell, error.line, error.staff) == (["Passed"] * 12, "", 7, "\ufffd[2J")


@pytest.mark.first_shows
@pytest.mark.parametrize("description", [
    "[['Passed', 3, None], 7, 'x', 1, ['y']]", "[[np.zeros(3)], '', 1, False, '']", "[['ValueError'], np.zeros(3), 1, False, '']",
    "[['ValueError'], '', np.int64(3), False, '']", "[['ValueError'], '', 1, np.True_, '']", "[(), '', 1, False, '']",
    "np.zeros(5)",
])
def test_a_description_of_an_error_that_is_none_is_not_an_answer(description):
    ended_by(f"def f(): connection.sendall(frame(number(), 'error', {description}))", Unsendable, cpu_s=5)


@pytest.mark.parametrize("echo", ["np.int64(number())", "np.array([number()])", "np.zeros(0)", "True", "float(number())", "None"])
def test_the_number_of_an_answer_is_a_number(echo):
    """an array would answer the grader's comparison with an array"""
    ended_by(f"def f(): connection.sendall(frame({echo}, 'ok', 1))", Unsendable, cpu_s=5)


@pytest.mark.parametrize("kind", ["np.array(['ok'])", "np.zeros(2)", "7", "['ok']", "None"])
def test_the_kind_of_an_answer_is_a_word(kind):
    ended_by(f"def f(): connection.sendall(frame(number(), {kind}, 1))", Unsendable, cpu_s=5)


def test_staff_read_nothing_that_a_terminal_obeys_and_not_too_much():
    error = ended_by("def f(): raise ValueError('\\x1b[2J\\x07\\u202e' + 'x' * 10**6)", Raised)
    assert len(error.staff) <= 4000
    error = ended_by("def f(): raise ValueError('\\x1b[2J\\x07\\u202e end')", Raised)
    assert not {"\x1b", "\x07", "\u202e"} & set(error.staff) and " end" in error.staff
    error = ended_by("def f(): connection.sendall(frame(number(), 'error', [['ValueError'], '', 0, False, 'y' * 5 * 2**20]))",
                     Raised)
    assert len(error.staff) <= 4000


# -- callbacks ------------------------------------------------------------------------------------


def called_back(code: str, function, **limits: float):
    with student_code(LIAR + code, **limits) as session:
        return session.request("call", codec.Special("function", "f"), [session.callback(function)], {})


def test_a_callback_runs_here_and_its_answer_goes_there():
    asked = []
    assert called_back("def f(g): return g(1, (2, 3)) + 1", lambda a, b: asked.append((a, b)) or 41) == 42
    assert asked == [(1, (2, 3))]


@pytest.mark.first_shows
@pytest.mark.parametrize("arguments", ["", "1, 2, 3", "[]", "{}", "2**100", "'x' * 10**6", "-1", "None", "float('nan')", "f"])
def test_bad_arguments_to_a_callback_are_an_error_there(arguments):
    def picky(action):
        return {0: "a"}[10 ** min(int(action) >> 100, 1)]

    code = f"def f(g):\n    try: g({arguments})\n    except ValueError as error: return str(error)"
    assert called_back(code, picky) == "an argument that does not fit"


def test_a_refusal_is_an_error_there():
    def refuse():
        raise Refused("error", "not a state of this game")

    assert (
        called_back("def f(g):\n    try: g()\n    except ValueError as error: return str(error)", refuse)
        == "not a state of this game"
    )


def test_an_error_of_ours_in_a_callback_is_ours():
    def broken():
        raise AssertionError("a check inside the callback")

    with pytest.raises(AssertionError, match="a check inside"):
        called_back("def f(g): g()", broken)


def test_calls_without_end_are_too_slow():
    with pytest.raises(TooSlow):
        called_back("def f(g):\n    while True: g()", lambda: 1, cpu_s=0.3)


def test_calls_without_end_by_ever_new_processes_are_too_slow():
    """each process has its own limit in the kernel, so a chain of children is watched from outside"""
    code = "def f(g):\n    while True:\n        for _ in range(1000): g()\n        if os.fork(): os._exit(0)"
    with pytest.raises((TooSlow, Died)):
        called_back(code, lambda: 1, cpu_s=0.3)


def test_answers_that_nobody_reads_do_not_hold_the_grader():
    code = "def f(g):\n    flood = frame(0, 'callback', []) * 1000\n    while True: connection.sendall(flood)"
    with pytest.raises((TooSlow, WallClockTimeout)):
        called_back(code, lambda: "an answer of some length " * 100, cpu_s=0.1, wall_timeout_s=1.0)


def test_a_check_that_keeps_what_it_is_told_keeps_no_more_than_so_much():
    kept = []
    code = "def f(g):\n    text = 'x' * 8_000_000\n    while True: g(text)"
    with pytest.raises(Unsendable):
        called_back(code, kept.append)
    assert 0 < sum(map(len, kept)) <= sessions.MOST_HEARD_BYTES


# -- afterwards -----------------------------------------------------------------------------------


def test_nothing_survives_an_exercise():
    leave = """
def f():
    for kind in range(3):
        if os.fork() == 0:
            if kind: os.setsid()
            if kind == 2 and os.fork(): os._exit(0)
            for n in range(1, 65):
                try: signal.signal(n, signal.SIG_IGN)
                except (OSError, ValueError): pass
            while True: signal.pause()
    threading.Thread(target=signal.pause).start()
    return 1
"""
    with Sandbox(SMALL) as sandbox:
        with student_code(LIAR + leave, sandbox=sandbox) as session:
            call(session, "f")
            worker = session._socket.dup()
            session.close()
            worker.settimeout(0)
            while piece := worker.recv(4096):  # the end of the stream: no process holds the other end any more
                assert piece
            worker.close()
        with student_code("def f(): return 1", sandbox=sandbox) as session:
            zygote = status_of_worker(session)["PPid"]
            assert len(Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split()) == 1


def test_the_account_counts_children_and_grandchildren():
    burn = """
def burn():
    for _ in range(4_000_000): pass
def f():
    for _ in range(2):
        if os.fork() == 0:
            if os.fork() == 0: burn(), burn(), burn()
            else: os.wait()
            os._exit(0)
    os.wait(), os.wait()
"""
    with student_code(LIAR + burn) as session:
        call(session, "f")
        many = session.close().cpu_s
    with student_code(LIAR + burn) as session:
        call(session, "burn")
        alone = session.close().cpu_s
    assert many > 1.3 * alone


def test_no_child_ends_without_an_account():
    """a process that ignores SIGCHLD has children whose CPU time the kernel does not report"""
    hide = """
def burn():
    for _ in range(4_000_000): pass
def f():
    hidden = []
    for answer in (lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), lambda: libc.sigaction(17, act, None),
                   lambda: libc.syscall(RT_SIGACTION, ctypes.c_long(17 + (1 << 32)), act, None, ctypes.c_long(8))):
        try: hidden.append(answer())
        except OSError: pass
    if os.fork() == 0:
        burn()
        os._exit(0)
    os.wait()
    return hidden
import ctypes
libc, act = ctypes.CDLL(None), (ctypes.c_uint64 * 20)(1, 2)  # SIG_IGN, SA_NOCLDWAIT
RT_SIGACTION = {"x86_64": 13, "aarch64": 134}[os.uname().machine]
"""
    with student_code(LIAR + hide) as session:
        assert call(session, "f") == [-1, -1]
        ignored = session.close().cpu_s
    with student_code(LIAR + hide) as session:
        call(session, "burn")
        assert ignored > 0.5 * session.close().cpu_s


def test_a_grader_that_is_killed_leaves_no_process():
    code = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.unit.in_the_sandbox import student_code, call, SMALL
with student_code("import os\\ndef g(): return 1\\ndef f():\\n    os.fork()\\n    while True: pass", cpu_s=1000) as session:
    call(session, "g")
    print("ready", flush=True)
    call(session, "f")
"""
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert grader.stdout.readline() == "ready\n"
    below = _below(grader.pid)
    assert len(below) >= 3  # bubblewrap, the zygote, the worker
    watched = [os.pidfd_open(pid) for pid in below]
    grader.kill()
    grader.wait()
    for descriptor in watched:
        assert select.select([descriptor], [], [], 60)[0], "a process of the sandbox lives on"
        os.close(descriptor)


def _below(pid: int) -> list[int]:
    """Return all descendants of a process, as the host sees them."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    below, more = [], [pid]
    while more:
        more = [child for child, parent in parents.items() if parent in more]
        below += more
    return below


def test_closing_a_sandbox_leaves_no_process_and_no_group():
    sandbox = Sandbox(SMALL)
    with student_code("import os\ndef f(): os.fork()", sandbox=sandbox) as session:
        call(session, "f")
        below = [os.pidfd_open(pid) for pid in _below(sandbox._process.pid)]
        doors = sandbox._group.doors
    sandbox.close()
    for descriptor in below:
        assert select.select([descriptor], [], [], 0)[0]
        os.close(descriptor)
    assert not [door for door in doors if os.path.exists(door)]


def test_a_group_limits_memory_and_processes_where_there_is_one():
    group = Group(300, 20)
    try:
        assert len(group.doors) <= 2 and group.memory_events() == NOTHING_HAPPENED
        written = {
            path.name: path.read_text().strip()
            for folder in group._folders
            for path in folder.iterdir()
            if path.name in ("memory.max", "memory.limit_in_bytes", "pids.max")
        }
        assert set(written.values()) <= {str(300 * 2**20), "20"} and len(written) == len(places())
    finally:
        group.close()
