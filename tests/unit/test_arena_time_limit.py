"""Code without an end is stopped, wherever it hangs; after code that ended nothing is stopped."""

import pdb
import time

import pytest

from arena import check, time_limit
from arena.time_limit import OutOfTime


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
