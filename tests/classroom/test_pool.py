"""Many submissions through an executor: each is answered once, whatever happens to the workers."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from jobs import obey
from many_submissions import SETTINGS, answers, entries

from arena.errors import UserError
from autograder.workers.pool import UnderWay, grade_all, wait_for_dismissed


def test_every_submission_is_answered_in_another_process(tmp_path):
    got = answers(entries(tmp_path, [f"fine {number}" for number in range(7)]), workers=2)
    assert [got[f"s{number:02}"]["text"] for number in range(7)] == [f"fine {number}" for number in range(7)]
    assert os.getpid() not in {answer["worker"] for answer in got.values()}


@pytest.mark.usefixtures("processes")
def test_what_is_done_of_the_submissions_under_way_is_known_while_they_last(tmp_path):
    under_way, goes_on = UnderWay(), tmp_path / "goes-on"
    made = entries(tmp_path, [f"wait {goes_on} {tmp_path}/begun-{number}" for number in range(2)])

    def look() -> None:
        while under_way() < 0.5:
            time.sleep(0.01)
        goes_on.touch()

    looking = threading.Thread(target=look)
    looking.start()
    answers(made, workers=2, under_way=under_way)
    looking.join()
    assert under_way() == 0


def test_a_submission_that_kills_its_worker_twice_exhausts_its_retries_and_the_others_do_not(tmp_path):
    texts = ["fine 0", "fine 1", "kill", "fine 3", "fine 4", f"kill-once {tmp_path}/seen", "fine 6"]
    got = answers(entries(tmp_path, texts), workers=2)
    assert got.pop("s02") == "grading this submission ended the grader's worker process 2 times"
    assert {student: answer["text"] for student, answer in got.items()} == {
        f"s{number:02}": text for number, text in enumerate(texts) if text != "kill"
    }


def test_an_exception_of_the_grader_is_tried_again_and_then_told(tmp_path):
    got = answers(entries(tmp_path, ["fine", "raise"]), workers=1)
    assert got["s01"] == "the grader failed 2 times: RuntimeError: not the student's doing"
    assert got["s00"]["text"] == "fine"


@pytest.mark.usefixtures("processes")
def test_a_sandbox_that_does_not_start_is_tried_again_where_others_do(tmp_path):
    got = answers(entries(tmp_path, ["fine", "wall"]), workers=1)
    assert got["s01"] == "the grader failed 2 times: SandboxUnavailable: the sandbox did not start"


def test_a_host_without_sandboxes_is_one_sentence_and_no_class_of_faults(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "nothing here"))
    with pytest.raises(UserError, match="^bubblewrap .* was not found: install"):
        answers(entries(tmp_path, ["fine", "wall", "wall"]), workers=1)


def test_any_executor_will_do_and_stays_open(tmp_path):
    with ThreadPoolExecutor(3) as executor:
        got = answers(entries(tmp_path, ["fine 0", "raise", "fine 2"]), workers=3, executor=executor)
        assert executor.submit(int, "7").result() == 7
    assert got["s02"] == {"text": "fine 2", "worker": os.getpid()}


@pytest.mark.usefixtures("processes")
def test_a_command_can_wait_until_its_workers_have_ended(tmp_path):
    import multiprocessing

    before = set(multiprocessing.active_children())
    answers(entries(tmp_path, ["fine 0", "fine 1"]), workers=2)
    wait_for_dismissed()
    assert set(multiprocessing.active_children()) == before


@pytest.mark.usefixtures("processes")
def test_a_reader_that_loses_interest_leaves_no_process_behind(tmp_path):
    import multiprocessing

    before = set(multiprocessing.active_children())
    stream = grade_all(entries(tmp_path, ["fine"] * 6), "ps2_uct", SETTINGS, 2, job=obey)
    next(stream)
    stream.close()
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("workers", [1, 4])
def test_the_number_of_workers_changes_nothing_but_the_order(tmp_path, workers):
    got = answers(entries(tmp_path, [f"fine {number}" for number in range(5)]), workers=workers)
    assert sorted(answer["text"] for answer in got.values()) == [f"fine {number}" for number in range(5)]


def test_workers_that_cannot_live_at_all_stop_the_run_with_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.workers.pool.BREAKDOWNS", 3)
    with pytest.raises(UserError, match="keep ending before they answer"):
        answers(entries(tmp_path, ["kill"] * 5), workers=2)
