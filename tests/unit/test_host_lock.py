"""Exercises that run beside others, and one that runs alone: the locks between graders on a host."""

import threading

import pytest

from autograder.sandbox.host.host_lock import HostLock

pytestmark = pytest.mark.usefixtures("host_of_its_own")


def in_a_thread(work: object) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_several_exercises_run_side_by_side() -> None:
    first, second = HostLock(), HostLock()
    first.leave()
    second.leave()


def test_whoever_wants_to_be_alone_waits_for_the_others_and_keeps_newcomers_out() -> None:
    events: list[str] = []
    first, second = HostLock(), HostLock()
    is_alone, may_end = threading.Event(), threading.Event()

    def want_to_be_alone() -> None:
        with first.alone():
            events.append("alone")
            is_alone.set()
            may_end.wait(60)
            events.append("alone no more")

    waiting = in_a_thread(want_to_be_alone)
    assert not is_alone.wait(0.2), "it does not begin while another is at work"
    second.leave()
    assert is_alone.wait(60)

    def come_later() -> None:
        newcomer = HostLock()
        events.append("newcomer")
        newcomer.leave()

    late = in_a_thread(come_later)
    may_end.set()
    waiting.join(60)
    late.join(60)
    assert events == ["alone", "alone no more", "newcomer"]
    first.leave()


def test_two_who_want_to_be_alone_take_turns() -> None:
    companies, together, most = [HostLock(), HostLock()], [], []

    def work(host_lock: HostLock) -> None:
        with host_lock.alone():
            together.append(host_lock)
            most.append(len(together))
            together.remove(host_lock)
        host_lock.leave()  # as an exercise does at its end: until then others run beside it again

    threads = [in_a_thread(lambda host_lock=host_lock: work(host_lock)) for host_lock in companies]
    for thread in threads:
        thread.join(60)
    assert most == [1, 1]
