"""No long silence: if no bar can be drawn, a line says from time to time how far a run is."""

import io
import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from arena import progress as waits
from arena.challenge.ladder import load_ladder
from arena.progress import Ticker, duration, progress_line, waiting
from autograder import progress
from autograder.challenge.exam.under_way import shares
from autograder.progress import Partly, ProgressBar, Watcher


def log() -> Console:
    """A console that is not a terminal, wide enough for any line."""
    return Console(file=io.StringIO(), width=120, force_terminal=False)


def lines(console: Console) -> list[str]:
    return console.file.getvalue().splitlines()


def until(there: Callable[[], bool]) -> None:
    """Wait until a thing exists; if a machine stands still for a minute, the test fails."""
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines follow each other without a pause."""
    for name in ("SILENT_S", "EVERY_S"):
        monkeypatch.setattr(waits, name, 0.005)
    monkeypatch.setattr(Ticker.__init__, "__defaults__", (0.005,))


@pytest.mark.parametrize("given, line", [
    (("grading", 120, 600, 130), "grading: 120 of 600, 2 min 10 s, about 8 min left"),
    (("grading", 0, 600, 10), "grading: 0 of 600, 10 s"),
    (("grading", 9.975, 10, 30), "grading: 9.9 of 10, 30 s"),  # all are done only at the end
    (("grading", 59, 600, 60), "grading: 59 of 600, 1 min"),  # before a tenth nobody knows
    (("grading", 60, 600, 60), "grading: 60 of 600, 1 min, about 9 min left"),
    (("grading", 0.4, 30, 20), "grading: 0.4 of 30, 20 s"),
    (("grading", 600, 600, 650), "grading: 600 of 600, 10 min"),
    (("challenge with 2 workers", 1.25, 5, 60), "challenge with 2 workers: 1.2 of 5, 1 min, about 3 min left"),
    (("grading", 29, 30, 70), "grading: 29 of 30, 1 min 10 s"),
    (("gradebook", 0, None, 12.3), "gradebook: 12 s so far"),
    (("feedback", 40, None, 20), "feedback: 40, 20 s so far"),
])
def test_a_line_says_how_far_a_run_is_and_how_long_it_may_last(given: tuple, line: str) -> None:
    assert progress_line(*given) == line


@pytest.mark.parametrize("seconds, text", [
    (0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (130, "2 min 10 s"), (299, "4 min 59 s"), (301, "5 min"), (3599, "59 min"),
    (3600, "1 h"), (3900, "1 h 5 min"), (86400, "24 h"),
])
def test_a_time_is_told_as_one_says_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_in_a_log_every_part_of_a_run_goes_on_saying_how_far_it_is(quick: None) -> None:
    console = log()
    bar = ProgressBar(console)
    bar.start("grading with 2 workers", 4)
    bar.step("ada")
    until(lambda: any(re.fullmatch(r"grading with 2 workers: 1 of 4, \d+ s, about \d+ s left", line) for line in lines(console)))
    bar.reach(2.5)
    until(lambda: any(line.startswith("grading with 2 workers: 2.5 of 4, ") for line in lines(console)))
    bar.start("feedback", None)
    before = len(lines(console))
    until(lambda: any(re.fullmatch(r"feedback: \d+ s so far", line) for line in lines(console)))
    bar.step("ada")
    until(lambda: any(re.fullmatch(r"feedback: 1, \d+ s so far", line) for line in lines(console)))
    bar.end()
    assert lines(console)[0] == "grading with 2 workers: 4" and "feedback" in lines(console)
    assert all(line.startswith("feedback") for line in lines(console)[before:])  # the part before is over
    count = len(lines(console))
    time.sleep(0.05)
    assert len(lines(console)) == count


def test_a_run_of_minutes_says_a_line_each_ten_seconds_and_a_long_one_fewer() -> None:
    moments = [waits.EVERY_S]
    while moments[-1] < 10 * 3600:
        moments.append(moments[-1] + waits.pause_s(moments[-1]))
    assert moments[:12] == [10.0 * number for number in range(1, 13)]
    assert sum(at < 3600 for at in moments) < 100 and len(moments) < 150


def test_what_shows_nothing_of_its_own_is_told_of_while_it_lasts(quick: None) -> None:
    console = log()
    with waiting("training", console, detail=lambda: "iteration 3"):
        until(lambda: len(lines(console)) >= 2)
    count = len(lines(console))
    assert all(re.fullmatch(r"training: \d+ s so far, iteration 3", line) for line in lines(console))
    time.sleep(0.05)
    assert len(lines(console)) == count


def test_what_is_over_at_once_is_told_of_by_nothing() -> None:
    console = log()
    with waiting("grading", console):
        pass
    assert lines(console) == []


def test_where_a_table_is_drawn_nothing_else_is(quick: None) -> None:
    console = Console(file=io.StringIO(), force_terminal=True)
    with waiting("training", console, drawn=False):
        time.sleep(0.05)
    assert lines(console) == []


def test_the_rungs_of_a_ladder_share_an_exam_even_where_fail_and_pass_are_nearly_one() -> None:
    ladder = load_ladder()
    rungs = tuple(replace(rung, fail=0.5, pass_=0.5 + 2**-52) for rung in ladder.rungs[:1]) + ladder.rungs[1:]
    parts = shares(replace(ladder, rungs=rungs))
    assert 0.5 < sum(parts.values()) < 1 and all(0 < share < 1 for share in parts.values())  # move quality follows the climb


def test_on_a_terminal_a_bar_has_the_same_words_as_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), width=120, force_terminal=True)
    bar = ProgressBar(console)
    for done, words in ((0.4, "0.4 of 30 20 s "), (15, "15 of 30 20 s, about 20 s left ")):
        bar.start("grading", 30)
        monkeypatch.setattr(bar.bar.tasks[0], "start_time", bar.bar.get_time() - 20)
        bar.reach(done)
        bar.bar.refresh()
        drawn = re.sub(r"\x1b\[[\d;?]*\w", "", console.file.getvalue())
        assert words in re.sub(r"[━╸╺ ]+", " ", drawn.splitlines()[-1] + " ")
    bar.end()


def test_items_under_way_count_by_their_shares_and_nothing_goes_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LOOK_S", 0.002)
    amounts, share = [], [0.4]

    class Heard(Watcher):
        def reach(self, amount: float) -> None:
            amounts.append(amount)

    with Partly(Heard(), 2, lambda: share[0]) as partly:
        until(lambda: 0.4 in amounts)
        share[0] = 0.0  # its worker is ready for the next, and the item is not counted yet
        until(lambda: len(amounts) > amounts.index(0.4) + 2)
        share[0] = 0.7
        partly.step()
        share[0] = 1.5
        partly.step()
    assert amounts == sorted(amounts) and {0.4, 1.7, 2} <= set(amounts) and max(amounts) == 2
