"""Time, memory and disk that a large class takes: figures over the number of submissions.

    python -m scripts.large_class 100 300 1000    grade classes of these sizes and write docs/large_class.md
    python -m scripts.large_class                 write the page from the figures that there are

The grader runs in a process of its own; its memory and that of all processes below it is looked at twice a second. What is
measured is kept in build/large_class.json, so that the sizes may be measured one by one.
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
from autograder.selftest.attack.stage import adopt_orphans
from autograder.workers.capacity import workers_that_fit
from scripts.large_class_page import Figures, write_page
from scripts.process_tree import busy_s, memory_of, peak, resident, tree
from scripts.varied_class import hand_in, misjudged

PS = "ps2_uct"
ROOM, KEPT = Path("build/large_class"), Path("build/large_class.json")
EVERY_S = 0.5
PHASES = ("grading", "gradebook", "feedback")  # the first words of the lines that tell what is going on
SIZES = {"gradebook_bytes": "gradebook.db", "reports_bytes": "reports", "feedback_bytes": "feedback",
         "autograded_bytes": "autograded", "cache_bytes": ".cache"}


def measure(students: int, workers: int) -> Figures:
    """Grade a class of so many in a fresh course, and return what it took.

    Raises:
        SystemExit: a submission was known from before, graded wrongly or not at all.
    """
    course = ROOM / str(students)
    shutil.rmtree(course, ignore_errors=True)
    hand_in(course, PS, students)
    figures = _watched([sys.executable, "-m", "autograder", "grade", str(course), "--ps", PS, "--workers", str(workers)])
    said = [line for _, line in figures.pop("said")]
    wrong = misjudged(course, PS, students)
    if f"{students} submissions" not in said or f"graded {students} of {students} submissions, 0 grader faults" not in said:
        raise SystemExit(f"the class of {students} was not graded as it should be; it said: {' / '.join(said)}")
    if wrong:
        raise SystemExit(f"{len(wrong)} of {students} were graded otherwise than the banks say: {'; '.join(wrong[:5])}")
    figures |= {name: _bytes_below(course / what) for name, what in SIZES.items()}
    shutil.rmtree(course)
    return figures | {"workers": workers}


def _watched(command: list[str]) -> Figures:
    """Run a command to its end, with all that it started, and return time, memory, and what it said when."""
    adopt_orphans()  # whoever outlives the grader is waited for, and so counted, here
    before, busy_before, begin = _cpu_s(), busy_s(), time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    said: list[tuple[float, str]] = []
    reader = threading.Thread(target=lambda: said.extend((time.monotonic() - begin, line.strip()) for line in run.stdout))
    reader.start()
    highest = {"all_bytes": 0, "main_bytes": 0}
    main_by_phase: dict[str, int] = {}
    while run.poll() is None:
        phase = next((line.partition(" ")[0] for _, line in reversed(said) if line.startswith(PHASES)), "start")
        main_by_phase[phase] = max(main_by_phase.get(phase, 0), resident(run.pid))
        highest = {"all_bytes": max(highest["all_bytes"], memory_of(tree(run.pid))),
                   "main_bytes": max(highest["main_bytes"], peak(run.pid))}
        time.sleep(EVERY_S)
    seconds = time.monotonic() - begin
    _bury_orphans()
    reader.join()
    cpu_s = _cpu_s() - before
    others = max(0.0, busy_s() - busy_before - cpu_s) / (time.monotonic() - begin)
    starts = {phase: next((at for at, line in said if line.startswith(phase)), seconds) for phase in PHASES}
    return highest | {"seconds": seconds, "core_seconds": cpu_s, "cores_of_others": others, "main_by_phase": main_by_phase,
                      "starts": starts, "said": said, "niceness": os.nice(0), "cores": os.cpu_count()}


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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.large_class", description=__doc__.partition("\n")[0])
    parser.add_argument("students", type=int, nargs="*", help="classes to measure, for example 100 300 1000")
    parser.add_argument("--workers", type=int, default=workers_that_fit())
    told = parser.parse_args()
    kept: dict[str, Figures] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for students in told.students:
        kept[str(students)] = measure(students, told.workers)
        write_atomic(KEPT, json.dumps(kept, indent=1))
        print(f"{students}: {json.dumps(kept[str(students)])}", flush=True)
    if not kept:
        parser.error("nothing is measured yet: name the sizes of classes, for example 100 300 1000")
    write_page({int(students): figures for students, figures in kept.items()})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
