"""`python -m autograder repeat`: grade our own solution many times; chance, time and load must not change the result.

Every process has its own hash seed and grades five times. Every second grading has its own edition, with other positions and
seeds, which reveals flaky statistical checks. In the second half of the run, as many busy loops as the machine has cores
compete with the grading.
"""

import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_submission
from autograder.grading.report import Outcome
from autograder.problem_sets.source import load, module_text
from autograder.workers.capacity import workers_that_fit

PER_PROCESS = 5


@dataclass
class Tally:
    """The result of the repetitions: their number, the different reports, and a sentence for each loss of points."""

    ps: str
    asked: int = 0
    done: int = 0
    hash_seeds: int = 0
    under_load: int = 0
    reports: Counter[str] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether every repetition that was asked for gave the same report, with all points."""
        return 0 < self.asked == self.done and len(self.reports) == 1 and not self.losses

    def line(self) -> str:
        """The result as one sentence."""
        return (
            f"{self.ps}: {self.done} of {self.asked} gradings of our solution with {self.hash_seeds} hash seeds, every second "
            f"one in an edition of its own, {self.under_load} under load: {len(self.losses)} failures, "
            f"{'all reports the same' if len(self.reports) == 1 else f'{len(self.reports)} reports that differ'}"
        )


def repeat(ps: str, times: int, step: Callable[[], None] = lambda: None) -> Tally:
    """Grade the solution of `ps` `times` times in separate processes; `step` is called after each process."""
    starts = range(0, times, PER_PROCESS)
    tally, half = Tally(ps, times, hash_seeds=len(starts)), len(starts) // 2
    with tempfile.TemporaryDirectory(prefix="repeat-") as room, ThreadPoolExecutor(workers_that_fit()) as pool:
        (Path(room) / f"{ps}.py").write_text(module_text(load(ps), solution=True), encoding="utf-8")
        for loaded, batches in ((False, starts[:half]), (True, starts[half:])):
            with _load(os.cpu_count() or 1 if loaded else 0):
                for rows in pool.map(lambda start: _in_a_process(ps, room, start, min(PER_PROCESS, times - start)), batches):
                    _count(tally, rows, loaded)
                    step()
    return tally


def _count(tally: Tally, rows: list[dict[str, Any]], loaded: bool) -> None:
    for row in rows:
        tally.done += 1
        tally.under_load += loaded
        tally.reports[row["sha256"]] += 1
        if row["lost"]:
            tally.losses.append(f"edition {row['edition']!r}, hash seed {row['hash_seed']}: {', '.join(row['lost'])}")


@contextmanager
def _load(processes: int) -> Iterator[None]:
    """Run `processes` busy loops inside this block."""
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()


def _spin() -> None:
    while True:
        pass


def _in_a_process(ps: str, folder: str, start: int, number: int) -> list[dict[str, Any]]:
    seed = start // PER_PROCESS + 1
    command = [sys.executable, "-m", "autograder.selftest.repeat", ps, folder, str(start), str(number)]
    done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": str(seed)}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"status {done.returncode}"]
        return [{"sha256": "", "lost": [f"the grader ended: {last[0]}"], "edition": "?", "hash_seed": seed}]
    return [json.loads(line) | {"hash_seed": seed} for line in done.stdout.splitlines()]


def _grade(ps: str, folder: Path, start: int, number: int) -> None:
    """Grade `number` times and print a line of JSON for each grading."""
    for place in range(start, start + number):
        edition = f"repeat {place}" if place % 2 else ""
        report = grade_submission(folder, ps, Settings(edition.encode() or public_secret())).report
        lost = [f"{exercise.id} {check.name} ({check.outcome})" for exercise in report.exercises for check in exercise.checks
                if check.outcome != Outcome.PASSED]
        lost += [f"{report.points:g} points"] * (report.points != report.max_points)
        print(json.dumps({"sha256": hashlib.sha256(report.to_json().encode()).hexdigest(), "lost": lost, "edition": edition}))


if __name__ == "__main__":
    _grade(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
