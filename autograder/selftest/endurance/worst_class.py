"""The effect of ten of the worst submissions on a class of 60: the time, and the grades of the other students.

    python -m autograder.selftest.endurance.worst_class [--students 60] [--workers 2]

Two new courses of one edition are graded: the honest class alone, and the same class with ten students replaced by attacks
that use all their time (sleepers, talkers, bombs, slow text). Exit code 0 if every honest report is the same in both, byte for
byte, and the second class takes at most 1.5 times as long as the first, plus ten deadlines.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from arena.files import write_atomic
from autograder.grading.submission_runner import EXERCISE_CPU_S
from autograder.sandbox.session import WALL_FACTOR, WALL_TIMEOUT_S
from autograder.selftest.attack.bank import Attack, load_attacks
from autograder.selftest.attack.making import hand_in as hand_in_attack
from autograder.selftest.demo.submission_maker import SubmissionMaker, added
from autograder.selftest.endurance.varied_class import EDITION, class_of

PS = "ps2_uct"
ROOM = Path("build/worst_class")
DEADLINE_S = WALL_TIMEOUT_S + WALL_FACTOR * EXERCISE_CPU_S  # the limit of one exercise in wall-clock time
SHARE = 1.5
SLEEPS = "import time\n\ndef forged(*args, **kwargs):\n    time.sleep(10**6)\n"
WORKS = "def forged(*args, **kwargs):\n    while True:\n        pass\n"
ASKS_AND_SLEEPS = """import time

def forged(*args, **kwargs):
    while True:
        for value in (*args, *kwargs.values()):
            if callable(value) or hasattr(value, "legal_actions"):
                try:
                    value.legal_actions(None) if hasattr(value, "legal_actions") else value(None)
                except Exception:
                    pass
        time.sleep(0.05)
"""
DRIPS = """import os, time
import codec

def forged(*args, **kwargs):
    for byte in codec.frame(codec.encode([0] * 10**6)):
        os.write(3, bytes([byte]))
        time.sleep(0.08)
"""
OWN = (
    Attack("sleeps in every exercise", "hold a worker by sleeping", SLEEPS),
    Attack("works in every exercise", "hold a worker by work", WORKS),
    Attack("asks and sleeps", "hold a worker by asking and sleeping in turn", ASKS_AND_SLEEPS),
    Attack("answers byte by byte", "hold a worker by a slow answer", DRIPS),
)
FROM_THE_BANK = ("a fork bomb", "a page that takes hours", "slow cells by the hundred", "a notebook that grows in memory",
                 "forty megabytes for an answer", "a generator without end")


def worst() -> list[Attack]:
    """Return ten of the worst attacks."""
    return [*OWN, *(load_attacks(name)[0] for name in FROM_THE_BANK)]


def lay_out(course: Path, students: int, attacks: list[Attack]) -> list[str]:
    """Make a course of this number of students, attacks included; return the names of the honest students."""
    shutil.rmtree(course, ignore_errors=True)
    maker, honest = SubmissionMaker(PS), []
    for student, answer in list(class_of(maker, students))[: students - len(attacks)]:
        text = added(maker.solved, f"# handed in by {student}\n{answer.code}")
        write_atomic(course / "submitted" / student / PS / f"{PS}.ipynb", text)
        honest.append(student)
    for attack in attacks:
        hand_in_attack(course, attack)
    write_atomic(course / "edition.secret", EDITION, mode=0o600)
    return honest


def graded_in_s(course: Path, students: int, workers: int) -> float:
    """Grade a course with `make grade`'s own command and return the seconds that it took.

    Raises:
        SystemExit: the grading failed.
    """
    begin = time.monotonic()
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", PS, "--workers", str(workers)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    if done.returncode or f"graded {students} of {students} submissions, 0 grader faults" not in done.stdout:
        raise SystemExit(f"{course} was not graded completely (status {done.returncode}): {done.stdout[-800:]}{done.stderr}")
    return seconds


def main() -> int:
    """Measure and compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    alone, mixed, attacks = ROOM / "alone", ROOM / "mixed", worst()
    if given.students <= len(attacks):
        parser.error(f"--students {given.students}: {len(attacks)} are attacks, so nobody is honest, and no report could differ")
    lay_out(alone, given.students, [])
    honest = lay_out(mixed, given.students, attacks)
    first = graded_in_s(alone, given.students, given.workers)
    print(f"{given.students} honest submissions: {first:.1f} s", flush=True)
    second = graded_in_s(mixed, given.students, given.workers)
    print(f"{len(honest)} of them and {len(attacks)} attacks: {second:.1f} s", flush=True)
    reports = [[(course / "reports" / student / f"{PS}.json").read_bytes() for student in honest] for course in (alone, mixed)]
    others = [student for student, report, other in zip(honest, *reports, strict=True) if report != other]
    allowed = SHARE * first + len(attacks) * DEADLINE_S
    print(f"honest reports that differ: {len(others)}; {second:.0f} s of {allowed:.0f} s allowed "
          f"({SHARE} x {first:.1f} s, and {len(attacks)} deadlines of {DEADLINE_S:.0f} s)")
    return 1 if others or second > allowed else 0


if __name__ == "__main__":
    sys.exit(main())
