"""Work with limits in a forked child: its answer comes back, and every failure is one sentence for the caller."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from autograder import limited_child as limits
from autograder.limited_child import CRASH, MEMORY, TIME, OverLimit, failure_text, within

pytestmark = pytest.mark.usefixtures("processes")


def raise_this(error: BaseException) -> None:
    raise error


def nested(depth: int) -> object:
    return [nested(depth - 1)] if depth else []


def end_by(number: int) -> None:
    os.kill(os.getpid(), number)


def why(cpu_s: float, mib: int, function, *arguments) -> OverLimit:
    with pytest.raises(OverLimit) as caught:
        within(cpu_s, mib, function, *arguments)
    return caught.value


def test_the_answer_comes_back():
    assert within(5, 64, divmod, 17, 5) == (3, 2)
    assert within(5, 64, lambda: None) is None
    assert len(within(5, 256, bytes, 20 * 2**20)) == 20 * 2**20


def test_what_the_child_changes_stays_there():
    mine = []
    within(5, 64, mine.append, 1)
    assert mine == []


@pytest.mark.parametrize("function, arguments", [
    (sum, (range(10**15),)),  # in C, where no Python signal handler would ever run
    (eval, ("[0 for _ in iter(int, 1)]",)),
])
def test_time_without_end(function, arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    error = why(0.2, 4096, function, *arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert error.kind == TIME and str(error) == "took more than 0.2 s of CPU time"
    assert 0.1 < after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1


@pytest.mark.parametrize("function, arguments", [(bytes, (2**34,)), (eval, ("['x' * 2**20 + str(n) for n in range(9999)]",))])
def test_memory_without_end(function, arguments):
    error = why(20, 64, function, *arguments)
    assert error.kind == MEMORY and str(error) == "took too much memory"


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_a_crash_is_the_childs(number):
    error = why(5, 64, end_by, number)
    assert error.kind == CRASH and error.place == f"signal {int(number)}"


@pytest.mark.parametrize("cpu_s, function, arguments, message", [
    (0.1, sum, (range(10**15),), "took more than 0.1 s of CPU time"),
    (5, bytes, (2**34,), "took too much memory"),
    (5, end_by, (signal.SIGSEGV,), "ended the reader's process by signal 11"),
    (5, raise_this, (KeyError("theirs"),), "raised KeyError in test_limited_child.py, line "),
])
def test_staff_are_told_what_and_where_and_nothing_of_the_text(cpu_s, function, arguments, message):
    text = failure_text(why(cpu_s, 64, function, *arguments))
    assert text.startswith(message) and "theirs" not in text and (text == message or "KeyError" in message)


def test_an_exit_without_an_answer():
    assert why(5, 64, os._exit, 0).kind == CRASH


@pytest.mark.parametrize("error", [
    IndexError("tuple index out of range"), RecursionError(), KeyboardInterrupt(), SystemExit(3), StopIteration(),
    OSError(28, "full"),
])
def test_any_exception_is_told_by_its_kind_and_place_alone(error):
    failure = why(5, 64, raise_this, error)
    assert failure.kind == type(error).__name__ and str(failure) == f"raised {failure.kind}"
    assert failure.place.startswith("test_limited_child.py, line ") and failure.place.endswith(", raise_this")


def test_deep_nesting_is_the_childs_affair():
    assert why(20, 512, nested, 100_000).kind == "RecursionError"


def test_an_answer_that_cannot_travel():
    assert why(5, 64, lambda: (nothing for nothing in ())).kind == "TypeError"


def test_a_child_that_waits_for_ever_is_ended(monkeypatch):
    monkeypatch.setattr(limits, "WALL_S", 0.2)
    monkeypatch.setattr(limits, "WALL_FACTOR", 0.0)
    assert why(5, 64, time.sleep, 3600).kind == TIME


def test_from_several_threads_at_once():
    answers = {}
    threads = [threading.Thread(target=lambda n=n: answers.update({n: within(5, 64, pow, n, 3)})) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {n: n**3 for n in range(12)}


def test_no_child_and_no_descriptor_is_left_behind():
    def left() -> tuple[list[str], str]:
        children = Path(f"/proc/self/task/{os.getpid()}/children")
        return sorted(os.listdir("/proc/self/fd")), children.read_text() if children.exists() else ""

    before = left()
    for function, arguments in ((len, ("abc",)), (end_by, (signal.SIGSEGV,)), (raise_this, (ValueError(),))):
        try:
            within(5, 64, function, *arguments)
        except OverLimit:
            pass
    assert left() == before


def test_our_own_limits_and_timers_stay_as_they_are():
    def mine():
        return resource.getrlimit(resource.RLIMIT_AS), signal.getitimer(signal.ITIMER_PROF), signal.getsignal(signal.SIGINT)

    before = mine()
    within(5, 64, len, "abc")
    assert mine() == before


def test_ctrl_c_ends_the_child_too(tmp_path):
    """The parent of this process is a separate process, because the signal goes to a whole group."""
    program = (
        "import os, signal, sys, time\n"
        "from autograder.limited_child import within\n"
        "def wait():\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(3600)\n"
        "try:\n"
        "    within(5, 64, wait)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', flush=True)\n"
    )
    program = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{program}"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        child = int(parent.stdout.readline())
        os.killpg(parent.pid, signal.SIGINT)
        assert parent.stdout.readline() == "stopped\n"
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
