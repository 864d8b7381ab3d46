"""Grade thousands of lying submissions, and see that they have no effect.

    python -m tests.fuzz.lying_workers --count 5000 --seed 1      # a class of liars; build/lies.csv lists each
    python -m tests.fuzz.lying_workers --only arrays --count 200  # one family
    python -m tests.fuzz.lying_workers --one 1000042              # one submission again, with the staff's report

The rule: for any messages of a worker there is no grader fault, no points that the same submission does not earn without
the lie, no process beyond its wall-clock deadline, and no exception of the grader.
"""

from __future__ import annotations

import argparse
import csv
import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import astuple, dataclass, field, fields
from functools import lru_cache
from pathlib import Path

from arena.challenge.ladder import Ladder, load_ladder
from autograder.grading.config import Settings
from autograder.grading.grade import grade_submission
from autograder.grading.report import Outcome
from autograder.problem_sets.source import names
from autograder.sandbox import sandbox as sandboxes
from tests.classroom.players import save_weights
from tests.fuzz.lies import FAMILIES, Lie, lie, worth
from tests.ladders import quick_ladder

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 2
# A worker may keep the grader waiting for so long while it loads, and again while it is graded; and for ten times as long as
# it, or the check that talks with it, works.
WALL_TIMEOUT_S, WALL_FACTOR, SLACK_S = 20.0, 10.0, 5.0
GRADING_LIMIT_S = 400.0  # then a grading is stopped from outside, and counts as one without an end
FIRST_OF_A_SEED = 1_000_000


class OverTime(KeyboardInterrupt):
    """A grading does not end. The engine lets a KeyboardInterrupt through, and no other exception."""


@dataclass
class Row:
    """The result of one grading."""

    number: int
    ps: str
    family: str
    base: str
    points: float = 0.0
    honest: float = 0.0
    won: str = ""
    faults: list[str] = field(default_factory=list)
    raised: str = ""
    beyond: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    longest_s: float = 0.0
    challenge: str = ""


# -- one grading ---------------------------------------------------------------------------------------


def grade(number: int, only: str | None = None, sets: tuple[str, ...] | None = None, show: bool = False) -> Row:
    """Grade the submission of this number and return the result."""
    drawn = lie(number, only, sets)
    row = Row(number, drawn.ps, drawn.family, drawn.base, honest=drawn.honest)
    begin, own_cpu_s, watch = time.monotonic(), time.process_time(), _Watch()
    with tempfile.TemporaryDirectory(prefix="lies-") as room, _Limited(GRADING_LIMIT_S):
        try:
            for name, text in drawn.files.items():
                (Path(room) / name).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
            _judge(row, drawn, Path(room), show)
        except OverTime:
            row.beyond = f"not finished after {GRADING_LIMIT_S:g} s"
        except Exception as error:
            row.raised = f"{type(error).__name__}: {error}"[:200]
    row.wall_s = round(time.monotonic() - begin, 2)
    row.cpu_s = round(row.cpu_s + time.process_time() - own_cpu_s, 2)
    row.longest_s = round(max((wall_s for wall_s, _ in watch.spans()), default=0.0), 2)
    late = [f"{wall_s:.0f} s with {cpu_s:.1f} s of work" for wall_s, cpu_s in watch.spans()
            if wall_s > 2 * WALL_TIMEOUT_S + WALL_FACTOR * cpu_s + SLACK_S]  # fmt: skip
    row.beyond = row.beyond or "; ".join(late[:3])
    return row


def _judge(row: Row, drawn: Lie, room: Path, show: bool) -> None:
    graded = grade_submission(room, drawn.ps, Settings(drawn.secret))
    row.cpu_s += graded.cpu_s
    report = graded.report
    row.points = sum(exercise.points or 0.0 for exercise in report.exercises)
    row.won = " ".join(exercise.id for exercise in report.exercises if exercise.id in drawn.lost and (exercise.points or 0) > 0)
    for exercise in report.exercises:
        for check in exercise.checks:
            if check.outcome == Outcome.GRADER_FAULT:
                staff = graded.staff["checks"].get(f"{exercise.id} {check.name}", "")
                row.faults.append(f"{exercise.id} {check.name}: {_last_error(staff)}")
                print(staff if show else "", end="")
        if exercise.outcome == Outcome.GRADER_FAULT and not exercise.checks:
            row.faults.append(f"{exercise.id}: no check was run ({graded.staff['suite_errors'][:1]})")
    if drawn.challenge:
        _play(row, drawn, room)


def _play(row: Row, drawn: Lie, room: Path) -> None:
    """Let the player of the submission take a very short exam."""
    from autograder.challenge.exam.whole_exam import run_exam_of
    from autograder.challenge.model import Conditions
    from autograder.submission.payload import read_payload

    if drawn.ps.startswith("ps5"):
        save_weights(room)
    exam_result = run_exam_of(read_payload(room, drawn.ps), Conditions(drawn.secret, _ladder()))
    row.challenge = f"{exam_result.report.points:g}"
    row.cpu_s += sum(exam_result.measured.cpu_s.values())
    if exam_result.report.has_fault:
        row.faults.append(f"challenge: {exam_result.failure}"[:200])


@lru_cache(maxsize=1)
def _ladder() -> Ladder:
    with tempfile.TemporaryDirectory() as room:
        path = Path(room) / "rungs.toml"
        path.write_text(quick_ladder(games=10, each=1))
        return load_ladder(path)


def _last_error(staff: str) -> str:
    """Return the last line of the grader's own traceback."""
    lines = [line for line in staff.partition("\n\nIn the sandbox:")[0].splitlines() if line[:1].isalpha()]
    return lines[-1][:160] if lines else "no traceback"


