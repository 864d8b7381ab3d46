"""The time, memory and disk space for a large class, by number of submissions.

    python -m autograder.selftest.endurance.large_class 100 300 1000    grade classes of these sizes and write docs/large_class.md
    python -m autograder.selftest.endurance.large_class                 write the page from the existing figures

The grader runs in its own process. The memory of this process and all its descendants is read twice a second. The figures are
kept in build/large_class.json, so the sizes can be measured one by one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from arena.files import write_atomic
from autograder.selftest.attack.stage import adopt_orphans, descendants
from autograder.selftest.endurance.page import write_page
from autograder.selftest.endurance.varied_class import hand_in, misjudged
from autograder.selftest.git_objects import measured_at
from autograder.workers.capacity import workers_that_fit

PS = "ps2_uct"
ROOM, KEPT = Path("build/large_class"), Path("build/large_class.json")
EVERY_S = 0.5
KIB = 1024
PHASES = ("grading", "gradebook", "feedback")  # the first words of the progress lines
SIZES = {"gradebook_bytes": "gradebook.db", "reports_bytes": "reports", "feedback_bytes": "feedback",
         "autograded_bytes": "autograded", "cache_bytes": ".cache"}
Figures = dict[str, float | str | dict[str, float]]  # the figures of one class, by name: numbers, and some by phase


def measure(students: int, workers: int) -> Figures:
    """Grade a class of `students` in a fresh course, and return the figures.

    Raises:
        SystemExit: a submission came from the cache, was graded wrongly, or was not graded.
    """
    course = ROOM / str(students)
    shutil.rmtree(course, ignore_errors=True)
    hand_in(course, PS, students)
    figures, lines = _watched([sys.executable, "-m", "autograder", "grade", str(course), "--ps", PS, "--workers", str(workers)])
    wrong = misjudged(course, PS, students)
    if f"{students} submissions" not in lines or f"graded {students} of {students} submissions, 0 grader faults" not in lines:
        raise SystemExit(f"the class of {students} was not graded completely; the output: {' / '.join(lines)}")
    if wrong:
        raise SystemExit(f"{len(wrong)} of {students} have other grades than the banks say: {'; '.join(wrong[:5])}")
    figures |= {name: _bytes_below(course / what) for name, what in SIZES.items()}
    shutil.rmtree(course)
    return figures | {"workers": workers}


def _watched(command: list[str]) -> tuple[Figures, list[str]]:
    """Run a command and all its child processes to the end; return time and memory, and the printed lines."""
    adopt_orphans()  # processes that outlive the grader become our children, so their CPU time counts too
    before, busy_before, begin = _cpu_s(), busy_s(), time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    assert run.stdout  # a pipe was requested
    lines: Iterable[str] = run.stdout
    timed_lines: list[tuple[float, str]] = []
    reader = threading.Thread(target=lambda: timed_lines.extend((time.monotonic() - begin, line.strip()) for line in lines))
    reader.start()
    highest = {"all_bytes": 0, "main_bytes": 0}
    main_by_phase: dict[str, float] = {}
    while run.poll() is None:
        phase = next((line.partition(" ")[0] for _, line in reversed(timed_lines) if line.startswith(PHASES)), "start")
        main_by_phase[phase] = max(main_by_phase.get(phase, 0), resident(run.pid))
        highest = {"all_bytes": max(highest["all_bytes"], memory_of(tree(run.pid))),
                   "main_bytes": max(highest["main_bytes"], peak(run.pid))}
        time.sleep(EVERY_S)
    seconds = time.monotonic() - begin
    _bury_orphans()
    reader.join()
    cpu_s = _cpu_s() - before
    others = max(0.0, busy_s() - busy_before - cpu_s) / (time.monotonic() - begin)
    starts: dict[str, float] = {
        phase: next((at for at, line in timed_lines if line.startswith(phase)), seconds) for phase in PHASES}
    figures: Figures = {
        **highest, "seconds": seconds, "core_seconds": cpu_s, "cores_of_others": others, "main_by_phase": main_by_phase,
        "starts": starts, "niceness": os.nice(0), "cores": os.cpu_count() or 1}
    return figures, [line for _, line in timed_lines]


def tree(root: int) -> list[int]:
    """Return a process and all its descendants."""
    return [root, *descendants(root)]


def memory_of(pids: list[int]) -> int:
    """Return the memory of these processes together, in bytes; a shared page is counted once (PSS)."""
    return sum(_kib(f"/proc/{pid}/smaps_rollup", "Pss") for pid in pids) * KIB


def resident(pid: int) -> int:
    """Return the present memory of one process in bytes, shared pages included (RSS)."""
    return _kib(f"/proc/{pid}/status", "VmRSS") * KIB


def peak(pid: int) -> int:
    """Return the peak memory of one process in bytes."""
    return _kib(f"/proc/{pid}/status", "VmHWM") * KIB


def _kib(path: str, field: str) -> int:
    """Return a number of KiB from one of the kernel's tables; 0 for a process that has ended."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{field}:")), 0)


def busy_s() -> float:
    """Return the core-seconds of work of all cores since the machine started."""
    user, nice, system, _, _, irq, soft_irq, *_ = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + soft_irq) / os.sysconf("SC_CLK_TCK")


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _bury_orphans() -> None:
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def _bytes_below(path: Path) -> int:
    files: Iterable[Path] = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def _numbers(figures: Figures) -> dict[str, float]:
    """Return the figures that are single numbers."""
    return {name: figure for name, figure in figures.items() if isinstance(figure, int | float)}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m autograder.selftest.endurance.large_class", description=__doc__.partition("\n")[0])
    parser.add_argument("students", type=int, nargs="*", help="classes to measure, for example 100 300 1000")
    parser.add_argument("--workers", type=int, default=workers_that_fit())
    given = parser.parse_args()
    kept: dict[str, Figures] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for students in given.students:
        kept[str(students)] = measure(students, given.workers) | {"measured": measured_at()}
        write_atomic(KEPT, json.dumps(kept, indent=1))
        print(f"{students}: {json.dumps(kept[str(students)])}", flush=True)
    if not kept:
        parser.error("nothing is measured yet: give the sizes of classes, for example 100 300 1000")
    commits = " ".join(dict.fromkeys(str(figures["measured"]) for figures in kept.values()))
    write_page({int(students): _numbers(figures) for students, figures in kept.items()}, commits)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
