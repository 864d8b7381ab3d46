"""The measurement of a large class, and a grading that is killed a hundred times: both on a small scale."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from made import report

from autograder.course.storage.report_store import ReportStore
from autograder.grading.fingerprint import CLASS, code_fingerprint
from autograder.grading.report import Report
from autograder.selftest.demo.submission_maker import SubmissionMaker
from autograder.selftest.endurance import page as large_class_page
from autograder.selftest.endurance.large_class import memory_of, peak, resident, tree
from autograder.selftest.endurance.varied_class import class_of, hand_in, misjudged

ROOT = Path(__file__).resolve().parents[2]
PS, MIB = "ps2_uct", 2**20


def script(name: str, *arguments: object, folder: Path) -> subprocess.CompletedProcess:
    """Run a script in the test's own folder: its results are there."""
    command = [sys.executable, "-m", f"autograder.selftest.endurance.{name}", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)


# -- the class -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("repetition")
def test_every_notebook_of_a_class_has_bytes_of_its_own(tmp_path: Path) -> None:
    hand_in(tmp_path, PS, 90)
    texts = {path.read_bytes() for path in tmp_path.glob(f"submitted/*/{PS}/{PS}.ipynb")}
    assert len(texts) == 90


@pytest.mark.first_shows
@pytest.mark.usefixtures("repetition")
@pytest.mark.parametrize("students", [1, 2, 99, 1000])
def test_half_of_a_class_is_right_and_both_banks_are_gone_through_evenly(students: int) -> None:
    maker = SubmissionMaker(PS)
    counts = [Counter(), Counter()]
    for _, answer in class_of(maker, students):
        counts[answer.exercise is not None][answer.title] += 1
    assert [count.total() for count in counts] == [students - students // 2, students // 2]
    for count, bank in zip(counts, (maker.right, maker.wrong), strict=True):
        assert set(count.values()) <= {count.total() // len(bank), count.total() // len(bank) + 1}


@pytest.mark.usefixtures("repetition")
def test_a_report_that_is_not_what_the_bank_says_is_told(tmp_path: Path) -> None:
    (right, _), (wrong, answer) = class_of(SubmissionMaker(PS), 2)
    assert [sentence.partition(" ")[0] for sentence in misjudged(tmp_path, PS, 2)] == [right, wrong]
    store = ReportStore(tmp_path, PS)
    store.put(right, report({"2.1": "passed"}), {})
    store.put(wrong, report({answer.exercise: "not yet", "joint": "not yet"}), {})
    assert misjudged(tmp_path, PS, 2) == []
    store.put(right, report({"2.1": "too slow"}), {})
    store.put(wrong, report({answer.exercise: "not yet", "9.9": "not yet"}), {})
    assert len(misjudged(tmp_path, PS, 2)) == 2


def test_a_class_keeps_equal_results_once_and_every_report_stays_what_it_was() -> None:
    known = {}
    made = [report({"2.0": "passed", "2.1": outcome}, sha256=f"{number:064}")
            for number, outcome in enumerate(("passed", "not yet", "passed", "passed"))]
    kept = [report.sharing(known) for report in made]
    assert kept == made and [report.to_json() for report in kept] == [report.to_json() for report in made]
    assert len({id(exercise) for report in kept for exercise in report.exercises}) == len(known) == 3


# -- the measuring -------------------------------------------------------------------------------------

HOLD = """
import os, sys
held = bytearray(os.urandom(1)) * (64 * 2**20)
for _ in range(2):
    if os.fork() == 0:
        break  # it shares all that is held
os.write(1, b"ready\\n")
sys.stdin.read()
"""


@pytest.mark.usefixtures("processes")
def test_memory_is_that_of_the_whole_tree_and_what_is_shared_counts_once() -> None:
    """three processes share the same 64 MiB: 192 resident, but 64 and three interpreters together"""
    holder = subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert [holder.stdout.readline() for _ in range(3)] == ["ready\n"] * 3
        pids = tree(holder.pid)
        assert len(pids) == 3 and all(resident(pid) > 60 * MIB for pid in pids) and peak(holder.pid) > 64 * MIB
        assert 64 * MIB < memory_of(pids) < 128 * MIB
    finally:
        holder.stdin.close()
        holder.wait()
    assert memory_of([holder.pid]) == 0


def figures(seconds: float, mib: int) -> dict:
    """Invented figures of one class."""
    disk = dict.fromkeys(large_class_page.DISK, 10 * mib * 2**10)
    return disk | {"seconds": seconds, "core_seconds": 2 * seconds, "all_bytes": 2 * mib * MIB, "main_bytes": mib * MIB,
                   "cores_of_others": 0.25, "workers": 2, "cores": 2, "niceness": 0}


def test_the_page_says_what_was_measured_and_what_each_further_submission_costs(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    large_class_page.write_page({1000: figures(1000, 200), 100: figures(100, 110)}, "Measured at commit 1a2b3c4.")
    page = (tmp_path / large_class_page.PAGE).read_text()
    assert "python -m autograder.selftest.endurance.large_class 100 1000" in page
    assert "| 100 | 1 min 40 s | 2.00 | 220 MiB | 110 MiB | 1.1 MiB |" in page
    assert page.endswith("Measured at commit 1a2b3c4.\n")
    assert "| 100 to 1,000 | 2.00 | 205 KiB | 102 KiB | 1 KiB |" in page
    assert (tmp_path / large_class_page.PICTURE).read_text().lstrip().startswith("<?xml")


@pytest.mark.usefixtures("whole_world")
def test_a_class_of_two_is_measured(tmp_path: Path) -> None:
    done = script("large_class", 2, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (kept,) = json.loads((tmp_path / "build" / "large_class.json").read_text()).values()
    assert kept["all_bytes"] > kept["main_bytes"] > 20 * MIB and kept["core_seconds"] > 0.5
    assert all(kept[name] > 0 for name in large_class_page.DISK) and 0 < kept["starts"]["grading"] < kept["seconds"]
    assert "| 2 |" in (tmp_path / large_class_page.PAGE).read_text()


# -- a hundred kills -----------------------------------------------------------------------------------


def kept_runs(folder: Path, *runs: dict) -> None:
    """Results that an earlier call of kill_and_go_on left behind, of this grader."""
    of = {"grader": code_fingerprint(CLASS), "students": 4, "workers": 2, "seed": 7}
    expected = {"reports": dict.fromkeys("abcd", Report("ps2_uct", "module", "", 0.0, 100.0, "", ()).to_json()), "scores": [1, 2]}
    (folder / "build" / "killed").mkdir(parents=True)
    (folder / "build" / "killed" / "undisturbed.json").write_text(json.dumps({"of": of, "seconds": 9, "expected": expected}))
    lines = (json.dumps({"run": number, "seconds": 1.0, **run}) for number, run in enumerate(runs, 1))
    (folder / "build" / "killed" / "runs.jsonl").write_text("".join(f"{line}\n" for line in lines))


EQUAL = {"fell": ["before the gradebook", "during the feedback"], "differ": [], "lost": 0}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("second, code, sentence", [
    (EQUAL, 0, "2 of 2 gradebooks equal to the undisturbed one, 0 lost submissions"),
    (EQUAL | {"differ": ["scores"], "lost": 1}, 1, "1 of 2 gradebooks equal to the undisturbed one, 1 lost submissions"),
])
def test_runs_of_earlier_sittings_count(tmp_path: Path, second: dict, code: int, sentence: str) -> None:
    kept_runs(tmp_path, EQUAL, EQUAL | {"fell": []}, second)  # the process in the middle had ended before its moment
    done = script("kill_and_go_on", "--times", 2, "--students", 4, "--workers", 2, "--seed", 7, folder=tmp_path)
    assert done.returncode == code, done.stderr
    assert sentence in done.stdout and "4 kills: 0 before the first report, 2 before the gradebook" in done.stdout
