"""Code without an end is stopped, wherever it hangs; after code that ended nothing is stopped."""

import pdb
import subprocess
import time
from pathlib import Path

import pytest

from arena import check, time_limit
from arena.time_limit import OutOfTime
from tests.pythons import program_of

ROOT = Path(__file__).resolve().parents[2]


def forever() -> None:
    """Hang like a student's loop that never moves on."""
    state = 0
    while state == 0:
        try:
            state += 0
        except Exception:
            state = 1


def test_a_loop_that_does_not_end_is_stopped():
    with pytest.raises(OutOfTime), time_limit.time_limit(0.2):
        forever()


def test_who_catches_everything_is_stopped_again(monkeypatch):
    monkeypatch.setattr(time_limit, "AGAIN_S", 0.1)
    caught = []
    with pytest.raises(OutOfTime), time_limit.time_limit(0.1):
        for _ in range(2):
            try:
                forever()
            except BaseException as error:
                caught.append(error)
        forever()
    assert len(caught) == 2


def test_what_ends_in_time_is_left_alone_afterwards():
    for _ in range(200):  # some of them end exactly when the time is up
        try:
            with time_limit.time_limit(0.001):
                time.sleep(0.001)
        except OutOfTime:
            pass
    for _ in range(100):
        time.sleep(0.0005)


def test_what_waits_for_others_has_longer(monkeypatch):
    monkeypatch.setattr(time_limit, "LONGEST_WAIT", 4)
    with time_limit.time_limit(0.1):
        time.sleep(0.2)
    with pytest.raises(OutOfTime), time_limit.time_limit(0.1):
        time.sleep(30)


def test_nobody_is_stopped_in_a_debugger():
    debugger: dict = {}
    exec(compile("def prompt(wait): wait()", pdb.__file__, "exec"), debugger)  # as if pdb waited for a line
    with time_limit.time_limit(0.1):
        debugger["prompt"](lambda: time.sleep(0.3))


def test_where_there_is_no_alarm_a_thread_rings(monkeypatch):
    monkeypatch.delattr("signal.setitimer")  # as on Windows
    monkeypatch.setattr(time_limit, "AGAIN_S", 0.1)
    with pytest.raises(OutOfTime), time_limit.time_limit(0.1):
        forever()
    with time_limit.time_limit(5):
        pass


NO_ALARM = """
import signal, sys, threading, time
del signal.setitimer
def refuse(self):
    raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
from arena import time_limit

def ends(block, seconds):
    began = time.perf_counter()
    try:
        with time_limit.time_limit(seconds):
            block()
    except time_limit.OutOfTime:
        return round(time.perf_counter() - began, 2)

def loop():
    while True:
        try:
            pass
        except Exception:
            pass

def calls(n=0):
    while True:
        (lambda: None)()

print(ends(loop, 0.2), ends(calls, 0.2), ends(lambda: sum(range(1000)), 5), ends(lambda: time.sleep(0), 5))
print([number for number in range(6) if sys.monitoring.get_tool(number)])
"""


@pytest.mark.usefixtures("whole_world")
@pytest.mark.parametrize("version", [(3, 12), (3, 13)])
def test_in_a_browser_s_tab_the_code_itself_is_counted(version):
    """neither timers nor threads, as in Pyodide; other tools of the interpreter are free again afterwards"""
    program = program_of(version)
    if program is None:
        pytest.skip(f"this machine has no Python {version[0]}.{version[1]}")
    done = subprocess.run([program, "-c", NO_ALARM], capture_output=True, text=True, timeout=60, cwd=ROOT)
    times, tools = done.stdout.splitlines()
    loop, calls, *others = times.split()
    assert 0.2 <= float(loop) < 5 and 0.2 <= float(calls) < 5 and others == ["None", "None"] and tools == "[]", done.stderr


def test_where_nothing_can_stop_the_code_there_is_no_limit(monkeypatch):
    monkeypatch.setattr(time_limit, "_SIGNAL", None)
    monkeypatch.delattr("sys.monitoring", raising=False)
    with time_limit.time_limit(0.01):
        time.sleep(0.05)


def test_a_visible_check_that_hangs_says_where(monkeypatch):
    monkeypatch.setattr(check, "LONGEST_S", 0.2)
    check.forget()

    @check.check("9.1", "a loop")
    def check_9_1():
        """the loop comes to its end"""
        forever()

    verdict, text = check.registered()[0].verdict()
    check.forget()
    assert verdict == check.NOT_YET
    lines = text.split("\n")
    assert lines[0] == "9.1 a loop   NOT YET   the loop comes to its end"
    assert lines[1] == "    Not finished after 0.2 s: does your loop move on?"
    assert lines[2].startswith("    in forever, line ")
