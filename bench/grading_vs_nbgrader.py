"""Grading a class: our whole pipeline against stock `nbgrader autograde`, on the same 30 notebooks.

The experiment cells are cut down to their imports, so that neither side plays or plots. The rest is compared: sandbox,
hidden suite and gradebook against kernel, visible checks and gradebook. `grading_as_handed_in` leaves the cells in.
"""
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import nbformat
from nbgrader.api import Gradebook

from autograder.gradebook.course import prepare
from autograder.problem_sets import build
from autograder.problem_sets.bank.answers import load_bank
from autograder.problem_sets.source import load
from autograder.problem_sets.strip_step import without_guard
from bench import Row, must

PS = "ps2_uct"
RIGHT, WRONG = 20, 10       # a class in which every third notebook has one mistake
STUDENTS, WORKERS, TURNS = RIGHT + WRONG, 2, 3
ROOM = Path("build/bench")
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(Path.cwd())}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # our first run compiles our modules; setup compiled those of nbgrader
OURS = f"ours: `autograder grade --no-feedback`: hidden suite, student cells, gradebook; no cache, {WORKERS} workers"
CLASS = f"{STUDENTS} notebooks of {PS}: our solution plus one of {RIGHT} right or {WRONG} wrong answers"


def rows() -> list[Row]:
    """Submissions a minute; both grade all 30 notebooks in every turn."""
    peer = f"peer: `nbgrader autograde`, visible checks only, no torch, all {STUDENTS}; {clock()}"
    alike = "neither writes feedback; for both the set is released and all modules are compiled before"
    how = f"{CLASS}, experiment cells cut down to their imports; {OURS}; {peer}; {alike}"
    whole = measure("grading_vs_nbgrader", experiments=False, step=1, how=how)
    how = f"the same for each process that grades: ours has {WORKERS} workers, the peer one process"
    return [whole, replace(whole, name="grading_vs_nbgrader_a_core", ours=whole.ours / WORKERS, goal=whole.goal / 2, how=how)]


def measure(name: str, *, experiments: bool, step: int, how: str) -> Row:
    """Let both grade in turns; the peer gets every `step`-th notebook, with another first one in each turn."""
    shutil.rmtree(ROOM, ignore_errors=True)
    notebooks = class_notebooks(experiments)
    ours, peer = [], []
    for turn in range(TURNS):
        ours.append(STUDENTS * 60 / hand_in_and_grade(ROOM / f"ours{turn}", notebooks))
        sample = notebooks[turn % step :: step]
        peer.append(len(sample) * 60 / _seconds_of_peer(ROOM / f"peer{turn}", sample))
    return Row(name, median(ours), median(peer), "submissions/min", 8.0, how)


def clock() -> str:
    """Return the method of measuring time, in words."""
    return f"wall clock, median of {TURNS} turns, {os.cpu_count()} cores"


def class_notebooks(experiments: bool) -> list[str]:
    """Return notebooks: the solution, with another answer from the banks in a cell at the end of each."""
    right, wrong = (load_bank(Path("tests") / bank / f"{PS}.py") for bank in ("right", "wrong"))
    answers = right[:RIGHT] + wrong[::len(wrong) // WRONG][:WRONG]     # mistakes from all parts of the set
    solution, _ = build(load(PS), solution=True)
    texts = []
    for answer in answers:
        notebook = nbformat.reads(solution, as_version=4)
        for cell in notebook.cells:
            if not experiments and "experiment" in cell.metadata.get("tags", []):
                cell.source = "\n".join(line for line in cell.source.splitlines() if line.startswith(("import ", "from ")))
        notebook.cells.append(nbformat.v4.new_code_cell(answer.code, id="added"))
        texts.append(nbformat.writes(notebook))
    return texts


def _course(folder: Path, notebooks: list[str]) -> None:
    for number, text in enumerate(notebooks):
        submission = folder / "submitted" / f"student{number:02}" / PS
        submission.mkdir(parents=True)
        (submission / f"{PS}.ipynb").write_text(text)


def hand_in_and_grade(folder: Path, notebooks: list[str]) -> float:
    """Return the seconds of our grading. The set is released before the clock starts, as for the peer."""
    _course(folder, notebooks)
    prepare(folder, PS)
    grade = [sys.executable, "-m", "autograder", "grade", str(folder), "--ps", PS, "--workers", str(WORKERS), "--no-feedback"]
    seconds = _seconds(grade)
    points = _points(folder)
    full = sum(got == most + load(PS).extra_points for got, most in points.values())
    must(len(points) == len(notebooks) and full == RIGHT,
         f"we graded {len(points)} of {len(notebooks)} notebooks, and gave all points to {full}, not {RIGHT}: see {folder}")
    return seconds


def _points(folder: Path) -> dict[str, tuple[float, float]]:
    """Return each student's points in the checks and what they can give, from the gradebook of a graded course."""
    with Gradebook(f"sqlite:///{folder.absolute()}/gradebook.db") as gradebook:
        return {each.student.id: (each.code_score, each.max_code_score) for each in gradebook.assignment_submissions(PS)}


def _seconds_of_peer(folder: Path, notebooks: list[str]) -> float:
    """Return the seconds of nbgrader. The set is released before the clock starts; nbgrader cannot grade without that."""
    _course(folder, notebooks)
    source = folder / "source" / PS
    source.mkdir(parents=True)
    (source / f"{PS}.ipynb").write_text(without_guard(build(load(PS), solution=False)[0]))
    nbgrader = [sys.executable, "-m", "nbgrader"]
    course = f"--course-dir={folder.absolute()}"
    _seconds([*nbgrader, "generate_assignment", PS, course])
    seconds = _seconds([*nbgrader, "autograde", PS, course])
    points = _points(folder)
    # it asks the visible checks alone, which are above the added answer, so everybody has all points
    must(len(points) == len(notebooks) and set(points.values()) == {(100.0, 100.0)},
         f"stock nbgrader graded {len(points)} of {len(notebooks)} notebooks, and not each has 100 of 100 points: {points}")
    return seconds


def _seconds(command: list[str]) -> float:
    start = time.monotonic()
    done = subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        output = done.stdout[-2000:] + done.stderr[-2000:]
        raise RuntimeError(f"{' '.join(command)} ended with status {done.returncode}:\n{output}")
    return time.monotonic() - start
