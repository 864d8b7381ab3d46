"""What the students' pages cost beside the grading: all pages of a class, and the exact values and the page of a challenge.

The limit of both is a quarter of the grading time: a ratio of 4.
"""
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from arena.challenge.ladder import load_ladder
from arena.games.connect_four import WIDTH
from autograder.challenge.exam.whole_exam import run_exam_of
from autograder.challenge.model import Conditions
from autograder.course.feedback import feedback
from autograder.grading.edition import public_secret
from autograder.pages.student.challenge_page import challenge_page
from autograder.problem_sets import build
from autograder.problem_sets.source import load
from autograder.submission.payload import read_payload
from bench import LIMIT, Row, must
from bench.grading_vs_nbgrader import CLASS, PS, ROOM, STUDENTS, WORKERS, class_notebooks, hand_in_and_grade

PLAYER, HIGHEST, QUARTER, TURNS = "ps3_connect_four", "Pebble", 4.0, 2


def rows() -> list[Row]:
    """Seconds; here the peer is our own grading without the pages."""
    return [_class_row(), _challenge_row()]


def _class_row() -> Row:
    shutil.rmtree(ROOM, ignore_errors=True)
    notebooks, pages, grading = class_notebooks(experiments=False), [], []
    for turn in range(TURNS):
        course = ROOM / f"pages{turn}"
        grading.append(hand_in_and_grade(course, notebooks))
        start = time.monotonic()
        made = feedback(course, PS)
        pages.append(time.monotonic() - start)
        must(len(made) == STUDENTS, f"{len(made)} of {STUDENTS} pages were made")
    how = (f"{CLASS}; ours: all feedback pages, in one process: nbgrader's and the first page with its trees; peer: the grading "
           f"before them, {WORKERS} workers, no cache; a ratio of {QUARTER:g} is a quarter; wall clock, median of {TURNS} turns")
    return Row("feedback_pages", median(pages), median(grading), "s", QUARTER, how, LIMIT)


def _challenge_row() -> Row:
    ladder = replace(load_ladder(), highest=HIGHEST)
    with tempfile.TemporaryDirectory() as room:
        (Path(room) / f"{PLAYER}.py").write_text(build(load(PLAYER), solution=True)[1], encoding="utf-8")
        exam = run_exam_of(read_payload(Path(room), PLAYER), Conditions(public_secret(), ladder))
    start = time.process_time()
    page = challenge_page("student", exam.report, exam.measured, ladder)
    ours = time.process_time() - start + exam.measured.own_cpu_s["values"]
    positions = sum(len(text) for match in exam.report.matches for text in match.values) // WIDTH
    must(positions > 0 and len(page) > 10_000, f"the page has {positions} valued positions and {len(page)} letters")
    parts = {**exam.measured.own_cpu_s, "values": 0.0}
    games = sum(len(match.games) for match in exam.report.matches)
    must(games > 0 and not exam.report.has_fault, f"the exam has {games} games, and a fault: {exam.failure}")
    how = (f"our solution of {PLAYER} up to {HIGHEST}, {games} games; ours: exact values of {positions:,} positions "
           f"and the page of {len(page) // 1000} kB; peer: the rest of the exam; CPU time")
    return Row("challenge_pages", ours, sum(parts.values()) + sum(exam.measured.cpu_s.values()), "s", QUARTER, how, LIMIT)
