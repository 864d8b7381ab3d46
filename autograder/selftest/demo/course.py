"""Make the demo class as a course folder."""

import hashlib
import json
import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from arena.challenge.ladder import LADDER
from arena.errors import UserError
from arena.files import write_atomic
from autograder.modes import in_course
from autograder.problem_sets.source import facts_of
from autograder.selftest.demo.members import cast_of
from autograder.selftest.demo.students import class_of
from autograder.selftest.demo.submission_maker import SubmissionMaker

# This file marks a folder as a demo class, which may be replaced; it contains a hash of the sources.
MARK = ".demo"
HIGHEST = "Pebble"  # the last rung that the demo class plays
FIRST_HAND_IN = datetime(2026, 10, 5, 14, 0, 0)


def build_demo(course: Path, ps: str) -> Path:
    """Make the demo class of `ps` in `course`, unless it is there already, and return the course folder.

    The same sources give the same bytes. If the sources have changed, the old demo course is removed with its gradebook,
    because the submissions that it graded no longer exist.

    Raises:
        UserError: there is no demo class of `ps`, or `course` is a real course.
    """
    files = {f"submitted/{name}": text for name, text in demo_files(ps).items()}
    if facts_of(ps).player:
        files[LADDER.name] = demo_ladder()
    stamp = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest() + "\n"
    mark = course / MARK
    if course.exists():
        if not mark.is_file() and any(course.iterdir()):
            raise UserError(f"{course} is not a demo class and is left unchanged: move it away first")
        if mark.is_file() and mark.read_text() == stamp:
            return course
        shutil.rmtree(course)
    course.mkdir(mode=0o700, parents=True)
    with in_course(course):
        for name, text in files.items():
            write_atomic(course / name, text)
    write_atomic(mark, stamp)  # last, so that an interrupted demo is made again
    return course


def demo_ladder() -> str:
    """Return the ladder of the demo class: ours up to HIGHEST, so that a first demo takes minutes and not an hour."""
    return re.sub(r'^highest = "\w+"', f'highest = "{HIGHEST}"', LADDER.read_text(encoding="utf-8"), flags=re.M)


def demo_files(ps: str) -> dict[str, str]:
    """Return the text of every file under `submitted/`, by path."""
    students, maker, files = class_of(cast_of(ps)), SubmissionMaker(ps), {}
    for number, student in enumerate(students):
        folder = f"{student.handle}/{ps}"
        handed_in = FIRST_HAND_IN + timedelta(minutes=37 * number)
        files[f"{folder}/timestamp.txt"] = handed_in.strftime("%Y-%m-%d %H:%M:%S UTC\n")
        files |= {f"{folder}/{name}": text for name, text in student.make(maker).items()}
    return files
