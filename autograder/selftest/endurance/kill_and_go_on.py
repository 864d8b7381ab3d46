"""Kill a grading at random moments and continue it, many times: is every gradebook equal to the undisturbed one?

    python -m autograder.selftest.endurance.kill_and_go_on --times 100

First, a class of 60 ps2 submissions is graded undisturbed: the demo class, and as many from the banks of right and wrong
answers. Then each run grades a fresh course: the grader is killed with -9 at one to three moments, drawn over the length of the
undisturbed run, and the same command runs once more to its end. Exported rows, comments, scores and the list of feedback are
compared. build/killed/runs.jsonl keeps one line per finished run, and a later call continues there; with another grader, class
or seed it starts again.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, TypedDict

from arena.files import write_atomic
from autograder.grading.fingerprint import CLASS, code_fingerprint
from autograder.grading.report import Report
from autograder.selftest.demo.course import demo_files
from autograder.selftest.endurance.varied_class import hand_in
from autograder.workers.capacity import workers_that_fit

ROOM = Path("build/killed")
PS = "ps2_uct"
KILLS = (1, 1, 2, 3)  # the number of kills in a run is drawn from these
# The data that nbgrader exports and shows, without times: by student, cell and comment.
QUERIES = {
    "scores": "select s.student_id, c.name, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade from grade g "
              "join submitted_notebook n on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id "
              "join base_cell c on g.cell_id = c.id order by 1, 2",
    "comments": "select s.student_id, c.name, k.auto_comment, k.manual_comment from comment k "
                "join submitted_notebook n on k.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id "
                "join base_cell c on k.cell_id = c.id order by 1, 2",
    "students": "select id from student order by 1",
}
# The phase of a kill: the last entry with an existing file.
PHASES = {"before the first report": "submitted", "before the gradebook": f"reports/*/{PS}.json",
          "during gradebook and grading": f"autograded/*/{PS}/{PS}.ipynb", "during the feedback": f"feedback/*/{PS}/{PS}.html",
          "after the feedback": "report/index.html"}
Outcome = dict[str, Any]  # the result of a graded course, by name, as JSON: rows of tables, texts by student, names


class Run(TypedDict):
    """A run with kills, as stored in the ledger."""

    run: int
    seed: str
    moments: list[float]
    fell: list[str]
    differ: list[str]
    lost: int
    seconds: float


def lay_out(course: Path, students: int) -> None:
    """Make a class: one half from the banks, the rest from the demo class."""
    hand_in(course, PS, students - students // 2)
    files = demo_files(PS)
    chosen = sorted({name.partition("/")[0] for name in files})[: students // 2]
    for handle in chosen:
        (course / "submitted" / handle / PS).mkdir(parents=True)
    for name, text in files.items():
        if name.partition("/")[0] in chosen:
            write_atomic(course / "submitted" / name, text)


def grade(course: Path, workers: int, kill_at: float | None = None) -> bool:
    """Grade as `make grade` does; True if it ended by itself, False if it was killed `kill_at` seconds after its start.

    Raises:
        SystemExit: the grading failed.
    """
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", PS, "--workers", str(workers)]
    try:
        done = subprocess.run(command, timeout=kill_at, start_new_session=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:  # the timeout has killed the grader (-9), but no other process
        return False
    if done.returncode:
        raise SystemExit(f"the grading ended with exit code {done.returncode}: {course} is kept")
    return True


def outcome(course: Path) -> Outcome:
    """Return all results of a graded course that must not depend on kills, as data from JSON."""
    with sqlite3.connect(f"file:{course / 'gradebook.db'}?mode=ro", uri=True) as database:
        rows = {name: database.execute(query).fetchall() for name, query in QUERIES.items()}
    reports = {path.parent.name: path.read_text() for path in sorted(course.glob(f"reports/*/{PS}.json"))}
    feedback = sorted(path.parent.parent.name for path in course.glob("feedback/*/*/*.html"))
    grades = (course / "grades.csv").read_text()
    result: Outcome = json.loads(json.dumps(rows | {"reports": reports, "grades": grades, "feedback": feedback}))
    return result


def undecided(result: Outcome) -> int:
    """Return how many reports have a grader fault: two gradings that decide nothing are equal too."""
    return sum(Report.from_json(text).has_fault for text in result["reports"].values())


def undisturbed(workers: int) -> tuple[Outcome, float]:
    course = new_course(ROOM / "undisturbed")
    begin = time.monotonic()
    grade(course, workers)
    return outcome(course), time.monotonic() - begin


def new_course(course: Path) -> Path:
    """Return a fresh, ungraded course with the class."""
    shutil.rmtree(course, ignore_errors=True)
    return Path(shutil.copytree(ROOM / "class", course))


def killed(moments: list[float], workers: int) -> tuple[Outcome, list[str]]:
    """Grade with a kill at each of these moments (seconds after a start); return the result and the phases of the kills."""
    course, fell = new_course(ROOM / "killed"), []
    for moment in moments:
        if not grade(course, workers, kill_at=moment):
            fell.append([name for name, pattern in PHASES.items() if any(course.glob(pattern))][-1])
    grade(course, workers)
    return outcome(course), fell


class Ledger:
    """The undisturbed run and the killed runs, on disk; it starts again if the grader, the class or the seed changed."""

    RUNS, START = ROOM / "runs.jsonl", ROOM / "undisturbed.json"

    def __init__(self, students: int, workers: int, seed: int) -> None:
        of = {"grader": code_fingerprint(CLASS), "students": students, "workers": workers, "seed": seed}
        start = json.loads(self.START.read_text()) if self.START.exists() else {}
        if start.get("of") != of:
            shutil.rmtree(ROOM, ignore_errors=True)
            lay_out(ROOM / "class", students)
            expected, seconds = undisturbed(workers)
            start = {"of": of, "seconds": seconds, "expected": expected}
            write_atomic(self.START, json.dumps(start))
        self.expected: Outcome = start["expected"]
        self.seconds: float = start["seconds"]
        self.runs: list[Run] = [json.loads(line) for line in self.RUNS.read_text().splitlines()] if self.RUNS.exists() else []

    def note(self, run: Run) -> None:
        """Add a finished run."""
        self.runs.append(run)
        write_atomic(self.RUNS, "".join(json.dumps(finished) + "\n" for finished in self.runs))


def play(ledger: Ledger, number: int, workers: int, seed: int) -> Run:
    """Do one run, with moments that depend only on seed and number; return its result."""
    rng = random.Random(f"{seed} {number}")
    moments = sorted(rng.uniform(0.0, ledger.seconds) for _ in range(rng.choice(KILLS)))
    begin = time.monotonic()
    result, fell = killed(moments, workers)
    differ = [name for name in ledger.expected if result[name] != ledger.expected[name]]
    if differ:
        shutil.copytree(ROOM / "killed", ROOM / f"differs-{number}", symlinks=True)
        write_atomic(ROOM / f"differs-{number}.json", json.dumps({"expected": ledger.expected, "found": result}, indent=1))
    lost = len(ledger.expected["reports"].keys() - result["reports"].keys())
    return {"run": number, "seed": f"{seed} {number}", "moments": [round(moment, 2) for moment in moments], "fell": fell,
            "differ": differ, "lost": lost, "seconds": time.monotonic() - begin}


def tell(ledger: Ledger) -> str:
    """Return the figures of all runs as text."""
    hit = [run for run in ledger.runs if run["fell"]]
    fell = Counter(where for run in hit for where in run["fell"])
    each = sum(run["seconds"] for run in ledger.runs) / max(1, len(ledger.runs))
    return (
        f"{sum(not run['differ'] for run in hit)} of {len(hit)} gradebooks equal to the undisturbed one, "
        f"{sum(run['lost'] for run in hit)} lost submissions; {each:.0f} s a run\n"
        f"{fell.total()} kills: " + ", ".join(f"{fell[name]} {name}" for name in PHASES)
    )


def main() -> int:
    """Do the runs that are missing; return 0 if all gradebooks are equal."""
    parser = argparse.ArgumentParser(
        prog="python -m autograder.selftest.endurance.kill_and_go_on", description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=100, help="runs in which a kill hit, those of earlier calls included")
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--workers", type=int, default=workers_that_fit())
    parser.add_argument("--seed", type=int, default=2026)
    given = parser.parse_args()
    if given.times < 1:
        parser.error("--times: without a kill nothing is compared")
    ledger = Ledger(given.students, given.workers, given.seed)
    reports, scores, faulty = len(ledger.expected["reports"]), len(ledger.expected["scores"]), undecided(ledger.expected)
    print(f"undisturbed: {reports} of {given.students} reports, {faulty} with a grader fault, {scores} scores in "
          f"{ledger.seconds:.0f} s", flush=True)
    while sum(bool(run["fell"]) for run in ledger.runs) < given.times:  # a run that ended before its kill does not count
        run = play(ledger, len(ledger.runs) + 1, given.workers, given.seed)
        ledger.note(run)
        how = f"differs in {', '.join(run['differ'])}" if run["differ"] else "equal"
        where = "; ".join(run["fell"]) or "it ended before the kill"
        print(f"{run['run']} (seed {run['seed']!r}): killed at {run['moments']} s, {where}: {how}", flush=True)
    print(tell(ledger))
    differ = any(run["differ"] or run["lost"] for run in ledger.runs)
    return 1 if reports < given.students or faulty or not scores or differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