class _Limited:
    """Stop a grading that runs for too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        def stop(*_: object) -> None:
            raise OverTime

        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def __exit__(self, *exception: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


class _Watch:
    """Records for every process of a grading how long it lived, and how much it and the grader worked meanwhile."""

    now: _Watch

    def __init__(self) -> None:
        self.begun: dict[int, tuple[float, float]] = {}
        self.ended: list[tuple[float, float]] = []
        _Watch.now = self
        if sandboxes.Sandbox.open is _OPEN:
            sandboxes.Sandbox.open, sandboxes.Sandbox.end_worker = _open, _end_worker

    def spans(self) -> list[tuple[float, float]]:
        """Return (wall-clock seconds, seconds of work) of each process, also of those that still live."""
        return self.ended + [(time.monotonic() - begun, time.process_time() - cpu_s) for begun, cpu_s in self.begun.values()]


_OPEN, _END_WORKER = sandboxes.Sandbox.open, sandboxes.Sandbox.end_worker


def _open(self: sandboxes.Sandbox, **how: object) -> object:
    _Watch.now.begun[id(self)] = time.monotonic(), time.process_time()
    return _OPEN(self, **how)


def _end_worker(self: sandboxes.Sandbox) -> sandboxes.Usage:
    usage = _END_WORKER(self)
    begun = _Watch.now.begun.pop(id(self), None)
    if begun:
        _Watch.now.ended.append((time.monotonic() - begun[0], usage.cpu_s + time.process_time() - begun[1]))
    return usage


# -- many gradings -------------------------------------------------------------------------------------


def rows(numbers: Sequence[int], only: str | None, sets: tuple[str, ...] | None, workers: int = WORKERS) -> Iterator[Row]:
    """Yield the result of each grading when it ends. A worker that dies is a grader that a submission has killed."""
    left, pool, flying = list(numbers)[::-1], ProcessPoolExecutor(workers), {}
    try:
        while left or flying:
            while left and len(flying) < 2 * workers:
                number = left.pop()
                flying[pool.submit(grade, number, only, sets)] = number
            for done in wait(flying, return_when=FIRST_COMPLETED).done:
                yield _answer(done, flying.pop(done), only, sets)
            if pool._broken:
                pool = ProcessPoolExecutor(workers)
    finally:
        pool.shutdown(cancel_futures=True)


def _answer(done: Future[Row], number: int, only: str | None, sets: tuple[str, ...] | None) -> Row:
    try:
        return done.result()
    except BrokenProcessPool:
        drawn = lie(number, only, sets)
        return Row(number, drawn.ps, drawn.family, drawn.base, raised="the process of the grader died, or its neighbour's did")


@dataclass
class Tally:
    """The results of all gradings so far."""

    gradings: int = 0
    earned: float = 0.0
    faults: int = 0
    won: float = 0.0
    beyond: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    challenges: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        self.gradings += 1
        self.earned += row.points
        self.faults += len(row.faults) + bool(row.raised)
        self.won += sum(worth(row.ps)[id] for id in row.won.split())
        self.beyond += bool(row.beyond)
        self.challenges += bool(row.challenge)
        self.wall_s, self.cpu_s = self.wall_s + row.wall_s, self.cpu_s + row.cpu_s
        self.kinds.update(f"{row.ps} {fault}" for fault in row.faults)
        self.kinds.update([f"{row.ps} raised {row.raised}"] if row.raised else [])

    @property
    def sound(self) -> bool:
        """Whether no lie had an effect; if nobody earned a point, nothing was graded, and a lie could have none."""
        return self.earned > 0 and not (self.faults or self.won or self.beyond)

    def line(self) -> str:
        return (f"lying workers: {self.gradings} gradings, {self.earned:g} points earned, {self.faults} grader faults, "
                f"{self.won:g} points won, "
                f"{self.beyond} beyond the deadline")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description="Grade lying submissions.")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(FAMILIES))
    parser.add_argument("--ps", choices=names(), action="append")
    parser.add_argument("--one", type=int, help="a single submission, by its number")
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--csv", type=Path, default=ROOT / "build" / "lies.csv")
    arguments = parser.parse_args()
    sets = tuple(arguments.ps) if arguments.ps else None
    if arguments.one is not None:
        for part, value in zip(fields(Row), astuple(grade(arguments.one, arguments.only, sets, show=True)), strict=True):
            print(f"{part.name}: {value}")
        return 0
    first = FIRST_OF_A_SEED * arguments.seed
    tally, begin, printed_at = Tally(), time.monotonic(), 0.0
    arguments.csv.parent.mkdir(parents=True, exist_ok=True)
    with arguments.csv.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(part.name for part in fields(Row))
        for row in rows(range(first, first + arguments.count), arguments.only, sets, arguments.workers):
            tally.add(row)
            table.writerow([" | ".join(value) if isinstance(value, list) else value for value in astuple(row)])
            for what in filter(None, (row.won and f"earned {row.won}", row.raised, row.beyond, *row.faults)):
                print(f"{row.number} {row.ps} {row.family} over {row.base}: {what}", flush=True)
            if time.monotonic() - printed_at > 20:
                printed_at = time.monotonic()
                print(f"  {tally.line()[15:]} in {printed_at - begin:.0f} s", flush=True)
    for kind, number in tally.kinds.most_common():
        print(f"{number:6} {kind}")
    seconds = time.monotonic() - begin
    print(f"{seconds:.0f} s on {os.cpu_count()} cores, {tally.cpu_s:.0f} s of CPU time, {tally.challenges} exams")
    print(f"every grading is in {arguments.csv}")
    print(tally.line())
    return 0 if tally.sound else 1


if __name__ == "__main__":
    raise SystemExit(main())
