"""Kill a grading at random moments and go on, many times: does every gradebook end as the undisturbed one?

    python -m scripts.kill_and_go_on --times 100

A class of 60 ps2 submissions is graded undisturbed. Then, as often as asked, in a fresh course: the grader is killed
with -9 at a random moment, the same command runs again, and exported rows, comments and scores are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from autograder.demo.course import demo_files
from autograder.files import write_atomic

ROOT = Path(__file__).resolve().parents[1]
ROOM = ROOT / "build" / "killed"
PS = "ps2_uct"
# What nbgrader exports and shows, and nothing that says when: by student, cell and comment.
QUERIES = {
    "scores": "select s.student_id, c.name, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade from grade g "
              "join submitted_notebook n on g.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id "
              "join base_cell c on g.cell_id = c.id order by 1, 2",
    "comments": "select s.student_id, c.name, k.auto_comment, k.manual_comment from comment k "
                "join submitted_notebook n on k.notebook_id = n.id join submitted_assignment s on n.assignment_id = s.id "
                "join base_cell c on k.cell_id = c.id order by 1, 2",
    "students": "select id from student order by 1",
}


def hand_in(course: Path, students: int) -> None:
    """Lay a class out: the demo's submissions, twice over."""
    files = demo_files(PS)
    handles = sorted({name.partition("/")[0] for name in files})
    chosen = [(f"{handle}-{turn}", handle) for turn in range(-(-students // len(handles))) for handle in handles][:students]
    for student, handle in chosen:
        (course / "submitted" / student / PS).mkdir(parents=True)
        for name, text in files.items():
            if name.startswith(f"{handle}/"):
                # a comment makes each a submission of its own, which no cache knows
                end = f"\n# {student}\n" if name.endswith(".py") else ""
                write_atomic(course / "submitted" / student / name.partition("/")[2], text + end)
    (course / "edition.secret").write_text("the edition of these kills\n")


def grade(course: Path, workers: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", PS, "--workers", str(workers)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def outcome(course: Path) -> dict:
    """Return everything of a graded course that must not depend on how often the grader was killed."""
    with sqlite3.connect(f"file:{course / 'gradebook.db'}?mode=ro", uri=True) as database:
        rows = {name: database.execute(query).fetchall() for name, query in QUERIES.items()}
    reports = {path.parent.name: path.read_text() for path in sorted(course.glob(f"reports/*/{PS}.json"))}
    feedback = sorted(path.parent.parent.name for path in course.glob("feedback/*/*/*.html"))
    return rows | {"reports": reports, "grades": (course / "grades.csv").read_text(), "feedback": feedback}


def undisturbed(submitted: Path, workers: int) -> tuple[dict, float]:
    course = new_course(submitted, ROOM / "undisturbed")
    begin = time.monotonic()
    if grade(course, workers).wait():
        raise SystemExit("the undisturbed grading failed")
    return outcome(course), time.monotonic() - begin


def new_course(submitted: Path, course: Path) -> Path:
    shutil.rmtree(course, ignore_errors=True)
    shutil.copytree(submitted / "submitted", course / "submitted")
    shutil.copy(submitted / "edition.secret", course)
    return course


def killed(submitted: Path, moments: list[float], workers: int) -> tuple[dict, int]:
    """Grade with a kill at each of these moments, seconds after the start; return what came of it, and how many kills hit."""
    course, hits = new_course(submitted, ROOM / "killed"), 0
    for moment in moments:
        run = grade(course, workers)
        try:
            run.wait(moment)
        except subprocess.TimeoutExpired:
            os.kill(run.pid, signal.SIGKILL)
            run.wait()
            hits += 1
    last = grade(course, workers)
    if last.wait():
        raise SystemExit(f"after kills at {moments} the grading failed: exit code {last.returncode}, {course} is kept")
    return outcome(course), hits


def main() -> int:
    """Run the comparison; 0 when all gradebooks are equal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args()
    shutil.rmtree(ROOM, ignore_errors=True)
    hand_in(ROOM / "class", chosen.students)
    expected, seconds = undisturbed(ROOM / "class", chosen.workers)
    print(f"undisturbed: {len(expected['reports'])} reports, {len(expected['scores'])} scores in {seconds:.0f} s", flush=True)
    rng, equal, hits, begin = random.Random(chosen.seed), 0, 0, time.monotonic()
    for number in range(1, chosen.times + 1):
        moments = sorted(rng.uniform(0.0, seconds) for _ in range(rng.choice((1, 1, 2, 3))))
        found, hit = killed(ROOM / "class", moments, chosen.workers)
        hits += hit
        equal += found == expected
        if found != expected:
            differ = [name for name in expected if found[name] != expected[name]]
            print(f"{number}: killed at {[round(moment, 2) for moment in moments]} s, differs in {', '.join(differ)}")
            shutil.copytree(ROOM / "killed", ROOM / f"differs-{number}", symlinks=True)
            write_atomic(ROOM / f"differs-{number}.json", json.dumps({"expected": expected, "found": found}, indent=1))
    each = (time.monotonic() - begin) / chosen.times
    lost = chosen.students - len(expected["reports"])
    print(f"{equal} of {chosen.times} gradebooks equal to the undisturbed one after {hits} kills, {lost} lost submissions; "
          f"{each:.0f} s each, 100 take {each * 100 / 60:.0f} min")
    return 0 if equal == chosen.times else 1


if __name__ == "__main__":
    raise SystemExit(main())
