"""Ctrl-C stops a run exactly once, wherever the run is."""

import signal
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from autograder.progress import Stop


@pytest.fixture
def stop() -> Iterator[Stop]:
    """A stop that listens; afterwards the old signal handlers are back."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    made = Stop()
    made.listen()
    yield made
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGTERM, before[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_at_once(stop, number):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_one_does_not_tear_the_end_of_the_run(stop, second):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(second)


@pytest.mark.parametrize("module", ["weakref", "_weakrefset"])
def test_in_the_callback_of_a_weak_reference_it_waits_for_the_next_step(stop, module):
    """Python drops an exception that is raised there"""
    stop.check()
    signal.getsignal(signal.SIGINT)(signal.SIGINT, SimpleNamespace(f_globals={"__name__": module}))
    with pytest.raises(KeyboardInterrupt):
        stop.check()


def test_a_thread_that_tells_of_progress_is_not_stopped_by_it(stop, monkeypatch):
    """the main thread raises it; a second traceback from another thread would help nobody"""
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    stop.asked = True
    thread = threading.Thread(target=stop.check)
    thread.start()
    thread.join()
    assert raised == []


def test_whom_the_shell_told_to_ignore_ctrl_c_goes_on(stop):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Stop().listen()
    signal.raise_signal(signal.SIGINT)
