"""Grade a class on one machine and on a cluster that loses a worker and gains one meanwhile: are all grades the same?

    python -m autograder.selftest.endurance.cluster --students 120

The cluster is a scheduler and three workers, all processes on the loopback address. After a third of the reports, the first
worker is killed with -9 and another worker is started. Reports, gradebook, exported rows and feedback are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from autograder.selftest.endurance.kill_and_go_on import PS, outcome, undecided
from autograder.selftest.endurance.varied_class import hand_in

ROOT = Path(__file__).resolve().parents[3]
ROOM = ROOT / "build" / "cluster"
START_S = 300.0


class Hosts:
    """A Dask scheduler and workers on the loopback address; each is a process with its own log in `room`."""

    def __init__(self, room: Path, **settings: str) -> None:
        self.room, self.started = room, 0
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        room.mkdir(parents=True)
        file, self.environment = room / "scheduler.json", {"PYTHONPATH": str(ROOT), **settings}
        self.scheduler = self._start("scheduler", ["--port", "0", "--scheduler-file", str(file)], {})
        self.address = _address_in(file, self.scheduler)

    def add(self, *options: str, **settings: str) -> str:
        """Start one worker with one thread and return its name; `settings` go into its environment."""
        self.started += 1
        name = f"worker-{self.started}"
        place = ["--nthreads", "1", "--name", name, "--local-directory", str(self.room / name)]
        self.workers[name] = self._start("worker", [self.address, *place, *(options or ["--no-nanny"])], settings)
        return name

    def kill(self, name: str) -> None:
        """Kill a worker without warning, like a power cut."""
        process = self.workers.pop(name)
        process.kill()
        process.wait()

    def _start(self, kind: str, options: list[str], settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", kind, "--host", "127.0.0.1", "--no-dashboard", *options]
        with (self.room / f"{kind}-{self.started}.log").open("wb") as log:
            environment = {**os.environ, **self.environment, **settings}
            return subprocess.Popen(command, cwd=self.room, env=environment, stdout=log, stderr=log)

    def __enter__(self) -> Hosts:
        return self

    def __exit__(self, *exception: object) -> None:
        processes = [*self.workers.values(), self.scheduler]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address_in(file: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """Return the address from the scheduler's file."""
    until = time.monotonic() + START_S
    while time.monotonic() < until and scheduler.poll() is None:
        try:
            address: str = json.loads(file.read_text())["address"]
            return address
        except (OSError, ValueError):
            time.sleep(0.05)
    raise RuntimeError("the scheduler did not start")


def grade(course: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", PS, *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)


def disturbed(hosts: Hosts, course: Path, students: int) -> int:
    """Grade on the cluster; after a third, kill a worker and start another. Return the number of reports at that moment."""
    run, reports = grade(course, "--cluster", hosts.address), 0
    while run.poll() is None and reports < students // 3:
        reports = len(list(course.glob(f"reports/*/{PS}.json")))
        time.sleep(0.01)
    hosts.kill(next(iter(hosts.workers)))
    hosts.add()
    if run.wait():
        raise SystemExit(f"on the cluster the grading failed: exit code {run.returncode}; logs are in {hosts.room}")
    return reports


def main() -> int:
    """Run the comparison; return 0 if nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=120)
    parser.add_argument("--workers", type=int, default=2, help="workers of the run on one machine")
    chosen = parser.parse_args()
    shutil.rmtree(ROOM, ignore_errors=True)
    hand_in(ROOM / "here", PS, chosen.students)
    courses = [ROOM / "here", Path(shutil.copytree(ROOM / "here", ROOM / "there"))]
    begin = time.monotonic()
    if grade(courses[0], "--workers", str(chosen.workers)).wait():
        raise SystemExit("on one machine the grading failed")
    print(f"one machine, {chosen.workers} workers: {chosen.students} submissions in {time.monotonic() - begin:.0f} s", flush=True)
    with Hosts(ROOM / "hosts") as hosts:
        for _ in range(3):
            hosts.add()
        begin = time.monotonic()
        reports = disturbed(hosts, courses[1], chosen.students)
        seconds = time.monotonic() - begin
    print(f"cluster, 3 workers: one killed and one added at {reports} of {chosen.students} reports; {seconds:.0f} s in all")
    here, there = map(outcome, courses)
    differ = [name for name in here if here[name] != there[name]]
    same = sum(there["reports"].get(student) == text for student, text in here["reports"].items())
    print(f"{same} of {chosen.students} reports byte-identical; differences in: {', '.join(differ) or 'nothing'} "
          f"(compared: {', '.join(here)})")
    faulty = undecided(here)
    print(f"reports with a grader fault: {faulty}")
    return 1 if faulty or differ or same != chosen.students else 0


if __name__ == "__main__":
    raise SystemExit(main())
