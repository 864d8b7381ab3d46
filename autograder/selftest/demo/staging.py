"""A class for a test: honest students and the hand-ins of a bank, cheap exams, and a run as for any class.

`make attack` and `make broken` add their banks to the honest students, grade as `make grade` does, and read the results.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from arena.challenge.ladder import LADDER
from arena.files import write_atomic
from autograder.gradebook.course import open_course
from autograder.gradebook.ledger import GradebookEntry, read_ledger
from autograder.gradebook.nbgrader_patches import one_session
from autograder.grading.report import Report
from autograder.paths import REPOSITORY
from autograder.selftest.demo.members import cast_of
from autograder.selftest.demo.submission_maker import SubmissionMaker
from autograder.workers.capacity import workers_that_fit

HALF, RIGHT, WRONG = HONEST = ("honest-half", "honest-right", "honest-wrong")
# The exams have the same rules and fewer games, so that a player's behaviour is known soon.
LADDER_CHANGES = {"student_simulations": "23", "highest": '"Random"', "games": "40", "each": "2", "move_cpu_s": "0.4",
                  "game_cpu_s": "5.0"}


@lru_cache(maxsize=8)
def maker_of(ps: str) -> SubmissionMaker:
    """Return the maker of submissions of a set."""
    return SubmissionMaker(ps)


def lay_honest(course: Path, ps: str) -> None:
    """Write the honest students' submissions of a set into a course with cheap exams."""
    write_atomic(course / LADDER.name, quick_ladder())
    for student, files in honest(ps).items():
        write_all(course / "submitted" / student / ps, files)


def honest(ps: str) -> dict[str, dict[str, str]]:
    """Return the files of the honest students: half done, all right, and one mistake."""
    maker, cast = maker_of(ps), cast_of(ps)
    texts = (maker.written_up_to(cast.half), maker.solved, maker.answered(maker.wrong[cast.wrong[0]]))
    return {student: maker.notebook(text) for student, text in zip(HONEST, texts, strict=True)}


def quick_ladder() -> str:
    """Return our ladder with cheaper exams."""
    text = LADDER.read_text()
    for key, value in LADDER_CHANGES.items():
        text = re.sub(rf"^{key} = \S+", f"{key} = {value}", text, flags=re.M)
    return text


def write_all(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files of a submission, by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_atomic(folder / name, content)


def grade_set(course: Path, ps: str, environment: Mapping[str, str] | None = None, workers: int | None = None) -> list[str]:
    """Grade one set as `make grade` does, in a separate process; return the failures of the run."""
    workers = workers or workers_that_fit()
    command = [sys.executable, "-m", "autograder", "grade", str(course), "--ps", ps, "--workers", str(workers)]
    log = course / f"{ps}.log"
    with log.open("w") as output:
        done = subprocess.run(
            command, env=environment, cwd=REPOSITORY, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
    if done.returncode == 0:
        return []
    last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
    return [f"grading {ps} of {course.name} ended with status {done.returncode}: {' '.join(last)}"]


def page_of(course: Path, ps: str) -> str:
    """Return the page of a set after its run; empty if there was none."""
    page = course / "report" / f"{ps}.html"
    return page.read_text(encoding="utf-8") if page.exists() else ""


def read_standings(course: Path, ps: str) -> dict[str, GradebookEntry]:
    """Return the gradebook's records of a set."""
    with one_session(open_course(course.resolve(), ps)) as gradebook:
        return read_ledger(gradebook, ps)


def recorded_score(standing: GradebookEntry) -> float:
    """Return the sum of a student's automatic scores."""
    return sum(score or 0.0 for score in standing.auto.values())


def first_words(report: Report) -> str:
    """Return the first text of a report that a student reads: its note, or the first hint."""
    hints = (check.hint for exercise in report.exercises for check in exercise.checks
             if check.hint and not check.hint.startswith("this check waits"))
    return report.note or next(hints, "")
